"""Which engine packages an interpreter has, from their metadata alone; nothing of them is imported.

``engines`` calls :func:`installed` for its own interpreter and runs this file as a script under any
other one, which need not have this product or its dependencies: standard library only.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import json
import sys

# Engine -> (module, distributions that provide it). ONNX Runtime is published under several names.
PACKAGES = {
    "torch": ("torch", ("torch",)),
    "ipex": ("intel_extension_for_pytorch", ("intel-extension-for-pytorch",)),
    "onnxruntime": (
        "onnxruntime",
        ("onnxruntime", "onnxruntime-openvino", "onnxruntime-directml", "onnxruntime-gpu"),
    ),
}


def installed() -> dict[str, str | None]:
    """Return the version per engine, ``None`` where it is not installed.

    The value is empty for a module without usable metadata (a source tree on the path, leftovers
    of a broken uninstall): only importing it can tell more. ``python`` is the interpreter's own version.
    """
    found: dict[str, str | None] = {"python": ".".join(str(part) for part in sys.version_info[:3])}
    for engine, (module, distributions) in PACKAGES.items():
        versions = (_version(name) for name in distributions)
        version = next((known for known in versions if known), None)
        found[engine] = version or ("" if _exists(module) else None)
    return found


def _version(distribution: str) -> str | None:
    try:
        # A dist-info folder without METADATA yields None in spite of the declared type.
        return importlib.metadata.version(distribution) or None
    except (importlib.metadata.PackageNotFoundError, KeyError, ValueError, OSError):
        return None


def _exists(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except (ImportError, ValueError, OSError):
        return False


if __name__ == "__main__":
    print(json.dumps(installed()))
