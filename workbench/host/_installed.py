"""Which engine packages an interpreter has, from their metadata alone; nothing of them is imported.

``engines`` calls :func:`installed` for its own interpreter and runs this file as a script under any
other one, which need not have this product or its dependencies: standard library only.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import re
import sys
from pathlib import Path

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
    known = _dist_infos()
    for engine, (module, distributions) in PACKAGES.items():
        versions = [known[name] for name in distributions if name in known]
        found[engine] = versions[0] if versions else _unusual(distributions) if _exists(module) else None
    return found


def _dist_infos() -> dict[str, str]:
    """Return distribution → version as wheels name their folders: importlib.metadata takes 40 ms to load."""
    found: dict[str, str] = {}
    for folder in sys.path:
        for info in Path(folder).glob("*.dist-info"):
            name, _, version = info.stem.partition("-")
            if version and (info / "METADATA").is_file():
                found.setdefault(re.sub(r"[_.]+", "-", name).lower(), version)
    return found


def _unusual(distributions: tuple[str, ...]) -> str:
    """Return the version of a module that no wheel installed, "" where its metadata do not tell."""
    import importlib.metadata

    for name in distributions:
        # A dist-info folder without METADATA yields None in spite of the declared type.
        with contextlib.suppress(importlib.metadata.PackageNotFoundError, KeyError, ValueError, OSError):
            if version := importlib.metadata.version(name):
                return version
    return ""


def _exists(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except (ImportError, ValueError, OSError):
        return False


if __name__ == "__main__":
    print(json.dumps(installed()))
