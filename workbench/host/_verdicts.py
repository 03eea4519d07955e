"""Puts the ways in which an engine can be unavailable into words; used by ``engines`` only."""

from __future__ import annotations

import signal
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:  # a warm cache needs no child process, nor the import of subprocess
    from workbench.host._children import Ending

TITLES = {"torch": "PyTorch", "ipex": "IPEX", "onnxruntime": "ONNX Runtime"}

# Windows reports crashes as exit codes.
_WINDOWS_CRASHES = {0xC000001D: "SIGILL", 0xC0000005: "SIGSEGV", 0xC0000409: "SIGABRT"}
_WINDOWS_NO_DLL = 0xC0000135


class Answer(msgspec.Struct, frozen=True):
    """The line that the probe prints: what the engine answered, or what went wrong."""

    ok: bool
    version: str | None = None
    detail: str = ""
    error: str = ""


class Verdict(msgspec.Struct, frozen=True):
    """Outcome of a probe; *transient* ones (timeout, killed) are asked again before long."""

    available: bool
    version: str | None = None
    reason: str | None = None
    transient: bool = False


def before_import(engine: str, versions: Mapping[str, str | None]) -> str | None:
    """Return why *engine* cannot work, as far as package metadata tells; ``None`` if it may work."""
    title = TITLES[engine]
    if versions.get(engine) is None:
        extra = " (it exists for Linux on x86-64 only)" if engine == "ipex" else ""
        return f"{title} is not installed{extra}."
    if engine != "ipex":
        return None
    torch, ipex = versions.get("torch"), versions.get("ipex")
    if torch is None:
        return "IPEX needs PyTorch, which is not installed."
    # On a mismatch 2.8.0 calls os.exit(127), which does not exist, and the import dies of an
    # AttributeError that says nothing (intel/intel-extension-for-pytorch#865); so decide it here.
    if torch and ipex and _minor(torch) != _minor(ipex):
        wanted = _minor(ipex)
        return f"IPEX {ipex} works with PyTorch {wanted} only, but PyTorch {torch} is installed."
    return None


def of_ending(engine: str, ending: Ending, isa: Collection[str], timeout_s: float) -> Verdict:
    """Return the verdict on a probe that ended like *ending* on a CPU with *isa*."""
    title = TITLES[engine]
    if ending.not_started:
        return Verdict(False, reason=f"The interpreter cannot be started: {ending.not_started}.", transient=True)
    if ending.timed_out:
        reason = f"{title} did not answer within {timeout_s:g} s; importing it hangs or the machine is very busy."
        return Verdict(False, reason=reason, transient=True)
    answer = _answer(ending.output)
    code = ending.code or 0
    if code == 0 and answer is not None and answer.ok:
        return Verdict(True, version=answer.version)
    if answer is not None and answer.error:
        hint = _last_line(ending.errors) if answer.error.startswith("SystemExit") else ""
        return Verdict(False, reason=_joined(f"{title} cannot be used: {answer.error}", hint))
    crash = _crash(code)
    if crash is not None:
        return Verdict(False, reason=_crash_reason(title, crash, isa), transient=crash == "SIGKILL")
    if code & 0xFFFFFFFF == _WINDOWS_NO_DLL:
        return Verdict(False, reason=f"{title} cannot be loaded: a DLL it needs is missing.")
    if code:
        said = f"{title} ended the process with exit code {code} while it was loaded"
        return Verdict(False, reason=_joined(said, _last_line(ending.errors)))
    said = f"{title} ended without an answer while it was loaded"
    return Verdict(False, reason=_joined(said, _last_line(ending.errors)))


def _answer(output: str) -> Answer | None:
    for line in reversed(output.splitlines()):
        try:
            return msgspec.json.decode(line, type=Answer)
        except msgspec.DecodeError:
            continue  # a library printed here
    return None


def _crash(code: int) -> str | None:
    if code < 0 and code > -128:
        try:
            return signal.Signals(-code).name
        except ValueError:
            return f"signal {-code}"
    return _WINDOWS_CRASHES.get(code & 0xFFFFFFFF)


def _crash_reason(title: str, crash: str, isa: Collection[str]) -> str:
    if crash == "SIGILL":
        if "avx2" in isa:
            return (
                f"{title} used an instruction that this CPU or virtual machine lacks (SIGILL), although AVX2 "
                "is there: this build wants more."
            )
        return f"{title} stopped with an illegal instruction (SIGILL): the CPU or virtual machine lacks AVX2."
    if crash == "SIGKILL":
        return f"{title} was killed from outside while it was loaded, probably for want of memory."
    return f"{title} crashed while it was loaded ({crash})."


def _minor(version: str) -> str:
    return ".".join(version.partition("+")[0].split(".")[:2])


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:300] if lines else ""


def _joined(sentence: str, hint: str) -> str:
    return f"{sentence} ({hint})." if hint else f"{sentence}."
