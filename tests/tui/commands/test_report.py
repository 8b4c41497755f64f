"""`bucketplan report`: every knob an option, the figures as text, JSON and markdown, and refusals in one line."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bucketplan.errors import InputError, KnobError
from bucketplan.exploring.explorer import Explorer
from bucketplan.planning.knobs import Knobs
from bucketplan.planning.scenario import settings
from bucketplan.planning.strategies.bucket import Bucket
from bucketplan_tui.commands import main
from bucketplan_tui.commands.report import run

RECORDS = [
    {"input_ids": [1] * length, "labels": [-100, *[1] * (length - 1)], "dataset_id": root, "sample_kind": "chat"}
    for length, root in [(3, "a"), (9, "[bold]b"), (4, "a"), (8, "c\x1b[2J"), (5, "a"), (7, "d|e")]
]


@pytest.fixture
def cache(tmp_path: Path) -> str:
    path = tmp_path / "cache.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in RECORDS))
    return str(path)


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert run(list(words)) == 0
    return capsys.readouterr().out


def parsed(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is not JSON")

    return json.loads(printed(capsys, *words, "--format", "json"), parse_constant=refuse)


def test_json_holds_the_cache_the_cost_and_the_plans(capsys: pytest.CaptureFixture[str], cache: str) -> None:
    out = parsed(capsys, cache, "--bucket", "4")
    assert out["schema"] == 1
    assert out["cache"]["path"] == cache
    assert (out["cache"]["records"], out["cache"]["tokens"], out["cache"]["roots"]) == (6, 36, 4)
    assert out["cost"]["rows"] == 2
    assert [plan["name"] for plan in out["plans"]] == ["baseline", "plan"]
    assert out["plans"][0]["knobs"]["strategy"] == "sequential"
    assert out["plans"][1]["knobs"]["bucket"] == 4
    assert out["plans"][0]["saving"] is None
    assert set(out["plans"][1]["saving"]) == {"time_fraction", "padded_tokens_fraction", "hours"}


def test_json_is_ascii_and_every_metric_is_the_librarys(capsys: pytest.CaptureFixture[str]) -> None:
    text = printed(capsys, "--demo", "--format", "json", "--micro-batch", "4")
    assert text.isascii()
    from bucketplan.readers.demo.built_in import demo_corpus

    wanted = dict(Explorer(demo_corpus()).report(Knobs(micro_batch=4)).metrics)
    assert json.loads(text)["plans"][1]["metrics"] == wanted


def test_a_sweep_is_a_plan_for_each_value(capsys: pytest.CaptureFixture[str], cache: str) -> None:
    out = parsed(capsys, cache, "--sweep", "bucket=2,4")
    assert [plan["name"] for plan in out["plans"]] == ["baseline", "bucket=2", "bucket=4"]


def test_two_sweeps_are_a_grid(capsys: pytest.CaptureFixture[str], cache: str) -> None:
    out = parsed(capsys, cache, "--sweep", "bucket=2,4", "--sweep", "micro-batch=1,2,3")
    names = [plan["name"] for plan in out["plans"][1:]]
    assert names == [f"bucket={bucket} micro-batch={rows}" for bucket in (2, 4) for rows in (1, 2, 3)]


def test_every_numeric_knob_can_be_swept(capsys: pytest.CaptureFixture[str], cache: str) -> None:
    for each in settings().values():
        if each.numeric:
            value = each.choices[-1] if each.choices else each.default or 3
            assert len(parsed(capsys, cache, "--sweep", f"{each.label}={value}")["plans"]) == 2


def test_a_swept_cost_is_compared_with_the_baseline_under_the_same_cost(
    capsys: pytest.CaptureFixture[str], cache: str
) -> None:
    out = parsed(capsys, cache, "--sweep", "cost-fixed=0,100")
    free, dear = (plan["saving"]["time_fraction"] for plan in out["plans"][1:])
    assert 0 < dear < 1e-3 < free


def test_every_knob_is_an_option(capsys: pytest.CaptureFixture[str], cache: str) -> None:
    words = "--strategy bucket --bucket 3 --micro-batch 3 --accumulation 2 --seed 1 --world-size 2 --no-align-ranks "
    words += "--sync micro --max-length 8 --over-max truncate --pad-to-multiple 8 --drop-last --longest-first "
    words += "--epochs 3 --mixing kind --cost-linear 1 --cost-quadratic 2 --cost-fixed 3 --cost-rows 4 "
    words += "--step-seconds 5 --mask-penalty 1.5 --passes-mask"
    out = parsed(capsys, cache, *words.split())
    knobs = out["plans"][1]["knobs"] | {f"cost_{k}": v for k, v in out["cost"].items()} | out["cost"]
    assert knobs == knobs | {
        "bucket": 3,
        "micro_batch": 3,
        "accumulation": 2,
        "seed": 1,
        "world_size": 2,
        "align_ranks": False,
        "sync": "micro",
        "max_length": 8,
        "over_max": "truncate",
        "pad_to_multiple": 8,
        "drop_last": True,
        "longest_first": True,
        "epochs": 3,
        "mixing": "kind",
        "cost_linear": 1.0,
        "cost_quadratic": 2.0,
        "cost_fixed": 3.0,
        "cost_rows": 4,
        "step_seconds": 5.0,
        "mask_penalty": 1.5,
        "passes_mask": True,
    }


def test_the_baseline_is_a_plan_of_its_own(capsys: pytest.CaptureFixture[str], cache: str) -> None:
    out = parsed(capsys, cache, "--seed", "3", "--baseline", "strategy=bucket,bucket=2,micro-batch=1")
    baseline = out["plans"][0]["knobs"]
    assert (baseline["strategy"], baseline["bucket"], baseline["micro_batch"], baseline["seed"]) == ("bucket", 2, 1, 3)


def test_text_shows_figures_beside_the_baseline(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys, "--demo").splitlines()
    waste = next(line for line in lines if line.startswith("Padding waste"))
    assert waste.split() == ["Padding", "waste", "30.19%", "0.07%", "-30.13", "pt", "▼"]
    assert any(line.startswith("plan saves 35.3% of the time and 30.1% of the padded tokens") for line in lines)


def test_text_lists_roots_by_tokens_and_sums_the_rest(capsys: pytest.CaptureFixture[str], cache: str) -> None:
    lines = printed(capsys, cache, "--roots", "2").splitlines()
    table = lines[lines.index("Roots") + 3 :][:4]
    assert [line.split() for line in table] == [
        ["root", "records", "tokens", "share", "median", "longest"],
        ["a", "3", "12", "33.3%", "4", "5"],
        ["[bold]b", "1", "9", "25.0%", "9", "9"],
        ["2", "others", "2", "15", "41.7%", "7.5", "8"],
    ]


def test_hostile_names_are_shown_escaped(capsys: pytest.CaptureFixture[str], cache: str) -> None:
    for form in ("text", "markdown"):
        out = printed(capsys, cache, "--format", form)
        assert "\x1b" not in out
    assert "c\\\\x1b\\[2J" in out
    assert "d\\|e" in out


def test_markdown_is_tables(capsys: pytest.CaptureFixture[str], cache: str) -> None:
    out = printed(capsys, cache, "--bucket", "2", "--format", "markdown")
    assert "## Padding" in out
    assert "| --- | ---: | ---: | ---: |" in out
    assert "| Padding waste | 25.00% | 10.00% | -15.00 pt ▼ |" in out


def test_what_is_unknown_is_null_and_not_zero(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "bare.jsonl"
    path.write_text('{"input_ids": [1, 2]}\n{"input_ids": [1]}\n')
    out = parsed(capsys, str(path))
    assert (out["cache"]["roots"], out["cache"]["supervised_tokens"]) == (None, None)
    metrics = out["plans"][1]["metrics"]
    assert metrics["roots_per_window_mean"] is metrics["supervised_per_window_mean"] is None
    assert metrics["neighbour_correlation"] is None


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--micro-batch", "0"], "micro-batch: 0"),
        (["--sweep", "bucket=2,x"], "bucket: x"),
        (["--sweep", "bucket="], "names no values"),
        (["--sweep", "sync=step"], "sync has no numbers"),
        (["--sweep", "nothing=1"], "there is no such knob"),
        (["--sweep", "bucket=2,2"], "twice"),
        (["--baseline", "strategy=best"], "best"),
        (["--strategy", "sequential", "--bucket", "2"], "sequential has no such knob"),
        (["--max-length", "1", "--over-max", "drop"], "all 6 records"),
    ],
)
def test_knobs_out_of_range_are_refused_by_name(cache: str, words: list[str], says: str) -> None:
    with pytest.raises(KnobError, match=says):
        run([cache, *words])


def test_a_missing_cache_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere\.jsonl"):
        run([str(tmp_path / "nowhere.jsonl")])


@pytest.mark.parametrize("words", [[], ["--demo", "cache.jsonl"], ["--no-such-option"], ["a", "b"]])
def test_a_wrong_command_line_is_one_line_and_status_2(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        run(words)
    assert ended.value.code == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1


def test_faults_of_the_user_exit_with_2_on_one_line(cache: str) -> None:
    ran = bucketplan("report", cache, "--bucket", "0")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == "bucket: 0 is not a value it can have - give 1 and up\n"


def test_a_reader_that_goes_away_is_no_fault(cache: str) -> None:
    ran = subprocess.run(
        f"{sys.executable} -m bucketplan_tui.commands.main report {cache} --sweep seed=1,2,3,4 | head -n 1",
        shell=True,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.stderr == ""


def test_the_plain_command_imports_no_textual(cache: str) -> None:
    code = "import sys\nfrom bucketplan_tui.commands.main import run\nrun(sys.argv[1:])\n"
    code += "assert not {'textual', 'plotext'} & set(sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code, "report", cache], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr


def test_an_interrupt_exits_with_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted() -> int:
        raise KeyboardInterrupt

    assert main.guarded(interrupted) == 130


def bucketplan(*words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "bucketplan_tui.commands.main", *words], capture_output=True, text=True, check=False
    )


def test_the_strategy_is_the_default_one(capsys: pytest.CaptureFixture[str], cache: str) -> None:
    assert parsed(capsys, cache)["plans"][1]["knobs"]["bucket"] == Bucket().bucket


def test_the_golden_command_line(shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = parsed(
        capsys,
        str(shared / "data" / "cache-small.jsonl.gz"),
        *["--drop-last", "--steps", "1312", "--sweep", "bucket=2,8,32,128,512"],
    )
    wanted = json.loads((shared / "data" / "golden-small.json").read_text())["buckets"]
    for plan, golden in zip(out["plans"][1:], wanted.values(), strict=True):
        assert plan["metrics"]["order_sha256"] == golden["order_sha256"]
        assert plan["metrics"]["hours"] == pytest.approx(golden["hours"], rel=1e-9)
        assert plan["saving"]["time_fraction"] == pytest.approx(golden["saving"]["wall_fraction"], rel=1e-9)


def test_skipped_records_are_listed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text('{"input_ids": [1]}\n{"input_ids": []}\n\nnonsense\n')
    assert "line 2: input_ids: empty" in printed(capsys, str(path), "--skip-bad")
    found = parsed(capsys, str(path), "--skip-bad")["cache"]
    assert found["skipped"] == 2
    assert [each["line"] for each in found["skipped_records"]] == [2, 4]
