"""Everything that can be checked from the bundle's files alone."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from typing import Any

import numpy as np

from workbench.core.outputs import cosine, numbers
from workbench.errors import UserError
from workbench.onsite.frames import preparation
from workbench.onsite.golden import golden
from workbench.onsite.model import Model, TorchModel, load
from workbench.onsite.start import Bundle, check_cpu, check_files, check_versions


def selftest(bundle: Bundle, wanted: argparse.Namespace) -> int:
    """Check everything that can be checked from the files alone; prints one JSON document."""
    checks: list[dict[str, Any]] = []
    kernels: list[int] = []

    def check(name: str, body: Callable[[], str | None]) -> bool:
        try:
            detail, ok = body() or "", True
        except UserError as refusal:
            detail, ok = " ".join(str(refusal).splitlines()), False
        checks.append({"name": name, "ok": ok, "detail": detail})
        return ok

    fine = check("files", lambda: check_files(bundle, bundle["files"]))
    fine &= check("versions", lambda: check_versions(bundle))
    fine &= check("cpu", lambda: check_cpu(bundle, wanted.pretend_isa))
    if fine:
        model = load(bundle)
        fine &= check("preprocessing", lambda: _check_preprocessing(bundle))
        fine &= check("golden outputs", lambda: _check_golden(bundle, model))
        fine &= check("INT8 kernels", lambda: _check_kernels(bundle, model, kernels))
        if kernels:
            checks[-1]["kernels"] = kernels[0]
    print(json.dumps({"ok": fine, "checks": checks}, indent=None if wanted.json else 2))
    return 0 if fine else 1


def _check_preprocessing(bundle: Bundle) -> str:
    """Prepare the golden pictures once more; decoders may differ in the last level."""
    prepare, worst, count = preparation(bundle), 0.0, 0
    step = 1.0 / min(abs(value) for value in bundle["preprocess"]["std"])
    for entry, (feed, _) in zip(bundle["golden"], golden(bundle), strict=True):
        if entry["picture"] is None:
            continue
        made = prepare((entry["name"], (bundle.folder / entry["picture"]).read_bytes()))
        for name, array in made.items():
            worst = max(worst, float(np.abs(array.astype(np.float64) - feed[name][:1]).max()) / step)
            count += 1
    if worst > bundle["tolerance"]["levels"]:
        raise UserError(
            f"A picture is prepared differently here, by {worst:.1f} levels.", "", "Is OpenCV the pinned version?"
        )
    return f"{count} pictures, at most {worst:.2g} levels apart" if count else "the golden samples are no pictures"


def _check_golden(bundle: Bundle, model: Model) -> str:
    """Hold the outputs against the golden ones: bit by bit on the same kind of CPU, else within the tolerance."""
    identical, worst, where = True, 1.0, ""
    for number, (feed, expected) in enumerate(golden(bundle)):
        for (name, wanted), (_, found) in zip(expected, model(feed), strict=True):
            if wanted.shape != found.shape or not np.isfinite(numbers(found)).all():
                raise UserError(f"{name} of golden sample {number} has another shape, or values that are not finite.")
            identical &= bool((wanted == found).all())
            for index, (a, b) in enumerate(zip(_slices(wanted), _slices(found), strict=True)):
                similar = cosine(numbers(a), numbers(b))
                if similar < worst:
                    worst, where = similar, f"slice {index} of {name}, golden sample {number}"
    least = bundle["tolerance"]["cosine"]
    if worst < least:
        raise UserError(f"The outputs differ: cosine {worst:.5f} at {where}.", f"At least {least} is wanted.")
    if bundle["tolerance"]["bit_identical_on"] == bundle["runtime"]["isa"] == _isa_of(model) and not identical:
        raise UserError("The outputs are not bit-identical.", f"The CPU is of the same kind; cosine {worst:.6f}.")
    return "bit-identical" if identical else f"cosine at least {worst:.6f}"


def _isa_of(model: Model) -> str:
    return str(model.torch.backends.cpu.get_cpu_capability()) if isinstance(model, TorchModel) else ""


def _slices(array: Any) -> list[Any]:
    """Return the parts that may go wrong on their own: channels of a map or a table, else the whole."""
    return [array[:, i] for i in range(array.shape[1])] if array.ndim >= 3 and array.shape[1] <= 256 else [array]


def _check_kernels(bundle: Bundle, model: Model, counted: list[int]) -> str:
    planned = bundle["int8_kernels"]
    if not planned:
        return "the bundle is not INT8"
    found = model.int8_kernels(golden(bundle)[0][0])
    counted.append(found)
    if found < planned:
        raise UserError(f"{found} INT8 kernels ran, {planned} were exported.", "Part of the model fell back to FP32.")
    return f"{found} INT8 kernels ran"
