"""What a plan will cost and how well it mixes, gathered."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from bucketplan.cost.model import CostModel
from bucketplan.figures.figure import Figure, Metric, Number
from bucketplan.figures.histogram import Histogram
from bucketplan.figures.micro_batches import MicroBatches
from bucketplan.figures.series import Series
from bucketplan.figures.steps import Steps
from bucketplan.planning.knobs import Knobs
from bucketplan.planning.plan import Plan


@dataclass(frozen=True, eq=False)
class Report:
    """The figures of one plan.

    Attributes:
        plan: the order they describe.
        knobs: what it was made with.
        cost: what its seconds were predicted with.
        metrics: figures by name, None where one is unknown; `known` has their words.
        histograms: by name: lengths, widths, roots_per_window.
        series: by name: step_seconds, and rank_busy, the busy share of each rank, where there are several.
        cautions: what a user should be warned of, each a line.
        sources: the metrics that the figures come from, with their words.
    """

    plan: Plan
    knobs: Knobs
    cost: CostModel
    metrics: Mapping[str, Number]
    histograms: Mapping[str, Histogram] = field(default_factory=dict)
    series: Mapping[str, Series] = field(default_factory=dict)
    cautions: tuple[str, ...] = ()
    sources: tuple[Metric, ...] = ()

    @cached_property
    def steps(self) -> Steps:
        """The optimizer steps behind the figures."""
        return Steps(MicroBatches(self.plan, self.knobs, self.cost), self.knobs)

    @cached_property
    def known(self) -> dict[str, Figure]:
        """The words of each figure by name, in the order in which reports show them."""
        return {figure.name: figure for metric in self.sources for figure in metric.figures}

    def number(self, name: str) -> float | None:
        """A figure as a number, None where it is unknown."""
        value = self.metrics.get(name)
        return value if isinstance(value, int | float) else None


@dataclass(frozen=True)
class Saving:
    """What a plan saves against a baseline; negative where it costs more, None where that is unknown.

    Attributes:
        time_fraction: of the predicted time of one epoch.
        padded_tokens_fraction: of the padded tokens of one epoch.
        hours: of one epoch; of the fixed number of steps where that is what is run.
    """

    time_fraction: float | None
    padded_tokens_fraction: float | None
    hours: float | None


def saving(report: Report, baseline: Report) -> Saving:
    """What a plan saves against a baseline, over one epoch of each."""
    return Saving(
        time_fraction=_fraction(report.number("epoch_seconds"), baseline.number("epoch_seconds")),
        padded_tokens_fraction=_fraction(report.number("padded_tokens"), baseline.number("padded_tokens")),
        hours=_difference(_hours(report), _hours(baseline)),
    )


def _hours(report: Report) -> float | None:
    if report.knobs.steps is not None:
        return report.number("hours")
    seconds = report.number("epoch_seconds")
    return None if seconds is None else seconds / 3600


def _fraction(mine: float | None, base: float | None) -> float | None:
    return 1 - mine / base if mine is not None and base else None


def _difference(mine: float | None, base: float | None) -> float | None:
    return base - mine if mine is not None and base is not None else None
