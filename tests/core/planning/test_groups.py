from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bucketplan.planning.groups import Groups, equal_groups

UFUNCS = (np.add, np.maximum, np.bitwise_or)


@given(st.lists(st.integers(0, 1000), min_size=1, max_size=200), st.integers(1, 70), st.sampled_from(UFUNCS))
def test_equal_groups_reduce_as_a_loop_would(values: list[int], size: int, ufunc: np.ufunc) -> None:
    groups = equal_groups(len(values), size)
    expected = [ufunc.reduce(np.array(values[i : i + size])) for i in range(0, len(values), size)]
    assert groups.reduce(ufunc, np.array(values)).tolist() == expected
    assert groups.sizes.tolist() == [len(values[i : i + size]) for i in range(0, len(values), size)]


@given(st.lists(st.integers(1, 9), min_size=1, max_size=40), st.sampled_from(UFUNCS))
def test_ragged_groups_reduce_as_a_loop_would(sizes: list[int], ufunc: np.ufunc) -> None:
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    values = np.random.default_rng(0).integers(0, 99, offsets[-1])
    expected = [ufunc.reduce(values[a:b]) for a, b in pairwise(offsets)]
    assert Groups(offsets).reduce(ufunc, values).tolist() == expected


@pytest.mark.parametrize("groups", [equal_groups(10, 4), Groups(np.array([0, 4, 8, 10]))])
def test_the_first_groups_alone_ignore_what_follows(groups: Groups) -> None:
    assert groups.first(2).reduce(np.add, np.ones(10, np.int64)).tolist() == [4, 4]
    assert groups.last_size == 2
    assert groups.first(2).total == 8
