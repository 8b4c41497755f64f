"""A reordered copy holds the lines of the cache as they stand, in plan order, whatever the file's quirks."""

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from bucketplan.errors import Cancelled, InputError, UserError
from bucketplan.exploring.explorer import Explorer
from bucketplan.order import rewrite as rewriting
from bucketplan.order.making import manifest_of
from bucketplan.order.manifest import Manifest
from bucketplan.order.rewrite import rewrite
from bucketplan.planning.knobs import Knobs
from bucketplan.readers import load
from bucketplan.readers.index.index_file import write_index
from bucketplan.readers.jsonl import line_starts as line_finding
from bucketplan.readers.jsonl.line_starts import find_lines

KNOBS = Knobs(micro_batch=2, accumulation=2, epochs=2)


def line(number: int) -> bytes:
    return json.dumps({"input_ids": [number] * (number % 7 + 1), "note": "é" * number}).encode()


def made(cache: Path) -> Manifest:
    return manifest_of(Explorer(load(cache)), KNOBS, whole_windows=True)


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    path = tmp_path / "cache.jsonl"
    path.write_bytes(b"".join(line(number) + b"\n" for number in range(30)))
    return path


def test_lines_come_in_plan_order(cache: Path, tmp_path: Path) -> None:
    manifest, target = made(cache), tmp_path / "out.jsonl"
    written = rewrite(manifest, str(cache), target)
    assert target.read_bytes() == b"".join(line(number) + b"\n" for number in manifest.order.tolist())
    assert written == target.stat().st_size
    assert sorted(tmp_path.iterdir()) == [cache, target]


@pytest.mark.parametrize(("chunk", "block"), [(1, 1), (7, 100), (64, 1 << 20)])
def test_neither_the_size_of_reads_nor_that_of_blocks_shows(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chunk: int, block: int
) -> None:
    monkeypatch.setattr(line_finding, "_CHUNK", chunk)
    monkeypatch.setattr(rewriting, "_BLOCK", block)
    test_lines_come_in_plan_order(cache, tmp_path)


@pytest.mark.parametrize("chunk", [1, 3, 1 << 20])
def test_blank_lines_marks_and_a_missing_line_feed_are_no_records(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chunk: int
) -> None:
    monkeypatch.setattr(line_finding, "_CHUNK", max(chunk, 3))
    content = b"\xef\xbb\xbf{1}\r\n\n \t\r\n  {2}\n\n{3} \n   "
    path = tmp_path / "cache.jsonl"
    for tail, last in ((b"", []), (b"{4}", [b"   {4}"])):
        path.write_bytes(content + tail)
        with path.open("rb") as file:
            found = find_lines(file)
        texts = [(content + tail)[a:b] for a, b in zip(found.starts.tolist(), found.ends.tolist(), strict=True)]
        assert texts == [b"{1}\r", b"  {2}", b"{3} ", *last]


def test_a_compressed_cache_gives_the_same_copy_through_a_plain_one(cache: Path, tmp_path: Path) -> None:
    packed, told = tmp_path / "cache.jsonl.gz", list[str]()
    packed.write_bytes(gzip.compress(cache.read_bytes()))
    rewrite(made(cache), str(cache), tmp_path / "a.jsonl")
    rewrite(made(packed), str(packed), tmp_path / "b.jsonl", told=told.append)
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()
    assert told == ["the cache is gzip: it is read through a temporary plain copy beside the target"]
    assert len(list(tmp_path.iterdir())) == 4


def test_what_holds_no_lines_is_refused(cache: Path, tmp_path: Path) -> None:
    manifest, index = made(cache), tmp_path / "cache.npz"
    with index.open("wb") as file:
        write_index(load(cache), file)
    for source, says in ((index, "an index holds no token"), (tmp_path / "none", "only a file"), ("-", "only a file")):
        with pytest.raises(InputError, match=says):
            rewrite(manifest, str(source), tmp_path / "out.jsonl")
    with pytest.raises(UserError, match="the copy is plain text"):
        rewrite(manifest, str(cache), tmp_path / "out.jsonl.gz")
    assert not (tmp_path / "out.jsonl").exists()


def test_a_cache_that_has_changed_is_refused_and_leaves_nothing(cache: Path, tmp_path: Path) -> None:
    manifest = made(cache)
    cache.write_bytes(cache.read_bytes() + line(30))
    with pytest.raises(InputError, match="31 records, and the order is for 30"):
        rewrite(manifest, str(cache), tmp_path / "out.jsonl")
    assert list(tmp_path.iterdir()) == [cache]


def test_a_rewrite_can_be_cancelled_and_leaves_nothing(cache: Path, tmp_path: Path) -> None:
    with pytest.raises(Cancelled):
        rewrite(made(cache), str(cache), tmp_path / "out.jsonl", cancelled=lambda: True)
    assert list(tmp_path.iterdir()) == [cache]


def test_what_is_left_from_a_step_on_can_be_rewritten(cache: Path, tmp_path: Path) -> None:
    manifest = manifest_of(Explorer(load(cache)), KNOBS, whole_windows=True, from_step=3)
    rewrite(manifest, str(cache), tmp_path / "out.jsonl")
    assert (tmp_path / "out.jsonl").read_bytes() == b"".join(line(n) + b"\n" for n in manifest.order.tolist()[12:])


def test_any_order_of_any_sizes(tmp_path: Path) -> None:
    random = np.random.default_rng(1)
    texts = [b'{"input_ids": [%s]}' % b",".join([b"1"] * int(n)) for n in random.integers(1, 5000, 200)]
    path = tmp_path / "cache.jsonl"
    path.write_bytes(b"\n".join(texts))
    manifest = made(path)
    rewrite(manifest, str(path), tmp_path / "out.jsonl")
    assert (tmp_path / "out.jsonl").read_bytes() == b"".join(texts[n] + b"\n" for n in manifest.order)
