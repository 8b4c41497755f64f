"""Several plans of one corpus beside a baseline."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from bucketplan.corpus.corpus import Corpus
from bucketplan.exploring.advice import beside, waiting
from bucketplan.exploring.explorer import Explorer
from bucketplan.figures.extrapolation import SavingIntervals, saving_interval
from bucketplan.figures.report import Report, Saving, saving
from bucketplan.planning.scenario import Scenario


@dataclass(frozen=True)
class Compared:
    """A plan beside the baseline under the same cost model.

    Attributes:
        name: what it is called.
        report: its figures.
        saving: what it saves; None for the baseline itself.
        interval: how far the saving can be trusted, where the cost was measured.
        cautions: what the report warns of, and what the comparison does, each a line.
    """

    name: str
    report: Report
    saving: Saving | None
    cautions: tuple[str, ...]
    interval: SavingIntervals | None = None


@dataclass(frozen=True)
class Comparison:
    """A baseline and the plans beside it."""

    corpus: Corpus
    baseline: Compared
    plans: tuple[Compared, ...]

    @property
    def everything(self) -> tuple[Compared, ...]:
        """The baseline, then the plans."""
        return (self.baseline, *self.plans)

    @property
    def warnings(self) -> list[str]:
        """What the load and the plans warn of; what not all plans share is said with the plan's name."""
        shared = [line for line in self.baseline.cautions if all(line in each.cautions for each in self.plans)]
        own = [f"{each.name}: {line}" for each in self.everything for line in each.cautions if line not in shared]
        return [*self.corpus.warnings, *shared, *own]


def compare(
    explorer: Explorer,
    baseline: Scenario,
    plans: Iterable[tuple[str, Scenario]],
    cancelled: Callable[[], bool] | None = None,
) -> Comparison:
    """Report on each plan, and on the baseline under each plan's cost model.

    Raises:
        KnobError: a plan leaves no record.
        Cancelled: `cancelled` said so.
    """

    def report(scenario: Scenario) -> Report:
        return explorer.report(scenario.knobs, scenario.cost, cancelled)

    compared = []
    for name, scenario in plans:
        mine, base = report(scenario), report(Scenario(baseline.knobs, scenario.cost))
        cautions = (*mine.cautions, *beside(mine, base), *waiting(explorer, mine, cancelled))
        measured = explorer.measured
        interval = None if measured is None else saving_interval(mine.steps, base.steps, measured)
        compared.append(Compared(name, mine, saving(mine, base), cautions, interval))
    base = report(baseline)
    cautions = (*base.cautions, *waiting(explorer, base, cancelled))
    return Comparison(explorer.corpus, Compared("baseline", base, None, cautions), tuple(compared))
