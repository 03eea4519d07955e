"""From what the user typed to what is measured: model, data, preprocessing. Shared by CLI and window."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from workbench.core.data import DataSource
from workbench.core.model import resolve_model
from workbench.core.preprocess import Preprocess
from workbench.core.samples import load_sample
from workbench.core.trial import Trial
from workbench.errors import UserError
from workbench.study.runner import Subject

_SAMPLE = "sample:"


def find_subject(
    model: str,
    *,
    weights: str | None = None,
    inputs: Sequence[str] = (),
    trust_pickle: bool = False,
    data: Path | None = None,
    calibration: Path | None = None,
    labels: Path | None = None,
) -> Subject:
    """Resolve a MODEL argument and its companions.

    A sample brings its own data and preprocessing; *data* replaces the former.

    Raises:
        UserError: something does not exist or does not fit.
    """
    reference = resolve_model(model, weights=weights, inputs=inputs, trust_pickle=trust_pickle)
    source, preprocess = None, None
    if model.startswith(_SAMPLE):
        sample = load_sample(model.removeprefix(_SAMPLE))
        source, preprocess = sample.data, sample.preprocess
    if data is not None:
        source = DataSource(path=str(data.absolute()))
    if source is None and (calibration or labels):
        raise UserError(
            "There is nothing to evaluate on.", "--calib and --labels go with --data.", "Add --data FOLDER."
        )
    if source is not None and (calibration or labels):
        source = DataSource(
            path=source.path,
            calibration_path=str(calibration.absolute()) if calibration else source.calibration_path,
            labels=str(labels.absolute()) if labels else source.labels,
            calibration=() if calibration else source.calibration,
            evaluation=source.evaluation,
        )
    return Subject(reference, source, preprocess)


def subject_of(trial: Trial) -> Subject:
    """Return what a stored trial measured.

    Raises:
        UserError: the record is too old to tell, or the model or its data are gone or have changed since.
    """
    if trial.reference is None:
        raise UserError(
            f"Trial {trial.id} does not say how its model was opened.", "It was measured by an older version.",
            "Measure it again.",
        )  # fmt: skip
    reference = trial.reference
    if reference.hash_now() != reference.sha256:
        raise UserError(
            f"{reference.name} has changed since trial {trial.id}.", "Its hash is another one.", "Measure it again."
        )
    if trial.source is not None and not Path(trial.source.path).exists():
        raise UserError(
            f"The data of trial {trial.id} is gone.", f"{trial.source.path} does not exist.", "Put it back."
        )
    known = trial.data.preprocess if trial.data else None
    return Subject(reference, trial.source, msgspec.convert(known, Preprocess) if known else None)
