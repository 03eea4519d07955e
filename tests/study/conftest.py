"""What tests of studies share."""

import pytest

from workbench.study.store import Store


@pytest.fixture
def store(tmp_path):
    store = Store(str(tmp_path / "study.sqlite"))
    yield store
    store.close()
