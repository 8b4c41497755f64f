"""`bucketplan verify`: whether a manifest fits a cache, and whether a trainer followed it."""

import argparse
from collections.abc import Callable, Iterator
from typing import TypeVar

import numpy as np

from bucketplan.corpus.corpus import Corpus
from bucketplan.errors import InputError, UserError
from bucketplan.order.manifest import Manifest
from bucketplan.order.reading import read_manifest
from bucketplan.order.verification import step_seconds, verify, verify_copy, verify_settings
from bucketplan.printable import MESSAGE_LIMIT, printable
from bucketplan.readers import load
from bucketplan.run.logs import accuracy, follow, measured_steps
from bucketplan.run.progress import read_progress
from bucketplan.settings import values_of
from bucketplan.trainers.config import knobs_from_config
from bucketplan_tui.options.corpus import corpus_of
from bucketplan_tui.options.options import add_cache_options, add_knob_options, check_cache_given, scenario_of
from bucketplan_tui.options.parser import Parser
from bucketplan_tui.text.load_progress import progress_line
from bucketplan_tui.text.numbers import hours_text, seconds_text
from bucketplan_tui.text.output import write

_EPILOG = """\
examples:
  bucketplan verify order.json cache.jsonl
  bucketplan verify order.json cache.jsonl --consumed consumed.jsonl --seconds seconds.jsonl
  bucketplan verify order.json cache.jsonl --progress progress.json
  bucketplan verify order.json cache.jsonl --copy ordered.jsonl --config axolotl.yaml

logs, a line of JSON each:
  consumed   {"rank": 0, "records": [5, 9]} for each micro-batch, each rank in its order
  seconds    {"step": 0, "seconds": 7.31} for each step, or a bare number

Knobs given here stand for those that a plain list of record numbers does not name.
"""

_T = TypeVar("_T")


def run(words: list[str]) -> int:
    """Run the command with these words.

    Raises:
        UserError: something the user can mend, the first difference included.
    """
    parser = Parser("bucketplan verify", "Check an order manifest against a cache, and a run against it.", _EPILOG)
    parser.add_argument("manifest", metavar="MANIFEST", help="what bucketplan order wrote, or a list of record numbers")
    add_cache_options(parser)
    parser.add_argument("--consumed", metavar="LOG", help="say where the records that a trainer consumed left the plan")
    parser.add_argument("--seconds", metavar="LOG", help="say how far the predicted seconds of steps were off")
    parser.add_argument("--from-step", metavar="K", type=int, help="the step that the logs start with")
    parser.add_argument("--progress", metavar="FILE", help="say how far the run is, from the sampler's file")
    parser.add_argument("--copy", metavar="FILE", help="check a copy that bucketplan order --rewrite wrote")
    parser.add_argument("--config", metavar="FILE", help="check the settings that a trainer reads from this file")
    add_knob_options(parser)
    parsed = parser.parse_args(words)
    check_cache_given(parser, parsed)

    manifest = read_manifest(parsed.manifest, values_of(scenario_of(parsed).knobs))
    corpus = corpus_of(parsed)
    lines = [*_about(parsed.manifest, lambda: verify(manifest, corpus)), *_run_lines(manifest, corpus, parsed)]
    lines += [f"! {line}" for line in manifest.warnings]
    write("".join(f"{line}\n" for line in lines))
    return 0


def _run_lines(manifest: Manifest, corpus: Corpus, parsed: argparse.Namespace) -> Iterator[str]:
    """What the run shows, as far as its files are given."""
    first = manifest.from_step if parsed.from_step is None else parsed.from_step
    if not 0 <= first < manifest.steps:
        raise UserError(f"from-step: {first:,} is no step of the run - give 0 .. {manifest.steps - 1:,}")
    if parsed.copy:
        copy = load(parsed.copy, progress=progress_line())
        yield _about(parsed.copy, lambda: verify_copy(manifest, copy))
    if parsed.config:
        found = knobs_from_config(parsed.config)
        yield _about(parsed.config, lambda: verify_settings(manifest, found))
    if parsed.consumed:
        yield _followed(manifest, parsed.consumed, first)
    if parsed.seconds:
        yield from _accuracy_lines(manifest, corpus, parsed.seconds, first)
    if parsed.progress:
        yield _progress(manifest, corpus, parsed.progress)


def _followed(manifest: Manifest, log: str, first: int) -> str:
    found = follow(manifest, log, first)
    end = "to the end of the run" if found.step == manifest.steps else f"up to step {found.step:,}"
    return f"consumed: {found.micro_batches:,} micro-batches, as planned from step {found.first_step:,} {end}"


def _accuracy_lines(manifest: Manifest, corpus: Corpus, log: str, first: int) -> Iterator[str]:
    found = accuracy(log, measured_steps(log, first), step_seconds(manifest, corpus))
    direction = "longer" if found.off >= 0 else "less"
    yield (
        f"seconds: {seconds_text(found.measured)} a step measured over {found.steps:,} steps, "
        f"{seconds_text(found.predicted)} predicted: they took {abs(found.off):.1%} {direction}"
    )
    yield (
        f"seconds: scaled to the same mean, half of the steps are within {found.median_off:.1%}; "
        f"step {found.worst_step:,} is furthest off, by {found.worst_off:+.1%}"
    )


def _progress(manifest: Manifest, corpus: Corpus, path: str) -> str:
    point = read_progress(path)
    if point.order != manifest.digest:
        raise InputError(path, "the progress of another order", remedy="name the file of this run")
    predicted = np.concatenate([[0.0], np.cumsum(step_seconds(manifest, corpus))])
    left = point.hours_left(lambda first, last: float(predicted[last] - predicted[first]))
    told = "" if left is None else f", {hours_text(left)} left at its pace"
    return f"progress: step {point.step:,} of {point.steps:,}{told}"


def _about(path: str, found: Callable[[], _T]) -> _T:
    """What is found; a difference is told with the file that it is in."""
    try:
        return found()
    except UserError as error:
        raise UserError(f"{printable(path, limit=MESSAGE_LIMIT // 2)}: {error}") from None
