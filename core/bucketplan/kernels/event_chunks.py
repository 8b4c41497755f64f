"""Pieces of a list of events: where one can be cut, and what is in it.

Text that begins with an event is read by the fast parser up to the last place where two events meet. What it refuses,
and the end of the list, the tolerant parser reads event by event.
"""

import json
import re
from dataclasses import dataclass
from typing import Any

import orjson

_SEPARATOR = re.compile(r"\s*(,?)\s*")
_DECODER = json.JSONDecoder(strict=False)
# A text may be cut inside one of these, or inside a number.
_WORDS = ("true", "false", "null", "NaN", "Infinity", "-Infinity")
_CUT_NUMBER = re.compile(r"\.|[eE][+-]?")
# How many places are looked at, and what may stand between an event and the comma before it.
_GLANCES = 16
_MOST_BETWEEN = 256


class Broken(Exception):  # noqa: N818 - whoever knows the file makes an InputError of it
    """Text that is no JSON, and that nothing behind it could mend.

    Attributes:
        problem: what the parser says.
        newlines: line feeds before the place.
    """

    def __init__(self, problem: str, newlines: int) -> None:
        super().__init__(problem)
        self.problem, self.newlines = problem, newlines


@dataclass(frozen=True)
class Piece:
    """The start of a text.

    Attributes:
        events: what it holds.
        size: its bytes.
        closed: whether the list of events ends with it.
    """

    events: list[Any]
    size: int
    closed: bool = False


def fast(text: bytes) -> Piece | None:
    """As many whole events as can be told at a glance; None where the tolerant parser must look.

    Events of one writer begin alike, with `{"ph":` for example, so that such a beginning behind a comma is most likely
    one. Where it lies inside an event after all, the text before it does not parse.
    """
    begin = text.find(b"{")
    opening = text[begin : text.find(b":", begin) + 1]
    if not opening or text[:begin].strip() not in (b"", b","):
        return None
    last = _last_beginning(text, begin, opening)
    head = text[begin:last].rstrip()
    if not head.endswith(b","):
        return None
    try:
        return Piece(orjson.loads(b"[" + head[:-1] + b"]"), last)
    except orjson.JSONDecodeError:
        return None


def _last_beginning(text: bytes, begin: int, opening: bytes) -> int:
    """The last place behind a comma where an event may begin; the first one where none is near the end."""
    last = len(text)
    for _ in range(_GLANCES):
        last = text.rfind(opening, begin + 1, last)
        if last < 0:
            break
        if text[max(last - _MOST_BETWEEN, begin) : last].rstrip().endswith(b","):
            return last
    return begin


def tolerant(text: bytes) -> Piece:
    """All whole events, NaN, control characters and bytes that are no UTF-8 among them, and a last comma too many.

    Raises:
        Broken: an event that no further text could make whole.
    """
    characters = text.decode("utf-8", "surrogateescape")
    events: list[Any] = []
    place, comma = 0, True
    while True:
        separator = _SEPARATOR.match(characters, place)
        assert separator is not None, "it matches no character too"
        begin = separator.end()
        if characters.startswith("]", begin):
            return Piece(events, _size(characters[: begin + 1]), closed=True)
        if begin == len(characters):
            break
        if not (comma or separator[1]):
            raise Broken("a comma is missing between two events", characters.count("\n", 0, begin))
        try:
            event, place = _DECODER.raw_decode(characters, begin)
        except json.JSONDecodeError as error:
            if _incomplete(error, characters):
                break
            raise Broken(error.msg, characters.count("\n", 0, error.pos)) from None
        except RecursionError:
            raise Broken("nested too deep", characters.count("\n", 0, begin)) from None
        events.append(event)
        comma = False
    return Piece(events, _size(characters[:place]))


def lenient_object(text: bytes) -> dict[str, Any] | None:
    """A whole object, None where the text is none."""
    try:
        found = json.loads(text.decode("utf-8", "surrogateescape"), strict=False)
    except (json.JSONDecodeError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _size(characters: str) -> int:
    return len(characters.encode("utf-8", "surrogateescape"))


def _incomplete(error: json.JSONDecodeError, characters: str) -> bool:
    """Whether more text could make whole what the parser refused."""
    rest = characters[error.pos :].rstrip()
    if error.msg.startswith("Invalid \\"):
        return len(rest) < len("\\u0000")
    cut_word = any(word.startswith(rest) for word in _WORDS) or _CUT_NUMBER.fullmatch(rest) is not None
    return cut_word or error.msg.startswith("Unterminated string")
