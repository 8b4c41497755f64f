"""A plan in a few words."""

from bucketplan.planning.scenario import Scenario


def described(scenario: Scenario) -> str:
    """A plan in a few words: strategy, micro-batch, accumulation, ranks."""
    knobs = scenario.knobs
    options = "".join(f" {value:,}" for value in _numbers(scenario))
    ranks = f" · {knobs.world_size:,} ranks" if knobs.world_size > 1 else ""
    return f"{knobs.strategy.name}{options} · {knobs.micro_batch} · {knobs.accumulation}{ranks}"


def _numbers(scenario: Scenario) -> list[int | float]:
    names = set(scenario.plan_values) - set(Scenario().plan_values) | {"bucket"}
    values = [scenario.plan_values.get(name) for name in sorted(names)]
    return [value for value in values if isinstance(value, int | float)]
