"""Text comes in whole lines, wherever its chunks and ranges end, and no line is without bound."""

import io
from itertools import pairwise

import pytest

from bucketplan.readers.jsonl import blocks
from bucketplan.readers.jsonl.blocks import Block, LineTooLong, from_chunks, whole_lines

TEXT = b"one\n\nthree\r\n" + b"x" * 150 + b"\nfive \xe2\x80\xa8 \x0b\x85\nsix\n\n"


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "BLOCK", 64)


def lines_of(text: bytes, *cuts: int, inside: bool = False, stop: int | None = None) -> list[bytes]:
    chunks = (text[start:end] for start, end in pairwise([0, *cuts, len(text)]))
    given = [block.text[: block.size].tobytes() for block in whole_lines(from_chunks(chunks), inside=inside, stop=stop)]
    assert all(piece.endswith(b"\n") for piece in given[:-1])
    return split(b"".join(given))


def split(text: bytes) -> list[bytes]:
    return io.BytesIO(text).readlines()


@pytest.mark.parametrize("text", [TEXT, TEXT + b"last", b"", b"\n", b"x", b"x" * 64 + b"\n", b"x" * 63 + b"\n"])
def test_chunks_may_end_anywhere(text: bytes) -> None:
    for cut in range(len(text) + 1):
        assert lines_of(text, cut, min(cut + 5, len(text))) == split(text)


def test_the_end_of_a_block_says_whether_its_line_is_whole() -> None:
    for text, ended in ((TEXT, True), (TEXT + b"last", False)):
        *_, last = (block.ended for block in whole_lines(from_chunks(iter([text]))))
        assert last is ended


@pytest.mark.parametrize("text", [TEXT, TEXT + b"last", b"a\n" * 64, b"x" * 63 + b"\n" + b"y" * 64 + b"\nz"])
def test_ranges_share_the_lines_without_gap_or_overlap(text: bytes) -> None:
    for cut in range(1, len(text)):
        before = lines_of(text, stop=cut)
        after = lines_of(text[cut - 1 :], inside=True)
        assert before + after == split(text)


def test_a_line_above_the_limit_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "LINE_LIMIT", 128)
    given = whole_lines(from_chunks(iter([b"short\n", *[b"x" * 30] * 1000])))
    assert next(given).size == 6
    with pytest.raises(LineTooLong):
        next(given)


def test_a_block_splits_between_two_lines() -> None:
    (block,) = whole_lines(from_chunks(iter([b"one\ntwo\nthree"])))
    before, after = block.split(4)
    assert [half.text[: half.size].tobytes() for half in (before, after)] == [b"one\n", b"two\nthree"]
    assert isinstance(after, Block)
    assert len(after.text) % 64 == 0
