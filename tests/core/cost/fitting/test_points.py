"""Tables of measured points: what is read, and what is refused with its place."""

import pytest

from bucketplan.cost.fitting.points import Point, Points, points_of
from bucketplan.errors import InputError


def read(text: str, rows: int | None = 2) -> Points:
    return points_of("points.csv", text.encode(), rows)


def refusal(text: str) -> str:
    with pytest.raises(InputError) as caught:
        read(text)
    return str(caught.value)


def test_names_decide_the_columns() -> None:
    found = read("gpu,Rows,seconds,tokens_per_s,width\ndemo,4,0.5,9000,1024\n")
    assert found == Points("points.csv", (Point(2, 1024, 0.5, 4),))


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("seconds", 3.0),
        ("Time (s)", 3.0),
        ("step_time_ms", 3e-3),
        ("time [µs]", 3e-6),
        ("duration_us", 3e-6),
        ("latency ns", 3e-9),
        ("elapsed minutes", 180.0),
    ],
)
def test_a_unit_in_the_header_is_converted(header: str, seconds: float) -> None:
    assert read(f"width,{header}\n512,3\n").points[0].seconds == pytest.approx(seconds)


@pytest.mark.parametrize(
    ("header", "told"),
    [
        ("width,time", "time: a time without a unit - name it seconds, or time_ms"),
        ("width,time_fortnights", "time_fortnights: a time in no unit that is known"),
        ("width,seconds_ms", "seconds_ms: a time in no unit that is known"),
        ("width,seconds,time_ms", "2 columns of times: seconds, time_ms - keep one of them"),
        ("width,cost", "no column of seconds among width, cost"),
        ("tokens_k,seconds", "no column of widths among tokens_k, seconds"),
        ("width_k,seconds", "no column of widths among width_k, seconds"),
    ],
)
def test_a_header_that_leaves_a_doubt_is_refused(header: str, told: str) -> None:
    assert refusal(f"{header}\n1,2,3\n").startswith(f"points.csv:1: {told}")


def test_comments_blanks_and_line_ends_do_not_matter() -> None:
    assert read("# of one host\r\n\r\nwidth, seconds\r\n\n512,0.5\r\n  # warm\n1024,1.5").points == (
        Point(5, 512, 0.5),
        Point(7, 1024, 1.5),
    )


def test_no_header_is_said_and_takes_no_point() -> None:
    found = read("512,0.5\n1024,1.5\n")
    assert [point.width for point in found.points] == [512, 1024]
    assert found.warnings == ("no header: the columns are taken as width,seconds",)
    assert read("512,4,0.5\n").points == (Point(1, 512, 0.5, 4),)


def test_rows_that_nobody_gives_are_taken_as_two_and_said() -> None:
    found = read("width,seconds\n512,0.5\n", rows=None)
    assert found.points[0].rows == 2
    assert found.warnings == ("rows are not given: every point is taken as a micro-batch of 2 rows",)
    assert read("width,seconds\n512,0.5\n", rows=8).points[0].rows == 8


def test_a_spreadsheet_with_decimal_commas_is_read_by_its_semicolons() -> None:
    assert read("width;seconds;;\n512;0,125;;\n").points == (Point(2, 512, 0.125),)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("16384,OOM", "2: seconds: OOM is not a number - make the line a comment"),
        ("512,", "2: seconds: the cell is empty"),
        ("512", "2: seconds: the cell is empty"),
        ("-512,0.5", "2: width: -512 is not above 0"),
        ("0,0.5", "2: width: 0 is not above 0"),
        ("512.5,0.5", "2: width: 512.5 is no whole number"),
        ("99999999999,0.5", "2: width: 99999999999 is beyond what can be measured"),
        ("512,nan", "2: seconds: nan is not a number"),
        ("512,1e999", "2: seconds: 1e999 is beyond what can be measured"),
        ("512,0", "2: seconds: 0 is not above 0"),
        ("512,110 ms", "2: seconds: 110 ms is not a number - write 1234.5, without separators; a unit belongs"),
        ('512,"0,125"', "2: seconds: 0,125 is not a number"),
        ("512,0,125", "2: 3 cells where 2 columns are named - write decimals with a point"),
        ('512,"0.5', "2: no line of a table"),
        ("5\x1b[2J12,1", "2: width: 5\\x1b[2J12 is not a number"),
    ],
)
def test_a_bad_cell_is_refused_by_line_and_column(line: str, told: str) -> None:
    assert refusal(f"width,seconds\n{line}\n").startswith(f"points.csv:{told}")


def test_a_table_without_points_is_refused() -> None:
    assert refusal("width,seconds\n") == "points.csv: no points - give lines of width,seconds"


def test_text_that_is_not_utf_8_is_refused() -> None:
    with pytest.raises(InputError, match=r"points\.csv:2: not UTF-8"):
        points_of("points.csv", b"width,seconds\n512,\xff\n")
