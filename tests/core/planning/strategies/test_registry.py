from dataclasses import dataclass
from importlib.metadata import EntryPoint
from typing import ClassVar

import numpy as np
import pytest

from bucketplan.corpus.corpus import Corpus
from bucketplan.errors import KnobError
from bucketplan.exploring.explorer import Explorer
from bucketplan.planning.knobs import Knobs
from bucketplan.planning.plan import Plan, plan_of
from bucketplan.planning.strategies import registry as strategies
from bucketplan.planning.strategies.registry import option_settings, registry, strategy_named
from bucketplan.planning.strategies.strategy import Strategy, Work
from bucketplan.selection.selection import Selection
from bucketplan.settings import setting


@dataclass(frozen=True)
class Rotated(Strategy):
    """File order, begun somewhere else."""

    name: ClassVar[str] = "rotated"
    summary: ClassVar[str] = "file order from another start"
    reads: ClassVar[frozenset[str]] = frozenset({"micro_batch"})

    by: int = setting(1, "where to begin", minimum=0)

    def plan(self, selection: Selection, knobs: Knobs, work: Work) -> Plan:
        return plan_of(selection, np.roll(np.arange(len(selection)), -self.by), knobs.micro_batch)


@pytest.fixture
def added(monkeypatch: pytest.MonkeyPatch) -> object:
    entry = EntryPoint("rotated", f"{__name__}:Rotated", strategies.ENTRY_POINTS)
    monkeypatch.setattr(EntryPoint, "load", lambda self: Rotated)
    monkeypatch.setattr(strategies, "entry_points", lambda group: [entry])
    registry.cache_clear()
    yield
    monkeypatch.undo()
    registry.cache_clear()


def test_another_distribution_can_add_a_strategy(added: object) -> None:
    assert strategy_named("rotated") is Rotated
    assert option_settings()["by"].help == "where to begin"
    corpus = Corpus("four", np.array([1, 2, 3, 4], np.int32))
    assert Explorer(corpus).report(Knobs(Rotated(by=3))).plan.record_numbers.tolist() == [3, 0, 1, 2]


def test_built_in_strategies_are_known_by_name() -> None:
    assert list(registry()) == ["bucket", "sequential"]


def test_an_unknown_strategy_lists_the_known_ones() -> None:
    with pytest.raises(KnobError, match="best is not known - give one of bucket, sequential"):
        strategy_named("best")
