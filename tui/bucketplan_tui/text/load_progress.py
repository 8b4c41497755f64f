"""A line on stderr that says how far a load is, where a person is watching."""

import sys
import time
from collections.abc import Callable

from bucketplan_tui.text.cells import left
from bucketplan_tui.text.numbers import compact

_EVERY_SECONDS = 0.1
_CELLS = 60


def progress_line(clock: Callable[[], float] = time.monotonic) -> Callable[[int, int | None], None] | None:
    """What `load` reports its progress to; None where stderr is no terminal."""
    if not sys.stderr.isatty():
        return None
    due = clock() + _EVERY_SECONDS

    def show(done: int, total: int | None) -> None:
        nonlocal due
        finished = done == total
        if clock() < due and not finished:
            return
        due = clock() + _EVERY_SECONDS
        told = f"reading {compact(done)}B" + (
            "" if total is None else f" of {compact(total)}B, {done / max(total, 1):.0%}"
        )
        sys.stderr.write("\r" + left("" if finished else told, _CELLS) + ("\r" if finished else ""))
        sys.stderr.flush()

    return show
