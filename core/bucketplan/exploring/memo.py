"""A few remembered results, so that a knob recomputes only what depends on it."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, TypeVar

_T = TypeVar("_T")


class Memo:
    """The last results of some functions, by key; the least recently used goes first.

    It may be shared by threads. Two that miss the same key at once compute it twice, to the same result.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._results: OrderedDict[Hashable, Any] = OrderedDict()
        self._lock = Lock()

    def __call__(self, key: Hashable, compute: Callable[[], _T]) -> _T:
        """The remembered result of the key, or what `compute` gives for it now; what it raises is not remembered."""
        with self._lock:
            if key in self._results:
                self._results.move_to_end(key)
                return self._results[key]  # type: ignore[no-any-return]
        result = compute()
        with self._lock:
            self._results[key] = result
            while len(self._results) > self._size:
                self._results.popitem(last=False)
        return result
