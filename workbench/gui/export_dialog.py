"""The dialog that makes a bundle of a trial: where to, what will be in it, every check of it as it comes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, QUrl
from PySide6.QtGui import QCloseEvent, QDesktopServices
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from workbench.core.figures import decimals, milliseconds
from workbench.core.trial import Trial
from workbench.errors import UserError
from workbench.gui import theme
from workbench.gui.bundle_jobs import Exporting
from workbench.gui.check_list import CheckList
from workbench.gui.job import Job
from workbench.gui.labels import ElidedLabel, MutedLabel, Remark
from workbench.gui.language import said
from workbench.gui.section import scrolling
from workbench.gui.segmented import Segmented
from workbench.gui.session import Session
from workbench.gui.status_bar import phase_in_words

if TYPE_CHECKING:
    from workbench.export.verify import Check, Verification


class ExportDialog(QDialog):
    """Asks where to, exports in a job of the session, and says whether the bundle is there.

    While it exports, closing only hides it; it comes back at the end.

    Args:
        folder: where bundles were put last.
    """

    def __init__(self, session: Session, trial: Trial, folder: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Export a bundle"))
        self._session = session
        self._trial = trial
        self._state = "asking"
        self._hidden = False
        self.kind = Segmented([("folder", self.tr("Folder")), ("zip", self.tr("Zip file"))])
        self.kind.set_value("folder")
        self.kind.chosen.connect(self._follow_kind)
        self.place = QLineEdit(str(folder / f"{_stem(trial)}-{trial.id}"))
        self.place.setAccessibleName(self.tr("Place"))
        self.place.textChanged.connect(self._judge)
        self._browse = QToolButton()
        self._browse.setIcon(theme.icon("folder"))
        self._browse.setToolTip(self.tr("Choose where to put it"))
        self._browse.setAccessibleName(self._browse.toolTip())
        self._browse.clicked.connect(self._choose)
        self.fault = Remark()
        self.phase = ElidedLabel()
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setFixedHeight(8)
        self.checks = CheckList()
        self.outcome = Remark()
        self.show_folder = QPushButton(theme.icon("folder"), self.tr("&Open the folder"))
        self.show_folder.setAutoDefault(False)
        self.show_folder.clicked.connect(self._open_folder)
        self.go = QPushButton(self.tr("&Export"))
        self.go.setDefault(True)
        self.go.clicked.connect(self._export)
        self.stop = QPushButton(self.tr("Cancel"))
        self.stop.setAutoDefault(False)
        self.stop.clicked.connect(self._stop)
        self._arrange()
        session.job_started.connect(self._follow_job)
        session.job_ended.connect(self._follow_end)
        self._judge()
        self._show_state("asking")
        self.resize(620, 470)

    # -- arrangement --------------------------------------------------------------------------------

    def _arrange(self) -> None:
        where = QWidget()
        row = QHBoxLayout(where)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.place, 1)
        row.addWidget(self._browse)
        form = QFormLayout()
        form.setSpacing(theme.SPACE)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        trial = ElidedLabel()
        trial.setText(self._described())
        form.addRow(self.tr("Trial"), trial)
        form.addRow(self.tr("As"), self.kind)
        form.addRow(self.tr("&To"), where)
        label = form.labelForField(where)
        assert isinstance(label, QLabel)
        label.setBuddy(self.place)
        self._pages = QStackedWidget()
        self._pages.addWidget(self._contents())
        self._pages.addWidget(self._progress())
        buttons = QHBoxLayout()
        buttons.addWidget(self.show_folder)
        buttons.addStretch(1)
        buttons.addWidget(self.stop)
        buttons.addWidget(self.go)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.SPACE * 2, theme.SPACE * 2, theme.SPACE * 2, theme.SPACE * 2)
        column.setSpacing(theme.SPACE)
        column.addLayout(form)
        column.addWidget(self.fault)
        column.addSpacing(theme.SPACE)
        column.addWidget(self._pages, 1)
        column.addWidget(self.outcome)
        column.addLayout(buttons)

    def _contents(self) -> QWidget:
        lines = [
            self.tr("the model as {0} runs it, and its FP32 original").format(self._trial.config.get("engine")),
            self.tr("all settings, and what was measured with them"),
            self.tr("golden samples with the outputs that belong to them, and how pictures are prepared"),
            self.tr("run.py: a self-test, and a loop that answers all day and watches for drift"),
            self.tr("requirements.txt with exact versions, a Dockerfile, a systemd unit, start.bat for Windows"),
            self.tr("a README in English and Chinese, and the hash of every file"),
        ]
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.SPACE // 2)
        column.addWidget(QLabel(self.tr("What will be in it")))
        for line in lines:
            column.addWidget(MutedLabel(f"•  {line}"))
        column.addSpacing(theme.SPACE)
        column.addWidget(
            MutedLabel(
                self.tr(
                    "The trial is measured once more, and what was measured is saved. The bundle gets its name only "
                    "after fresh processes have run it from its own files. That takes a minute or two."
                )
            )
        )
        column.addStretch(1)
        return scrolling(page)

    def _progress(self) -> QWidget:
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.checks)
        column.addStretch(1)
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.SPACE)
        column.addWidget(self.phase)
        column.addWidget(self.bar)
        column.addWidget(scrolling(inner), 1)
        return page

    def _described(self) -> str:
        trial, config = self._trial, self._trial.config
        parts = [f"{trial.id}", f"{config.get('engine')} {str(config.get('precision')).upper()}"]
        if trial.latency is not None:
            parts.append(f"p50 {milliseconds(trial.latency.p50_ms)} ms")
        if trial.accuracy is not None and trial.accuracy.samples:
            parts.append(self.tr("cosine {0}").format(decimals(trial.accuracy.cosine_mean)))
        return "  ·  ".join(parts)

    # -- asking -------------------------------------------------------------------------------------

    def out(self) -> Path:
        """Return where the bundle shall be."""
        return Path(self.place.text().strip()).expanduser()

    def _follow_kind(self, kind: str) -> None:
        path = self.out()
        plain = path.with_suffix("") if path.suffix == ".zip" else path
        self.place.setText(str(plain.with_name(f"{plain.name}.zip") if kind == "zip" else plain))

    def _choose(self) -> None:
        # The dialog asks before an existing file is taken, but nothing is ever overwritten here.
        options = QFileDialog.Option.DontConfirmOverwrite
        title, what = self.tr("Where to put the bundle"), self.tr("Bundles (*)")
        path, _ = QFileDialog.getSaveFileName(self, title, str(self.out()), what, options=options)
        if path:
            self.place.setText(path)

    def _judge(self) -> None:
        path, text = self.out(), self.place.text().strip()
        self.kind.set_value("zip" if path.suffix == ".zip" else "folder")
        fault = ""
        if text and not path.is_absolute():
            fault = self.tr("Give the whole path.")
        elif text and path.exists() and (path.is_file() or any(path.iterdir())):
            fault = self.tr("{0} exists already, and nothing is overwritten: choose another name.").format(path.name)
        if self._trial.status != "ok":
            fault = self.tr("Trial {0} is not ok: {1}").format(self._trial.id, said(self._trial.reason))
        self.fault.say(fault)
        self.go.setEnabled(bool(text) and not fault)

    # -- exporting ----------------------------------------------------------------------------------

    def _export(self) -> None:
        self.checks.clear()
        self.outcome.say("")
        self._show_state("exporting")
        self.phase.setText(self.tr("Starting the worker"))
        self._session.export(self._trial, self.out())

    def _follow_job(self, job: Job) -> None:
        if not isinstance(job, Exporting) or self._state != "exporting":
            return
        job.progressed.connect(self._follow_progress)
        job.checked.connect(self._follow_check)
        job.exported.connect(self._follow_outcome)
        job.refused.connect(self._follow_refusal)
        job.broke.connect(self._follow_bug)

    def _follow_progress(self, phase: str, done: int, total: int) -> None:
        words = phase_in_words(phase)
        self.phase.setText(words[:1].upper() + words[1:] + (f" {done} / {total}" if total else ""))
        self.bar.setMaximum(max(total, 1))
        self.bar.setValue(min(done, total))

    def _follow_check(self, check: Check) -> None:
        self.phase.setText(self.tr("Verifying"))
        self.checks.add(check.name, check.ok, check.detail)

    def _follow_outcome(self, trial: Trial, found: Verification | None) -> None:
        if found is None:
            text = self.tr("Nothing was exported: the trial is {0} this time: {1}")
            self._say_end(text.format(said(trial.status), said(trial.reason)))
        elif not found.ok:
            self._say_end(self.tr("Nothing was exported: a check failed. Measure the trial again and export that."))
        else:
            self._say_end(self.tr("Export OK: {0}").format(self.out()), fine=True)

    def _follow_refusal(self, error: UserError) -> None:
        self._say_end("\n".join(said(part) for part in (error.what, error.why, error.next_step) if part))

    def _follow_bug(self, _: str) -> None:
        self._say_end(self.tr("Nothing was exported: a bug of ours."))

    def _say_end(self, text: str, *, fine: bool = False) -> None:
        self.outcome.say(text, "ok" if fine else "error", "ok" if fine else "error")
        self._show_state("exported" if fine else "failed")

    def _follow_end(self, _: Trial | None) -> None:
        # Another job may have ended to make room for this one, which then starts within this turn of the loop.
        QTimer.singleShot(0, self, self._follow_silence)

    def _follow_silence(self) -> None:
        if self._state == "exporting" and not isinstance(self._session.job, Exporting):
            self.outcome.say(self.tr("Cancelled; nothing was exported."), "info", "muted")
            self._show_state("failed")
        if self._state != "exporting" and self._hidden:
            self._hidden = False
            self.show()

    def _stop(self) -> None:
        if self._state != "exporting":
            self.close()
            return
        self.phase.setText(self.tr("Cancelling …"))
        self.stop.setEnabled(False)
        self._session.stop()
        if self._session.job is None:
            self._follow_silence()

    def _open_folder(self) -> None:
        out = self.out()
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(out if out.is_dir() else out.parent)))

    def _show_state(self, state: str) -> None:
        """Show what belongs to ``asking``, ``exporting``, ``exported`` or ``failed``."""
        self._state = state
        busy = state == "exporting"
        self._pages.setCurrentIndex(0 if state == "asking" else 1)
        for field in (self.kind, self.place, self._browse):
            field.setEnabled(state in ("asking", "failed"))
        self.phase.setVisible(busy)
        self.bar.setVisible(busy)
        self.go.setVisible(state != "exported")
        self.go.setEnabled(not busy)
        self.go.setText(self.tr("&Export") if state in ("asking", "exporting") else self.tr("&Export again"))
        self.stop.setEnabled(True)
        self.stop.setText(self.tr("Cancel") if busy else self.tr("Close"))
        self.show_folder.setVisible(state == "exported")
        if state in ("asking", "failed"):
            self._judge()

    # -- closing ------------------------------------------------------------------------------------

    def reject(self) -> None:
        """Escape closes, or hides while it exports."""
        if not self._hide_for_now():
            super().reject()

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802 - Qt's name
        """Close, or hide while it exports."""
        if self._hide_for_now():
            event.ignore()
        else:
            super().closeEvent(event)

    def _hide_for_now(self) -> bool:
        if self._state == "exporting":
            self._hidden = True
            self.hide()
        return self._hidden


def _stem(trial: Trial) -> str:
    return Path(trial.model.name.removeprefix("sample:")).stem
