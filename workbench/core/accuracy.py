"""How far a candidate's outputs are from FP32's: per leaf, per sample, per slice; used by the worker.

Streaming: only sums, extremes and one small row per sample are kept, so memory does not grow with the
size of the outputs times their number. :mod:`workbench.core.outputs` names leaves and measures distances,
:mod:`workbench.core.slices` judges the slices of a leaf by themselves.

* *cosine* per sample and leaf; a sample's cosine is that of its **worst** leaf, so that a broken score
  output cannot hide behind perfect boxes. Two zero vectors are equal (1), one alone is 0, and a leaf
  that is NaN or infinite where FP32 is not counts as 0.
* *SQNR* in dB over all samples of a leaf, within ±200 (identical outputs give 200, and JSON stays valid).
* *KL*, *top-1*, *top-5* only for a leaf of class scores: floating point, of shape (batch, classes ≥ 2).
  The first such leaf is taken. KL is of the softmax, FP32 against candidate, in nats; rows that already
  are probabilities are taken as they are.
* A failure in words, whatever the averages say: a slice or a whole output that varies in FP32 but is
  constant in the candidate, slices that are mostly noise while the whole is fine, non-finite values, shapes or
  leaves that differ.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from workbench.core.outputs import (
    SQNR_CAP,
    Floats,
    Leaves,
    cosine,
    flatten_outputs,
    is_scores,
    kl_divergence,
    numbers,
    sqnr_db,
)
from workbench.core.slices import SliceAccuracy, Slices

KL_CLOSE, KL_FAR = 0.05, 0.15
"""Mean KL divergence (nats) up to which class probabilities barely moved, and moved a little."""


class OutputAccuracy(msgspec.Struct, frozen=True, kw_only=True):
    """One output leaf over all samples; *max_abs_diff* is in the output's own unit.

    *worst_slice* is ``None`` where the leaf has no slices (fewer than three axes) or none varies in FP32.
    """

    name: str
    cosine_mean: float
    cosine_min: float
    sqnr_db: float
    max_abs_diff: float
    worst_slice: SliceAccuracy | None = None


class ItemAccuracy(msgspec.Struct, frozen=True, kw_only=True):
    """One sample: the worst leaf's cosine, the class said by each side (first row), and the true one."""

    name: str
    cosine: float
    top1: int | None = None
    top1_fp32: int | None = None
    label: int | None = None


class Accuracy(msgspec.Struct, frozen=True, kw_only=True):
    """Result over all samples.

    Attributes:
        samples: how many were compared.
        cosine_mean: mean over samples of the worst leaf's cosine.
        cosine_min: the worst sample's.
        sqnr_db: of the worst leaf.
        kl_mean: nats; ``None`` without class scores.
        top1_agreement: share of rows where both sides say the same class; ``None`` without class scores.
        top1: share of labelled samples the candidate gets right; ``None`` without labels.
        top1_fp32: the same of FP32.
        top5: share of labelled samples whose class is among the candidate's best five (needs more than five).
        outputs: per leaf, in the model's order.
        items: per sample, in the order added.
        failures: what makes the candidate unusable whatever the averages say.
        notes: oddities that are no failure.
        finite: False where the candidate gave NaN or infinity and FP32 did not.
        verdict: one sentence.
    """

    samples: int
    cosine_mean: float
    cosine_min: float
    sqnr_db: float
    kl_mean: float | None
    top1_agreement: float | None
    top1: float | None
    top1_fp32: float | None
    outputs: tuple[OutputAccuracy, ...]
    top5: float | None = None
    items: tuple[ItemAccuracy, ...] = ()
    failures: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    finite: bool = True
    verdict: str = ""


class _Leaf:
    """Sums of one output leaf."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.cosines: list[float] = []
        self.signal = 0.0
        self.noise = 0.0
        self.worst = 0.0
        self.slices = Slices(name)

    def add(self, reference: Floats, candidate: Floats) -> None:
        delta = candidate - reference
        self.cosines.append(cosine(reference, candidate))
        self.signal += float(np.vdot(reference, reference))
        self.noise += float(np.vdot(delta, delta))
        self.worst = max(self.worst, float(np.abs(delta).max(initial=0.0)))
        self.slices.add(reference, candidate)

    def result(self) -> OutputAccuracy:
        return OutputAccuracy(
            name=self.name,
            cosine_mean=float(np.mean(self.cosines)) if self.cosines else 0.0,
            cosine_min=min(self.cosines, default=0.0),
            sqnr_db=sqnr_db(self.signal, self.noise) if self.cosines else -SQNR_CAP,
            max_abs_diff=self.worst,
            worst_slice=self.slices.worst(),
        )


class AccuracyMeter:
    """Takes samples one by one and answers with :class:`Accuracy`."""

    def __init__(self) -> None:
        self._leaves: dict[str, _Leaf] = {}
        self._items: list[ItemAccuracy] = []
        self._failures: dict[str, list[str]] = {}
        self._notes: dict[str, list[str]] = {}
        self._kl: list[float] = []
        self._finite = True
        self._agree: list[bool] = []
        self._hits: list[tuple[bool, bool, bool | None]] = []

    def add(self, name: str, reference: Leaves, candidate: Leaves, label: int | None = None) -> None:
        """Compare one sample.

        Args:
            name: the sample's name.
            reference: FP32's leaves, from :func:`flatten_outputs`.
            candidate: the candidate's leaves, in any order but under the same names.
            label: true class of the sample, if known; held against the first row of the scores.
        """
        theirs = dict(candidate)
        ours = {leaf for leaf, _ in reference}
        for extra in theirs.keys() - ours:
            self._fail(f"output '{extra}' exists in the candidate only", name)
        worst = 1.0 if reference and ours == theirs.keys() else 0.0
        for leaf, array in reference:
            if leaf not in theirs:
                self._fail(f"output '{leaf}' is missing in the candidate", name)
                continue
            worst = min(worst, self._compare(name, leaf, array, theirs[leaf]))
        top1, top1_fp32 = self._classes(reference, theirs, label)
        item = ItemAccuracy(name=name, cosine=worst, top1=top1, top1_fp32=top1_fp32, label=label)
        self._items.append(item)

    def result(self) -> Accuracy:
        """Return the figures over everything added so far; zeros and a worded verdict for no samples."""
        failures = [_worded(text, names) for text, names in self._failures.items()]
        failures += [text for leaf in self._leaves.values() for text in leaf.slices.failures()]
        cosines = [item.cosine for item in self._items]
        outputs = tuple(leaf.result() for leaf in self._leaves.values())
        fives = [five for _, _, five in self._hits if five is not None]
        agreement = _share(self._agree)
        cosine_mean = float(np.mean(cosines)) if cosines else 0.0
        kl_mean = float(np.mean(self._kl)) if self._kl else None
        return Accuracy(
            samples=len(self._items),
            cosine_mean=cosine_mean,
            cosine_min=min(cosines, default=0.0),
            sqnr_db=min((output.sqnr_db for output in outputs), default=0.0),
            kl_mean=kl_mean,
            top1_agreement=agreement,
            top1=_share([hit for hit, _, _ in self._hits]),
            top1_fp32=_share([hit for _, hit, _ in self._hits]),
            top5=_share(fives),
            outputs=outputs,
            items=tuple(self._items),
            failures=tuple(failures),
            finite=self._finite,
            notes=tuple(_worded(text, names) for text, names in self._notes.items()),
            verdict=_verdict(len(self._items), cosine_mean, agreement, kl_mean, failures),
        )

    def _compare(self, name: str, leaf: str, reference: np.ndarray, candidate: np.ndarray) -> float:
        meter = self._leaves.setdefault(leaf, _Leaf(leaf))
        if reference.shape != candidate.shape:
            self._fail(f"output '{leaf}' has shape {candidate.shape} where FP32 gives {reference.shape}", name)
            meter.cosines.append(0.0)
            return 0.0
        ours, theirs = numbers(reference), numbers(candidate)
        # The same infinity or NaN on both sides (a mask, say) is agreement, and takes no part in sums.
        odd = ~(np.isfinite(ours) & np.isfinite(theirs))
        if odd.any():
            same = (ours == theirs) | (np.isnan(ours) & np.isnan(theirs))
            if not np.isfinite(ours).all():
                self._note(f"output '{leaf}' is NaN or infinite in FP32 itself", name)
            spoiled = bool((odd & ~same & np.isfinite(ours)).any())
            lost = bool((odd & ~same & ~np.isfinite(ours)).any())
            ours, theirs = np.where(odd, 0.0, ours), np.where(odd, 0.0, theirs)
            meter.add(ours, theirs)
            if spoiled or lost:
                self._finite = self._finite and not spoiled
                text = "is NaN or infinite where FP32 is not" if spoiled else "differs where FP32 is not finite"
                self._fail(f"output '{leaf}' {text}", name)
                meter.cosines[-1] = 0.0
        else:
            meter.add(ours, theirs)
        return meter.cosines[-1]

    def _classes(
        self, reference: Leaves, theirs: dict[str, np.ndarray], label: int | None
    ) -> tuple[int | None, int | None]:
        """Judge the first leaf of class scores; return the class each side says for the first row."""
        leaf = next((leaf for leaf, array in reference if is_scores(array)), None)
        if leaf is None:
            return None, None
        raw = dict(reference)[leaf]
        ours = numbers(raw)
        said = int(ours[0].argmax()) if np.isfinite(ours).all() else None
        if leaf not in theirs or theirs[leaf].shape != raw.shape or said is None:
            return None, said
        scores = numbers(theirs[leaf])
        if not np.isfinite(scores).all():
            # No class can be read from NaN: a disagreement and a miss, so that the shares stay honest.
            self._agree += [False] * len(ours)
            if label is not None:
                self._hits.append((False, said == label, False if ours.shape[1] > 5 else None))
            return None, said
        self._agree += [bool(same) for same in ours.argmax(1) == scores.argmax(1)]
        self._kl.append(kl_divergence(ours, scores))
        answer = int(scores[0].argmax())
        if label is not None:
            five = label in np.argsort(-scores[0], kind="stable")[:5] if scores.shape[1] > 5 else None
            self._hits.append((answer == label, said == label, five))
        return answer, said

    def _fail(self, text: str, name: str) -> None:
        self._failures.setdefault(text, []).append(name)

    def _note(self, text: str, name: str) -> None:
        self._notes.setdefault(text, []).append(name)


def _share(hits: Sequence[bool]) -> float | None:
    return float(np.mean(hits)) if hits else None


def _worded(text: str, names: list[str]) -> str:
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    return f"{text} (sample '{names[0]}'{more})"


def _verdict(
    samples: int, cosine_mean: float, agreement: float | None, kl_mean: float | None, failures: list[str]
) -> str:
    if samples == 0:
        return "nothing was compared"
    if failures:
        return "unusable: " + "; ".join(failures)
    seen = f"mean cosine {cosine_mean:.4f}"
    if agreement is not None:
        seen += f", same top-1 class in {agreement:.1%}"
    if kl_mean is not None:
        words = "barely moved" if kl_mean <= KL_CLOSE else "moved a little" if kl_mean <= KL_FAR else "moved"
        seen += f", class probabilities {words}: KL {kl_mean:.2g}"
    if cosine_mean >= 0.999 and (agreement is None or agreement >= 0.99):
        return f"practically the same as FP32 ({seen})"
    if cosine_mean >= 0.97 and (agreement is None or agreement >= 0.95):
        return f"close to FP32 ({seen})"
    if cosine_mean >= 0.9:
        return f"visibly different from FP32 ({seen})"
    return f"far from FP32 ({seen})"


__all__ = ["SQNR_CAP", "Accuracy", "AccuracyMeter", "ItemAccuracy", "OutputAccuracy", "flatten_outputs"]
