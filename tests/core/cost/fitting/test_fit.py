"""Fits find what points were made from, and say what points do not tell."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from bucketplan.cost.fitting.findings import findings
from bucketplan.cost.fitting.fit import Fit, fit
from bucketplan.cost.fitting.points import Point, Points
from bucketplan.cost.model import CostModel, predict
from bucketplan.errors import InputError

SEED = CostModel()
WIDTHS = (512, 1024, 2048, 4096, 6144, 8192, 12288, 16384)


def points(
    model: CostModel, widths: Sequence[int] = WIDTHS, noise: float = 0, seed: int = 0, rows: Sequence[int] = (2,)
) -> Points:
    """Measurements of each width with each number of rows, off by a share that is normally distributed."""
    shapes = [(width, count) for count in rows for width in widths]
    wide, count = (np.array(column) for column in zip(*shapes, strict=True))
    seconds = predict(model, wide, count, np.zeros(len(shapes), np.bool_)).total
    seconds *= 1 + noise * np.random.default_rng(seed).standard_normal(len(shapes))
    entries = zip(shapes, seconds.tolist(), strict=True)
    return Points("p", tuple(Point(line, *shape[:1], time, shape[1]) for line, (shape, time) in enumerate(entries, 2)))


def of(*pairs: tuple[int, float]) -> Fit:
    return fit(Points("p", tuple(Point(line, width, time) for line, (width, time) in enumerate(pairs, 2))))


def warned(fitted: Fit, words: str) -> bool:
    return any(words in line for line in fitted.warnings)


def test_three_points_of_the_seed_give_its_constants_back() -> None:
    fitted = fit(points(SEED, (2048, 8192, 16384)))
    assert fitted.cost.model.linear == pytest.approx(SEED.linear)
    assert fitted.cost.model.quadratic == pytest.approx(SEED.quadratic)
    assert findings(fitted) == [
        "no fixed term needed: not launch-bound, the points lie on the curve without one",
        "quadratic share 20.9% at 2,048 -> 67.8% at 16,384",
        "crossover width 7,764: above it the quadratic part is larger than the linear one",
    ]
    assert fitted.warnings == ()


def test_three_noisy_points_of_the_seed_give_them_nearly_back() -> None:
    fitted = fit(points(SEED, (2048, 8192, 16384), noise=0.001))
    assert fitted.cost.model.linear == pytest.approx(SEED.linear, rel=0.01)
    assert fitted.cost.model.quadratic == pytest.approx(SEED.quadratic, rel=0.01)
    assert findings(fitted)[0].startswith("no fixed term needed: not launch-bound, the curve without one is within 0.0")
    assert fitted.confidence["fixed"] is None
    low, high = fitted.confidence["linear"] or (1.0, 0.0)
    assert low < SEED.linear < high


WINDOWED = CostModel(quadratic=2e-8, windowed=1.5e-7, window=1024)


def found_fixed(model: CostModel, share: float) -> int:
    """In how many of 100 draws a fixed term is found that takes this share of the time at width 512."""
    (at_512,) = points(model, (512,)).points
    planted = replace(model, fixed=at_512.seconds * share / (1 - share))
    draws = (fit(points(planted, noise=0.01, seed=seed), model.window) for seed in range(100))
    return sum(fitted.cost.model.fixed > 0 for fitted in draws)


@pytest.mark.parametrize("model", [SEED, WINDOWED], ids=["global attention", "windowed layers"])
def test_no_fixed_term_is_found_where_there_is_none(model: CostModel) -> None:
    assert found_fixed(model, 0.0) <= 10


@pytest.mark.parametrize("model", [SEED, WINDOWED], ids=["global attention", "windowed layers"])
def test_a_fixed_term_of_a_fifth_of_the_least_time_is_found(model: CostModel) -> None:
    assert found_fixed(model, 0.2) >= 90


@pytest.mark.parametrize("seed", range(5))
def test_coefficients_lie_in_their_intervals(seed: int) -> None:
    fitted = fit(points(CostModel(fixed=0.1), noise=0.01, seed=seed))
    for term in ("fixed", "linear", "quadratic"):
        low, high = fitted.confidence[term] or (1.0, 0.0)
        assert low < fitted.solution.values[term] < high
    assert fitted.leave_one_out is not None
    assert 0.005 < fitted.leave_one_out < 0.05


def test_rows_tell_the_fixed_term_from_the_linear_one() -> None:
    planted = CostModel(fixed=0.05, rows=2)
    fitted = fit(points(planted, WIDTHS[:4], rows=(2, 4)))
    assert fitted.cost.model.fixed == pytest.approx(planted.fixed)
    assert fitted.cost.model.linear == pytest.approx(planted.linear)
    assert "a fixed term of 50 ms is needed" in findings(fitted)[0]


def test_r0_is_the_commonest_number_of_rows() -> None:
    fitted = fit(Points("p", (*points(SEED, WIDTHS[:3], rows=(4,)).points, *points(SEED, WIDTHS[:2]).points)))
    assert fitted.cost.model.rows == 4
    assert fitted.cost.model.linear == pytest.approx(2 * SEED.linear)


def test_layers_with_a_window_have_a_term_of_their_own() -> None:
    fitted = fit(points(WINDOWED, noise=0.001), window=1024)
    assert fitted.cost.model.windowed == pytest.approx(WINDOWED.windowed, rel=0.1)
    assert fitted.cost.model.quadratic == pytest.approx(WINDOWED.quadratic, rel=0.1)
    assert any(line.startswith("sliding-window share ") for line in findings(fitted))
    assert len(fitted.candidates) == 15


def test_a_window_that_no_width_passes_is_said() -> None:
    fitted = fit(points(CostModel(fixed=0.1)), window=100_000)
    assert warned(fitted, "no width is beyond the window of 100,000")
    assert fitted.cost.model.fixed == pytest.approx(0.1)
    assert fitted.cost.model.quadratic == pytest.approx(SEED.quadratic)
    assert fitted.cost.model.windowed == 0


def test_the_comparison_says_which_terms_are_needed() -> None:
    fitted = fit(points(SEED, noise=0.01))
    assert len(fitted.candidates) == 7
    assert fitted.candidates["linear",].needs_more
    assert fitted.candidates["quadratic",].needs_more
    assert not fitted.candidates["linear", "quadratic"].needs_more
    best = min(fitted.candidates.items(), key=lambda entry: entry[1].aicc or 0)
    assert best[0] == ("linear", "quadratic")


def test_two_points_determine_two_coefficients_and_judge_nothing() -> None:
    fitted = fit(points(SEED, (1024, 4096)))
    assert fitted.cost.model.linear == pytest.approx(SEED.linear)
    assert warned(fitted, "two points for two coefficients")
    assert fitted.cost.covariance is None
    assert fitted.leave_one_out is None
    assert set(fitted.confidence.values()) == {None}
    assert all(each.p is None and each.aicc is None for each in fitted.candidates.values())


def test_one_width_is_refused_however_often_it_was_measured() -> None:
    with pytest.raises(InputError, match="p: two distinct widths are needed, and there is one: 2,048"):
        of((2048, 0.5), (2048, 0.51))


def test_repeated_widths_all_count() -> None:
    fitted = of((512, 0.99), (512, 1.01), (1024, 1.98), (1024, 2.02), (4096, 7.92), (4096, 8.08))
    assert len(fitted.cost.points) == 6
    assert fitted.cost.model.linear == pytest.approx(2 / 1024, rel=1e-3)
    assert fitted.warnings == ()


def test_a_slow_first_point_is_named_a_warm_up() -> None:
    first, *others = points(SEED, noise=0.01).points
    fitted = fit(Points("p", (Point(2, first.width, 5 * first.seconds), *others)))
    assert warned(fitted, "line 2: an outlier")
    assert warned(fitted, "a warm-up point?")
    assert len(fitted.cost.points) == len(WIDTHS)


def test_an_outlier_elsewhere_is_named_by_its_line() -> None:
    *others, last = points(SEED, noise=0.01).points
    fitted = fit(Points("p", (*others, Point(9, last.width, last.seconds / 2))))
    assert warned(fitted, "line 9: an outlier")
    assert not warned(fitted, "warm-up")


def test_points_of_two_curves_are_said_to_fit_none() -> None:
    slow = CostModel(linear=3 * SEED.linear, quadratic=3 * SEED.quadratic)
    both = (*points(SEED, noise=0.01).points, *points(slow, noise=0.01).points)
    assert warned(fit(Points("p", both)), "one curve does not fit these points: poor")


def test_repeats_show_a_kink_that_is_smaller_than_five_percent() -> None:
    kinked = [(width, time * (1.06 if width == 2048 else 1) * off) for width, time in _curve() for off in (1, 1.001)]
    assert warned(of(*kinked), "repeats agree with each other better than with it")


def _curve() -> list[tuple[int, float]]:
    return [(point.width, point.seconds) for point in points(SEED).points]


def test_times_that_fall_are_named_and_no_coefficient_is_negative() -> None:
    fitted = of((512, 0.5), (1024, 0.4), (2048, 0.3), (4096, 0.2))
    assert warned(fitted, "times decrease with width, from 0.5 s at 512 to 0.4 s at 1,024, and 2 more")
    assert warned(fitted, "the quadratic term would be negative and is held at 0")
    assert min(fitted.solution.values.values()) == 0
    assert findings(fitted)[0].startswith("no fixed term found, and none ruled out")


def test_noise_alone_is_seldom_warned_of() -> None:
    assert sum(bool(fit(points(SEED, noise=0.01, seed=seed)).warnings) for seed in range(100)) <= 5
