"""The ladder: the answer to "nine times faster on a CPU?", one knob at a time.

A fixed sequence from the naive way to INT8. Each rung changes what its name says and keeps the rest;
each is a trial of its own in a fresh process, so every step's gain can be looked up and repeated. The study
keeps which trials made up a ladder. Used by ``ladder`` and by the window.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any

import msgspec
import numpy as np

from workbench.core.config import Config
from workbench.core.knobs import BY_KEY, Value
from workbench.core.significance import ratio
from workbench.core.trial import Layer, Trial
from workbench.errors import UserError
from workbench.study.runner import Listener, Runner, Subject
from workbench.study.store import Store, bursts_of


@dataclass(frozen=True)
class Rung:
    """One step.

    Attributes:
        changes: the knobs that it turns.
        needs: kinds of layers of which there must be one, or it is pointless.
        tentative: whether it is taken back where it is not faster.
    """

    name: str
    changes: Mapping[str, Value]
    needs: frozenset[str] = frozenset()
    tentative: bool = False


ODD_CHANNELS = "odd-channels"
"""Stands beside the kinds of layers: a convolution whose channels are no multiple of 16."""


RUNGS = (
    Rung(
        "naive",
        {
            "engine": "torch", "precision": "fp32", "graph.mode": "eager", "graph.grad": True,
            "layout.channels_last": False, "runtime.onednn": False, "runtime.threads": -1,
        },
    ),
    Rung("inference mode", {"graph.grad": False}),
    Rung("oneDNN", {"runtime.onednn": True}),
    Rung("threads = cores", {"runtime.threads": 0}),
    Rung("channels last", {"layout.channels_last": True}, frozenset({"conv"})),
    Rung("padding folded", {"graph.fold_padding": True}, frozenset({"zeropad2d", "constantpad2d", "pad"})),
    Rung("channels aligned", {"layout.align_channels": 16}, frozenset({ODD_CHANNELS}), tentative=True),
    Rung("frozen graph", {"graph.mode": "frozen"}),
    Rung("optimized graph", {"graph.mode": "optimized"}),
    Rung("IPEX", {"engine": "ipex", "graph.mode": "frozen"}),
    Rung("BF16, IPEX", {"precision": "bf16"}),
    Rung("INT8 dynamic, PyTorch", {"engine": "torch", "precision": "int8-dynamic", "graph.mode": "eager",
                                   "layout.channels_last": False}, frozenset({"rnn"})),
    Rung("INT8, PyTorch", {"engine": "torch", "precision": "int8", "graph.mode": "eager",
                           "layout.channels_last": False}),
    Rung("INT8, IPEX", {"engine": "ipex", "graph.mode": "frozen", "layout.channels_last": True}),
    Rung("ONNX Runtime", {"engine": "onnxruntime", "precision": "fp32"}),
    Rung("INT8 dynamic, ONNX", {"precision": "int8-dynamic"}, frozenset({"rnn"})),
    Rung("INT8, ONNX Runtime", {"precision": "int8"}),
)  # fmt: skip


ONNX_RUNGS = (
    Rung(
        "naive",
        {
            "engine": "onnxruntime", "precision": "fp32", "runtime.graph_optimization": "disabled",
            "runtime.threads": -1,
        },
    ),
    Rung("graph optimization", {"runtime.graph_optimization": "all"}),
    Rung("threads = cores", {"runtime.threads": 0}),
    Rung("INT8 dynamic", {"precision": "int8-dynamic"}, frozenset({"rnn"})),
    Rung("INT8", {"precision": "int8"}),
)  # fmt: skip
"""For ONNX files: only one engine runs them."""


_KIND = "ladder"


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """What one rung bought.

    Attributes:
        trial: None where the rung could not be tried.
        speedup_vs_first, speedup_vs_previous: ratio of medians; None where there is nothing to compare.
        ci95: of ``speedup_vs_previous``, over the bursts of one process each.
        verdict: ``start``, ``faster``, ``slower``, ``same``, ``failed`` or ``skipped``.
        reason: why it failed or was skipped.
    """

    name: str
    config_changes: dict[str, Any]
    trial: Trial | None = None
    speedup_vs_first: float | None = None
    speedup_vs_previous: float | None = None
    ci95: tuple[float, float] | None = None
    verdict: str
    reason: str = ""


class Drift(msgspec.Struct, frozen=True, kw_only=True):
    """How the first rung fared when it was measured once more at the end.

    Attributes:
        ratio: median at the end over median at the start; above 1 the machine has become slower.
        ci95: its interval.
        drifted: whether the interval leaves no doubt that it changed.
        text: the same in words.
        trial: number of the trial at the end.
    """

    ratio: float
    ci95: tuple[float, float]
    drifted: bool
    text: str
    trial: int


class Ladder(msgspec.Struct, frozen=True, kw_only=True):
    """A ladder as the study keeps it.

    Attributes:
        created: when it was begun, ISO 8601.
        drift: None where the first rung was not measured again: it was stopped before, or is of an older version.
    """

    created: str
    steps: list[Step]
    drift: Drift | None = None


def ladders(store: Store, known: Iterable[Trial] = ()) -> list[Ladder]:
    """Return the ladders of a study, oldest first.

    Args:
        known: trials that were read already.
    """
    trials = {trial.id: trial for trial in known}

    def step(record: dict[str, Any]) -> Step:
        number = record.pop("trial")
        trial = None if number is None else trials.get(number) or store.trial(number)
        return msgspec.structs.replace(msgspec.convert({**record, "trial": None}, Step), trial=trial)

    return [
        Ladder(
            created=record["created"],
            steps=[step(each) for each in record["steps"]],
            drift=msgspec.convert(record.get("drift"), Drift | None),
        )
        for record in store.series(_KIND)
    ]


def rungs_for(subject: Subject) -> tuple[Rung, ...]:
    """Return the rungs that a model can climb."""
    return ONNX_RUNGS if subject.model.format == "onnx" else RUNGS


def climb(
    runner: Runner,
    store: Store,
    subject: Subject,
    base: Config,
    *,
    runs: int = 100,
    seconds: float = 5.0,
    rungs: Sequence[Rung] | None = None,
    again: bool = True,
    listener: Listener | None = None,
    on_step: Callable[[int, Rung], None] = lambda *_: None,
    on_done: Callable[[Step], None] = lambda _: None,
    on_again: Callable[[], None] = lambda: None,
) -> Ladder:
    """Measure every rung, and the first one once more at the end; after each the study knows the ladder so far.

    Rungs follow each other, so a machine that slows down looks like worse rungs: the first one tells.

    Args:
        base: knobs that hold for all rungs (affinity, calibration, preprocessing, …).
        runs, seconds: kept runs per rung and the most time they may take.
        rungs: some of those that the model can climb; all by default.
        again: measure the first rung again.
        on_step: gets the number and the rung before it is measured.
        on_done: gets each finished step.
        on_again: called before the first rung is measured again.

    Raises:
        UserError: the first rung shows that model or data are not usable.
    """
    turned: dict[str, Value] = {}
    first: tuple[Trial, list[np.ndarray]] | None = None
    previous: tuple[Trial, list[np.ndarray]] | None = None
    kinds: set[str] | None = None
    kept = _Kept(store)

    def done(step: Step) -> None:
        kept.put(steps=[*kept.ladder.steps, step])
        on_done(step)

    for number, rung in enumerate(rungs_for(subject) if rungs is None else rungs):
        if kinds is not None and rung.needs and not rung.needs & kinds:
            continue
        before = dict(turned)
        turned.update(rung.changes)
        on_step(number, rung)
        step = Step(name=rung.name, config_changes=dict(rung.changes), verdict="skipped")
        try:
            config = _standing_on(base, turned)
            trial = runner.measure(subject, config, runs=runs, seconds=seconds, listener=listener)
        except UserError as error:
            if first is None:
                raise
            turned = before if rung.tentative else turned
            done(msgspec.structs.replace(step, reason=f"{error.what} {error.why}".strip()))
            continue
        if kinds is None and trial.layers:
            kinds = _kinds(trial.layers)
        step = msgspec.structs.replace(step, trial=trial)
        if trial.status != "ok" or trial.latency is None or trial.id is None:
            step = msgspec.structs.replace(step, verdict="failed", reason=trial.reason)
        else:
            bursts = bursts_of(store.samples(trial.id))
            if first is None or previous is None:
                first = previous = (trial, bursts)
                step = msgspec.structs.replace(step, verdict="start", speedup_vs_first=1.0)
            else:
                step = _compared(step, trial, bursts, first, previous)
                if not rung.tentative or step.verdict == "faster":
                    previous = (trial, bursts)
        if rung.tentative and step.verdict != "faster":
            step = msgspec.structs.replace(step, reason=step.reason or "not kept for the next rungs: it is not faster")
            turned = before
        done(step)
    if again and first is not None and sum(step.speedup_vs_first is not None for step in kept.ladder.steps) > 1:
        on_again()
        config = Config.from_dict(first[0].config)
        last = runner.measure(subject, config, runs=runs, seconds=seconds, accuracy=False, listener=listener)
        kept.put(drift=_drift(first[1], last, bursts_of(store.samples(last.id or 0))))
    return kept.ladder


class _Kept:
    """A ladder that grows; the study knows it after each change."""

    def __init__(self, store: Store) -> None:
        self.ladder = Ladder(created=datetime.now(timezone.utc).isoformat(timespec="seconds"), steps=[])
        self._store = store
        self._number: int | None = None

    def put(self, **changes: Any) -> None:
        self.ladder = msgspec.structs.replace(self.ladder, **changes)
        brief = {**msgspec.structs.asdict(self.ladder), "steps": [_brief(step) for step in self.ladder.steps]}
        self._number = self._store.put_series(_KIND, brief, self._number)


def _drift(start: list[np.ndarray], last: Trial, end: list[np.ndarray]) -> Drift | None:
    """Return how far the first rung has moved; None where it no longer works."""
    if last.status != "ok" or last.id is None:
        return None
    found = ratio([end], [start])
    text = (
        f"The first rung again, at the end: {found.ratio:.2f} times its time "
        f"(95 % interval {found.lo:.2f} to {found.hi:.2f})."
    )
    drifted = found.verdict != "same"
    if drifted:
        text += " The machine has changed meanwhile: speeds of rungs far apart compare only roughly."
    return Drift(ratio=found.ratio, ci95=found.ci95, drifted=drifted, text=text, trial=last.id)


def _kinds(layers: Iterable[Layer]) -> set[str]:
    """Return the kinds and operators of layers, and whether there are odd channels."""
    kinds: set[str] = set()
    for layer in layers:
        kinds |= {layer.kind, layer.op}
        # Depthwise ones follow those around them.
        if layer.kind == "conv" and layer.facts.get("g") == 1 and layer.facts.get("oc", 0) % 16:
            kinds.add(ODD_CHANNELS)
    return kinds


def _brief(step: Step) -> dict[str, Any]:
    """Return a step as it is written down: with its trial's number instead of the record."""
    number = step.trial.id if step.trial else None
    return {**msgspec.to_builtins(msgspec.structs.replace(step, trial=None)), "trial": number}


def _standing_on(base: Config, turned: Mapping[str, Value]) -> Config:
    """Return the rung's config: *base* with all knobs turned so far that its engine and precision have.

    From the base each time: what one engine or precision has no use for, a later rung may need again.
    """
    target = Config({key: turned[key] for key in ("engine", "precision")})
    return base.changed({key: value for key, value in turned.items() if not target.applies(BY_KEY[key])})


def _compared(
    step: Step,
    trial: Trial,
    bursts: list[np.ndarray],
    first: tuple[Trial, list[np.ndarray]],
    previous: tuple[Trial, list[np.ndarray]],
) -> Step:
    assert trial.latency and first[0].latency
    against = ratio([previous[1]], [bursts])
    verdict = {"a": "slower", "b": "faster"}.get(against.verdict, "same")
    return msgspec.structs.replace(
        step,
        speedup_vs_first=first[0].latency.p50_ms / trial.latency.p50_ms,
        speedup_vs_previous=against.ratio,
        ci95=against.ci95,
        verdict=verdict,
    )
