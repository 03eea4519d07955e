"""Writes a report: one page for the people that a result is for, with all that is needed to believe and repeat it.

A self-contained HTML file that reads well on a screen and on paper (A4). The template and its style are in
``resources/report``; what stands in the tables is made in :mod:`workbench.export.report_facts`.
"""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import jinja2
import numpy as np
from markupsafe import Markup

from workbench import __version__, paths
from workbench.core.config import Config
from workbench.core.figures import decimals, factor, finite, local_time, milliseconds, share
from workbench.core.latency import Samples, join
from workbench.core.significance import Process, Ratio, ratio
from workbench.core.trial import Trial
from workbench.errors import UserError
from workbench.export import report_facts as facts
from workbench.export.report_words import Words
from workbench.study.ladder import Ladder, Step, ladders
from workbench.study.store import Store, bursts_of


def write(
    store: Store, out: Path, *, trial: int | None = None, baseline: int | None = None, language: str = "en"
) -> Trial:
    """Write the report on a trial of *store* to *out*.

    Args:
        out: is there afterwards whole, or as it was before.
        trial: its number; None takes the best one (see :func:`workbench.export.report_facts.chosen`).
        baseline: what it is held against; None takes plain FP32, where it was measured.

    Returns:
        The trial that the report is about.

    Raises:
        UserError: there is nothing to report on, no such trial or language, or *out* cannot be written.
    """
    words = Words(language)
    trials = store.trials()
    stars = [number for number, mark in store.marks().items() if mark.star]
    shown = facts.chosen(trials, stars) if trial is None else _measured(store.trial(trial))
    before = facts.plain(trials, shown) if baseline in (None, shown.id) else _measured(store.trial(baseline))
    page = _page(store, trials, shown, before if before is not None and before.id != shown.id else None, words)
    _put(out, page)
    return shown


def _measured(trial: Trial) -> Trial:
    if trial.latency is None:
        raise UserError(
            f"Trial {trial.id} was never timed.", trial.reason or f"It is {trial.status}.", "Choose another --trial."
        )
    return trial


def _put(out: Path, page: str) -> None:
    """Write the whole file or none."""
    try:
        paths.write_whole(out, page.encode("utf-8"))
    except OSError as error:
        raise UserError(
            f"The report could not be written to {out}.", f"{error.strerror or error}.", "Choose another --out."
        ) from error


# -- the page ---------------------------------------------------------------------------------------


def _page(store: Store, trials: list[Trial], trial: Trial, before: Trial | None, words: Words) -> str:
    from workbench.export import report_font

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(paths.bundled("resources") / "report"), undefined=jinja2.StrictUndefined,
        trim_blocks=True, lstrip_blocks=True, autoescape=True,
    )  # fmt: skip
    environment.globals |= {
        "tr": words.tr, "said": words.said, "milliseconds": milliseconds, "decimals": decimals, "share": share,
        "factor": factor, "facts": facts, "words": words,
    }  # fmt: skip
    bursts = {one.id: _bursts(store, one) for one in (before, trial) if one is not None}
    page = environment.get_template("report.html.jinja").render(
        trial=trial,
        before=before,
        sides=[one for one in (before, trial) if one is not None],
        gain=_gain(bursts[before.id], bursts[trial.id]) if before is not None else None,
        figures=_figures(store, trials, trial, before, bursts, words),
        commands=facts.commands(trial, store.place),
        config=Config.from_dict(trial.config).to_toml(),
        place=store.place,
        made_with=f"inference-workbench {__version__}",
        measured=local_time(trial.created, full=True),
        family=report_font.FAMILY,
    )
    return page.replace("/* letters */", report_font.face(page))


def _bursts(store: Store, trial: Trial) -> Process:
    return [burst for burst in bursts_of(store.samples(trial.id or 0)) if burst.size]


def _gain(before: Process, after: Process) -> Ratio | None:
    """Return how many times as long the baseline takes, None where samples are missing."""
    try:
        return ratio([before], [after])
    except ValueError:
        return None


def _figures(
    store: Store, trials: list[Trial], trial: Trial, before: Trial | None, bursts: dict[int | None, Process],
    words: Words,
) -> dict[str, Any]:  # fmt: skip
    """Return the figures that can be drawn, as addresses of pictures that lie in the page itself."""
    from workbench.export import report_figures as drawn

    tr = words.tr
    found: dict[str, Any] = {}
    samples: dict[int | None, Samples] = {number: join(parts) for number, parts in bursts.items()}
    sides = [
        drawn.Side(title, samples[one.id], colour)
        for one, title, colour in ((before, tr("before"), drawn.BEFORE), (trial, tr("now"), drawn.AFTER))
        if one is not None and samples[one.id].size and np.all(samples[one.id] > 0)
    ]
    deadline = finite(trial.latency.deadline_ms) if trial.latency else None
    if sides:
        found["histogram"] = _inlined(
            drawn.histogram(
                sides,
                tr("latency of a run, ms"),
                tr("{0} slower runs lie beyond →"),
                (deadline, tr("deadline {0} ms").format(milliseconds(deadline))) if deadline else None,
            )
        )
    ladder = _ladder(store, trials, trial)
    if ladder is not None:
        rungs = [_rung(step, trial, words, drawn) for step in ladder.steps]
        found["waterfall"] = _inlined(
            drawn.waterfall(rungs, tr("median latency, ms (logarithmic)"), (tr("median, ms"), tr("speed")))
        )
        found["notes"] = [f"{words.said(step.name)}: {words.said(step.reason)}" for step in ladder.steps if step.reason]
        found["drift"] = ladder.drift
    return found


def _ladder(store: Store, trials: list[Trial], trial: Trial) -> Ladder | None:
    """Return the newest ladder of the model that more than one step could be measured of."""
    for ladder in reversed(ladders(store, trials)):
        measured = [step.trial for step in ladder.steps if step.trial and step.trial.latency]
        if len(measured) > 1 and measured[0].model.sha256 == trial.model.sha256:
            return ladder
    return None


def _rung(step: Step, trial: Trial, words: Words, drawn: Any) -> Any:
    verdicts = {"failed": words.tr("failed"), "skipped": words.tr("skipped")}
    good = step.trial if step.speedup_vs_first is not None else None
    return drawn.Rung(
        words.said(step.name),
        good.latency.p50_ms if good is not None and good.latency else None,
        verdicts.get(step.verdict, ""),
        slower=step.verdict == "slower",
        chosen=step.trial is not None and step.trial.id == trial.id,
    )


def _inlined(svg: str) -> Markup:
    return Markup("data:image/svg+xml;base64,") + base64.b64encode(svg.encode("utf-8")).decode("ascii")
