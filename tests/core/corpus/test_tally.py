import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bucketplan.corpus.tally import tally
from bucketplan.figures.histogram import by_value, logarithmic

VALUES = st.lists(st.one_of(st.integers(0, 300), st.integers(0, 2**40)), min_size=1, max_size=200)


@given(VALUES)
def test_it_counts_as_a_sorted_list_does(values: list[int]) -> None:
    tallied = tally(np.array(values, np.int64))
    ranked = sorted(values)
    assert tallied.total == len(values)
    assert [tallied.ranked(position) for position in range(len(values))] == ranked
    assert tallied.mean() == pytest.approx(sum(values) / len(values))
    assert tallied.mean_square() == pytest.approx(sum(value * value for value in values) / len(values))


@given(st.lists(st.integers(1, 10**9), min_size=1, max_size=100))
def test_every_value_falls_into_its_bin(values: list[int]) -> None:
    histogram = logarithmic(tally(np.array(values, np.int64)))
    bins = list(zip(histogram.edges, histogram.edges[1:], histogram.counts, strict=False))
    assert all(count == sum(low <= value < high for value in values) for low, high, count in bins)
    assert sum(histogram.counts) == len(values)
    assert histogram.counts[0] > 0
    assert histogram.counts[-1] > 0


def test_powers_of_two_are_edges() -> None:
    histogram = logarithmic(tally(np.array([16, 16_384], np.int64)))
    assert {16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16_384} <= set(histogram.edges)


def test_a_bin_for_every_value() -> None:
    histogram = by_value(tally(np.array([3, 5, 5], np.int64)))
    assert (histogram.edges, histogram.counts) == ((3, 4, 5, 6), (1, 0, 2))
