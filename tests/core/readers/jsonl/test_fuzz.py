"""Lines that are nearly records: whatever stands in them, both readers say the same.

BUCKETPLAN_FUZZ_LINES sets how many lines are tried.
"""

import json
import os
import random

import pytest

from bucketplan.readers.jsonl import blocks
from bucketplan.readers.keys import Keys
from tests.core.readers.jsonl.strict import content, read_quickly, read_strictly

LINES = int(os.environ.get("BUCKETPLAN_FUZZ_LINES", "3000"))
LINES_OF_A_FILE = 100
LONG = {"input_ids": list(range(300)), "labels": [-100] * 200 + list(range(100)), "dataset_id": "long"}
SEEDS: list[bytes] = [
    b'{"input_ids":[1,22,333],"labels":[-100,22,333],"dataset_id":"a","sample_kind":"full"}',
    b'{"input_ids": [1, 22, 333], "labels": [-100, 22, 333], "dataset_id": "a", "sample_kind": "full"}',
    b'{"labels":[-100,-100],"dataset_id":"b-1","input_ids":[0,5],"attention_mask":[0,1],"length":2}',
    b'{"text":"x[1,2] says \\"input_ids\\":[1] \\\\","input_ids":[10,0],"more":[[1,2],[3]],"none":[]}',
    b'{"dataset_id":7,"sample_kind":-3,"input_ids":[262143],"meta":{"input_ids":[4],"a":{"b":[1]}}}',
    b'{"input_ids":[5,-200,-100],"labels":null,"dataset_id":null,"loss":NaN}',
    b'{"input_ids":[9223372036854775807,-9223372036854775808,12345678],"labels":[-1,-100,-1000]}',
    b'{"in\\u0070ut_ids":[1,2],"dataset_id":"caf\\u00e9 \xc3\xa9 \\ud83d\\ude00","id":18446744073709551616}',
    b'{"input_ids":[1,2,3],"attention_mask":[true,false,true],"floats":[0.5,1e9,-2E-3],"length":3}',
    b'{"tokens":[1,2],"source":"a","input_ids":[3]}\r',
    json.dumps(LONG).encode(),
    json.dumps(LONG, separators=(",", ":")).encode(),
    b"",
    b" \t\r",
]
SPLICES = [
    *(bytes([byte]) for byte in b'[]{}",:-0123456789 \t\r\x00\x7f\\/.eE+tfn_'),
    *(
        b"[]",
        b"[\x00]",
        b"[1]",
        b"[-100]",
        b"[01]",
        b"[1]2",
        b"[[1]]",
        b"[1,]",
        b"[ 1]",
        b"-0",
        b"-10",
        b"-1000",
        b"00",
    ),
    *(b"\xff", b"\xc3\xa9", b"\\u00", b"\\u0069", b"\\ud800", b"\\", b"\\/", b"NaN", b"-Infinity", b"null", b"true"),
    *(b"1" * 14, b"1" * 15, b"1" * 19, b"1" * 20, b"9" * 700, b"736190528340000000", b"[736190528340000001]"),
    *(b'"input_ids":[1,2],', b'"labels":[1],', b'"dataset_id":"z",', b',"length":4', b',"input_ids" :[7]', b'"meta":{'),
]


def mutated(chance: random.Random) -> bytes:
    line = chance.choice(SEEDS)
    for _ in range(chance.choice([0, 1, 1, 2, 3])):
        place = chance.randrange(len(line) + 1)
        match chance.randrange(6):
            case 0:  # another byte
                line = line[:place] + bytes([chance.randrange(256)]) + line[place + 1 :]
            case 1 | 2:
                line = line[:place] + chance.choice(SPLICES) + line[place + chance.randrange(3) :]
            case 3:  # a stretch is lost, or stands twice
                other = chance.randrange(len(line) + 1)
                line = line[:place] + line[other:]
            case 4:  # the rest of another line
                donor = chance.choice(SEEDS)
                line = line[:place] + donor[chance.randrange(len(donor) + 1) :]
            case 5:  # a splice where a list, a key or a value begins
                places = [at for at, byte in enumerate(line) if byte in b'[],:"']
                place = chance.choice(places) + chance.randrange(2) if places else 0
                line = line[:place] + chance.choice(SPLICES) + line[place:]
    return line.replace(b"\n", b" ")


@pytest.mark.parametrize("seed", range(10))
def test_both_readers_say_the_same(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(seed)
    for _ in range(max(1, LINES // LINES_OF_A_FILE // 10)):
        monkeypatch.setattr(blocks, "BLOCK", chance.choice([64, 320, 4096, 1 << 15]))
        text = b"\n".join(mutated(chance) for _ in range(LINES_OF_A_FILE)) + chance.choice([b"", b"\n"])
        keys = chance.choice([Keys(), Keys(), Keys(ids=("tokens", "input_ids"), root=("meta.a",), length=())])
        for skip_bad in (True, False):
            (slow, slow_names), (fast, fast_names) = (
                read(text, keys, skip_bad=skip_bad) for read in (read_strictly, read_quickly)
            )
            assert fast_names == slow_names or not slow.records
            assert content(fast) == content(slow), text
