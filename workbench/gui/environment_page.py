"""What is known about this machine and which engines work on it, and why the others do not.

Shown from the Help menu. Reading takes seconds where engines have to be tried, so a task does it; the shell
starts the same task at start-up for everybody who follows ``Session.host_changed``.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QFormLayout,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QMenu,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from workbench import __version__, paths
from workbench.errors import UserError
from workbench.gui import tasks, theme
from workbench.gui.labels import IconLabel, MutedLabel
from workbench.gui.language import said
from workbench.gui.section import scrolling
from workbench.gui.session import Session
from workbench.host import recorded
from workbench.host.cpulist import format_cpu_list
from workbench.host.engines import EngineStatus
from workbench.host.machine import HostInfo, describe_host

Describe = Callable[[bool], HostInfo]


class EnvironmentPage(QDialog):
    """A window of its own that stays open beside the main one."""

    def __init__(self, session: Session, parent: QWidget | None = None, describe: Describe = describe_host) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Environment"))
        self._session = session
        self._describe = describe
        self._other: HostInfo | None = None  # a recorded machine, looked at instead of this one
        self._facts = QWidget()
        self._engines = QWidget()
        self._state = MutedLabel()
        self._again = QPushButton(theme.icon("reload"), self.tr("&Try the engines again"))
        self._again.setAutoDefault(False)
        self._again.clicked.connect(self._refresh)
        copy = QPushButton(theme.icon("copy"), self.tr("&Copy as text"))
        copy.setAutoDefault(False)
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.as_text()))
        self._file = QPushButton(self.tr("Recorded &machine"))
        self._file.setAutoDefault(False)
        menu = QMenu(self._file)
        menu.addAction(self.tr("Record this machine in a file…"), self._record)
        menu.addAction(self.tr("Look at a recorded machine…"), self._open)
        self._back = menu.addAction(self.tr("Back to this machine"), lambda: self._look_at(None))
        self._file.setMenu(menu)
        close = QPushButton(self.tr("Close"))
        close.setDefault(True)
        close.clicked.connect(self.close)
        self._content = QVBoxLayout()
        self._content.setSpacing(theme.SPACE * 2)
        inner = QWidget()
        inner.setLayout(self._content)
        buttons = QHBoxLayout()
        buttons.addWidget(self._again)
        buttons.addWidget(copy)
        buttons.addWidget(self._file)
        buttons.addWidget(self._state, 1)
        buttons.addWidget(close)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.SPACE * 2, theme.SPACE * 2, theme.SPACE * 2, theme.SPACE * 2)
        column.setSpacing(theme.SPACE)
        column.addWidget(scrolling(inner), 1)
        column.addLayout(buttons)
        self.resize(680, 520)
        session.host_changed.connect(self._follow)
        self._follow()

    def as_text(self) -> str:
        """Return everything as text to send to somebody."""
        host = self._other or self._session.host
        if host is None:
            return ""
        lines = [f"{name}: {value}" for name, value in facts(host)]
        lines += [f"{engine.name}: {engine_in_words(engine)}" for engine in host.engines]
        return "\n".join([f"Inference Workbench {__version__}", *lines])

    def _refresh(self) -> None:
        self._again.setEnabled(False)
        self._state.setText(self.tr("trying the engines, this takes some seconds …"))
        tasks.run(lambda: self._describe(True), self._described, self._failed, self)

    def _described(self, host: HostInfo) -> None:
        self._again.setEnabled(True)
        self._state.setText("")
        self._session.set_host(host)

    def _failed(self, error: Exception) -> None:
        self._again.setEnabled(True)
        self._state.setText("")
        if not isinstance(error, UserError):
            raise error
        self._session.refused.emit(error)

    def _record(self) -> None:
        place, _ = QFileDialog.getSaveFileName(self, self.tr("Record this machine"), "host.json", "JSON (*.json)")
        if place:
            self._state.setText(self.tr("reading the machine …"))
            tasks.run(lambda: recorded.save(recorded.record(), Path(place)), self._recorded, self._failed, self)

    def _recorded(self, _: None) -> None:
        self._state.setText(self.tr("recorded"))

    def _open(self) -> None:
        place, _ = QFileDialog.getOpenFileName(self, self.tr("Look at a recorded machine"), "", "JSON (*.json)")
        if place:
            tasks.run(lambda: recorded.describe(recorded.load(Path(place))), self._look_at, self._failed, self)

    def _look_at(self, host: HostInfo | None) -> None:
        """Show a recorded machine; None shows this one again."""
        self._other = host
        self._state.setText("")
        self._again.setEnabled(host is None)
        self._follow()

    def _follow(self) -> None:
        self._back.setEnabled(self._other is not None)
        while (item := self._content.takeAt(0)) is not None:
            if widget := item.widget():
                widget.deleteLater()
        host = self._other or self._session.host
        if host is None:
            self._content.addWidget(MutedLabel(self.tr("Reading the machine …")))
            self._content.addStretch(1)
            return
        title = self.tr("Recorded machine") if host.recorded else self.tr("Machine")
        self._content.addWidget(self._titled(title, _form(facts(host))))
        if host.warnings:
            notes = _form([("", said(text)) for text in host.warnings])
            self._content.addWidget(self._titled(self.tr("Worth knowing"), notes))
        if host.advice:
            rows = [("", f"{said(one.text)}\n{said(one.command)}") for one in host.advice]
            self._content.addWidget(self._titled(self.tr("For steadier numbers, as administrator"), _form(rows)))
        engines = _engines(host) if host.engines else MutedLabel(self.tr("The engines are being tried …"))
        if host.engines or not host.recorded:
            self._content.addWidget(self._titled(self.tr("Engines"), engines))
        places = [(self.tr("studies"), str(paths.user_data())), (self.tr("caches, logs"), str(paths.user_cache()))]
        self._content.addWidget(self._titled(self.tr("Files"), _form(places)))
        self._content.addStretch(1)

    def _titled(self, title: str, content: QWidget) -> QWidget:
        label = QLabel(title)
        font = label.font()
        font.setBold(True)
        label.setFont(font)
        block = QWidget()
        column = QVBoxLayout(block)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.SPACE // 2)
        column.addWidget(label)
        column.addWidget(content)
        return block


def facts(host: HostInfo) -> list[tuple[str, str]]:
    """Return what is known about the machine as names and values, for people."""
    cpu = host.cpu
    shape = [
        f"{cpu.packages} × " if cpu.packages > 1 else "",
        _tr("{0} cores, {1} threads").format(cpu.physical_cores, cpu.logical_cpus),
        _tr(", P and E cores") if cpu.hybrid else "",
        _tr(", {0} NUMA nodes").format(len(cpu.numa_nodes)) if len(cpu.numa_nodes) > 1 else "",
        _tr(", virtual machine") if host.virtual_machine else "",
        _tr(", in a container ({0})").format(host.container) if host.container else "",
    ]
    may_use = _tr("CPUs {0}").format(format_cpu_list(host.usable_cpus))
    may_use += _tr(", quota {0} CPUs").format(f"{host.cpu_quota:g}") if host.cpu_quota else ""
    memory = f"{host.memory_mb:,} MB"
    memory += _tr(", limit {0} MB").format(f"{host.memory_limit_mb:,}") if host.memory_limit_mb else ""
    found = [
        ("CPU", cpu.model),
        (_tr("topology"), "".join(shape)),
        (_tr("instructions"), _tr("{0} (INT8 as on {1})").format(", ".join(cpu.isa), cpu.int8_level)),
        (_tr("note"), said(cpu.isa_note)),
        (_tr("may use"), may_use),
        (_tr("default threads"), str(host.default_threads)),
        (_tr("caches"), ", ".join(f"{name} {_size(entry.total_kb)}" for name, entry in cpu.caches.items())),
        (_tr("memory"), memory),
        (_tr("may lock"), _lockable(host.mlock_limit_kb)),
        (_tr("governor"), host.governor or _tr("not visible here")),
        (_tr("clock"), _clock(host)),
        (_tr("slowed down"), _slowed(host)),
        (_tr("system"), said(host.os) + (f", glibc {host.glibc}" if host.glibc else "")),
        ("Python", host.python),
        (_tr("not readable"), "; ".join(f"{said(name)} ({said(why)})" for name, why in host.unread.items())),
    ]
    return [(name, value) for name, value in found if value]


def _lockable(kib: int | None) -> str:
    return "" if kib is None else _tr("memory without limit") if kib < 0 else _tr("{0} of memory").format(_size(kib))


def _clock(host: HostInfo) -> str:
    turbo = {None: "", True: _tr("turbo on"), False: _tr("turbo off")}[host.turbo]
    low, high = host.mhz or (0.0, 0.0)
    now = f"{low:.0f} … {high:.0f} MHz" if high - low > 1 else f"{high:.0f} MHz" if high else ""
    return ", ".join(part for part in (host.driver or "", turbo, now) if part)


def _slowed(host: HostInfo) -> str:
    heat, quota = host.thermal_throttles, host.quota_throttles
    parts = (
        "" if heat is None else _tr("{0} times by heat since boot").format(f"{heat:,}"),
        "" if quota is None else _tr("{0} times by the CPU quota").format(f"{quota:,}"),
    )
    return ", ".join(part for part in parts if part)


def engine_in_words(engine: EngineStatus) -> str:
    """Return whether an engine works, and why not."""
    state = _tr("works")
    if not engine.available:
        state = _tr("not available: {0}").format(said(engine.reason) or _tr("unknown"))
    parts = [engine.version or "", state, f"({said(engine.note)})" if engine.note else ""]
    return " ".join(part for part in parts if part)


def _tr(text: str) -> str:
    return QCoreApplication.translate("EnvironmentPage", text)


def _engines(host: HostInfo) -> QWidget:
    table = QWidget()
    grid = QGridLayout(table)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(theme.SPACE)
    grid.setVerticalSpacing(theme.SPACE // 2)
    top = Qt.AlignmentFlag.AlignTop
    for row, engine in enumerate(host.engines):
        grid.addWidget(IconLabel("ok" if engine.available else "error"), row, 0, top)
        grid.addWidget(QLabel(engine.name), row, 1, top)
        grid.addWidget(_value(engine_in_words(engine)), row, 2)
    grid.setColumnStretch(2, 1)
    return table


def _form(rows: list[tuple[str, str]]) -> QWidget:
    form = QWidget()
    layout = QFormLayout(form)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setHorizontalSpacing(theme.SPACE * 2)
    layout.setVerticalSpacing(theme.SPACE // 2)
    layout.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
    for name, value in rows:
        if not name:
            layout.addRow(_value(value))
            continue
        label = MutedLabel(name)
        label.setWordWrap(False)
        layout.addRow(label, _value(value))
    return form


def _value(text: str) -> QLabel:
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


def _size(kib: int) -> str:
    return f"{kib / 1024:g} MB" if kib >= 1024 else f"{kib} KB"
