"""A manifest that is not a permutation, or not whole, is refused by its first bad position."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bucketplan.errors import InputError
from bucketplan.order.reading import read_manifest
from bucketplan.planning.knobs import Knobs
from tests.core.order.cases import written

Change = Callable[[dict[str, Any]], object]


def refusal(path: Path) -> str:
    with pytest.raises(InputError) as caught:
        read_manifest(path)
    return str(caught.value).removeprefix(f"{path}: ").removeprefix(str(path))


def put(key: str, value: Any) -> Change:
    return lambda content: content.__setitem__(key, value)


def put_at(key: str, place: int, value: Any) -> Change:
    return lambda content: content[key].__setitem__(place, value)


def repeat(place: int) -> Change:
    return lambda content: content["order"].__setitem__(place, content["order"][0])


def drop(place: int) -> Change:
    return lambda content: content["order"].pop(place)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (repeat(7), "order: position 7: record "),
        (drop(7), "order: position 49: the order ends here, and record "),
        (put_at("order", 7, 50), "order: position 7: 50 is not in 0 .. 49"),
        (put_at("order", 7, -1), "order: position 7: -1 is not in 0 .. 49"),
        (put_at("order", 7, 1.0), "order: position 7: 1.0 is no integer"),
        (put_at("order", 7, True), "order: position 7: true is no integer"),
        (put_at("order", 7, "7"), 'order: position 7: "7" is no integer'),
        (put_at("order", 7, 10**30), "order: position 7: 10000"),
        (put("order", {}), "order: an object is no list"),
        (put("bucketplan_manifest", 2), "bucketplan_manifest: version 2, and 1 is what is read here"),
        (put("bucketplan_manifest", True), "bucketplan_manifest: version true"),
        (lambda content: content.pop("bucketplan_manifest"), "bucketplan_manifest: missing"),
        (lambda content: content.pop("order"), "order: missing"),
        (put("records", 0), "records: 0 is no number of 1 and up"),
        (put("records", 51), "order: position 50: the order ends here, and record 50 stands nowhere"),
        (put("left_out", [[3]]), "order: position "),
        (put("epochs", [0, 20, 50]), "order: position 20: the order ends here, and record "),
        (put("cut", []), "cut: no list for each epoch"),
        (put("from_step", 1), "from_step: 1 is not the step that follows the 0 records consumed"),
        (put("micro_batch", 0), "micro_batch: 0 is no number"),
        (put("knobs", {}), "knobs: accumulation is no number"),
        (put("figures", {"waste": []}), "figures: waste is no number, text or null"),
        (put("fingerprint", {"lengths": None}), "fingerprint: not a SHA-256"),
        (put("lengths", [1]), "lengths: 1 entries for 50 records"),
        (put("micro_batches", [0, 3, 3, 50]), "micro_batches: position 2: not above the one before"),
    ],
)
def test_a_changed_manifest_is_refused_by_the_first_bad_position(tmp_path: Path, change: Change, says: str) -> None:
    path = written(tmp_path / "order.json")
    content = json.loads(path.read_text())
    change(content)
    path.write_text(json.dumps(content))
    assert refusal(path).startswith(says)


def test_a_record_left_out_of_its_epoch_is_named_with_the_epoch(tmp_path: Path) -> None:
    path = written(tmp_path / "order.json", 48, Knobs(epochs=2, accumulation=4))
    content = json.loads(path.read_text())
    content["order"][60] = content["order"][50]
    path.write_text(json.dumps(content))
    assert refusal(path).startswith("order: position 60: record ")
    assert "stands a second time in epoch 1" in refusal(path)


def test_half_a_file_is_refused(tmp_path: Path) -> None:
    for name in ("order.json", "order.npz"):
        path = written(tmp_path / name)
        content = path.read_bytes()
        path.write_bytes(content[: len(content) // 2])
        assert "not whole JSON" in refusal(path) or "not a whole archive" in refusal(path)


@pytest.mark.parametrize("content", [b"", b"{}", b"[]", b"7", b'"text"', b"\xff", b"[" * 100_000, b"{" + b'"a":' * 9])
def test_what_is_no_manifest_is_refused_in_one_line(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "order.json"
    path.write_bytes(content)
    assert "\n" not in refusal(path)


def test_a_key_given_twice_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "order.json")
    path.write_text(path.read_text().replace('"records": 50', '"records": 50, "records": 51'))
    assert "the key records stands twice" in refusal(path)


def test_an_unknown_key_is_accepted_with_a_warning(tmp_path: Path) -> None:
    path = written(tmp_path / "order.json")
    content = json.loads(path.read_text()) | {"no\x1bte": 1}
    path.write_text(json.dumps(content))
    assert read_manifest(path).warnings == ("no\\x1bte: an unknown key, which is ignored",)


def test_a_plain_list_of_another_tool_is_an_order(tmp_path: Path) -> None:
    path = tmp_path / "list.json"
    path.write_text("[3, 1, 2, 0, 4]")
    read = read_manifest(path, {"micro_batch": 2, "accumulation": 2})
    assert (read.records, read.order.tolist(), read.micro_batches.offsets.tolist()) == (
        5,
        [3, 1, 2, 0, 4],
        [0, 2, 4, 5],
    )
    assert (read.accumulation, read.world_size, read.steps) == (2, 1, 2)


@pytest.mark.parametrize(
    ("content", "says"),
    [("[0, 1, 1]", "position 2: record 1 stands a second time"), ("[0, 3, 1]", "position 1: 3 is not in 0 .. 2")],
)
def test_a_plain_list_is_a_permutation_too(tmp_path: Path, content: str, says: str) -> None:
    path = tmp_path / "list.json"
    path.write_text(content)
    assert says in refusal(path)


def test_an_archive_that_unpacks_or_runs_code_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "order.npz"
    np.savez_compressed(path, order=np.zeros(10, np.int64))
    assert "its arrays are compressed" in refusal(path)
    np.savez(path, facts=np.array([object()], dtype=object))
    assert "not a whole archive" in refusal(path)


def test_a_missing_manifest_is_refused(tmp_path: Path) -> None:
    assert "No such file" in refusal(tmp_path / "none.json")
    assert "Is a directory" in refusal(tmp_path)
