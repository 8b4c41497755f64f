"""Text in terminal cells: wide characters take two, and columns must stay where they are."""

from collections.abc import Iterable

from rich.cells import cell_len, get_character_cell_size

ELLIPSIS = "…"


def elide(text: str, cells: int) -> str:
    """Text in at most so many cells; what is longer loses its middle, so that look-alikes stay apart."""
    if cell_len(text) <= cells:
        return text
    room = max(cells - 1, 0)
    tail = _fitting(reversed(text), room // 2)[::-1]
    return _fitting(text, room - cell_len(tail)) + ELLIPSIS[:cells] + tail


def left(text: str, cells: int) -> str:
    """Text at the left of exactly so many cells, or more where it is longer."""
    return text + " " * (cells - cell_len(text))


def right(text: str, cells: int) -> str:
    """Text at the right of exactly so many cells, or more where it is longer."""
    return " " * (cells - cell_len(text)) + text


def _fitting(characters: Iterable[str], cells: int) -> str:
    taken, used = [], 0
    for character in characters:
        used += get_character_cell_size(character)
        if used > cells:
            break
        taken.append(character)
    return "".join(taken)
