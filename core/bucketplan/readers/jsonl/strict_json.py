"""One line of JSON, read with patience: slow, and exact about what is wrong."""

import json
import re
from collections import Counter
from dataclasses import dataclass

from bucketplan.printable import printable
from bucketplan.readers.jsonl.fault import QUOTE_LIMIT, Fault, described

DIGIT_LIMIT = 600
"""Digits of an integer that are read. Python refuses to convert thousands, and none of the rest could matter."""

NESTING_LIMIT = 200
"""Brackets and braces that may be open at once. Python's own limit hangs on what else its stack holds."""

# Strings, whole or cut, are one match, so that what stands in them is no bracket.
_NESTING = re.compile(r'"(?:[^"\\]|\\.)*+"?|[\[\]{}]', re.DOTALL)

_WHITE_SPACE = " \t\r\n"
ONE_A_LINE = "write one JSON object per line (JSON Lines)"


class Repeating(dict[str, object]):
    """An object that has a key several times; as in any dict, the last value stays.

    Attributes:
        times: how often each key stands in it.
    """

    def __init__(self, pairs: list[tuple[str, object]]) -> None:
        super().__init__(pairs)
        self.times = Counter(key for key, _ in pairs)


@dataclass(frozen=True)
class Parsed:
    """A JSON object.

    Attributes:
        values: its values by key; objects in it that repeat a key, and itself, are `Repeating`.
        nan: whether NaN or Infinity, which JSON does not have, stands anywhere in it.
    """

    values: dict[str, object]
    nan: bool


def parse_object(line: bytes) -> Parsed:
    """The JSON object on a line without its line end.

    Lone surrogates and NaN are taken as Python's json takes them.

    Raises:
        Fault: the line is not UTF-8, not JSON, nested too deeply, or no object.
    """
    text = _decoded(line)
    nan = False

    def constant(name: str) -> float:
        nonlocal nan
        nan = True
        return float(name)

    if text.count("[") + text.count("{") > NESTING_LIMIT and _deepest(text) > NESTING_LIMIT:
        raise Fault(None, "brackets nested too deeply", "write flat records")
    try:
        value = json.loads(text, object_pairs_hook=_object, parse_constant=constant, parse_int=_integer)
    except json.JSONDecodeError as error:
        raise _syntax_fault(text, error) from None
    if not isinstance(value, dict):
        raise Fault(None, f"{described(value)}, not an object", ONE_A_LINE)
    return Parsed(value, nan)


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    values = dict(pairs)
    return values if len(values) == len(pairs) else Repeating(pairs)


def _deepest(text: str) -> int:
    """How many brackets and braces are open at once, those in strings left out."""
    deepest = depth = 0
    for match in _NESTING.finditer(text):
        mark = match[0]
        if mark in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif mark in "]}":
            depth -= 1
    return deepest


def _decoded(line: bytes) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError as error:
        problem = f"not UTF-8: byte {error.start + 1} of the line is 0x{line[error.start]:02x}"
        cut = error.reason == "unexpected end of data"
        raise Fault(None, problem, "write the cache as UTF-8", unparsed=cut) from None


def _integer(digits: str) -> int:
    return int(digits[:DIGIT_LIMIT])


def _syntax_fault(text: str, error: json.JSONDecodeError) -> Fault:
    """What kind of writing is no JSON object."""
    content = text.strip(_WHITE_SPACE)
    column = error.pos + 1
    remedy = ONE_A_LINE
    if content.startswith("\ufeff"):
        problem = "a byte order mark (BOM) before the object"
        remedy = "remove the bytes EF BB BF, which files keep when they are joined"
    elif content.startswith("["):
        problem = "an array, not an object"
    elif not content.startswith("{"):
        problem = f'not a JSON object: "{printable(content, QUOTE_LIMIT)}"'
    elif error.msg == "Extra data":
        problem = f"extra data after the object, at column {column}"
    elif error.msg.startswith("Unterminated string") or error.pos >= len(text.rstrip(_WHITE_SPACE)):
        problem = "the object is incomplete at the end of the line"
    else:
        problem = f"not JSON at column {column}: {error.msg[:1].lower()}{error.msg[1:]}"
        remedy = "mend the line, or write the cache again"
    return Fault(None, problem, remedy, unparsed=True)
