"""`bucketplan probe` runs a step of the user's own and writes what the fit reads."""

import io
from pathlib import Path

import pytest

from bucketplan.cost.fitting.cost_file import read_measurements
from bucketplan.errors import UserError
from bucketplan_tui.commands.probe import run
from bucketplan_tui.text.steps_progress import steps_line

HOOKS = """
import numpy as np

def step(rows, width, padding=False):
    print("loss 3.1")
    if width > 1000:
        raise RuntimeError("out of memory")

def fails(rows, width):
    raise RuntimeError("out of memory")

def masks(rows, width):
    back = np.arange(width)[:, None] - np.arange(width)
    return {"sliding": (back >= 0) & (back < 8), "wrong": (back >= 0) & (back < 9)}
"""


@pytest.fixture(autouse=True)
def hooks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The module of the hooks, named apart in each test, for Python imports a name once."""
    name = f"hooks_of_{abs(hash(tmp_path))}"
    (tmp_path / f"{name}.py").write_text(HOOKS)
    monkeypatch.chdir(tmp_path)
    return name


def test_points_are_written_for_the_fit(hooks: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "points.csv"
    assert run([f"{hooks}:step", "--widths", "64,128,4096", "--rows", "2,4", "-o", str(target)]) == 0
    assert [(point.width, point.rows) for point in read_measurements(str(target)).points] == [
        (64, 2),
        (128, 2),
        (64, 4),
        (128, 4),
    ]
    assert "# 4096,2: RuntimeError: out of memory\n" in target.read_text()
    told = f"wrote {target}: 4 points, 1 failed and are comments; next: bucketplan fit {target}\n"
    assert capsys.readouterr().out == told


def test_points_go_to_stdout_and_nothing_else_does(hooks: str, capsys: pytest.CaptureFixture[str]) -> None:
    run([f"{hooks}:step", "--longest", "512", "--repeats", "1"])
    captured = capsys.readouterr()
    lines = captured.out.splitlines()
    assert lines[0] == f"# bucketplan probe {hooks}:step; torch is not loaded"
    assert lines[2].startswith("width,rows,seconds")
    assert len(lines) == 3 + 8 + 2
    assert "loss 3.1" in captured.err


def test_padding_gives_the_mask_penalty(hooks: str, capsys: pytest.CaptureFixture[str]) -> None:
    run([f"{hooks}:step", "--check", "padding", "--widths", "64,4096"])
    text = capsys.readouterr().out
    assert "! width 4,096: RuntimeError: out of memory\n" in text
    assert "width 64: " in text
    assert ": --passes-mask --mask-penalty " in text


def test_masks_are_checked_against_the_window(hooks: str, capsys: pytest.CaptureFixture[str]) -> None:
    run([f"{hooks}:masks", "--check", "mask", "--window", "8"])
    assert capsys.readouterr().out == (
        "sliding: genuinely windowed: at most 8 of 16 positions allowed in a row, within the window of 8\n"
        "wrong: not windowed: at most 9 of 16 positions allowed in a row, where the window of 8 is claimed\n"
        "1 of 2 masks are genuinely windowed\n"
    )


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["fails"], "every step failed - RuntimeError: out of memory"),
        (["fails", "--check", "padding"], "it takes no padding"),
        (["fails", "--check", "mask", "--window", "8"], "it failed - RuntimeError: out of memory"),
        (["masks", "--check", "mask"], "window is missing"),
        (["step", "--check", "padding", "-o", "points.csv"], "a check writes no points"),
        (["none"], "AttributeError"),
    ],
)
def test_what_cannot_be_measured_is_refused(hooks: str, words: list[str], told: str) -> None:
    with pytest.raises(UserError, match=told):
        run([f"{hooks}:{words[0]}", *words[1:]])


def test_an_existing_file_is_refused_before_anything_runs(
    hooks: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "points.csv").write_text("precious")
    with pytest.raises(UserError, match="exists already"):
        run([f"{hooks}:step", "-o", "points.csv"])
    assert "loss" not in capsys.readouterr().err


@pytest.mark.parametrize("option", [["--widths", "64,x"], ["--rows", "0"], ["--repeats", "0"], ["--longest", "1.5"]])
def test_counts_out_of_range_are_refused(hooks: str, option: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        run([f"{hooks}:step", *option])
    assert caught.value.code == 2
    assert "no whole number above 0" in capsys.readouterr().err


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_the_progress_line_is_determinate_and_clears_itself() -> None:
    stream = Terminal()
    show = steps_line(stream)
    show(6, 24)
    assert "[######..................] step 6 of 24, 25%" in stream.getvalue()
    show(24, 24)
    assert stream.getvalue().endswith("\r" + " " * 60 + "\r")


def test_there_is_no_progress_line_without_a_terminal() -> None:
    stream = io.StringIO()
    steps_line(stream)(1, 2)
    assert stream.getvalue() == ""
