"""What is said of a machine before anything runs on it."""

from __future__ import annotations

import fakehost
import pytest

from workbench.core.config import Config
from workbench.host.advice import int8_note, preview_notes
from workbench.host.machine import describe_host
from workbench.study.sweep_values import parted, values_of

OLD, NEW = ("avx", "avx2"), ("avx", "avx2", "avx512", "avx512_vnni")


@pytest.mark.parametrize(
    ("target", "said"), [("avx2", True), ("avx512", True), ("avx_vnni", False), ("amx_int8", False)]
)
def test_without_vnni_int8_gains_little_and_needs_the_reduced_range(target, said):
    note = int8_note(target)
    assert bool(note) == said
    if said:
        assert "no VNNI" in note and "little gain" in note and "reduced range" in note


@pytest.mark.parametrize(
    ("isa", "target", "limit", "words"),
    [
        (NEW, "host", "none", ()),
        (NEW, "", "none", ()),
        (NEW, "avx2", "none", ("Preview: ranges are those for avx2", "(avx512_vnni)", "no VNNI")),
        (OLD, "host", "none", ("no VNNI",)),
        (OLD, "avx2", "none", ("no VNNI",)),
        (OLD, "avx512_vnni", "none", ("Preview: ranges are those for avx512_vnni",)),
        (NEW, "", "avx2", ("Preview: instructions are limited to avx2",)),
        (NEW, "avx2", "avx2", ("Preview: instructions are limited to avx2", "no VNNI")),
        (NEW, "avx512_vnni", "avx2", ("Preview: instructions", "Preview: ranges are those for avx512_vnni", "(avx2)")),
    ],
)
def test_a_preview_is_labelled(isa, target, limit, words):
    text = " ".join(preview_notes(isa, target=target, limit=limit))
    assert all(word in text for word in words)
    assert text.count("Preview") == sum("Preview" in word for word in words)
    assert ("no VNNI" in text) == ("no VNNI" in words)


@pytest.mark.parametrize(
    ("usable", "threads", "sets"),
    [("0-19", 14, ["0-11", "0,2,4,6,8,10", "0-19"]), ("0,2,12-13", 4, ["0,2", "0,2,12-13"]), ("0-11", 6, None)],
)
def test_a_hybrid_processor_is_told_what_to_measure(tmp_path, usable, threads, sets):
    fakehost.hybrid(tmp_path)
    fakehost.affinity(tmp_path, usable)
    host = describe_host(root=tmp_path, with_engines=False)
    assert host.default_threads == threads
    notes = [note for note in host.warnings if "E cores" in note]
    assert bool(notes) == bool(sets), "nothing gates where only cores of one kind may be used"
    if sets:
        assert f"{threads} threads by default" in notes[0] and "preset p-cores" in notes[0]
        command = notes[0].split("`")[1]
        assert command.startswith("workbench sweep MODEL ")
        assert values_of(*parted(command.split()[-1]), Config(), host) == sets
