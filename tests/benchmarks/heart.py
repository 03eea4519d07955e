"""How late the event loop is, and what it was in: a beat and a witness, shared by benchmarks of the window."""

from __future__ import annotations

import gc
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from types import FrameType

import numpy as np
from PySide6.QtCore import QObject, Qt, QTimer

BEAT_MS = 2
_LOOK_S = 0.003
_FRAMES = 9


class Heart(QObject):
    """Beats in the event loop and keeps how long each beat came after the one before.

    Attributes:
        gaps: seconds from beat to beat.
        count: how often it has beaten.
        longest: since somebody last took it away: a gap, and the processor time that this thread had in it.
    """

    def __init__(self) -> None:
        super().__init__()
        self.gaps: list[float] = []
        self.count = 0
        self.longest = (0.0, 0.0)
        self._last = (time.perf_counter(), time.thread_time())
        self.thread = threading.get_ident()
        self._timer = QTimer(self, interval=BEAT_MS, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._beat)
        self._timer.start()

    def _beat(self) -> None:
        now = (time.perf_counter(), time.thread_time())
        gap = now[0] - self._last[0]
        self.gaps.append(gap)
        self.longest = max(self.longest, (gap, now[1] - self._last[1]))
        self._last = now
        self.count += 1

    def waits_ms(self) -> np.ndarray:
        """How long events would have waited that came every half millisecond."""
        step = 0.0005
        waits = [np.arange(gap - BEAT_MS / 1000, 0.0, -step) for gap in self.gaps if gap > BEAT_MS / 1000]
        idle = int(sum(min(gap, BEAT_MS / 1000) for gap in self.gaps) / step)
        return np.concatenate([np.zeros(idle), *waits]) * 1000


class Witness(threading.Thread):
    """Samples the stack of the heart's thread and tells, after each long gap, where that thread was.

    Beside the places stand the processor time that the thread had in the gap (little means that it waited: for the
    processor, for the interpreter's lock or for the kernel), the garbage collections in it, and the longest time that
    the witness itself did not get the lock.

    Args:
        heart: whose gaps.
        late_s: gaps longer than this are told.
    """

    def __init__(self, heart: Heart, late_s: float) -> None:
        super().__init__(daemon=True)
        self._heart = heart
        self._late_s = late_s
        self._collecting = 0.0
        self._collected: list[tuple[int, float]] = []
        gc.callbacks.append(self._garbage)

    def _garbage(self, phase: str, info: dict[str, int]) -> None:
        if phase == "start":
            self._collecting = time.perf_counter()
        else:
            self._collected.append((info["generation"], time.perf_counter() - self._collecting))

    def run(self) -> None:
        heart = self._heart
        count = heart.count
        places: Counter[str] = Counter()
        others: Counter[str] = Counter()
        blind, looked = 0.0, time.perf_counter()
        while True:
            time.sleep(_LOOK_S)
            now = time.perf_counter()
            blind, looked = max(blind, now - looked - _LOOK_S), now
            if heart.count != count:
                count, (gap, cpu) = heart.count, heart.longest
                heart.longest = (0.0, 0.0)
                self._tell(gap, cpu, blind, places, others)
                blind = 0.0
                places.clear()
                others.clear()
                self._collected.clear()
            frames = sys._current_frames()
            if heart.thread not in frames:  # the process ends
                return
            places[_place(frames.pop(heart.thread))] += 1
            frames.pop(self.ident or 0, None)
            for frame in frames.values():
                others[_place(frame, 3)] += 1

    def _tell(self, gap: float, cpu: float, blind: float, places: Counter[str], others: Counter[str]) -> None:
        if gap < self._late_s:
            return
        garbage = ", ".join(f"gen {generation} {seconds * 1000:.0f}" for generation, seconds in self._collected)
        print(f"   gap {gap * 1000:.0f} ms, cpu {cpu * 1000:.0f}, blind {blind * 1000:.0f}, garbage [{garbage}]")
        for place, times in places.most_common(5):
            print(f"      {times:3}× {place}")
        for place, times in others.most_common(3):
            print(f"          beside {times:3}× {place}")
        sys.stdout.flush()


def _place(frame: FrameType | None, most: int = _FRAMES) -> str:
    """Return the innermost places of a stack, without lines of the benchmarks."""
    words: list[str] = []
    while frame is not None and len(words) < most:
        path = Path(frame.f_code.co_filename)
        if path.parent.name != "benchmarks":
            words.append(f"{path.stem}.{frame.f_code.co_name}:{frame.f_lineno}")
        frame = frame.f_back
    return " < ".join(words) or "the event loop"
