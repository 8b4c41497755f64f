"""The cost formula, term by term."""

import numpy as np
import pytest

from bucketplan.cost.model import CostModel, predict
from bucketplan.cost.term_shares import shares


def seconds(cost: CostModel, width: int, rows: int = 2, padded: bool = False) -> float:
    return float(predict(cost, np.array([width]), np.array([rows]), np.array([padded])).total[0])


COST = CostModel(linear=2.0, quadratic=3.0, fixed=5.0, rows=2, windowed=7.0, window=10)


@pytest.mark.parametrize(("width", "windowed"), [(4, 7.0 * 4 * 4), (10, 7.0 * 100), (30, 7.0 * 30 * 10)])
def test_a_window_stops_the_growth_with_the_square(width: int, windowed: float) -> None:
    assert seconds(COST, width) == 5 + 2 * width + 3 * width**2 + windowed


def test_rows_scale_all_but_the_fixed_term() -> None:
    assert seconds(COST, 4, rows=6) - 5 == 3 * (seconds(COST, 4, rows=2) - 5)


def test_without_a_window_every_width_lies_within_it() -> None:
    assert seconds(CostModel(linear=0, quadratic=0, windowed=7.0), 30) == 7 * 30**2


def test_the_mask_penalty_is_on_padded_micro_batches_where_a_mask_is_passed() -> None:
    masked = CostModel(mask_penalty=1.5, passes_mask=True)
    assert seconds(masked, 64, padded=True) == pytest.approx(1.5 * seconds(masked, 64))
    assert seconds(CostModel(mask_penalty=1.5), 64, padded=True) == seconds(CostModel(), 64)


def test_shares_are_of_the_whole() -> None:
    found = shares(COST, 30)
    assert sum(found.values()) == pytest.approx(1)
    assert found["windowed"] == pytest.approx(2100 / seconds(COST, 30))
    assert set(shares(CostModel(linear=0, quadratic=0), 30).values()) == {0}
