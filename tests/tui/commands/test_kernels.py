"""`bucketplan kernels` prints the device time of a trace, and compares it with a fit and a card."""

import json
from pathlib import Path
from typing import Any

import pytest

from bucketplan.cost.fitting.cost_file import fit_json
from bucketplan.cost.fitting.fit import fit
from bucketplan.cost.fitting.points import Point, Points
from bucketplan.cost.model import CostModel
from bucketplan.errors import UserError
from bucketplan_tui.commands.kernels import run

NAMES = ("fmha_cutlassF_bf16_gmem_sm80(\x1b[2J[bold]Params)", "cutlass_80_tensorop_s16816gemm", "add_kernel")
EVENTS = [
    {"ph": "X", "cat": "kernel", "name": name, "ts": 1000 * n, "dur": dur, "args": {"device": 0, "stream": 7}}
    for n, (name, dur) in enumerate(zip(NAMES, (652.0, 79.0, 269.0), strict=True))
]
DEVICE = {"deviceProperties": [{"id": 0, "name": "Card", "computeMajor": 12, "computeMinor": 0}]}


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    path = tmp_path / "trace.json"
    path.write_text(json.dumps(DEVICE | {"traceEvents": EVENTS}))
    return path


@pytest.fixture
def cost(tmp_path: Path) -> Path:
    model = CostModel()
    widths = (2048, 8192, 16384)
    times = (model.linear * width + model.quadratic * width**2 for width in widths)
    points = tuple(Point(n, width, seconds) for n, (width, seconds) in enumerate(zip(widths, times, strict=True), 2))
    path = tmp_path / "cost.json"
    path.write_text(fit_json(fit(Points("p", points))))
    return path


def facts(words: list[str], capsys: pytest.CaptureFixture[str]) -> Any:
    assert run([*words, "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_the_text_names_classes_kernels_and_warnings(trace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run([str(trace)])
    text = capsys.readouterr().out
    for words in (
        "3 kernels on 1 device, 1 ms of device time in 2.27 ms elapsed",
        "Card (sm120)",
        "attention      0.652 ms  65.2%     1",
        "dense GEMM     0.079 ms   7.9%     1",
        "fmha_cutlassF_bf16_g…x1b[2J[bold]Params)  attention",
        "! 73.1% of device time, most of it attention, is in sm80 kernels on a device that is sm120",
    ):
        assert words in text
    assert "\x1b" not in text


def test_markdown_has_tables_and_no_markup_from_names(trace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run([str(trace), "--format", "markdown"])
    text = capsys.readouterr().out
    assert "| kernel | class | time | share | runs |" in text
    assert "\\[bold\\]" in text


def test_the_json_has_the_agreed_names(trace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = facts([str(trace)], capsys)
    agreed = {"schema", "kernels", "devices", "us", "memcpy_us", "top", "architectures", "skipped_events", "warnings"}
    assert agreed <= found.keys()
    assert found["us"] == {"communication": 0, "attention": 652, "gemm": 79, "other": 269}
    assert found["top"][0]["name"] == "fmha_cutlassF_bf16_gmem_sm80(\\x1b[2J[bold]Params)"
    assert found["architectures"][0]["architecture"] == "sm80"
    assert (found["attention"], found["throughput"]) == (None, None)


def test_only_so_many_kernels_are_listed(trace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert len(facts([str(trace), "--top", "1"], capsys)["top"]) == 1
    run([str(trace), "--top", "1"])
    assert "2 others" in capsys.readouterr().out


def test_attention_is_compared_with_the_fit(trace: Path, cost: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [str(trace), "--cost", str(cost), "--width", "16,384"]
    run(words)
    assert (
        "attention takes 65.2% of device time, and the fit predicts a quadratic share of 67.8% at width 16,384: "
        "2.6 points apart, they agree" in capsys.readouterr().out
    )
    assert facts(words, capsys)["attention"]["agree"] is True


def test_what_was_achieved_is_compared_with_the_card(trace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [str(trace), "--parameters", "1e9", "--tokens", "10", "--peak-tflops", "304"]
    run(words)
    assert "26.4 of 304 available TFLOPS a device, 8.7%" in capsys.readouterr().out
    assert facts(words, capsys)["throughput"]["share"] == pytest.approx(0.087, abs=1e-3)


def test_a_cut_trace_is_read_on_request(trace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trace.write_bytes(trace.read_bytes()[:-60])
    with pytest.raises(UserError, match=r"truncated.*--partial"):
        run([str(trace)])
    found = facts([str(trace), "--partial"], capsys)
    assert found["kernels"] == 2
    assert any("truncated" in line for line in found["warnings"])


def test_classes_of_the_user_come_first(trace: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    patterns = tmp_path / "classes.toml"
    patterns.write_text("gemm = ['add_kernel']\n")
    assert facts([str(trace), "--classes", str(patterns)], capsys)["us"]["gemm"] == 79 + 269


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--cost", "cost.json"], "--width is missing - --cost and --width go together"),
        (["--tokens", "5"], "--parameters is missing"),
        (["--device", "card"], "device: card is no architecture - write sm120, or 12.0"),
        (["--classes", "none.toml"], "No such file"),
    ],
)
def test_options_that_say_too_little_are_refused(trace: Path, words: list[str], told: str) -> None:
    with pytest.raises(UserError, match=told):
        run([str(trace), *words])


@pytest.mark.parametrize("option", [["--width", "1.5"], ["--parameters", "-1"], ["--tokens", "many"]])
def test_numbers_out_of_range_are_refused(trace: Path, option: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        run([str(trace), *option])
    assert caught.value.code == 2
    assert "above 0" in capsys.readouterr().err
