"""The command line: verbs, options, exit codes. Tables are drawn in :mod:`workbench.tables`.

Exit codes: 0 done; 1 the job ran and the answer is no; 2 the user must change something; 3 our fault;
130 interrupted. Nothing heavy is imported before a verb needs it: ``workbench host`` answers at once.
"""

from __future__ import annotations

import os
import sys
import traceback
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import click
import msgspec
import typer

from workbench import __version__, paths
from workbench.errors import UserError, nearest

app = typer.Typer(
    add_completion=True,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Shows, measures and proves what each inference optimisation really does on this x86 CPU.",
)

Model = Annotated[str, typer.Argument(help="FILE.pt|.pth|.pt2, FILE.py:callable, or sample:NAME.", metavar="MODEL")]
Weights = Annotated[str | None, typer.Option(help="State dict for a callable.", metavar="FILE")]
Input = Annotated[
    list[str] | None,
    typer.Option("--input", help="What the model is fed, like 1x3x224x224.", metavar="[NAME=]SHAPE[:DTYPE]"),
]
Trust = Annotated[bool, typer.Option("--trust-pickle", help="This file may run code while it is loaded.")]
ConfigFile = Annotated[Path | None, typer.Option("--config", "-c", help="Knobs in a TOML file.", metavar="FILE")]
Set = Annotated[list[str] | None, typer.Option("--set", help="Turn one knob; wins over the file.", metavar="KEY=VALUE")]
DataFolder = Annotated[Path | None, typer.Option("--data", help="Pictures, or .npy/.npz.", metavar="DIR")]
Calib = Annotated[
    Path | None, typer.Option("--calib", help="Calibrate on this instead of a part of --data.", metavar="DIR")
]
Labels = Annotated[Path | None, typer.Option(help="CSV of name,class.", metavar="FILE")]
Study = Annotated[str | None, typer.Option(help="Where trials are kept: a file or an SQLAlchemy URL.", metavar="URL")]
Runs = Annotated[int, typer.Option(min=1, help="Kept runs.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


def main() -> None:
    """Entry point: run a verb and turn whatever happens into an exit code and a message."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run the command line and return its exit code."""
    try:
        result = app(args=arguments, standalone_mode=False)
        sys.stdout.flush()
    except UserError as error:
        _complain(str(error))
        return 2
    except click.UsageError as error:
        _complain(_usage(error))
        return 2
    except click.exceptions.Exit as error:
        return error.exit_code
    except (click.exceptions.Abort, KeyboardInterrupt):
        _complain("Interrupted. What was measured is kept.")
        return 130
    except BrokenPipeError:
        # The reader (head, less) has gone: point stdout at nothing, or Python complains at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        _complain(f"This is a bug of the workbench: {type(error).__name__}: {error}\nDetails: {_write_log(error)}")
        return 3
    return result if isinstance(result, int) else 0


def _complain(text: str) -> None:
    print(text, file=sys.stderr)


def _usage(error: click.UsageError) -> str:
    text = error.format_message()
    if isinstance(error, click.NoSuchOption):
        return text
    if text.startswith("No such command"):
        name = text.split("'")[1] if "'" in text else ""
        return f"{text} {nearest(name, [command.name or '' for command in click_commands()])}"
    verb = error.ctx.command_path if error.ctx else "workbench"
    return f"{text}\n`{verb} --help` shows what is possible."


def click_commands() -> list[click.Command]:
    """Return the verbs."""
    group: Any = typer.main.get_command(app)
    return list(group.commands.values())


def _write_log(error: BaseException) -> str:
    """Keep the traceback where the user can send it from; return the place."""
    text = "".join(traceback.format_exception(error))
    try:
        folder = paths.user_cache() / "logs"
        folder.mkdir(parents=True, exist_ok=True)
        place = folder / f"{datetime.now():%Y%m%d-%H%M%S}.log"
        place.write_text(f"workbench {__version__}\n{' '.join(sys.argv)}\n\n{text}", encoding="utf-8")
    except OSError:
        return text
    return str(place)


def _print_json(record: Any) -> None:
    sys.stdout.write(msgspec.json.format(msgspec.json.encode(record), indent=2).decode() + "\n")


def _console() -> Any:
    from rich.console import Console

    console = Console()
    # A pipe has no width of its own; 80 columns would fold every table in a log file.
    return console if console.is_terminal else Console(width=110)


# -- verbs ------------------------------------------------------------------------------------------


@app.command()
def host(
    refresh: Annotated[bool, typer.Option("--refresh", help="Try the engines again.")] = False,
    as_json: Json = False,
) -> int:
    """Show this machine: CPU, instruction sets, limits, and which engines work here."""
    from workbench.host.machine import describe_host

    info = describe_host(refresh=refresh)
    if as_json:
        _print_json(info)
    else:
        from workbench.tables import host as shown

        _console().print(shown.show(info))
    return 0


@app.command()
def inspect(
    model: Model,
    weights: Weights = None,
    inputs: Input = None,
    trust_pickle: Trust = False,
    as_json: Json = False,
) -> int:
    """Describe a model: inputs, outputs, size, layers, dynamic axes, and what will not quantize and why."""
    from workbench.core.config import Config
    from workbench.progress import shown_progress
    from workbench.study.runner import Runner
    from workbench.study.subject import find_subject

    subject = find_subject(model, weights=weights, inputs=inputs or (), trust_pickle=trust_pickle)
    with shown_progress() as listener:
        facts = Runner().inspect(subject, Config(), listener)
    if as_json:
        _print_json(
            {
                **msgspec.to_builtins(facts),
                "model": msgspec.to_builtins(subject.model),
                "format": subject.model.format,
            }
        )
    else:
        from workbench.tables import model as shown

        _console().print(shown.show(subject.model, facts))
    return 0


@app.command()
def measure(
    model: Model,
    config: ConfigFile = None,
    settings: Set = None,
    data: DataFolder = None,
    calib: Calib = None,
    labels: Labels = None,
    weights: Weights = None,
    inputs: Input = None,
    trust_pickle: Trust = False,
    study: Study = None,
    runs: Runs = 200,
    deadline: Annotated[float | None, typer.Option(min=0.0, help="Count runs slower than this.", metavar="MS")] = None,
    as_json: Json = False,
) -> int:
    """Measure one config: one trial, stored the moment it ends."""
    from workbench.core.config import Config
    from workbench.progress import shown_progress
    from workbench.study.runner import Runner
    from workbench.study.store import Store, default_place
    from workbench.study.subject import find_subject

    knobs = Config.load(config, settings or ())
    subject = find_subject(
        model,
        weights=weights,
        inputs=inputs or (),
        trust_pickle=trust_pickle,
        data=data,
        calibration=calib,
        labels=labels,
    )
    store = Store(study or default_place(subject.model))
    with shown_progress() as listener:
        trial = Runner(store).measure(subject, knobs, runs=runs, deadline_ms=deadline, listener=listener)
    if as_json:
        _print_json(trial)
    else:
        from workbench.tables import trial as shown

        _console().print(shown.show(trial, store.place))
    return 0 if trial.status == "ok" else 1


@app.command()
def ladder(
    model: Model,
    config: ConfigFile = None,
    settings: Set = None,
    data: DataFolder = None,
    calib: Calib = None,
    labels: Labels = None,
    weights: Weights = None,
    inputs: Input = None,
    trust_pickle: Trust = False,
    study: Study = None,
    runs: Runs = 100,
    seconds: Annotated[float, typer.Option(min=0.1, help="Most time for the kept runs of one step.")] = 3.0,
    as_json: Json = False,
) -> int:
    """Climb from the naive way to INT8, one knob at a time: what did every step buy?"""
    from workbench.core.config import Config
    from workbench.progress import shown_progress
    from workbench.study import ladder as ladders
    from workbench.study.runner import Runner
    from workbench.study.store import Store, default_place
    from workbench.study.subject import find_subject
    from workbench.tables import ladder as shown

    knobs = Config.load(config, settings or ())
    subject = find_subject(
        model,
        weights=weights,
        inputs=inputs or (),
        trust_pickle=trust_pickle,
        data=data,
        calibration=calib,
        labels=labels,
    )
    store = Store(study or default_place(subject.model))
    with shown_progress() as listener:
        steps = ladders.climb(
            Runner(store), store, subject, knobs, runs=runs, seconds=seconds, listener=listener,
            on_step=lambda number, rung: listener.title(f"step {number + 1}: {rung.name}"),
            on_done=lambda step: listener.say(shown.step_line(step)),
        )  # fmt: skip
    if as_json:
        _print_json({"steps": steps, "model": subject.model.name, "study": store.place})
    else:
        console = _console()
        console.print(shown.show(subject.model.name, steps, store.place, console.width))
    return 0 if any(step.verdict not in ("failed", "skipped") for step in steps) else 1


@app.command()
def study(
    study: Annotated[str, typer.Argument(help="A study's file or URL, or a MODEL whose study is meant.", metavar="S")],
    as_json: Json = False,
) -> int:
    """List the trials of a study."""
    from workbench.study.store import Store, find_place

    store = Store(find_place(study), create=False)
    trials = store.trials()
    if as_json:
        _print_json({"study": store.place, "trials": trials})
    else:
        from workbench.tables import trial as shown

        _console().print(shown.show_all(store.place, trials))
    return 0


if __name__ == "__main__":
    main()
