"""Runs a bundle as its users do, and changes its manifest."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any


def run(folder: Path, *arguments: str, python: str = sys.executable) -> subprocess.CompletedProcess[str]:
    """Run the bundle from another folder than its own."""
    return subprocess.run(
        [python, "-B", str(folder / "run.py"), *arguments], capture_output=True, text=True, cwd=folder.parent,
        timeout=240, check=False,
    )  # fmt: skip


def edited(folder: Path, **changes: Any) -> None:
    """Change entries of the manifest."""
    path = folder / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), **changes}), "utf-8")
