"""The figures of the latency panel: this run, the baseline, and how many times better this one is."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from workbench.core.figures import DASH, count, factor, milliseconds, quotient, rate
from workbench.core.trial import Trial
from workbench.gui.live_samples import Statistics
from workbench.gui.plain_table import PlainTable

_TIMES = ("mean_ms", "p50_ms", "p90_ms", "p99_ms", "max_ms")
_P99 = 4
_SAME = 0.01
"""A ratio closer to one than this is neither good nor bad."""


class StatisticsTable(PlainTable):
    """Eight rows of figures."""

    def __init__(self, parent: QWidget | None = None) -> None:
        translate = QCoreApplication.translate
        super().__init__(
            [
                translate("StatisticsTable", "this run"),
                translate("StatisticsTable", "baseline"),
                translate("StatisticsTable", "better by"),
            ],
            widest="1,000,000",
            parent=parent,
        )
        self.set_names([
            self.tr("runs"), self.tr("mean ms"), self.tr("p50 ms"), self.tr("p90 ms"), self.tr("p99 ms"),
            self.tr("max ms"), self.tr("missed"), self.tr("runs/s"),
        ])  # fmt: skip
        for row in (2, _P99):
            self.set_bold(row, 1)
        better = self.tr(
            "Baseline divided by this run; of runs per second the other way round. Above 1 this run is better."
        )
        for row in range(8):
            self.cell(row, 3).setToolTip(better)
        self.cell(_P99, 0).setToolTip(self.tr("The 99th percentile means something from 100 runs up."))
        self.cell(6, 0).setToolTip(self.tr("Runs that took longer than the deadline."))

    def show_figures(self, current: Statistics, baseline: Statistics | None) -> None:
        """Show both columns and their ratio."""
        for column, side in enumerate((current, baseline), start=1):
            texts = self._texts(side) if side is not None else [DASH] * 8
            for row, text in enumerate(texts):
                self.say(row, column, text)
        ratios: dict[int, float | None] = {}
        if baseline is not None:
            for row, key in enumerate(_TIMES, start=1):
                ratios[row] = quotient(getattr(baseline, key), getattr(current, key))
            ratios[7] = quotient(current.per_second, baseline.per_second)
        for row in range(8):
            ratio = ratios.get(row)
            even = ratio is None or abs(ratio - 1) < _SAME
            self.say(row, 3, factor(ratio), "" if even else "ok" if ratio is not None and ratio > 1 else "error")

    def _texts(self, side: Statistics) -> list[str]:
        texts = [count(side.n), *(milliseconds(getattr(side, key)) for key in _TIMES)]
        if side.n and side.p99_ms is None:
            texts[_P99] = self.tr("n < 100")
        return [*texts, count(side.missed), rate(side.per_second)]


def of_record(trial: Trial) -> Statistics | None:
    """Return the figures that a finished trial carries."""
    latency = trial.latency
    if latency is None or not latency.n:
        return None
    return Statistics(
        n=latency.n, mean_ms=latency.mean_ms, p50_ms=latency.p50_ms, p90_ms=latency.p90_ms, p99_ms=latency.p99_ms,
        max_ms=latency.max_ms, missed=latency.missed, per_second=trial.throughput_per_s,
    )  # fmt: skip
