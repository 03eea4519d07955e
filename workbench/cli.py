"""The command line: verbs, options, exit codes. Tables are drawn in :mod:`workbench.tables`.

Exit codes: 0 done; 1 the job ran and the answer is no; 2 the user must change something; 3 our fault;
130 interrupted. Nothing heavy is imported before a verb needs it: ``workbench host`` answers at once.
"""

from __future__ import annotations

import dataclasses
import os
import sys
from pathlib import Path
from typing import Any

import click

from workbench import __version__, delivery, options, series
from workbench.errors import UserError, nearest
from workbench.options import Wanted
from workbench.printing import console, print_json

_INTERRUPTED = 130
_COMPLETING = "_WORKBENCH_COMPLETE"
_MODEL_SUFFIXES = (".py", ".pt", ".pth", ".pt2", ".onnx", ".ts", ".jit", ".torchscript", ".safetensors")


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
            result = app.main(arguments, prog_name="workbench", standalone_mode=False)
        sys.stdout.flush()
    except UserError as error:
        _complain(str(error))
        return 2
    except click.UsageError as error:
        _complain(_usage(error))
        return 2
    except (click.Abort, KeyboardInterrupt):
        _complain("Interrupted. What was measured is kept.")
        return _INTERRUPTED
    except (BrokenPipeError, SystemExit):
        # The reader (head, less) has gone, which click makes a SystemExit(1) of: point stdout at nothing, or
        # Python complains at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        import traceback

        from workbench.bugs import write_log

        place = write_log("".join(traceback.format_exception(error)))
        _complain(f"This is a bug of the workbench: {type(error).__name__}: {error}\nDetails: {place}")
        return 3
    return result if isinstance(result, int) else 0


def _complain(text: str) -> None:
    print(text, file=sys.stderr)


def _usage(error: click.UsageError) -> str:
    verb = error.ctx.command_path if error.ctx else "workbench"
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
    if word.startswith("-") or word in app.commands:
        return False
    if word.startswith("sample:") or ".py:" in word or Path(word).suffix.lower() in _MODEL_SUFFIXES:
        return True
    if Path(word).is_file():
        return True
    from workbench.core.samples import sample_names

    known = [*app.commands, *(f"sample:{name}" for name in sample_names())]
    raise UserError(
        f"'{word}' is neither a verb nor a model.", nearest(word, known), "`workbench --help` shows what is possible."
    )


# -- verbs ------------------------------------------------------------------------------------------


@click.group(
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "show_default": True, "max_content_width": 110},
)
@click.option("--version", is_flag=True, help="Print the version.")
@click.option(  # read by the window; named here for the help only
    "--tour", type=options.FILE, metavar="DIR", help="Drive the window through a real run and save pictures."
)
@click.pass_context
def app(context: click.Context, version: bool, tour: Path | None) -> None:
    """Shows, measures and proves what each inference optimisation really does on this x86 CPU.

    Without a verb the window opens, on a MODEL if one is named: `workbench sample:resnet18`. A MODEL is
    FILE.pt|.pth|.pt2|.onnx, FILE.py:callable, or sample:NAME.
    """
    if version:
        print(f"inference-workbench {__version__}")
    elif context.invoked_subcommand is None:
        print(context.get_help())


@app.command()
@options.refresh
@click.option("--record", type=options.FILE, metavar="FILE", help="Also write what was read, to open it elsewhere.")
@click.option("--recorded", type=options.FILE, metavar="FILE", help="Show a recorded machine instead of this one.")
@options.as_json
def host(refresh: bool, record: Path | None, recorded: Path | None, as_json: bool) -> int:
    """Show this machine, and which engines work here and why not."""
    from workbench.host import recorded as files
    from workbench.host.machine import describe_host

    if record is not None and recorded is not None:
        raise UserError("--record and --recorded exclude each other.", "One writes this machine, one reads another.")
    if recorded is not None:
        info = files.describe(files.load(recorded))
    elif record is not None:
        found = files.record(refresh=refresh)
        files.save(found, record)
        info = files.describe(found, here=True)
    else:
        info = describe_host(refresh=refresh)
    if as_json:
        print_json(info)
    else:
        from workbench.tables import host as shown

        console().print(shown.show(info))
    return 0


@app.command()
@options.about_a_model
@options.as_json
def inspect(wanted: Wanted, as_json: bool) -> int:
    """Describe a model: inputs, layers, what will not quantize.

    Also outputs, sizes and which axes are really dynamic. Nothing is timed.
    """
    import msgspec

    from workbench.host.advice import preview_notes
    from workbench.host.isa import read_isa
    from workbench.progress import shown_progress

    subject = wanted.subject()
    with shown_progress() as listener:
        facts = wanted.runner().inspect(subject, wanted.config(subject), listener)
    notes = [*facts.notes, *preview_notes(read_isa().names, target="host")]
    facts = msgspec.structs.replace(facts, notes=notes)
    if as_json:
        print_json(
            {
                **msgspec.to_builtins(facts),
                "model": msgspec.to_builtins(subject.model),
                "format": subject.model.format,
            }
        )
    else:
        from workbench.tables import model as shown

        console().print(shown.show(subject.model, facts))
    return 0


@app.command()
@options.about_measuring
@options.config_file
@click.option("--runs", type=click.IntRange(min=1), default=200, help="Kept runs.")
@click.option("--deadline", type=click.FloatRange(min=0.0), metavar="MS", help="Count runs slower than this.")
@options.as_json
def measure(wanted: Wanted, config: Path | None, runs: int, deadline: float | None, as_json: bool) -> int:
    """Measure one config: one trial, stored the moment it ends."""
    from workbench.progress import shown_progress

    subject = wanted.subject()
    knobs = wanted.config(subject, config)
    store = wanted.store(subject)
    with shown_progress() as listener:
        trial = wanted.runner(store).measure(subject, knobs, runs=runs, deadline_ms=deadline, listener=listener)
    if as_json:
        print_json(trial)
    else:
        from workbench.tables import trial as shown

        console().print(shown.show(trial, store.place))
    return 0 if trial.status == "ok" else 1


@app.command()
@options.about_measuring
@options.config_file
@click.option("--sensitivity", is_flag=True, help="Also run with all layers but one in INT8; ranks the layers.")
@click.option(
    "--budget", type=click.FloatRange(min=1.0), default=600.0, metavar="SECONDS", help="Most time for --sensitivity."
)
@options.as_json
def layers(wanted: Wanted, config: Path | None, sensitivity: bool, budget: float, as_json: bool) -> int:
    """Look into the layers: what ran, its time, its scales, what INT8 costs.

    INT8 unless --config or --set says another precision. A scan that is stopped goes on where it was.
    """
    from workbench.core.calibration import load
    from workbench.core.layer_table import layer_table
    from workbench.progress import shown_progress

    subject = wanted.subject()
    if config is None and not any(setting.startswith("precision=") for setting in wanted.settings):
        wanted = dataclasses.replace(wanted, settings=("precision=int8", *wanted.settings))
    knobs = wanted.config(subject, config)
    store = wanted.store(subject)
    with shown_progress() as listener:
        trial = wanted.runner(store).measure(
            subject, knobs, runs=20, layer_errors=True, sensitivity_s=budget if sensitivity else None, listener=listener
        )
    found = layer_table(trial, load(Path(trial.calibration)) if trial.calibration else None)
    if as_json:
        print_json(found)
    else:
        from workbench.tables import layers as shown

        console().print(shown.show(trial, found))
    return 0 if trial.status == "ok" else 1


@app.command()
@click.argument("model", required=False)
@options.as_json
def presets(model: str | None, as_json: bool) -> int:
    """List presets for `--preset`: what each turns, why, and whether it fits this machine (and MODEL)."""
    from workbench.study.presets import judged, situation

    found = judged(situation(model))
    if as_json:
        print_json({"presets": found})
    else:
        from workbench.tables import presets as shown

        console().print(shown.show(found))
    return 0


@app.group(invoke_without_command=True)
@options.as_json
@click.pass_context
def envs(context: click.Context, as_json: bool) -> None:
    """List engine environments: other interpreters to run engines in."""
    if context.invoked_subcommand is not None:
        return
    from workbench.host.environments import environments

    found = environments()
    if as_json:
        print_json({"environments": found})
    else:
        from workbench.tables import environments as shown

        console().print(shown.show_all(found))


@envs.command("add")
@click.argument("name")
@click.argument("python")
@options.as_json
def envs_add(name: str, python: str, as_json: bool) -> int:
    """Add the environment NAME and check it; PYTHON is an interpreter or the folder of a virtual environment."""
    from workbench.host.environments import add

    add(name, python)
    return _check(name, refresh=False, as_json=as_json)


@envs.command("check")
@click.argument("name", default="default")
@options.refresh
@options.as_json
def envs_check(name: str, refresh: bool, as_json: bool) -> int:
    """Look whether workers can run there, and what is missing."""
    return _check(name, refresh=refresh, as_json=as_json)


def _check(name: str, *, refresh: bool, as_json: bool) -> int:
    from workbench.host.environments import check

    found = check(name, refresh=refresh)
    if as_json:
        print_json(found)
    else:
        from workbench.tables import environments as shown

        console().print(shown.show(found))
    return 0 if found.usable else 1


@envs.command("remove")
@click.argument("name")
def envs_remove(name: str) -> int:
    """Forget an environment; nothing of it is deleted."""
    from workbench.host.environments import remove

    remove(name)
    return 0


@app.command()
@click.argument("place", metavar="STUDY")
@options.as_json
def study(place: str, as_json: bool) -> int:
    """List the trials of a STUDY.

    It is a file, a URL, or the MODEL whose study is meant.
    """
    from workbench.study.store import Store, find_place

    store = Store(find_place(place), create=False)
    trials = store.trials()
    if as_json:
        print_json({"study": store.place, "trials": trials})
    else:
        from workbench.tables import trial as shown

        console().print(shown.show_all(store.place, trials))
    return 0


for verb in (
    series.compare, series.ladder, series.sweep,
    delivery.export, delivery.verify, delivery.import_bundle, delivery.report, delivery.wheelhouse,
):  # fmt: skip
    app.add_command(verb)


if __name__ == "__main__":
    main()
