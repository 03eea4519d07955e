"""Which tensor of a layer is looked at: what it reads, its weights, what leaves it. Part of the range editor."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QComboBox, QWidget

from workbench.core.layer_table import LayerRow, TensorRow

_LETTERS = 16
"""Of a name that there is room for at least."""


def is_weight(tensor: TensorRow) -> bool:
    """Whether it holds the weights of a layer."""
    return tensor.name.endswith(":weight")


class TensorChoice(QComboBox):
    """``chosen`` tells that the user took another tensor."""

    chosen = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tensors: list[TensorRow] = []
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(_LETTERS)
        self.setToolTip(self.tr("Tensors that the layer reads, its weights, and what leaves it"))
        self.activated.connect(lambda _: self.chosen.emit())

    def show_layer(self, layer: LayerRow | None) -> None:
        """Offer the tensors of *layer*: the one chosen before where it has that, else its output."""
        before = self.current()
        self._tensors = list(layer.tensors) if layer is not None else []
        names = [tensor.name for tensor in self._tensors]
        plain = [place for place, tensor in enumerate(self._tensors) if not is_weight(tensor)]
        output = plain[-1] if plain else -1
        with QSignalBlocker(self):
            self.clear()
            for place, tensor in enumerate(self._tensors):
                text = self.tr("output  {0}") if place == output else self.tr("input  {0}")
                self.addItem((self.tr("weights  {0}") if is_weight(tensor) else text).format(tensor.name), tensor.name)
            self.setCurrentIndex(names.index(before.name) if before and before.name in names else output)
        self.setEnabled(bool(names))

    def current(self) -> TensorRow | None:
        """Return the tensor that is chosen."""
        place = self.currentIndex()
        return self._tensors[place] if 0 <= place < len(self._tensors) else None
