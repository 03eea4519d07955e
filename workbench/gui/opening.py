"""Ways into the session for files: dialogs, drag and drop, the list of recent models.

Used by the main window's menus and the start page. What a file is decides what opens it: a model, a folder of
pictures, a config, a study, a bundle.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from PySide6.QtCore import QCoreApplication, QMimeData, QObject, QSettings, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from workbench.core.config import Config
from workbench.core.model import ModelReference
from workbench.errors import UserError
from workbench.gui.callable_dialog import CallableDialog
from workbench.gui.session import Session

Kind = Literal["model", "callable", "data", "config", "study", "bundle"]

MODEL_SUFFIXES = (
    ".pt",
    ".pth",
    ".pt2",
    ".onnx",
    ".ts",
    ".jit",
    ".torchscript",
    ".bin",
    ".ckpt",
    ".pkl",
    ".safetensors",
)
DATA_SUFFIXES = (".npy", ".npz")
STUDY_SUFFIXES = (".sqlite", ".sqlite3", ".db")
_OF_BUNDLES = ("manifest.json", "run.py")
_SAMPLE = "sample:"
_MOST_RECENT = 10
_KEY = "recent"


def kind_of(path: Path) -> Kind | None:
    """Return what *path* would be opened as, by names alone; None for what the workbench cannot open."""
    if path.is_dir():
        return "bundle" if all((path / name).is_file() for name in _OF_BUNDLES) else "data"
    if path.name == _OF_BUNDLES[0]:
        return "bundle"
    suffix = path.suffix.lower()
    kinds: dict[str, Kind] = {
        ".py": "callable",
        ".toml": "config",
        ".zip": "bundle",
        **dict.fromkeys(MODEL_SUFFIXES, "model"),
        **dict.fromkeys(DATA_SUFFIXES, "data"),
        **dict.fromkeys(STUDY_SUFFIXES, "study"),
    }
    return kinds.get(suffix)


def dropped(mime: QMimeData) -> Path | None:
    """Return the one local file or folder that is being dragged, if it is something to open."""
    urls = mime.urls() if mime.hasUrls() else []
    if len(urls) != 1 or not urls[0].isLocalFile():
        return None
    path = Path(urls[0].toLocalFile())
    return path if kind_of(path) else None


@dataclass(frozen=True)
class Recent:
    """One entry of the list: what to open again, and with what. Trust is never remembered."""

    text: str
    weights: str | None = None
    inputs: tuple[str, ...] = ()

    @classmethod
    def of(cls, model: ModelReference) -> Recent:
        """Return the entry of an open model."""
        if model.name.startswith(_SAMPLE):
            return cls(model.name)
        text = f"{model.path}:{model.attribute}" if model.attribute else model.path
        return cls(text, model.weights, tuple(map(str, model.inputs)))

    @property
    def title(self) -> str:
        """What to call it."""
        return self.text if self.text.startswith(_SAMPLE) else Path(self.text).name

    @property
    def place(self) -> str:
        """Its folder, shortened where it is the home folder; empty for a sample."""
        if self.text.startswith(_SAMPLE):
            return ""
        folder, home = Path(self.text).parent, Path.home()
        return f"~/{folder.relative_to(home).as_posix()}" if home in folder.parents else str(folder)

    def options(self) -> dict[str, Any]:
        """Return the keyword arguments for opening it."""
        chosen: dict[str, Any] = {"weights": self.weights, "inputs": self.inputs}
        return {name: value for name, value in chosen.items() if value}


class RecentModels(QObject):
    """The models opened last, newest first, kept in the settings."""

    changed = Signal()

    def __init__(self, settings: QSettings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._settings = settings

    def entries(self) -> list[Recent]:
        """Return the list; entries that a newer version wrote in another form are left out."""
        found = []
        for text in _texts(self._settings.value(_KEY)):
            try:
                fields = json.loads(text)
                found.append(Recent(str(fields["text"]), fields["weights"], tuple(map(str, fields["inputs"]))))
            except (ValueError, TypeError, KeyError):
                continue
        return found

    def add(self, entry: Recent) -> None:
        """Put *entry* on top."""
        before = self.entries()
        if before[:1] != [entry]:
            self._write([entry, *(other for other in before if other.text != entry.text)][:_MOST_RECENT])

    def clear(self) -> None:
        """Forget all."""
        self._write([])

    def _write(self, entries: list[Recent]) -> None:
        self._settings.setValue(_KEY, [json.dumps(vars(entry)) for entry in entries])
        self.changed.emit()


def _texts(stored: object) -> list[str]:
    # A list of one comes back from an INI file as its only element.
    if isinstance(stored, str):
        return [stored]
    return [str(text) for text in stored] if isinstance(stored, list) else []


class Opener(QObject):
    """Opens things in the session, asking with the usual dialogs over *window*; ``bundle_wanted`` names a bundle."""

    bundle_wanted = Signal(object)  # Path

    def __init__(self, session: Session, window: QWidget) -> None:
        super().__init__(window)
        self._session = session
        self._window = window

    def open_path(self, path: Path) -> None:
        """Open whatever *path* is."""
        kind = kind_of(path)
        if kind == "callable":
            self.choose_callable(str(path))
        elif kind == "data":
            self._open_data(path)
        elif kind == "config":
            self._load_config(path)
        elif kind == "study":
            self._session.open_study_soon(str(path))
        elif kind == "bundle":
            self.bundle_wanted.emit(path)
        else:
            self._session.open_model_soon(str(path))

    def choose_model(self) -> None:
        """Ask for a model file."""
        found = self._ask(self.tr("Open model"), self.tr("Models"), (*MODEL_SUFFIXES, ".py"))
        if found:
            self.open_path(found)

    def choose_callable(self, file: str = "") -> None:
        """Ask for ``file.py:callable`` with its weights and inputs."""
        dialog = CallableDialog(file, self._window)
        if dialog.exec():
            self._session.open_model_soon(dialog.text(), **dialog.options())

    def choose_folder(self) -> None:
        """Ask for a folder of pictures."""
        folder = QFileDialog.getExistingDirectory(self._window, self.tr("Folder of pictures"))
        if folder:
            self._open_data(Path(folder))

    def choose_arrays(self) -> None:
        """Ask for a file of arrays."""
        found = self._ask(self.tr("Array file"), self.tr("Arrays"), DATA_SUFFIXES)
        if found:
            self._open_data(found)

    def choose_study(self) -> None:
        """Ask for a study."""
        found = self._ask(self.tr("Open study"), self.tr("Studies"), STUDY_SUFFIXES)
        if found:
            self._session.open_study_soon(str(found))

    def load_config(self) -> None:
        """Ask for a config and turn all knobs as it says."""
        found = self._ask(self.tr("Load config"), self.tr("Configs"), (".toml",))
        if found:
            self._load_config(found)

    def save_config(self) -> None:
        """Ask where to and save the knobs as they are."""
        chosen, _ = QFileDialog.getSaveFileName(
            self._window, self.tr("Save config"), "config.toml", self.tr("Configs (*.toml)")
        )
        if not chosen:
            return
        path = Path(chosen)
        try:
            (path if path.suffix else path.with_suffix(".toml")).write_text(self._session.config.to_toml(), "utf-8")
        except OSError as error:
            self._session.refused.emit(
                UserError(self.tr("The config was not saved."), f"{error}.", self.tr("Choose another place."))
            )

    def _open_data(self, path: Path) -> None:
        if self._session.subject is None:
            self._session.refused.emit(
                UserError(
                    self.tr("There is no model yet that could be fed with these data."),
                    "",
                    self.tr("Open a model first, then the data."),
                )
            )
        else:
            self._session.set_data(path)

    def _load_config(self, path: Path) -> None:
        try:
            subject = self._session.subject
            config = Config.load(path, engine=subject.model.natural_engine if subject else "")
        except UserError as error:
            self._session.refused.emit(error)
        else:
            self._session.set_config(config, self.tr("load {name}").format(name=path.name))

    def _ask(self, title: str, what: str, suffixes: Sequence[str]) -> Path | None:
        every = QCoreApplication.translate("Opener", "All files (*)")
        patterns = " ".join(f"*{suffix}" for suffix in suffixes)
        found, _ = QFileDialog.getOpenFileName(self._window, title, "", f"{what} ({patterns});;{every}")
        return Path(found) if found else None
