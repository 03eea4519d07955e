"""Ranges fixed and layers pinned by hand, undoably: what the layers panel and the findings do to the config.

Held by the session. A change acts like that of a knob: it is measured at the next run, or at once while "Live" is on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from workbench.core.config import Config
from workbench.errors import UserError

if TYPE_CHECKING:
    from workbench.gui.session import Session


class Quantizer(QObject):
    """Each method returns whether the config took it; if not, the session's ``refused`` has told why."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session

    def fix(self, tensor: str, low: float | None, high: float | None) -> bool:
        """Fix the range of a tensor, in its own units; None leaves that end to calibration."""
        return self._change(lambda config: config.with_fix(tensor, (low, high)), self.tr("range of {0}").format(tensor))

    def release(self, tensor: str) -> bool:
        """Leave the range of a tensor to calibration again."""
        return self._change(lambda config: config.with_fix(tensor, None), self.tr("reset {0}").format(tensor))

    def pin(self, layer: str, precision: str | None) -> bool:
        """Pin the precision of a layer; None leaves it to the engine."""
        text = (
            self.tr("{0} in {1}").format(layer, precision.upper()) if precision else self.tr("free {0}").format(layer)
        )
        return self._change(lambda config: config.with_layer(layer, precision), text)

    def pin_all(self, layers: Sequence[str], precision: str | None) -> bool:
        """Pin the precision of several layers, in one step of undo; None leaves them to the engine."""
        if len(layers) == 1:
            return self.pin(layers[0], precision)

        def change(config: Config) -> Config:
            for layer in layers:
                config = config.with_layer(layer, precision)
            return config

        return self._change(change, self.tr("precision of {0} layers").format(len(layers)))

    def release_all(self) -> bool:
        """Take back every fix and every pinned layer."""
        return self._change(Config.without_fixes, self.tr("reset all ranges and layers"))

    def repair(
        self, settings: Iterable[str], text: str, *, released: Iterable[str] = (), base: Config | None = None
    ) -> bool:
        """Take ``KEY=VALUE`` settings over, as a repair offers them: one step of undo.

        Args:
            text: names the step.
            released: tensors whose fix is taken back as well.
            base: the config to start from; the current one by default.
        """

        def change(config: Config) -> Config:
            changed = (base or config).with_settings(settings)
            for tensor in released:
                changed = changed.with_fix(tensor, None)
            return changed

        return self._change(change, text)

    def _change(self, change: Callable[[Config], Config], text: str) -> bool:
        try:
            config = change(self._session.config)
        except UserError as error:
            self._session.refused.emit(error)
            return False
        self._session.set_config(config, text)
        return True
