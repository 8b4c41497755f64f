import json
from pathlib import Path

import numpy as np
import pytest

from bucketplan.errors import Cancelled, InputError
from bucketplan.readers import Keys, load
from bucketplan.readers.jsonl.supervised_positions import with_positions


def written(tmp_path: Path, text: str) -> str:
    path = tmp_path / "cache.jsonl"
    path.write_text(text)
    return str(path)


def line(labels: list[int], **more: object) -> str:
    return json.dumps({"input_ids": list(range(len(labels))), "labels": labels} | more) + "\n"


def test_runs_of_supervised_tokens_are_found(tmp_path: Path) -> None:
    path = written(tmp_path, line([-100, 1, 2, -100, 3]) + line([-100]) + "\n" + line([5, 6]))
    spans = with_positions(load(path)).supervised_spans
    assert spans is not None
    assert spans.offsets.tolist() == [0, 2, 2, 3]
    assert list(zip(spans.starts.tolist(), spans.ends.tolist(), strict=True)) == [(1, 3), (4, 5), (0, 2)]


def test_positions_are_those_of_real_tokens_where_rows_are_padded(tmp_path: Path) -> None:
    path = written(tmp_path, line([-100, -100, 1, 2, -100], attention_mask=[0, 1, 1, 1, 0]))
    spans = with_positions(load(path)).supervised_spans
    assert spans is not None
    assert (spans.starts.tolist(), spans.ends.tolist()) == ([1], [3])


def test_skipped_lines_have_no_runs(tmp_path: Path) -> None:
    path = written(tmp_path, line([1]) + "{broken\n" + line([1, 2]) + line([3], note=float("nan")))
    corpus = with_positions(load(path, skip_bad=True))
    assert corpus.supervised_spans is not None
    assert corpus.supervised_spans.kept(1).tolist() == [1, 1, 1]


def test_other_keys_are_followed(tmp_path: Path) -> None:
    text = json.dumps({"t": {"ids": [1, 2, 3], "y": [-100, 2, 3]}}) + "\n"
    keys = Keys(ids=("t.ids",), labels=("t.y",))
    path = written(tmp_path, text)
    spans = with_positions(load(path, keys=keys), keys).supervised_spans
    assert spans is not None
    assert (spans.starts.tolist(), spans.ends.tolist()) == ([1], [3])


def test_a_cache_without_labels_stays_as_it_is(tmp_path: Path) -> None:
    corpus = load(written(tmp_path, '{"input_ids": [1]}\n'))
    assert with_positions(corpus) is corpus


def test_a_cache_that_changed_in_between_is_refused(tmp_path: Path) -> None:
    corpus = load(written(tmp_path, line([1]) + line([2])))
    written(tmp_path, line([1]))
    with pytest.raises(InputError, match="changed while it was read"):
        with_positions(corpus)
    written(tmp_path, line([1]) + line([-100]))
    with pytest.raises(InputError, match="changed while it was read"):
        with_positions(corpus)


def test_it_can_be_cancelled(tmp_path: Path) -> None:
    corpus = load(written(tmp_path, line([1]) * 1000))
    with pytest.raises(Cancelled):
        with_positions(corpus, cancelled=lambda: True)


def test_a_real_cache_has_its_supervised_tokens_where_they_are_counted(shared: Path) -> None:
    corpus = with_positions(load(shared / "data" / "cache-small.jsonl.gz"))
    assert corpus.supervised_spans is not None
    assert corpus.supervised is not None
    assert np.array_equal(corpus.supervised_spans.kept(10**6), corpus.supervised)
