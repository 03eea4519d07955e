"""What is said of a machine before anything runs on it."""

from __future__ import annotations

import pytest

from workbench.host.advice import int8_note, preview_notes

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
    ],
)
def test_a_preview_is_labelled(isa, target, limit, words):
    text = " ".join(preview_notes(isa, target=target, limit=limit))
    assert all(word in text for word in words)
    assert ("Preview" in text) == any("Preview" in word for word in words)
    assert ("no VNNI" in text) == ("no VNNI" in words)
