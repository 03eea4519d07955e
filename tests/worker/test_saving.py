"""What is said where a model cannot be saved; what is saved is tested with bundles."""

from __future__ import annotations

import errno
import os

import numpy as np
import pytest

from workbench.errors import UserError
from workbench.worker.saving import save


class FullDisk:
    def save(self, folder: str) -> dict[str, str]:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_full_disk_is_told_as_such(tmp_path):
    with pytest.raises(UserError, match="could not be saved") as refused:
        save(FullDisk(), tmp_path, [("a", {"image": np.zeros((1, 4), np.float32)})], [], [])
    assert "No space left on device." in str(refused.value) and list(tmp_path.iterdir()) == []
