"""Verbs that measure several configs against each other. Part of the command line (:mod:`workbench.cli`)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from workbench import options
from workbench.errors import UserError
from workbench.options import Wanted
from workbench.printing import console, print_json


@click.command()
@options.about_measuring
@click.option(
    "--config",
    "-c",
    "configs",
    type=options.FILE,
    multiple=True,
    metavar="FILE",
    help="One side's knobs; give it twice.",
)
@click.option("--a", multiple=True, metavar="KEY=VALUE", help="Turn a knob on side A only.")
@click.option("--b", multiple=True, metavar="KEY=VALUE", help="Turn a knob on side B only.")
@click.option("--aa", is_flag=True, help="The same on both sides: does this machine show differences that are none?")
@click.option("--trials", type=int, nargs=2, metavar="A B", help="Compare two stored trials instead.")
@click.option("--runs", type=click.IntRange(min=1), default=100, help="Kept runs.")
@click.option("--quick", is_flag=True, help="Two processes per side: shows large effects only.")
@click.option("--processes", type=click.IntRange(2, 100), metavar="N", help="Fresh processes per side.")
@options.as_json
def compare(
    wanted: Wanted,
    configs: tuple[Path, ...],
    a: tuple[str, ...],
    b: tuple[str, ...],
    aa: bool,
    trials: tuple[int, int] | None,
    runs: int,
    quick: bool,
    processes: int | None,
    as_json: bool,
) -> int:
    """Compare two configs: a ratio, its interval, a verdict.

    Both sides run in several fresh processes each, interleaved.
    """
    from workbench.progress import shown_progress
    from workbench.study import compare as comparing
    from workbench.worker.warm import WarmPool

    if trials is not None and wanted.study is None:
        raise UserError("--trials needs --study.", "Trials are numbered within a study.", "Add --study FILE.")
    subject = wanted.subject()
    store = wanted.store(subject, create=trials is None)
    if trials is not None:
        found: Any = comparing.stored(store, trials)
    else:
        if aa and (len(configs) > 1 or a or b):
            raise UserError("--aa compares one config with itself.", "Two sides were given.", "Leave --a and --b out.")
        if not aa and (len(configs) not in (0, 2) or not (configs or a or b)):
            raise UserError(
                "A comparison needs two sides.",
                f"{len(configs)} config files were given." if configs else "",
                "Give --config twice, or turn knobs with --a KEY=VALUE and --b KEY=VALUE.",
            )
        files = configs * 2 if aa and configs else configs or (None, None)
        sides = [wanted.config(subject, file, own) for file, own in zip(files, (a, b), strict=True)]
        count = processes or (comparing.QUICK_PROCESSES if quick else comparing.PROCESSES)
        with shown_progress() as listener, WarmPool() as pool:
            found = comparing.compare(
                wanted.runner(store, pool),
                store,
                subject,
                *sides,
                processes=count,
                runs=runs,
                listener=listener,
                on_process=lambda number, total, side: listener.title(f"process {number} of {total}, {side}"),
            )
    if as_json:
        print_json(found)
    elif isinstance(found, comparing.Comparison):
        from workbench.tables import compare as shown

        console().print(shown.show(found, store.place))
    else:
        from workbench.tables import trial as failed

        console().print(failed.show(found, store.place))
    return 0 if isinstance(found, comparing.Comparison) and not (aa and found.verdict != "same") else 1


@click.command()
@options.about_measuring
@options.config_file
@click.option("--runs", type=click.IntRange(min=1), default=100, help="Kept runs.")
@click.option(
    "--seconds",
    type=click.FloatRange(min=0.1),
    default=3.0,
    metavar="S",
    help="Most time for the kept runs of one step.",
)
@options.as_json
def ladder(wanted: Wanted, config: Path | None, runs: int, seconds: float, as_json: bool) -> int:
    """Climb from the naive way to INT8, one knob at a time.

    Shows what every step bought, in speed and in accuracy.
    """
    from workbench.progress import shown_progress
    from workbench.study import ladder as ladders
    from workbench.tables import ladder as shown
    from workbench.worker.warm import WarmPool

    subject = wanted.subject()
    knobs = wanted.config(subject, config)
    store = wanted.store(subject)
    climbed: list[ladders.Step] = []

    def show(found: ladders.Ladder, *, finished: bool = True) -> None:
        if as_json:
            told = {"steps": found.steps, "drift": found.drift, "finished": finished}
            print_json({**told, "model": subject.model.name, "study": store.place})
        else:
            screen = console()
            screen.print(shown.show(subject.model.name, found, store.place, screen.width, finished=finished))

    try:
        with shown_progress() as listener, WarmPool() as pool:

            def done(step: ladders.Step) -> None:
                climbed.append(step)
                listener.say(shown.step_line(step))

            found = ladders.climb(
                wanted.runner(store, pool), store, subject, knobs,
                runs=runs, seconds=seconds, listener=listener,
                on_step=lambda number, rung: listener.title(f"step {number + 1}: {rung.name}"),
                on_done=done,
                on_again=lambda: listener.title("the first step again"),
            )  # fmt: skip
    except KeyboardInterrupt:
        if climbed:
            show(ladders.ladders(store)[-1], finished=False)
        raise
    show(found)
    return 0 if any(step.verdict not in ("failed", "skipped") for step in found.steps) else 1


@click.command()
@options.about_measuring
@click.argument("knob", metavar="KNOB[=V1,V2,...]")
@options.config_file
@click.option("--runs", type=click.IntRange(min=1), default=300, help="Kept runs per process; P99 takes 100.")
@click.option(
    "--seconds", type=click.FloatRange(min=0.1), default=10.0, metavar="S", help="Most time for the runs of a process."
)
@click.option("--processes", type=click.IntRange(1, 100), default=3, metavar="N", help="Fresh processes per value.")
@options.as_json
def sweep(
    wanted: Wanted, knob: str, config: Path | None, runs: int, seconds: float, processes: int, as_json: bool
) -> int:
    """Measure one knob's values against the knobs as they are.

    Compares medians and tails apart, in rounds of fresh processes, and recommends a value for each. Values may be
    left out where some are always worth trying: `runtime.threads`, `run.batch`, all lists and switches. CPU lists
    go with slashes in between: `runtime.affinity=0,1/0-3`.
    """
    from workbench.host.machine import describe_host
    from workbench.progress import shown_progress
    from workbench.study.sweep import Sweep
    from workbench.study.sweep import sweep as measure_all
    from workbench.study.sweep_values import parted, values_of
    from workbench.tables import sweep as shown
    from workbench.worker.warm import WarmPool

    subject = wanted.subject()
    knobs = wanted.config(subject, config)
    key, text = parted(knob)
    values = values_of(key, text, knobs, describe_host(with_engines=False))
    store = wanted.store(subject)
    grown: list[Sweep] = []

    def show(found: Sweep) -> None:
        if as_json:
            print_json(found)
        else:
            console().print(shown.show(subject.model.name, found, store.place))

    try:
        with shown_progress() as listener, WarmPool() as pool:
            found = measure_all(
                wanted.runner(store, pool), store, subject, knobs, key, values,
                processes=processes, runs=runs, seconds=seconds, listener=listener,
                on_process=lambda number, total, value: listener.title(
                    f"process {number} of {total}, {shown.spelled(value)}"
                ),
                on_change=grown.append,
            )  # fmt: skip
    except KeyboardInterrupt:
        if grown:
            show(grown[-1])
        raise
    show(found)
    return 0 if found.for_median.verdict != "unknown" else 1
