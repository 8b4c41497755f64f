"""One line becomes a record, or a fault that names the key, the problem and the remedy."""

import json

import pytest

from bucketplan.readers.jsonl.fault import Fault
from bucketplan.readers.jsonl.record import Record, read_record
from bucketplan.readers.keys import Names


def line(**values: object) -> bytes:
    return json.dumps({"input_ids": [1, 2, 3], **values}).encode()


def fault(content: bytes) -> Fault:
    with pytest.raises(Fault) as caught:
        read_record(content, Names())
    assert caught.value.remedy, "every fault says what to do"
    return caught.value


FULL = Record(length=3, width=3, supervised=2, root="a", kind="full")
LINES_THAT_LOAD: dict[bytes, Record] = {
    line(labels=[-100, 2, 3], dataset_id="a", sample_kind="full"): FULL,
    line(labels=[-100, 2, 3], dataset_id="a", sample_kind="full") + b" \t\r": FULL,
    line(): Record(3, 3, None, None, None),
    line(labels=None, dataset_id=None, sample_kind=None, attention_mask=None): Record(3, 3, None, None, None),
    line(labels=[-100, -100, -100]): Record(3, 3, 0, None, None),
    line(labels=[-1, -200, 2**63 - 1]): Record(3, 3, 3, None, None),
    line(dataset_id=""): Record(3, 3, None, "", None),
    line(dataset_id="well-known - a"): Record(3, 3, None, "well-known - a", None),
    line(dataset_id="café "): Record(3, 3, None, "café ", None),
    line(dataset_id=7): Record(3, 3, None, "7", None, integer_root=True),
    line(dataset_id=-7): Record(3, 3, None, "-7", None, integer_root=True),
    line(dataset_id=2**64 - 1): Record(3, 3, None, str(2**64 - 1), None, integer_root=True),
    line(dataset_id=10**40): Record(3, 3, None, str(10**40), None, integer_root=True),
    line(sample_kind=3): Record(3, 3, None, None, "3"),
    line(sample_kind=10**30): Record(3, 3, None, None, str(10**30)),
    line(sample_kind=True): Record(3, 3, None, None, None, odd_kind=True),
    line(sample_kind=3.0): Record(3, 3, None, None, None, odd_kind=True),
    line(sample_kind=["a"]): Record(3, 3, None, None, None, odd_kind=True),
    line(attention_mask=[1, 1, 0]): Record(2, 3, None, None, None),
    line(attention_mask=[0, 1, 2]): Record(2, 3, None, None, None),
    line(attention_mask=[True, False, True]): Record(2, 3, None, None, None),
    line(input_ids=[5, -200, -1]): Record(3, 3, None, None, None, negatives=2),
    line(input_ids=[2**63 - 1, -(2**63), 0]): Record(3, 3, None, None, None, negatives=1),
    line(loss=float("nan")): Record(3, 3, None, None, None, nan=True),
    line(meta={"loss": [float("-inf")]}): Record(3, 3, None, None, None, nan=True),
    line(text="NaN"): Record(3, 3, None, None, None),
    line(text="x[1,2]", flag=True, other=1.5, none=None): Record(3, 3, None, None, None),
    line(meta={"input_ids": [[1]], "labels": "x"}): Record(3, 3, None, None, None),
    line(text='"input_ids":[]'): Record(3, 3, None, None, None),
    line(text="input_ids"): Record(3, 3, None, None, None),
    b'{"unused":' + b"9" * 5000 + b',"input_ids":[1]}': Record(1, 1, None, None, None),
    b'{"unused":1e400,"input_ids":[1]}': Record(1, 1, None, None, None),
    b'{"input_ids":[-0,1]}': Record(2, 2, None, None, None),
    b'{"input_ids":[\t1 ,\t2]}': Record(2, 2, None, None, None),
    b'{"input\\u005fids":[1,2],"l\\u0061bels":[-100,1]}': Record(2, 2, 1, None, None),
    b'{"input_ids":[1],"dataset_id":"\\ud800"}': Record(1, 1, None, "\ud800", None),
    b'{"meta":{"a":1,"a":2},"x":1,"x":2,"input_ids":[1]}': Record(1, 1, None, None, None),
    '{"input_ids":[1],"dataset_id":"a\u2028b\u2029c\u0085d"}'.encode(): Record(
        1, 1, None, "a\u2028b\u2029c\u0085d", None
    ),
}


@pytest.mark.parametrize("content", LINES_THAT_LOAD, ids=lambda content: repr(content[:60]))
def test_a_valid_line_is_this_record(content: bytes) -> None:
    assert read_record(content, Names()) == LINES_THAT_LOAD[content]


BAD_LISTS = [
    (None, "null"),
    ("1 2 3", "string"),
    (7, "7, not a list"),
    (True, "true, not a list"),
    ({"a": 1}, "object"),
    ([[1, 2]], "nested"),
    ([1, 2.0, 3], "entry 2 is 2.0, a float"),
    ([1, True, 3], "entry 2 is true"),
    ([1, "2", 3], 'entry 2 is the string "2"'),
    ([1, None, 3], "entry 2 is null"),
    ([1, {}, 3], "entry 2 is an object"),
    ([1, float("nan"), 3], "NaN"),
    ([1, 2**63, 3], "out of range"),
    ([1, 2**64, 3], "out of range"),
    ([1, 2**64 - 1, -(2**63)], "out of range"),
    ([1, -(2**63) - 1, 3], "64 bits"),
    ([1, 10**40, 3], "out of range"),
]


BOTH = [(key, *bad) for key in ("input_ids", "labels") for bad in BAD_LISTS if (key, bad[0]) != ("labels", None)]


@pytest.mark.parametrize(("key", "value", "problem"), BOTH)
def test_a_list_holds_64_bit_integers_alone(key: str, value: object, problem: str) -> None:
    found = fault(line(**{key: value}))
    assert found.key == key
    assert problem in found.problem


@pytest.mark.parametrize("value", ["101", [1, 1.0, 1], [[1], [1], [1]], [1, None, 1], [1, 2**63, 1]])
def test_a_mask_holds_integers_or_booleans_alone(value: object) -> None:
    assert fault(line(attention_mask=value)).key == "attention_mask"


def test_an_integer_of_thousands_of_digits_is_out_of_range() -> None:
    found = fault(b'{"input_ids":[1,' + b"9" * 5000 + b"]}")
    assert (found.key, "out of range" in found.problem, len(found.problem) < 200) == ("input_ids", True, True)
    assert fault(b'{"input_ids":[1],"dataset_id":' + b"9" * 5000 + b"}").key == "dataset_id"


def test_a_float_beyond_all_floats_is_no_token_id() -> None:
    assert "input_ids: entry 2 is inf, a float" in fault(b'{"input_ids":[1,1e400]}').reason


def test_a_record_of_length_zero_is_a_fault() -> None:
    assert "empty" in fault(line(input_ids=[])).problem
    assert "zero length" in fault(line(attention_mask=[0, 0, 0])).problem


def test_lists_of_different_lengths_are_named_with_both() -> None:
    assert fault(line(labels=[1, 2])).reason == "labels: 2 entries, but input_ids has 3"
    assert fault(line(attention_mask=[1] * 4)).reason == "attention_mask: 4 entries, but input_ids has 3"


def test_missing_token_ids_show_the_keys_that_are_there() -> None:
    found = fault(json.dumps({"tokens": [1], "\x1b[2J": 1}).encode())
    assert found.reason == "input_ids: missing; keys present: tokens, \\x1b[2J"
    many = fault(json.dumps({"k" * 99 + str(n): 1 for n in range(20)}).encode())
    assert many.problem.endswith("and 14 more")
    assert len(many.problem) < 300
    assert "none" in fault(b"{}").problem


@pytest.mark.parametrize("value", [7.0, True, ["a"], {"a": 1}, float("nan")])
def test_a_root_is_text_or_an_integer(value: object) -> None:
    assert fault(line(dataset_id=value)).key == "dataset_id"


@pytest.mark.parametrize("key", ["input_ids", "labels", "attention_mask", "dataset_id", "sample_kind"])
@pytest.mark.parametrize("escaped", [False, True])
def test_a_known_key_stands_once(key: str, escaped: bool) -> None:
    again = key.replace("a", "\\u0061").replace("_", "\\u005F") if escaped else key
    found = fault(f'{{"input_ids":[1],"{key}":[1],"{again}":[1]}}'.encode())
    assert found.key in (key, "input_ids")
    assert "duplicate" in found.problem


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b'[{"input_ids":[1]}]', "an array"),
        (b'[{"input_ids":[1]},', "an array"),
        (b"[", "an array"),
        (b"{", "incomplete"),
        (b'{"input_ids": [1,', "incomplete"),
        (b'{"input_ids": [1], "dataset_id": "a', "incomplete"),
        (b"5", "5, not an object"),
        (b'"text"', 'the string "text", not an object'),
        (b"null", "null, not an object"),
        (b"# cache v2\x1b[2J", 'not a JSON object: "# cache v2\\x1b[2J"'),
        (b'{"input_ids":[1]}{"input_ids":[2]}', "extra data after the object, at column 18"),
        (b'{"input_ids":[1]},', "extra data"),
        (b'{"input_ids":[1,]}', "not JSON at column 17"),
        (b'{"input_ids":[01]}', "not JSON at column"),
        (b"{'input_ids':[1]}", "not JSON at column 2"),
        (b'{"input_ids":[1],"a":"\x01"}', "not JSON at column"),
        (b'{"input_ids":[1],"a":\x00}', "not JSON at column"),
        (b'\xef\xbb\xbf{"input_ids":[1]}', "byte order mark"),
        (b'{"dataset_id":"caf\xe9"}', "not UTF-8: byte 19 of the line is 0xe9"),
        (b'{"dataset_id":"\xed\xa0\x80"}', "not UTF-8"),
        (b'{"a":' + b"[" * 100_000 + b"]" * 100_000 + b"}", "nested too deeply"),
        (b'{"a":' + b'{"a":' * 100_000, "nested too deeply"),
    ],
)
def test_what_is_no_json_object_is_said(content: bytes, problem: str) -> None:
    found = fault(content)
    assert found.key is None
    assert problem in found.problem
    assert len(found.problem) < 200


def test_quoted_values_are_printable_and_short() -> None:
    found = fault(line(input_ids="\x1b]52;c;aGVsbG8=\x07" + "x" * 500))
    assert found.problem.isprintable()
    assert len(found.problem) < 120
