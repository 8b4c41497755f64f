"""CPython's `random.shuffle`, to the bit, at the speed of numpy where lists are long.

`shuffle` walks i from the end to 1 and swaps entry i with entry j, a draw below i + 1: the top bits of 32-bit words of a
Mersenne Twister, drawn again while they are not below i + 1 (CPython, Lib/random.py, `shuffle` and
`_randbelow_with_getrandbits`).
"""

from collections.abc import Callable
from random import Random

import numpy as np
from numpy.typing import NDArray

# Shorter lists gain nothing from numpy.
_LONG = 8192
# Words judged at a time: few enough that little within a block depends on the rest of it.
_BLOCK = 4096
# Short runs between two questions whether the result is still wanted.
_RUNS_AT_A_TIME = 2048


def permutation(length: int, rng: Random) -> NDArray[np.int64]:
    """What `rng.shuffle` makes of `list(range(length))`; leaves `rng` as the shuffle would."""
    if length < _LONG:
        entries = list(range(length))
        rng.shuffle(entries)
        return np.array(entries, np.int64)
    return _swapped(_draws(length, rng))


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
    if run == 1:
        return values
    if run < _LONG:
        return _shuffle_short_runs(values, run, rng, check)
    shuffled = []
    for start in range(0, len(values), run):
        check()
        part = values[start : start + run]
        shuffled.append(part[permutation(len(part), rng)])
    return np.concatenate(shuffled)


def _shuffle_short_runs(
    values: NDArray[np.int64], run: int, rng: Random, check: Callable[[], None]
) -> NDArray[np.int64]:
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


def _draws(length: int, rng: Random) -> NDArray[np.int64]:
    """(length,): entry i is the place that a shuffle of `length` entries swaps with i; entry 0 is 0."""
    draws = np.zeros(length, np.int64)
    last = length - 1
    words = _Words(rng, expected=length + length // 2)
    while last >= _LONG:
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


class _Words:
    """The 32-bit words that a generator would give next, without drawing them one by one."""

    def __init__(self, rng: Random, expected: int) -> None:
        self._version, state, self._gauss = rng.getstate()
        self._bits = np.random.MT19937()
        self._bits.state = {
            "bit_generator": "MT19937",
            "state": {"key": np.array(state[:-1], np.uint32), "pos": state[-1]},
        }
        self._start = self._bits.state
        self._used = 0
        self._ahead = self._bits.random_raw(expected)

    def ahead(self, count: int) -> NDArray[np.uint64]:
        """The next `count` words, none of them used yet."""
        if len(self._ahead) < count:
            self._ahead = np.concatenate([self._ahead, self._bits.random_raw(max(count, 1 << 14))])
        return self._ahead[:count]

    def drop(self, count: int) -> None:
        """Use up so many words."""
        self._ahead = self._ahead[count:]
        self._used += count

    def leave(self, rng: Random) -> None:
        """Put `rng` where drawing the used words one by one would have left it."""
        self._bits.state = self._start
        self._bits.random_raw(self._used, output=False)
        state = self._bits.state["state"]
        rng.setstate((self._version, (*state["key"].tolist(), state["pos"]), self._gauss))
