"""A against B, honestly: several fresh processes per side, interleaved, and an interval over them.

Where memory lands differs from process to process, by more than what many knobs change; so the process is
the unit, and the order (A B, B A, A B, …) keeps a machine that slowly warms up from favouring one side.
Used by ``compare`` and by the window.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np

from workbench.core.config import Config
from workbench.core.knobs import KNOBS
from workbench.core.significance import Ratio, ratio
from workbench.core.trial import Trial
from workbench.errors import UserError
from workbench.study.runner import Listener, Runner, Subject
from workbench.study.store import Store, bursts_of

PROCESSES = 5
QUICK_PROCESSES = 2
_KIND = "comparison"

FALSE_ALARM = (
    "A/A shows a difference where there is none: this machine is too restless for comparisons now. See the warnings, "
    "and `workbench host` for what makes it steadier."
)
"""What to say where a config differs from itself."""


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """What the comparison found.

    Attributes:
        a, b: the first trial of each side, with its accuracy.
        ratio: p50(A) / p50(B), geometric mean over processes; below 1 means that A is faster.
        ci95: its 95 % interval.
        verdict: ``a``, ``b`` or ``same``.
        text: the verdict in words.
        processes: per side.
        p50_a_ms, p50_b_ms: median over all kept runs of all processes of a side.
        trials_a, trials_b: numbers of all trials.
        differs: knob → its value on either side; None where a side does not have it.
        itself: where several processes of one config were measured against each other (A/A), how much this machine
            differs from itself, in words; empty otherwise.
    """

    a: Trial
    b: Trial
    ratio: float
    ci95: tuple[float, float]
    verdict: str
    text: str
    processes: int
    p50_a_ms: float
    p50_b_ms: float
    trials_a: list[int]
    trials_b: list[int]
    differs: dict[str, tuple[Any, Any]]
    itself: str = ""


def compare(
    runner: Runner,
    store: Store,
    subject: Subject,
    a: Config,
    b: Config,
    *,
    processes: int = PROCESSES,
    runs: int = 100,
    seconds: float = 2.0,
    accuracy: bool = True,
    listener: Listener | None = None,
    on_process: Callable[[int, int, str], None] = lambda *_: None,
) -> Comparison | Trial:
    """Measure both sides and compare them; after each process the study knows which trials belong together.

    Args:
        processes: fresh processes per side, at least 2.
        runs, seconds: kept runs per process, and the most time they may take.
        accuracy: compare the first process of a side with FP32.
        on_process: gets number, total and side (``A`` or ``B``) before each process.

    Returns:
        The comparison; or the first trial that is not ok, which ends it.

    Raises:
        UserError: the user must change something.
    """
    sides: dict[str, tuple[Config, list[Trial], list[list[np.ndarray]]]] = {"A": (a, [], []), "B": (b, [], [])}
    kept: int | None = None
    order = "".join("AB" if number % 2 == 0 else "BA" for number in range(processes))
    for number, side in enumerate(order):
        config, trials, samples = sides[side]
        on_process(number + 1, len(order), side)
        trial = runner.measure(
            subject, config, runs=runs, seconds=seconds, accuracy=accuracy and not trials, listener=listener
        )
        if trial.status != "ok" or trial.id is None:
            return trial
        trials.append(trial)
        samples.append(bursts_of(store.samples(trial.id)))
        kept = store.put_series(_KIND, {name: [one.id for one in sides[name][1]] for name in "AB"}, kept)
    return judge(*(sides[side][1:] for side in "AB"))


def judge(a: tuple[list[Trial], list[list[np.ndarray]]], b: tuple[list[Trial], list[list[np.ndarray]]]) -> Comparison:
    """Compare trials that were measured already: per side the trials, and each one's bursts (ns)."""
    found = ratio(a[1], b[1])
    first, other = a[0][0], b[0][0]
    differs = differences(Config.from_dict(first.config), Config.from_dict(other.config))
    alike = not differs and first.model.sha256 == other.model.sha256 and processor_of(first) == processor_of(other)
    return Comparison(
        a=first,
        b=other,
        ratio=found.ratio,
        ci95=found.ci95,
        verdict=found.verdict,
        text=found.text,
        processes=found.processes,
        p50_a_ms=_median_ms(a[1]),
        p50_b_ms=_median_ms(b[1]),
        trials_a=[trial.id or 0 for trial in a[0]],
        trials_b=[trial.id or 0 for trial in b[0]],
        differs=differs,
        itself=_itself_in_words(found) if alike and found.processes > 1 else "",
    )


def _itself_in_words(found: Ratio) -> str:
    most = 100.0 * (max(found.hi, 1.0 / found.lo) - 1.0)
    if found.verdict != "same":
        return f"This machine differs from itself by up to {most:.3g} % (95 % interval)."
    return f"This machine differs from itself by at most {most:.3g} % (95 % interval): no difference, as it should be."


def side_by_side(store: Store) -> list[tuple[list[int], list[int]]]:
    """Return the trials on either side of each comparison that was measured side by side, oldest first."""
    return [(record["A"], record["B"]) for record in store.series(_KIND)]


def stored(store: Store, numbers: tuple[int, int]) -> Comparison:
    """Compare two trials of a study as they were measured: one process each, so only large effects show.

    Raises:
        UserError: there is no such trial, or it has no samples.
    """
    sides = []
    for number in numbers:
        trial = store.trial(number)
        bursts = bursts_of(store.samples(number))
        if not bursts:
            raise UserError(f"Trial {number} has no samples to compare.", trial.reason, "Choose another trial.")
        sides.append(([trial], [bursts]))
    return judge(*sides)


def differences(a: Config, b: Config) -> dict[str, tuple[Any, Any]]:
    """Return the knobs, layers, fixes and keys of ``[preprocess]`` that differ, with both values.

    A knob that only one side has, and that stands at its default there, tells nothing and is left out.
    """
    one, other = a.resolved(), b.resolved()
    result: dict[str, tuple[Any, Any]] = {}
    for knob in KNOBS:
        left, right = one.get(knob.key), other.get(knob.key)
        only = (a, left) if right is None else (b, right) if left is None else None
        if left != right and (only is None or only[1] != knob.default_for(only[0].engine)):
            result[knob.key] = (left, right)
    for name in sorted({*a.layers, *b.layers}):
        if a.layers.get(name) != b.layers.get(name):
            result[f'layers."{name}"'] = (a.layers.get(name), b.layers.get(name))
    for name in sorted({*a.fixes, *b.fixes}):
        if a.fixes.get(name) != b.fixes.get(name):
            result[f'fixes."{name}"'] = (a.fixes.get(name), b.fixes.get(name))
    for name in sorted({*a.preprocess, *b.preprocess}):
        if a.preprocess.get(name) != b.preprocess.get(name):
            result[f"preprocess.{name}"] = (a.preprocess.get(name), b.preprocess.get(name))
    return result


def processor_of(trial: Trial) -> Any:
    """Return the name of the processor that a trial was measured on, None where it is not known."""
    cpu = trial.host.get("cpu")
    return cpu.get("model") if isinstance(cpu, dict) else None


def _median_ms(processes: list[list[np.ndarray]]) -> float:
    return float(np.median(np.concatenate([burst for bursts in processes for burst in bursts]))) / 1e6
