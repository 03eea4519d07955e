"""The child's life: one job in, reports out, then the end."""

from __future__ import annotations

import contextlib
import importlib
import traceback
from typing import BinaryIO

from workbench.core.config import Config
from workbench.engines.base import Engine, InvalidResult
from workbench.errors import UserError
from workbench.host.numa import bind_memory
from workbench.worker import inspection, protocol
from workbench.worker.channel import Cancelled, Channel, Phases, watch_warnings
from workbench.worker.measurement import Measurement
from workbench.worker.preparation import Prepared, prepare
from workbench.worker.protocol import Broke, Invalid, Job, Refused

_OUT_OF_MEMORY = "there is not enough memory for this job; lower run.batch or calibration.samples, or raise the limit"


def serve(commands: BinaryIO, reports: BinaryIO, prepared: Prepared | None = None) -> None:
    """Do the one job that the parent sends.

    Args:
        prepared: made for this job, whatever its fixes, by the process that this one was forked from.
    """
    try:
        job = protocol.read_command(commands)
    except (protocol.BadFrame, OSError):
        return
    if not isinstance(job, Job):
        return
    channel = Channel(commands, reports)
    channel.listen()
    watch_warnings(channel)
    report: protocol.Report
    try:
        report = _do(job, channel, prepared)
    except Cancelled:
        report = Invalid(reason="cancelled before anything was measured")
    except UserError as error:
        report = Refused(what=error.what, why=error.why, next_step=error.next_step)
    except InvalidResult as error:
        report = Invalid(reason=str(error))
    except Exception as error:
        if _is_out_of_memory(error):
            report = Broke(error=_OUT_OF_MEMORY, traceback="")
        else:
            report = Broke(error=f"{type(error).__name__}: {error}", traceback=traceback.format_exc())
    with contextlib.suppress(OSError):
        try:
            channel.send(report)
        except TypeError as error:  # an engine put a type into its report that has no wire form
            channel.send(Broke(error=f"{type(error).__name__}: {error}", traceback=traceback.format_exc()))


def _is_out_of_memory(error: Exception) -> bool:
    """Whether memory was refused; libraries in C++ say so in words of their own."""
    return isinstance(error, MemoryError) or any(words in str(error) for words in ("allocate memory", "bad_alloc"))


def _do(job: Job, channel: Channel, prepared: Prepared | None) -> protocol.Report:
    phases = Phases(channel)
    config = Config.from_dict(job.config)
    if (node := config.number("runtime.numa_node")) >= 0 and (refusal := bind_memory(node)):
        channel.notice(
            f"Memory could not be bound to NUMA node {node} ({refusal}): only the CPUs are; memory may lie elsewhere."
        )
    if prepared is None:
        with phases("importing the engine"):
            engine: Engine = importlib.import_module(job.engine_module).Engine(config)
    else:
        engine = prepared.engine
        engine.config = config
        prepared.notes.hand_on(channel)
    try:
        engine.configure()
        if job.kind == "inspect":
            return inspection.inspect(job, engine, channel)
        if job.kind == "export":
            return inspection.export(job, engine, channel)
        return Measurement(job, prepared or prepare(job, engine, channel, phases), channel, phases)()
    finally:
        engine.close()
