"""A trace is read in chunks of any size as if it were read whole, and is refused where it breaks."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from bucketplan.errors import InputError
from bucketplan.kernels.event_chunks import fast, tolerant
from bucketplan.kernels.events import Trace

EVENTS = [
    {
        "ph": "X",
        "cat": "kernel",
        "name": 'a "{[,]}" b\\',
        "ts": n,
        "dur": 1,
        "args": {"list": [{"ph": 1}, {}], "e": "é"},
    }
    for n in range(50)
]
HEADER = {"schemaVersion": 1, "note": '"traceEvents": [', "deviceProperties": [{"id": 0, "traceEvents": [1]}]}
WHOLE = json.dumps(HEADER | {"traceEvents": EVENTS, "traceName": "x"}).encode()


def chunked(text: bytes, size: int) -> Iterator[bytes]:
    return (text[at : at + size] for at in range(0, len(text), size))


def read(text: bytes, size: int = 1 << 20, *, partial: bool = False) -> tuple[list[Any], Trace]:
    trace = Trace("trace.json", partial=partial)
    return [event for piece in trace.events(chunked(text, size)) for event in piece], trace


def refusal(text: bytes, size: int = 1 << 20) -> str:
    with pytest.raises(InputError) as caught:
        read(text, size)
    return str(caught.value)


WRITINGS = {
    "one line": WHOLE,
    "indented": json.dumps(HEADER | {"traceEvents": EVENTS, "traceName": "x"}, indent=2).encode(),
    "a list alone": json.dumps(EVENTS, indent=1).encode(),
    "an event a line": b'{"traceEvents": [\n' + b",\n".join(json.dumps(each).encode() for each in EVENTS) + b"\n]}",
    "escaped": json.dumps({"traceEvents": EVENTS}, ensure_ascii=True).encode(),
}


@pytest.mark.parametrize("size", [1, 7, 100, 1000, 5000, 1 << 20])
@pytest.mark.parametrize("writing", WRITINGS)
def test_chunks_of_any_size_give_every_event_once(writing: str, size: int) -> None:
    assert read(WRITINGS[writing], size)[0] == EVENTS


@pytest.mark.parametrize("size", [7, 1000, 1 << 20])
def test_what_stands_around_the_events_is_the_header(size: int) -> None:
    header = read(WHOLE, size)[1].header
    assert header["deviceProperties"] == [{"id": 0, "traceEvents": [1]}]
    assert header["traceName"] == "x"


def test_the_fast_parser_takes_all_but_the_last_events() -> None:
    text = ",".join(json.dumps(each) for each in EVENTS).encode()
    piece = fast(text)
    assert piece is not None
    assert piece.events == EVENTS[:-1]
    assert text[piece.size :] == json.dumps(EVENTS[-1]).encode()


def test_a_place_inside_an_event_is_not_taken_for_one_between_two() -> None:
    text = b'{"ph": 1, "args": [{"ph": 2}, {"ph": 3'
    assert fast(text) is None
    assert tolerant(text).events == []


@pytest.mark.parametrize("size", [100, 1 << 20])
@pytest.mark.parametrize(
    "odd",
    [
        b'{"ph": "X", "dur": NaN, "n": -Infinity}',
        b'{"ph": "X", "name": "\x1b[2J\x00"}',
        b'{"ph": "X", "name": "\xff\xfe"}',
        b"7",
        b'{"ph": "X", "id": 123456789012345678901234567890}',
    ],
    ids=["not a number", "control characters", "not UTF-8", "no object", "a long number"],
)
def test_what_strict_parsers_refuse_does_not_stop_the_reading(odd: bytes, size: int) -> None:
    text = b'{"traceEvents": [' + b", ".join([*[json.dumps(each).encode() for each in EVENTS], odd] * 2) + b",]}"
    assert len(read(text, size)[0]) == 102


@pytest.mark.parametrize("size", [50, 1 << 20])
def test_a_cut_is_an_error_and_a_part_is_read_on_request(size: int) -> None:
    ends = [at + 1 for at in range(len(WHOLE)) if WHOLE.startswith(b'}, {"ph": "X"', at)]
    cut = ends[20] + 30
    assert "truncated: the file ends amid its events" in refusal(WHOLE[:cut], size)
    events, trace = read(WHOLE[:cut], size, partial=True)
    assert events == EVENTS[:21]
    assert trace.warnings == ["truncated: the file ends amid its events; sums are of what stands before"]


def test_a_cut_anywhere_is_never_taken_for_a_whole_trace() -> None:
    short = json.dumps({"a": 1, "traceEvents": EVENTS[:2], "b": {"c": 2}}).encode()
    for end in range(len(short)):
        assert any(word in refusal(short[:end]) for word in ("truncated", "empty")), end


@pytest.mark.parametrize("size", [200, 1 << 20])
def test_broken_json_is_refused_at_its_line(size: int) -> None:
    lines = WRITINGS["an event a line"].split(b"\n")
    lines[17] = lines[17].replace(b'"cat"', b'"c"at"')
    assert refusal(b"\n".join(lines), size).startswith("trace.json:18: broken JSON")


def test_a_missing_comma_is_refused() -> None:
    assert "a comma is missing between two events" in refusal(b'[{"a": 1}\n{"b": 2}]')


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (b"", "empty"),
        (b" \n", "empty"),
        (b"width,seconds\n", "not a trace"),
        (b'{"results": [1, 2]}', "not a trace: no list of traceEvents among its keys: results"),
        (b'{"traceEvents": null}', "not a trace"),
        (b'{"nested": {"traceEvents": []}}', "not a trace"),
        (b'{"traceEvents": [], oops}', "broken JSON"),
        (b'{"traceEvents": []} more', "broken JSON"),
        (b"[{}] more", "text behind its end"),
        (b'{"traceEvents": [{"a": ' + b"[" * 200_000, "nested too deep"),
        (b'{"a": ' * 100_000, "nested too deep"),
    ],
    ids=lambda value: None if isinstance(value, bytes) else value.replace(" ", "-"),
)
def test_what_is_no_trace_is_refused(text: bytes, told: str) -> None:
    assert told in refusal(text)


def test_an_empty_list_is_a_trace_without_events() -> None:
    assert read(b'{"traceEvents": []}')[0] == []
