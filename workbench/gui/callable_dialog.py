"""The dialog for a model that a Python function builds: ``file.py:callable``, its weights, its input shapes.

Used by the model panel and the menu. The file is only parsed here, never imported.
"""

from __future__ import annotations

import ast
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from workbench.core.model import parse_inputs
from workbench.errors import UserError
from workbench.gui import theme
from workbench.gui.labels import MutedLabel, Remark
from workbench.gui.language import said


class CallableDialog(QDialog):
    """Asks for file, callable, weights and inputs; ``text()`` and ``options()`` go to ``Session.open_model``."""

    def __init__(self, file: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Open a model built by Python"))
        self.file = QLineEdit()
        self.file.setPlaceholderText(self.tr("model.py"))
        self.callable = QComboBox()
        self.callable.setEditable(True)
        self.callable.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.callable.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.weights = QLineEdit()
        self.weights.setPlaceholderText(self.tr("none: the function brings its own"))
        self.inputs = QLineEdit()
        self.inputs.setPlaceholderText("1x3x224x224")
        self.inputs.setToolTip(
            self.tr("[NAME=]SHAPE[:DTYPE], several apart by spaces; ? is a dynamic axis, as in ids=1x?:int64")
        )
        self.fault = Remark()
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Open | QDialogButtonBox.StandardButton.Cancel)
        self._buttons.accepted.connect(self.accept)
        self._buttons.rejected.connect(self.reject)
        form = QFormLayout()
        form.setSpacing(theme.SPACE)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        form.addRow(self.tr("Python &file"), self._with_button(self.file, self._browse_file, self.tr("Choose a file")))
        form.addRow(self.tr("&Callable"), self.callable)
        form.addRow(
            self.tr("&Weights"), self._with_button(self.weights, self._browse_weights, self.tr("Choose weights"))
        )
        form.addRow(self.tr("&Inputs"), self.inputs)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.SPACE * 2, theme.SPACE * 2, theme.SPACE * 2, theme.SPACE * 2)
        column.setSpacing(theme.SPACE)
        column.addWidget(
            MutedLabel(
                self.tr(
                    "A class or function without required arguments that returns the model. "
                    "The file runs in the measuring process only."
                )
            )
        )
        column.addLayout(form)
        column.addWidget(self.fault)
        column.addStretch(1)
        column.addWidget(self._buttons)
        self.setMinimumWidth(460)
        self.file.textChanged.connect(self._list_callables)
        for edit in (self.file, self.weights, self.inputs):
            edit.textChanged.connect(self._judge)
        self.callable.editTextChanged.connect(self._judge)
        self.file.setText(file)
        self._judge()

    def text(self) -> str:
        """Return ``file.py:callable``."""
        return f"{self.file.text().strip()}:{self.callable.currentText().strip()}"

    def options(self) -> dict[str, object]:
        """Return the keyword arguments for ``find_subject``."""
        return {"weights": self.weights.text().strip() or None, "inputs": tuple(self.inputs.text().split())}

    def _with_button(self, edit: QLineEdit, browse: object, tooltip: str) -> QWidget:
        button = QToolButton()
        button.setIcon(theme.icon("folder"))
        button.setToolTip(tooltip)
        button.setAccessibleName(tooltip)
        button.clicked.connect(browse)
        both = QWidget()
        both.setFocusProxy(edit)
        row = QHBoxLayout(both)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.SPACE // 2)
        row.addWidget(edit, 1)
        row.addWidget(button)
        return both

    def _browse_file(self) -> None:
        path, _ = QFileDialog.getOpenFileName(
            self, self.tr("Python file"), self.file.text(), self.tr("Python files (*.py)")
        )
        if path:
            self.file.setText(path)

    def _browse_weights(self) -> None:
        start = self.weights.text() or str(Path(self.file.text()).parent)
        path, _ = QFileDialog.getOpenFileName(
            self, self.tr("Weights"), start, self.tr("Weights (*.pt *.pth *.bin *.ckpt *.safetensors);;All files (*)")
        )
        if path:
            self.weights.setText(path)

    def _list_callables(self) -> None:
        chosen = self.callable.currentText()
        self.callable.clear()
        self.callable.addItems(callables_in(Path(self.file.text().strip())))
        if self.callable.findText(chosen, Qt.MatchFlag.MatchExactly) >= 0:
            self.callable.setCurrentText(chosen)

    def _judge(self) -> None:
        file, fault = self.file.text().strip(), ""
        if file and not Path(file).is_file():
            fault = self.tr("There is no such Python file.")
        elif file and not file.lower().endswith(".py"):
            fault = self.tr("A Python file ends in .py.")
        elif (weights := self.weights.text().strip()) and not Path(weights).is_file():
            fault = self.tr("There is no such weights file.")
        try:
            parse_inputs(self.inputs.text().split())
        except UserError as error:
            fault = fault or "\n".join(said(part) for part in (error.what, error.why) if part).replace("--input ", "")
        self.fault.say(fault)
        ready = bool(file) and bool(self.callable.currentText().strip()) and not fault
        self._buttons.button(QDialogButtonBox.StandardButton.Open).setEnabled(ready)


def callables_in(path: Path) -> list[str]:
    """Return the functions and classes that the Python file *path* defines at its top level, most likely first.

    The file is parsed, not run; one that cannot be parsed yields nothing.
    """
    try:
        tree = ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return []
    found = {
        node.name: isinstance(node, ast.FunctionDef)
        for node in tree.body
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_")
    }
    usual = ("build", "model", "create_model", "get_model", "make_model")
    # A function that builds is more often meant than a class, which may be but a part of the model.
    return sorted(found, key=lambda name: (usual.index(name) if name in usual else len(usual), not found[name]))
