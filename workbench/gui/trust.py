"""The question before a pickle is loaded: it could run any code, so the answer is no unless said otherwise.

The window asks when :attr:`Session.refused` brings an error that :func:`needs_trust`; used by the shell and by
whoever opens models.
"""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from workbench.errors import UserError
from workbench.gui import theme
from workbench.gui.labels import IconLabel
from workbench.gui.language import said
from workbench.gui.session import Session

_OPTION = "--trust-pickle"


def needs_trust(error: UserError) -> bool:
    """Whether *error* is about a pickle that the user may choose to trust."""
    # Other refusals mention the option, too ("… pickled modules (.pt, with --trust-pickle) …"), as one way of many.
    return _OPTION in error.next_step and bool(classes_named(error))


def classes_named(error: UserError) -> list[str]:
    """Return what the pickle wants to import, as far as the error names it; ``and N more`` is an entry."""
    _, colon, names = error.why.partition("wants to import: ")
    if not colon:
        return []
    head, more, tail = names.removesuffix(".").partition(" and ")
    return [name for name in head.split(", ") if name] + ([f"… and {tail}"] if more else [])


def ask_trust(parent: QWidget | None, error: UserError) -> bool:
    """Show what the pickle wants to import and ask whether to load it; the default is no."""
    return TrustQuestion(error, parent).exec() == QDialog.DialogCode.Accepted


def ask_and_reopen(session: Session, parent: QWidget | None, error: UserError) -> bool:
    """Ask, and on yes open what was refused once more, with trust for this file only.

    Returns:
        Whether it is being opened now.
    """
    trusted = ask_trust(parent, error)
    if trusted:
        session.open_trusted()
    return trusted


class TrustQuestion(QDialog):
    """What would happen, the names, and two buttons of which "no" is the default."""

    def __init__(self, error: UserError, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(_tr("Trust this pickle?"))
        what = QLabel(said(error.what))
        what.setTextFormat(Qt.TextFormat.PlainText)
        what.setWordWrap(True)
        bold = what.font()
        bold.setBold(True)
        what.setFont(bold)
        self.names = QPlainTextEdit("\n".join(classes_named(error)))
        self.names.setReadOnly(True)
        self.names.setTabChangesFocus(True)
        self.names.setFixedHeight(self.names.fontMetrics().lineSpacing() * 7)
        advice = QLabel(
            _tr(
                "Load it only if you know where it comes from. The permission counts for this file as it is now "
                "and is not remembered. Safer: TorchScript, ONNX, or a state dict with the model's source."
            )
        )
        advice.setWordWrap(True)
        self.buttons = QDialogButtonBox()
        trust = self.buttons.addButton(_tr("Trust and load"), QDialogButtonBox.ButtonRole.AcceptRole)
        refuse = self.buttons.addButton(_tr("Do not load"), QDialogButtonBox.ButtonRole.RejectRole)
        trust.setAutoDefault(False)
        refuse.setDefault(True)
        refuse.setFocus()
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        icon = IconLabel("warning", "warning")
        head = QHBoxLayout()
        head.setSpacing(theme.SPACE)
        head.addWidget(icon, 0, Qt.AlignmentFlag.AlignTop)
        head.addWidget(what, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.SPACE * 2, theme.SPACE * 2, theme.SPACE * 2, theme.SPACE * 2)
        column.setSpacing(theme.SPACE)
        column.addLayout(head)
        column.addWidget(QLabel(_tr("Beyond tensors it wants to import:")))
        column.addWidget(self.names)
        column.addWidget(advice)
        column.addWidget(self.buttons)
        self.setMinimumWidth(440)


def _tr(text: str) -> str:
    return QCoreApplication.translate("TrustQuestion", text)
