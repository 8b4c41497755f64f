"""What a max length takes, as a section of the report."""

import numpy as np

from bucketplan.corpus.corpus import Corpus
from bucketplan.selection.truncation import Loss, Truncation, shortest_max_length, truncation
from bucketplan_tui.text.document import Block, Heading, Lines, Table
from bucketplan_tui.text.numbers import UNKNOWN

_BOUNDS = "How many supervised tokens truncation takes depends on where they stand: bounds, from their counts alone."


def truncation_sections(corpus: Corpus, max_length: int | None, share: float, most_roots: int) -> list[Block]:
    """What a max length takes by truncating and by dropping, by root, and how short one may be.

    Args:
        corpus: at least one record.
        max_length: in tokens; None tells only how short one may be.
        share: of all tokens, 0 .. 1, that may be lost.
        most_roots: roots listed by name; the rest are summed.

    Raises:
        KnobError: the share is out of range.
    """
    heading = Heading("Max length")
    shortest = _shortest(corpus, share)
    if max_length is None:
        return [heading, Lines((shortest,))]
    taken = truncation(corpus, max_length)
    if not taken.total.over:
        return [heading, Lines((f"no record is longer than {max_length:,} tokens", shortest))]
    blocks: list[Block] = [heading, Lines((*_summary(taken), shortest))]
    table = _by_root(corpus, taken, most_roots)
    return blocks if table is None else [*blocks, table]


def _shortest(corpus: Corpus, share: float) -> str:
    truncating, dropping = (f"{shortest_max_length(corpus, share, way):,}" for way in ("truncate", "drop"))
    return (
        f"the shortest max length that loses at most {share * 100:.6g}% of tokens: "
        f"{truncating} by truncating, {dropping} by dropping"
    )


def _summary(taken: Truncation) -> list[str]:
    total = taken.total
    over = f"{total.over:,} of {total.records:,} records ({total.over / total.records:.2%})"
    lines = [
        f"truncating at {taken.max_length:,} tokens cuts {over} and loses {_lost(total, total.truncated)}"
        + _and_supervised(_bounds(total, "between {least} and {most}")),
        f"dropping what is longer loses the same records with {_lost(total, total.dropped)}"
        + _and_supervised(None if total.dropped_supervised is None else f"{total.dropped_supervised:,}"),
    ]
    return lines if _exact(total) else [*lines, _BOUNDS]


def _by_root(corpus: Corpus, taken: Truncation, most: int) -> Table | None:
    """A row for each of the roots that lose most, and one for the rest of those that lose anything."""
    if corpus.roots is None or taken.roots is None:
        return None
    cut = taken.roots.columns["truncated"]
    ranked = np.argsort(-cut, kind="stable")[: np.count_nonzero(cut)]
    rows = [_row(corpus.roots.names[root], taken.roots.of(np.array([root]))) for root in ranked[:most].tolist()]
    rest = ranked[most:]
    if len(rest):
        rows.append(_row(f"{len(rest):,} others", taken.roots.of(rest)))
    supervised = "supervised cut" if _exact(taken.total) else "supervised cut (bounds)"
    header = ("root", "over", "cut", "of its tokens", supervised, "dropped", "of its tokens", "supervised dropped")
    return Table(header, tuple(rows))


def _row(name: str, loss: Loss) -> tuple[str, ...]:
    return (
        name,
        f"{loss.over:,}",
        f"{loss.truncated:,}",
        f"{loss.truncated / loss.tokens:.2%}",
        _bounds(loss, "{least} .. {most}") or UNKNOWN,
        f"{loss.dropped:,}",
        f"{loss.dropped / loss.tokens:.2%}",
        UNKNOWN if loss.dropped_supervised is None else f"{loss.dropped_supervised:,}",
    )


def _bounds(loss: Loss, form: str) -> str | None:
    """The supervised tokens that truncation takes: a number, or two in this form; None where there are no labels."""
    least, most = loss.truncated_supervised_least, loss.truncated_supervised_most
    if least is None or most is None:
        return None
    return f"{least:,}" if least == most else form.format(least=f"{least:,}", most=f"{most:,}")


def _exact(loss: Loss) -> bool:
    return loss.truncated_supervised_least == loss.truncated_supervised_most


def _lost(total: Loss, tokens: int) -> str:
    return f"{tokens:,} tokens ({tokens / total.tokens:.2%})"


def _and_supervised(count: str | None) -> str:
    return "" if count is None else f", {count} of them supervised"
