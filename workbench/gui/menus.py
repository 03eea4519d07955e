"""Menus and tool bar of the main window: which action is found where."""

from __future__ import annotations

from typing import TYPE_CHECKING

import PySide6
from PySide6.QtCore import QObject, QSize, Qt
from PySide6.QtGui import QActionGroup, QKeySequence
from PySide6.QtWidgets import QLabel, QMenu, QMessageBox, QSizePolicy, QToolBar, QToolButton, QWidget

from workbench import __version__
from workbench.core.samples import summaries
from workbench.gui import language, theme
from workbench.gui.language import said

if TYPE_CHECKING:
    from workbench.gui.main_window import MainWindow


class Menus(QObject):
    """Fills the bars of a window once, and the list of recent models whenever it changes."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._fill_tool_bar()
        self._fill_file(self._menu(self.tr("&File")))
        actions = window.acts
        edit = self._menu(self.tr("&Edit"))
        edit.addActions([actions.undo, actions.redo])
        run = self._menu(self.tr("&Run"))
        run.addActions([actions.run, actions.live, actions.many, actions.stop])
        run.addSeparator()
        run.addActions([actions.set_baseline, actions.clear_baseline])
        run.addSeparator()
        run.addActions(
            [actions.against_baseline, actions.compare, actions.against_itself, actions.climb, actions.sweep]
        )
        self._fill_view(self._menu(self.tr("&View")))
        about = self._menu(self.tr("&Help"))
        about.addAction(theme.icon("cpu"), self.tr("&Environment"), window.show_environment)
        about.addAction(theme.icon("info"), self.tr("&About"), lambda: show_about(window))
        window.recent.changed.connect(self._fill_recent)
        window.session.job_started.connect(self._follow_job)
        window.session.job_ended.connect(self._follow_job)
        self._follow_job()

    def _follow_job(self, _: object = None) -> None:
        # Another language means another window, and what a run has shown so far stands in this one.
        self._languages.setEnabled(self._window.session.job is None)

    def _menu(self, title: str) -> QMenu:
        menu = self._window.menuBar().addMenu(title)
        menu.setToolTipsVisible(True)
        return menu

    def _fill_tool_bar(self) -> None:
        window, actions = self._window, self._window.acts
        bar = QToolBar(self.tr("Measuring"))
        bar.setObjectName("measuring")
        theme.dress(bar)
        bar.setMovable(False)
        bar.setIconSize(QSize(20, 20))
        bar.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        bar.addActions([actions.run, actions.live, actions.many, actions.stop])
        bar.addSeparator()
        bar.addAction(actions.export)
        bar.addSeparator()
        for action in (actions.undo, actions.redo):
            bar.addAction(action)
            button = bar.widgetForAction(action)
            assert isinstance(button, QToolButton)
            # Its text is the last change; a button of changing width would move its neighbours.
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        gap = QWidget()
        gap.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        bar.addWidget(gap)
        label = QLabel(self.tr("&Deadline"))
        label.setBuddy(window.deadline)
        label.setContentsMargins(0, 0, theme.SPACE // 2, 0)
        bar.addWidget(label)
        bar.addWidget(window.deadline)
        bar.toggleViewAction().setVisible(False)
        window.addToolBar(bar)

    def _fill_file(self, menu: QMenu) -> None:
        window, actions = self._window, self._window.acts
        menu.addActions([actions.open_model, actions.open_callable])
        samples = menu.addMenu(theme.icon("model"), self.tr("Open sa&mple"))
        for sample in summaries():
            action = samples.addAction(said(sample.title))
            action.setEnabled(not sample.missing)
            action.triggered.connect(lambda _=False, name=sample.name: window.open_sample(f"sample:{name}"))
        self._recent = menu.addMenu(theme.icon("clock"), self.tr("Open &recent"))
        self._recent.setToolTipsVisible(True)
        self._fill_recent()
        menu.addSeparator()
        menu.addActions([actions.open_folder, actions.open_arrays])
        menu.addSeparator()
        menu.addActions([actions.open_study, actions.open_bundle])
        menu.addSeparator()
        menu.addActions([actions.load_config, actions.save_config])
        menu.addSeparator()
        menu.addAction(actions.export)
        reports = menu.addMenu(theme.icon("report"), self.tr("Re&port"))
        reports.setToolTipsVisible(True)
        reports.addActions(actions.reports)
        menu.addSeparator()
        leave = menu.addAction(self.tr("&Quit"), window.close)
        leave.setShortcut(QKeySequence("Ctrl+Q"))

    def _fill_recent(self) -> None:
        menu, window = self._recent, self._window
        menu.clear()
        entries = window.recent.entries()
        for entry in entries:
            action = menu.addAction(entry.title)
            action.setToolTip(entry.text)
            action.triggered.connect(lambda _=False, entry=entry: window.open_recent(entry))
        menu.setEnabled(bool(entries))
        menu.addSeparator()
        menu.addAction(self.tr("&Clear list"), window.recent.clear)

    def _fill_view(self, menu: QMenu) -> None:
        window = self._window
        for dock in window.docks.values():
            menu.addAction(dock.toggleViewAction())
        go_to = menu.addMenu(self.tr("&Go to"))
        for number, (key, dock) in enumerate(window.docks.items(), 1):
            action = go_to.addAction(dock.windowTitle())
            action.setShortcut(QKeySequence(f"Ctrl+{number}"))
            action.triggered.connect(lambda _=False, key=key: window.go_to(key))
        go_to.addSeparator()
        for number, panel in enumerate((panel for panel in window.wanted if panel.place == "centre"), 1):
            action = go_to.addAction(panel.title)
            action.setShortcut(QKeySequence(f"Alt+{number}"))
            action.triggered.connect(lambda _=False, key=panel.key: window.go_to(key))
        menu.addSeparator()
        themes = menu.addMenu(self.tr("&Theme"))
        themes.addActions(self._themes().actions())
        self._languages = menu.addMenu(self.tr("&Language"))
        self._languages.addActions(self._known_languages().actions())
        menu.addAction(self.tr("&Reset layout"), window.reset_layout)
        menu.addSeparator()
        menu.addAction(theme.icon("home"), self.tr("&Start page"), window.show_start)

    def _themes(self) -> QActionGroup:
        titles = {"system": self.tr("As the &system"), "light": self.tr("&Light"), "dark": self.tr("&Dark")}
        group = QActionGroup(self)
        for mode in theme.MODES:
            action = group.addAction(titles[mode])
            action.setCheckable(True)
            action.setChecked(mode == self._window.theme_mode)
            action.triggered.connect(lambda _=False, chosen=mode: self._window.choose_theme(chosen))
        return group

    def _known_languages(self) -> QActionGroup:
        group = QActionGroup(self)
        choices = {"system": self.tr("As the &system"), **{str(name): title for name, title in language.NAMES.items()}}
        for name, title in choices.items():
            action = group.addAction(title)
            action.setCheckable(True)
            action.setChecked(name == self._window.language_setting)
            action.triggered.connect(lambda _=False, chosen=name: self._window.choose_language(chosen))
        return group


def show_about(parent: QWidget) -> QMessageBox:
    """Show versions and licence, without blocking."""
    text = parent.tr(
        "Shows, measures and proves what each inference optimisation really does on this x86 CPU.\n\n"
        "MIT licence. Qt is used under the LGPL, through PySide6 {pyside}."
    )
    box = QMessageBox(parent)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.setWindowTitle(parent.tr("About"))
    box.setIconPixmap(theme.icon("app", "live").pixmap(QSize(48, 48), parent.devicePixelRatio()))
    box.setText(f"Inference Workbench {__version__}")
    box.setInformativeText(text.format(pyside=PySide6.__version__))
    box.open()
    return box
