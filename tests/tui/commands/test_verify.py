"""`bucketplan verify`: what fits is said, and the first thing that does not is one line and status 2."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from bucketplan.errors import InputError, UserError
from bucketplan.order import BatchSampler, Progress, read_manifest
from bucketplan_tui.commands import order
from bucketplan_tui.commands.main import guarded
from bucketplan_tui.commands.verify import run

LENGTHS = (3, 9, 4, 8, 5, 7, 6, 2, 9, 4)


def write_cache(path: Path, lengths: tuple[int, ...] = LENGTHS) -> Path:
    path.write_text("".join(json.dumps({"input_ids": [1] * length}) + "\n" for length in lengths))
    return path


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return write_cache(tmp_path / "cache.jsonl")


@pytest.fixture
def manifest(cache: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    path = tmp_path / "order.json"
    order.run([str(cache), "--accumulation", "2", "--world-size", "2", "--epochs", "2", "-o", str(path)])
    capsys.readouterr()
    return path


def printed(capsys: pytest.CaptureFixture[str], *words: str | Path) -> list[str]:
    assert run([str(word) for word in words]) == 0
    return capsys.readouterr().out.splitlines()


def test_what_fits_is_said(manifest: Path, cache: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second, third = printed(capsys, manifest, cache)
    assert first == "order: 10 records, each once in each of 2 epochs"
    assert second == "fingerprint: that of the cache"
    assert third.endswith("computed again, and alike")


def test_a_manifest_for_another_cache_is_refused(manifest: Path, tmp_path: Path) -> None:
    other = write_cache(tmp_path / "other.jsonl", LENGTHS[::-1])
    with pytest.raises(UserError) as caught:
        run([str(manifest), str(other)])
    assert str(caught.value).startswith(
        f"{manifest}: made for another cache: the fingerprint does not match in lengths"
    )


def test_two_caches_of_the_same_lengths_in_another_order_are_told_apart(
    shared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = shared / "cases" / "inputs" / "90-manifest-for-another-cache"
    order.run([str(folder / "cache-a.jsonl"), "-o", str(tmp_path / "order.json")])
    printed(capsys, tmp_path / "order.json", folder / "cache-a.jsonl")
    assert guarded(lambda: run([str(tmp_path / "order.json"), str(folder / "cache-b.jsonl")])) == 2
    told = capsys.readouterr()
    assert (told.out, told.err.count("\n")) == ("", 1)
    assert "the fingerprint does not match" in told.err


MUTATIONS: dict[str, tuple[Callable[[list[object]], object], str]] = {
    "repeat an index": (lambda order: order.__setitem__(3, order[2]), "order: position 3: "),
    "drop one": (lambda order: order.pop(3), "order: position 5: the order ends here, and record "),
    "index N": (lambda order: order.__setitem__(3, 6), "order: position 3: 6 is not in 0 .. 5"),
    "index -1": (lambda order: order.__setitem__(3, -1), "order: position 3: -1 is not in 0 .. 5"),
    "1.0 for 1": (lambda order: order.__setitem__(order.index(1), 1.0), ": 1.0 is no integer"),
    "true for 1": (lambda order: order.__setitem__(order.index(1), True), ": true is no integer"),
}


@pytest.mark.parametrize("name", MUTATIONS)
def test_each_mutation_is_refused_by_its_first_bad_position(tmp_path: Path, name: str) -> None:
    cache, path = write_cache(tmp_path / "cache.jsonl", LENGTHS[:6]), tmp_path / "order.json"
    order.run([str(cache), "-o", str(path)])
    content = json.loads(path.read_text())
    change, says = MUTATIONS[name]
    change(content["order"])
    path.write_text(json.dumps(content))
    with pytest.raises(InputError) as caught:
        run([str(path), str(cache)])
    assert says in str(caught.value)


def test_an_unknown_key_is_a_warning(manifest: Path, cache: Path, capsys: pytest.CaptureFixture[str]) -> None:
    manifest.write_text(json.dumps(json.loads(manifest.read_text()) | {"note": 1}))
    assert printed(capsys, manifest, cache)[-1] == "! note: an unknown key, which is ignored"


def test_a_list_of_another_tool_takes_its_knobs_from_the_command_line(
    cache: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, log = tmp_path / "list.json", tmp_path / "log.jsonl"
    path.write_text(json.dumps(list(range(10))))
    log.write_text('{"rank": 0, "records": [0, 1, 2, 3, 4]}\n{"rank": 0, "records": [5, 6, 7, 8, 9]}\n')
    lines = printed(capsys, path, cache, "--micro-batch", "5", "--consumed", log)
    assert lines[1].startswith("fingerprint: none")
    assert lines[-1] == "consumed: 2 micro-batches, as planned from step 0 to the end of the run"


def consumed(manifest: Path, log: Path, first: int = 0) -> None:
    lines = [
        {"rank": rank, "records": batch}
        for rank in range(2)
        for batch in BatchSampler(read_manifest(manifest), rank, 2).from_step(first)
    ]
    log.write_text("".join(json.dumps(line) + "\n" for line in lines))


def test_a_run_is_followed_to_its_end(
    manifest: Path, cache: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "log.jsonl"
    consumed(manifest, log)
    assert printed(capsys, manifest, cache, "--consumed", log)[-1].endswith("from step 0 to the end of the run")
    consumed(manifest, log, 2)
    words = (manifest, cache, "--consumed", log, "--from-step", "2")
    assert printed(capsys, *words)[-1].endswith("from step 2 to the end of the run")


def test_a_run_that_left_the_plan_is_refused_with_the_place(manifest: Path, cache: Path, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    consumed(manifest, log)
    lines = log.read_text().splitlines()
    log.write_text("\n".join([lines[1], lines[0], *lines[2:]]))
    with pytest.raises(InputError, match=r"log\.jsonl:1: left the plan at step 0, micro-step 0, rank 0"):
        run([str(manifest), str(cache), "--consumed", str(log)])


def test_measured_seconds_say_how_far_the_prediction_was_off(
    manifest: Path, cache: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "seconds.jsonl"
    log.write_text('{"step": 0, "seconds": 0.02}\n{"step": 1, "seconds": 0.02}\n')
    first, second = printed(capsys, manifest, cache, "--seconds", log)[-2:]
    assert first.startswith("seconds: 20 ms a step measured over 2 steps, ")
    assert first.endswith("% longer")
    assert second.startswith("seconds: scaled to the same mean, half of the steps are within ")


def test_a_progress_file_says_where_the_run_is(
    manifest: Path, cache: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found, path = read_manifest(manifest), tmp_path / "progress.json"
    list(BatchSampler(found, 0, 2, Progress(path)))
    line = printed(capsys, manifest, cache, "--progress", path)[-1]
    assert line.startswith(f"progress: step {found.steps} of {found.steps}")
    content = json.loads(path.read_text())
    path.write_text(json.dumps(content | {"step": 2, "since_step": 1, "since": content["updated"] - 3600}))
    assert printed(capsys, manifest, cache, "--progress", path)[-1].endswith("h left at its pace")
    path.write_text(json.dumps(content | {"order": "another"}))
    with pytest.raises(InputError, match="the progress of another order"):
        run([str(manifest), str(cache), "--progress", str(path)])


def test_a_copy_and_a_configuration_are_checked(
    cache: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, copy, config = tmp_path / "order.json", tmp_path / "copy.jsonl", tmp_path / "arguments.json"
    order.run([str(cache), "--accumulation", "2", "-o", str(path), "--rewrite", str(copy)])
    capsys.readouterr()
    config.write_text('{"per_device_train_batch_size": 2, "gradient_accumulation_steps": 2}')
    assert printed(capsys, path, cache, "--copy", copy, "--config", config)[-2:] == [
        "copy: 8 records, of the lengths of the order",
        "settings: per_device_train_batch_size, gradient_accumulation_steps as planned",
    ]
    config.write_text('{"per_device_train_batch_size": 4}')
    with pytest.raises(UserError, match=r"arguments\.json: per_device_train_batch_size: 4 in the trainer's file"):
        run([str(path), str(cache), "--config", str(config)])
    with pytest.raises(UserError, match=r"cache\.jsonl: copy: 10 records, and the order has 8"):
        run([str(path), str(cache), "--copy", str(cache)])


def test_a_step_beyond_the_run_is_refused(manifest: Path, cache: Path) -> None:
    with pytest.raises(UserError, match="from-step: 99 is no step of the run"):
        run([str(manifest), str(cache), "--from-step", "99"])
