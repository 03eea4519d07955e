from __future__ import annotations

import fakehost
import pytest

from workbench.host import isa

AVX512 = "avx512f avx512bw avx512dq avx512vl"


@pytest.mark.parametrize(
    ("flags", "level"),
    [
        ("sse4_2", "avx2"),
        ("avx avx2 fma", "avx2"),
        ("avx2 avx_vnni", "avx_vnni"),
        (f"avx2 {AVX512}", "avx512"),
        ("avx2 avx512f", "avx2"),
        (f"avx2 {AVX512} avx512_vnni", "avx512_vnni"),
        ("avx2 avx512_vnni", "avx2"),
        (fakehost.SERVER_FLAGS, "amx_int8"),
        (fakehost.SERVER_FLAGS.replace("amx_tile", ""), "avx512_vnni"),
    ],
)
def test_level_follows_from_flags(flags, level):
    assert isa.int8_level(isa.isa_from_flags(flags.split()).names) == level


def test_only_what_every_cpu_has_counts(tmp_path):
    fakehost.cpuinfo(tmp_path, 2)
    text = (tmp_path / "proc/cpuinfo").read_text()
    first, second = text.split("\n\n", 1)
    (tmp_path / "proc/cpuinfo").write_text(first + "\n\n" + second.replace(" avx512bw", ""))
    found = isa.read_isa(tmp_path)
    assert "avx512" not in found.names
    assert "avx2" in found.names


def test_hypervisor_is_seen():
    assert isa.isa_from_flags({"avx2", "hypervisor"}).hypervisor


def test_missing_cpuinfo_is_unknown(tmp_path, monkeypatch):
    monkeypatch.setattr(isa.sys, "platform", "linux")
    found = isa.read_isa(tmp_path)
    assert found.names == ()
    assert "avx2" in found.unknown
    assert "unknown" in found.note


def test_windows_says_what_it_cannot_know(monkeypatch):
    monkeypatch.setattr(isa.sys, "platform", "win32")
    monkeypatch.setattr("workbench.host.windows.processor_features", lambda: frozenset({"avx", "avx2", "avx512f"}))
    found = isa.isa_from_flags(())
    assert {"avx2", "fma", "avx512"} <= set(found.names)
    assert "avx512_vnni" in found.unknown
    assert "VNNI" in found.note


def test_vnni():
    assert [isa.has_vnni(level) for level in isa.LEVELS] == [False, False, True, True, True]
    with pytest.raises(ValueError, match="host"):
        isa.has_vnni("host")


def test_host_resolves_to_the_level():
    assert isa.resolve_target("host", ["avx2", "avx_vnni"]) == "avx_vnni"
    assert isa.resolve_target("avx2", ["avx512"]) == "avx2"
    with pytest.raises(ValueError, match="sse9"):
        isa.resolve_target("sse9", [])


def test_bf16():
    assert isa.has_bf16(["avx512_bf16"]) and isa.has_bf16(["amx_bf16"])
    assert not isa.has_bf16(["avx512", "avx512_vnni"])


@pytest.mark.parametrize(
    ("limit", "left"),
    [
        ("none", ("avx2", "avx_vnni", "avx512", "avx512_vnni", "avx512_bf16", "amx_int8")),
        ("avx512", ("avx2", "avx512")),
        ("avx2", ("avx2",)),
    ],
)
def test_an_isa_limit_leaves_what_an_older_cpu_has(limit, left):
    assert isa.within(limit, ("avx2", "avx_vnni", "avx512", "avx512_vnni", "avx512_bf16", "amx_int8")) == left


@pytest.mark.parametrize(
    ("kernel", "beyond"),
    [
        ("jit:avx2", ()), ("gemm:jit", ()), ("aten::addmm", ()), ("brg_conv_fwd:avx512_core", ("avx2",)),
        ("jit_uni_int8:avx2_vnni", ("avx2", "avx512")), ("brg_matmul:avx512_core_vnni", ("avx2", "avx512")),
        ("brgemm:avx10_1_512_amx", ("avx2", "avx512")),
    ],
)  # fmt: skip
def test_a_kernels_name_tells_which_limits_forbid_it(kernel, beyond):
    assert tuple(limit for limit in ("none", "avx2", "avx512") if isa.is_beyond(limit, kernel)) == beyond
