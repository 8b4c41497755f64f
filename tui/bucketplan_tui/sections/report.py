"""What a report says, section by section."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from bucketplan.corpus.corpus import Categories, Corpus
from bucketplan.exploring.comparison import Compared, Comparison
from bucketplan.figures.figure import Figure
from bucketplan.figures.registry import figures
from bucketplan_tui.sections.truncation import truncation_sections
from bucketplan_tui.text.document import Block, Heading, Lines, Table
from bucketplan_tui.text.numbers import UNKNOWN, difference, figure_text, hours_text

_OVERVIEW = ("waste", "width_p50", "width_p90", "width_p99", "roots_per_window_mean", "seconds_per_step", "hours")
# More plans than this are listed as rows alone: a column each would leave the screen.
_MOST_COLUMNS = 6
_MOST_SKIPPED = 20
_RULE = "Waste counts the rows there are: a short last micro-batch counts its own rows, and no more."


def sections(comparison: Comparison, most_roots: int, share: float) -> list[Block]:
    """The whole report of a comparison.

    Args:
        comparison: what to report.
        most_roots: roots listed by name; the rest are summed.
        share: of all tokens that a max length may take.

    Raises:
        KnobError: the share is out of range.
    """
    corpus, knobs = comparison.corpus, comparison.baseline.report.knobs
    blocks = cache_sections(corpus, most_roots)
    blocks += truncation_sections(corpus, knobs.max_length, share, most_roots)
    if len(comparison.plans) > 1:
        blocks += [Heading("Plans"), _overview(comparison)]
    if len(comparison.plans) <= _MOST_COLUMNS:
        for metric in comparison.baseline.report.sources:
            blocks += [Heading(metric.title), _figures(comparison, metric.figures)]
    blocks += [Lines((*_savings(comparison), _RULE))]
    if comparison.warnings:
        blocks += [Heading("Warnings"), Lines(tuple(f"! {line}" for line in comparison.warnings))]
    return blocks


def cache_sections(corpus: Corpus, most_roots: int) -> list[Block]:
    """What is known of a corpus: its counts and lengths, then its roots."""
    counts = [
        f"{len(corpus):,} records",
        f"{corpus.tokens:,} tokens",
        f"{UNKNOWN if corpus.supervised_tokens is None else f'{corpus.supervised_tokens:,}'} supervised",
        f"{UNKNOWN if corpus.roots is None else f'{len(corpus.roots.names):,}'} roots",
        f"{UNKNOWN if corpus.kinds is None else f'{len(corpus.kinds.names):,}'} kinds",
    ]
    lengths = f"lengths {int(corpus.lengths.min()):,} to {int(corpus.lengths.max()):,}"
    if corpus.stored_width is not None:
        lengths += (
            f"; stored already padded, up to {corpus.stored_width:,} wide, {corpus.stored_tokens:,} tokens in all"
        )
    blocks: list[Block] = [Heading(corpus.path), Lines((" · ".join(counts), lengths))]
    if corpus.skipped:
        shown = [f"line {each.line:,}: {each.reason}" for each in corpus.skipped[:_MOST_SKIPPED]]
        more = len(corpus.skipped) - len(shown)
        told = [*shown, f"and {more:,} more"] if more else shown
        blocks += [Heading("Skipped: a trainer must leave these out, too"), Lines(tuple(told))]
    if corpus.roots is not None:
        blocks += [Heading("Roots"), _roots(corpus.roots, corpus.lengths, most_roots)]
    return blocks


def _roots(roots: Categories, lengths: NDArray[np.int32], most: int) -> Table:
    """A row for each of the roots with the most tokens, and one for the rest."""
    codes, names = roots.codes, roots.names
    tokens = np.bincount(codes, weights=lengths, minlength=len(names))
    ordered = lengths[np.lexsort((lengths, codes))]
    starts = np.concatenate([[0], np.cumsum(roots.counts)])
    total = int(lengths.sum(dtype=np.int64))
    ranked = np.argsort(-tokens, kind="stable")
    rows = [_root_row(names[root], ordered[starts[root] : starts[root + 1]], total) for root in ranked[:most].tolist()]
    rest = ranked[most:]
    if len(rest):
        chosen = np.isin(codes, rest)
        rows.append(_root_row(f"{len(rest):,} others", np.sort(lengths[chosen]), total))
    return Table(("root", "records", "tokens", "share", "median", "longest"), tuple(rows))


def _root_row(name: str, lengths: NDArray[np.int32], all_tokens: int) -> tuple[str, ...]:
    tokens = int(lengths.sum(dtype=np.int64))
    median = f"{float(np.median(lengths)):,.1f}".removesuffix(".0")
    return (
        name,
        f"{len(lengths):,}",
        f"{tokens:,}",
        f"{tokens / all_tokens:.1%}",
        median,
        f"{int(lengths[-1]):,}",
    )


def _overview(comparison: Comparison) -> Table:
    shown = [figures()[name] for name in _OVERVIEW]
    header = ("plan", *(_label(figure, comparison.baseline) for figure in shown), "time saved")
    rows = []
    for each in comparison.everything:
        saved = None if each.saving is None else each.saving.time_fraction
        cells = (figure_text(figure, each.report.metrics[figure.name]) for figure in shown)
        rows.append((each.name, *cells, "" if saved is None else f"{saved:.1%}"))
    return Table(header, tuple(rows))


def _figures(comparison: Comparison, shown: Iterable[Figure]) -> Table:
    single = len(comparison.plans) == 1
    header = ("", *(each.name for each in comparison.everything), *(["difference"] if single else []))
    rows = []
    for figure in shown:
        values = [each.report.metrics.get(figure.name) for each in comparison.everything]
        cells = [figure_text(figure, value) for value in values]
        if single:
            cells.append(difference(figure, values[1], values[0]).text)
        rows.append((_label(figure, comparison.plans[0]), *cells))
    return Table(header, tuple(rows))


def _label(figure: Figure, compared: Compared) -> str:
    return figure.title(compared.report.knobs.mixing)


def _savings(comparison: Comparison) -> list[str]:
    lines = []
    for each in comparison.plans:
        saved = each.saving
        if saved is None or saved.time_fraction is None or saved.hours is None:
            continue
        padded = 0.0 if saved.padded_tokens_fraction is None else saved.padded_tokens_fraction
        verb = "saves" if saved.time_fraction >= 0 else "costs"
        interval = each.interval and each.interval.time_fraction
        trust = f" (95%: {interval.least:.1%} .. {interval.most:.1%})" if interval else ""
        lines.append(
            f"{each.name} {verb} {abs(saved.time_fraction):.1%} of the time{trust} and {padded:.1%} of the padded "
            f"tokens of the baseline's epoch: {hours_text(abs(saved.hours))}"
        )
    return lines
