"""What stands in a report: which trials it is about, and their records as rows that its template prints."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from workbench.core.calibration import load
from workbench.core.config import Config
from workbench.core.data import DataSource
from workbench.core.figures import (
    DASH,
    count,
    decibels,
    decimals,
    milliseconds,
    quotient,
    rate,
    share,
    significant,
)
from workbench.core.layer_table import LayerRow, layer_table
from workbench.core.preprocess import Preprocess
from workbench.core.samples import load_sample
from workbench.core.trial import Trial
from workbench.errors import UserError
from workbench.export.report_words import Words
from workbench.host.cpulist import format_cpu_list

Row = tuple[str, ...]
_CLOSE = 0.97
"""A cosine from which on outputs count as close to FP32's, as in the verdict of an accuracy."""
_MOST_ITEMS = 5


# -- which trials -----------------------------------------------------------------------------------


def chosen(trials: Sequence[Trial], stars: Iterable[int]) -> Trial:
    """Return the trial that a report is about where nobody names one.

    The newest with a star; else the fastest whose outputs are close to FP32's; else the fastest.

    Raises:
        UserError: no trial is good.
    """
    good = [trial for trial in trials if trial.status == "ok" and trial.latency is not None]
    if not good:
        raise UserError(
            "The study has no trial to report on.",
            f"None of {len(trials)} trials is ok." if trials else "Nothing was measured yet.",
            "Measure something first: `workbench measure MODEL`.",
        )
    good = [trial for trial in good if trial.model.sha256 == good[-1].model.sha256]
    starred = [trial for trial in good if trial.id in set(stars)]
    if starred:
        return starred[-1]
    close = [trial for trial in good if trial.accuracy and _is_close(trial)]
    return min(close or good, key=lambda trial: trial.latency.p50_ms if trial.latency else 0.0)


def _is_close(trial: Trial) -> bool:
    found = trial.accuracy
    return found is not None and found.samples > 0 and not found.failures and found.cosine_mean >= _CLOSE


def plain(trials: Sequence[Trial], trial: Trial) -> Trial | None:
    """Return what *trial* is held against: FP32 as the model's own engine runs it with all knobs as they come.

    Of several the one with fewest knobs turned, the newest of those; only of the same model, batch and CPU.
    """
    natural = "onnxruntime" if trial.model.format == "onnx" else "torch"
    default = Config({"engine": natural})
    found = [
        (sum(config[key] != value for key, value in default.resolved().items()), -number, other)
        for number, other in enumerate(trials)
        if other.status == "ok" and other.latency is not None and _same_task(other, trial)
        for config in [Config.from_dict(other.config)]
        if (config.engine, config.precision) == (natural, "fp32") and config["run.batch"] == _batch(trial)
        if natural == "onnxruntime" or config["graph.mode"] == "eager"
    ]
    return min(found, key=lambda entry: entry[:2])[2] if found else None


def _same_task(one: Trial, other: Trial) -> bool:
    cpus = [trial.host.get("cpu", {}).get("model") for trial in (one, other)]
    return one.model.sha256 == other.model.sha256 and cpus[0] == cpus[1]


def _batch(trial: Trial) -> Any:
    return trial.config.get("run", {}).get("batch", 1)


def title(trial: Trial) -> str:
    """Return the name of the model without folders."""
    return Path(trial.model.name.removeprefix("sample:")).name


# -- rows -------------------------------------------------------------------------------------------


def machine(trial: Trial, words: Words) -> list[Row]:
    """Return what the trial was measured on."""
    host, tr = trial.host, words.tr
    cpu: Mapping[str, Any] = host.get("cpu", {})
    cores = tr("{0} cores, {1} logical CPUs").format(cpu.get("physical_cores", DASH), cpu.get("logical_cpus", DASH))
    memory = host.get("memory_mb")
    rows = [
        (tr("Processor"), str(cpu.get("model", ""))),
        (tr("Cores"), cores if cpu else ""),
        (tr("Instruction sets"), ", ".join(cpu.get("isa", ()))),
        (tr("Virtual machine"), tr("yes") if cpu.get("hypervisor") else ""),
        (tr("Memory"), f"{memory / 1024:.1f} GB" if memory else ""),
        (tr("System"), str(host.get("os") or "")),
        (tr("Clock governor"), str(host.get("governor") or "")),
    ]
    return [row for row in rows if row[1]]


def model(trial: Trial, words: Words) -> list[Row]:
    """Return what was measured, on which data."""
    tr, layers, data, reference = words.tr, trial.layers, trial.data, trial.reference
    parameters, macs = sum(layer.parameters for layer in layers), sum(layer.macs for layer in layers)
    rows = [
        (tr("Model"), trial.model.name),
        (tr("Format"), trial.model.format),
        (tr("Inputs"), ", ".join(str(spec) for spec in reference.inputs) if reference else ""),
        (tr("Parameters"), f"{parameters / 1e6:,.2f} M" if parameters else ""),
        (tr("Work per run"), f"{macs / 1e9:,.3g} GMAC" if macs else ""),
        (tr("Calibrated on"), tr("{0} samples").format(count(len(data.calibration))) if data else ""),
        (tr("Evaluated on"), tr("{0} samples").format(count(len(data.evaluation))) if data else ""),
        (tr("Preparation of pictures"), _prepared(data.preprocess) if data else ""),
        ("SHA-256", trial.model.sha256),
    ]
    return [row for row in rows if row[1]]


def _prepared(found: Mapping[str, Any]) -> str:
    """Return what is otherwise than it comes, as the keys of ``[preprocess]``."""
    default = msgspec.json.decode(msgspec.json.encode(Preprocess()))
    return ", ".join(f"{key} {value}" for key, value in found.items() if value != default.get(key))


def settings(trial: Trial, words: Words) -> list[Row]:
    """Return what was read back from the process that was measured."""
    found, tr = trial.effective, words.tr
    if found is None:
        return []
    engine = str(trial.config.get("engine", ""))
    rows = [
        (tr("Engine"), f"{engine} {found.engine_version}"),
        (tr("Threads"), tr("{0} on CPUs {1}").format(found.threads, format_cpu_list(found.affinity))),
        (tr("OpenMP"), ", ".join(Path(name).name for name in found.openmp)),
        (tr("Allocator"), ", ".join(Path(name).name for name in found.allocator)),
        (tr("Instruction set used"), found.isa),
        ("Python", found.python),
        (tr("Packages"), ", ".join(f"{name} {version}" for name, version in found.packages.items())),
    ]
    return [row for row in rows if row[1]]


def latency(sides: Sequence[Trial], words: Words) -> list[Row]:
    """Return figures as rows of one cell per trial of *sides*, and what the last is to the first."""
    tr = words.tr

    def of(title: str, *path: str, shown: Any = milliseconds, ratio: bool = True) -> Row:
        values = []
        for trial in sides:
            value: Any = trial
            for name in path:
                value = getattr(value, name) if value is not None else None
            values.append(value)
        gain = quotient(values[0], values[-1]) if ratio and len(sides) > 1 else None
        return (title, *(shown(value) for value in values), f"{gain:.2f}×" if gain else "")

    rows = [
        of(tr("median (p50), ms"), "latency", "p50_ms"),
        of(tr("90 % are faster than (p90), ms"), "latency", "p90_ms"),
        of(tr("99 % are faster than (p99), ms"), "latency", "p99_ms"),
        of(tr("slowest, ms"), "latency", "max_ms"),
        of(tr("runs per second"), "throughput_per_s", shown=rate, ratio=False),
        of(tr("memory while running, MB"), "memory", "peak_rss_mb", shown=_megabytes),
        of(tr("model in memory, MB"), "memory", "model_mb", shown=_megabytes),
        of(tr("runs that were timed"), "latency", "n", shown=count, ratio=False),
    ]
    for trial in sides[-1:]:
        if trial.latency and trial.latency.deadline_ms:
            title = tr("missed the deadline of {0} ms").format(milliseconds(trial.latency.deadline_ms))
            rows.append(of(title, "latency", "missed", shown=count, ratio=False))
    return [row for row in rows if any(cell != DASH for cell in row[1:-1])]


def _megabytes(value: float | None) -> str:
    return significant(value) if value is not None and value < 100 else milliseconds(value)


def accuracy(trial: Trial, words: Words) -> list[Row]:
    """Return how far the outputs are from FP32's."""
    found, tr = trial.accuracy, words.tr
    if found is None or not found.samples:
        return []
    right = f"{share(found.top1)} ({tr('FP32')} {share(found.top1_fp32)})" if found.top1 is not None else ""
    rows = [
        (tr("Samples compared"), count(found.samples)),
        (tr("Cosine similarity, mean"), decimals(found.cosine_mean)),
        (tr("Cosine similarity, worst sample"), decimals(found.cosine_min)),
        (tr("Signal over error"), f"{decibels(found.sqnr_db)} dB"),
        (tr("Same class as FP32"), share(found.top1_agreement) if found.top1_agreement is not None else ""),
        (tr("Right class"), right),
    ]
    return [row for row in rows if row[1]]


def outputs(trial: Trial) -> list[Row]:
    """Return name, mean and worst cosine, signal over error and largest difference of every output."""
    return [
        (
            one.name, decimals(one.cosine_mean), decimals(one.cosine_min), decibels(one.sqnr_db),
            significant(one.max_abs_diff),
        )
        for one in (trial.accuracy.outputs if trial.accuracy else ())
    ]  # fmt: skip


def worst_items(trial: Trial) -> list[Row]:
    """Return name, cosine and the classes of both sides of the samples that changed most."""
    items = sorted(trial.accuracy.items if trial.accuracy else (), key=lambda item: item.cosine)[:_MOST_ITEMS]
    return [
        (item.name, decimals(item.cosine), *(DASH if one is None else str(one) for one in (item.top1_fp32, item.top1)))
        for item in items
    ]


@dataclass(frozen=True)
class Column:
    """One column of the layers' table."""

    title: str
    number: bool = False


@dataclass(frozen=True)
class Layers:
    """The layers' table; columns that hold nothing are left out."""

    columns: list[Column]
    rows: list[Row]


def layers(trial: Trial, words: Words) -> Layers:
    """Return every layer that computes, or that there is something to say about."""
    table, tr = layer_table(trial, load(Path(trial.calibration)) if trial.calibration else None), words.tr
    columns = [
        Column(tr("layer")), Column(tr("operator")), Column(tr("ran as")), Column(tr("kernel")), Column("ms", True),
        Column(tr("share"), True), Column(tr("SQNR, dB"), True), Column(tr("range"), True), Column(tr("remarks")),
    ]  # fmt: skip
    rows = [_layer(row, words) for row in table.layers if row.fused_into is None and (row.dtype or row.flags)]
    kept = [number for number in range(len(columns)) if any(row[number] not in ("", DASH) for row in rows)]
    return Layers([columns[number] for number in kept], [tuple(row[number] for number in kept) for row in rows])


def _layer(row: LayerRow, words: Words) -> Row:
    output = [tensor for tensor in row.tensors if not tensor.name.endswith(":weight")][-1:]
    span = "".join(f"{significant(one.low)} … {significant(one.high)}" for one in output if one.quantized)
    remarks = [words.tr("range fixed by hand")] if any(tensor.fixed for tensor in row.tensors) else []
    remarks += [words.tr("kept in {0}").format(row.precision_fixed.upper())] if row.precision_fixed else []
    return (
        " + ".join(row.group or [row.name]), row.op, (row.dtype or DASH).upper(), row.kernel or DASH,
        milliseconds(row.ms), share(row.share), decibels(row.sqnr_db), span,
        "; ".join([*remarks, *(words.said(flag) for flag in row.flags)]),
    )  # fmt: skip


def fixes(trial: Trial, words: Words) -> list[Row]:
    """Return what was set by hand: tensor or layer, what was asked for, what became of it."""
    pinned: Mapping[str, Any] = trial.config.get("fixes", {})
    rows: list[Row] = []
    for fix in trial.fixes:
        entry = pinned.get(fix.tensor, {})
        span = " … ".join(significant(entry.get(end), 4) if end in entry else "∗" for end in ("min", "max"))
        became = words.said(fix.state)
        if fix.scale is not None:
            became += words.tr(", scale {0}, zero point {1}").format(significant(fix.scale, 4), fix.zero_point)
        if fix.acts_on and fix.acts_on != fix.tensor:
            became += words.tr(", acts at {0}").format(fix.acts_on)
        rows.append((fix.tensor, span, became))
    ran = {kernel.layer: kernel.dtype.upper() for kernel in (trial.proof.kernels if trial.proof else ())}
    for name, entry in trial.config.get("layers", {}).items():
        became = words.tr("ran in {0}").format(ran[name]) if name in ran else DASH
        rows.append((name, str(entry.get("precision", "")).upper(), became))
    return rows


def proof(trial: Trial, words: Words) -> str:
    """Return which kernels ran, in one sentence."""
    found = trial.proof
    if found is None:
        return ""
    tr = words.tr
    if found.expected_int8:
        text = tr("{0} of {1} planned layers ran in INT8.").format(found.int8_kernels, found.expected_int8)
    elif found.bf16_kernels:
        text = tr("{0} layers ran in BF16, {1} in FP32.").format(found.bf16_kernels, found.fp32_kernels)
    else:
        text = tr("{0} layers ran in FP32.").format(found.fp32_kernels)
    if found.reference_kernels:
        text += words.blank + tr("{0} of them ran in slow reference code.").format(found.reference_kernels)
    return text


# -- to do it again ---------------------------------------------------------------------------------


def commands(trial: Trial, place: str) -> dict[str, str]:
    """Return the command lines that measure the trial again and export it; ``config.toml`` holds its settings."""
    runs = trial.latency.n if trial.latency else 200
    again = ["workbench", "measure", *_named(trial), "--config", "config.toml", "--runs", str(runs)]
    if trial.environment != "default":
        again += ["--env", trial.environment]
    stem = f"{Path(title(trial)).stem}-{trial.id}"
    return {
        "measure": shlex.join(again),
        "export": shlex.join(["workbench", "export", "--study", place, "--trial", str(trial.id), "--out", stem]),
    }


def _named(trial: Trial) -> list[str]:
    """Return MODEL and its options as they were given."""
    reference, source = trial.reference, trial.source
    if reference is None:
        return [trial.model.name if trial.model.name.startswith("sample:") else trial.model.path]
    sample = reference.name.startswith("sample:")
    words = [reference.name if sample else f"{reference.path}:{reference.attribute}" if reference.attribute
             else reference.path]  # fmt: skip
    if not sample:
        words += ["--weights", reference.weights] if reference.weights else []
        for spec in reference.inputs:
            words += ["--input", str(spec)]
        words += ["--trust-pickle"] if reference.trusted else []
    if source is not None and not (sample and source == _of_sample(reference.name)):
        words += ["--data", source.path]
        words += ["--calib", source.calibration_path] if source.calibration_path else []
        words += ["--labels", source.labels] if source.labels else []
    return words


def _of_sample(name: str) -> DataSource | None:
    try:
        return load_sample(name.removeprefix("sample:")).data
    except UserError:  # its packages are not installed here
        return None
