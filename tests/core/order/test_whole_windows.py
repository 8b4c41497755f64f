"""Incomplete windows are completed by halving micro-batches: no row moves, none is lost, no micro-batch grows."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bucketplan.errors import UserError
from bucketplan.order.whole_windows import can_be_whole, whole_units


def cuts(*sizes: int) -> list[int]:
    return [0, *np.cumsum(sizes).tolist()]


def sizes_of(*sizes: int, unit: int) -> list[int]:
    whole: list[int] = np.diff(whole_units(np.array(cuts(*sizes)), unit)).tolist()
    return whole


def test_whole_windows_stay_as_they_are() -> None:
    assert sizes_of(2, 2, 2, 1, unit=2) == [2, 2, 2, 1]


def test_the_largest_micro_batches_of_an_incomplete_window_are_halved() -> None:
    assert sizes_of(4, 4, 4, 4, 3, 8, unit=4) == [4, 4, 4, 4, 3, 2, 2, 4]


def test_a_window_with_too_few_rows_is_shared_out_with_the_one_before() -> None:
    assert sizes_of(2, 2, 2, 2, 2, 2, 2, 2, 1, unit=4) == [2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 2, 1]


def test_micro_batches_of_one_row_cannot_be_shared_out() -> None:
    offsets = np.array(cuts(1, 1, 1))
    assert not can_be_whole(offsets, 2)
    with pytest.raises(UserError, match="3 rows in 3 micro-batches make no whole windows of 2"):
        whole_units(offsets, 2)


@given(st.lists(st.integers(1, 9), min_size=1, max_size=40), st.integers(1, 12))
def test_what_is_halved_keeps_the_old_cuts_and_never_grows(sizes: list[int], unit: int) -> None:
    offsets = np.array(cuts(*sizes))
    if can_be_whole(offsets, unit):
        whole = whole_units(offsets, unit)
        assert (len(whole) - 1) % unit == 0
        assert set(offsets.tolist()) <= set(whole.tolist())
        assert (np.diff(whole) > 0).all()
