import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bucketplan.figures.variation import neighbour_correlation, variation


@given(st.lists(st.integers(1, 1000), min_size=1, max_size=50))
def test_variation_is_the_population_deviation_over_the_mean(values: list[int]) -> None:
    expected = statistics.pstdev(values) / statistics.fmean(values)
    assert variation(np.array(values)) == pytest.approx(expected, abs=1e-12)


@given(st.lists(st.integers(1, 1000), min_size=3, max_size=50))
def test_correlation_is_pearsons_of_neighbours(values: list[int]) -> None:
    before, after = values[:-1], values[1:]
    if len(set(before)) > 1 and len(set(after)) > 1:
        assert neighbour_correlation(np.array(values)) == pytest.approx(statistics.correlation(before, after), abs=1e-9)
    else:
        assert neighbour_correlation(np.array(values)) is None


def test_a_sawtooth_shows() -> None:
    assert neighbour_correlation(np.arange(100)) == pytest.approx(1)
    assert neighbour_correlation(np.array([1, 9] * 50)) == pytest.approx(-1)
    assert neighbour_correlation(np.array([1, 2])) is None
    assert variation(np.zeros(3)) is None
