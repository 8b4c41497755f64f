"""From knobs to a report, computing only what the last knob moved."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from bucketplan.corpus.corpus import Corpus
from bucketplan.corpus.tally import tally
from bucketplan.cost.fitting.measured_cost import MeasuredCost
from bucketplan.cost.model import CostModel
from bucketplan.exploring.memo import Memo
from bucketplan.figures import extrapolation
from bucketplan.figures.figure import Measured
from bucketplan.figures.histogram import Histogram, logarithmic
from bucketplan.figures.micro_batches import MicroBatches
from bucketplan.figures.registry import registry
from bucketplan.figures.report import Report
from bucketplan.figures.steps import Steps
from bucketplan.planning.balance import balanced
from bucketplan.planning.knobs import Knobs
from bucketplan.planning.plan import Plan
from bucketplan.planning.strategies.strategy import Work
from bucketplan.selection.selection import Selection, select

# Now, the baseline, a few pins, and the plans a user goes back and forth between; of a large corpus, whose plans take
# some hundred bytes a record, fewer: but never so few that now, the baseline and a pin drive each other out.
_MOST, _LEAST, _RECORDS = 12, 3, 6_000_000


class Explorer:
    """Reports on plans of one corpus.

    Results of each stage are remembered: a selection, the shuffles of a strategy, a plan, the figures of its
    micro-batches. A knob that only steps read, such as accumulation, leaves all of these as they are. It may be used
    from several threads.
    """

    def __init__(self, corpus: Corpus, measured: MeasuredCost | None = None) -> None:
        """Explore a corpus.

        Args:
            corpus: at least one record.
            measured: points behind the cost model; reports then say how far the prediction can be trusted.
        """
        self.corpus, self.measured = corpus, measured
        self._metrics = registry() if measured is None else (*registry(), extrapolation.metric(measured))
        size = max(_LEAST, min(_MOST, _RECORDS // len(corpus)))
        self._selections, self._shuffles, self._plans, self._micro_batches = (Memo(size) for _ in range(4))

    def report(
        self, knobs: Knobs, cost: CostModel | None = None, cancelled: Callable[[], bool] | None = None
    ) -> Report:
        """The plan of these knobs, and its figures.

        Args:
            knobs: what to plan with.
            cost: what to predict seconds with; the default model if None.
            cancelled: asked now and then whether the result is no longer wanted.

        Raises:
            KnobError: the knobs leave no record.
            Cancelled: `cancelled` said so.
        """
        cost = cost or CostModel()
        work = Work(self._shuffles, cancelled or (lambda: False))
        selection = self._selection(knobs)
        plan = self._balanced(self._plan(selection, knobs, work), knobs, cost)
        work.check()
        micro, lengths, measured = self._measured(plan, knobs, cost)
        work.check()
        steps = Steps(micro, knobs)
        measured = [*measured, *(metric.of_steps(steps) for metric in self._metrics if metric.of_steps)]
        figures = {name: value for each in measured for name, value in each.figures.items()}
        cautions = [
            *selection.cautions,
            *plan.cautions,
            *(line for each in measured for line in each.cautions),
        ]
        return Report(
            plan=plan,
            knobs=knobs,
            cost=cost,
            metrics=figures | {"order_sha256": plan.sha256},
            histograms={"lengths": lengths}
            | {name: each for found in measured for name, each in found.histograms.items()},
            series={name: each for found in measured for name, each in found.series.items()},
            cautions=tuple(cautions),
            sources=self._metrics,
        )

    def whole_run(
        self, knobs: Knobs, cost: CostModel | None = None, cancelled: Callable[[], bool] | None = None
    ) -> Iterator[Plan]:
        """The plan of each epoch, in order: epoch e is planned with seed + e. Steps never span epochs.

        Raises:
            KnobError: the knobs leave no record, or a seed is out of range.
            Cancelled: `cancelled` said so.
        """
        for epoch in range(knobs.epochs):
            yield self.report(replace(knobs, seed=knobs.seed + epoch), cost, cancelled).plan

    def _selection(self, knobs: Knobs) -> Selection:
        drawn_with = knobs.seed if knobs.cap else None
        key = (knobs.only, knobs.exclude, knobs.cap, drawn_with, knobs.max_length, knobs.over_max)
        return self._selections(key, lambda: select(self.corpus, knobs))

    def _plan(self, selection: Selection, knobs: Knobs, work: Work) -> Plan:
        read = tuple(getattr(knobs, name) for name in sorted(knobs.strategy.reads))
        key = (selection, knobs.strategy, read)
        return self._plans(key, lambda: knobs.strategy.plan(selection, knobs, work))

    def _balanced(self, plan: Plan, knobs: Knobs, cost: CostModel) -> Plan:
        if knobs.balance == "off":
            return plan
        key = (plan, knobs.balance, knobs.accumulation, knobs.world_size, knobs.sync, knobs.pad_to_multiple, cost)
        return self._plans(key, lambda: balanced(plan, MicroBatches(plan, knobs, cost).seconds.total, knobs))

    def _measured(self, plan: Plan, knobs: Knobs, cost: CostModel) -> tuple[MicroBatches, Histogram, list[Measured]]:
        def measure() -> tuple[MicroBatches, Histogram, list[Measured]]:
            micro = MicroBatches(plan, knobs, cost)
            lengths = logarithmic(tally(plan.selection.lengths))
            found = [metric.of_micro_batches(micro) for metric in self._metrics if metric.of_micro_batches]
            return micro, lengths, found

        # Plans by identity: they are remembered themselves. A micro-batch's size is part of the plan.
        key = (plan, knobs.pad_to_multiple, knobs.drop_last, cost)
        return self._micro_batches(key, measure)
