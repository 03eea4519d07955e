from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from workbench.host import numa

ROOT = Path(__file__).parents[2]


def test_binding_is_read_back_from_the_kernel_or_refused_in_words():
    """In a process of its own: nothing else of the tests shall be bound."""
    code = (
        "import json; from workbench.host.numa import *; "
        "print(json.dumps([bound_node(), bind_memory(0), bound_node(), bind_memory(900)]))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    before, refusal, after, absent = json.loads(done.stdout)
    assert before == -1
    assert after == (-1 if refusal else 0)
    assert absent, "there is no node 900"


@pytest.mark.parametrize(("system", "machine"), [("win32", "AMD64"), ("linux", "aarch64")])
def test_other_systems_say_that_they_cannot(monkeypatch, system, machine):
    monkeypatch.setattr(numa.sys, "platform", system)
    monkeypatch.setattr(numa.platform, "machine", lambda: machine)
    assert "no such call" in numa.bind_memory(0)
    assert numa.bound_node() == -1
