"""Everything a report depends on beside the corpus, under one set of names: knobs, the strategy's options, the cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache

from bucketplan.cost.model import CostModel
from bucketplan.errors import KnobError
from bucketplan.planning.knobs import Knobs
from bucketplan.planning.strategies.registry import option_settings, registry, strategy_named
from bucketplan.planning.strategies.sequential import Sequential
from bucketplan.printable import printable
from bucketplan.settings import Setting, Value, named, settings_of, values_of

# The values of these may hold commas.
_LISTS = ("only", "exclude", "cap")
# These fields of the cost model say little without its name before them.
_COST_NAMES = {name: f"cost_{name}" for name in ("linear", "quadratic", "fixed", "rows", "windowed", "window")}


@dataclass(frozen=True)
class Scenario:
    """A plan's knobs and the cost model it is judged with; values are read and changed by the names of `settings()`."""

    knobs: Knobs = field(default_factory=Knobs)
    cost: CostModel = field(default_factory=CostModel)

    @property
    def baseline(self) -> Scenario:
        """What a user starts comparing with: file order, everything else alike."""
        return replace(self, knobs=replace(self.knobs, strategy=Sequential()))

    @property
    def values(self) -> dict[str, Value]:
        """Every value by name: the strategy, its options, the knobs, the cost."""
        return self.plan_values | {_COST_NAMES.get(name, name): value for name, value in values_of(self.cost).items()}

    @property
    def plan_values(self) -> dict[str, Value]:
        """The values that make the plan: the strategy, its options and the knobs."""
        strategy = self.knobs.strategy
        return {"strategy": strategy.name} | values_of(strategy) | values_of(self.knobs)

    def change(self, name: str, value: Value) -> Scenario:
        """The same with one value changed.

        Raises:
            KnobError: there is no such name, the strategy has no such option, or the value is out of range.
        """
        knobs, cost = self.knobs, self.cost
        if name == "strategy":
            chosen = strategy_named(str(value))
            return self if chosen is type(knobs.strategy) else replace(self, knobs=replace(knobs, strategy=chosen()))
        if name in values_of(knobs.strategy):
            return replace(self, knobs=replace(knobs, strategy=replace(knobs.strategy, **{name: value})))
        if name in values_of(knobs):
            return replace(self, knobs=replace(knobs, **{name: value}))  # type: ignore[arg-type]
        for own in values_of(cost):
            if name == _COST_NAMES.get(own, own):
                return replace(self, cost=replace(cost, **{own: value}))  # type: ignore[arg-type]
        label = named(name, settings().values()).label
        owners = " or ".join(each.name for each in registry().values() if name in [s.name for s in settings_of(each)])
        raise KnobError(f"{label}: the strategy {knobs.strategy.name} has no such knob - choose {owners}")

    def assign(self, assignments: str) -> Scenario:
        """The same with what a user wrote as `name=value,name=value`; a strategy is chosen before its options.

        Raises:
            KnobError: a part is no assignment, or as for `change`.
        """
        pairs = _split(assignments)
        changed = self
        for name, text in sorted(pairs, key=lambda pair: pair[0] != "strategy"):
            each = named(name, settings().values())
            changed = changed.change(each.name, each.parse(text))
        return changed

    @classmethod
    def of(cls, values: Mapping[str, Value]) -> Scenario:
        """The scenario of which `values` gives these; what is not named has its default.

        Raises:
            KnobError: a name or a value that no scenario has.
        """
        scenario = cls()
        for name in sorted(values, key=lambda name: name != "strategy"):
            scenario = scenario.change(named(name, settings().values()).name, values[name])
        return scenario

    def assignments_from(self, start: Scenario) -> str:
        """What `assign` would take to get from another scenario's plan to this one's, the cost aside."""
        chosen = start.change("strategy", self.knobs.strategy.name).plan_values | {
            "strategy": start.knobs.strategy.name
        }
        changed = {name: value for name, value in self.plan_values.items() if value != chosen[name]}
        return ",".join(f"{settings()[name].label}={settings()[name].text(value)}" for name, value in changed.items())

    def options(self) -> list[str]:
        """The words of a command line that lead here from the defaults."""
        if self.knobs.strategy.name not in registry():  # an order from a file, which no option names
            return replace(self, knobs=replace(self.knobs, strategy=Knobs().strategy)).options()
        words: list[str] = []
        start = Scenario().change("strategy", self.knobs.strategy.name).values | {
            "strategy": Scenario().values["strategy"]
        }
        for name, value in self.values.items():
            if value != start[name]:
                words += option(settings()[name], value)
        return words


@cache
def settings() -> dict[str, Setting]:
    """Every setting by name: the strategy, the options of all strategies, the knobs, the cost."""
    names = tuple(registry())
    strategy = Setting("strategy", str, Knobs().strategy.name, False, None, None, names, "how records are ordered")
    cost = {
        _COST_NAMES.get(each.name, each.name): replace(each, name=_COST_NAMES.get(each.name, each.name))
        for each in settings_of(CostModel)
    }
    return {"strategy": strategy} | option_settings() | {each.name: each for each in settings_of(Knobs)} | cost


def option(each: Setting, value: Value) -> list[str]:
    """The words of a command line that give a setting a value."""
    if each.kind is bool:
        return [f"--{each.label}" if value else f"--no-{each.label}"]
    return [f"--{each.label}", each.text(value)]


def _split(assignments: str) -> list[tuple[str, str]]:
    """Names and texts; a part that names no setting goes on with the text before it, which then holds a comma."""
    pairs: list[tuple[str, str]] = []
    for part in assignments.split(","):
        name, equals, text = part.partition("=")
        continues = bool(pairs) and pairs[-1][0] in _LISTS
        if equals and (name.strip().replace("-", "_") in settings() or not continues):
            pairs.append((name.strip(), text))
        elif continues:
            pairs[-1] = (pairs[-1][0], f"{pairs[-1][1]},{part}")
        elif part.strip():
            raise KnobError(f"{printable(part, limit=40)}: not an assignment - write name=value")
    return pairs
