"""The golden samples: feeds, and what the model answered to them at the export."""

from __future__ import annotations

from typing import Any

import numpy as np

from workbench.onsite.start import Bundle, check_files


def golden(bundle: Bundle) -> list[tuple[dict[str, Any], list[tuple[str, Any]]]]:
    """Return feeds with the outputs that belong to them.

    Raises:
        UserError: they are not what was exported.
    """
    check_files(bundle, ["golden.npz"])
    samples = []
    with np.load(bundle.folder / "golden.npz") as arrays:
        for number in range(len(bundle["golden"])):
            sides: dict[str, dict[str, Any]] = {"in": {}, "out": {}}
            for key in arrays.files:
                index, side, name = key.split(".", 2)
                if int(index) == number:
                    sides[side][name] = arrays[key]
            samples.append((sides["in"], list(sides["out"].items())))
    return samples
