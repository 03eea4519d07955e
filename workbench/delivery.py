"""Verbs that carry a result to others. Part of the command line (:mod:`workbench.cli`), in a file of their own."""

from __future__ import annotations

from pathlib import Path

import click

from workbench import options
from workbench.printing import console, print_json


@click.command()
@click.option("--study", "place", required=True, metavar="STUDY", help="A study: file, URL, or the MODEL it is of.")
@click.option("--trial", "number", type=int, required=True, metavar="N", help="Which of its trials.")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Folder to make, or a .zip.")
@click.option("--env", default="default", metavar="NAME", help="Engine environment to measure and verify in.")
@options.as_json
def export(place: str, number: int, out: Path, env: str, as_json: bool) -> int:
    """Make a bundle of a trial: a folder that runs by itself on the target, verified before it gets its name."""
    from workbench.core.config import Config
    from workbench.export.bundle import export as write
    from workbench.host.environments import find
    from workbench.progress import shown_progress
    from workbench.study.runner import Runner
    from workbench.study.store import Store, find_place
    from workbench.study.subject import subject_of
    from workbench.tables import verification as shown
    from workbench.worker.warm import WarmPool

    trial = Store(find_place(place), create=False).trial(number)
    with shown_progress() as listener, WarmPool() as pool:
        again, found = write(
            Runner(environment=find(env), pool=pool),
            subject_of(trial),
            Config.from_dict(trial.config),
            out,
            number=number,
            deadline_ms=trial.latency.deadline_ms if trial.latency else None,
            listener=listener,
        )
    if as_json:
        print_json({"out": str(out), "trial": again, "verification": found})
    elif found is None:
        console().print(f"Nothing was exported: the trial is {again.status}: {again.reason}")
    else:
        console().print(shown.show(found, f"Export OK: {out}" if found.ok else "Nothing was exported."))
    return 0 if found and found.ok else 1


@click.command()
@click.argument("place", metavar="DIR", type=click.Path(exists=True, path_type=Path))
@click.option("--env", default="default", metavar="NAME", help="Engine environment to run it in.")
@options.as_json
def verify(place: Path, env: str, as_json: bool) -> int:
    """Run a bundle from its own files: hashes, versions, CPU, outputs, kernels, latency."""
    from workbench.export.verify import verify as look
    from workbench.host.environments import find
    from workbench.progress import shown_progress
    from workbench.tables import verification as shown

    with shown_progress() as listener:
        found = look(place, python=find(env).python, progress=listener.progress)
    if as_json:
        print_json(found)
    else:
        console().print(shown.show(found, "Everything is as it was exported." if found.ok else "Do not use it."))
    return 0 if found.ok else 1


@click.command()
@click.argument("out", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--bundle", type=click.Path(exists=True, path_type=Path), metavar="BUNDLE", help="Also what this needs.")
@click.option("--only-bundle", is_flag=True, help="Leave the workbench itself out.")
@click.option("--extra", "extras", multiple=True, metavar="NAME", help="Of the workbench, like samples or iomp.")
@options.as_json
def wheelhouse(out: Path, bundle: Path | None, only_bundle: bool, extras: tuple[str, ...], as_json: bool) -> int:
    """Collect everything a machine without network needs to install this, into the folder (or .zip) DIR.

    For this Python and platform. There: python install.py VENV
    """
    from workbench.export.wheelhouse import collect
    from workbench.progress import shown_progress
    from workbench.tables import wheelhouse as shown

    with shown_progress() as listener:
        found = collect(
            out,
            bundle=bundle,
            only_bundle=only_bundle,
            extras=extras,
            progress=lambda line: listener.progress(line[:100], 0, 0),
        )
    if as_json:
        print_json(found)
    else:
        console().print(shown.show(found))
    return 0


@click.command()
@click.option("--study", "place", required=True, metavar="STUDY", help="A study: file, URL, or the MODEL it is of.")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), required=True, help="HTML file to make.")
@click.option("--trial", "number", type=int, metavar="N", help="What it is about; by default the best trial.")
@click.option("--baseline", type=int, metavar="N", help="What it is held against; by default plain FP32.")
@click.option("--language", type=click.Choice(["en", "zh_CN"]), default="en", help="What it is written in.")
@options.as_json
def report(place: str, out: Path, number: int | None, baseline: int | None, language: str, as_json: bool) -> int:
    """Write one self-contained page about a trial: for the customer, and for paper.

    The best trial is the newest with a star, else the fastest whose outputs are close to FP32.
    """
    from workbench.export.report import write
    from workbench.study.store import Store, find_place

    store = Store(find_place(place), create=False)
    trial = write(store, out, trial=number, baseline=baseline, language=language)
    if as_json:
        print_json({"out": str(out), "trial": trial.id})
    else:
        console().print(f"Report on trial {trial.id}: {out}", markup=False)
    return 0


@click.command("import")
@click.argument("place", metavar="BUNDLE", type=click.Path(exists=True, path_type=Path))
@click.option("--env", default="default", metavar="NAME", help="Engine environment to run it in.")
@options.as_json
def import_bundle(place: Path, env: str, as_json: bool) -> int:
    """Run a BUNDLE of another machine here, and tell what is otherwise: CPU, ranges, versions, latency, outputs.

    It is a folder, a .zip, or the config.toml in the folder. Nothing is changed or copied.
    """
    from workbench.export.arrival import arrive, opened
    from workbench.host.environments import find
    from workbench.progress import shown_progress

    with opened(place) as folder, shown_progress() as listener:
        found = arrive(folder, python=find(env).python, progress=listener.progress)
    if as_json:
        print_json(found)
    else:
        from workbench.tables import arrival as shown

        console().print(shown.show(found))
    return 0 if found.ok else 1
