"""A study: all trials of one model, in one SQLite file or behind a PostgreSQL URL.

A trial is written in one transaction the moment it ends, its raw samples beside it, and never changed.
What people say about it later (a star, a note, that it is of no use) lies in a table of marks; which trials
were measured for one ladder, comparison or sweep lies in a table of series. Used by the runner, the command line
and the window.
"""

from __future__ import annotations

import re
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from sqlalchemy import Engine, ForeignKey, LargeBinary, Text, create_engine, delete, event, false, inspect, select
from sqlalchemy.exc import OperationalError, SQLAlchemyError
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

from workbench import paths
from workbench.core.model import ModelReference, study_stem
from workbench.core.trial import Samples, Trial
from workbench.errors import UserError, nearest
from workbench.study.mark import Mark

_ATTEMPTS = 10


class _Base(DeclarativeBase):
    pass


class _TrialRow(_Base):
    __tablename__ = "trials"
    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    created: Mapped[str] = mapped_column(Text)
    model_name: Mapped[str] = mapped_column(Text)
    model_sha256: Mapped[str] = mapped_column(Text, index=True)
    engine: Mapped[str] = mapped_column(Text)
    precision: Mapped[str] = mapped_column(Text)
    status: Mapped[str] = mapped_column(Text)
    p50_ms: Mapped[float | None]
    record: Mapped[bytes] = mapped_column(LargeBinary)


class _SamplesRow(_Base):
    __tablename__ = "samples"
    trial_id: Mapped[int] = mapped_column(ForeignKey("trials.id"), primary_key=True)
    frames: Mapped[bytes] = mapped_column(LargeBinary)


class _MarkRow(_Base):
    __tablename__ = "marks"
    trial_id: Mapped[int] = mapped_column(ForeignKey("trials.id"), primary_key=True)
    star: Mapped[bool] = mapped_column(default=False)
    note: Mapped[str] = mapped_column(Text, default="")
    deleted: Mapped[bool] = mapped_column(default=False)


class _SeriesRow(_Base):
    __tablename__ = "series"
    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    kind: Mapped[str] = mapped_column(Text)
    record: Mapped[bytes] = mapped_column(LargeBinary)


def default_place(model: ModelReference) -> str:
    """Return the study of *model* in the user's data folder."""
    return str(paths.user_data() / "studies" / f"{model.study_name}.sqlite")


def find_place(text: str) -> str:
    """Return the place of a study given as a file, a URL or the model that it belongs to.

    Raises:
        UserError: neither a study nor a model with one.
    """
    if "://" in text or _is_database(Path(text)):
        return text
    # The study is named after the model; the model itself may have moved, so only its name is used.
    stem = study_stem(text)
    place = paths.user_data() / "studies" / f"{stem}.sqlite"
    if place.is_file():
        return str(place)
    known = sorted(path.stem for path in place.parent.glob("*.sqlite")) if place.parent.is_dir() else []
    raise UserError(f"There is no study '{text}'.", f"Looked at {text} and {place}.", nearest(text, known))


def bursts_of(samples: Samples | None) -> list[np.ndarray]:
    """Return the kept samples of a trial (ns), burst by burst."""
    return [np.frombuffer(burst, np.int64) for burst in samples.bursts] if samples else []


def _is_database(path: Path) -> bool:
    """Whether *path* is a study rather than, say, the model whose study is meant."""
    try:
        with path.open("rb") as file:
            return file.read(16) in (b"SQLite format 3\0", b"")
    except OSError:
        return False


def _is_url(place: str) -> bool:
    return re.match(r"[a-z0-9+]{2,}://", place) is not None


class Store:
    """One open study.

    Args:
        place: a file path or an SQLAlchemy URL.
        create: make it where it does not exist.

    Raises:
        UserError: it does not exist (and *create* is false) or cannot be opened.
    """

    def __init__(self, place: str, *, create: bool = True) -> None:
        self.place = place
        self._engine: Engine | None = None
        self._create = create
        self._opening = threading.Lock()
        if not create:
            self._open()

    def _open(self) -> Engine:
        """Open on first use: a command that fails before its first trial leaves no file behind."""
        # The window uses one store from several threads.
        with self._opening:
            if self._engine is None:
                self._engine = self._connect()
            return self._engine

    def _connect(self) -> Engine:
        is_url = _is_url(self.place)
        if not is_url:
            path = Path(self.place)
            if not self._create and not path.is_file():
                raise UserError(
                    f"There is no study at {path}.", "", "Measure something first, or give another --study."
                )
            with _writing(path):
                path.parent.mkdir(parents=True, exist_ok=True)
        url = self.place if is_url else f"sqlite:///{Path(self.place).absolute()}"
        with _explained(self.place):
            engine = create_engine(url)
            if engine.dialect.name == "sqlite":
                event.listen(engine, "connect", _durable)
            _make_tables(engine)
        return engine

    def is_there(self) -> bool:
        """Whether there is something to read; reading would make the file, but a study appears with its first trial."""
        return _is_url(self.place) or Path(self.place).is_file()

    def check_writable(self) -> None:
        """Find out before a measurement whether its trial could be stored; a study that is not there is not made.

        Raises:
            UserError: it could not.
        """
        path = Path(self.place)
        if not _is_url(self.place):
            with _writing(path):
                if not path.exists():
                    there = next(folder for folder in path.absolute().parents if folder.exists())
                    with tempfile.TemporaryFile(dir=there):
                        return
        with _explained(self.place), Session(self._open()) as session:
            # Changes nothing, but asks for all that a change needs.
            session.execute(delete(_TrialRow).where(false()))
            session.rollback()

    def add(self, trial: Trial, samples: Samples | None) -> Trial:
        """Write *trial* and return it with its number.

        Raises:
            UserError: it cannot be written (disk full, no permission).
        """
        engine = self._open()
        with _explained(self.place), Session(engine) as session, session.begin():
            row = _TrialRow(
                created=trial.created,
                model_name=trial.model.name,
                model_sha256=trial.model.sha256,
                engine=trial.config["engine"],
                precision=trial.config["precision"],
                status=trial.status,
                p50_ms=trial.latency.p50_ms if trial.latency else None,
                record=b"",
            )
            session.add(row)
            session.flush()
            numbered = msgspec.structs.replace(trial, id=row.id)
            row.record = msgspec.json.encode(numbered)
            if samples is not None:
                session.add(_SamplesRow(trial_id=row.id, frames=msgspec.msgpack.encode(samples)))
        return numbered

    def trials(self, *, deleted: bool = False) -> list[Trial]:
        """Return the trials in the order they were stored.

        Args:
            deleted: also those that are marked as deleted.
        """
        hidden = set() if deleted else {number for number, mark in self.marks().items() if mark.deleted}
        with _explained(self.place), Session(self._open()) as session:
            rows = session.execute(select(_TrialRow.id, _TrialRow.record).order_by(_TrialRow.id)).all()
        return [msgspec.json.decode(record, type=Trial) for number, record in rows if number not in hidden]

    def trial(self, number: int) -> Trial:
        """Return one trial.

        Raises:
            UserError: there is none with this number.
        """
        with _explained(self.place), Session(self._open()) as session:
            row = session.get(_TrialRow, number)
            known = session.scalars(select(_TrialRow.id).order_by(_TrialRow.id)).all() if row is None else []
        if row is None:
            listed = ", ".join(map(str, known[-10:])) or "none yet"
            raise UserError(f"The study has no trial {number}.", f"It has {listed}.", "`workbench study` lists them.")
        return msgspec.json.decode(row.record, type=Trial)

    def marks(self) -> dict[int, Mark]:
        """Return what was said about trials, by their number; trials that nothing was said about are left out."""
        engine = self._open()
        with _explained(self.place), Session(engine) as session:
            if not _has(engine, _MarkRow):
                return {}
            rows = session.scalars(select(_MarkRow)).all()
            return {row.trial_id: Mark(star=row.star, note=row.note, deleted=row.deleted) for row in rows}

    def mark(self, number: int, star: bool | None = None, note: str | None = None, deleted: bool | None = None) -> Mark:
        """Say something about a trial; what is None stays as it was.

        Args:
            deleted: True hides the trial from :meth:`trials`, False brings it back.

        Returns:
            All that is said about it now.

        Raises:
            UserError: there is no such trial, or the study cannot be written.
        """
        with _explained(self.place), Session(self._open()) as session, session.begin():
            if session.get(_TrialRow, number) is not None:
                row = session.get(_MarkRow, number) or _MarkRow(trial_id=number, star=False, note="", deleted=False)
                row.star = row.star if star is None else star
                row.note = row.note if note is None else note
                row.deleted = row.deleted if deleted is None else deleted
                session.add(row)
                return Mark(star=row.star, note=row.note, deleted=row.deleted)
        raise UserError(f"The study has no trial {number}.", "", "`workbench study` lists them.")

    def series(self, kind: str) -> list[Any]:
        """Return what :meth:`put_series` has written, oldest first."""
        engine = self._open()
        with _explained(self.place), Session(engine) as session:
            if not _has(engine, _SeriesRow):
                return []
            rows = session.scalars(select(_SeriesRow).where(_SeriesRow.kind == kind).order_by(_SeriesRow.id)).all()
            return [msgspec.json.decode(row.record) for row in rows]

    def put_series(self, kind: str, record: Any, number: int | None = None) -> int:
        """Write down which trials belong together, and how.

        Args:
            kind: ``ladder``, ``comparison`` or ``sweep``; who writes it says what *record* holds.
            record: what JSON can hold.
            number: exchange what was written under this number.

        Returns:
            The number.

        Raises:
            UserError: the study cannot be written.
        """
        with _explained(self.place), Session(self._open()) as session, session.begin():
            row = (session.get(_SeriesRow, number) if number is not None else None) or _SeriesRow(kind=kind)
            row.record = msgspec.json.encode(record)
            session.add(row)
            session.flush()
            return row.id

    def samples(self, number: int) -> Samples | None:
        """Return the raw samples of a trial, None where it ended before any."""
        with _explained(self.place), Session(self._open()) as session:
            row = session.get(_SamplesRow, number)
        return msgspec.msgpack.decode(row.frames, type=Samples) if row else None

    def close(self) -> None:
        """Let go of the file."""
        if self._engine is not None:
            self._engine.dispose()
            self._engine = None


def _has(engine: Engine, row: type[_Base]) -> bool:
    """Whether a table is there: an older study on a disk that cannot be written lacks the newer ones."""
    return inspect(engine).has_table(row.__tablename__)


def _make_tables(engine: Engine) -> None:
    """Make what is missing; another process may be doing the same at this moment."""
    for attempt in range(_ATTEMPTS):
        try:
            _Base.metadata.create_all(engine)
        except OperationalError as error:
            # What is there can be read all the same.
            if "readonly database" in str(error.orig):
                return
            if attempt == _ATTEMPTS - 1 or not re.search("already exists|locked", str(error.orig)):
                raise
            time.sleep(0.05 * (attempt + 1))
        else:
            return


def _durable(connection: Any, _: Any) -> None:
    """WAL lets readers read while a trial is written; FULL makes a commit outlive a power cut."""
    cursor = connection.cursor()
    cursor.execute("PRAGMA busy_timeout=10000")
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.close()


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise UserError(
            f"The study {path} cannot be written.", f"{error.strerror or error}.", "Give another --study."
        ) from error


@contextmanager
def _explained(place: str) -> Iterator[None]:
    try:
        yield
    except (SQLAlchemyError, ImportError) as error:
        cause = str(getattr(error, "orig", None) or error).splitlines()[0]
        raise UserError(
            f"The study {place} cannot be used.",
            f"{cause}.",
            "Check the path, the permissions and the free space.",
        ) from error
