"""One line of JSON, read with patience: slow, and exact about what is wrong."""

import json
from dataclasses import dataclass

from bucketplan.printable import printable
from bucketplan.readers.fault import QUOTE_LIMIT, Fault, described

DIGIT_LIMIT = 600
"""Digits of an integer that are read. Python refuses to convert thousands, and none of the rest could matter."""

_WHITE_SPACE = " \t\r\n"
_ONE_A_LINE = "write one JSON object per line (JSON Lines)"


@dataclass(frozen=True)
class Parsed:
    """A JSON object.

    Attributes:
        pairs: its keys and values in order, repeated keys included.
        nan: whether NaN or Infinity, which JSON does not have, stands anywhere in it.
    """

    pairs: list[tuple[str, object]]
    nan: bool


def parse_object(line: bytes) -> Parsed:
    """The JSON object on a line without its line end.

    Lone surrogates and NaN are taken as Python's json takes them.

    Raises:
        Fault: the line is not UTF-8, not JSON, nested too deeply, or no object.
    """
    text = _decoded(line)
    top: list[tuple[str, object]] = []
    nan = False

    def keep(pairs: list[tuple[str, object]]) -> dict[str, object]:
        nonlocal top
        top = pairs  # objects come from the inside out, so the outermost is the last
        return dict(pairs)

    def constant(name: str) -> float:
        nonlocal nan
        nan = True
        return float(name)

    try:
        value = json.loads(text, object_pairs_hook=keep, parse_constant=constant, parse_int=_integer)
    except RecursionError:
        raise Fault(None, "brackets nested too deeply", "write flat records") from None
    except json.JSONDecodeError as error:
        raise _syntax_fault(text, error) from None
    if not isinstance(value, dict):
        raise Fault(None, f"{described(value)}, not an object", _ONE_A_LINE)
    return Parsed(top, nan)


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
    remedy = _ONE_A_LINE
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
