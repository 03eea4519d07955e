"""The frozen config: a complete setting of all knobs, built from the knob table, a TOML file on disk.

Used by every room. What the user wrote is kept apart from the defaults, so that a config can move to
another engine without carrying defaults along, and so that a knob which does not apply is an error
only when somebody asked for it.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias

import msgspec
import tomli_w

from workbench.core.combinations import FORBIDDEN
from workbench.core.knobs import BY_KEY, KNOBS, PRECISIONS, Knob, Value
from workbench.core.preprocess import Preprocess
from workbench.errors import UserError, nearest

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

Fix: TypeAlias = tuple[float | None, float | None]

LAYER_PRECISIONS = tuple(name for name in PRECISIONS if name != "int8-dynamic")
_TRUTH = {
    "true": True,
    "on": True,
    "yes": True,
    "1": True,
    "false": False,
    "off": False,
    "no": False,
    "0": False,
}


@dataclass(frozen=True)
class Config:
    """A complete, frozen setting of all knobs.

    Attributes:
        given: what was asked for, by knob key.
        layers: precision pinned per layer name.
        fixes: range (min, max) pinned per tensor name, in the tensor's own units; None leaves that end to calibration.
        preprocess: keys of ``[preprocess]`` that were given; they win over a sample's own.
    """

    given: Mapping[str, Value] = field(default_factory=dict)
    layers: Mapping[str, str] = field(default_factory=dict)
    fixes: Mapping[str, Fix] = field(default_factory=dict)
    preprocess: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("given", "layers", "fixes", "preprocess"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))
        _check(self)

    def __getitem__(self, key: str) -> Value:
        return self.given.get(key, BY_KEY[key].default_for(self.engine))

    @property
    def engine(self) -> str:
        """Name of the engine."""
        return str(self.given.get("engine", BY_KEY["engine"].default))

    @property
    def precision(self) -> str:
        """Name of the precision."""
        return str(self.given.get("precision", BY_KEY["precision"].default))

    @property
    def isa_limit(self) -> str:
        """Value of ``runtime.isa_limit``; ``none``, too, where the engine does not have it."""
        return str(self.resolved().get("runtime.isa_limit", "none"))

    def text(self, key: str) -> str:
        """Return the value of a knob that holds text."""
        return str(self[key])

    def number(self, key: str) -> int:
        """Return the value of a knob that holds a whole number."""
        return int(self[key])

    def flag(self, key: str) -> bool:
        """Return the value of a knob that is on or off."""
        return bool(self[key])

    def applies(self, knob: Knob) -> str:
        """Return why *knob* has no meaning here, or an empty string where it has one."""
        if self.engine not in knob.engines:
            return f"engine '{self.engine}' does not have it (only {', '.join(knob.engines)})"
        if self.precision not in knob.precisions:
            return f"precision '{self.precision}' does not use it (only {', '.join(knob.precisions)})"
        return ""

    def changed(self, changes: Mapping[str, Value]) -> Config:
        """Return a config with *changes*; what no longer applies under them is left behind."""
        given = {**self.given, **changes}
        probe = Config({key: given[key] for key in ("engine", "precision") if key in given})
        kept = {key: value for key, value in given.items() if key in changes or not probe.applies(BY_KEY[key])}
        int8 = probe.precision == "int8"
        return Config(kept, self.layers if int8 else {}, self.fixes if int8 else {}, self.preprocess)

    def with_fix(self, tensor: str, fix: Fix | None) -> Config:
        """Return a config in which the range of *tensor* is fixed, or with None left to calibration.

        Raises:
            UserError: the fix is not a range.
        """
        fixes = {name: known for name, known in self.fixes.items() if name != tensor}
        if fix is not None:
            fixes |= _fixes({tensor: dict(zip(("min", "max"), fix, strict=True))})
        return replace(self, fixes=fixes)

    def with_layer(self, name: str, precision: str | None) -> Config:
        """Return a config that pins the precision of one layer, or with None leaves it to the engine.

        Raises:
            UserError: there is no such precision.
        """
        layers = {layer: known for layer, known in self.layers.items() if layer != name}
        if precision is not None:
            layers |= _layers({name: {"precision": precision}})
        return replace(self, layers=layers)

    def without_fixes(self) -> Config:
        """Return a config that leaves every range to calibration and every layer to the engine."""
        return replace(self, fixes={}, layers={})

    def with_settings(self, settings: Iterable[str]) -> Config:
        """Return a config with ``KEY=VALUE`` settings laid over it, as ``--set`` does.

        Raises:
            UserError: something in them is wrong.
        """
        tables = self._nested(self.given)
        for setting in settings:
            _merge(tables, _parse_setting(setting))
        return Config.from_dict(tables)

    def resolved(self) -> dict[str, Value]:
        """Return every knob that applies, by key, in the table's order."""
        return {knob.key: self[knob.key] for knob in KNOBS if not self.applies(knob)}

    def to_dict(self) -> dict[str, Any]:
        """Return the nested form that a TOML file or a trial holds."""
        return self._nested(self.resolved())

    def to_toml(self) -> str:
        """Return the config as the text of a TOML file; :meth:`from_toml` reads it back."""
        return tomli_w.dumps(self.to_dict())

    def _nested(self, flat: Mapping[str, Value]) -> dict[str, Any]:
        result = _tables(flat)
        if self.layers:
            result["layers"] = {name: {"precision": precision} for name, precision in self.layers.items()}
        if self.fixes:
            result["fixes"] = {
                name: {key: value for key, value in zip(("min", "max"), fix, strict=True) if value is not None}
                for name, fix in self.fixes.items()
            }
        if self.preprocess:
            result["preprocess"] = dict(self.preprocess)
        return result

    def preprocessing(self, base: Preprocess | None) -> Preprocess | None:
        """Return *base* (a sample's own) with the given keys on top, or None where there is neither."""
        if not self.preprocess:
            return base
        start = msgspec.to_builtins(base) if base else {}
        try:
            return msgspec.convert({**start, **self.preprocess}, Preprocess, strict=False)
        except msgspec.ValidationError as error:
            known = ", ".join(Preprocess.__struct_fields__)
            raise UserError("The [preprocess] table is not valid.", f"{error}.", f"Keys: {known}.") from error

    @classmethod
    def from_dict(cls, tables: Mapping[str, Any]) -> Config:
        """Build a config from nested tables.

        Raises:
            UserError: an unknown key, a value out of range, a combination that is not allowed.
        """
        given: dict[str, Value] = {}
        rest = {name: tables.get(name, {}) for name in ("layers", "fixes", "preprocess")}
        for key, value in _flatten({k: v for k, v in tables.items() if k not in rest}):
            given[key] = converted(knob_named(key), value)
        for name, table in rest.items():
            if not isinstance(table, Mapping):
                raise UserError(f"'{name}' must be a table.", f"It is {table!r}.", "See the README's example.")
        return cls(given, _layers(rest["layers"]), _fixes(rest["fixes"]), rest["preprocess"])

    @classmethod
    def from_toml(cls, text: str, source: str = "the config") -> Config:
        """Read the text of a TOML file; *source* names it in messages."""
        return cls.from_dict(_parse(text, source))

    @classmethod
    def load(
        cls,
        path: Path | None,
        settings: Iterable[str] = (),
        engine: str = "",
        preset: Callable[[str], Mapping[str, Value]] | None = None,
    ) -> Config:
        """Read *path* (if any) and lay ``KEY=VALUE`` *settings* over it.

        Args:
            engine: the engine where neither names one.
            preset: gets the engine that is named (empty for none) and returns knobs that win over the file.

        Raises:
            UserError: the file cannot be read or something in it is wrong.
        """
        tables: dict[str, Any] = {}
        if path is not None:
            try:
                tables = _parse(path.read_text(encoding="utf-8"), str(path))
            except (OSError, UnicodeDecodeError) as error:
                raise UserError(f"Cannot read the config file {path}.", f"{error}.") from error
        over: dict[str, Any] = {}
        for setting in settings:
            _merge(over, _parse_setting(setting))
        if preset is not None:
            named = str(over.get("engine", tables.get("engine", "")))
            _merge(tables, _tables(preset(named)))
        _merge(tables, over)
        if engine and engine != BY_KEY["engine"].default:
            tables.setdefault("engine", engine)
        return cls.from_dict(tables)


def _tables(flat: Mapping[str, Value]) -> dict[str, Any]:
    """Return dotted keys as nested tables."""
    result: dict[str, Any] = {}
    for key, value in flat.items():
        *path, last = key.split(".")
        table = result
        for part in path:
            table = table.setdefault(part, {})
        table[last] = value
    return result


def _parse(text: str, source: str) -> dict[str, Any]:
    try:
        tables: dict[str, Any] = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UserError(f"{source} is not valid TOML.", f"{error}.", "Correct that line.") from error
    return tables


def _parse_setting(setting: str) -> dict[str, Any]:
    """Read one ``KEY=VALUE``; the key may be quoted as in TOML, the value need not be."""
    match = re.match(r'\s*((?:"[^"]*"|[^"=])+?)\s*=(.*)$', setting, re.DOTALL)
    if not match:
        raise UserError(
            f"'{setting}' is not KEY=VALUE.",
            "A setting needs an equals sign.",
            "Example: --set precision=int8",
        )
    key, value = match.group(1), match.group(2).strip()
    quoted = '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    for text in (value, quoted):
        try:
            tables: dict[str, Any] = tomllib.loads(f"{key} = {text}")
        except tomllib.TOMLDecodeError:
            continue
        return tables
    raise UserError(f"'{key}' is not a valid key.", "", "Example: --set 'layers.\"conv1\".precision=fp32'")


def _merge(into: dict[str, Any], new: Mapping[str, Any]) -> None:
    for key, value in new.items():
        if isinstance(value, Mapping) and isinstance(into.get(key), dict):
            _merge(into[key], value)
        else:
            into[key] = value


def _flatten(tables: Mapping[str, Any], prefix: str = "") -> Iterable[tuple[str, Any]]:
    for name, value in tables.items():
        if isinstance(value, Mapping):
            yield from _flatten(value, f"{prefix}{name}.")
        else:
            yield prefix + name, value


def knob_named(key: str) -> Knob:
    """Return a knob of the table.

    Raises:
        UserError: there is none of this name.
    """
    if key not in BY_KEY:
        raise UserError(f"There is no knob '{key}'.", nearest(key, BY_KEY))
    return BY_KEY[key]


def converted(knob: Knob, value: Any) -> Value:
    """Return *value*, which may be text, in the knob's type.

    Raises:
        UserError: it is no value of this knob; says what is allowed.
    """
    result: Value | None = None
    if knob.kind is bool:
        result = value if isinstance(value, bool) else _TRUTH.get(str(value).lower())
    elif knob.kind is str:
        result = value if isinstance(value, str) else str(value) if type(value) is int else None
    elif isinstance(value, str):
        result = _number(value, knob.kind)
    elif type(value) is int or (type(value) is float and (knob.kind is float or value.is_integer())):
        result = knob.kind(value)
    if result is None:
        raise _wrong(knob, value, f"It must be {_allowed(knob)}.")
    if knob.choices and result not in knob.choices:
        hint = nearest(str(result), [str(choice) for choice in knob.choices])
        raise _wrong(knob, value, f"It must be {_allowed(knob)}.", hint)
    if isinstance(result, (int, float)) and not isinstance(result, bool):
        low, high = knob.minimum, knob.maximum
        if (low is not None and not result >= low) or (high is not None and not result <= high):
            raise _wrong(knob, value, f"It must be {_allowed(knob)}.")
    return result


def _number(text: str, kind: type[Value]) -> Value | None:
    try:
        return kind(text)
    except ValueError:
        return None


def _allowed(knob: Knob) -> str:
    if knob.kind is bool:
        return "true or false"
    if knob.choices:
        return "one of " + ", ".join(str(choice) for choice in knob.choices)
    if knob.kind is str:
        return "text"
    noun = "a whole number" if knob.kind is int else "a number"
    if knob.minimum is not None and knob.maximum is not None:
        return f"{noun} from {knob.minimum:g} to {knob.maximum:g}"
    return noun


def _wrong(knob: Knob, value: Any, why: str, next_step: str = "") -> UserError:
    return UserError(f"'{value}' is not a value of {knob.key}.", why, next_step or knob.help)


def _layers(table: Mapping[str, Any]) -> dict[str, str]:
    result = {}
    for name, entry in table.items():
        if not isinstance(entry, Mapping) or set(entry) != {"precision"}:
            raise UserError(
                f"The entry for layer '{name}' is not valid.",
                "A layer entry has one key, precision.",
                f'Example: [layers."{name}"] precision = "fp32"',
            )
        if entry["precision"] not in LAYER_PRECISIONS:
            raise UserError(
                f"'{entry['precision']}' is not a precision of layer '{name}'.",
                f"It must be one of {', '.join(LAYER_PRECISIONS)}.",
                nearest(str(entry["precision"]), LAYER_PRECISIONS),
            )
        result[name] = str(entry["precision"])
    return result


def _fixes(table: Mapping[str, Any]) -> dict[str, Fix]:
    result = {}
    for name, entry in table.items():
        if not isinstance(entry, Mapping) or not {"min", "max"} >= set(entry) or not entry:
            raise UserError(f"The fix on '{name}' is not valid.", "A fix has the keys min and max.")
        try:
            low, high = (None if entry.get(key) is None else float(entry[key]) for key in ("min", "max"))
        except (TypeError, ValueError) as error:
            raise UserError(f"The fix on '{name}' is not valid.", "min and max must be numbers.") from error
        if not all(abs(value) < float("inf") for value in (low, high) if value is not None):
            raise UserError(f"The fix on '{name}' is not a range.", "min and max must be finite.")
        if low is not None and high is not None and not low < high:
            raise UserError(f"The fix on '{name}' is not a range.", f"min {low:g} must be below max {high:g}.")
        result[name] = (low, high)
    return result


def _check(config: Config) -> None:
    """Refuse knobs that do not apply and combinations that cannot work, with the reason."""
    for key in config.given:
        if reason := config.applies(BY_KEY[key]):
            usable = [knob.key for knob in KNOBS if not config.applies(knob)]
            raise UserError(f"{key} cannot be set here: {reason}.", "", nearest(key, usable))
    for forbidden, what, next_step in FORBIDDEN:
        if forbidden(config):
            raise UserError(what, "", next_step)
