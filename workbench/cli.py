"""The command line: verbs, options, exit codes. Tables are drawn in :mod:`workbench.tables`.

Exit codes: 0 done; 1 the job ran and the answer is no; 2 the user must change something; 3 our fault;
130 interrupted. Nothing heavy is imported before a verb needs it: ``workbench host`` answers at once.
"""

from __future__ import annotations

import os
import sys
import traceback
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from workbench import __version__
from workbench.bugs import write_log
from workbench.errors import UserError, nearest

# Newer typers carry a click of their own, so click's own class would not catch what they raise.
_UsageError: Any = typer.BadParameter.__mro__[1]

_INTERRUPTED = 130
_COMPLETING = "_WORKBENCH_COMPLETE"
_MODEL_SUFFIXES = (".py", ".pt", ".pth", ".pt2", ".onnx", ".ts", ".jit", ".torchscript", ".safetensors")

app = typer.Typer(
    add_completion=True,
    invoke_without_command=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
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
Env = Annotated[str, typer.Option("--env", help="Engine environment that workers run in.", metavar="NAME")]
Runs = Annotated[int, typer.Option(min=1, help="Kept runs.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


def main() -> None:
    """Entry point: run a verb and turn whatever happens into an exit code and a message."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run the command line and return its exit code."""
    try:
        if _is_for_window(arguments):
            from workbench.gui.app import main as show

            result: Any = show(arguments)
        else:
            result = app(args=arguments, prog_name="workbench", standalone_mode=False)
        sys.stdout.flush()
    except UserError as error:
        _complain(str(error))
        return 2
    except _UsageError as error:
        _complain(_usage(error))
        return 2
    except typer.Exit as error:
        return error.exit_code
    except (typer.Abort, KeyboardInterrupt):
        result = _INTERRUPTED
    except (BrokenPipeError, SystemExit):
        # The reader (head, less) has gone, which typer makes a SystemExit(1) of: point stdout at nothing, or
        # Python complains at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        place = write_log("".join(traceback.format_exception(error)))
        _complain(f"This is a bug of the workbench: {type(error).__name__}: {error}\nDetails: {place}")
        return 3
    if result == _INTERRUPTED:  # typer itself turns Ctrl+C into this number, without a word
        _complain("Interrupted. What was measured is kept.")
    return result if isinstance(result, int) else 0


def _complain(text: str) -> None:
    print(text, file=sys.stderr)


def _usage(error: Any) -> str:
    verb = error.ctx.command_path if getattr(error, "ctx", None) else "workbench"
    return f"{error.format_message()}\n`{verb} --help` shows what is possible."


def _is_for_window(arguments: list[str]) -> bool:
    """Whether this opens the window: nothing at all, ``--tour``, or a model where a verb would be.

    Raises:
        UserError: the first word is none of what it could be.
    """
    if _COMPLETING in os.environ:  # the shell asks for completions, without any argument
        return False
    if not arguments or arguments[0] == "--tour":
        return True
    word = arguments[0]
    verbs = [entry.name or getattr(entry.callback, "__name__", "") for entry in app.registered_commands]
    verbs += [group.name for group in app.registered_groups if isinstance(group.name, str)]
    if word.startswith("-") or word in verbs:
        return False
    if word.startswith("sample:") or ".py:" in word or Path(word).suffix.lower() in _MODEL_SUFFIXES:
        return True
    if Path(word).is_file():
        return True
    from workbench.core.samples import sample_names

    known = [*verbs, *(f"sample:{name}" for name in sample_names())]
    raise UserError(
        f"'{word}' is neither a verb nor a model.", nearest(word, known), "`workbench --help` shows what is possible."
    )


def _print_json(record: Any) -> None:
    sys.stdout.write(msgspec.json.format(msgspec.json.encode(record), indent=2).decode() + "\n")


def _console() -> Any:
    from rich.console import Console

    console = Console()
    # A pipe has no width of its own; 80 columns would fold every table in a log file.
    return console if console.is_terminal else Console(width=110)


# -- verbs ------------------------------------------------------------------------------------------


@app.callback()
def start(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
    tour: Annotated[  # read by the window; named here for the help only
        Path | None,
        typer.Option("--tour", help="Drive the window through a real run and save pictures.", metavar="DIR"),
    ] = None,
) -> None:
    """Shows, measures and proves what each inference optimisation really does on this x86 CPU.

    Without a verb the window opens, on a MODEL if one is named: `workbench sample:resnet18`.
    """
    if version:
        print(f"inference-workbench {__version__}")
    elif context.invoked_subcommand is None:
        print(context.get_help())


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
    env: Env = "default",
    as_json: Json = False,
) -> int:
    """Describe a model: inputs, outputs, size, layers, dynamic axes, and what will not quantize and why."""
    from workbench.core.config import Config
    from workbench.host.environments import usable
    from workbench.progress import shown_progress
    from workbench.study.runner import Runner
    from workbench.study.subject import find_subject

    subject = find_subject(model, weights=weights, inputs=inputs or (), trust_pickle=trust_pickle)
    knobs = Config.load(None, engine=subject.model.natural_engine)
    with shown_progress() as listener:
        facts = Runner(environment=usable(env)).inspect(subject, knobs, listener)
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
    env: Env = "default",
    study: Study = None,
    runs: Runs = 200,
    deadline: Annotated[float | None, typer.Option(min=0.0, help="Count runs slower than this.", metavar="MS")] = None,
    as_json: Json = False,
) -> int:
    """Measure one config: one trial, stored the moment it ends."""
    from workbench.core.config import Config
    from workbench.host.environments import usable
    from workbench.progress import shown_progress
    from workbench.study.runner import Runner
    from workbench.study.store import Store, default_place
    from workbench.study.subject import find_subject

    subject = find_subject(
        model,
        weights=weights,
        inputs=inputs or (),
        trust_pickle=trust_pickle,
        data=data,
        calibration=calib,
        labels=labels,
    )
    knobs = Config.load(config, settings or (), subject.model.natural_engine)
    store = Store(study or default_place(subject.model))
    with shown_progress() as listener:
        trial = Runner(store, environment=usable(env)).measure(
            subject, knobs, runs=runs, deadline_ms=deadline, listener=listener
        )
    if as_json:
        _print_json(trial)
    else:
        from workbench.tables import trial as shown

        _console().print(shown.show(trial, store.place))
    return 0 if trial.status == "ok" else 1


@app.command()
def compare(
    model: Model,
    configs: Annotated[
        list[Path] | None, typer.Option("--config", "-c", help="One side's knobs; give it twice.", metavar="FILE")
    ] = None,
    settings: Set = None,
    a: Annotated[list[str] | None, typer.Option("--a", help="Turn a knob on side A only.", metavar="KEY=VALUE")] = None,
    b: Annotated[list[str] | None, typer.Option("--b", help="Turn a knob on side B only.", metavar="KEY=VALUE")] = None,
    trials: Annotated[
        tuple[int, int] | None, typer.Option(help="Compare two stored trials instead.", metavar="A B")
    ] = None,
    data: DataFolder = None,
    calib: Calib = None,
    labels: Labels = None,
    weights: Weights = None,
    inputs: Input = None,
    trust_pickle: Trust = False,
    env: Env = "default",
    study: Study = None,
    runs: Runs = 100,
    quick: Annotated[bool, typer.Option("--quick", help="Two processes per side: shows large effects only.")] = False,
    processes: Annotated[int | None, typer.Option(min=2, max=100, help="Fresh processes per side.")] = None,
    as_json: Json = False,
) -> int:
    """Compare two configs: interleaved fresh processes, a ratio with its interval, a verdict."""
    from workbench.core.config import Config
    from workbench.host.environments import usable
    from workbench.progress import shown_progress
    from workbench.study import compare as comparing
    from workbench.study.runner import Runner
    from workbench.study.store import Store, default_place
    from workbench.study.subject import find_subject
    from workbench.worker.warm import WarmPool

    if trials is not None and study is None:
        raise UserError("--trials needs --study.", "Trials are numbered within a study.", "Add --study FILE.")
    subject = find_subject(
        model,
        weights=weights,
        inputs=inputs or (),
        trust_pickle=trust_pickle,
        data=data,
        calibration=calib,
        labels=labels,
    )
    store = Store(study or default_place(subject.model), create=trials is None)
    if trials is not None:
        found: Any = comparing.stored(store, trials)
    else:
        files = list(configs or ())
        if len(files) not in (0, 2) or (not files and not a and not b):
            raise UserError(
                "A comparison needs two sides.",
                f"{len(files)} config files were given." if files else "",
                "Give --config twice, or turn knobs with --a KEY=VALUE and --b KEY=VALUE.",
            )
        sides = [
            Config.load(files[i] if files else None, [*(settings or ()), *(own or ())], subject.model.natural_engine)
            for i, own in enumerate((a, b))
        ]
        count = processes or (comparing.QUICK_PROCESSES if quick else comparing.PROCESSES)
        with shown_progress() as listener, WarmPool() as pool:
            found = comparing.compare(
                Runner(store, pool=pool, environment=usable(env)),
                store,
                subject,
                *sides,
                processes=count,
                runs=runs,
                listener=listener,
                on_process=lambda number, total, side: listener.title(f"process {number} of {total}, {side}"),
            )
    if as_json:
        _print_json(found)
    elif isinstance(found, comparing.Comparison):
        from workbench.tables import compare as shown

        _console().print(shown.show(found, store.place))
    else:
        from workbench.tables import trial as failed

        _console().print(failed.show(found, store.place))
    return 0 if isinstance(found, comparing.Comparison) else 1


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
    env: Env = "default",
    study: Study = None,
    runs: Runs = 100,
    seconds: Annotated[float, typer.Option(min=0.1, help="Most time for the kept runs of one step.")] = 3.0,
    as_json: Json = False,
) -> int:
    """Climb from the naive way to INT8, one knob at a time: what did every step buy?"""
    from workbench.core.config import Config
    from workbench.host.environments import usable
    from workbench.progress import shown_progress
    from workbench.study import ladder as ladders
    from workbench.study.runner import Runner
    from workbench.study.store import Store, default_place
    from workbench.study.subject import find_subject
    from workbench.tables import ladder as shown
    from workbench.worker.warm import WarmPool

    subject = find_subject(
        model,
        weights=weights,
        inputs=inputs or (),
        trust_pickle=trust_pickle,
        data=data,
        calibration=calib,
        labels=labels,
    )
    knobs = Config.load(config, settings or (), subject.model.natural_engine)
    store = Store(study or default_place(subject.model))
    with shown_progress() as listener, WarmPool() as pool:
        steps = ladders.climb(
            Runner(store, pool=pool, environment=usable(env)), store, subject, knobs,
            runs=runs, seconds=seconds, listener=listener,
            on_step=lambda number, rung: listener.title(f"step {number + 1}: {rung.name}"),
            on_done=lambda step: listener.say(shown.step_line(step)),
        )  # fmt: skip
    if as_json:
        _print_json({"steps": steps, "model": subject.model.name, "study": store.place})
    else:
        console = _console()
        console.print(shown.show(subject.model.name, steps, store.place, console.width))
    return 0 if any(step.verdict not in ("failed", "skipped") for step in steps) else 1


envs = typer.Typer(invoke_without_command=True, help="Engine environments: other interpreters to run engines in.")
app.add_typer(envs, name="envs")
Name = Annotated[str, typer.Argument(help="Name of the environment.", metavar="NAME")]


@envs.callback()
def envs_list(context: typer.Context, as_json: Json = False) -> None:
    """List the environments; `envs add`, `check` and `remove` change them."""
    if context.invoked_subcommand is not None:
        return
    from workbench.host.environments import environments

    found = environments()
    if as_json:
        _print_json({"environments": found})
    else:
        from workbench.tables import environments as shown

        _console().print(shown.show_all(found))


@envs.command("add")
def envs_add(
    name: Name,
    python: Annotated[
        str, typer.Argument(help="Its Python, or the folder of a virtual environment.", metavar="PYTHON")
    ],
    as_json: Json = False,
) -> int:
    """Add an environment and check it."""
    from workbench.host.environments import add

    add(name, python)
    return envs_check(name, as_json=as_json)


@envs.command("check")
def envs_check(
    name: Name = "default",
    refresh: Annotated[bool, typer.Option("--refresh", help="Try the engines again.")] = False,
    as_json: Json = False,
) -> int:
    """Look whether workers can run there, and what is missing."""
    from workbench.host.environments import check

    found = check(name, refresh=refresh)
    if as_json:
        _print_json(found)
    else:
        from workbench.tables import environments as shown

        _console().print(shown.show(found))
    return 0 if found.usable else 1


@envs.command("remove")
def envs_remove(name: Name) -> int:
    """Forget an environment; nothing of it is deleted."""
    from workbench.host.environments import remove

    remove(name)
    return 0


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
