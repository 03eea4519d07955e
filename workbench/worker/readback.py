"""What the running child really has: affinity, OpenMP runtimes, allocator, memory. Child side."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import os
import platform
from importlib import metadata
from pathlib import Path

from workbench.core.trial import Effective
from workbench.engines.base import Engine
from workbench.host.numa import bound_node
from workbench.host.openmp import active_openmp, mapped_allocators, mapped_openmp

SHOWN_VARIABLES = ("OMP_", "KMP_", "GOMP_", "MKL_", "ONEDNN_", "FBGEMM_", "ATEN_", "LD_PRELOAD", "MALLOC_CONF")
"""Variables that change what is measured, by prefix."""

PACKAGES = (
    "torch", "intel-extension-for-pytorch", "onnx", "onnxruntime", "numpy", "opencv-python-headless", "intel-openmp",
)  # fmt: skip


def affinity() -> list[int]:
    """Return the CPUs that any thread of this process may use, sorted.

    All threads are read, not just the main one: an OpenMP runtime may have pinned some of them.
    """
    cpus: set[int] = set()
    for status in Path("/proc/self/task").glob("*/status"):
        with contextlib.suppress(OSError):
            for line in status.read_text(encoding="utf-8").splitlines():
                if line.startswith("Cpus_allowed_list:"):
                    cpus.update(_cpu_list(line.split(":", 1)[1].strip()))
    if not cpus:
        import psutil

        with contextlib.suppress(AttributeError, OSError):
            cpus.update(psutil.Process().cpu_affinity())
    return sorted(cpus)


def _cpu_list(text: str) -> list[int]:
    from workbench.host.cpulist import parse_cpu_list

    return list(parse_cpu_list(text))


def effective(engine: Engine) -> Effective:
    """Read back every setting from the engine and the process."""
    identity = engine.identity()
    alignment, strides = engine.input_facts()
    return Effective(
        threads=identity.threads,
        interop_threads=identity.interop_threads,
        affinity=affinity(),
        openmp=list(mapped_openmp(os.getpid())),
        openmp_active=active_openmp(),
        memory_node=bound_node(),
        allocator=list(mapped_allocators(os.getpid())) or ["system"],
        engine_version=identity.engine_version,
        torch_version=identity.torch_version,
        python=platform.python_version(),
        isa=identity.isa,
        grad=identity.grad,
        flush_denormals=identity.flush_denormals,
        quantized_engine=identity.quantized_engine,
        input_alignment=alignment,
        input_strides=strides,
        environment={k: v for k, v in sorted(os.environ.items()) if k.startswith(SHOWN_VARIABLES)},
        packages=_packages(),
    )


def _packages() -> dict[str, str]:
    """Return the versions of what a result depends on, as far as it is installed."""
    found = {}
    for name in PACKAGES:
        with contextlib.suppress(metadata.PackageNotFoundError):
            found[name] = metadata.version(name)
    return found


def reset_peak_rss() -> bool:
    """Give freed memory back and set the high-water mark to what is resident now.

    Returns:
        Whether the kernel allowed it; if not, the peak includes loading and calibration.
    """
    gc.collect()
    with contextlib.suppress(AttributeError, OSError):
        ctypes.CDLL(None).malloc_trim(0)
    try:
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    except OSError:
        return False
    return True


def peak_rss_mb() -> float:
    """Return the high-water mark of resident memory in MB."""
    with contextlib.suppress(OSError):
        for line in Path("/proc/self/status").read_text(encoding="utf-8").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
    import psutil

    info = psutil.Process().memory_info()
    return float(getattr(info, "peak_wset", info.rss) / 2**20)
