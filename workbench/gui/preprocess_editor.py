"""The form for how a picture becomes a tensor; made from the fields of the preprocessing object.

Part of the model panel. What is typed stays until it makes sense; what is wrong is said under the field, and
only a valid whole goes to ``Session.set_preprocess``.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QLineEdit, QMenu, QToolButton, QVBoxLayout, QWidget

from workbench.core.config import Config
from workbench.core.preprocess import Preprocess
from workbench.errors import UserError
from workbench.gui import theme
from workbench.gui.data_words import sample_of
from workbench.gui.labels import MutedLabel, Remark
from workbench.gui.language import said
from workbench.gui.preprocess_words import SCALES, field_of, fields, from_text, made, to_text
from workbench.gui.segmented import Segmented
from workbench.gui.session import Session


def _tr(text: str) -> str:
    return QCoreApplication.translate("PreprocessEditor", text)


def _words(name: str) -> tuple[str, str, str]:
    """Return label, placeholder and tooltip of a field."""
    known = {
        "size": (_tr("Size"), _tr("as the picture is"), _tr("Height × width, or one number; empty: no resizing.")),
        "resize": (
            _tr("Resize"),
            "",
            _tr(
                "squash: exactly the size. shorter: keep the aspect and cover the size. "
                "letterbox: keep the aspect, fit inside, fill up with gray 114."
            ),
        ),
        "crop": (_tr("Crop"), _tr("nothing is cut"), _tr("Centre crop after resizing; height × width or one number.")),
        "color": (_tr("Color"), "", _tr("Order of the channels, or one gray channel.")),
        "mean": (_tr("Mean"), "0", _tr("Subtracted, in 0..255 pixel units; one number or one per channel.")),
        "std": (_tr("Divisor"), "1", _tr("Divides after the mean, in 0..255 pixel units, as std does.")),
        "layout": (_tr("Layout"), "", _tr("Order of the axes that the model takes.")),
    }  # fmt: skip
    return known.get(name, (name.capitalize(), "", ""))


class PreprocessEditor(QWidget):
    """One row per field, with what is wrong in words under it."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._shown: Preprocess | None = None
        self._model = ""
        self._read: dict[str, Callable[[], Any]] = {}
        self._show: dict[str, Callable[[Any], None]] = {}
        self.editors: dict[str, QLineEdit | Segmented] = {}
        self.remarks: dict[str, Remark] = {}
        self.note = MutedLabel()
        self._form = QWidget()
        grid = QGridLayout(self._form)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(theme.SPACE)
        grid.setVerticalSpacing(theme.SPACE // 2)
        grid.setColumnStretch(1, 1)
        for place, (name, choices) in enumerate(fields()):
            self._add_row(grid, place * 2, name, choices)
        self._usual = QToolButton()
        self._usual.setText(self.tr("Usual scales"))
        self._usual.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._usual.setToolTip(self.tr("Mean and divisor that models are often trained with"))
        self._usual.setMenu(self._make_menu())
        below = QHBoxLayout()
        below.addStretch(1)
        below.addWidget(self._usual)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.SPACE // 2)
        column.addWidget(self.note)
        column.addWidget(self._form)
        column.addLayout(below)
        session.subject_changed.connect(self._follow)
        session.config_changed.connect(self._follow)
        self._follow()

    def complaint(self, name: str) -> str:
        """Return what is wrong with field *name*, nothing where all is well."""
        return self.remarks[name].text()

    # -- building -----------------------------------------------------------------------------------

    def _add_row(self, grid: QGridLayout, row: int, name: str, choices: tuple[str, ...]) -> None:
        label, placeholder, tooltip = _words(name)
        editor: QLineEdit | Segmented
        if choices:
            editor = segments = Segmented([(choice, choice) for choice in choices])
            segments.chosen.connect(self._apply)
            self._read[name], self._show[name] = segments.value, segments.set_value
        else:
            editor = line = QLineEdit()
            line.setPlaceholderText(placeholder)
            line.textEdited.connect(self._judge)
            line.editingFinished.connect(self._apply)
            self._read[name] = lambda: from_text(name, line.text())
            self._show[name] = lambda value: line.setText(to_text(value))
        editor.setToolTip(tooltip)
        editor.setAccessibleName(label)
        caption = QLabel(label)
        caption.setToolTip(tooltip)
        caption.setBuddy(editor)
        self.editors[name], self.remarks[name] = editor, Remark()
        grid.addWidget(caption, row, 0, Qt.AlignmentFlag.AlignVCenter)
        grid.addWidget(editor, row, 1)
        grid.addWidget(self.remarks[name], row + 1, 1)

    def _make_menu(self) -> QMenu:
        menu = QMenu(self)
        for title, mean, std in SCALES:
            action = menu.addAction(f"{title}\t({to_text(mean)}) / ({to_text(std)})")
            action.triggered.connect(lambda _=False, mean=mean, std=std: self._use({"mean": mean, "std": std}))
        menu.addSeparator()
        self._own = QAction(self.tr("The sample's own preprocessing"), menu)
        self._own.triggered.connect(self._use_own)
        menu.addAction(self._own)
        return menu

    # -- session → form -----------------------------------------------------------------------------

    def _follow(self) -> None:
        subject = self._session.subject
        pictures = subject is not None and subject.data is not None and _is_folder(subject.data.path)
        self._form.setVisible(pictures)
        self._usual.setVisible(pictures)
        self._own.setEnabled(subject is not None and sample_of(subject.model.name) is not None)
        note = ""
        if subject is not None and subject.data is not None and not pictures:
            note = self.tr("The data are arrays: the model gets them as they are, cast to its type.")
        elif not pictures:
            note = self.tr("Without pictures there is nothing to prepare.")
        self.note.setText(note)
        self.note.setVisible(bool(note))
        try:
            base = None if subject is None else self._session.config.preprocessing(subject.preprocess)
        except UserError:
            return  # the data part of the panel shows it
        effective = base or Preprocess()
        model = subject.model.sha256 if subject is not None else ""
        if effective != self._shown or model != self._model:
            self._model = model
            self._fill(effective)

    def _fill(self, preprocess: Preprocess) -> None:
        self._shown = preprocess
        for name, show in self._show.items():
            show(getattr(preprocess, name))
            self.remarks[name].say("")

    # -- form → session -----------------------------------------------------------------------------

    def _judge(self) -> Preprocess | None:
        """Say what is wrong where it is wrong; return the whole if nothing is."""
        values: dict[str, Any] = {}
        faults: dict[str, str] = {}
        for name, read in self._read.items():
            try:
                values[name] = read()
            except ValueError as error:
                faults[name] = said(str(error))
        result = None
        if not faults:
            try:
                result = made(values, self._shown or Preprocess())
            except UserError as error:
                faults[field_of(error) or next(iter(self._read))] = said(error.why or error.what)
        for name, remark in self.remarks.items():
            remark.say(faults.get(name, ""), "warning", "error")
        return result

    def _apply(self) -> None:
        preprocess = self._judge()
        if preprocess is None or preprocess == self._shown or self._session.subject is None:
            return
        self._shown = preprocess
        config = self._session.config
        if config.preprocess:
            # A config's own [preprocess] table wins over the subject's; it gives way to what is typed here.
            self._session.undo.beginMacro(self.tr("preprocessing"))
            self._session.set_config(Config(config.given, config.layers, config.fixes), self.tr("preprocessing"))
            self._session.set_preprocess(preprocess)
            self._session.undo.endMacro()
        else:
            self._session.set_preprocess(preprocess)

    def _use(self, values: dict[str, Any]) -> None:
        for name, value in values.items():
            self._show[name](value)
        self._apply()

    def _use_own(self) -> None:
        subject = self._session.subject
        sample = sample_of(subject.model.name) if subject is not None else None
        if sample is not None:
            self._use({name: getattr(sample.preprocess, name) for name in self._show})


def _is_folder(path: str) -> bool:
    return Path(path).suffix.lower() not in (".npy", ".npz")
