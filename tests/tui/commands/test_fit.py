"""`bucketplan fit` prints a fit as text, markdown or JSON, and writes the cost file."""

import io
import json
from pathlib import Path

import pytest

from bucketplan.cost.fitting.cost_file import read_cost
from bucketplan.errors import UserError
from bucketplan_tui.commands.fit import run

TABLE = "width,rows,seconds\n512,2,0.11026432\n1024,2,0.23625728\n2048,2,0.53542912\n4096,2,1.32251648\n"


@pytest.fixture
def points(tmp_path: Path) -> Path:
    path = tmp_path / "points.csv"
    path.write_text(TABLE)
    return path


def test_the_text_names_what_matters(points: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([str(points)]) == 0
    text = capsys.readouterr().out
    for words in (
        "t = C + (A w + B w²) r / r0, r0 = 2",
        "no fixed term needed: not launch-bound",
        "quadratic share 7.1% at 512 -> 38.1% at 4,096",
        "crossover width 6,667",
        "A  linear     0.0002    0.0002      0.0002   s/token",
        "line 3  1,024     2    236 ms     236 ms  +0.000 ms  +0.00%",
        "A B ←",
    ):
        assert words in text
    assert "Warnings" not in text


def test_markdown_has_tables(points: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run([str(points), "--format", "markdown"])
    assert "| terms | error | AICc | F | p |\n| --- | ---: | ---: | ---: | ---: |" in capsys.readouterr().out


def test_the_json_is_what_the_cost_file_holds(points: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "cost.json"
    run([str(points), "-o", str(target), "--format", "json"])
    printed = capsys.readouterr().out
    assert printed == target.read_text()
    assert json.loads(printed)["linear"] == pytest.approx(2e-4)
    assert read_cost(str(target)).model.quadratic == pytest.approx(3e-8)


def test_a_cost_file_can_be_fitted_again(points: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    run([str(points), "-o", str(first)])
    assert capsys.readouterr().out.endswith(f"wrote {first}: read it with --cost\n")
    run([str(first), "-o", str(second)])
    assert first.read_text() == second.read_text()


def test_points_can_come_through_a_pipe(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(TABLE.encode())))
    run(["-", "--format", "json"])
    assert json.loads(capsys.readouterr().out)["distinct_widths"] == 4


def test_rows_and_window_reach_the_fit(points: Path, capsys: pytest.CaptureFixture[str]) -> None:
    points.write_text("width,seconds\n512,0.1\n1024,0.2\n2048,0.4\n4096,0.8\n8192,1.6\n")
    run([str(points), "--rows", "8", "--window", "1024"])
    text = capsys.readouterr().out
    assert "D w min(w, window)) r / r0, window 1,024, r0 = 8" in text
    assert "D  windowed" in text


def test_nothing_is_written_over_without_force(points: Path, tmp_path: Path) -> None:
    target = tmp_path / "cost.json"
    target.write_text("precious")
    with pytest.raises(UserError, match="exists already"):
        run([str(points), "-o", str(target)])
    assert target.read_text() == "precious"
    run([str(points), "-o", str(target), "--force"])
    assert read_cost(str(target)).points
    with pytest.raises(UserError, match="this is what is read"):
        run([str(points), "-o", str(points), "--force"])
    assert points.read_text() == TABLE


@pytest.mark.parametrize("option", [["--rows", "0"], ["--window", "-1"]])
def test_counts_out_of_range_are_refused(points: Path, option: list[str]) -> None:
    with pytest.raises(UserError, match="is out of range - give 1 and up"):
        run([str(points), *option])
