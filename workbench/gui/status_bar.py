"""The line at the bottom: this machine, how quiet it is, and what the worker is doing, with a way to stop it.

Nothing here is animated: a moving bar would be painted while runs are timed. The figures change with the
bursts, and so are painted in the gaps between them.
"""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QProgressBar, QStatusBar, QToolButton, QWidget

from workbench.core.config import Config
from workbench.core.trial import Trial
from workbench.gui import theme
from workbench.gui.job import Job
from workbench.gui.labels import ElidedLabel, IconLabel, Ticker
from workbench.gui.language import said
from workbench.gui.session import LIVE_RUNS, Session
from workbench.host.machine import HostInfo

_NAME_WORDS = 4


class StatusBar(QStatusBar):
    """Follows the session."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._taken = 0
        self._part = ""
        self.setSizeGripEnabled(False)
        theme.dress(self)
        self.host = ElidedLabel(self.tr("reading the machine …"))
        self._noise_icon = IconLabel("info", "muted")
        self.noise = ElidedLabel(self.tr("nothing measured yet"))
        self.work = Ticker()
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setFixedSize(120, 8)
        self.cancel = QToolButton()
        self.cancel.setIcon(theme.icon("stop"))
        self.cancel.setText(self.tr("Cancel"))
        self.cancel.setToolTip(self.tr("Stop the worker; what was measured is kept"))
        self.cancel.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.cancel.setAutoRaise(True)
        self.cancel.clicked.connect(session.stop)
        line = QWidget()
        row = QHBoxLayout(line)
        row.setContentsMargins(theme.SPACE, 0, theme.SPACE, 0)
        row.setSpacing(theme.SPACE)
        row.addWidget(self.host)
        row.addWidget(_rule())
        row.addWidget(self._noise_icon)
        row.addWidget(self.noise, 1)
        row.addWidget(_rule())
        row.addWidget(self.work)
        row.addWidget(self.bar)
        row.addWidget(self.cancel)
        self.addWidget(line, 1)
        # The line must not jump when a job starts and its button appears.
        line.setFixedHeight(self.cancel.sizeHint().height())
        session.host_changed.connect(self._follow_host)
        session.selection_changed.connect(self._follow_selection)
        session.opening.connect(self._follow_opening)
        session.job_started.connect(self._follow_start)
        session.job_ended.connect(self._follow_end)
        self._follow_host()
        self._show_idle()

    def _follow_host(self) -> None:
        host = self._session.host
        if host is not None:
            self.host.setText(short_host(host))
            self.host.setToolTip(f"{host.cpu.model}\n{host.os}")

    def _follow_selection(self) -> None:
        trial = self._session.selected
        latency = trial.latency if trial else None
        if trial is None or latency is None:
            words = self.tr("nothing measured yet") if trial is None else self.tr("not timed")
            self._say_noise("info", words, "")
            return
        details = "\n".join(map(said, [latency.noise, *trial.warnings]))
        self._say_noise("ok" if latency.stable else "warning", said(latency.noise), details)

    def _say_noise(self, icon: str, words: str, details: str) -> None:
        self._noise_icon.show_icon(icon, "muted" if icon == "info" else None)
        self.noise.setText(words)
        self.noise.setToolTip(details)

    def _follow_opening(self, name: str) -> None:
        if name:
            self._show_work(self.tr("opening {name} …").format(name=name))
        elif self._session.job is None:
            self._show_idle()

    def _follow_start(self, job: Job) -> None:
        self._taken, self._part = 0, ""
        job.began.connect(self._follow_part)
        job.progressed.connect(self._follow_progress)
        job.burst.connect(self._follow_burst)
        self._show_work(self.tr("starting the worker"))
        self._reserve(job)
        self._say_noise("info", self.tr("judged when the run has ended"), "")
        self.cancel.show()

    def _follow_part(self, _: Config, part: str) -> None:
        self._taken = 0
        if part:
            self._part = f"{part}: "
            job = self._session.job
            if job is not None:
                self._reserve(job)

    def _follow_progress(self, phase: str, done: int, total: int) -> None:
        self._show_work(self._part + phase_in_words(phase), done, total)

    def _follow_burst(self, samples: np.ndarray) -> None:
        self._taken += len(samples)
        job = self._session.job
        total = job.runs if job is not None and job.runs < LIVE_RUNS else 0
        self._show_work(self._part + phase_in_words("timing"), self._taken, total)

    def _follow_end(self, _: Trial | None) -> None:
        self._show_idle()
        self._follow_selection()

    def _show_idle(self) -> None:
        self._show_work(self.tr("idle"))
        self.work.shrink()
        self.cancel.hide()

    def _reserve(self, job: Job) -> None:
        """Keep room for the largest figures, so that nothing moves from burst to burst."""
        widest = f"{self._part}{phase_in_words('timing')} {job.runs:,}" + (
            f" / {job.runs:,}" if job.runs < LIVE_RUNS else ""
        )
        self.work.reserve(widest)

    def _show_work(self, text: str, done: int = 0, total: int = 0) -> None:
        if total:
            text += f" {done:,} / {total:,}"
            self.bar.setMaximum(total)
            self.bar.setValue(min(done, total))
        elif done:
            text += f" {done:,}"
        self.bar.setVisible(bool(total))
        self.work.setText(text)


def phase_in_words(phase: str) -> str:
    """Return the worker's word for what it does, capital letters left to the caller."""
    return said({"timing": "measuring"}.get(phase, phase))


def short_host(host: HostInfo) -> str:
    """Return the machine in a few words: processor, cores, what INT8 runs on."""
    name = " ".join(_brand(host.cpu.model)[:_NAME_WORDS])
    translate, count = QCoreApplication.translate, host.cpu.physical_cores
    cores = translate("StatusBar", "1 core") if count == 1 else translate("StatusBar", "{0} cores").format(count)
    return " · ".join((name, cores, host.cpu.int8_level))


def _brand(model: str) -> list[str]:
    """Return the words of a marketing name that tell processors apart."""
    plain = model.replace("(R)", "").replace("(TM)", "").partition("@")[0]
    dull = {"cpu", "processor", "genuine"}
    return [word for word in plain.split() if word.lower() not in dull and not word.lower().endswith("-core")]


def _rule() -> QFrame:
    rule = QFrame()
    rule.setFrameShape(QFrame.Shape.VLine)
    rule.setFrameShadow(QFrame.Shadow.Plain)
    rule.setFixedHeight(14)
    rule.setForegroundRole(rule.foregroundRole().Mid)
    return rule
