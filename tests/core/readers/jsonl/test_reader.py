"""Records together: what a cache as a whole must have, and what a user is told of it."""

import json
from pathlib import Path

import numpy as np
import pytest

from bucketplan.corpus.corpus import Corpus, Skipped
from bucketplan.errors import InputError
from bucketplan.readers import load


def record(length: int = 3, **values: object) -> dict[str, object]:
    ids = list(range(1, length + 1))
    usual = {"input_ids": ids, "labels": [-100, *ids[1:]], "dataset_id": "a", "sample_kind": "full"}
    return {key: value for key, value in {**usual, **values}.items() if value != "ABSENT"}


class Cache:
    """A cache file of the test, written and loaded."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "cache.jsonl"

    def load(self, *rows: dict[str, object] | str, end: str = "\n", skip_bad: bool = False) -> Corpus:
        written = "\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows) + end
        self.path.write_bytes(written.encode("utf-8", "surrogatepass"))
        return load(self.path, skip_bad=skip_bad)

    def error(self, *rows: dict[str, object] | str, end: str = "\n", skip_bad: bool = False) -> InputError:
        with pytest.raises(InputError) as caught:
            self.load(*rows, end=end, skip_bad=skip_bad)
        assert str(caught.value).isprintable()
        return caught.value


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path)


def told(corpus: Corpus, *words: str) -> bool:
    return any(all(word in warning for word in words) for warning in corpus.warnings)


def test_the_columns_are_in_file_order(cache: Cache) -> None:
    corpus = cache.load(
        record(5, dataset_id="b"), record(3, sample_kind="prefix"), record(4, dataset_id="b", labels=[-100] * 4)
    )
    assert corpus.lengths.tolist() == [5, 3, 4]
    assert corpus.lengths.dtype == np.int32
    assert corpus.supervised is not None
    assert corpus.supervised.tolist() == [4, 2, 0]
    assert corpus.supervised.dtype == np.int32
    assert corpus.roots is not None
    assert (corpus.roots.names, corpus.roots.codes.tolist()) == (("b", "a"), [0, 1, 0])
    assert corpus.roots.codes.dtype == np.int32
    assert corpus.kinds is not None
    assert (corpus.kinds.names, corpus.kinds.codes.tolist()) == (("full", "prefix"), [0, 1, 0])
    assert (corpus.numbers, corpus.stored_width, corpus.stored_tokens, corpus.skipped) == (None, None, None, ())
    assert corpus.path == str(cache.path)


def test_a_usual_cache_loads_without_a_warning(cache: Cache) -> None:
    assert cache.load(record(5), record(3)).warnings == ()


def test_one_record_is_a_cache(cache: Cache) -> None:
    corpus = cache.load(record(3))
    assert (len(corpus), corpus.warnings) == (1, ())


@pytest.mark.parametrize("text", ["", "\n\n", " \t\r\n   \n"])
def test_a_cache_without_records_is_an_error(cache: Cache, text: str) -> None:
    assert "no records" in str(cache.error(text, end=""))


def test_blank_lines_are_nothing_and_counted_as_lines(cache: Cache) -> None:
    assert len(cache.load("", record(3), " \t\r", record(4), "")) == 2
    assert cache.error("", record(3), "  ", record(4, labels=[1])).line == 4


def test_a_form_feed_is_not_blank(cache: Cache) -> None:
    assert cache.error(record(3), "\f").line == 2


def test_carriage_returns_and_a_missing_last_line_end_change_nothing(cache: Cache) -> None:
    usual = cache.load(record(5), record(3)).fingerprint
    rows = [json.dumps(record(5)) + "\r", json.dumps(record(3)) + "\r"]
    assert cache.load(*rows).fingerprint == usual
    assert cache.load(record(5), record(3), end="").fingerprint == usual


def test_lines_end_at_line_feeds_alone(cache: Cache) -> None:
    names = ["a\u2028b", "a\u2029b", "a\u0085b"]
    rows = [json.dumps(record(3 + n, dataset_id=name), ensure_ascii=False) for n, name in enumerate(names)]
    corpus = cache.load(*rows)
    assert corpus.roots is not None
    assert corpus.roots.names == tuple(names)


def test_the_first_bad_record_stops_the_load(cache: Cache) -> None:
    error = cache.error(record(3), record(3, input_ids="x"), "bad")
    assert (error.line, error.key) == (2, "input_ids")
    assert str(error).startswith(f"{cache.path}:2: input_ids: ")
    assert " - " in str(error)


def test_skipping_says_which_lines_and_keeps_the_numbers_of_a_trainer(cache: Cache) -> None:
    corpus = cache.load("bad", record(3), "", record(4, labels=[1]), record(5), skip_bad=True)
    assert corpus.lengths.tolist() == [3, 5]
    assert corpus.numbers is not None
    assert corpus.numbers.tolist() == [1, 3]
    assert corpus.numbers.dtype == np.int64
    assert [each.line for each in corpus.skipped] == [1, 4]
    assert corpus.skipped[1] == Skipped(4, "labels: 1 entries, but input_ids has 4")
    assert told(corpus, "skipped 2 records: lines 1, 4")


def test_many_skipped_lines_are_counted(cache: Cache) -> None:
    corpus = cache.load(record(3), *["bad"] * 2000, skip_bad=True)
    assert told(corpus, "skipped 2,000 records: lines 2, 3, 4, 5, 6 and 1,995 more")


def test_when_all_are_skipped_the_error_says_why(cache: Cache) -> None:
    assert "an array" in str(cache.error("[", record(3, input_ids=[]), "]", skip_bad=True))


def test_a_line_that_was_cut_is_truncated(cache: Cache) -> None:
    cut = '{"input_ids": [1, 2'
    error = cache.error(record(5), record(3), cut, end="")
    assert (error.line, "truncated" in error.problem) == (3, True)
    corpus = cache.load(record(5), record(3), cut, end="", skip_bad=True)
    assert (len(corpus), [each.line for each in corpus.skipped]) == (2, [3])
    assert "truncated" in corpus.skipped[0].reason
    assert told(corpus, "line 3: truncated")


def test_a_character_that_was_cut_is_truncated(cache: Cache) -> None:
    cache.path.write_bytes(b'{"input_ids":[1]}\n{"dataset_id":"caf\xc3')
    with pytest.raises(InputError, match="truncated"):
        load(cache.path)


def test_a_whole_last_line_is_not_called_truncated(cache: Cache) -> None:
    for last in ('{"input_ids": []}', '[{"input_ids": [1]}]'):
        assert "truncated" not in str(cache.error(record(3), last, end=""))


def test_a_file_of_one_array_is_one_error_at_line_1(cache: Cache) -> None:
    pretty = json.dumps([record(3)], indent=1)
    assert cache.error(pretty).line == 1
    assert "an array" in str(cache.error(pretty))
    assert "one JSON object per line" in str(cache.error(json.dumps(record(3), indent=1)))


@pytest.mark.parametrize("key", ["labels", "dataset_id"])
@pytest.mark.parametrize("absent", ["ABSENT", None])
class TestWhatRecordsShare:
    def lacking(self, key: str, absent: object, length: int = 4) -> dict[str, object]:
        return record(length, **{key: absent})

    def test_missing_everywhere_it_is_unknown(self, cache: Cache, key: str, absent: object) -> None:
        corpus = cache.load(self.lacking(key, absent), self.lacking(key, absent, 5))
        assert (corpus.supervised if key == "labels" else corpus.roots) is None
        assert told(corpus, key, "missing or null in every record")

    def test_missing_later_is_an_error_there(self, cache: Cache, key: str, absent: object) -> None:
        error = cache.error(record(3), record(4), self.lacking(key, absent), "bad")
        assert (error.line, error.key) == (3, key)

    def test_missing_first_is_an_error_at_the_first(self, cache: Cache, key: str, absent: object) -> None:
        error = cache.error("", self.lacking(key, absent), self.lacking(key, absent), record(3), "bad")
        assert (error.line, error.key) == (2, key)

    def test_skipping_passes_over_all_that_lack_it(self, cache: Cache, key: str, absent: object) -> None:
        lacking = self.lacking(key, absent)
        corpus = cache.load(lacking, "bad", lacking, record(7, dataset_id="z"), lacking, skip_bad=True)
        assert corpus.lengths.tolist() == [7]
        assert [each.line for each in corpus.skipped] == [1, 2, 3, 5]
        assert corpus.numbers is not None
        assert corpus.numbers.tolist() == [3]
        assert corpus.roots is not None
        assert corpus.roots.names == ("z",), "a root of skipped records alone is none"


def test_records_that_lack_different_things_leave_none(cache: Cache) -> None:
    rows = record(3, labels=None), record(4, dataset_id=None)
    assert "no records: all 2 were skipped" in str(cache.error(*rows, skip_bad=True))
    assert cache.error(*rows).key == "labels"


def test_an_integer_root_is_its_decimal_text(cache: Cache) -> None:
    corpus = cache.load(record(3, dataset_id=7), record(4, dataset_id="7"), record(5, dataset_id=8))
    assert corpus.roots is not None
    assert corpus.roots.names == ("7", "8")
    assert told(corpus, "dataset_id", "integer in 2 records, first on line 1")


def test_names_are_neither_trimmed_nor_normalised(cache: Cache) -> None:
    names = ("é", "e\u0301", "a", "a ", "A", "\ud800")
    corpus = cache.load(*(record(3 + n, dataset_id=name) for n, name in enumerate(names)))
    assert corpus.roots is not None
    assert corpus.roots.names == names


def test_a_missing_kind_is_a_kind_of_its_own(cache: Cache) -> None:
    corpus = cache.load(
        record(3, sample_kind="ABSENT"), record(4), record(5, sample_kind=None), record(6, sample_kind=3)
    )
    assert corpus.kinds is not None
    assert corpus.kinds.names == ("(missing)", "full", "3")
    assert corpus.kinds.counts.tolist() == [2, 1, 1]
    assert told(corpus, "sample_kind", "missing or null in 2 records, first on line 1")


def test_kinds_missing_everywhere_are_no_warning(cache: Cache) -> None:
    corpus = cache.load(record(3, sample_kind="ABSENT"), record(4, sample_kind=None))
    assert (corpus.kinds, corpus.warnings) == (None, ())


def test_a_kind_that_is_no_text_is_kept_apart(cache: Cache) -> None:
    corpus = cache.load(record(3, sample_kind=["x"]), record(4), record(5, sample_kind=False))
    assert corpus.kinds is not None
    assert corpus.kinds.names == ("(not text)", "full")
    assert told(corpus, "sample_kind", "2 records, first on line 1")


def test_padded_rows_report_both_lengths(cache: Cache) -> None:
    corpus = cache.load(
        record(4, attention_mask=[1, 1, 0, 0]),
        record(5, attention_mask=[0, 1, 1, 1, 2], labels=[-100, -100, 3, 4, 5]),
        record(6),
    )
    assert corpus.lengths.tolist() == [2, 4, 6]
    assert (corpus.stored_width, corpus.stored_tokens) == (6, 15)
    assert corpus.supervised is not None
    assert corpus.supervised.tolist() == [3, 3, 5]
    assert told(corpus, "already padded", "2 records, first on line 1")


def test_a_mask_of_ones_is_no_padding(cache: Cache) -> None:
    corpus = cache.load(record(4, attention_mask=[1] * 4), record(5, attention_mask=[True] * 5))
    assert (corpus.stored_width, corpus.stored_tokens, corpus.warnings) == (None, None, ())


def test_equal_lengths_are_suspicious(cache: Cache) -> None:
    assert told(cache.load(record(4), record(4)), "same length, 4")


def test_fully_masked_records_are_counted(cache: Cache) -> None:
    corpus = cache.load(record(3), record(4, labels=[-100] * 4))
    assert corpus.fully_masked == 1
    assert told(corpus, "-100 in 1 record, first on line 2")


def test_negative_token_ids_are_counted(cache: Cache) -> None:
    corpus = cache.load(record(3), record(4, input_ids=[1, -200, -200, 4]))
    assert told(corpus, "input_ids", "2 token ids below 0 in 1 record, first on line 2")


def test_nan_in_an_unused_key_is_counted(cache: Cache) -> None:
    corpus = cache.load(record(3), record(4, loss=float("nan")), record(5, loss=float("inf")))
    assert told(corpus, "NaN", "2 records, first on line 2")


def test_counts_are_of_the_records_that_stay(cache: Cache) -> None:
    corpus = cache.load(record(3), record(4, labels=None, dataset_id=7, loss=float("nan")), skip_bad=True)
    assert corpus.warnings == ("skipped 1 record: line 2",)
