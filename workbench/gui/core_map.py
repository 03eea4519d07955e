"""The machine's CPUs to choose from: packages, NUMA nodes, cores and hyper-threads, with their load.

Shows and edits ``runtime.affinity`` of the session's config. The load is read once a second while nothing is
timed, and in the gaps between bursts while something is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping

import psutil
from PySide6.QtCore import QElapsedTimer, QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from workbench.core.config import Config
from workbench.gui import theme
from workbench.gui.core_canvas import CoreCanvas
from workbench.gui.job import Job
from workbench.gui.labels import ElidedLabel, MutedLabel, Remark
from workbench.gui.language import said
from workbench.gui.section import scrolling
from workbench.gui.session import Session
from workbench.host.affinity import affinity_presets
from workbench.host.cpulist import format_cpu_list, parse_cpu_list
from workbench.host.topology import Topology

LOAD_MS = 1000
GAP_MS = 500
"""The load is not read more often than this, in gaps either."""

ReadLoad = Callable[[], list[float]]


def read_load() -> list[float]:
    """Return how busy each online CPU was since the last call, in percent."""
    return psutil.cpu_percent(percpu=True)


class CoreMap(QWidget):
    """Cells to choose CPUs by; *topology* and *usable* replace what the session's host says."""

    def __init__(
        self,
        session: Session,
        topology: Topology | None = None,
        usable: Iterable[int] | None = None,
        load: ReadLoad = read_load,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._injected = topology is not None
        self._topology = Topology(())
        self._usable: tuple[int, ...] = ()
        self._load: Mapping[int, float] = {}
        self._read_load = load
        self._looked_at: int | None = None
        self._presets: dict[QToolButton, tuple[int, ...]] = {}
        self.canvas = CoreCanvas()
        self.canvas.chosen.connect(self._choose)
        self.canvas.looked_at.connect(self._look_at)
        self.summary = ElidedLabel()
        self.remark = Remark()
        self.detail = MutedLabel()
        self.unpin = QToolButton()
        self.unpin.setText(self.tr("Unpin"))
        self.unpin.setToolTip(self.tr("Let the worker run on all CPUs that may be used (Delete)"))
        self.unpin.clicked.connect(lambda: self._choose(()))
        self._preset_grid = QGridLayout()
        self._preset_grid.setSpacing(theme.SPACE // 2)
        self._build()
        self._timer = QTimer(self, interval=LOAD_MS)
        self._timer.timeout.connect(self._refresh_load)
        self._since_load = QElapsedTimer()
        session.config_changed.connect(self._follow)
        session.host_changed.connect(self._follow_host)
        session.job_started.connect(self._job_started)
        session.job_ended.connect(self._job_ended)
        if topology is not None:
            self.set_topology(topology, topology.online if usable is None else usable)
        else:
            self._follow_host()

    def _build(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(theme.SPACE)
        head.addWidget(self.summary, 1)
        head.addWidget(self.unpin)
        top = QVBoxLayout()
        top.setContentsMargins(theme.SPACE, theme.SPACE // 2, theme.SPACE, 0)
        top.setSpacing(theme.SPACE // 2)
        top.addLayout(head)
        top.addLayout(self._preset_grid)
        top.addWidget(self.remark)
        below = QVBoxLayout()
        below.setContentsMargins(theme.SPACE, 0, theme.SPACE, theme.SPACE // 2)
        below.addWidget(self.detail)
        self.detail.setMinimumHeight(self.detail.fontMetrics().lineSpacing() * 2)
        self.detail.setAlignment(Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.SPACE // 2)
        self._scroll = scrolling(self.canvas)
        self._scroll.viewport().installEventFilter(self)
        column.addLayout(top)
        column.addWidget(self._scroll, 1)
        column.addLayout(below)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Tell the canvas how high it may be without being scrolled."""
        if event.type() == QEvent.Type.Resize:
            self.canvas.set_room(self._scroll.viewport().height())
        return super().eventFilter(watched, event)

    # -- the machine --------------------------------------------------------------------------------

    def set_topology(self, topology: Topology, usable: Iterable[int]) -> None:
        """Show another machine, or the same with other CPUs to use."""
        self._topology, self._usable = topology, tuple(sorted(set(usable) & set(topology.online)))
        self.canvas.show_topology(topology, self._usable)
        for button in self._presets:
            self._preset_grid.removeWidget(button)
            button.deleteLater()
        self._presets.clear()
        for place, (name, cpus) in enumerate(affinity_presets(topology, self._usable).items()):
            button = QToolButton()
            button.setText(self._preset_words(name))
            button.setCheckable(True)
            button.setToolTip(self.tr("CPUs {0}").format(format_cpu_list(cpus)))
            button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            button.clicked.connect(lambda _=False, cpus=cpus: self._choose(cpus))
            self._presets[button] = cpus
            self._preset_grid.addWidget(button, place // 2, place % 2)
        self._follow()

    def preset_names(self) -> list[str]:
        """Return the words on the preset buttons."""
        return [button.text() for button in self._presets]

    def _preset_words(self, name: str) -> str:
        known = {
            "p-cores": self.tr("P cores"),
            "p-cores-one-thread": self.tr("P cores, one thread"),
            "one-per-core": self.tr("One per core"),
            "all": self.tr("All"),
        }
        node = name.removeprefix("node-")
        return known.get(name, name) if node == name else self.tr("Node {0}, one per core").format(node)

    def _follow_host(self) -> None:
        host = self._session.host
        if host is not None and not self._injected:
            self.set_topology(Topology(host.topology, host.cpu.numa_nodes), host.usable_cpus)
        elif host is None and not self._injected:
            self.summary.setText(self.tr("Looking at the machine …"))
            self.unpin.setEnabled(False)

    # -- config → map -------------------------------------------------------------------------------

    def _follow(self) -> None:
        config = self._session.config
        chosen, fault = self._chosen(config)
        self.canvas.show_chosen(chosen)
        self.unpin.setEnabled(bool(chosen))
        for button, cpus in self._presets.items():
            button.setChecked(cpus == chosen)
        if self._topology.cpus:
            self.summary.setText(self._summary(chosen))
            self.remark.say(fault or self._hint(config, chosen))
        self._describe()

    def _chosen(self, config: Config) -> tuple[tuple[int, ...], str]:
        """Return the CPUs that *config* asks for, and what is wrong with them."""
        node = config.number("runtime.numa_node")
        if node >= 0:
            cpus = tuple(cpu.id for cpu in self._topology.cpus if cpu.node == node and cpu.id in self._usable)
            return cpus, "" if cpus else self.tr("NUMA node {0} has no CPU that may be used.").format(node)
        try:
            cpus = parse_cpu_list(config.text("runtime.affinity"))
        except ValueError as error:
            return (), said(str(error))
        strange = sorted(set(cpus) - set(self._usable))
        fault = self.tr("CPU {0} may not be used.").format(format_cpu_list(strange)) if strange else ""
        return cpus, fault

    def _summary(self, chosen: tuple[int, ...]) -> str:
        if not chosen:
            return self.tr("Not pinned  ·  {0} CPUs may be used").format(len(self._usable))
        text = self.tr("Pinned to {0}  ·  {1} of {2} CPUs")
        return text.format(format_cpu_list(chosen), len(chosen), len(self._usable))

    def _hint(self, config: Config, chosen: tuple[int, ...]) -> str:
        """Return what is worth knowing about the choice, one sentence."""
        threads = config.number("runtime.threads")
        own = [cpu for cpu in self._topology.cpus if cpu.id in chosen]
        if chosen and threads > len(chosen):
            return self.tr("More threads ({0}) than CPUs ({1}).").format(threads, len(chosen))
        if {cpu.kind for cpu in self._topology.cpus if cpu.id in (chosen or self._usable)} >= {"P", "E"}:
            return self.tr("P and E cores together: the slowest decides when a layer is done.")
        if len({cpu.node for cpu in own}) > 1:
            return self.tr("The CPUs lie on several NUMA nodes: memory of another node is slower.")
        return ""

    # -- map → config -------------------------------------------------------------------------------

    def _choose(self, cpus: Iterable[int]) -> None:
        wanted = format_cpu_list(cpus)
        changes: dict[str, str | int] = {"runtime.affinity": wanted}
        if self._session.config.number("runtime.numa_node") >= 0:
            changes["runtime.numa_node"] = -1  # both would choose the CPUs
        self._session.set_knobs(changes, self.tr("CPUs: {0}").format(wanted or self.tr("all")))
        self._follow()  # also where nothing has changed: the canvas shows what is true

    # -- looking at one CPU -------------------------------------------------------------------------

    def _look_at(self, cpu: int | None) -> None:
        self._looked_at = cpu
        self._describe()

    def _describe(self) -> None:
        found = next((cpu for cpu in self._topology.cpus if cpu.id == self._looked_at), None)
        if found is None:
            self.detail.setText(
                self.tr("Click, drag, or arrows and Space; a title takes its group. The orange bar is the load.")
            )
            return
        parts = [
            self.tr("CPU {0}").format(found.id),
            self.tr("{0} core").format(found.kind) if found.kind else "",
            self.tr("core {0}").format(found.core),
            self.tr("package {0}").format(found.package),
            self.tr("node {0}").format(found.node),
            self.tr("{0} MHz").format(round(found.max_mhz)) if found.max_mhz else "",
            self.tr("{0} % busy").format(round(self._load[found.id])) if found.id in self._load else "",
            "" if found.id in self._usable else self.tr("may not be used by this process"),
        ]
        self.detail.setText("  ·  ".join(part for part in parts if part))
        self.canvas.setAccessibleDescription(self.detail.text())

    # -- load ---------------------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        """Watch the load while it can be seen."""
        super().showEvent(event)
        if self._session.job is None:
            self._refresh_load()
            self._timer.start()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802
        """Stop watching."""
        super().hideEvent(event)
        self._timer.stop()

    def _job_started(self, job: Job) -> None:
        self._timer.stop()
        job.burst.connect(self._gap)

    def _job_ended(self) -> None:
        if self.isVisible():
            self._timer.start()

    def _gap(self) -> None:
        # The worker waits until this burst is painted, so reading and drawing disturb nothing.
        if self.isVisible() and (not self._since_load.isValid() or self._since_load.elapsed() >= GAP_MS):
            self._refresh_load()

    def _refresh_load(self) -> None:
        self._since_load.start()
        values = self._read_load()
        online = sorted(self._topology.online)
        # psutil lists online CPUs in order, without their numbers.
        numbers = online if len(online) == len(values) else range(len(values))
        self._load = {cpu: share for cpu, share in zip(numbers, values, strict=False) if math.isfinite(share)}
        self.canvas.show_load(self._load)
        if self._looked_at is not None:
            self._describe()
