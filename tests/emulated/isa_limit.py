"""Measures with AVX-512 and without, and holds the kernels against each other; what ``avx512.sh`` runs inside.

``python isa_limit.py FOLDER`` writes the machine and every trial into FOLDER. Exit code 0: proven.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import msgspec

from workbench.core.config import Config
from workbench.core.samples import load_sample
from workbench.core.trial import Trial
from workbench.host.isa import read_isa
from workbench.host.machine import describe_host
from workbench.host.recorded import record, save
from workbench.study.runner import Runner, Subject
from workbench.worker.warm import WarmPool

# A batch of 4: PyTorch gives smaller convolutions in FP32 to no oneDNN.
CONFIGS = {
    "torch-int8": {"engine": "torch", "precision": "int8", "quantization.backend": "onednn"},
    "torch-fp32": {"engine": "torch", "precision": "fp32", "run.batch": 4},
    "ipex-int8": {"engine": "ipex", "precision": "int8"},
    "ipex-fp32": {"engine": "ipex", "precision": "fp32", "run.batch": 4},
}


def main(folder: Path) -> int:
    """Return 0 if every config has kernels for AVX-512 without the limit, and none with it."""
    folder.mkdir(parents=True, exist_ok=True)
    print("instruction sets:", *read_isa().names, flush=True)
    save(record(), folder / "machine.json")
    subject, host = few("digits-cnn"), describe_host()
    proven = True
    for engine in ("torch", "ipex"):
        for limit in ("none", "avx2"):
            with WarmPool() as pool:  # one parent at a time: memory is scarce, and an import takes minutes
                runner = Runner(host=host, pool=pool)
                for name, knobs in CONFIGS.items():
                    if knobs["engine"] != engine:
                        continue
                    config = Config({**knobs, "runtime.threads": 1, "runtime.isa_limit": limit})
                    trial = runner.measure(subject, config, runs=5)
                    keep(trial, folder / f"{name}-{limit}.json")
                    found = [kernel.kernel for kernel in trial.proof.kernels] if trial.proof else []
                    newer = any("avx512" in kernel for kernel in found)
                    good = trial.status == "ok" and newer == (limit == "none")
                    proven = proven and good
                    print("as it should be:" if good else "WRONG:", name, limit, trial.status, trial.reason, *found)
                    sys.stdout.flush()
    return 0 if proven else 1


def few(name: str) -> Subject:
    """Return the sample with four pictures of each part of its data."""
    sample = load_sample(name)
    assert sample.data is not None
    data = msgspec.structs.replace(
        sample.data, calibration=sample.data.calibration[:4], evaluation=sample.data.evaluation[:4]
    )
    return Subject(sample.model, data, sample.preprocess)


def keep(trial: Trial, place: Path) -> None:
    """Write the trial, and the disk: this machine may be stopped at any time."""
    place.write_bytes(msgspec.json.format(msgspec.json.encode(trial), indent=1))
    os.sync()


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
