"""Batching strategies, a file each, in one registry that the app and the command line read."""

from functools import cache
from importlib.metadata import entry_points

from bucketplan.errors import KnobError
from bucketplan.planning.strategies.bucket import Bucket
from bucketplan.planning.strategies.sequential import Sequential
from bucketplan.planning.strategies.strategy import Strategy
from bucketplan.printable import printable
from bucketplan.settings import Setting, settings_of

ENTRY_POINTS = "bucketplan.planning.strategies.registry"
"""Other distributions add a strategy with an entry point of this group that names a `Strategy` class."""


@cache
def registry() -> dict[str, type[Strategy]]:
    """Every strategy by name: the built-in ones, then those of other distributions.

    Raises:
        KnobError: an entry point names something that is no strategy, or a name is taken.
    """
    known: dict[str, type[Strategy]] = {each.name: each for each in (Bucket, Sequential)}
    for entry in entry_points(group=ENTRY_POINTS):
        found = entry.load()
        if not (isinstance(found, type) and issubclass(found, Strategy)):
            raise KnobError(f"strategy {printable(entry.name)}: {printable(entry.value)} is no Strategy")
        if found.name in known:
            raise KnobError(f"strategy {printable(entry.name)}: the name {printable(found.name)} is taken")
        known[found.name] = found
    return known


def strategy_named(name: str) -> type[Strategy]:
    """The strategy a user named.

    Raises:
        KnobError: there is none of that name.
    """
    if name not in registry():
        known = ", ".join(map(printable, registry()))
        raise KnobError(f"strategy: {printable(name, limit=40)} is not known - give one of {known}")
    return registry()[name]


def option_settings() -> dict[str, Setting]:
    """The options of all strategies by name."""
    return {each.name: each for strategy in registry().values() for each in settings_of(strategy)}
