"""Which presets fit this machine and a model; used by ``workbench presets``."""

from __future__ import annotations

from typing import Any

import msgspec

from workbench.core.config import Config
from workbench.core.presets import PRESETS, Situation
from workbench.host.isa import read_isa
from workbench.host.limits import usable_physical_cores


class Judged(msgspec.Struct, frozen=True, kw_only=True):
    """A preset, and whether it fits.

    Attributes:
        fits: None where only the user can know, or where too little is known.
        changes: engine → the knobs that it turns there.
    """

    name: str
    title: str
    reason: str
    evidence: str
    fits: bool | None
    changes: dict[str, dict[str, Any]]


def situation(model: str | None = None) -> Situation:
    """Return what is known of this machine, and of *model*, which is looked into without timing it.

    Raises:
        UserError: the model cannot be described.
    """
    isa, cores = read_isa().names, usable_physical_cores()
    if model is None:
        return Situation(isa=isa, cores=cores)
    from workbench.study.runner import Runner
    from workbench.study.subject import find_subject

    subject = find_subject(model)
    facts = Runner().inspect(subject, Config.load(None, engine=subject.model.natural_engine))
    return Situation(
        isa=isa,
        cores=cores,
        model_mb=facts.parameters * 4 / 2**20,
        kinds={layer.kind for layer in facts.layers if layer.kind},
        outputs=[tuple(shape) for _, shape, _ in facts.outputs],
    )


def judged(now: Situation) -> list[Judged]:
    """Return every preset as it stands in a situation."""
    return [
        Judged(
            name=preset.name, title=preset.title, reason=preset.reason, evidence=preset.evidence, fits=preset.fits(now),
            changes={engine: preset.changes(engine) for engine in preset.engines},
        )
        for preset in PRESETS
    ]  # fmt: skip
