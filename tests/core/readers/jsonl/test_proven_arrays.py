"""An array is proven, and its entries are counted, or it is left; what is proven is a flat list of 64-bit integers."""

import json

import numpy as np
import pytest

from bucketplan.readers.jsonl.proven_arrays import proven_arrays


def proven(text: str | bytes) -> list[tuple[str, int, int, int]]:
    """Each proven array: its text, its entries, those that are -100, those that are 0."""
    raw = text.encode() if isinstance(text, str) else text
    padded = np.frombuffer(raw + b"[1]" * 64, np.uint8)
    arrays, _ = proven_arrays(padded[: len(padded) // 64 * 64], len(raw))
    columns = (arrays.starts, arrays.ends, arrays.entries(), arrays.ignored(), arrays.zeros())
    return [
        (raw[start : end + 1].decode(), entries, ignored, zeros)
        for start, end, entries, ignored, zeros in zip(*(column.tolist() for column in columns), strict=True)
    ]


@pytest.mark.parametrize("separator", [",", ", "])
@pytest.mark.parametrize("before", range(0, 131, 7))
def test_lists_of_integers_are_proven_wherever_they_stand(separator: str, before: int) -> None:
    for entries in ([0], [7], [10, 0, 100], [-100], [1, -100, -100, 0, 262143], list(range(200)), [-100] * 90):
        text = separator.join(map(str, entries))
        assert proven(" " * before + f'{{"a":[{text}]}}') == [
            (f"[{text}]", len(entries), entries.count(-100), entries.count(0))
        ]


GAPS = ["", " ", "1 2", "1,,2", ",1", "1,", "1, ", " 1", "1 ", "1 ,2", "1,  2", "1,\t2", "1\n2", "\0", "[1", "{}"]
SIGNS = ["-", "-1", "-10", "-200", "-1000", "-1001", "--100", "1-100", "-100-100", "-0", "-00", "- 100", "-010", "+1"]
NUMBERS = ["01", "00", "1,02", "1.0", "1e9", "1E9", "1" * 15, "1" * 19, "9" * 700, "NaN", "true", '"1"', "\u0661"]


@pytest.mark.parametrize("text", [*GAPS, *SIGNS, *NUMBERS])
@pytest.mark.parametrize("before", [0, 1, 55, 58, 60, 62, 63])
def test_what_is_no_such_list_is_left(text: str, before: int) -> None:
    for entries in (text, f"5,{text}", f"5, {text},6", f"{text},-100", f"-100,{text}"):
        found = proven(" " * before + f"[{entries}]")
        assert not [array for array, *_ in found if array == f"[{entries}]" and not plain(entries)]


def plain(entries: str) -> bool:
    """Whether some of the combinations above are lists of integers after all."""
    try:
        values = json.loads(f"[{entries}]")
    except ValueError:
        return False
    integers = all(type(value) is int and (value >= 0 or value == -100) and value < 10**14 for value in values)
    return integers and "-0" not in entries and values != []


def test_only_the_innermost_brackets_hold_a_list() -> None:
    assert [array for array, *_ in proven("[[1,2],[3]] [4]5 x[6] [7")] == ["[1,2]", "[3]", "[4]", "[6]"]


def test_counts_do_not_overflow_in_large_texts() -> None:
    entries = "-100," * 900_000 + "0"
    assert [counts for _, *counts in proven(f"[{entries}] [1]")] == [[900_001, 900_000, 1], [1, 0, 0]]
