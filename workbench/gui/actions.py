"""Everything that menus, the tool bar and shortcuts can do, one :class:`QAction` each.

The main window puts them into menus; nothing else lists them. What cannot be done now is greyed here.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence

from workbench.core.trial import Trial
from workbench.gui import language, theme
from workbench.gui.delivery import Delivery
from workbench.gui.job import Job
from workbench.gui.opening import Opener
from workbench.gui.session import RUN_ONCE, Session

MANY_RUNS = 10_000


class Actions(QObject):
    """The actions that need a session, an opener or a delivery; each attribute is one."""

    def __init__(self, session: Session, opener: Opener, delivery: Delivery, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        make = self._make
        self.open_model = make(self.tr("&Open model …"), opener.choose_model, "open", QKeySequence.StandardKey.Open)
        self.open_callable = make(
            self.tr("Open &callable …"), opener.choose_callable, "python", "Ctrl+Shift+O",
            self.tr("A function or class in a Python file that builds the model"),
        )  # fmt: skip
        self.open_folder = make(self.tr("&Data folder …"), opener.choose_folder, "image", "Ctrl+D")
        self.open_arrays = make(self.tr("Data from &array file …"), opener.choose_arrays, "table")
        self.open_study = make(self.tr("Open &study …"), opener.choose_study, "study")
        self.load_config = make(self.tr("&Load config …"), opener.load_config, "settings", "Ctrl+L")
        self.save_config = make(
            self.tr("Sa&ve config …"), opener.save_config, "save", QKeySequence.StandardKey.Save,
            self.tr("The knobs as a TOML file, as `workbench measure --config` takes it"),
        )  # fmt: skip
        self.export = make(
            self.tr("&Export …"), delivery.export_selected, "export", "Ctrl+E",
            self.tr("A folder of the selected trial that runs by itself on the target"),
        )  # fmt: skip
        self.open_bundle = make(
            self.tr("Open &bundle …"), delivery.open_bundle, "import", "",
            self.tr("Run what was exported on another machine, and see what is otherwise here"),
        )  # fmt: skip
        self.reports = [
            make(title, partial(delivery.report, code), "report", "", self.tr("One page to read and print"))
            for code, title in language.NAMES.items()
        ]
        self.undo = session.undo.createUndoAction(self, self.tr("&Undo"))
        self.undo.setIcon(theme.icon("undo"))
        self.undo.setShortcuts(QKeySequence.StandardKey.Undo)
        self.redo = session.undo.createRedoAction(self, self.tr("&Redo"))
        self.redo.setIcon(theme.icon("redo"))
        self.redo.setShortcuts(QKeySequence.StandardKey.Redo)
        self.run = make(
            self.tr("&Run"), session.run_once, "play", "F5",
            self.tr("Measure once: {runs} runs in a fresh process").format(runs=RUN_ONCE),
        )  # fmt: skip
        self.live = make(
            self.tr("&Live"), lambda: None, "live", "F6", self.tr("Measure on; every turn of a knob starts anew")
        )
        self.live.setCheckable(True)
        self.live.triggered.connect(self._toggle_live)
        self.many = make(
            self.tr("{runs:,} runs").format(runs=MANY_RUNS), lambda: session.run_once(MANY_RUNS), "many", "Ctrl+F5",
            self.tr("Long enough to see the rare slow runs"),
        )  # fmt: skip
        self.stop = make(
            self.tr("&Stop"), session.stop, "stop", "Shift+F5", self.tr("What was measured until now is kept")
        )
        self.set_baseline = make(
            self.tr("Selected trial as &baseline"), lambda: session.set_baseline(session.selected), "baseline",
            "Ctrl+B", self.tr("Draw it behind what is measured next"),
        )  # fmt: skip
        self.clear_baseline = make(self.tr("No baseline"), lambda: session.set_baseline(None))
        self.against_baseline = make(
            self.tr("Compare &knobs with baseline"), session.pins.current_against_baseline, "compare", "Ctrl+Shift+K",
            self.tr("Pin what the knobs say now as A, and the baseline as B"),
        )  # fmt: skip
        self.compare = make(
            self.tr("&Measure side by side"), session.compare, "compare", "F7",
            self.tr("Run A and B in several fresh processes each, in turn"),
        )  # fmt: skip
        self.against_itself = make(
            self.tr("Measure against &itself (A/A)"), session.pins.measure_against_itself, "itself", "Ctrl+F7",
            self.tr("How much does this machine differ from itself? The selected trial's config, or else the knobs"),
        )  # fmt: skip
        self.climb = make(
            self.tr("Climb the l&adder"), session.climb, "ladder", "F8",
            self.tr("From the naive way to INT8, one knob at a time: what each step buys"),
        )  # fmt: skip
        self.sweep = make(
            self.tr("S&weep a knob"), session.sweep, "sweep", "F9",
            self.tr("The values chosen in the sweep panel, against the knobs as they are"),
        )  # fmt: skip
        session.pins.changed.connect(self._follow)
        session.subject_changed.connect(self._follow)
        session.selection_changed.connect(self._follow)
        session.job_started.connect(self._follow_job)
        session.job_ended.connect(self._follow_job)
        self._follow()

    def _make(
        self,
        text: str,
        what: Callable[[], object],
        icon: str = "",
        shortcut: QKeySequence.StandardKey | str | None = None,
        tip: str = "",
    ) -> QAction:
        action = QAction(text, self)
        if icon:
            action.setIcon(theme.icon(icon))
        if isinstance(shortcut, str):
            action.setShortcut(QKeySequence(shortcut))
        elif shortcut is not None:
            action.setShortcuts(shortcut)
        plain = text.replace("&", "").removesuffix(" …")
        keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        title = f"{plain} ({keys})" if keys else plain
        action.setToolTip(f"{title}\n{tip}" if tip else title)
        action.triggered.connect(lambda *_: what())
        return action

    def _toggle_live(self, on: bool) -> None:
        if on:
            self._session.run_live()
        else:
            self._session.stop()

    def _follow_job(self, _: Job | Trial | None) -> None:
        self._follow()

    def _follow(self) -> None:
        session = self._session
        ready, running = session.subject is not None, session.job is not None
        for action in (self.run, self.live, self.many, self.against_itself, self.climb, self.sweep):
            action.setEnabled(ready)
        for action in (self.open_folder, self.open_arrays):
            action.setEnabled(ready)
        self.stop.setEnabled(running)
        self.live.setChecked(session.live)
        chosen = session.selected
        self.export.setEnabled(chosen is not None and chosen.id is not None)
        for action in self.reports:
            # Drawing takes a second of all cores, which is not for those that are being measured on.
            action.setEnabled(
                chosen is not None and chosen.id is not None and chosen.latency is not None and not running
            )
        self.set_baseline.setEnabled(session.selected is not None)
        self.clear_baseline.setEnabled(session.baseline is not None)
        self.against_baseline.setEnabled(session.baseline is not None)
        self.compare.setEnabled(ready and session.pins.are_both())
