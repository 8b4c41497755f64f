"""Whether every epoch reads each of its records exactly once."""

import numpy as np
from numpy.typing import NDArray


class Misplaced(Exception):  # noqa: N818 - its caller says which file it is of
    """The first bad position.

    Attributes:
        key: the array at fault: order, cut or left_out.
        position: in that array, from 0.
        problem: what is wrong with it.
    """

    def __init__(self, key: str, position: int, problem: str) -> None:
        super().__init__(problem)
        self.key, self.position, self.problem = key, position, problem

    def place(self, consumed: int) -> tuple[str, str]:
        """The key and the fault in words; a file holds the first so many entries of the order under another key."""
        if self.key == "order" and self.position < consumed:
            return "consumed", f"position {self.position}: {self.problem}"
        position = self.position - consumed if self.key == "order" else self.position
        return self.key, f"position {position}: {self.problem}"


def check_epochs(
    order: NDArray[np.int64],
    epochs: NDArray[np.int64],
    cut: tuple[NDArray[np.int64], ...],
    left_out: tuple[NDArray[np.int64], ...],
    records: int,
) -> None:
    """Check that order, cut and left-out records of each epoch are all records, each once.

    Args:
        order: record numbers in 0 .. records - 1, one epoch after the other.
        epochs: (epochs + 1,), where each starts in the order.
        cut: for each epoch, what it leaves out of its plan.
        left_out: for each epoch, what is not in its plan.
        records: of the dataset.

    Raises:
        Misplaced: a record stands twice, or nowhere.
    """
    for epoch, (part, absent) in enumerate(zip(cut, left_out, strict=True)):
        start, end = int(epochs[epoch]), int(epochs[epoch + 1])
        members = np.concatenate([absent, order[start:end], part])
        times = np.bincount(members, minlength=records)
        if len(members) == records and (times == 1).all():
            continue
        inside = "" if len(cut) == 1 else f" in epoch {epoch}"
        again = _first_again(members)
        if again is None:
            missing = int(np.flatnonzero(times == 0)[0])
            raise Misplaced("order", end, f"the order ends here, and record {missing} stands nowhere{inside}")
        number = int(members[again])
        for key, size, first in (("left_out", len(absent), 0), ("order", end - start, start), ("cut", len(part), 0)):
            if again < size:
                raise Misplaced(key, again + first, f"record {number} stands a second time{inside}")
            again -= size


def _first_again(members: NDArray[np.int64]) -> int | None:
    """The first position whose number stood before."""
    _, first = np.unique(members, return_index=True)
    if len(first) == len(members):
        return None
    again = np.ones(len(members), np.bool_)
    again[first] = False
    return int(np.argmax(again))
