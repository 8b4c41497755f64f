"""The section of the report that says what a max length takes."""

import numpy as np

from bucketplan.corpus.corpus import Categories, Corpus
from bucketplan_tui.sections.truncation import truncation_sections
from bucketplan_tui.text.document import Heading, Lines, Table, as_markdown, as_text

CORPUS = Corpus(
    path="cache.jsonl",
    lengths=np.array([1000, 3000, 4000, 2000, 500], np.int32),
    supervised=np.array([1000, 2500, 4000, 1500, 100], np.int32),
    roots=Categories(np.array([0, 0, 1, 2, 3], np.int32), ("short [a]", "long", "edge", "tiny")),
)
PLAIN = Corpus("cache.jsonl", CORPUS.lengths)


def lines_of(corpus: Corpus, max_length: int | None, share: float = 0.1) -> tuple[str, ...]:
    heading, lines, *_ = truncation_sections(corpus, max_length, share, 9)
    assert heading == Heading("Max length")
    assert isinstance(lines, Lines)
    return lines.lines


def table_of(corpus: Corpus, max_length: int, most_roots: int) -> Table:
    table = truncation_sections(corpus, max_length, 0.1, most_roots)[-1]
    assert isinstance(table, Table)
    return table


def test_both_ways_are_told_and_bounds_are_called_bounds() -> None:
    assert lines_of(CORPUS, 2000) == (
        "truncating at 2,000 tokens cuts 2 of 5 records (40.00%) and loses 3,000 tokens (28.57%), "
        "between 2,500 and 3,000 of them supervised",
        "dropping what is longer loses the same records with 7,000 tokens (66.67%), 6,500 of them supervised",
        "How many supervised tokens truncation takes depends on where they stand: bounds, from their counts alone.",
        "the shortest max length that loses at most 10% of tokens: 2,975 by truncating, 4,000 by dropping",
    )


def test_numbers_that_the_counts_decide_are_not_called_bounds() -> None:
    truncating, *_ = told = lines_of(CORPUS, 3500)
    assert truncating.endswith("loses 500 tokens (4.76%), 500 of them supervised")
    assert not any("bounds" in line for line in told)
    assert "supervised cut" in table_of(CORPUS, 3500, 9).header


def test_roots_that_lose_most_come_first_and_those_that_lose_nothing_not_at_all() -> None:
    table = table_of(CORPUS, 1500, 9)
    assert [row[0] for row in table.rows] == ["long", "short [a]", "edge"]
    assert table.header[4] == "supervised cut (bounds)"
    assert table.rows[1] == ("short [a]", "1", "1,500", "37.50%", "1,000 .. 1,500", "3,000", "75.00%", "2,500")


def test_further_roots_are_summed() -> None:
    first, rest = table_of(CORPUS, 1500, 1).rows
    assert first[0] == "long"
    assert rest == ("2 others", "2", "2,000", "33.33%", "1,000 .. 2,000", "5,000", "83.33%", "4,000")


def test_without_a_max_length_the_shortest_one_is_told() -> None:
    assert lines_of(CORPUS, None, 0) == (
        "the shortest max length that loses at most 0% of tokens: 4,000 by truncating, 4,000 by dropping",
    )


def test_a_max_length_that_takes_nothing_says_so() -> None:
    assert lines_of(CORPUS, 4000)[0] == "no record is longer than 4,000 tokens"
    assert len(truncation_sections(CORPUS, 4000, 0.1, 9)) == 2


def test_without_labels_and_roots_tokens_are_still_told() -> None:
    _, lines = truncation_sections(PLAIN, 2000, 0.1, 9)
    assert isinstance(lines, Lines)
    assert lines.lines[0] == "truncating at 2,000 tokens cuts 2 of 5 records (40.00%) and loses 3,000 tokens (28.57%)"
    assert not any("supervised" in line for line in lines.lines)


def test_supervised_tokens_are_unknown_without_labels() -> None:
    table = table_of(Corpus("", CORPUS.lengths, roots=CORPUS.roots), 2000, 9)
    assert {(row[4], row[7]) for row in table.rows} == {("n/a", "n/a")}


def test_the_section_prints_as_text_and_as_markdown() -> None:
    blocks = truncation_sections(CORPUS, 1500, 0.1, 9)
    assert "short [a]" in as_text(blocks)
    assert "short \\[a\\]" in as_markdown(blocks)
