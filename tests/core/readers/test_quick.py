"""The quick reader never disagrees with the strict one, whatever the line."""

import json
import random

import pytest

from bucketplan.readers.fault import Fault
from bucketplan.readers.quick import quick_record
from bucketplan.readers.record import KEYS, read_record

TOKENS: list[object] = [0, 1, 2, 17, 150_000]
LABELS: list[object] = [0, 1, 17, -100, -100]
ODD_ENTRIES: list[object] = [
    -1,
    -200,
    2**63 - 1,
    -(2**63),
    2**63,
    2**64,
    -(2**63) - 1,
    True,
    1.0,
    None,
    "1",
    [1],
    {},
    float("nan"),
]
NAMES = ["a", "a-b", "input_ids", '"labels":[]', "caf\u00e9", "\ud800", "A_b", 7, -7, 2**64, None, 1.5, True, ["a"]]
SPLICES = [
    b",",
    b"-",
    b"0",
    b" ",
    b"]",
    b"[",
    b"\\",
    b'"',
    b"true",
    b"NaN",
    b"\\u005f",
    b"\xff",
    b"\t",
    b"\x00",
    b"1e9",
]


def draw(chance: random.Random) -> bytes:
    """A line that is nearly a record."""
    length = chance.randrange(1, 5)

    def entries(usual: list[object]) -> list[object]:
        odd = chance.random() < 0.1
        size = length + (chance.random() < 0.05)
        return [chance.choice(ODD_ENTRIES if odd and chance.random() < 0.5 else usual) for _ in range(size)]

    pairs: list[tuple[str, object]] = [("input_ids", entries(TOKENS))]
    if chance.random() < 0.7:
        pairs.append(("labels", entries(LABELS)))
    if chance.random() < 0.3:
        pairs.append(("attention_mask", entries([0, 1, 1])))
    named = ("dataset_id", "sample_kind", "text")
    pairs += [(key, chance.choice(NAMES)) for key in named if chance.random() < 0.6]
    if chance.random() < 0.1:
        pairs.append((chance.choice(["meta", *KEYS]), {chance.choice(KEYS): entries(TOKENS)}))
    chance.shuffle(pairs)
    ascii_only = chance.random() < 0.5
    text = ", ".join(f"{json.dumps(k)}: {json.dumps(v, ensure_ascii=ascii_only)}" for k, v in pairs)
    line = f"{{{text}}}".encode("utf-8", "surrogatepass")
    for _ in range(chance.choice([0, 0, 1, 2])):
        place = chance.randrange(len(line) + 1)
        line = line[:place] + chance.choice(SPLICES) + line[place + chance.randrange(3) :]
    return line


@pytest.mark.parametrize("seed", range(8))
def test_both_readers_agree(seed: int) -> None:
    chance = random.Random(seed)
    quick_ones = 0
    for line in (draw(chance) for _ in range(1500)):
        quick = quick_record(line)
        if quick is None:
            continue
        quick_ones += 1
        try:
            assert read_record(line) == quick, line
        except Fault as fault:
            pytest.fail(f"{line!r}: {fault.reason}")
    assert quick_ones > 200
