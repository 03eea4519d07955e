"""A study on disk: what is written comes back, whoever else is writing, and failures have words."""

from __future__ import annotations

import math
import sqlite3
import subprocess
import sys
import textwrap
import threading

import msgspec
import pytest
from fake_engine import model
from fake_records import accuracy, samples, trial
from sqlalchemy import event

from workbench.core.trial import Trial
from workbench.errors import UserError
from workbench.study.store import Store, default_place, find_place


@pytest.fixture
def place(tmp_path):
    return tmp_path / "some where" / "study.sqlite"


@pytest.fixture
def store(place):
    store = Store(str(place))
    yield store
    store.close()


def refused(function, *arguments, **options) -> UserError:
    with pytest.raises(UserError) as caught:
        function(*arguments, **options)
    return caught.value


# -- round trip -------------------------------------------------------------------------------------


def test_a_trial_comes_back_as_it_was_with_a_number(store, place):
    stored = store.add(trial(), samples())
    assert stored == msgspec.structs.replace(trial(), id=1)
    again = Store(str(place), create=False)
    assert again.trial(1) == stored
    assert again.trials() == [stored]
    again.close()


def test_raw_samples_come_back_byte_for_byte(store):
    number = store.add(trial(), samples()).id
    assert store.samples(number) == samples()


def test_a_trial_without_samples_has_none(store):
    number = store.add(trial(latency=None, status="failed"), None).id
    assert store.samples(number) is None
    assert store.trial(number).latency is None


def test_numbers_count_up_and_trials_keep_their_order(store):
    numbers = [store.add(trial(reason=f"r{n}"), None).id for n in range(5)]
    assert numbers == [1, 2, 3, 4, 5]
    assert [record.reason for record in store.trials()] == [f"r{n}" for n in range(5)]


def test_a_trial_whose_outputs_were_not_finite_can_be_read_back(store):
    spoiled = msgspec.structs.replace(accuracy(), kl_mean=None, cosine_mean=0.0)
    number = store.add(trial(accuracy=spoiled, throughput_per_s=None), None).id
    assert store.trial(number).accuracy == spoiled


def test_the_columns_beside_the_record_say_the_same(store, place):
    store.add(trial(), samples())
    with sqlite3.connect(place) as connection:
        row = connection.execute(
            "select created, model_name, model_sha256, engine, precision, status, p50_ms from trials"
        )
        created, name, digest, engine, precision, status, p50 = row.fetchone()
    record = trial()
    assert (created, name, digest) == (record.created, record.model.name, record.model.sha256)
    assert (engine, precision, status) == ("torch", "int8", "invalid")
    assert math.isclose(p50, record.latency.p50_ms)


def test_the_record_on_disk_is_json_that_anybody_can_read(store, place):
    store.add(trial(), None)
    with sqlite3.connect(place) as connection:
        (record,) = connection.execute("select record from trials").fetchone()
    assert msgspec.json.decode(record)["id"] == 1
    assert msgspec.json.decode(record, type=Trial).status == "invalid"


def test_a_number_that_is_not_there_names_those_that_are(store):
    store.add(trial(), None)
    store.add(trial(), None)
    error = refused(store.trial, 7)
    assert "no trial 7" in error.what
    assert "1, 2" in error.why
    assert store.samples(7) is None


def test_an_empty_study_has_no_trials(store):
    assert store.trials() == []
    assert "none yet" in refused(store.trial, 1).why


# -- series -----------------------------------------------------------------------------------------


def test_series_come_back_by_their_kind_and_can_grow(store, place):
    assert store.series("ladder") == []
    first = store.put_series("ladder", {"steps": [1]})
    store.put_series("comparison", {"A": [1], "B": []})
    second = store.put_series("ladder", {"steps": []})
    assert store.put_series("ladder", {"steps": [1, 2]}, first) == first != second
    again = Store(str(place), create=False)
    assert again.series("ladder") == [{"steps": [1, 2]}, {"steps": []}]
    assert again.series("comparison") == [{"A": [1], "B": []}]
    again.close()


def test_an_older_study_that_cannot_be_written_has_no_series(store):
    store.add(trial(), None)
    store.close()
    with sqlite3.connect(store.place) as connection:
        connection.execute("DROP TABLE series")
    connection.close()
    unwritable = Store(f"sqlite:///file:{store.place}?mode=ro&uri=true")
    assert unwritable.series("ladder") == [] and len(unwritable.trials()) == 1
    assert "cannot be used" in refused(unwritable.put_series, "ladder", {}).what
    unwritable.close()


def test_asking_whether_a_study_is_there_makes_none(store, place):
    assert not store.is_there() and not place.exists()
    store.add(trial(), None)
    assert store.is_there()


# -- durability -------------------------------------------------------------------------------------


def test_the_file_is_in_wal_mode_and_commits_are_synced(store, place):
    store.add(trial(), None)
    with sqlite3.connect(place) as connection:
        assert connection.execute("pragma journal_mode").fetchone() == ("wal",)
    with store._open().connect() as connection:
        assert connection.exec_driver_sql("pragma synchronous").scalar() == 2


def test_a_reader_sees_the_last_state_while_another_writes(store, place):
    store.add(trial(), None)
    with sqlite3.connect(place) as writer:
        writer.execute("begin immediate")
        writer.execute("update trials set status = 'ok'")
        reader = Store(str(place), create=False)
        assert len(reader.trials()) == 1
        reader.close()
        writer.rollback()


WRITER = """
    import sys
    from fake_records import samples, trial
    from workbench.study.store import Store

    place, name = sys.argv[1:]
    print("ready", flush=True)
    sys.stdin.readline()
    store = Store(place)
    for number in range(10):
        store.add(trial(reason=f"{name} {number}"), samples())
"""


def test_two_processes_that_write_at_once_lose_nothing(tmp_path):
    script = tmp_path / "writer.py"
    script.write_text(textwrap.dedent(WRITER))
    place = tmp_path / "s.sqlite"
    writers = [
        subprocess.Popen(
            [sys.executable, str(script), str(place), name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for name in ("a", "b")
    ]
    for writer in writers:
        assert writer.stdout.readline() == "ready\n"
    for writer in writers:
        writer.stdin.write("go\n")
        writer.stdin.flush()
    for writer in writers:
        writer.communicate(timeout=60)
    assert [writer.returncode for writer in writers] == [0, 0]
    store = Store(str(place), create=False)
    reasons = [record.reason for record in store.trials()]
    assert sorted(reasons) == sorted(f"{name} {number}" for name in "ab" for number in range(10))
    assert [reason for reason in reasons if reason[0] == "a"] == [f"a {number}" for number in range(10)]
    assert all(store.samples(record.id) == samples() for record in store.trials())
    store.close()


def test_many_first_writers_make_the_tables_once(tmp_path):
    failures: list[BaseException] = []
    for attempt in range(5):
        barrier = threading.Barrier(4)

        def write(place: str, barrier: threading.Barrier) -> None:
            store = Store(place)
            barrier.wait()
            try:
                store.add(trial(), None)
            except UserError as error:
                failures.append(error)
            store.close()

        threads = [
            threading.Thread(target=write, args=(str(tmp_path / f"{attempt}.sqlite"), barrier)) for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not failures


# -- places and failures ----------------------------------------------------------------------------


def test_opening_leaves_no_file_before_the_first_trial(store, place):
    assert not place.parent.exists()
    store.add(trial(), None)
    assert place.is_file()


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").write_text("in the way")
    error = refused(Store(str(tmp_path / "file" / "s.sqlite")).add, trial(), None)
    assert "cannot be written" in error.what
    assert "--study" in error.next_step


def test_a_place_that_is_a_folder_is_refused(tmp_path):
    error = refused(Store(str(tmp_path)).add, trial(), None)
    assert str(tmp_path) in error.what
    assert "unable to open" in error.why


def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path):
    file = tmp_path / "notes.txt"
    file.write_text("not a database, but notes of somebody " * 20)
    before = file.read_bytes()
    error = refused(Store, str(file), create=False)
    assert "not a database" in error.why
    assert file.read_bytes() == before


def test_a_study_that_will_take_a_trial_is_found_so_and_left_as_it_is(store, place):
    store.check_writable()
    assert not place.parent.exists()
    store.add(trial(), None)
    store.check_writable()
    assert [record.id for record in store.trials()] == [1]
    store.add(trial(), None)


def test_a_study_that_cannot_be_written_is_found_out_beforehand(tmp_path, place, store):
    (tmp_path / "file").write_text("in the way, and no database " * 20)
    store.add(trial(), None)
    for where, reason in (
        (tmp_path / "file" / "deeper" / "s.sqlite", "irectory"),
        (tmp_path / ("x" * 300) / "s.sqlite", ""),
        (tmp_path, "unable to open"),
        (tmp_path / "file", "not a database"),
        (f"sqlite:///file:{place}?mode=ro&uri=true", "readonly"),
        ("postgresql+nodriver://host/db", "nodriver"),
    ):
        error = refused(Store(str(where)).check_writable)
        assert str(where) in error.what
        assert reason in error.why
        assert error.next_step
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "some where"]


def test_a_full_disk_is_told_and_earlier_trials_stay(store, place):
    store.add(trial(), samples())
    engine = store._open()
    engine.dispose()
    pages = place.stat().st_size // 4096 + 2
    event.listen(engine, "connect", lambda connection, _: connection.execute(f"pragma max_page_count={pages}"))
    big = msgspec.structs.replace(samples(), bursts=[bytes(10_000_000)])
    error = refused(store.add, trial(), big)
    assert "full" in error.why
    assert "free space" in error.next_step
    assert [record.id for record in store.trials()] == [1]
    assert store.samples(1) == samples()


def test_a_study_that_is_not_there_is_not_made_by_reading(tmp_path):
    error = refused(Store, str(tmp_path / "none.sqlite"), create=False)
    assert "no study" in error.what
    assert not (tmp_path / "none.sqlite").exists()


def test_a_url_without_its_driver_is_a_message():
    error = refused(Store("postgresql+nodriver://host/db").add, trial(), None)
    assert "postgresql+nodriver" in str(error)
    assert error.next_step


def test_a_sqlite_url_is_a_place_too(tmp_path):
    store = Store(f"sqlite:///{tmp_path / 'by url.sqlite'}")
    store.add(trial(), samples())
    assert (tmp_path / "by url.sqlite").is_file()
    assert store.samples(1) == samples()
    store.close()


def test_the_default_place_is_named_after_the_model(data_dir):
    sample = msgspec.structs.replace(model(), name="sample:digits-cnn")
    assert default_place(sample) == str(data_dir / "studies" / "digits-cnn.sqlite")
    callable_ = msgspec.structs.replace(model(), name="x/net.py:build", path="/x/net.py", attribute="build")
    assert default_place(callable_) == str(data_dir / "studies" / "net-build.sqlite")


def test_a_study_is_found_by_file_by_url_and_by_its_model(data_dir, tmp_path):
    folder = data_dir / "studies"
    folder.mkdir(parents=True)
    for name in ("digits-cnn", "net-build", "model"):
        (folder / f"{name}.sqlite").touch()
    assert find_place("sample:digits-cnn") == str(folder / "digits-cnn.sqlite")
    assert find_place("gone/net.py:build") == str(folder / "net-build.sqlite")
    assert find_place("/gone/model.pt") == str(folder / "model.sqlite")
    assert find_place(str(folder / "model.sqlite")) == str(folder / "model.sqlite")
    assert find_place("postgresql://host/db") == "postgresql://host/db"
    error = refused(find_place, "sample:digit-cnn")
    assert "'digits-cnn'" in error.next_step
