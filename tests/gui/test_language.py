"""The window in Chinese: nothing in English is left in sight, it changes at once, and it can be drawn."""

import re

import msgspec
import pytest
from fake_trials import accuracy_of, failed, proof, session_with, trial
from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QCoreApplication, QEvent, QSettings, Qt
from PySide6.QtGui import QAction, QFont, QFontMetrics
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QComboBox,
    QDialogButtonBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QTabBar,
    QTabWidget,
    QWidget,
)

from workbench.core.config import Config
from workbench.core.knobs import KNOBS
from workbench.core.samples import sample_names
from workbench.core.trial import Trial
from workbench.errors import UserError
from workbench.gui import language, tasks
from workbench.gui.front import Front
from workbench.gui.main_window import MainWindow
from workbench.host.engines import EngineStatus
from workbench.host.machine import describe_host
from workbench.paths import bundled
from workbench.study.subject import find_subject

CHOICES = {str(choice) for knob in KNOBS for choice in knob.choices}
NAMES = CHOICES | {
    "ms", "callable", "torchscript", "float32", "int64", "squash", "shorter", "letterbox", "rgb", "bgr", "gray",
    "nchw", "nhwc", "images", "scores", "boxes", "image", "libgomp", "glibc", "input",
}  # fmt: skip
"""Words that mean the same to everyone: values in config files, formats, what models call their things."""


@pytest.fixture(autouse=True)
def own_folders(tmp_path, monkeypatch):
    monkeypatch.setenv("WORKBENCH_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("WORKBENCH_CACHE_DIR", str(tmp_path / "cache"))
    yield
    language.apply("en")
    assert tasks.wait(5000)


@pytest.fixture
def settings(tmp_path) -> QSettings:
    return QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)


def records() -> list[Trial]:
    """Trials that have much to say."""
    noisy = trial(Config({"engine": "ipex", "precision": "int8"}), proof=proof(2, 3, missing=["fc"]))
    noisy = msgspec.structs.replace(
        noisy, status="invalid", reason="2 of 3 planned layers ran in INT8; missing: fc",
        warnings=["Other processes kept 1.5 of 2 usable CPUs busy.", "Only 1 calibration sample: ranges taken from "
                  "fewer than 10 often miss what other inputs reach."],
        accuracy=accuracy_of(["a.png", "b.png", "c.png"], good=2),
    )  # fmt: skip
    return [failed(reason="the outputs are not finite"), noisy]


@pytest.fixture
def front(qtbot, qapp, settings, tmp_path):
    settings.setValue("language", "zh_CN")
    language.apply("zh_CN")
    session = session_with(tmp_path, trials=records())
    session.subject = find_subject("sample:digits-cnn")
    engines = [
        EngineStatus(name="torch", available=True, version="2.8", reason=None),
        EngineStatus(name="ipex", available=False, version=None, reason="IPEX needs PyTorch, which is not installed."),
    ]
    session.host = msgspec.structs.replace(describe_host(with_engines=False), engines=engines)
    front = Front(session, settings)
    yield front
    front.window.close()
    front.window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def shown(root: QWidget) -> set[str]:
    """Everything that can be read in *root*, tooltips and names for screen readers included."""
    found: set[str] = set()
    for widget in [root, *root.findChildren(QWidget)]:
        found |= {widget.toolTip(), widget.accessibleName(), widget.accessibleDescription(), widget.windowTitle()}
        found |= {text for action in widget.actions() for text in (action.text(), action.toolTip())}
        if isinstance(widget, (QLabel, QAbstractButton)):
            found.add(widget.text())
        elif isinstance(widget, QLineEdit):
            found |= {widget.placeholderText(), widget.text()}
        elif isinstance(widget, QComboBox):
            found |= {widget.itemText(row) for row in range(widget.count())}
        elif isinstance(widget, (QTabBar, QTabWidget)):
            found |= {widget.tabText(place) for place in range(widget.count())}
        elif isinstance(widget, QPlainTextEdit):
            found |= set(widget.toPlainText().splitlines())
        elif isinstance(widget, QAbstractItemView) and widget.model() is not None:
            found |= set(cells(widget.model()))
    for action in root.findChildren(QAction):
        found |= {action.text(), action.toolTip()}
    return {text for text in found if text}


def cells(model: QAbstractItemModel):
    for column in range(1 if isinstance(model, QAbstractListModel) else model.columnCount()):
        yield str(model.headerData(column, Qt.Orientation.Horizontal) or "")
        for row in range(model.rowCount()):
            for role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
                yield str(model.index(row, column).data(role) or "")


def english(texts: set[str]) -> list[str]:
    """Return the texts that hold two small English words in a row, or nothing but one."""
    left = []
    for text in texts:
        plain = re.sub(r"<code>.*?</code>|<[^>]*>|`[^`]*`|&\w+;", " ", text)
        words = [word for word in re.findall(r"[A-Za-z][a-z]{2,}", plain) if word not in NAMES]
        in_a_row = re.search(r"\b[A-Za-z]?[a-z]{2,} [a-z]{3,}\b", plain)
        alone = words and re.fullmatch(r"[A-Za-z][a-z]{2,}[ .…:]*", plain.replace("&", "").strip())
        if in_a_row or alone:
            left.append(text)
    return sorted(left)


def test_what_the_test_itself_takes_for_english() -> None:
    fine = {"精度 int8", "int8-dynamic", "EfficientNet-Lite0", "Ctrl+Shift+O", "torch", "共 3 个", "4.31 ms"}
    assert english(fine) == []
    assert english({"Nothing measured yet.", "Run", "<b>no model</b>", "延迟 was taken"}) == sorted(
        {"Nothing measured yet.", "Run", "<b>no model</b>", "延迟 was taken"}
    )


def test_nothing_english_is_left_in_sight(front, qtbot) -> None:
    window, session = front.window, front.window.session
    known = {"Workbench", "Inference Workbench", "Python", "English", "Sample", "NumPy", "ImageNet"}
    known |= {"Export", "Export..."}  # of pyqtgraph's menu, which is switched off
    known |= {f"sample:{name}" for name in sample_names()} | {session.host.cpu.model, session.host.os}
    session.set_knobs({"precision": "int8"})
    qtbot.waitUntil(tasks.idle)
    for record in records():
        session.selected = next(one for one in session.trials if one.reason == record.reason)
        session.selection_changed.emit()
        window.panels["log"].log._measured(session.selected)
    window.errors.tell(UserError("There is no file x.pt.", "The folder y does not exist either.", "Name a file."))
    window.show_environment()
    assert set(window.panels) >= {"model", "knobs", "latency", "trials"}
    texts = shown(window) | shown(window._page)
    left = [text for text in english(texts) if text not in known]
    assert left == []
    assert len([text for text in texts if re.search("[\u4e00-\u9fff]", text)]) > 250


def test_qts_own_buttons_speak_chinese_too(qapp) -> None:
    language.apply("zh_CN")
    box = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
    assert box.button(QDialogButtonBox.StandardButton.Cancel).text().startswith("取消")


def test_another_language_at_once(front, qtbot) -> None:
    before = front.window
    session = before.session
    session.set_deadline(5.0)
    assert "视图(&V)" in [action.text() for action in before.menuBar().actions()]
    action = next(one for one in before.findChildren(QAction) if one.text() == "English" and one.isCheckable())
    action.trigger()
    after = front.window
    assert isinstance(after, MainWindow) and after is not before and after.isVisible() and not before.isVisible()
    assert "&View" in [action.text() for action in after.menuBar().actions()]
    assert after.session is session and len(session.trials) == 2, "nothing but words has changed"
    assert after.deadline.value() == 5.0 and set(after.panels)
    assert english(shown(after.panels["latency"])) != []
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    session.refused.emit(UserError("What?", "Why.", "Next."))
    session.select(session.trials[0])
    assert after.errors.text() == "What?\nWhy.\nNext."
    assert QSettings(after._settings.fileName(), QSettings.Format.IniFormat).value("language") == "en"


def test_not_while_something_is_measured(front) -> None:
    session = front.window.session
    menu = next(one for one in front.window.findChildren(QAction) if one.text() == "语言 Language(&L)").menu()
    assert menu.isEnabled()
    session.run_live()
    assert not menu.isEnabled()
    session.stop()
    session.job.wait(5000)
    QCoreApplication.processEvents()
    assert menu.isEnabled()


@pytest.mark.parametrize(("locale", "wanted"), [
    (["zh-Hans-CN", "zh-CN", "en"], "zh_CN"), (["zh-SG"], "zh_CN"), (["zh-TW"], "en"), (["de-DE"], "en"), ([], "en"),
])  # fmt: skip
def test_the_systems_language_unless_another_was_chosen(monkeypatch, locale, wanted) -> None:
    class System:
        @staticmethod
        def uiLanguages() -> list[str]:
            return locale

    monkeypatch.setattr(language.QLocale, "system", lambda: System())
    assert language.of("system") == language.of(None) == language.of("klingon") == wanted
    assert language.of("en") == "en" and language.of("zh_CN") == "zh_CN"


def test_every_character_of_the_catalogue_can_be_drawn(qapp) -> None:
    """By the font that comes with the product, which is used where the system has none."""
    from PySide6.QtGui import QFontDatabase

    number = QFontDatabase.addApplicationFont(str(bundled("resources") / "fonts" / "WorkbenchSansSC-Regular.otf"))
    (family,) = QFontDatabase.applicationFontFamilies(number)
    font = QFont(family)
    font.setStyleStrategy(QFont.StyleStrategy.NoFontMerging)
    metrics = QFontMetrics(font)
    text = (bundled("resources") / "i18n" / "zh_CN.ts").read_text(encoding="utf-8")
    chinese = {letter for letter in text + "".join(language.NAMES.values()) if letter >= "\u3000"}
    assert len(chinese) > 500
    assert [letter for letter in sorted(chinese) if not metrics.inFontUcs4(ord(letter))] == []
    assert not metrics.inFontUcs4(0x10FFFF), "the question can be answered with no"
