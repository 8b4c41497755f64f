"""Options that take knobs, costs and orders from files, and those that say how a cache is read."""

import json
from pathlib import Path
from typing import Any

import pytest

from bucketplan.errors import InputError, KnobError, UserError
from bucketplan_tui.commands.order import run as order
from bucketplan_tui.commands.report import run as report


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[Any, str]:
    assert report([*words, "--format", "json"]) == 0
    told = capsys.readouterr()
    return json.loads(told.out), told.err


@pytest.fixture
def cache(tmp_path: Path) -> str:
    path = tmp_path / "cache.jsonl"
    rows = [{"toks": {"ids": [1] * n}, "y": [-100, *[1] * (n - 1)], "from": "ab"[n % 2]} for n in range(1, 30)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


KEYS = ("--key-ids", "toks.ids", "--key-labels", "y", "--key-root", "from")


def test_keys_of_the_users_choice(capsys: pytest.CaptureFixture[str], cache: str) -> None:
    out, _ = printed(capsys, cache, *KEYS)
    assert (out["cache"]["records"], out["cache"]["roots"], out["cache"]["supervised_tokens"]) == (29, 2, 29 * 28 // 2)
    assert any("token ids are read from toks.ids" in line for line in out["cache"]["warnings"])
    with pytest.raises(InputError, match="input_ids"):
        report([cache])


def test_positions_make_losses_exact(capsys: pytest.CaptureFixture[str], cache: str) -> None:
    words = (cache, *KEYS, "--max-length", "10", "--over-max", "truncate")
    bounds = printed(capsys, *words)[0]["cache"]["truncation"]["total"]
    exact = printed(capsys, *words, "--positions")[0]["cache"]["truncation"]["total"]
    lost = sum(n - 10 for n in range(11, 30))
    assert bounds["truncated_supervised_least"] < lost <= bounds["truncated_supervised_most"]
    assert exact["truncated_supervised_least"] == exact["truncated_supervised_most"] == lost


def test_knobs_come_from_a_trainers_configuration(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    config = tmp_path / "arguments.json"
    config.write_text(json.dumps({"per_device_train_batch_size": 4, "gradient_accumulation_steps": 2, "seed": 7}))
    out, told = printed(capsys, "--demo", "--config", str(config), "--accumulation", "16")
    knobs = out["plans"][1]["knobs"]
    assert (knobs["micro_batch"], knobs["accumulation"], knobs["seed"]) == (4, 16, 7)
    assert "per_device_train_batch_size gives micro-batch=4" in told


def test_a_configuration_out_of_range_is_refused(tmp_path: Path) -> None:
    config = tmp_path / "arguments.json"
    config.write_text('{"per_device_train_batch_size": 4000}')
    with pytest.raises(KnobError, match="micro-batch: 4000"):
        report(["--demo", "--config", str(config)])


def test_an_order_that_was_written_comes_back_as_plan_and_as_baseline(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    manifest = str(tmp_path / "order.json")
    assert order(["--demo", "--bucket", "64", "--micro-batch", "4", "-o", manifest]) == 0
    capsys.readouterr()
    wanted, _ = printed(capsys, "--demo", "--bucket", "64", "--micro-batch", "4")
    as_plan, _ = printed(capsys, "--demo", "--manifest", manifest)
    as_baseline, _ = printed(capsys, "--demo", "--baseline-manifest", manifest)
    assert as_plan["plans"][1]["metrics"] == wanted["plans"][1]["metrics"]
    assert as_baseline["plans"][0]["metrics"]["order_sha256"] == wanted["plans"][1]["metrics"]["order_sha256"]


def test_an_order_of_another_cache_is_refused(capsys: pytest.CaptureFixture[str], cache: str, tmp_path: Path) -> None:
    manifest = str(tmp_path / "order.json")
    assert order(["--demo", "-o", manifest]) == 0
    capsys.readouterr()
    with pytest.raises(UserError):
        report([cache, *KEYS, "--manifest", manifest])


def test_a_measured_cost_says_how_far_it_can_be_trusted(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    from bucketplan_tui.commands.fit import run as fit

    points, cost = tmp_path / "points.csv", str(tmp_path / "cost.json")
    rows = [(512, 0.374), (1024, 0.795), (2048, 1.78), (4096, 4.30), (8192, 11.6)]
    points.write_text("width,seconds\n" + "".join(f"{width},{seconds}\n" for width, seconds in rows))
    assert fit([str(points), "-o", cost]) == 0
    capsys.readouterr()
    out, _ = printed(capsys, "--demo", "--cost", cost)
    plan = out["plans"][1]
    assert plan["metrics"]["hours_least"] < plan["metrics"]["hours"] < plan["metrics"]["hours_most"]
    assert plan["metrics"]["extrapolated_micro_batches"] > 0
    least, most = plan["saving"]["time_fraction_95"]["least"], plan["saving"]["time_fraction_95"]["most"]
    assert least < plan["saving"]["time_fraction"] < most
    assert any("extrapolated" in line for line in out["cache"]["warnings"])
