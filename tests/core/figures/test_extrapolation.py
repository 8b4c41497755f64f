"""What of a plan was never measured, and how far its hours and its saving can be trusted."""

from dataclasses import replace

import numpy as np
import pytest

from bucketplan.corpus.corpus import Corpus
from bucketplan.cost.fitting.fit import fit
from bucketplan.cost.fitting.measured_cost import MeasuredCost
from bucketplan.cost.fitting.points import Point, Points
from bucketplan.cost.model import CostModel
from bucketplan.exploring.explorer import Explorer
from bucketplan.figures.extrapolation import extrapolated, hours_interval, measure, metric, saving_interval
from bucketplan.figures.micro_batches import MicroBatches
from bucketplan.figures.report import Report, saving
from bucketplan.figures.steps import Steps
from bucketplan.planning.knobs import Knobs
from bucketplan.planning.strategies.sequential import Sequential

TRUE = CostModel()
WIDTHS = (64, 1024, 2048, 4096, 6144, 8192)


def measured(seed: int = 0, noise: float = 0.01) -> MeasuredCost:
    times = (TRUE.linear * width + TRUE.quadratic * width**2 for width in WIDTHS)
    off = 1 + noise * np.random.default_rng(seed).standard_normal(len(WIDTHS))
    entries = zip(WIDTHS, times, off.tolist(), strict=True)
    return fit(Points("p", tuple(Point(n, width, time * by) for n, (width, time, by) in enumerate(entries)))).cost


def steps_of(report: Report) -> Steps:
    return Steps(MicroBatches(report.plan, report.knobs, report.cost), report.knobs)


@pytest.fixture(scope="module")
def explorer(small: Corpus) -> Explorer:
    return Explorer(small)


def test_wider_narrower_and_other_rows_are_extrapolated(explorer: Explorer) -> None:
    cost = measured()
    report = explorer.report(Knobs(), cost.model)
    steps = steps_of(report)
    micro, found = steps.micro_batches, measure(steps, cost)
    outside = (micro.widths < 64) | (micro.widths > 8192) | (micro.rows != 2)
    assert np.array_equal(extrapolated(micro, cost), outside)
    assert found.figures["extrapolated_micro_batches"] == outside.sum() == 117
    share = micro.seconds.total[outside].sum() / micro.seconds.total.sum()
    assert found.figures["extrapolated_share"] == pytest.approx(share)
    assert found.cautions == (
        "extrapolated: 117 of 751 micro-batches, 36.0% of the predicted time, lie outside what was measured: "
        "widths 64 to 8,192, 2 rows",
    )


def test_a_plan_within_what_was_measured_warns_of_nothing(explorer: Explorer) -> None:
    cost = measured()
    rows = tuple(Point(9, width, 1.0, rows) for width, rows in ((1, 1), (100_000, 8)))
    found = measure(steps_of(explorer.report(Knobs(), cost.model)), replace(cost, points=cost.points + rows))
    assert found.figures["extrapolated_micro_batches"] == 0
    assert found.cautions == ()


@pytest.mark.parametrize(
    "knobs",
    [
        Knobs(),
        Knobs(epochs=3),
        Knobs(steps=100),
        Knobs(world_size=4),
        Knobs(world_size=4, sync="micro"),
        Knobs(world_size=4, steps=100),
        Knobs(Sequential(), world_size=3, accumulation=5),
    ],
    ids=str,
)
def test_hours_move_with_the_coefficients_as_the_interval_says(explorer: Explorer, knobs: Knobs) -> None:
    """With one coefficient in doubt, the interval is what hours become when that one moves to its own ends."""
    cost = measured()
    alone = np.zeros((4, 4))
    alone[2, 2] = (0.001 * cost.model.quadratic) ** 2
    least, most = (
        explorer.report(knobs, replace(cost.model, quadratic=cost.model.quadratic * (1 + sign * 0.001 * 1.96)))
        for sign in (-1, 1)
    )
    found = hours_interval(steps_of(explorer.report(knobs, cost.model)), replace(cost, covariance=alone, freedom=10**6))
    assert found is not None
    assert (found.least, found.most) == pytest.approx((least.metrics["hours"], most.metrics["hours"]), rel=1e-6)


def test_intervals_hold_what_the_true_model_predicts(explorer: Explorer) -> None:
    plan, base = Knobs(), Knobs(Sequential())
    true = explorer.report(plan, TRUE)
    true_saving = saving(true, explorer.report(base, TRUE))
    hours_held = saving_held = 0
    for seed in range(20):
        cost = measured(seed)
        mine, other = (steps_of(explorer.report(knobs, cost.model)) for knobs in (plan, base))
        hours, saved = hours_interval(mine, cost), saving_interval(mine, other, cost)
        assert hours is not None
        assert saved is not None
        hours_held += hours.least <= (true.number("hours") or 0) <= hours.most
        saving_held += saved.time_fraction.least <= (true_saving.time_fraction or 0) <= saved.time_fraction.most
        assert saved.hours.least < saved.hours.most
    assert hours_held >= 16
    assert saving_held >= 16


@pytest.mark.parametrize("knobs", [Knobs(), Knobs(world_size=4), Knobs(steps=100)], ids=str)
def test_the_saving_lies_in_the_middle_of_its_interval(explorer: Explorer, knobs: Knobs) -> None:
    cost = measured()
    plan = explorer.report(knobs, cost.model)
    base = explorer.report(replace(knobs, strategy=Sequential()), cost.model)
    found, saved = saving_interval(steps_of(plan), steps_of(base), cost), saving(plan, base)
    assert found is not None
    for interval, value in ((found.time_fraction, saved.time_fraction), (found.hours, saved.hours)):
        assert (interval.least + interval.most) / 2 == pytest.approx(value)


def test_there_is_no_interval_without_residuals_or_for_typed_coefficients(explorer: Explorer) -> None:
    cost = measured()
    steps = steps_of(explorer.report(Knobs(), cost.model))
    assert hours_interval(steps, replace(cost, covariance=None, freedom=0)) is None
    typed = steps_of(explorer.report(Knobs(), replace(cost.model, linear=1e-3)))
    assert hours_interval(typed, cost) is None
    assert measure(typed, cost).figures["hours_least"] is None
    assert saving_interval(steps, typed, cost) is None


def test_the_figures_make_a_metric(explorer: Explorer) -> None:
    cost = measured()
    made = metric(cost)
    assert made.of_steps is not None
    found = made.of_steps(steps_of(explorer.report(Knobs(), cost.model)))
    assert list(found.figures) == [figure.name for figure in made.figures]
