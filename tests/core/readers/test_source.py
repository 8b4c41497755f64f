"""Text is cut into lines at line feeds, whatever the chunks, and no line is without bound."""

from collections.abc import Iterator
from itertools import pairwise

import pytest

from bucketplan.errors import InputError
from bucketplan.readers import source as source_module
from bucketplan.readers.formats import PLAIN
from bucketplan.readers.source import Line, Source, lines


def cut(text: bytes, *places: int) -> Source:
    edges = [0, *places, len(text)]
    return Source("cache.jsonl", PLAIN, iter([text[start:end] for start, end in pairwise(edges)]))


WANTED = [Line(1, b"one", True), Line(2, b"", True), Line(3, b"three\r", True), Line(4, b"four", False)]
TEXT = b"one\n\nthree\r\nfour"


@pytest.mark.parametrize("first", range(len(TEXT) + 1))
@pytest.mark.parametrize("distance", [0, 1, 4])
def test_chunks_may_end_anywhere(first: int, distance: int) -> None:
    assert list(lines(cut(TEXT, first, min(first + distance, len(TEXT))))) == WANTED


def test_a_final_line_feed_starts_no_line() -> None:
    assert list(lines(cut(TEXT + b"\n", 3)))[-1] == Line(4, b"four", True)


def test_nothing_has_no_lines() -> None:
    assert list(lines(cut(b""))) == []


def test_other_separators_are_no_line_ends() -> None:
    text = "a\u2028b\u2029c\u0085d\x0be\x0cf\x1cg\rh".encode()
    assert list(lines(cut(text))) == [Line(1, text, False)]


def test_a_line_above_the_limit_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_module, "LINE_LIMIT", 100)

    def endless() -> Iterator[bytes]:
        yield b"short\n"
        while True:
            yield bytes(30)

    with pytest.raises(InputError, match=r"cache\.jsonl:2: a line longer than"):
        list(lines(Source("cache.jsonl", PLAIN, endless())))
