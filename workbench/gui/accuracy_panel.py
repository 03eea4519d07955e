"""The accuracy panel: how far the selected trial's outputs are from FP32's, in words, figures and pictures."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QListView, QStackedWidget, QVBoxLayout, QWidget

from workbench.core.accuracy import Accuracy
from workbench.core.figures import DASH, count, decibels, decimals, finite, share, significant
from workbench.core.trial import Trial
from workbench.gui import theme
from workbench.gui.empty import EmptyState
from workbench.gui.labels import ElidedLabel, MutedLabel, Remark
from workbench.gui.language import said
from workbench.gui.plain_table import PlainTable
from workbench.gui.section import scrolling
from workbench.gui.session import Session
from workbench.gui.thumbnails import Thumbnails
from workbench.gui.trial_words import trial_in_words
from workbench.gui.turns import Soon
from workbench.gui.worst_items import MOST, WorstItems

_THUMBNAIL = 40
_MOST_OUTPUTS = 12
_GOOD, _MIDDLING = ("practically", "close"), ("visibly",)


class AccuracyPanel(QWidget):
    """Follows the selected trial, beside the baseline."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._title = ElidedLabel()
        self._verdict = Remark()
        self._notes = MutedLabel()
        self.figures = PlainTable([self.tr("this"), self.tr("baseline")], self._names(), "100.0%")
        self.outputs = PlainTable([self.tr("cosine"), self.tr("SQNR"), self.tr("max Δ")], widest="0.0000")
        self._outputs_title = _heading(self.tr("Outputs"))
        self._worst_title = _heading(self.tr("Worst items"))
        self._caption = MutedLabel()
        self.items = WorstItems(Thumbnails(session, _THUMBNAIL, self), self)
        self.list = _list(self.items)
        self._empty = EmptyState("accuracy")
        self._pages = QStackedWidget()
        self._pages.addWidget(self._empty)
        self._pages.addWidget(self._arranged())
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._pages)
        following = Soon(self, self.follow)
        session.selection_changed.connect(following.ask)
        session.subject_changed.connect(following.ask)
        self._shown: Trial | None = None
        self.follow()

    def _names(self) -> list[str]:
        return [
            self.tr("samples"), self.tr("cosine, mean"), self.tr("cosine, worst"), self.tr("SQNR dB"),
            self.tr("KL, nats"), self.tr("same class"), self.tr("right"), self.tr("FP32 right"),
        ]  # fmt: skip

    def _arranged(self) -> QWidget:
        font = self._title.font()
        font.setBold(True)
        self._title.setFont(font)
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(theme.SPACE, theme.SPACE // 2, theme.SPACE, theme.SPACE)
        column.setSpacing(theme.SPACE)
        for widget in (
            self._title, self._verdict, self.figures, self._notes, self._outputs_title, self.outputs, self._worst_title,
        ):  # fmt: skip
            column.addWidget(widget)
        column.addWidget(self._caption)
        column.addWidget(self.list, 1)
        tips = (
            self.tr("Evaluation items that were compared."),
            self.tr("1 is the same direction as FP32's outputs; per item the worst output counts."),
            self.tr("The item that differs most."),
            self.tr("Signal to quantization noise of the worst output: 6 dB more is half the error."),
            self.tr("How far class probabilities moved: below 0.05 barely, above 0.15 much."),
            self.tr("Items for which this config and FP32 say the same class."),
            self.tr("Items with a label for which this config says it."),
            self.tr("The same for FP32: what could be reached."),
        )
        for row, tip in enumerate(tips):
            self.figures.cell(row, 0).setToolTip(tip)
        area = scrolling(content)
        area.setMinimumWidth(content.minimumSizeHint().width() + area.verticalScrollBar().sizeHint().width())
        return area

    def follow(self) -> None:
        """Show the session's selected trial."""
        trial, baseline = self._session.selected, self._session.baseline
        accuracy = trial.accuracy if trial is not None else None
        if trial is None or accuracy is None or not accuracy.samples:
            self._shown = None
            self.items.show_trial(None)
            self._empty.say(*self._nothing_in_words(trial))
            self._pages.setCurrentIndex(0)
            return
        self._title.setText(trial_in_words(trial))
        verdict = accuracy.verdict or DASH
        kind = "ok" if verdict.startswith(_GOOD) else "warning" if verdict.startswith(_MIDDLING) else "error"
        self._verdict.say(said(verdict), kind, kind)
        self._notes.setText("\n".join(map(said, accuracy.notes)))
        self._notes.setVisible(bool(accuracy.notes))
        for column, side in enumerate((accuracy, baseline.accuracy if baseline is not None else None), start=1):
            texts = _texts(side) if side is not None and side.samples else [DASH] * 8
            for row, text in enumerate(texts):
                self.figures.say(row, column, text)
        if trial is not self._shown:
            self._shown = trial
            self._show_outputs(accuracy)
            self._show_items(trial, accuracy)
        self._pages.setCurrentIndex(1)

    def _show_outputs(self, accuracy: Accuracy) -> None:
        outputs = sorted(accuracy.outputs, key=lambda output: finite(output.cosine_mean) or -1.0)
        shown = [output for output in accuracy.outputs if output in outputs[:_MOST_OUTPUTS]]
        self.outputs.set_names([output.name or self.tr("output") for output in shown])
        for row, output in enumerate(shown):
            self.outputs.cell(row, 0).setToolTip(output.name)
            texts = (decimals(output.cosine_mean), decibels(output.sqnr_db), significant(output.max_abs_diff))
            for column, text in enumerate(texts, start=1):
                self.outputs.say(row, column, text)
        more = len(accuracy.outputs) - len(shown)
        title = self.tr("Outputs") if not more else self.tr("Worst outputs ({0} more)").format(more)
        self._outputs_title.setText(title)
        # One output alone says nothing that the figures above do not say.
        for widget in (self.outputs, self._outputs_title):
            widget.setVisible(len(shown) > 1)

    def _show_items(self, trial: Trial, accuracy: Accuracy) -> None:
        self.items.show_trial(trial)
        self.list.scrollToTop()
        self._caption.setText(self.items.caption())
        total = len(accuracy.items)
        self._worst_title.setText(
            self.tr("Worst items") if total <= MOST else self.tr("Worst items ({0} of {1})").format(MOST, f"{total:,}")
        )
        for widget in (self.list, self._worst_title, self._caption):
            widget.setVisible(total > 0)

    def _nothing_in_words(self, trial: Trial | None) -> tuple[str, str]:
        if trial is None:
            return self.tr("Nothing to compare yet."), self.tr("Accuracy comes with the first run that has data.")
        if trial.accuracy is not None:
            return self.tr("Accuracy n/a: nothing was compared."), self.tr("The data has no evaluation items.")
        if trial.data is not None or trial.status == "failed":
            what = self.tr("Accuracy n/a: trial {0} did not get that far.").format(trial.id or "")
            return what, said(trial.reason)
        what = self.tr("Accuracy n/a: this run had no data.")
        return what, self.tr("Random input is for speed only. Choose a data folder and run again.")


def _texts(side: Accuracy) -> list[str]:
    return [
        count(side.samples), decimals(side.cosine_mean), decimals(side.cosine_min), decibels(side.sqnr_db),
        significant(side.kl_mean, 2), share(side.top1_agreement), share(side.top1), share(side.top1_fp32),
    ]  # fmt: skip


def _heading(text: str) -> QLabel:
    label = QLabel(text)
    font = label.font()
    font.setBold(True)
    label.setFont(font)
    return label


def _list(items: WorstItems) -> QListView:
    view = QListView()
    view.setModel(items)
    view.setUniformItemSizes(True)
    view.setAlternatingRowColors(True)
    view.setFrameShape(QListView.Shape.NoFrame)
    view.setTextElideMode(Qt.TextElideMode.ElideRight)
    view.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
    view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    view.setSpacing(1)
    view.setMinimumHeight(3 * (_THUMBNAIL + 6))
    return view
