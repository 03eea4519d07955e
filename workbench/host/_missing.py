"""Run as a script under another interpreter: which of the modules named as arguments does it lack?

Standard library only; nothing is imported that is asked for.
"""

from __future__ import annotations

import importlib.util
import json
import sys


def missing(modules: list[str]) -> list[str]:
    """Return those of *modules* that cannot be found."""
    lacking = []
    for module in modules:
        try:
            found = importlib.util.find_spec(module) is not None
        except (ImportError, ValueError):
            found = False
        if not found:
            lacking.append(module)
    return lacking


if __name__ == "__main__":
    print(json.dumps({"missing": missing(sys.argv[1:]), "version": list(sys.version_info[:3])}))
