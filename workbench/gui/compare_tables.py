"""The tables of the compare panel: figures and accuracy side by side, settings and layers that differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QHeaderView, QWidget

from workbench.core.figures import DASH, count, decibels, decimals, factor, milliseconds, quotient, rate, share
from workbench.core.layer_differences import LayerDifference
from workbench.core.layer_table import LayerRow
from workbench.core.trial import Trial
from workbench.gui.compare_data import SideRead
from workbench.gui.compare_words import setting_in_words
from workbench.gui.live_samples import Statistics
from workbench.gui.plain_table import PlainTable

MOST_LAYERS = 30
"""Lines of the table of layers; those that change the time most come first."""
_NAME_LETTERS = 22
"""Room for the name of a layer."""
_TIMES = ("mean_ms", "p50_ms", "p90_ms", "p99_ms", "max_ms")

translate = QCoreApplication.translate


class FiguresTable(PlainTable):
    """How long runs of either side take, how much memory they need, and what ran in INT8."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(["A", "B", translate("FiguresTable", "A better by")], widest="onnxrunti", parent=parent)
        self.set_names([
            self.tr("processes"), self.tr("runs"), self.tr("mean ms"), self.tr("p50 ms"), self.tr("p90 ms"),
            self.tr("p99 ms"), self.tr("max ms"), self.tr("missed"), self.tr("runs/s"), self.tr("peak MB"),
            self.tr("INT8 layers"),
        ])  # fmt: skip
        better = self.tr("B divided by A; of runs per second the other way round. Above 1 A is better.")
        for row in range(self.rowCount()):
            self.cell(row, 3).setToolTip(better)
        self.cell(7, 0).setToolTip(self.tr("Runs that took longer than the deadline."))
        self.cell(9, 0).setToolTip(self.tr("The most memory that was held while only running."))
        self.cell(10, 0).setToolTip(self.tr("Layers that ran in INT8, of those that were planned to."))

    def show_sides(self, a: SideRead, b: SideRead, deadline_ms: float | None) -> None:
        """Show both sides and how many times better A is."""
        figures = [_statistics(side, deadline_ms) for side in (a, b)]
        for column, (side, statistics) in enumerate(zip((a, b), figures, strict=True), start=1):
            for row, text in enumerate(self._texts(side, statistics)):
                self.say(row, column, text)
        ratios = [quotient(getattr(figures[1], key), getattr(figures[0], key)) for key in _TIMES]
        for row, ratio in enumerate([*ratios, None, quotient(figures[0].per_second, figures[1].per_second)], start=2):
            self.say(row, 3, factor(ratio))

    def _texts(self, side: SideRead, figures: Statistics) -> list[str]:
        times = [milliseconds(getattr(figures, key)) for key in _TIMES]
        if figures.n and figures.p99_ms is None:
            times[3] = self.tr("n < 100")
        trial = side.first
        memory = trial.memory.peak_rss_mb if trial is not None and trial.memory is not None else None
        proof = trial.proof if trial is not None else None
        int8 = f"{proof.int8_kernels} / {proof.expected_int8}" if proof is not None and proof.expected_int8 else DASH
        return [
            count(len(side.trials)), count(figures.n), *times, count(figures.missed), rate(figures.per_second),
            rate(memory), int8,
        ]  # fmt: skip


class AccuracyTable(PlainTable):
    """How far the outputs of either side are from FP32's."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(["A", "B"], widest="onnxrunti", parent=parent)
        self.set_names([
            self.tr("samples"), self.tr("cosine, mean"), self.tr("cosine, worst"), self.tr("SQNR dB"),
            self.tr("same class"), self.tr("right"),
        ])  # fmt: skip
        tips = (
            self.tr("Evaluation items that were compared."),
            self.tr("1 is the same direction as FP32's outputs; per item the worst output counts."),
            self.tr("The item that differs most."),
            self.tr("Signal to quantization noise of the worst output: 6 dB more is half the error."),
            self.tr("Items for which this config and FP32 say the same class."),
            self.tr("Items with a label for which this config says it."),
        )
        for row, tip in enumerate(tips):
            self.cell(row, 0).setToolTip(tip)

    def show_sides(self, a: Trial | None, b: Trial | None) -> bool:
        """Show both sides.

        Returns:
            Whether there is anything to see.
        """
        some = False
        for column, trial in enumerate((a, b), start=1):
            accuracy = trial.accuracy if trial is not None and trial.accuracy and trial.accuracy.samples else None
            some = some or accuracy is not None
            texts = [DASH] * self.rowCount() if accuracy is None else [
                count(accuracy.samples), decimals(accuracy.cosine_mean), decimals(accuracy.cosine_min),
                decibels(accuracy.sqnr_db), share(accuracy.top1_agreement), share(accuracy.top1),
            ]  # fmt: skip
            for row, text in enumerate(texts):
                self.say(row, column, text)
        return some


class SettingsTable(PlainTable):
    """Knobs, layers, fixes and preprocessing that are not the same."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(["A", "B"], widest="onnxruntime  ", parent=parent)

    def show_settings(self, differs: Mapping[str, tuple[Any, Any]]) -> None:
        """Show one line per setting."""
        self.set_names(list(differs))
        for row, (key, values) in enumerate(differs.items()):
            self.cell(row, 0).setToolTip(key)
            for column, value in enumerate(values, start=1):
                text = setting_in_words(key, value)
                self.say(row, column, text)
                self.cell(row, column).setToolTip(text)


class LayersTable(PlainTable):
    """Layers in which other kernels ran, or the same ones took another time."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(
            [
                translate("LayersTable", "A ran as"), translate("LayersTable", "B ran as"),
                translate("LayersTable", "A ms"), translate("LayersTable", "B ms"),
                translate("LayersTable", "A − B"),
            ],
            widest="−0.0000",
            parent=parent,
        )  # fmt: skip

    def show_layers(self, layers: Sequence[LayerDifference]) -> None:
        """Show the first :data:`MOST_LAYERS` of *layers*."""
        layers = layers[:MOST_LAYERS]
        self.set_names([layer.name for layer in layers])
        for row, layer in enumerate(layers):
            change = layer.ms
            texts = (_ran(layer.a), _ran(layer.b), _took(layer.a), _took(layer.b), _signed(change))
            for column, text in enumerate(texts, start=1):
                self.say(row, column, text)
            for column in (0, 1, 2):
                self.cell(row, column).setToolTip(self.cell(row, column).text())

    def _fit(self) -> None:
        super()._fit()
        # Names of kernels need what room there is, and read from the left.
        header = self.horizontalHeader()
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Interactive)
        header.resizeSection(0, _NAME_LETTERS * self.fontMetrics().averageCharWidth())
        for column in (1, 2):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
            for row in range(self.rowCount()):
                self.cell(row, column).setTextAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
            item = self.horizontalHeaderItem(column)
            if item is not None:
                item.setTextAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)


def _statistics(side: SideRead, deadline_ms: float | None) -> Statistics:
    trial = side.first
    run = trial.config.get("run") if trial is not None else None
    batch = run.get("batch") if isinstance(run, Mapping) else None
    return side.samples.statistics(deadline_ms, batch if isinstance(batch, int) else 1)


def _ran(row: LayerRow | None) -> str:
    if row is None:
        return translate("LayersTable", "not there")
    if row.kernel is None:
        if row.fused_into:
            return translate("LayersTable", "in {0}").format(row.fused_into)
        return DASH
    return f"{row.dtype}  {row.kernel}"


def _took(row: LayerRow | None) -> str:
    return milliseconds(row.ms if row is not None else None)


def _signed(ms: float | None) -> str:
    return DASH if ms is None else f"{'−' if ms < 0 else '+'}{milliseconds(abs(ms))}"
