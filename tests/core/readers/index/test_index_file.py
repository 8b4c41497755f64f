"""An index holds a corpus exactly, and damage to one never becomes a corpus."""

import io
import json
import struct
import zipfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from bucketplan.corpus.corpus import Categories, Corpus, Skipped
from bucketplan.corpus.spans import Spans
from bucketplan.errors import InputError
from bucketplan.printable import printable
from bucketplan.readers import load
from bucketplan.readers.index.index_file import read_index, write_index

LARGEST = 2**31 - 1
NAMES = st.lists(st.text(st.characters(), max_size=8), min_size=1, max_size=4, unique=True)
RUNS = st.lists(st.tuples(st.integers(0, 1000), st.integers(1, 1000)), max_size=3)
LINES = st.text(st.characters(), max_size=20).map(printable)


@st.composite
def corpora(draw: st.DrawFn) -> Corpus:
    """Every shape a corpus can have, padded rows with more labels than tokens and hostile names among them."""
    lengths = draw(st.lists(st.integers(1, LARGEST), min_size=1, max_size=20))
    size = len(lengths)

    def integers(most: int) -> NDArray[np.int32]:
        return np.array(draw(st.lists(st.integers(0, most), min_size=size, max_size=size)), np.int32)

    def categories() -> Categories | None:
        names = draw(st.none() | NAMES)
        return None if names is None else Categories(integers(len(names) - 1), tuple(names))

    numbers = draw(st.none() | st.lists(st.integers(0, 2**63 - 1), min_size=size, max_size=size, unique=True))
    padded = draw(st.booleans())
    return Corpus(
        path=draw(st.text(st.characters())),
        lengths=np.array(lengths, np.int32),
        supervised=integers(LARGEST) if draw(st.booleans()) else None,
        roots=categories(),
        kinds=categories(),
        supervised_spans=draw(st.none() | st.lists(RUNS, min_size=size, max_size=size).map(spans)),
        numbers=None if numbers is None else np.array(numbers, np.int64),
        stored_width=draw(st.integers(1, 2**40)) if padded else None,
        stored_tokens=draw(st.integers(1, 2**70)) if padded else None,
        skipped=tuple(draw(st.lists(st.builds(Skipped, st.integers(1, 2**40), LINES), max_size=3))),
        warnings=tuple(draw(st.lists(LINES, max_size=3))),
    )


def spans(records: list[list[tuple[int, int]]]) -> Spans:
    offsets = np.cumsum([0, *map(len, records)])
    runs = np.array([run for record in records for run in record], np.int32).reshape(-1, 2)
    return Spans(offsets, runs[:, 0].copy(), runs[:, 0] + runs[:, 1])


def plain(value: Any) -> Any:
    """A field of a corpus as something that compares, types of arrays included."""
    if isinstance(value, Categories):
        return plain(value.codes), value.names
    if isinstance(value, Spans):
        return plain(value.offsets), plain(value.starts), plain(value.ends)
    return (value.dtype.str, value.tolist()) if isinstance(value, np.ndarray) else value


def content(corpus: Corpus) -> dict[str, Any]:
    return {each.name: plain(getattr(corpus, each.name)) for each in fields(corpus) if each.name != "path"}


def bytes_of(corpus: Corpus, *, compressed: bool = True) -> bytes:
    file = io.BytesIO()
    write_index(corpus, file, compressed=compressed)
    return file.getvalue()


def refusal(path: Path, data: bytes) -> str:
    path.write_bytes(data)
    with pytest.raises(InputError) as caught:
        read_index(str(path))
    message = str(caught.value)
    assert message.isprintable()
    return message


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("index") / "corpus.npz"


def test_every_field_of_a_corpus_is_tried_here() -> None:
    assert content(Corpus("", np.ones(1, np.int32))).keys() == {
        *("lengths", "supervised", "supervised_spans", "roots", "kinds", "numbers"),
        *("stored_width", "stored_tokens", "skipped", "warnings"),
    }


@settings(deadline=None)
@given(corpora(), st.booleans())
def test_a_corpus_comes_back_exactly(target: Path, corpus: Corpus, compressed: bool) -> None:
    target.write_bytes(bytes_of(corpus, compressed=compressed))
    opened = read_index(str(target))
    assert content(opened) == content(corpus)
    assert opened.path == str(target)


def test_an_index_opens_like_any_cache(target: Path, small: Corpus) -> None:
    target.write_bytes(bytes_of(small))
    assert content(load(target)) == content(small)


def test_a_corpus_without_arrays_shares_none_with_its_file(target: Path) -> None:
    target.write_bytes(bytes_of(Corpus("", np.array([3], np.int32))))
    lengths = read_index(str(target)).lengths
    lengths[0] = 4  # an array of its own, and not a view of bytes
    assert lengths.tolist() == [4]


@settings(deadline=None)
@given(st.data())
def test_a_changed_byte_is_refused_or_changes_nothing(target: Path, small: Corpus, data: st.DataObject) -> None:
    corpus = replace(small, lengths=small.lengths[:40], supervised=None, roots=None, kinds=None)
    damaged = bytearray(bytes_of(corpus, compressed=data.draw(st.booleans())))
    damaged[data.draw(st.integers(0, len(damaged) - 1))] ^= data.draw(st.integers(1, 255))
    target.write_bytes(damaged)
    with suppress(InputError):
        assert content(read_index(str(target))) == content(corpus)


@settings(deadline=None)
@given(st.data())
def test_a_cut_index_is_refused(target: Path, small: Corpus, data: st.DataObject) -> None:
    whole = bytes_of(small)
    assert "not a whole bucketplan index" in refusal(target, whole[: data.draw(st.integers(0, len(whole) - 1))])


def test_another_archive_is_no_index(target: Path) -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("cache.jsonl", "{}")
    assert "a zip archive, but not a bucketplan index" in refusal(target, file.getvalue())


# A whole index of three records, to be spoilt.
ABOUT = {
    "bucketplan_index": 1,
    "columns": ["lengths", "supervised", "root_codes", "numbers"],
    "roots": ["a", "b"],
    "kinds": None,
    "stored_width": 9,
    "stored_tokens": 27,
    "skipped": [[4, "no record"]],
    "warnings": [],
}
ARRAYS = {"lengths": [5, 6, 7], "supervised": [0, 9, 7], "root_codes": [0, 1, 0], "numbers": [0, 1, 2]}


def crafted(about: object = ABOUT, **arrays: Any) -> bytes:
    """The index, with other arrays, and without those that are None."""
    text = json.dumps(about).encode()
    columns = {name: np.asarray(values) for name, values in (ARRAYS | arrays).items() if values is not None}
    file = io.BytesIO()
    np.savez_compressed(file, about=np.frombuffer(text, np.uint8), **columns)  # type: ignore[arg-type]
    return file.getvalue()


def test_the_crafted_index_is_whole(target: Path) -> None:
    target.write_bytes(crafted())
    opened = read_index(str(target))
    assert opened.supervised is not None
    assert opened.supervised.tolist() == [0, 9, 7]
    assert opened.skipped == (Skipped(4, "no record"),)


@pytest.mark.parametrize(
    ("arrays", "words"),
    [
        ({"lengths": []}, "no plain array of integers"),
        ({"lengths": np.array([], np.uint8)}, "no records"),
        ({"lengths": [5, 0, 7]}, "lengths holds 0 .. 7"),
        ({"lengths": [5, 6, 2**31]}, "lengths holds"),
        ({"lengths": [5.0, 6.0, 7.0]}, "no plain array of integers"),
        ({"lengths": [[5], [6], [7]]}, "no plain array of integers"),
        ({"lengths": [True, True, True]}, "no plain array of integers"),
        ({"lengths": ["5", "6", "7"]}, "no plain array of integers"),
        ({"lengths": np.array([5, 6, {}], object)}, "not a whole bucketplan index"),
        ({"lengths": None}, "other arrays than it says"),
        ({"supervised": [0, 9]}, "supervised has 2 entries, lengths 3"),
        ({"supervised": [0, -9, 7]}, "supervised holds -9"),
        ({"supervised": None}, "other arrays than it says"),
        ({"kind_codes": [0, 0, 0]}, "other arrays than it says"),
        ({"root_codes": [0, 2, 0]}, "root_codes holds 0 .. 2, not 0 .. 1"),
        ({"root_codes": [0, -1, 0]}, "root_codes holds -1"),
        ({"numbers": [0, 1]}, "numbers has 2 entries"),
        ({"numbers": [0, -1, 2]}, "numbers holds -1"),
        ({"numbers": [0, 2, 0]}, "numbers holds one twice"),
        ({"numbers": np.array([0, 1, 2**63], np.uint64)}, "numbers holds"),
    ],
)
def test_arrays_that_no_corpus_has_are_refused(target: Path, arrays: dict[str, Any], words: str) -> None:
    assert words in refusal(target, crafted(**arrays))


@pytest.mark.parametrize(
    ("about", "words"),
    [
        ([], "about is no object"),
        ({}, "an index of version None, not 1"),
        (ABOUT | {"bucketplan_index": 2}, "an index of version 2, not 1"),
        (ABOUT | {"bucketplan_index": True}, "an index of version True"),
        (ABOUT | {"bucketplan_index": "1\x1b[31m"}, "an index of version"),
        (ABOUT | {"columns": 3}, "columns is no list of texts"),
        (ABOUT | {"columns": ["lengths", "lengths"]}, "columns holds one twice"),
        (ABOUT | {"roots": ["a", 2]}, "roots is no list of texts"),
        (ABOUT | {"roots": ["a", "a"]}, "roots holds one twice"),
        (ABOUT | {"roots": []}, "root_codes holds"),
        (ABOUT | {"roots": None}, "roots without root_codes, or root_codes without roots"),
        (ABOUT | {"kinds": ["x"]}, "kinds without kind_codes"),
        (ABOUT | {"stored_width": 1.5}, "stored_width is no count"),
        (ABOUT | {"stored_tokens": None}, "without the other"),
        (ABOUT | {"skipped": 1}, "skipped is no list"),
        (ABOUT | {"skipped": [["4", "x"]]}, "skipped holds what is no line"),
        (ABOUT | {"skipped": [[4]]}, "not a whole bucketplan index"),
        (ABOUT | {"skipped": [[4, 4]]}, "not a whole bucketplan index"),
        (ABOUT | {"warnings": "all"}, "warnings is no list of texts"),
    ],
)
def test_a_description_that_does_not_hold_is_refused(target: Path, about: object, words: str) -> None:
    assert words in refusal(target, crafted(about))


@pytest.mark.parametrize("text", [b"", b"{", b"\xff", b"[" * 100_000, b'{"bucketplan_index":' + b"9" * 9999 + b"}"])
def test_a_description_that_is_no_json_is_refused(target: Path, text: bytes) -> None:
    file = io.BytesIO()
    np.savez(file, about=np.frombuffer(text, np.uint8), lengths=np.array([1]))
    assert "not a whole bucketplan index" in refusal(target, file.getvalue())


def test_texts_of_a_foreign_index_are_safe_to_print(target: Path) -> None:
    target.write_bytes(crafted(ABOUT | {"warnings": ["\x1b[2J"], "skipped": [[1, "\u202e"]]}))
    opened = read_index(str(target))
    assert opened.warnings == ("\\x1b[2J",)
    assert opened.skipped == (Skipped(1, "\\u202e"),)


def repacked(method: int, change: Callable[[str, bytes], bytes] = lambda name, data: data) -> bytes:
    """The crafted index with each member changed."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(crafted())) as old, zipfile.ZipFile(file, "w", method) as new:
        for name in old.namelist():
            new.writestr(name, change(name, old.read(name)))
    return file.getvalue()


def test_a_bomb_is_refused_before_it_unpacks(target: Path) -> None:
    bomb = bytearray(crafted())
    struct.pack_into("<I", bomb, bomb.index(b"PK\x01\x02") + 24, 1 << 30)  # the size that its directory promises
    assert "bytes that unpack to" in refusal(target, bytes(bomb))


def test_other_ways_to_compress_are_refused(target: Path) -> None:
    assert "compressed in a way" in refusal(target, repacked(zipfile.ZIP_LZMA))


def test_an_array_that_goes_on_past_its_end_is_refused(target: Path) -> None:
    assert "lengths is no plain array" in refusal(
        target, repacked(zipfile.ZIP_STORED, lambda name, data: data + bytes(8) if "lengths" in name else data)
    )


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_an_array_given_twice_is_refused(target: Path) -> None:
    file = io.BytesIO(crafted())
    with zipfile.ZipFile(file, "a") as archive:
        archive.writestr("lengths.npy", archive.read("supervised.npy"))
    assert "other arrays than it says" in refusal(target, file.getvalue())


def test_the_demo_corpus_is_small(demo: Corpus) -> None:
    assert len(bytes_of(demo)) < 250_000
