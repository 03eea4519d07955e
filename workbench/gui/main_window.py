"""The main window: it arranges panels, menus and the tool bar, and holds nothing else.

Made by :mod:`workbench.gui.app`. What panels there are says :mod:`workbench.gui.panels`; what can be done says
:mod:`workbench.gui.actions`; what is true says the session.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from PySide6.QtCore import QByteArray, QSettings, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QGuiApplication, QPaintEvent
from PySide6.QtWidgets import (
    QDockWidget,
    QDoubleSpinBox,
    QMainWindow,
    QStackedWidget,
    QTabBar,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from workbench.errors import UserError
from workbench.gui import tasks, theme, trust
from workbench.gui.actions import Actions
from workbench.gui.bug_dialog import report_bug
from workbench.gui.delivery import Delivery
from workbench.gui.environment_page import EnvironmentPage
from workbench.gui.error_bar import ErrorBar
from workbench.gui.furnishing import Furnishing
from workbench.gui.input_watch import InputWatch
from workbench.gui.job import Job
from workbench.gui.menus import Menus
from workbench.gui.opening import Opener, Recent, RecentModels, dropped
from workbench.gui.panels import Panel, Remembering, panels
from workbench.gui.session import Session
from workbench.gui.start_page import StartPage
from workbench.gui.status_bar import StatusBar
from workbench.gui.turns import Soon, Turns
from workbench.host.machine import HostInfo, describe_host

_LAYOUT_VERSION = 1
_AREAS = {
    "left": Qt.DockWidgetArea.LeftDockWidgetArea,
    "right": Qt.DockWidgetArea.RightDockWidgetArea,
    "bottom": Qt.DockWidgetArea.BottomDockWidgetArea,
}
_SIZES = (
    ("knobs", 320, Qt.Orientation.Horizontal),
    ("accuracy", 300, Qt.Orientation.Horizontal),
    ("trials", 190, Qt.Orientation.Vertical),
)


class MainWindow(QMainWindow):
    """One window on one session.

    Args:
        session: what it shows.
        settings: where layout, theme and recent models are remembered.
        wanted: the panels; all by default.
    """

    language_chosen = Signal()

    def __init__(
        self, session: Session, settings: QSettings | None = None, wanted: Sequence[Panel] | None = None
    ) -> None:
        super().__init__()
        self.session = session
        self._settings = settings or QSettings()
        self.theme_mode = theme.mode_of(self._settings.value("theme"))
        self.recent = RecentModels(self._settings, self)
        self.opener = Opener(session, self)
        InputWatch(session, self)
        self.delivery = Delivery(session, self._settings, self)
        self.opener.bundle_wanted.connect(self.delivery.import_bundle)
        self.acts = Actions(session, self.opener, self.delivery, self)
        self._turns = Turns(self)
        self._showing = Soon(self, self._show_when_made)
        self._page: EnvironmentPage | None = None
        self.setObjectName("main")
        self.setWindowIcon(theme.icon("app", "live"))
        self.setAcceptDrops(True)
        self.setDockNestingEnabled(True)
        self.setMinimumSize(QSize(640, 480))
        self._title_timer = QTimer(self, singleShot=True, interval=0)
        self._title_timer.timeout.connect(self._trim_titles)
        self.docks: dict[str, QDockWidget] = {}
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        theme.dress(self.tabs.tabBar())
        self.tabs.tabBar().setDrawBase(False)
        self.errors = ErrorBar()
        self.start_page = StartPage(self.recent)
        self.stack = QStackedWidget()
        self.wanted = tuple(panels() if wanted is None else wanted)
        self._furnishing = Furnishing(session, self.wanted, self._put, self)
        self._arrange(self.wanted)
        self.deadline = self._deadline_field()
        Menus(self)
        self.setStatusBar(StatusBar(session))
        self._connect()
        self._default_layout = self.saveState(_LAYOUT_VERSION)
        self._hidden_layout: QByteArray | None = None
        self._new = False
        self._restore()
        self._follow_subject()
        self._follow_trials()
        self._follow_deadline()

    # -- arranging ----------------------------------------------------------------------------------

    @property
    def panels(self) -> Mapping[str, QWidget]:
        """All panels by key; those that were not made yet are made now."""
        self._furnishing.finish()
        return self._furnishing.made

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Make the panels once there is something to look at."""
        super().paintEvent(event)
        self._furnishing.begin()

    def _arrange(self, wanted: Sequence[Panel]) -> None:
        centre = QWidget()
        column = QVBoxLayout(centre)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.errors)
        column.addWidget(self.stack, 1)
        self.stack.addWidget(self.start_page)
        self.stack.addWidget(self.tabs)
        self.setCentralWidget(centre)
        for corner, area in (
            (Qt.Corner.BottomLeftCorner, "left"),
            (Qt.Corner.BottomRightCorner, "right"),
        ):
            self.setCorner(corner, _AREAS[area])
        self.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        for panel in wanted:
            if panel.place != "centre":
                self._dock(panel)

    def _put(self, panel: Panel, widget: QWidget) -> None:
        if panel.place == "centre":
            self.tabs.addTab(widget, panel.title)
        else:
            self.docks[panel.key].setWidget(widget)
            widget.windowTitleChanged.connect(self.docks[panel.key].setWindowTitle)  # such as "Findings (3)"
        if isinstance(widget, Remembering):
            widget.recall(self._settings)

    def _dock(self, panel: Panel) -> None:
        dock = QDockWidget(panel.title)
        dock.setObjectName(panel.key)
        for moved in (dock.dockLocationChanged, dock.topLevelChanged, dock.visibilityChanged):
            moved.connect(self._titles_later)
        area = _AREAS[panel.place]
        beside = [other for other in self.docks.values() if self.dockWidgetArea(other) == area]
        self.addDockWidget(area, dock)
        if beside:
            self.tabifyDockWidget(beside[-1], dock)
            beside[0].raise_()
        self.docks[panel.key] = dock

    def _titles_later(self, *_: object) -> None:
        self._title_timer.start()

    def _trim_titles(self) -> None:
        """A dock among tabs needs no title beside its tab's; the tab can be dragged just as well."""
        bars: dict[tuple[str, ...], QTabBar] = {}
        for bar in self.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly):
            theme.dress(bar)
            titles = tuple(bar.tabText(place) for place in range(bar.count()))
            # Qt forgets the tab bars of a layout that was exchanged before it was in force, and leaves them in sight.
            if titles and titles in bars:
                bars[titles].hide()
            bars[titles] = bar
        for dock in self.docks.values():
            tabbed = not dock.isFloating() and any(not other.isHidden() for other in self.tabifiedDockWidgets(dock))
            bare = isinstance(dock.titleBarWidget(), _NoTitle)
            if tabbed != bare:
                dock.setTitleBarWidget(_NoTitle() if tabbed else None)  # type: ignore[arg-type]

    def _deadline_field(self) -> QDoubleSpinBox:
        field = QDoubleSpinBox()
        field.setRange(0.0, 100_000.0)
        field.setDecimals(3)
        field.setSingleStep(0.5)
        field.setSuffix(self.tr(" ms"))
        field.setSpecialValueText(self.tr("none"))
        field.setKeyboardTracking(False)
        field.setAccessibleName(self.tr("Deadline"))
        field.setToolTip(self.tr("Runs slower than this are counted as missed; 0 is no deadline"))
        field.valueChanged.connect(lambda value: self.session.set_deadline(value or None))
        return field

    # -- following ----------------------------------------------------------------------------------

    def _connect(self) -> None:
        session = self.session
        session.subject_changed.connect(self._follow_subject)
        session.trials_changed.connect(self._follow_trials)
        session.deadline_changed.connect(self._follow_deadline)
        session.job_started.connect(self._forget_error)
        session.panel_wanted.connect(self.show_panel)
        session.refused.connect(self._tell)
        session.broke.connect(self._tell_bug)
        self.start_page.sample_chosen.connect(self.open_sample)
        self.start_page.recent_chosen.connect(self.open_recent)
        self.start_page.open_wanted.connect(self.opener.choose_model)
        self.start_page.callable_wanted.connect(self.opener.choose_callable)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._follow_system)

    def _follow_subject(self) -> None:
        subject = self.session.subject
        title = self.tr("Inference Workbench")
        if subject is not None:
            self.errors.clear()
            self.recent.add(Recent.of(subject.model))
            title = f"{Recent.of(subject.model).title.removeprefix('sample:')} – {title}"
            self._showing.ask()
        elif self.stack.currentWidget() is self.start_page:
            self.show_start()
        self.setWindowTitle(title)

    def _follow_trials(self) -> None:
        if self.session.trials:
            self._showing.ask()

    def _follow_deadline(self) -> None:
        self.deadline.blockSignals(True)
        self.deadline.setValue(self.session.deadline_ms or 0.0)
        self.deadline.blockSignals(False)

    def _follow_system(self) -> None:
        if self.theme_mode == "system":
            theme.apply("system", self._turns)
            self._turns.paint(self._shown())

    def _tell(self, error: UserError) -> None:
        if trust.needs_trust(error):
            # Later: whoever opened the file shall be done with it before a dialog asks.
            QTimer.singleShot(0, self, lambda: trust.ask_and_reopen(self.session, self, error))
        else:
            self.errors.tell(error)

    def _tell_bug(self, traceback: str) -> None:
        report_bug(traceback, self)

    def _forget_error(self, _: Job) -> None:
        self.errors.clear()

    # -- doing --------------------------------------------------------------------------------------

    def open_sample(self, name: str) -> None:
        """Open ``sample:NAME``."""
        self.session.open_model_soon(name)

    def open_recent(self, entry: Recent) -> None:
        """Open a model of the list again."""
        self.session.open_model_soon(entry.text, **entry.options())

    def show_panel(self, key: str) -> None:
        """Bring a panel to the front, if there is one of this name."""
        panel = self.panels.get(key)
        if key in self.docks:
            self.docks[key].show()
            self.docks[key].raise_()
        elif panel is not None:
            self.tabs.setCurrentWidget(panel)

    def go_to(self, key: str) -> None:
        """Show a panel and give it the keyboard."""
        self.show_panel(key)
        _give_focus(self.panels[key])

    def show_start(self) -> None:
        """Show the start page alone."""
        self._turns.finish()
        if self._hidden_layout is None:
            self._hidden_layout = self.saveState(_LAYOUT_VERSION)
            for dock in self.docks.values():
                dock.hide()
        self.stack.setCurrentWidget(self.start_page)

    def _show_when_made(self) -> None:
        self._furnishing.begin()
        self._furnishing.then(self._show_panels)

    def _show_panels(self) -> None:
        """Exchange the start page for the panels, one part of it per turn, and none to be seen before all are there."""
        if self._hidden_layout is None and self.stack.currentWidget() is self.tabs:
            return
        self.setUpdatesEnabled(False)
        self._turns.add(
            partial(self.stack.setCurrentWidget, self.tabs),
            self._bring_docks_back,
            partial(self.setUpdatesEnabled, True),
        )

    def _bring_docks_back(self) -> None:
        if self._hidden_layout is not None:
            self.restoreState(self._hidden_layout, _LAYOUT_VERSION)
            self._hidden_layout = None
            if self._new:  # docks that were empty until now have forgotten what they were told
                self._size_docks()
                self._new = False
        self._turns.paint(self._shown())

    def reset_layout(self) -> None:
        """Put all panels where they were at first."""
        self._furnishing.finish()
        self._turns.finish()
        self._hidden_layout = None
        self.stack.setCurrentWidget(self.tabs)
        self.restoreState(self._default_layout, _LAYOUT_VERSION)
        self._size_docks()

    def choose_theme(self, mode: theme.Mode) -> None:
        """Change the theme and remember it."""
        self.theme_mode = mode
        self._settings.setValue("theme", mode)
        theme.apply(mode, self._turns)
        self._turns.paint(self._shown())

    def _shown(self) -> list[QWidget]:
        """Return what is dear to paint; each of it is painted in a turn of its own where all changes at once."""
        return [*self._furnishing.made.values(), self.start_page]

    def choose_language(self, language: str) -> None:
        """Remember the language, ``system`` or one of them; whoever made this window makes another one then."""
        self._settings.setValue("language", language)
        self.language_chosen.emit()

    @property
    def language_setting(self) -> str:
        """The language that was chosen, ``system`` where none was."""
        return str(self._settings.value("language") or "system")

    def show_environment(self) -> None:
        """Show what is known about the machine."""
        if self._page is None:
            self._page = EnvironmentPage(self.session, self)
        self._page.show()
        self._page.raise_()
        self._page.activateWindow()

    def when_furnished(self, what: Callable[[], object]) -> None:
        """Call *what* once all panels are made."""
        self._furnishing.then(what)

    def read_host(self) -> None:
        """Find out in the background what this machine is: first the quick part, then the engines."""
        tasks.run(lambda: describe_host(with_engines=False), self._host_read, None, self)

    def _host_read(self, host: HostInfo) -> None:
        self.session.set_host(host)
        # Trying the engines for the first time keeps all cores busy for half a minute; the panels come first.
        self._furnishing.then(lambda: tasks.run(describe_host, self.session.set_host, None, self))

    # -- remembering and leaving --------------------------------------------------------------------

    def _restore(self) -> None:
        geometry, layout = self._settings.value("geometry"), self._settings.value("layout")
        if not isinstance(geometry, QByteArray) or not self.restoreGeometry(geometry):
            self.resize(1280, 720)
        self._new = not isinstance(layout, QByteArray) or not self.restoreState(layout, _LAYOUT_VERSION)
        if self._new:
            self._size_docks()

    def _size_docks(self) -> None:
        for key, size, direction in _SIZES:
            if key in self.docks:
                self.resizeDocks([self.docks[key]], [size], direction)

    def remember(self) -> None:
        """Keep the layout for the next window."""
        self._turns.finish()
        self._settings.setValue("geometry", self.saveGeometry())
        self._settings.setValue("layout", self._hidden_layout or self.saveState(_LAYOUT_VERSION))
        for panel in self._furnishing.made.values():
            if isinstance(panel, Remembering):
                panel.remember(self._settings)
        self._settings.sync()

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802 - Qt's name
        """Remember the layout, end what runs, and leave nothing behind."""
        self.remember()
        # Ending a worker may take two seconds; nobody needs to look at a dead window meanwhile.
        self.hide()
        self.session.shutdown()
        event.accept()

    # -- drag and drop ------------------------------------------------------------------------------

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802
        """Take what can be opened."""
        if dropped(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802
        """Open it, once the other program has its answer."""
        path = dropped(event.mimeData())
        if path is not None:
            event.acceptProposedAction()
            QTimer.singleShot(0, self, lambda: self.opener.open_path(path))


def _give_focus(panel: QWidget) -> None:
    """Give the keyboard to the first field or button of *panel*, in tab order, that takes it."""
    candidate: QWidget | None = panel
    for _ in [panel, *panel.findChildren(QWidget)]:
        if candidate is None:
            return
        if candidate.focusPolicy() & Qt.FocusPolicy.TabFocus and candidate.isVisible() and candidate.isEnabled():
            candidate.setFocus(Qt.FocusReason.ShortcutFocusReason)
            return
        candidate = candidate.nextInFocusChain()
        while candidate is not None and candidate is not panel and not panel.isAncestorOf(candidate):
            candidate = candidate.nextInFocusChain()


class _NoTitle(QWidget):
    """Stands where a title bar would."""

    def sizeHint(self) -> QSize:  # noqa: N802
        """Nothing."""
        return QSize(0, 0)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        """Nothing."""
        return QSize(0, 0)
