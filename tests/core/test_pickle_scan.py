"""What a pickle would import is found without running any of it."""

from __future__ import annotations

import collections
import io
import pickle

import pytest

from workbench.core.pickle_scan import BrokenPickleError, globals_wanted, unsafe_globals


def walk(data: bytes) -> tuple[str, ...]:
    return globals_wanted(io.BytesIO(data))


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_globals_are_named_in_every_protocol(protocol: int) -> None:
    value = {"a": [collections.OrderedDict(x=1), {1, 2}, b"bytes", 3.5, (None, True)], "f": io.BytesIO}
    names = walk(pickle.dumps(value, protocol))
    assert "collections.OrderedDict" in names
    assert unsafe_globals(names) == ("_io.BytesIO",) or protocol < 2


def test_plain_values_want_nothing() -> None:
    assert walk(pickle.dumps({"a": [1, "b", (2.0, None)], "c": b"x" * 300})) == ()


class Repeated:
    """Pickled twice: the second time its name comes out of the memo."""


def test_a_name_from_the_memo_is_resolved() -> None:
    data = pickle.dumps([Repeated, "Repeated", Repeated.__module__, Repeated], 4)
    assert walk(data) == (f"{Repeated.__module__}.Repeated",)


def test_a_name_is_taken_from_the_stack_and_not_from_the_strings_seen_last() -> None:
    # os and system are pushed, then two harmless strings that are popped again.
    data = b"\x80\x04\x8c\x02os\x8c\x06system\x8c\x0bcollections0\x8c\x0bOrderedDict0\x93."
    assert pickle.loads(data).__name__ == "system"
    assert walk(data) == ("os.system",)
    assert unsafe_globals(walk(data)) == ("os.system",)


def test_a_name_by_way_of_the_memo_is_followed() -> None:
    # memo 5 = "os"; what looks like the module just before is thrown away
    data = b"\x80\x04\x8c\x02osq\x050\x8c\x0bcollections0h\x05\x8c\x06system\x93."
    assert pickle.loads(data).__name__ == "system"
    assert walk(data) == ("os.system",)


def test_a_computed_name_counts_as_unsafe() -> None:
    # The module's name is the result of a call, so that no string on the stack tells it.
    data = b"\x80\x04cbuiltins\nstr\n\x8c\x02os\x85R\x8c\x06system\x93."
    assert pickle.loads(data).__name__ == "system"
    names = walk(data)
    assert any("computed" in name for name in unsafe_globals(names))


def test_inst_and_extensions_are_seen() -> None:
    assert walk(b"(S'echo no'\nios\nsystem\n.") == ("os.system",)
    assert unsafe_globals(walk(b"\x80\x02\x82\x07.")) == ("copyreg extension 7",)


@pytest.mark.parametrize(
    "name", ["torch.FloatStorage", "torch._utils._rebuild_tensor_v2", "builtins.set", "torch.bfloat16"]
)
def test_tensors_and_containers_are_safe(name: str) -> None:
    assert unsafe_globals((name,)) == ()


@pytest.mark.parametrize(
    "name",
    [
        "torch.os.system",
        "torch.FloatStorage.evil",
        "builtins.eval",
        "torch.load",
        "xtorch.FloatStorage",
        "a.set",
    ],
)
def test_lookalikes_are_not_safe(name: str) -> None:
    assert unsafe_globals((name,)) == (name,)


@pytest.mark.parametrize(
    "data", [b"", b"\x80\x02", b"\x80\x02}q\x00(X\x05\x00\x00\x00ab", b"\xff\xfe\x00", b"\x93.", b"h\x07."]
)
def test_broken_pickles_are_refused(data: bytes) -> None:
    with pytest.raises(BrokenPickleError):
        walk(data)


def test_the_stream_stops_behind_each_pickle() -> None:
    stream = io.BytesIO(pickle.dumps(1) + pickle.dumps(collections.Counter) + b"rest")
    assert globals_wanted(stream) == ()
    assert globals_wanted(stream) == ("collections.Counter",)
    assert stream.read() == b"rest"


def test_a_pickle_inside_a_string_is_not_mistaken_for_one() -> None:
    assert walk(pickle.dumps(pickle.dumps(io.BytesIO))) == ()
