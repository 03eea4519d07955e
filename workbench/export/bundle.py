"""Writes a bundle: the folder that runs on the target without the workbench.

Everything is made in a folder beside the target, verified there in fresh processes, and only then given its name.
What runs on site is :mod:`workbench.onsite`; the texts around it are templates in ``resources/bundle``.
"""

from __future__ import annotations

import datetime
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jinja2
import msgspec
import numpy as np

from workbench import __version__, paths
from workbench.core.config import Config
from workbench.core.model import sha256_of
from workbench.core.preprocess import Preprocess
from workbench.core.significance import Process
from workbench.core.trial import Trial
from workbench.errors import UserError
from workbench.export.folder import give_name, partial, short_name
from workbench.export.verify import PROCESSES, Check, Verification, runs_for, take_bursts, verify
from workbench.host.cpulist import format_cpu_list
from workbench.host.isa import has_vnni
from workbench.study.runner import Listener, Runner, Subject
from workbench.worker.environment import Surroundings, surroundings
from workbench.worker.launcher import Worker
from workbench.worker.saved import Saved

RUNS = 100
CARRIED = (
    "__init__.py", "errors.py", "runtime.py", "core/__init__.py", "core/outputs.py", "core/picture.py",
    "core/pixels.py", "onsite/__init__.py", "onsite/c_output.py", "onsite/frames.py", "onsite/golden.py",
    "onsite/main.py", "onsite/model.py", "onsite/selftest.py", "onsite/start.py",
)  # fmt: skip
"""Files of the workbench that run on site, as they are here."""
_PACKAGES = {"torch": ("torch",), "ipex": ("torch", "intel-extension-for-pytorch"), "onnxruntime": ("onnxruntime",)}
_ALWAYS = ("numpy", "opencv-python-headless")
_VARIABLES = (
    "OMP_WAIT_POLICY", "ONEDNN_MAX_CPU_ISA", "ATEN_CPU_CAPABILITY", "MKL_ENABLE_INSTRUCTIONS",
    "FBGEMM_ENABLE_INSTRUCTIONS", "OPENBLAS_NUM_THREADS", "TORCHINDUCTOR_COMPILE_THREADS",
)  # fmt: skip
_COSINE = 0.999
_LEVELS = 2.0


def export(
    runner: Runner,
    subject: Subject,
    config: Config,
    out: Path,
    *,
    number: int | None = None,
    deadline_ms: float | None = None,
    processes: int = PROCESSES,
    listener: Listener | None = None,
    on_check: Callable[[Check], None] = lambda _: None,
) -> tuple[Trial, Verification | None]:
    """Measure *config* once more, save what was measured, verify the bundle, and give it its name.

    Args:
        runner: without a store: these trials are no new findings. With a warm pool its processes start quickly.
        out: a folder that does not exist yet, or a ``.zip``.
        number: of the trial whose config it is, for the record.
        deadline_ms: what the latency is held against, here and on site.
        processes: fresh processes of the bundle and of the trial whose latencies are compared; 0 compares none.
        on_check: hears each check of the verification.

    Returns:
        The trial that was saved, and the verification; None where the trial itself was not ok. *out* exists only
        where both are fine.

    Raises:
        UserError: *out* is taken or cannot be written, or the config cannot be exported.
    """
    listener = listener or Listener()
    with partial(out) as folder:
        trial = runner.measure(
            subject, config, runs=RUNS, deadline_ms=deadline_ms, save_to=folder, listener=listener
        )  # fmt: skip
        if trial.status != "ok" or trial.latency is None:
            return trial, None
        _write(folder, subject, trial, number)
        _list_files(folder)
        runs = runs_for(trial.latency.p50_ms)
        ours: list[Process] = []
        theirs: list[Process] = []
        for turn in range(processes):  # interleaved, so that a machine that slowly warms up favours neither
            listener.progress("comparing the bundle with the trial", turn, processes)
            ours.append(take_trial_bursts(runner, subject, config, runs, listener.started))
            theirs.append(take_bursts(folder, runs, runner.python))
        if processes:
            (folder / "latency.json").write_text(json.dumps({"processes": [_listed(one) for one in ours]}), "utf-8")
            _list_files(folder)
        timed = (theirs, ours) if processes else None
        found = verify(folder, python=runner.python, timed=timed, on_check=on_check, progress=listener.progress)
        if found.ok:
            give_name(folder, out)
    return trial, found


def take_trial_bursts(
    runner: Runner, subject: Subject, config: Config, runs: int, started: Callable[[Worker], None] = lambda _: None
) -> list[np.ndarray]:
    """Measure the trial's config in a fresh process once more and return its bursts, ns.

    Raises:
        UserError: it does not run.
    """
    found: list[np.ndarray] = []
    heard = Listener(burst=found.append, started=started)
    trial = runner.measure(subject, config, runs=runs, accuracy=False, listener=heard)
    if trial.status != "ok":
        raise UserError("The trial could not be repeated for the comparison.", trial.reason, "Try again.")
    return found


def _listed(bursts: Process) -> list[list[int]]:
    return [np.asarray(burst).tolist() for burst in bursts]


# -- what is written --------------------------------------------------------------------------------


def _write(folder: Path, subject: Subject, trial: Trial, number: int | None) -> None:
    """Write everything but the hashes beside what the worker has saved."""
    saved = msgspec.json.decode((folder / "saved.json").read_bytes(), type=Saved)
    (folder / "saved.json").unlink()
    config = Config.from_dict(trial.config)
    package = Path(__file__).parent.parent
    for name in CARRIED:
        target = folder / "workbench" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(package / name, target)
    manifest = _manifest(folder, subject, trial, saved, config)
    manifest["source"]["study_trial"] = number
    (folder / "config.toml").write_text(config.to_toml(), "utf-8")
    _render(folder, manifest)
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=1, ensure_ascii=False), "utf-8")


def _manifest(folder: Path, subject: Subject, trial: Trial, saved: Saved, config: Config) -> dict[str, Any]:
    around = surroundings(config)
    floor, reason = _floor(config)
    assert trial.effective is not None
    assert trial.proof is not None
    with np.load(folder / "golden.npz") as arrays:
        feed = {key.split(".", 2)[2]: arrays[key] for key in arrays.files if key.startswith("0.in.")}
    pictures = _pictures(folder, subject, saved.golden)
    return {
        "bundle": 1,
        "name": Path(subject.model.name.removeprefix("sample:")).name,
        "engine": config.engine,
        "precision": config.precision,
        "made": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        "made_with": f"inference-workbench {__version__}",
        "source": {"sha256": trial.model.sha256, "name": Path(trial.model.name).name},
        "model": saved.files,
        "versions": {name: trial.effective.packages[name] for name in _packages(config, trial)},
        "python": trial.effective.python,
        "isa_floor": floor,
        "isa_reason": reason,
        "range": config.text("quantization.range") if config.precision == "int8" else None,
        "int8_kernels": trial.proof.int8_kernels,
        "inputs": list(feed),
        "input_dtypes": [str(array.dtype) for array in feed.values()],
        "input_shapes": [list(array.shape) for array in feed.values()],
        "fixed_batch": max((array.shape[0] for array in feed.values() if array.ndim), default=1),
        "batches": saved.batches,
        "preprocess": msgspec.to_builtins(config.preprocessing(subject.preprocess) or Preprocess()),
        "golden": [
            {"name": name, "picture": picture} for name, picture in zip(saved.golden, pictures, strict=True)
        ],
        "tolerance": {
            "cosine": _COSINE,
            "levels": _LEVELS,
            "bit_identical_on": trial.effective.isa if config.engine != "onnxruntime" else None,
        },
        "input_statistics": msgspec.to_builtins(saved.inputs),
        "normal": {**_normal(trial), **saved.normal},
        "runtime": _runtime(config, around, trial),
        "measured": {
            "latency": msgspec.to_builtins(trial.latency),
            "accuracy": _accuracy(trial),
            "memory": msgspec.to_builtins(trial.memory),
            "noise": trial.latency.noise if trial.latency else "",
        },
        "targets": {
            "isa": config.resolved().get("target_isa", "host"),
            "deadline_ms": trial.latency.deadline_ms if trial.latency else None,
            "missed": trial.latency.missed if trial.latency else None,
        },
        "tuned_on": {key: trial.host.get(key) for key in ("cpu", "usable_cpus", "memory_mb", "os", "glibc")},
    }  # fmt: skip


def _packages(config: Config, trial: Trial) -> list[str]:
    """Return what must be installed on site."""
    assert trial.effective is not None
    openmp = config["runtime.openmp"] == "iomp" and "intel-openmp" in trial.effective.packages
    return [*_PACKAGES[config.engine], *_ALWAYS, *(["intel-openmp"] if openmp else [])]


def _accuracy(trial: Trial) -> dict[str, Any] | None:
    found = trial.accuracy
    if found is None:
        return None
    kept = ("samples", "cosine_mean", "cosine_min", "top1_agreement", "top1", "top1_fp32", "verdict")
    return {key: getattr(found, key) for key in kept}


def _normal(trial: Trial) -> dict[str, float]:
    """Return how far the outputs are from FP32 on the evaluation samples: what is no drift."""
    found = trial.accuracy
    if found is None:
        return {}
    return {"cosine": found.cosine_mean, **({} if found.kl_mean is None else {"kl": found.kl_mean})}


def _floor(config: Config) -> tuple[str, str]:
    """Return what a CPU must have for the same numbers, and why."""
    if config.precision == "bf16":
        return "bf16", "Without native BF16 it is emulated, and slow."
    if "int8" not in config.precision:
        return "", ""
    if config["quantization.range"] == "full" and has_vnni(config.text("target_isa")):
        return "vnni", "Its ranges use all 8 bits; without VNNI pairs of products overflow 16 bits in silence."
    return "avx2", "INT8 kernels need it."


def _runtime(config: Config, around: Surroundings, trial: Trial) -> dict[str, Any]:
    known = config.resolved()
    preload = ["iomp"] if config["runtime.openmp"] == "iomp" else []
    if (allocator := config.text("runtime.allocator")) != "system":
        preload.append(allocator)
    assert trial.effective is not None
    return {
        "threads": around.threads,
        "interop_threads": config.number("runtime.interop_threads"),
        "affinity": format_cpu_list(around.cpus),
        "affinity_mask": f"{sum(1 << cpu for cpu in around.cpus):x}",
        "variables": {name: around.variables[name] for name in _VARIABLES if name in around.variables},
        "preload": preload,
        "isa": trial.effective.isa,
        "flush_denormals": config.flag("runtime.flush_denormals"),
        "onednn": bool(known.get("runtime.onednn", True)),
        "quantized_engine": trial.effective.quantized_engine,
        "graph_mode": known.get("graph.mode", "frozen"),
        "channels_last": bool(known.get("layout.channels_last", False)),
        "spin": bool(known.get("runtime.spin", True)),
        "graph_optimization": known.get("runtime.graph_optimization", "all"),
    }


def _pictures(folder: Path, subject: Subject, names: list[str]) -> list[str | None]:
    """Copy the golden pictures, under names that every file system takes."""
    root = Path(subject.data.path) if subject.data else None
    found: list[str | None] = []
    for number, name in enumerate(names):
        source = root / name if root is not None and root.is_dir() else None
        if source is None or not source.is_file():
            found.append(None)
            continue
        (folder / "golden").mkdir(exist_ok=True)
        target = f"golden/{number}{source.suffix.lower()}"
        shutil.copyfile(source, folder / target)
        found.append(target)
    return found


def _render(folder: Path, manifest: dict[str, Any]) -> None:
    """Fill the templates in."""
    templates = paths.bundled("resources") / "bundle"
    short = short_name(manifest["name"])
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(templates), undefined=jinja2.StrictUndefined, keep_trailing_newline=True,
        trim_blocks=True, lstrip_blocks=True, autoescape=False,
    )  # fmt: skip
    for template in sorted(templates.glob("*.jinja")):
        text = environment.get_template(template.name).render(manifest, short=short)
        ending = "\r\n" if template.name.startswith("start.bat") else "\n"
        (folder / template.stem).write_text(text, "utf-8", newline=ending)


def _list_files(folder: Path) -> None:
    """Write the hash of every file into the manifest, the model first."""
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text("utf-8"))
    names = sorted(file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file() and file != path)
    model = manifest["model"]["model"]
    names.sort(key=lambda name: name != model)
    manifest["files"] = {name: sha256_of(folder / name) for name in names}
    path.write_text(json.dumps(manifest, indent=1, ensure_ascii=False), "utf-8")
