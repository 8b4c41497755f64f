"""The 32-bit words that a generator of CPython would give next, many at a time."""

from random import Random

import numpy as np
from numpy.typing import NDArray


class Words:
    """Looks ahead in the stream of a Mersenne Twister, and uses up what is told.

    numpy's twister is CPython's: given its state, it gives the same words.
    """

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
