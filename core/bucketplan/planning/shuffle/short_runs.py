"""The shuffles of many short runs of one length, one after the other.

Which entry a word is drawn for hangs on how many words before it were refused, so the stream looks sequential. But
two walks over the same words that stand at different entries soon meet, and then stay together. So the stream is cut
into lanes that are walked side by side, each from a guess; where a lane did not end where the next one began, the next
one is walked again from there, until all fit.
"""

from random import Random

import numpy as np
from numpy.typing import NDArray

from bucketplan.planning.shuffle.words import Words

LONGEST_RUN = 32
"""In longer runs walks meet too late: a loop is faster."""

# Words that a lane walks before its own, to begin with a better guess.
_WARM_UP = 64
# Expected words are exceeded by more than this share and number almost never; then more are taken.
_SPARE_SHARE, _SPARE = 0.01, 1000


def shuffled_short_runs(runs: NDArray[np.int64], rng: Random) -> NDArray[np.int64]:
    """Each row shuffled by `rng.shuffle`, in order.

    Args:
        runs: (count, run), run from 2 to `LONGEST_RUN`.
        rng: left as those shuffles leave it.
    """
    count, run = runs.shape
    draws = _draws(count, run, rng)
    # Entry i of every run in a row of its own, so that a step swaps whole rows.
    entries = np.ascontiguousarray(runs.T)
    flat, column = entries.ravel(), np.arange(count)
    for step, i in enumerate(range(run - 1, 0, -1)):
        place = draws[step] * count + column
        drawn = flat[place]
        flat[place] = entries[i]
        entries[i] = drawn
    return entries.T


def _draws(count: int, run: int, rng: Random) -> NDArray[np.int64]:
    """(run - 1, count): the place that entry run - 1, run - 2, ... 1 of each run is swapped with."""
    entry = np.arange(run - 1, 0, -1)
    bits = np.array([int(i + 1).bit_length() for i in entry])
    wanted = count * (run - 1)
    expected = int(count * (2.0**bits / (entry + 1)).sum() * (1 + _SPARE_SHARE)) + _SPARE
    words = Words(rng, expected)
    # A word w is accepted for entry i if its top bits are at most i: if w is below this limit.
    limits = ((entry + 1) << (32 - bits)).astype(np.uint32)
    while True:
        ahead = words.ahead(expected)
        accepted = np.flatnonzero(_accepted(ahead.astype(np.uint32), limits))
        if len(accepted) >= wanted:
            break
        expected += expected // 4
    accepted = accepted[:wanted]
    drawn: NDArray[np.int64] = ahead[accepted].astype(np.int64).reshape(count, run - 1).T >> (32 - bits)[:, None]
    words.drop(int(accepted[-1]) + 1)
    words.leave(rng)
    return drawn


def _accepted(words: NDArray[np.uint32], limits: NDArray[np.uint32]) -> NDArray[np.bool_]:
    """Which words are accepted, when the first is drawn for the first limit, and each acceptance leads to the next.

    Args:
        words: (n,).
        limits: (period,); after the last comes the first again.
    """
    period = len(limits)
    length = int(np.sqrt(len(words))) + 1
    lanes = -(-len(words) // length)
    padded = np.full(lanes * length, np.iinfo(np.uint32).max, np.uint32)
    padded[: len(words)] = words
    table = np.ascontiguousarray(padded.reshape(lanes, length).T)
    cycle = np.tile(limits, length // period + 2)

    start = np.zeros(lanes, np.int64)
    warm_up = min(_WARM_UP, length)
    start[1:], _ = _walk(table[length - warm_up :, :-1], start[1:], cycle, period)
    end, accepted = _walk(table, start, cycle, period)
    while True:
        wrong = np.flatnonzero(start[1:] != end[:-1]) + 1
        if not len(wrong):
            return accepted.T.ravel()[: len(words)]
        start[wrong] = end[wrong - 1]
        end[wrong], accepted[:, wrong] = _walk(table[:, wrong], start[wrong], cycle, period)


def _walk(
    table: NDArray[np.uint32], start: NDArray[np.int64], cycle: NDArray[np.uint32], period: int
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Walk each column of words from its place in the cycle: where it ends, and which words it accepted."""
    place = start.copy()
    accepted = np.empty(table.shape, np.bool_)
    for words, taken in zip(table, accepted, strict=True):
        np.less(words, cycle[place], out=taken)
        place += taken
    return place % period, accepted
