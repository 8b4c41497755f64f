"""CPython's `random.shuffle`, to the bit, at the speed of numpy.

`shuffle` walks i from the end to 1 and swaps entry i with entry j, a draw below i + 1: the top bits of 32-bit words of
a Mersenne Twister, drawn again while they are not below i + 1 (CPython, Lib/random.py, `shuffle` and
`_randbelow_with_getrandbits`).
"""

from collections.abc import Callable
from random import Random

import numpy as np
from numpy.typing import NDArray

from bucketplan.planning.shuffle.long_list import SHORT, shuffled_indices
from bucketplan.planning.shuffle.short_runs import LONGEST_RUN, shuffled_short_runs

# Runs between two questions whether the result is still wanted.
_RUNS_AT_A_TIME = 1024


def permutation(length: int, rng: Random) -> NDArray[np.int64]:
    """What `rng.shuffle` makes of `list(range(length))`; leaves `rng` as the shuffle would."""
    if length >= SHORT:
        return shuffled_indices(length, rng)
    entries = list(range(length))
    rng.shuffle(entries)
    return np.array(entries, np.int64)


def shuffle_runs(
    values: NDArray[np.int64], run: int, rng: Random, check: Callable[[], None] = lambda: None
) -> NDArray[np.int64]:
    """Each run of `run` consecutive values shuffled by `rng.shuffle`, in order; the last run may be short.

    Args:
        values: (n,).
        run: at least 1.
        rng: left as those shuffles leave it.
        check: called now and then; what it raises ends the work.
    """
    whole = len(values) // run * run
    check()
    if run == 1:
        return values
    if run >= SHORT:
        parts = [values[start : start + run] for start in range(0, len(values), run)]
        return np.concatenate([part[permutation(len(part), rng)] for part in parts]) if parts else values
    if run <= LONGEST_RUN and whole >= SHORT:
        shuffled = shuffled_short_runs(values[:whole].reshape(-1, run), rng).ravel()
        return np.concatenate([shuffled, _in_a_loop(values[whole:], run, rng, check)])
    return _in_a_loop(values, run, rng, check)


def _in_a_loop(values: NDArray[np.int64], run: int, rng: Random, check: Callable[[], None]) -> NDArray[np.int64]:
    """The loops of `shuffle` and of its draws, written out: calls would take most of the time."""
    entries: list[int] = values.tolist()
    shuffled: list[int] = []
    draw = rng.getrandbits
    steps = [(i, (i + 1).bit_length()) for i in range(run - 1, 0, -1)]
    for start in range(0, len(entries), run):
        if start % (run * _RUNS_AT_A_TIME) == 0:
            check()
        part = entries[start : start + run]
        for i, bits in steps[run - len(part) :]:
            j = draw(bits)
            while j > i:
                j = draw(bits)
            part[i], part[j] = part[j], part[i]
        shuffled += part
    return np.array(shuffled, np.int64)
