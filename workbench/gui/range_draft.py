"""A range as it stands in the editor, before it is applied: which ends are fixed, and to what. No widgets."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.core.fix_states import Standing

Ends = tuple[float, float]


@dataclass
class Draft:
    """What the handles and fields show.

    Attributes:
        standing: what the config says.
        calibrated: where an end lies that is not fixed.
        low, high: where the ends are.
        holds_low, holds_high: whether that end is to be fixed.
    """

    standing: Standing
    calibrated: Ends
    low: float
    high: float
    holds_low: bool
    holds_high: bool

    @classmethod
    def of(cls, standing: Standing, calibrated: Ends) -> Draft:
        """Return the draft that says what the config says."""
        low, high = standing.low, standing.high
        return cls(
            standing,
            calibrated,
            calibrated[0] if low is None else low,
            calibrated[1] if high is None else high,
            low is not None,
            high is not None,
        )

    def stands(self, standing: Standing) -> bool:
        """Whether *standing* is the same fix, whatever became of it."""
        mine = self.standing
        return (mine.name, mine.low, mine.high) == (standing.name, standing.low, standing.high)

    def move(self, low: float, high: float) -> None:
        """Take both ends over; one that has moved is to be fixed."""
        self.holds_low = self.holds_low or low != self.low
        self.holds_high = self.holds_high or high != self.high
        self.low, self.high = low, high

    def take(self, low: float, high: float) -> None:
        """Fix both ends, as a suggestion does."""
        self.low, self.high, self.holds_low, self.holds_high = low, high, True, True

    def hold_low(self, on: bool) -> None:
        """Fix the lower end where it is, or leave it to calibration."""
        self.holds_low = on
        self.low = self.low if on else self.calibrated[0]

    def hold_high(self, on: bool) -> None:
        """Fix the upper end where it is, or leave it to calibration."""
        self.holds_high = on
        self.high = self.high if on else self.calibrated[1]

    def recalibrate(self, calibrated: Ends) -> None:
        """Learn where calibration puts the ends that are not fixed."""
        self.calibrated = calibrated
        self.hold_low(self.holds_low)
        self.hold_high(self.holds_high)

    def fix(self) -> tuple[float | None, float | None]:
        """Return the fix to apply, in digits that people can read; None is left to calibration."""
        return _readable(self.low) if self.holds_low else None, _readable(self.high) if self.holds_high else None

    @property
    def changed(self) -> bool:
        """Whether applying it would change the config."""
        return self.fix() != (self.standing.low, self.standing.high)


def _readable(value: float) -> float:
    return float(f"{value:.6g}")
