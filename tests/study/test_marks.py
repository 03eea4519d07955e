"""Marks beside the immutable records: stars, notes, and trials that are hidden until somebody wants them back."""

import sqlite3
from pathlib import Path

import pytest

from workbench.core.trial import ModelFacts, Samples, Trial
from workbench.errors import UserError
from workbench.study.store import Mark, Store


def trial(reason: str = "") -> Trial:
    return Trial(
        status="ok", reason=reason, created="2026-01-02T03:04:05+00:00",
        model=ModelFacts(path="m.pt", format="torchscript", sha256="0" * 64, name="m"),
        config={"engine": "torch", "precision": "fp32"},
    )  # fmt: skip


@pytest.fixture
def store(tmp_path: Path):
    study = Store(str(tmp_path / "m.sqlite"))
    for _ in range(3):
        study.add(trial(), Samples(warmup=b"", bursts=[], after_gap=b""))
    yield study
    study.close()


def numbers(store: Store, **options: bool) -> list[int | None]:
    return [record.id for record in store.trials(**options)]


def test_nothing_is_said_at_first(store: Store) -> None:
    assert store.marks() == {}


def test_marks_are_set_one_by_one(store: Store) -> None:
    assert store.mark(2, star=True) == Mark(star=True)
    assert store.mark(2, note="best so far") == Mark(star=True, note="best so far")
    assert store.mark(2, star=False) == Mark(note="best so far")
    assert store.mark(2) == Mark(note="best so far")
    assert store.marks() == {2: Mark(note="best so far")}


def test_a_deleted_trial_is_hidden_and_comes_back(store: Store) -> None:
    store.mark(2, deleted=True)
    assert numbers(store) == [1, 3]
    assert numbers(store, deleted=True) == [1, 2, 3]
    assert store.trial(2).id == 2 and store.samples(2) is not None
    store.mark(2, deleted=False)
    assert numbers(store) == [1, 2, 3]


def test_a_new_trial_never_takes_a_deleted_ones_number(store: Store) -> None:
    store.mark(3, deleted=True)
    assert store.add(trial(), None).id == 4


def test_the_record_itself_does_not_change(store: Store) -> None:
    before = store.trial(1)
    store.mark(1, star=True, note="n", deleted=True)
    assert store.trial(1) == before


def test_marks_are_on_disk(store: Store) -> None:
    store.mark(1, star=True, note="Grüße 你好 ★")
    again = Store(store.place, create=False)
    assert again.marks() == {1: Mark(star=True, note="Grüße 你好 ★")}
    again.close()


def test_a_trial_that_does_not_exist(store: Store) -> None:
    with pytest.raises(UserError, match="no trial 99"):
        store.mark(99, star=True)
    assert store.marks() == {}


def test_a_study_from_before_there_were_marks(store: Store) -> None:
    store.close()
    with sqlite3.connect(store.place) as connection:
        connection.execute("DROP TABLE marks")
    connection.close()
    unwritable = Store(f"sqlite:///file:{store.place}?mode=ro&uri=true")
    assert numbers(unwritable) == [1, 2, 3] and unwritable.marks() == {}
    with pytest.raises(UserError, match="cannot be used"):
        unwritable.mark(1, star=True)
    unwritable.close()
    assert store.mark(1, star=True) == Mark(star=True)
