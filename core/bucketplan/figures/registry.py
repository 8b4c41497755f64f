"""The figures of a plan: a concern a file, in one registry."""

from functools import cache
from importlib.metadata import entry_points

from bucketplan.figures import memory, mixing, padding, ranks, supervision, time, widths
from bucketplan.figures.figure import Figure, Metric

ENTRY_POINTS = "bucketplan.figures.registry"
"""Other distributions add figures with an entry point of this group that names a `Metric`."""

_BUILT_IN = (padding, widths, mixing, time, ranks, memory, supervision)


@cache
def registry() -> tuple[Metric, ...]:
    """Every metric: the built-in ones, then those of other distributions."""
    added = [entry.load() for entry in entry_points(group=ENTRY_POINTS)]
    return (*(module.METRIC for module in _BUILT_IN), *added)


@cache
def figures() -> dict[str, Figure]:
    """Every figure by name, in the order in which reports show them."""
    return {figure.name: figure for metric in registry() for figure in metric.figures}
