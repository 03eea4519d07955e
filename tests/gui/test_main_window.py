"""The shell with small stand-ins for panels: what it arranges, follows, remembers and leaves behind."""

import threading

import msgspec
import pytest
from fake_trials import FakeRunnerScript, session_with, trial
from PySide6.QtCore import (
    QByteArray,
    QMetaObject,
    QMimeData,
    QObject,
    QPoint,
    QPointF,
    QSettings,
    Qt,
    QThread,
    QUrl,
    Slot,
)  # fmt: skip
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QKeySequence, QUndoCommand
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QLabel, QLineEdit, QMenu, QMessageBox, QVBoxLayout, QWidget

from workbench.core.config import Config
from workbench.errors import UserError
from workbench.gui import main_window, tasks, theme
from workbench.gui.environment_page import EnvironmentPage, engine_in_words, facts
from workbench.gui.main_window import MainWindow
from workbench.gui.opening import Recent, kind_of
from workbench.gui.panels import Panel
from workbench.gui.session import LIVE_RUNS, Session
from workbench.gui.status_bar import short_host
from workbench.host.engines import EngineStatus
from workbench.host.machine import describe_host


class Painter(QLabel):
    """A panel that has painted each burst at once."""

    def __init__(self, session: Session) -> None:
        super().__init__("panel")
        session.job_started.connect(lambda job: job.burst.connect(lambda _: job.painted()))


def with_field(session: Session) -> QWidget:
    panel = QWidget()
    QVBoxLayout(panel).addWidget(QLineEdit())
    return panel


PANELS = (
    Panel("model", "Model", "left", lambda _: QLabel("model")),
    Panel("knobs", "Knobs", "left", with_field),
    Panel("latency", "Latency", "centre", Painter),
    Panel("accuracy", "Accuracy", "right", lambda _: QLabel("accuracy")),
    Panel("trials", "Trials", "bottom", lambda _: QLabel("trials")),
    Panel("log", "Log", "bottom", lambda _: QLabel("log")),
)


@pytest.fixture(autouse=True)
def own_folders(tmp_path, monkeypatch):
    monkeypatch.setenv("WORKBENCH_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("WORKBENCH_CACHE_DIR", str(tmp_path / "cache"))


@pytest.fixture
def settings(tmp_path) -> QSettings:
    return QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)


@pytest.fixture
def make(qtbot, settings, tmp_path):
    def build(session: Session | None = None) -> MainWindow:
        window = MainWindow(session or Session(), settings, PANELS)
        qtbot.addWidget(window)
        window.show()
        return window

    yield build
    assert tasks.wait(5000)


@pytest.fixture
def script() -> FakeRunnerScript:
    return FakeRunnerScript()


@pytest.fixture
def ready(make, tmp_path, script) -> MainWindow:
    """A window on a model that a fake runner measures."""
    return make(session_with(tmp_path, script))


def visible(window: MainWindow) -> set[str]:
    return {key for key, dock in window.docks.items() if not dock.isHidden()}


def actions_of(menu: QMenu):
    for action in menu.actions():
        if action.menu() is not None:
            yield from actions_of(action.menu())
        elif not action.isSeparator():
            yield action


def all_actions(window: MainWindow):
    for top in window.menuBar().actions():
        yield from actions_of(top.menu())


def named(window: MainWindow, text: str):
    return next(action for action in all_actions(window) if action.text().replace("&", "") == text)


# -- opening ------------------------------------------------------------------------------------------


def test_the_start_page_comes_alone(make) -> None:
    window = make()
    assert window.stack.currentWidget() is window.start_page and not visible(window)
    assert not window.acts.run.isEnabled() and not window.acts.stop.isEnabled()
    assert window.size().width() == 1280 and window.size().height() == 720


def test_a_sample_opens_in_the_background(make, qtbot) -> None:
    window = make()
    told = []
    window.session.opening.connect(told.append)
    with qtbot.waitSignal(window.session.subject_changed):
        window.start_page.cards[5].click()
        assert told == ["sample:digits-cnn"] and window.session.subject is None
        assert "opening sample:digits-cnn" in window.statusBar().work.text()
    assert told == ["sample:digits-cnn", ""]
    assert window.windowTitle() == "digits-cnn – Inference Workbench"
    assert window.stack.currentWidget() is window.tabs and visible(window) == {
        "model",
        "knobs",
        "accuracy",
        "trials",
        "log",
    }
    assert window.recent.entries() == [Recent("sample:digits-cnn")]
    assert window.acts.run.isEnabled() and window.statusBar().work.text() == "idle"


def test_the_last_one_asked_for_is_opened(make, qtbot) -> None:
    window = make()
    with qtbot.waitSignal(window.session.subject_changed):
        window.session.open_model_soon("sample:lstm")
        window.session.open_model_soon("sample:digits-mlp")
    qtbot.waitUntil(tasks.idle)
    assert window.session.subject.model.name == "sample:digits-mlp"


def test_what_cannot_be_opened_is_told(make, qtbot, tmp_path) -> None:
    window = make()
    window.session.open_model_soon(str(tmp_path / "missing.pt"))
    qtbot.waitUntil(lambda: not window.errors.isHidden())
    assert "There is no file" in window.errors.text()
    assert window.stack.currentWidget() is window.start_page


@pytest.mark.parametrize("precision", ["int8", "bf16"])
def test_an_onnx_file_gets_the_engine_that_runs_it(make, qtbot, tmp_path, precision) -> None:
    onnx = pytest.importorskip("onnx")
    helper = onnx.helper
    info = [helper.make_tensor_value_info(name, 1, [1, 4]) for name in "xy"]
    graph = helper.make_graph([helper.make_node("Relu", ["x"], ["y"])], "g", info[:1], info[1:])
    onnx.save(helper.make_model(graph), str(tmp_path / "relu.onnx"))
    window = make()
    window.session.set_knobs({"precision": precision})
    window.session.open_model_soon(str(tmp_path / "relu.onnx"))
    qtbot.waitUntil(lambda: window.session.config.engine == "onnxruntime")
    assert window.session.config.precision == ("int8" if precision == "int8" else "fp32")
    window.acts.undo.trigger()
    assert window.session.config.engine == "torch" and window.session.config.precision == precision


def test_recent_models_are_in_the_menu(make, qtbot) -> None:
    window = make()
    window.recent.add(Recent("sample:digits-mlp"))
    with qtbot.waitSignal(window.session.subject_changed):
        named(window, "sample:digits-mlp").trigger()
    named(window, "Clear list").trigger()
    assert window.recent.entries() == []


def test_the_samples_menu_opens_one(make, qtbot) -> None:
    window = make()
    with qtbot.waitSignal(window.session.subject_changed):
        named(window, "Digits, convolutional").trigger()


def test_a_pickle_asks_before_it_is_trusted(make, qtbot, monkeypatch) -> None:
    window, asked = make(), []
    monkeypatch.setattr(main_window.trust, "ask_and_reopen", lambda *arguments: asked.append(arguments))
    error = UserError(
        "Loading a.pt could run any code.", "Beyond tensors it wants to import: os.system.", "--trust-pickle"
    )
    window.session.refused.emit(error)
    qtbot.waitUntil(lambda: bool(asked))
    assert asked[0] == (window.session, window, error) and window.errors.isHidden()


@pytest.mark.parametrize(
    ("name", "kind"),
    [("a.pt", "model"), ("a.ONNX", "model"), ("a.py", "callable"), ("a.npz", "data"), ("a.toml", "config"),
     ("a.sqlite", "study"), ("a.txt", None), ("", "data")],
)  # fmt: skip
def test_what_a_file_would_be_opened_as(tmp_path, name, kind) -> None:
    assert kind_of(tmp_path / name) == kind


def drag(path, kind=QDropEvent):
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path))])
    place = QPoint(5, 5) if kind is QDragEnterEvent else QPointF(5, 5)
    drop = kind(place, Qt.DropAction.CopyAction, mime, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    drop.mime = mime  # keeps it alive
    return drop


def test_a_dropped_folder_becomes_the_data(ready, qtbot, tmp_path) -> None:
    entering = drag(tmp_path, QDragEnterEvent)
    entering.ignore()
    ready.dragEnterEvent(entering)
    assert entering.isAccepted()
    with qtbot.waitSignal(ready.session.subject_changed):
        ready.dropEvent(drag(tmp_path))
    assert ready.session.subject.data.path == str(tmp_path)


def test_dropped_models_configs_and_studies(ready, qtbot, tmp_path) -> None:
    (tmp_path / "knobs.toml").write_text('precision = "bf16"\n')
    with qtbot.waitSignal(ready.session.config_changed):
        ready.dropEvent(drag(tmp_path / "knobs.toml"))
    assert ready.session.config.precision == "bf16" and ready.session.undo.undoText() == "load knobs.toml"
    with qtbot.waitSignal(ready.session.trials_changed):
        ready.dropEvent(drag(tmp_path / "other.sqlite"))
    ready.dropEvent(drag(tmp_path / "missing.pt"))
    qtbot.waitUntil(lambda: "There is no file" in ready.errors.text())
    (tmp_path / "bad.toml").write_text("precision = 7")
    ready.opener.open_path(tmp_path / "bad.toml")
    assert "precision" in ready.errors.text()


def test_what_means_nothing_is_not_taken(ready, tmp_path) -> None:
    entering = drag(tmp_path / "letter.txt", QDragEnterEvent)
    entering.ignore()
    ready.dragEnterEvent(entering)
    assert not entering.isAccepted()


def test_data_without_a_model_say_what_to_do(make, tmp_path) -> None:
    window = make()
    window.opener.open_path(tmp_path)
    assert "Open a model first" in window.errors.text()


def test_the_dialogs_open_what_was_chosen(ready, monkeypatch, tmp_path, qtbot) -> None:
    answers = iter([str(tmp_path / "c.toml"), str(tmp_path / "c.toml"), "", str(tmp_path / "s.sqlite")])
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (next(answers), ""))
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (next(answers), ""))
    ready.session.set_knobs({"precision": "int8"})
    ready.acts.save_config.trigger()
    assert Config.load(tmp_path / "c.toml").precision == "int8"
    ready.acts.undo.trigger()
    assert ready.session.config.precision == "fp32"
    ready.acts.load_config.trigger()
    assert ready.session.config.precision == "int8"
    ready.acts.open_model.trigger()  # left without an answer
    ready.acts.open_study.trigger()
    qtbot.waitUntil(lambda: ready.session.store.place == str(tmp_path / "s.sqlite"))
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path))
    ready.acts.open_folder.trigger()
    assert ready.session.subject.data.path == str(tmp_path)


def test_a_config_that_cannot_be_saved_is_told(ready, monkeypatch, tmp_path) -> None:
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "no" / "c.toml"), ""))
    ready.acts.save_config.trigger()
    assert "The config was not saved." in ready.errors.text()


# -- measuring ----------------------------------------------------------------------------------------


def test_run_measures_once(ready, qtbot) -> None:
    bar, seen = ready.statusBar(), []
    ready.session.job_started.connect(lambda job: job.burst.connect(lambda _: seen.append(bar.work.text())))
    with qtbot.waitSignal(ready.session.job_ended):
        ready.acts.run.trigger()
        assert ready.acts.stop.isEnabled() and bar.cancel.isVisible() and not ready.acts.live.isChecked()
    assert seen[0] == "measuring 20 / 300" and seen[-1] == "measuring 120 / 300"
    assert not ready.acts.stop.isEnabled() and bar.cancel.isHidden() and bar.bar.isHidden()
    assert bar.noise.text().startswith(("quiet", "noisy", "drifting")) and len(ready.session.trials) == 1


def test_live_goes_on_until_it_is_switched_off(ready, qtbot, script) -> None:
    script.endless = True
    bursts = []
    ready.session.job_started.connect(lambda job: job.burst.connect(bursts.append))
    ready.acts.live.trigger()
    assert ready.session.job.runs == LIVE_RUNS and ready.acts.live.isChecked()
    qtbot.waitUntil(lambda: len(bursts) > 10)
    assert ready.statusBar().work.text().startswith("measuring ") and "/" not in ready.statusBar().work.text()
    with qtbot.waitSignal(ready.session.job_ended):
        ready.acts.live.trigger()
    assert not ready.acts.live.isChecked() and ready.session.job is None


def test_what_a_knob_interrupts_in_live_is_not_kept_but_what_the_user_stops_is(ready, qtbot, script) -> None:
    script.endless = True
    started, bursts = [], []
    ready.session.job_started.connect(started.append)
    ready.session.job_started.connect(lambda job: job.burst.connect(bursts.append))
    ready.acts.live.trigger()
    qtbot.waitUntil(lambda: len(bursts) > 3)
    ready.session.set_knobs({"runtime.threads": 1})
    qtbot.waitUntil(lambda: len(started) == 2)
    bursts.clear()
    qtbot.waitUntil(lambda: len(bursts) > 3)
    assert ready.session.trials == [] and ready.session.store.trials() == []
    with qtbot.waitSignal(ready.session.job_ended):
        ready.acts.stop.trigger()
    (kept,) = ready.session.store.trials()
    assert kept.reason == "cancelled" and kept.latency.n >= 80 and ready.session.trials == [kept]


@pytest.mark.parametrize("disturb", [True, False])
def test_a_burst_that_a_click_came_into_is_thrown_away(ready, qtbot, script, disturb) -> None:
    """Input wins: while runs may be timed somebody clicks, in the first burst and in no other."""
    clicked, thrown, bursts = threading.Event(), [], []

    def click(number: int) -> None:
        if number == 1 and not clicked.is_set():
            QMetaObject.invokeMethod(clicker, "click", Qt.ConnectionType.BlockingQueuedConnection)
            clicked.set()

    class Clicker(QObject):
        @Slot()
        def click(self) -> None:
            if disturb:
                QTest.mouseClick(ready.windowHandle(), Qt.MouseButton.LeftButton, pos=QPoint(700, 400))

    clicker = Clicker()
    script.before_burst = click
    ready.session.job_started.connect(lambda job: job.burst.connect(bursts.append))
    ready.session.job_started.connect(lambda job: job.thrown_away.connect(lambda: (thrown.append(1), job.painted())))
    with qtbot.waitSignal(ready.session.job_ended):
        ready.acts.run.trigger()
    assert clicked.is_set() and len(thrown) == disturb
    assert len(bursts) == len(script.bursts) and ready.session.trials[-1].latency.n == 120


def test_cancel_in_the_status_bar_stops(ready, qtbot, script) -> None:
    script.endless = True
    ready.acts.many.trigger()
    assert ready.session.job.runs == 10_000
    with qtbot.waitSignal(ready.session.job_ended, timeout=2000):
        ready.statusBar().cancel.click()


def test_stop_also_forgets_what_was_to_run_next(ready, qtbot, script) -> None:
    script.endless = True
    ready.acts.live.trigger()
    ready.acts.run.trigger()
    with qtbot.waitSignal(ready.session.job_ended):
        ready.acts.stop.trigger()
    assert ready.session.job is None


def test_a_refused_run_is_told_and_the_next_one_clears_it(ready, qtbot, script) -> None:
    script.error = UserError("No engine.", "It is not there.", "Install it.")
    with qtbot.waitSignal(ready.session.job_ended):
        ready.acts.run.trigger()
    assert ready.errors.text() == "No engine.\nIt is not there.\nInstall it." and ready.errors.isVisible()
    script.error = None
    with qtbot.waitSignal(ready.session.job_ended):
        ready.acts.run.trigger()
    assert ready.errors.isHidden()


def test_what_a_cancelled_run_could_not_do_is_not_told(ready, qtbot, script) -> None:
    begun = threading.Event()

    def refuse(_: int) -> None:
        begun.set()
        assert stopped.wait(10)
        raise UserError("The model could not be exported.", "cancelled.", "")

    stopped = threading.Event()
    script.before_burst = refuse
    ready.acts.run.trigger()
    qtbot.waitUntil(begun.is_set)
    with qtbot.waitSignal(ready.session.job_ended):
        ready.acts.stop.trigger()
        stopped.set()
    assert ready.errors.isHidden() and ready.session.trials == []


def test_escape_closes_the_message(ready, qtbot) -> None:
    ready.session.refused.emit(UserError("Alas.", "word " * 400))
    qtbot.waitUntil(lambda: ready.errors.isVisible() and ready.errors.height() < 200)
    ready.activateWindow()
    qtbot.keyClick(ready, Qt.Key.Key_Escape)
    qtbot.waitUntil(ready.errors.isHidden)


def test_a_bug_is_told_as_ours(ready, qtbot, script, tmp_path) -> None:
    script.error = ZeroDivisionError("oh")
    with qtbot.waitSignal(ready.session.job_ended):
        ready.acts.run.trigger()
    from workbench.gui import bug_dialog

    (dialog,) = bug_dialog._open
    assert "bug of ours" in dialog.text() and "ZeroDivisionError: oh" in dialog.informativeText()
    (log,) = (tmp_path / "cache" / "logs").iterdir()
    assert str(log) in dialog.informativeText() and "Traceback" in log.read_text()
    assert bug_dialog.report_bug("another") is dialog
    dialog.close()
    assert not bug_dialog._open


def test_the_deadline_field_and_the_session_follow_each_other(ready) -> None:
    ready.deadline.setValue(4.5)
    assert ready.session.deadline_ms == 4.5
    ready.session.set_deadline(None)
    assert ready.deadline.text() == "none"
    ready.session.set_deadline(2.25)
    assert ready.deadline.text() == "2.250 ms"


def test_the_selected_trial_becomes_the_baseline(ready) -> None:
    assert not ready.acts.set_baseline.isEnabled() and not ready.acts.clear_baseline.isEnabled()
    chosen = trial()
    ready.session.select(chosen)
    ready.acts.set_baseline.trigger()
    assert ready.session.baseline is chosen
    ready.acts.clear_baseline.trigger()
    assert ready.session.baseline is None


def test_undo_is_offered_with_its_text(ready) -> None:
    ready.session.undo.push(QUndoCommand("precision"))
    assert ready.acts.undo.isEnabled() and "precision" in ready.acts.undo.text()
    ready.acts.undo.trigger()
    assert ready.acts.redo.isEnabled()


# -- arranging ----------------------------------------------------------------------------------------


def test_shortcuts_are_used_once_and_everything_has_a_name(ready) -> None:
    keys = [key.toString() for action in all_actions(ready) for key in action.shortcuts()]
    assert len(keys) == len(set(keys)) > 15
    assert all(action.text() for action in all_actions(ready))
    assert ready.acts.run.toolTip().startswith("Run (F5)\n")


def test_the_keyboard_reaches_every_panel(ready, qtbot) -> None:
    ready.activateWindow()
    qtbot.waitUntil(ready.isActiveWindow)
    next(action for action in all_actions(ready) if action.shortcut() == QKeySequence("Ctrl+2")).trigger()
    field = ready.panels["knobs"].findChild(QLineEdit)
    qtbot.waitUntil(field.hasFocus)
    assert not ready.docks["knobs"].visibleRegion().isEmpty()
    shortcuts = {key.toString() for action in all_actions(ready) for key in action.shortcuts()}
    assert {"Ctrl+1", "Ctrl+5", QKeySequence("F5").toString()} <= shortcuts


def test_docks_among_tabs_have_no_second_title(ready, qtbot) -> None:
    qtbot.waitUntil(lambda: ready.docks["knobs"].titleBarWidget() is not None)
    assert ready.docks["accuracy"].titleBarWidget() is None
    ready.docks["knobs"].setFloating(True)
    qtbot.waitUntil(lambda: ready.docks["knobs"].titleBarWidget() is None)
    qtbot.waitUntil(lambda: ready.docks["model"].titleBarWidget() is None)


def test_the_layout_is_remembered_and_can_be_reset(ready, make, qtbot, tmp_path) -> None:
    ready.docks["accuracy"].hide()
    ready.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, ready.docks["log"])
    ready.resize(780, 700)  # the offscreen platform's screen has 800 × 800 pixels
    ready.close()
    again = make(session_with(tmp_path))
    assert again.docks["accuracy"].isHidden() and again.size().width() == 780
    assert again.dockWidgetArea(again.docks["log"]) == Qt.DockWidgetArea.RightDockWidgetArea
    named(again, "Reset layout").trigger()
    assert not again.docks["accuracy"].isHidden()
    assert again.dockWidgetArea(again.docks["log"]) == Qt.DockWidgetArea.BottomDockWidgetArea


def test_the_start_page_does_not_spoil_the_remembered_layout(ready, make, tmp_path) -> None:
    ready.docks["log"].hide()
    named(ready, "Start page").trigger()
    assert not visible(ready)
    ready.close()
    again = make(session_with(tmp_path))
    assert visible(again) == {"model", "knobs", "accuracy", "trials"}


def test_foreign_settings_do_no_harm(settings, make) -> None:
    settings.setValue("geometry", "nonsense")
    settings.setValue("layout", QByteArray(b"nonsense"))
    settings.setValue("theme", "pink")
    settings.setValue("recent", 3)
    assert make().theme_mode == "system"


def test_the_theme_is_remembered(ready, make, tmp_path) -> None:
    named(ready, "Dark").trigger()
    assert theme.is_dark() and ready.theme_mode == "dark"
    assert make(session_with(tmp_path)).theme_mode == "dark"
    named(ready, "Light").trigger()
    assert not theme.is_dark()


@pytest.mark.parametrize("size", [(1280, 720), (1024, 600)])
def test_it_fits_small_screens(ready, size) -> None:
    hint = ready.minimumSizeHint()
    assert hint.width() <= size[0] and hint.height() <= size[1]
    ready.resize(*size)
    assert (ready.width(), ready.height()) == size
    bar = ready.statusBar()
    for label in (bar.work, bar.noise, bar.host):
        assert label.height() >= label.fontMetrics().height()


# -- the machine --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def host():
    found = describe_host(with_engines=False)
    engines = (EngineStatus("torch", True, "2.8", None, None), EngineStatus("ipex", False, None, "no AVX2", None))
    return msgspec.structs.replace(found, engines=engines)


def test_the_machine_is_read_in_the_background(make, qtbot, monkeypatch, host) -> None:
    monkeypatch.setattr(main_window, "describe_host", lambda with_engines=True: host)
    window = make()
    assert window.statusBar().host.text() == "reading the machine …"
    with qtbot.waitSignals([window.session.host_changed] * 2):
        window.read_host()
    assert window.statusBar().host.text() == short_host(host)
    assert f"{host.cpu.physical_cores} core" in short_host(host)


def test_the_environment_says_why_an_engine_is_missing(make, qtbot, host) -> None:
    window = make()
    window.show_environment()
    window.session.set_host(host)
    page = window._page
    assert "ipex: not available: no AVX2" in page.as_text() and host.cpu.model in page.as_text()
    texts = [label.text() for label in page.findChildren(QLabel)]
    assert "not available: no AVX2" in texts and "2.8 works" in texts
    window.show_environment()
    assert window._page is page
    assert dict(facts(host))["CPU"] == host.cpu.model
    assert engine_in_words(EngineStatus("x", True, "1", None, "old")) == "1 works (old)"


def test_engines_are_tried_again_on_demand(make, qtbot, host) -> None:
    refreshed = []
    session = Session()
    page = EnvironmentPage(session, describe=lambda refresh: refreshed.append(refresh) or host)
    qtbot.addWidget(page)
    with qtbot.waitSignal(session.host_changed):
        page._again.click()
        assert not page._again.isEnabled()
    assert refreshed == [True] and page._again.isEnabled()


def test_about_names_the_version(make) -> None:
    window = make()
    named(window, "About").trigger()
    (box,) = window.findChildren(QMessageBox)
    assert "Inference Workbench 0" in box.text()
    box.close()


# -- leaving ------------------------------------------------------------------------------------------


def test_closing_in_mid_run_leaves_nothing(make, tmp_path, script, qtbot) -> None:
    script.endless = True
    before = set(threading.enumerate())
    window = make(session_with(tmp_path, script))
    bursts = []
    window.session.job_started.connect(lambda job: job.burst.connect(bursts.append))
    window.acts.live.trigger()
    qtbot.waitUntil(lambda: len(bursts) > 2)
    job = window.session.job
    window.close()
    assert job.isFinished() and not window.isVisible()
    qtbot.waitUntil(lambda: window.session.job is None)
    assert not any(thread.isRunning() for thread in window.session.findChildren(QThread))
    assert set(threading.enumerate()) - before <= {thread for thread in threading.enumerate() if thread.daemon}
    assert len(window.session.trials) == 1, "what was measured is kept"
    assert not window.session._again.isActive()
