"""Surroundings that the workers of a module share."""

from __future__ import annotations

import os

import pytest


@pytest.fixture(scope="module")
def variables(own_folders) -> dict[str, str]:
    """One environment for all workers of a module: each other one would have a parent of its own."""
    return {key: value for key, value in os.environ.items() if key != "PYTEST_CURRENT_TEST"}
