"""Options of the command line, alike for the app and the plain command: one for each knob, from its declaration."""

import argparse

from bucketplan.scenario import Scenario, settings
from bucketplan_tui.command.parser import Parser


def add_cache_options(parser: Parser) -> None:
    """The cache, and how it is read."""
    parser.add_argument(
        "cache", nargs="?", metavar="CACHE", help="an encode cache: JSON Lines, plain or gzip; - reads stdin"
    )
    parser.add_argument("--demo", action="store_true", help="the built-in corpus of real lengths, in place of a cache")
    parser.add_argument("--skip-bad", action="store_true", help="go on past bad records, and say which were skipped")
    parser.add_argument("--no-index", action="store_true", help="neither use nor keep what an earlier load learned")
    parser.add_argument("-v", "--verbose", action="store_true", help="say on stderr what became of that")


def add_knob_options(parser: Parser) -> None:
    """An option for every setting, and the baseline."""
    group = parser.add_argument_group("knobs")
    for each in settings().values():
        words = f"{each.help} ({each.domain}; default {each.text(each.default)})"
        if each.kind is bool:
            group.add_argument(
                f"--{each.label}", action=argparse.BooleanOptionalAction, default=None, help=_percent(words)
            )
        else:
            group.add_argument(f"--{each.label}", metavar="VALUE", help=_percent(words))
    parser.add_argument(
        "--baseline",
        metavar="KNOB=VALUE,...",
        help="what plans are compared with: the given knobs in file order, changed as told here",
    )


def scenario_of(parsed: argparse.Namespace) -> Scenario:
    """The scenario that the options given lead to.

    Raises:
        KnobError: a value is out of its range, or the strategy has no such option.
    """
    scenario = Scenario()
    for each in settings().values():
        given = getattr(parsed, each.name)
        if given is not None:
            scenario = scenario.change(each.name, given if each.kind is bool else each.parse(given))
    return scenario


def baseline_of(parsed: argparse.Namespace, scenario: Scenario) -> Scenario:
    """The baseline that the options given lead to.

    Raises:
        KnobError: as for `scenario_of`.
    """
    return scenario.baseline if parsed.baseline is None else scenario.baseline.assign(parsed.baseline)


def check_cache_given(parser: Parser, parsed: argparse.Namespace) -> None:
    """Refuse a command line with no corpus, or with two."""
    if parsed.demo == (parsed.cache is not None):
        parser.error("give one cache, or --demo" if parsed.demo else "no cache given: name one, or try --demo")


def _percent(text: str) -> str:
    return text.replace("%", "%%")
