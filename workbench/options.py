"""Options that several verbs share, and what they say together: what to measure, where, and who with."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from workbench.core.config import Config
    from workbench.core.knobs import Value
    from workbench.study.runner import Runner, Subject
    from workbench.study.store import Store
    from workbench.worker.warm import WarmPool

Verb = Callable[..., Any]

FILE = click.Path(path_type=Path)

as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
refresh = click.option("--refresh", is_flag=True, help="Try the engines again.")
config_file = click.option("--config", "-c", type=FILE, metavar="FILE", help="Knobs in a TOML file.")

_MODEL = (
    click.argument("model"),
    click.option("--weights", metavar="FILE", help="State dict for a callable."),
    click.option(
        "--input",
        "inputs",
        multiple=True,
        metavar="[NAME=]SHAPE[:DTYPE]",
        help="What the model is fed, like 1x3x224x224.",
    ),
    click.option("--trust-pickle", is_flag=True, help="This file may run code while it is loaded."),
    click.option("--env", default="default", metavar="NAME", help="Engine environment that workers run in."),
)
_MEASURING = (
    click.option(
        "--preset", metavar="NAME", help="A preset's knobs: win over the file; `workbench presets` lists them."
    ),
    click.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help="Turn one knob; wins over the file."),
    click.option("--data", type=FILE, metavar="DIR", help="Pictures, or .npy/.npz."),
    click.option("--calib", type=FILE, metavar="DIR", help="Calibrate on this instead of a part of --data."),
    click.option("--labels", type=FILE, metavar="FILE", help="CSV of name,class."),
    click.option("--study", metavar="URL", help="Where trials are kept: a file or an SQLAlchemy URL."),
)


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """What the shared options of one command line say; attributes are named after them.

    Attributes:
        model: MODEL as it was typed.
        preset: name of a preset.
        settings: ``KEY=VALUE`` texts.
        env: name of the engine environment.
    """

    model: str
    weights: str | None
    inputs: tuple[str, ...]
    trust_pickle: bool
    env: str
    preset: str | None = None
    settings: tuple[str, ...] = ()
    data: Path | None = None
    calib: Path | None = None
    labels: Path | None = None
    study: str | None = None

    def subject(self) -> Subject:
        """Return the model with its data.

        Raises:
            UserError: something does not exist or does not fit.
        """
        from workbench.study.subject import find_subject

        return find_subject(
            self.model,
            weights=self.weights,
            inputs=self.inputs,
            trust_pickle=self.trust_pickle,
            data=self.data,
            calibration=self.calib,
            labels=self.labels,
        )

    def config(self, subject: Subject, file: Path | None = None, own: Sequence[str] = ()) -> Config:
        """Return the knobs of *file* with the preset, ``--set`` and *own* settings on top, in that order.

        Raises:
            UserError: a knob or value is not known or not allowed.
        """
        from workbench.core.config import Config

        natural = subject.model.natural_engine
        return Config.load(file, (*self.settings, *own), natural, self._preset(natural) if self.preset else None)

    def _preset(self, natural: str) -> Callable[[str], Mapping[str, Value]]:
        """Return what tells the preset's knobs for an engine, which may be none that anybody has named."""
        from workbench.core.presets import find
        from workbench.host.engines import list_engines
        from workbench.host.environments import usable

        preset = find(self.preset or "")

        def knobs(named: str) -> Mapping[str, Value]:
            if named or natural == "onnxruntime":
                return preset.changes(named or natural)
            able = [engine.name for engine in list_engines(usable(self.env).python) if engine.available]
            return preset.changes(preset.engine(able))

        return knobs

    def store(self, subject: Subject, *, create: bool = True) -> Store:
        """Return the study that was named, or the model's own.

        Raises:
            UserError: it does not exist and is not to be made.
        """
        from workbench.study.store import Store, default_place

        return Store(self.study or default_place(subject.model), create=create)

    def runner(self, store: Store | None = None, pool: WarmPool | None = None) -> Runner:
        """Return what runs workers in the environment that was named.

        Raises:
            UserError: there is no such environment, or it cannot be used.
        """
        from workbench.host.environments import usable
        from workbench.study.runner import Runner

        return Runner(store, pool=pool, environment=usable(self.env))


def about_a_model(verb: Verb) -> Verb:
    """Give *verb* the options that describe a model, as its first argument: a :class:`Wanted`."""
    return _gathered(verb, _MODEL)


def about_measuring(verb: Verb) -> Verb:
    """Give *verb* all options that measuring a model needs, as its first argument: a :class:`Wanted`."""
    return _gathered(verb, (*_MODEL, *_MEASURING))


def _gathered(verb: Verb, options: Sequence[Callable[[Verb], Verb]]) -> Verb:
    names = [field.name for field in fields(Wanted)]

    @functools.wraps(verb)
    def call(**given: Any) -> Any:
        return verb(Wanted(**{name: given.pop(name) for name in names if name in given}), **given)

    for option in reversed(options):
        option(call)
    return call
