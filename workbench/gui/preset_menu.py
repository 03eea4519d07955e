"""The menu of presets in the knobs panel: applies one, undoably, and says why and what it turned."""

from __future__ import annotations

from functools import partial
from html import escape

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from workbench.core.knobs import BY_KEY
from workbench.core.presets import PRESETS, Preset, Situation
from workbench.errors import UserError
from workbench.gui import theme
from workbench.gui.knob_words import shown, title
from workbench.gui.language import said
from workbench.gui.session import Session


class PresetMenu(QToolButton):
    """A button that opens the menu; ``chosen`` tells what was done in a sentence or two."""

    chosen = Signal(str)

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.setText(self.tr("Presets"))
        self.setToolTip(self.tr("A few knobs at once for a kind of machine, model or aim"))
        self.setAutoRaise(True)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self)
        menu.setToolTipsVisible(True)
        menu.aboutToShow.connect(self._fill)
        self.setMenu(menu)

    def _fill(self) -> None:
        """Make the menu anew: what fits depends on the machine and the model."""
        menu, now = self.menu(), situation(self._session)
        menu.clear()
        for preset in PRESETS:
            fits = preset.fits(now)
            text = said(preset.title)
            if fits is False:
                text = self.tr("{0} (does not fit here)").format(text)
            action = menu.addAction(text, partial(self.apply, preset))
            if fits:
                action.setIcon(theme.icon("ok"))
            action.setToolTip(self._in_full(preset))
            try:
                preset.applied(self._session.config, self._usable())
            except UserError as error:
                action.setEnabled(False)
                action.setToolTip(f"<p>{escape(said(str(error)))}</p>")

    def apply(self, preset: Preset) -> None:
        """Lay a preset over the config."""
        session, before = self._session, self._session.config
        try:
            config = preset.applied(before, self._usable())
        except UserError as error:
            session.refused.emit(error)
            return
        session.set_config(config, self.tr("preset: {0}").format(said(preset.title)))
        turned = [
            f"{title(key)} {shown(BY_KEY[key], config[key])}"
            for key in preset.changes(config.engine)
            if before[key] != config[key]
        ]
        what = self.tr("Turned: {0}.").format(", ".join(turned)) if turned else self.tr("All was so already.")
        self.chosen.emit(f"{said(preset.title)}: {said(preset.reason)} {what}")

    def _usable(self) -> list[str]:
        host = self._session.host
        subject = self._session.subject
        if subject is not None and subject.model.natural_engine == "onnxruntime":
            return ["onnxruntime"]
        return [engine.name for engine in host.engines if engine.available] if host else []

    def _in_full(self, preset: Preset) -> str:
        config = self._session.config
        engine = config.engine if config.engine in preset.engines else preset.engines[0]
        knobs = ", ".join(f"{title(key)} {shown(BY_KEY[key], value)}" for key, value in preset.changes(engine).items())
        parts = (said(preset.reason), self.tr("Seen: {0}").format(said(preset.evidence)), knobs)
        return "".join(f"<p>{escape(part)}</p>" for part in parts)


def situation(session: Session) -> Situation:
    """Return what the window knows of the machine and, from a trial, of the model."""
    host, trial = session.host, next((trial for trial in reversed(session.trials) if trial.layers), None)
    layers = trial.layers if trial else []
    return Situation(
        isa=host.cpu.isa if host else (),
        cores=host.default_threads if host else None,
        model_mb=sum(layer.parameters for layer in layers) * 4 / 2**20 if layers else None,
        kinds={layer.kind for layer in layers if layer.kind},
    )
