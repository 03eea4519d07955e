"""One trial in full, and a study's trials as rows."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.markup import escape
from rich.text import Text

from workbench.core.accuracy import Accuracy
from workbench.core.trial import FixState, Trial
from workbench.host.cpulist import format_cpu_list
from workbench.tables.common import milliseconds, number, pairs, table

_MARKS = {"ok": "[green]ok[/]", "failed": "[red]failed[/]", "invalid": "[yellow]invalid[/]"}


def show(record: Trial, place: str) -> RenderableType:
    """One trial, in full."""
    config = record.config
    parts: list[RenderableType] = []
    head = f"{_MARKS[record.status]} {escape(record.model.name)}  {config['engine']} {config['precision']}"
    parts.append(Text.from_markup(head + (f"  trial {record.id}" if record.id else "")))
    if record.reason:
        parts.append(Text(record.reason, style="red" if record.status == "failed" else "yellow"))
    if latency := record.latency:
        grid = table(">p50 ms", ">p90", ">p99", ">max", ">mean", ">runs", ">runs/s", ">peak MB")
        grid.add_row(
            milliseconds(latency.p50_ms), milliseconds(latency.p90_ms),
            milliseconds(latency.p99_ms) if latency.p99_ms is not None else "n<100", milliseconds(latency.max_ms),
            milliseconds(latency.mean_ms), str(latency.n), number(record.throughput_per_s),
            number(record.memory.peak_rss_mb, 4) if record.memory else "–",
        )  # fmt: skip
        parts.append(grid)
        if latency.missed is not None:
            parts.append(f"deadline {latency.deadline_ms:g} ms: missed by {latency.missed} of {latency.n}")
    rows = [("timing", latency.noise)] if latency else []
    if record.accuracy:
        rows.append(("accuracy", accuracy_in_words(record.accuracy)))
    elif record.latency:
        rows.append(("accuracy", "n/a: no data (--data), random input is for speed only"))
    if proof := record.proof:
        counts = f"{proof.int8_kernels} INT8, {proof.bf16_kernels} BF16, {proof.fp32_kernels} FP32 kernels"
        if proof.expected_int8:
            counts += f"; INT8 planned for {proof.expected_int8} layers"
        if proof.reference_kernels:
            counts += f"; [red]{proof.reference_kernels} in slow reference code[/]"
        rows.append(("proof", counts))
        names = sorted({kernel.kernel for kernel in proof.kernels if kernel.layer != "unmapped"})
        rows.append(("kernels", escape(", ".join(names[:6]) + (" …" if len(names) > 6 else ""))))
    if effective := record.effective:
        cpus, runtimes = format_cpu_list(effective.affinity), "+".join(effective.openmp) or "no OpenMP"
        ran = f"{effective.threads} threads on CPUs {cpus}, {runtimes}" + (
            f", {effective.isa}" if effective.isa else ""
        )
        rows.append(("ran with", f"{ran}, {config['engine']} {effective.engine_version}"))
    rows += [("fix", escape(fix_in_words(fix))) for fix in record.fixes]
    parts.append(pairs(rows))
    parts += [Text(f"! {warning}", style="yellow") for warning in record.warnings]
    parts.append(Text(f"kept in {place}", style="dim"))
    return Group(*parts)


def fix_in_words(fix: FixState) -> str:
    """One line: what became of a range fixed by hand."""
    words = f"{fix.tensor}: {fix.state}"
    if fix.scale is not None:
        words += f", scale {fix.scale:.6g}, zero point {fix.zero_point}"
    return words + (f" ({fix.note})" if fix.note else "")


def accuracy_in_words(accuracy: Accuracy) -> str:
    """One line: verdict and figures."""
    figures = f"worst cosine {accuracy.cosine_min:.4f}, {accuracy.samples} samples"
    if accuracy.top1 is not None and accuracy.top1_fp32 is not None:
        figures += f", right {accuracy.top1:.1%} (FP32 {accuracy.top1_fp32:.1%})"
    return f"{accuracy.verdict}; {figures}"


def show_all(place: str, trials: Sequence[Trial]) -> RenderableType:
    """All trials of a study."""
    grid = table(
        ">#",
        "state",
        "engine",
        "precision",
        ">threads",
        ">p50 ms",
        ">p99",
        ">max",
        ">cosine",
        ">INT8",
        "when",
        "note",
    )
    for record in trials:
        latency, proof = record.latency, record.proof
        grid.add_row(
            str(record.id), _MARKS[record.status], str(record.config["engine"]), str(record.config["precision"]),
            str(record.effective.threads) if record.effective else "–",
            milliseconds(latency.p50_ms) if latency else "–", milliseconds(latency.p99_ms) if latency else "–",
            milliseconds(latency.max_ms) if latency else "–",
            f"{record.accuracy.cosine_mean:.4f}" if record.accuracy else "–",
            f"{proof.int8_kernels}/{proof.expected_int8}" if proof and proof.expected_int8 else "–",
            record.created[:16].replace("T", " "), escape(record.reason[:60]),
        )  # fmt: skip
    return Group(Text(place, style="dim"), grid if trials else Text("no trials yet"))
