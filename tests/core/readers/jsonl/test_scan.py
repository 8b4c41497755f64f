"""What once led a fast reader astray: each line is read as the strict reader reads it, alone and among usual ones."""

import pytest

from bucketplan.readers.jsonl import blocks
from bucketplan.readers.jsonl import scan as scan_module
from bucketplan.readers.jsonl.record import Record
from bucketplan.readers.keys import Names
from tests.core.readers.jsonl.strict import content, read_quickly, read_strictly

USUAL = b'{"input_ids":[1,2,3],"labels":[-100,2,3],"dataset_id":"a","sample_kind":"full"}'
TRAPS = {
    "a list inside a text": b'{"input_ids":[1,2],"text":"x[1,2]"}',
    "a list inside a name that is read": b'{"input_ids":[1,2],"dataset_id":"x[1,2]"}',
    "a list inside a key": b'{"input_ids":[1,2],"x[1,2]":3}',
    "an escape before a list": b'{"input_ids":[1,2],"text":"\\u00[12]"}',
    "a number behind a list": b'{"input_ids":[1]2}',
    "a number before a list": b'{"input_ids":1[2]}',
    "a minus before a list": b'{"input_ids":-[2]}',
    "a list as a key": b'{[1]:2,"input_ids":[1]}',
    "NUL where tokens were": USUAL.replace(b"1,2,3", b"\0"),
    "NUL in another place": USUAL.replace(b'"a"', b'"a\0"'),
    "no list where one was": b'{"input_ids":[1,2,3],"labels":[],"dataset_id":"a","sample_kind":"full"}',
    "NaN": b'{"input_ids":[1],"loss":NaN}',
    "a lone surrogate": b'{"input_ids":[1],"dataset_id":"\\ud800"}',
    "a name above 64 bits": b'{"input_ids":[1],"dataset_id":18446744073709551616}',
    "a length above 64 bits": b'{"input_ids":[1],"length":18446744073709551616}',
    "a token above 64 bits": b'{"input_ids":[9223372036854775808]}',
    "a repeated key": b'{"input_ids":[1],"input_ids":[1,2]}',
    "a repeated key spelled with an escape": b'{"input_ids":[1],"input\\u005fids":[1,2]}',
    "a repeated key with a blank behind it": b'{"input_ids":[1],"input_ids" :[1,2]}',
    "a repeated key that holds no list": b'{"input_ids":[1],"labels":null,"labels":[1]}',
    "negative token ids": b'{"input_ids":[1,-1,-100]}',
    "other negative labels": b'{"input_ids":[1,2],"labels":[-1,-100]}',
    "a minus at the end": b'{"input_ids":[1,-]}',
    "a minus cut short": b'{"input_ids":[1,2],"labels":[-10,-1]}',
    "a comma at the end": b'{"input_ids":[1,2,]}',
    "a leading zero": b'{"input_ids":[01,2]}',
    "what a placeholder looks like": b'{"input_ids":[1],"labels":[736190528340000000 ],"id":736190528340000000}',
    "a percent sign": b'{"input_ids":[1],"dataset_id":"100%d %s"}',
    "deep nesting": b'{"input_ids":[1],"x":' + b"[" * 300 + b"]" * 300 + b"}",
    "nested tokens": b'{"input_ids":[[1,2]]}',
    "known keys inside another": b'{"input_ids":[1],"meta":{"input_ids":[1,2],"labels":[1,2,3],"length":9}}',
    "an array for a line": b"[1,2]",
    "two objects": USUAL + USUAL,
}


@pytest.mark.parametrize("trap", TRAPS)
def test_a_trap_is_read_as_the_strict_reader_reads_it(trap: str) -> None:
    for lines in ([TRAPS[trap]], [USUAL, TRAPS[trap], USUAL, TRAPS[trap]], [TRAPS[trap]] * 3):
        text = b"\n".join(lines)
        assert content(read_quickly(text)[0]) == content(read_strictly(text)[0])


PLAIN = {
    "compact": USUAL,
    "spaced": USUAL.replace(b",", b", ").replace(b":", b": "),
    "carriage return": USUAL + b"\r",
    "other order": b'{"dataset_id":"a","labels":[1,-100],"id":7,"input_ids":[0,0],"text":"x"}',
    "a list in a text": b'{"text":"x \\"input_ids\\": [1]","input_ids":[0,0]}',
    "mask and length": b'{"length":3,"input_ids":[5,6,7],"attention_mask":[1,0,1]}',
    "nested": b'{"input_ids":[1],"meta":{"boxes":[[1,2],[3,4]],"input_ids":"x"},"none":[]}',
    "NaN": b'{"input_ids":[1],"loss":NaN}',
    "escapes": b'{"input_ids":[1],"dataset_id":"caf\\u00e9","text":"\\n"}',
}


@pytest.mark.parametrize("kind", PLAIN)
def test_the_tokens_of_a_plain_line_are_never_parsed(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = content(read_strictly(PLAIN[kind])[0])

    def parsed(line: bytes, names: Names) -> Record:
        raise AssertionError(f"{line!r} went to the strict reader")

    monkeypatch.setattr(scan_module, "read_record", parsed)
    assert content(read_quickly(PLAIN[kind])[0]) == wanted


def test_a_line_longer_than_a_block_is_plain_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "BLOCK", 128)
    text = b'{"input_ids":[' + b"12," * 5000 + b"3]}\n" + USUAL
    assert content(read_quickly(text)[0]) == content(read_strictly(text)[0])


def test_more_skeletons_than_are_remembered() -> None:
    text = b"\n".join(b'{"id":%d,"input_ids":[%d]}' % (n % 7000, n) for n in range(12_000))
    part, _ = read_quickly(text)
    assert (part.records, part.refused) == (12_000, [])
