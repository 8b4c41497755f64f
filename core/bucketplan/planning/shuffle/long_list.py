"""The shuffle of one long list: draws judged a block at a time, swaps resolved by sorting."""

from random import Random

import numpy as np
from numpy.typing import NDArray

from bucketplan.planning.shuffle.words import Words

SHORT = 8192
"""Shorter lists gain nothing from numpy."""

# The last draws hang too closely on each other to be judged together.
_TAIL = 2048
# Words judged at a time: few enough that little within a block depends on the rest of it.
_BLOCK = 4096


def shuffled_indices(length: int, rng: Random) -> NDArray[np.int64]:
    """What `rng.shuffle` makes of `list(range(length))`; leaves `rng` as the shuffle would.

    Args:
        length: at least `SHORT`.
        rng: the generator.
    """
    return _swapped(_draws(length, rng))


def _draws(length: int, rng: Random) -> NDArray[np.int64]:
    """(length,): entry i is the place that a shuffle of `length` entries swaps with i; entry 0 is 0."""
    draws = np.zeros(length, np.int64)
    last = length - 1
    words = Words(rng, expected=length + length // 2)
    while last >= _TAIL:
        bits = (last + 1).bit_length()
        floor = (1 << (bits - 1)) - 1  # draws for entries from here up take this many bits
        candidates = (words.ahead(_BLOCK) >> np.uint64(32 - bits)).astype(np.int64)
        accepted = _accepted(candidates, last)[: last - floor + 1]
        draws[last - len(accepted) + 1 : last + 1] = candidates[accepted][::-1]
        last -= len(accepted)
        words.drop(_BLOCK if last >= floor else int(accepted[-1]) + 1)
    words.leave(rng)
    for i in range(last, 0, -1):
        bits = (i + 1).bit_length()
        draw = rng.getrandbits(bits)
        while draw > i:
            draw = rng.getrandbits(bits)
        draws[i] = draw
    return draws


def _accepted(candidates: NDArray[np.int64], last: int) -> NDArray[np.intp]:
    """Which candidates are accepted when the first draw is for entry `last`, the next for the entry below, and so on.

    Whether one is depends only on those before it, so guessing again from the last guess gets at least one more right
    each time, and what no longer changes is the answer.
    """
    taken = candidates <= last
    while True:
        before: NDArray[np.int64] = np.cumsum(taken) - taken
        again = candidates <= last - before
        if np.array_equal(again, taken):
            return np.flatnonzero(taken)
        taken = again


def _swapped(draws: NDArray[np.int64]) -> NDArray[np.int64]:
    """(n,): what swapping i with draws[i], for i from n - 1 down to 1, makes of `arange(n)`.

    Place j gets its content from the last step before that wrote there: the nearest i' above with draws[i'] = j, whose
    own content then came from the nearest step above it that wrote to i', and so on up to a place never written to.
    """
    length = len(draws)
    places = np.arange(length, dtype=np.int64)
    shift = length.bit_length()
    keys = np.sort(draws << shift | places)
    target, step = keys >> shift, keys & ((1 << shift) - 1)

    # For each step the nearest one above with the same target; for each place the nearest step above that targets it.
    never = -1
    same = target[1:] == target[:-1]
    later = np.full(length, never, np.int64)
    later[step[:-1][same]] = step[1:][same]
    writer = np.full(length, never, np.int64)
    first = np.flatnonzero(np.concatenate([[True], ~same]))
    writer[target[first]] = step[first]
    np.copyto(writer, later, where=writer == places)

    origin = np.where(writer == never, places, writer)
    while True:
        further = origin[origin]
        if np.array_equal(further, origin):
            break
        origin = further
    # Entry i gets what place draws[i] held: its own content, or what the nearest step above had put there.
    source = np.where(draws == places, places, later)
    return np.where(source == never, draws, origin[source])
