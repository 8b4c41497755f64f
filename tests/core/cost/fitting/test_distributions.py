"""Against printed tables of the F and t distributions."""

import math

import pytest

from bucketplan.cost.fitting.distributions import f_tail, incomplete_beta, t_quantile


@pytest.mark.parametrize(
    ("confidence", "freedom", "quantile"),
    [
        (0.95, 1, 12.706204736),
        (0.95, 2, 4.302652730),
        (0.95, 5, 2.570581836),
        (0.99, 10, 3.169272673),
        (0.95, 1000, 1.962339081),
        (0.95, 100_000, 1.959987708),
    ],
)
def test_quantiles_of_t(confidence: float, freedom: int, quantile: float) -> None:
    assert t_quantile(confidence, freedom) == pytest.approx(quantile, rel=1e-8)


@pytest.mark.parametrize(
    ("value", "numerator", "denominator", "chance"),
    [(6.607890974, 1, 5, 0.05), (16.258177037, 1, 5, 0.01), (9.552094496, 2, 3, 0.05)],
)
def test_tails_of_f(value: float, numerator: int, denominator: int, chance: float) -> None:
    assert f_tail(value, numerator, denominator) == pytest.approx(chance, rel=1e-8)


def test_the_ends_of_f() -> None:
    assert f_tail(0, 1, 5) == 1
    assert f_tail(math.inf, 1, 5) == 0


@pytest.mark.parametrize("x", [0.0, 1e-9, 0.3, 0.5, 0.9, 1.0])
def test_beta_of_whole_parameters_is_a_polynomial(x: float) -> None:
    # I_x(2, 3) is the chance of at least 2 heads in 4 throws.
    wanted = 6 * x**2 * (1 - x) ** 2 + 4 * x**3 * (1 - x) + x**4
    assert incomplete_beta(2, 3, x) == pytest.approx(wanted, rel=1e-12)
