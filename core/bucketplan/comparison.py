"""Several plans of one corpus beside a baseline."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from bucketplan.corpus import Corpus
from bucketplan.explorer import Explorer
from bucketplan.report import Report, Saving, saving
from bucketplan.scenario import Scenario


@dataclass(frozen=True)
class Compared:
    """A plan and what it saves against the baseline under the same cost model; the baseline itself saves nothing."""

    name: str
    report: Report
    saving: Saving | None


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
        told = list(self.corpus.warnings)
        shared = [
            line for line in self.baseline.report.cautions if all(line in each.report.cautions for each in self.plans)
        ]
        own = [
            f"{each.name}: {line}" for each in self.everything for line in each.report.cautions if line not in shared
        ]
        return told + shared + own


def compare(
    corpus: Corpus,
    baseline: Scenario,
    plans: Iterable[tuple[str, Scenario]],
    cancelled: Callable[[], bool] | None = None,
) -> Comparison:
    """Report on each plan, and on the baseline under each plan's cost model.

    Raises:
        KnobError: a plan leaves no record.
        Cancelled: `cancelled` said so.
    """
    explorer = Explorer(corpus)

    def report(scenario: Scenario) -> Report:
        return explorer.report(scenario.knobs, scenario.cost, cancelled)

    compared = []
    for name, scenario in plans:
        mine, base = report(scenario), report(Scenario(baseline.knobs, scenario.cost))
        compared.append(Compared(name, mine, saving(mine, base)))
    return Comparison(corpus, Compared("baseline", report(baseline), None), tuple(compared))
