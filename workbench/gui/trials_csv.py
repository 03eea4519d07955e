"""Trials as CSV and a trial's config as TOML, for other programs; used by the trials panel."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import tomli_w

from workbench.core.config import Config
from workbench.core.figures import finite
from workbench.core.trial import Trial
from workbench.errors import UserError
from workbench.study.mark import Mark

_LATENCY = ("n", "warmup_n", "mean_ms", "p50_ms", "p90_ms", "p99_ms", "max_ms", "deadline_ms", "missed", "noise")
_ACCURACY = ("samples", "cosine_mean", "cosine_min", "sqnr_db", "kl_mean", "top1_agreement", "top1", "top1_fp32")
_PROOF = ("int8_kernels", "expected_int8", "bf16_kernels", "fp32_kernels", "reference_kernels")


def to_csv(trials: Sequence[Trial], mark_of: Callable[[Trial], Mark]) -> str:
    """Return a table with a column per figure and, at the end, one per knob that any of *trials* has."""
    knobs = [dict(_flat(trial.config)) for trial in trials]
    names = sorted({name for one in knobs for name in one})
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    rows = [_row(trial, mark_of(trial)) for trial in trials]
    head = list(_row_keys())
    writer.writerow([*head, *names])
    for row, one in zip(rows, knobs, strict=True):
        writer.writerow([_cell(value) for value in (*row, *(one.get(name) for name in names))])
    return text.getvalue()


def to_toml(trial: Trial) -> str:
    """Return the trial's config as a TOML file that ``--config`` takes."""
    head = f"# trial {trial.id} of {trial.model.name}, {trial.created}\n"
    try:
        return head + Config.from_dict(trial.config).to_toml()
    except UserError:
        # A record of another version: what it says is still better than nothing.
        return head + tomli_w.dumps({key: value for key, value in trial.config.items() if value is not None})


def _row_keys() -> Iterator[str]:
    yield from ("trial", "created", "star", "note", "status", "reason", "model", "environment", "threads", "runs_per_s")
    yield from ("peak_rss_mb", *_LATENCY, *_ACCURACY, *_PROOF)


def _row(trial: Trial, mark: Mark) -> list[Any]:
    return [
        trial.id, trial.created, int(mark.star), mark.note, trial.status, trial.reason, trial.model.name,
        trial.environment, trial.effective.threads if trial.effective else None, trial.throughput_per_s,
        trial.memory.peak_rss_mb if trial.memory else None,
        *(getattr(trial.latency, key, None) for key in _LATENCY),
        *(getattr(trial.accuracy, key, None) for key in _ACCURACY),
        *(getattr(trial.proof, key, None) for key in _PROOF),
    ]  # fmt: skip


def _cell(value: Any) -> Any:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        value = finite(value)
    return "" if value is None else value


def _flat(tables: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in tables.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield prefix + name, value
