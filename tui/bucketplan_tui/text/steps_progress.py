"""A line on stderr that says how many steps have run, where a person is watching."""

from collections.abc import Callable
from typing import TextIO

from bucketplan_tui.text.cells import left

_CELLS = 60
_BAR = 24


def steps_line(stream: TextIO) -> Callable[[int, int], None]:
    """What `measure` reports its progress to; silent where the stream is no terminal."""
    if not stream.isatty():
        return lambda done, total: None

    def show(done: int, total: int) -> None:
        filled = _BAR * done // total
        told = f"[{'#' * filled}{'.' * (_BAR - filled)}] step {done:,} of {total:,}, {done / total:.0%}"
        stream.write("\r" + left("" if done == total else told, _CELLS) + ("\r" if done == total else ""))
        stream.flush()

    return show
