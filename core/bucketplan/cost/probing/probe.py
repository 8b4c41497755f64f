"""How long steps of chosen widths and rows take: the measured points that a cost model is fitted to."""

import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass

from bucketplan.cost.probing.hook import Hook, failure, machine, release, synchronise

Progress = Callable[[int, int], None]
"""Called with the steps run and those to run in all."""

DEFAULT_ROWS = (2, 4)
WIDTHS = 8
LONGEST = 16_384

_OCTAVES = 5
_MULTIPLE = 64
# More rows are measured at the narrowest widths only: there a fixed term shows most, and they cost least.
_WIDTHS_OF_MORE_ROWS = 2


@dataclass(frozen=True)
class Shape:
    """A micro-batch to run.

    Attributes:
        width: tokens of a row.
        rows: its rows.
        padding: whether rows are padded on the right; None where the hook is not asked.
    """

    width: int
    rows: int
    padding: bool | None = None


@dataclass(frozen=True)
class Timing:
    """What a shape took.

    Attributes:
        shape: what ran.
        seconds: of each repeat; empty where it failed.
        failure: why it failed, or None.
    """

    shape: Shape
    seconds: tuple[float, ...]
    failure: str | None = None

    @property
    def median(self) -> float:
        """Seconds in the middle of all repeats."""
        return statistics.median(self.seconds)


def spread_widths(longest: int) -> list[int]:
    """Widths that tell the terms apart: at equal ratios over five octaves, in multiples of 64 where there is room."""
    multiple = _MULTIPLE if longest >= _MULTIPLE << _OCTAVES else 1
    steps = [longest / 2 ** (_OCTAVES * step / (WIDTHS - 1)) for step in reversed(range(WIDTHS))]
    return sorted({max(round(width / multiple), 1) * multiple for width in steps})


def shapes(widths: Sequence[int], rows: Sequence[int]) -> list[Shape]:
    """All widths with the first number of rows, and the narrowest with the others.

    t = C + (A w + B w^2) r / r0 holds C apart from the rest in two ways: widths, where it fades as they grow, and rows,
    which do not touch it.
    """
    ordered = sorted(set(widths))
    more = [Shape(width, each) for each in rows[1:] for width in ordered[:_WIDTHS_OF_MORE_ROWS]]
    return [Shape(width, rows[0]) for width in ordered] + more


def measure(
    step: Hook,
    chosen: Sequence[Shape],
    *,
    warm_up: int = 2,
    repeats: int = 5,
    progress: Progress = lambda done, total: None,
    clock: Callable[[], float] = time.perf_counter,
) -> list[Timing]:
    """Time steps, in the order of the shapes.

    Every shape warms up first, the largest ahead, so that what does not fit fails at once. Then all shapes run in turn,
    forth and back, as often as there are repeats: a machine that slows down slows all of them, and bends no curve. A
    shape that fails leaves the turns; its failure is told, and the others go on.

    Args:
        step: called with rows and width, and with padding where a shape says so; what it prints goes to stderr.
        chosen: at least one.
        warm_up: steps of each shape before any is timed.
        repeats: timed steps of each shape, at least one.
        progress: told how far it is.
        clock: seconds.
    """
    taken: dict[Shape, list[float]] = {shape: [] for shape in chosen}
    failures: dict[Shape, str] = {}
    turns = list(_turns(chosen, warm_up, repeats))
    for done, (shape, timed) in enumerate(turns):
        progress(done, len(turns))
        if shape in failures:
            continue
        try:
            seconds = _run(step, shape, clock)
        except Exception as error:
            failures[shape] = failure(error)
            release()
        else:
            if timed:
                taken[shape].append(seconds)
    progress(len(turns), len(turns))
    return [Timing(shape, () if shape in failures else tuple(taken[shape]), failures.get(shape)) for shape in chosen]


def points_text(timings: Sequence[Timing], named: str, warm_up: int, repeats: int) -> str:
    """Timings as a file that `bucketplan fit` reads; what failed is a comment in it."""
    lines = [
        f"# bucketplan probe {named}; {machine()}",
        f"# medians of {repeats} after {warm_up} to warm up",
        "width,rows,seconds,seconds_least,seconds_most",
    ]
    for each in timings:
        shape = f"{each.shape.width},{each.shape.rows}"
        if each.failure is None:
            lines.append(f"{shape},{each.median:.9g},{min(each.seconds):.9g},{max(each.seconds):.9g}")
        else:
            lines.append(f"# {shape}: {each.failure}")
    return "\n".join(lines) + "\n"


def _turns(chosen: Sequence[Shape], warm_up: int, repeats: int) -> Iterator[tuple[Shape, bool]]:
    """Each step to run, and whether it is timed."""
    for shape in sorted(chosen, key=lambda shape: shape.width * shape.rows, reverse=True):
        for _ in range(warm_up):
            yield shape, False
    for turn in range(repeats):
        for shape in reversed(chosen) if turn % 2 else chosen:
            yield shape, True


def _run(step: Hook, shape: Shape, clock: Callable[[], float]) -> float:
    """Seconds of one step, what it started on a GPU included."""
    keywords = {} if shape.padding is None else {"padding": shape.padding}
    with redirect_stdout(sys.stderr):
        synchronise()
        begin = clock()
        step(shape.rows, shape.width, **keywords)
        synchronise()
        return clock() - begin
