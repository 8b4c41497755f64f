"""Sweeps: one plan for each value of a knob, a grid for two."""

from itertools import product

from bucketplan.errors import KnobError
from bucketplan.planning.scenario import Scenario, settings
from bucketplan.printable import printable
from bucketplan.settings import Value, named

_MOST = 1000


def swept(scenario: Scenario, sweeps: list[str]) -> list[tuple[str, Scenario]]:
    """Named plans: the scenario itself where nothing is swept.

    Args:
        scenario: what every plan starts from.
        sweeps: each `knob=value,value,...`.

    Raises:
        KnobError: no such knob, one that has no numbers, a value out of range, or too many plans.
    """
    if not sweeps:
        return [("plan", scenario)]
    axes = [_axis(sweep) for sweep in sweeps]
    count = 1
    for _, values in axes:
        count *= len(values)
    if count > _MOST:
        raise KnobError(f"sweep: {count:,} plans are more than {_MOST:,} - give fewer values")
    plans = []
    for chosen in product(*(values for _, values in axes)):
        changed, words = scenario, []
        for (name, _), value in zip(axes, chosen, strict=True):
            changed = changed.change(name, value)
            words.append(f"{settings()[name].label}={value}")
        plans.append((" ".join(words), changed))
    return plans


def _axis(sweep: str) -> tuple[str, list[Value]]:
    name, equals, texts = sweep.partition("=")
    if not equals or not texts.strip():
        raise KnobError(f"sweep: {printable(sweep, limit=40)} names no values - write knob=value,value")
    each = named(name, settings().values())
    if not each.numeric:
        numeric = ", ".join(one.label for one in settings().values() if one.numeric)
        raise KnobError(f"sweep: {each.label} has no numbers - sweep one of {numeric}")
    values = [each.parse(text) for text in texts.split(",")]
    if len(set(values)) < len(values):
        raise KnobError(f"sweep: {printable(sweep, limit=40)} names a value twice - give each once")
    return each.name, values
