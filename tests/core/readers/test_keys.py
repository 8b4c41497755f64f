"""Values are found under their usual key, an alias, or the name that a user gives; what was used is said."""

import json
from pathlib import Path

import pytest

from bucketplan.corpus.corpus import Corpus
from bucketplan.errors import InputError
from bucketplan.readers import Keys, load


def loaded(folder: Path, *rows: object, keys: Keys | None = None, skip_bad: bool = False) -> Corpus:
    path = folder / "cache.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return load(path, keys=keys, skip_bad=skip_bad)


def refusal(folder: Path, *rows: object, keys: Keys | None = None) -> InputError:
    with pytest.raises(InputError) as caught:
        loaded(folder, *rows, keys=keys)
    return caught.value


@pytest.mark.parametrize("ids", ["tokens", "token_ids"])
@pytest.mark.parametrize("root", ["source", "dataset", "subset", "domain", "task"])
def test_an_alias_is_used_and_said(tmp_path: Path, ids: str, root: str) -> None:
    corpus = loaded(tmp_path, {ids: [1, 2], root: "a"}, {ids: [1, 2, 3], root: "b"})
    assert corpus.lengths.tolist() == [2, 3]
    assert corpus.roots is not None
    assert corpus.roots.names == ("a", "b")
    assert corpus.warnings[:2] == (f"token ids are read from {ids}", f"roots are read from {root}")


def test_the_usual_key_goes_before_its_aliases(tmp_path: Path) -> None:
    corpus = loaded(tmp_path, {"tokens": [1], "input_ids": [1, 2], "source": "x", "task": "y", "dataset_id": "a"})
    assert (corpus.lengths.tolist(), corpus.warnings[1:]) == ([2], ())
    assert corpus.roots is not None
    assert corpus.roots.names == ("a",)


def test_an_alias_must_hold_a_fitting_value(tmp_path: Path) -> None:
    corpus = loaded(tmp_path, {"tokens": ["The", "cat"], "token_ids": [5, 6, 7], "source": {"url": "x"}, "domain": "d"})
    assert corpus.lengths.tolist() == [3]
    assert corpus.roots is not None
    assert corpus.roots.names == ("d",)


def test_the_first_record_decides_for_the_file(tmp_path: Path) -> None:
    error = refusal(tmp_path, {"input_ids": [1]}, {"tokens": [1]})
    assert (error.line, error.key) == (2, "input_ids")
    assert error.problem == "missing; keys present: tokens"
    corpus = loaded(tmp_path, {"text": ""}, {"tokens": [1]}, {"input_ids": [1]}, skip_bad=True)
    assert [each.reason for each in corpus.skipped] == [
        "input_ids: missing; keys present: text",
        "tokens: missing; keys present: input_ids",
    ]


def test_a_user_names_any_key(tmp_path: Path) -> None:
    keys = Keys(ids=("x",), labels=("y",), mask=("m",), root=("r",), kind=("k",))
    row = {"x": [1, 2, 3], "y": [-100, 2, 3], "m": [1, 1, 0], "r": "a", "k": "b", "input_ids": [1], "labels": "?"}
    corpus = loaded(tmp_path, row, row, keys=keys)
    assert (corpus.lengths.tolist(), corpus.stored_width, corpus.supervised_tokens) == ([2, 2], 3, 4)
    assert corpus.roots is not None
    assert corpus.kinds is not None
    assert (corpus.roots.names, corpus.kinds.names) == (("a",), ("b",))
    assert corpus.warnings[:5] == (
        "token ids are read from x",
        "labels are read from y",
        "the attention mask is read from m",
        "roots are read from r",
        "kinds are read from k",
    )


def test_a_named_key_must_be_there(tmp_path: Path) -> None:
    error = refusal(tmp_path, {"input_ids": [1]}, keys=Keys(ids=("x.\x1b",)))
    assert str(error).isprintable()
    assert (error.line, error.key) == (1, "x.\\x1b")


def test_dots_lead_into_objects(tmp_path: Path) -> None:
    rows = [{"meta": {"source": name, "n": {"ids": [1] * size}}} for name, size in (("a", 2), ("b", 3), ("a", 4))]
    corpus = loaded(tmp_path, *rows, keys=Keys(ids=("meta.n.ids",), root=("meta.source",)))
    assert corpus.lengths.tolist() == [2, 3, 4]
    assert corpus.roots is not None
    assert corpus.roots.codes.tolist() == [0, 1, 0]
    assert "roots are read from meta.source" in corpus.warnings


def test_a_key_with_a_dot_goes_before_a_path(tmp_path: Path) -> None:
    corpus = loaded(tmp_path, {"input_ids": [1], "a.b": "key", "a": {"b": "path"}}, keys=Keys(root=("a.b",)))
    assert corpus.roots is not None
    assert corpus.roots.names == ("key",)


def test_a_key_inside_an_object_stands_once_as_well(tmp_path: Path) -> None:
    path = tmp_path / "cache.jsonl"
    path.write_text('{"input_ids":[1],"meta":{"source":"a","s\\u006furce":"b"}}\n')
    with pytest.raises(InputError, match=r"meta\.source: duplicate key: it stands 2 times"):
        load(path, keys=Keys(root=("meta.source",)))


def test_a_value_without_a_name_is_not_read(tmp_path: Path) -> None:
    corpus = loaded(tmp_path, {"input_ids": [1], "labels": "odd", "length": 7}, keys=Keys(labels=(), length=()))
    assert (corpus.lengths.tolist(), corpus.supervised) == ([1], None)
    assert corpus.warnings[0] == "labels: missing or null in every record; supervised tokens are unknown"


@pytest.mark.parametrize("key", ["a[1]", 'a"b', "a\\b", "a/b", "é", "a:b"])
def test_a_name_may_hold_any_character(tmp_path: Path, key: str) -> None:
    rows = [{"input_ids": [1, 2], key: name} for name in ("x", "y", "x")]
    corpus = loaded(tmp_path, *rows, keys=Keys(root=(key,)))
    assert corpus.roots is not None
    assert corpus.roots.codes.tolist() == [0, 1, 0]
    path = tmp_path / "cache.jsonl"
    spelled = json.dumps(key, ensure_ascii=False)[1:-1].replace("a", "\\u0061").replace("/", "\\/")
    other = json.dumps(key)[1:-1]
    path.write_text(f'{{"input_ids":[1],"{spelled}":"x","{other}":"y"}}\n')
    with pytest.raises(InputError, match="duplicate"):
        load(path, keys=Keys(root=(key,)))


@pytest.mark.parametrize("length", [3, 2, "many", None, 3.5, True])
def test_a_stored_length_is_that_of_the_row_or_of_its_real_tokens(tmp_path: Path, length: object) -> None:
    assert len(loaded(tmp_path, {"input_ids": [1, 2, 3], "attention_mask": [1, 1, 0], "length": length})) == 1


@pytest.mark.parametrize("length", [4, 0, -1, 10**30])
def test_a_stored_length_that_differs_is_an_error(tmp_path: Path, length: int) -> None:
    error = refusal(tmp_path, {"input_ids": [1]}, {"input_ids": [1, 2, 3], "length": length})
    assert (error.line, error.key) == (2, "length")
    assert error.problem == f"{length} is stored, but input_ids has 3 entries"
    row = {"input_ids": [1, 2, 3], "attention_mask": [1, 1, 0], "length": length}
    assert refusal(tmp_path, row).problem.endswith("3 entries, 2 of them real")
