"""Options of the command line, alike for the app and the plain command: one for each knob, from its declaration."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING

from bucketplan.planning.scenario import Scenario, settings
from bucketplan.printable import printable
from bucketplan_tui.options.parser import Parser
from bucketplan_tui.text.output import complain

if TYPE_CHECKING:
    from bucketplan.cost.fitting.measured_cost import MeasuredCost

# What reads other files is imported where such a file is given: the first paint does not wait for it.

KEYS = {
    "ids": "token ids",
    "labels": "labels",
    "mask": "the attention mask",
    "root": "the source dataset",
    "kind": "the kind of a record",
}
"""What may stand under a key of the user's choice."""


_MANIFESTS = {"manifest": "the plan, in place of a strategy", "baseline-manifest": "the baseline"}
_SWITCHES = ("skip-bad", "positions", "no-index")
_VALUES = ("cost", *_MANIFESTS, "journal", "progress", *(f"key-{field}" for field in KEYS))


def add_cache_options(parser: Parser) -> None:
    """The cache, and how it is read."""
    parser.add_argument(
        "cache", nargs="?", metavar="CACHE", help="an encode cache: JSON Lines, plain or gzip; - reads stdin"
    )
    parser.add_argument("--demo", action="store_true", help="the built-in corpus of real lengths, in place of a cache")
    parser.add_argument("--skip-bad", action="store_true", help="go on past bad records, and say which were skipped")
    for field, what in KEYS.items():
        parser.add_argument(f"--key-{field}", metavar="NAME", help=f"the key of {what}; a dot leads into an object")
    parser.add_argument(
        "--positions", action="store_true", help="read where supervised tokens stand, for exact losses; slow"
    )
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


def add_file_options(parser: Parser) -> None:
    """Knobs and a cost model from files."""
    parser.add_argument("--cost", metavar="FILE", help="the cost model and its points, as `bucketplan fit` writes them")
    parser.add_argument(
        "--config",
        metavar="FILE",
        dest="from_config",
        help="knobs from an Axolotl or LLaMA-Factory YAML, or TrainingArguments as JSON",
    )


def add_manifest_options(parser: Parser) -> None:
    """Orders that were written down before, as the plan and as the baseline."""
    for option, what in _MANIFESTS.items():
        parser.add_argument(
            f"--{option}", metavar="FILE", dest=_name(option), help=f"the order of a manifest as {what}"
        )


def scenario_of(parsed: argparse.Namespace) -> Scenario:
    """The scenario that the options given lead to: a manifest or the defaults, then files, then single knobs.

    Raises:
        InputError: a file cannot be read.
        KnobError: a value is out of its range, or the strategy has no such option.
    """
    scenario, measured = Scenario(), measured_of(parsed)
    written = getattr(parsed, _name("manifest"), None)
    if written is not None:
        scenario = _written(written)
    if measured is not None:
        scenario = replace(scenario, cost=measured.model)
    config = getattr(parsed, "from_config", None)
    if config is not None:
        scenario = _taken(config, scenario)
    for each in settings().values():
        given = getattr(parsed, each.name)
        if given is not None:
            scenario = scenario.change(each.name, given if each.kind is bool else each.parse(given))
    return scenario


def measured_of(parsed: argparse.Namespace) -> MeasuredCost | None:
    """The measurements behind the cost model, where a cost file is given.

    Raises:
        InputError: it is no cost file.
    """
    path = getattr(parsed, "cost", None)
    if path is None:
        return None
    from bucketplan.cost.fitting.cost_file import read_cost

    return read_cost(path)


def baseline_of(parsed: argparse.Namespace, scenario: Scenario) -> Scenario:
    """The baseline that the options given lead to.

    Raises:
        InputError: its manifest cannot be read.
        KnobError: as for `scenario_of`.
    """
    baseline = scenario.baseline
    written = getattr(parsed, _name("baseline-manifest"), None)
    if written is not None:
        baseline = replace(_written(written), cost=scenario.cost)
    return baseline if parsed.baseline is None else baseline.assign(parsed.baseline)


def repeated_words(parsed: argparse.Namespace) -> list[str]:
    """Those words of a command line that say how to read the cache and what to take from other files."""
    words = [f"--{option}" for option in _SWITCHES if getattr(parsed, _name(option), False)]
    for option in _VALUES:
        given = getattr(parsed, _name(option), None)
        words += [] if given is None else [f"--{option}", given]
    return words


def _name(option: str) -> str:
    """Where the parser puts what an option was given; `manifest` alone is an argument of another command."""
    return f"from_{option.replace('-', '_')}" if option in _MANIFESTS else option.replace("-", "_")


def _written(path: str) -> Scenario:
    """The scenario that a manifest holds."""
    from bucketplan.order.manifest_strategy import cost_of, knobs_of
    from bucketplan.order.reading import read_manifest

    manifest = read_manifest(path)
    return Scenario(knobs_of(manifest), cost_of(manifest))


def _taken(path: str, scenario: Scenario) -> Scenario:
    """The scenario with the knobs of a trainer's configuration; what was taken is said on stderr."""
    from bucketplan.trainers.config import knobs_from_config

    for name, value, key in knobs_from_config(path):
        scenario = scenario.change(name, value)
        complain(f"{printable(path)}: {printable(key)} gives {settings()[name].label}={settings()[name].text(value)}")
    return scenario


def check_cache_given(parser: Parser, parsed: argparse.Namespace) -> None:
    """Refuse a command line with no corpus, or with two."""
    if parsed.demo == (parsed.cache is not None):
        parser.error("give one cache, or --demo" if parsed.demo else "no cache given: name one, or try --demo")


def _percent(text: str) -> str:
    return text.replace("%", "%%")
