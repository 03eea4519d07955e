"""What the window says about knobs: names, special values, tooltips, and why something cannot be had.

All of it comes from the knob table and from ``Config``; only the words for special numbers are said here. Used
by the knobs panel and its editors.
"""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QCoreApplication

from workbench.core.config import Config
from workbench.core.knobs import KNOBS, Knob, Value
from workbench.errors import UserError
from workbench.gui.language import said
from workbench.host.advice import preview_notes
from workbench.host.cpulist import format_cpu_list, parse_cpu_list
from workbench.host.machine import HostInfo

_SPELLED = {"isa": "ISA", "onednn": "oneDNN", "openmp": "OpenMP", "numa": "NUMA"}


def _tr(text: str) -> str:
    return QCoreApplication.translate("KnobsPanel", text)


def groups() -> dict[str, list[Knob]]:
    """Return the knobs by the first part of their keys, in the table's order.

    A key of one part joins the group before it; those at the head of the table form ``engine``.
    """
    result: dict[str, list[Knob]] = {}
    current = KNOBS[0].key
    for knob in KNOBS:
        first, dot, _ = knob.key.partition(".")
        current = first if dot else current
        result.setdefault(current, []).append(knob)
    return result


def title(key: str) -> str:
    """Return the last part of a key as words: ``runtime.isa_limit`` becomes ``ISA limit``."""
    words = [_SPELLED.get(word, word) for word in key.rpartition(".")[2].split("_")]
    first = words[0] if words[0] in _SPELLED.values() else words[0].capitalize()
    return said(" ".join([first, *words[1:]]))


def special_values() -> dict[tuple[str, Value], str]:
    """Return words for numbers and texts that stand for something else."""
    return {
        ("layout.align_channels", 0): _tr("off"),
        ("runtime.threads", 0): _tr("auto"),
        ("runtime.threads", -1): _tr("library's"),
        ("runtime.numa_node", -1): _tr("any"),
        ("runtime.affinity", ""): _tr("all"),
    }


def shown(knob: Knob, value: Value) -> str:
    """Return *value* as people read it."""
    if isinstance(value, bool):
        return _tr("on") if value else _tr("off")
    text = f"{value:g}" if isinstance(value, float) else str(value)
    return special_values().get((knob.key, value)) or (f"{text} {unit(knob)}" if knob.unit else text)


def preview(config: Config, host: HostInfo | None) -> list[str]:
    """Return what a run under *config* will not show of another machine, and what INT8 can bring on the target."""
    if host is None:
        return []
    target = config.text("target_isa") if "int8" in config.precision else ""
    return [said(text) for text in preview_notes(host.cpu.isa, target=target, limit=config.isa_limit)]


def unit(knob: Knob) -> str:
    """Return what a knob's number counts."""
    return said(knob.unit)


def tooltip(knob: Knob, reason: str = "") -> str:
    """Return help, key, default and where it is read back; *reason* (why it is greyed) comes first."""
    parts = [f"<p><b>{escape(_sentence(said(reason)))}</b></p>"] if reason else []
    parts.append(f"<p>{escape(said(knob.help))}</p>")
    facts = [f"<code>{knob.key}</code>"]
    if knob.read_back:
        facts.append(escape(_tr("read back in: {0}").format(said(knob.read_back))))
    if knob.scope == "process":
        facts.append(escape(_tr("needs a fresh process")))
    parts.append("<p>" + "<br>".join(facts) + "</p>")
    return "".join(parts)


def refusals(config: Config, knob: Knob, host: HostInfo | None = None) -> dict[Value, str]:
    """Return the choices of *knob* that cannot be taken under *config* or on this host, each with the reason.

    What is set now is never among them, unless it is an engine that is not there.
    """
    choices: tuple[Value, ...] = (True, False) if knob.kind is bool else knob.choices
    reasons: dict[Value, str] = {}
    for choice in choices:
        if choice == config[knob.key]:
            continue
        try:
            config.changed({knob.key: choice})
        except UserError as error:
            reasons[choice] = said(str(error)).replace("\n", " ")
    if knob.key == "engine" and host is not None:
        for status in host.engines:
            if not status.available and status.name in knob.choices:
                reasons[status.name] = said(status.reason) or _tr("It is not available here.")
    return reasons


def notes(knob: Knob, host: HostInfo | None) -> dict[Value, str]:
    """Return what is worth knowing about choices that can be taken: an engine's version, what it warns of."""
    if knob.key != "engine" or host is None:
        return {}
    known = ((status.name, status.version, said(status.note or "")) for status in host.engines if status.available)
    return {name: "  ·  ".join(part for part in (f"{name} {version or ''}".strip(), note) if part)
            for name, version, note in known}  # fmt: skip


def fault_in(key: str, text: str, host: HostInfo | None) -> str:
    """Return what is wrong with the text typed for a knob, nothing where it may be set."""
    if key != "runtime.affinity":
        return ""
    try:
        cpus = parse_cpu_list(text)
    except ValueError as error:
        return _sentence(said(str(error)))
    if host is not None and (strange := sorted(set(cpus) - set(host.usable_cpus))):
        return _tr("CPU {0} cannot be used; {1} can.").format(
            format_cpu_list(strange), format_cpu_list(host.usable_cpus)
        )
    return ""


def _sentence(text: str) -> str:
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "。")) else _tr("{0}.").format(text)
