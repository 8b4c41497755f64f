"""Steps are timed in turns, failures are told, and padding and masks are checked."""

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from bucketplan.cost.fitting.fit import fit
from bucketplan.cost.fitting.points import points_of
from bucketplan.cost.probing.hook import check_takes, load_hook
from bucketplan.cost.probing.mask_check import MaskCheck, check_masks
from bucketplan.cost.probing.padding_check import check_padding, padding_shapes
from bucketplan.cost.probing.probe import Shape, measure, points_text, shapes, spread_widths
from bucketplan.errors import UserError


class Machine:
    """A clock that a fake step moves on."""

    def __init__(self, seconds: Callable[[int, int, bool], float]) -> None:
        self.now = 0.0
        self.seconds = seconds
        self.ran: list[tuple[int, int]] = []

    def step(self, rows: int, width: int, padding: bool = False) -> None:
        self.ran.append((width, rows))
        self.now += self.seconds(rows, width, padding)

    def clock(self) -> float:
        return self.now


def test_eight_widths_are_spread_at_equal_ratios() -> None:
    widths = spread_widths(16_384)
    assert (len(widths), widths[0], widths[-1]) == (8, 512, 16_384)
    assert all(width % 64 == 0 for width in widths)
    assert spread_widths(100) == [3, 5, 8, 14, 23, 37, 61, 100]
    assert spread_widths(1) == [1]


def test_more_rows_are_measured_where_they_cost_least() -> None:
    assert shapes([512, 128, 256], [2, 4]) == [
        *(Shape(width, 2) for width in (128, 256, 512)),
        *(Shape(width, 4) for width in (128, 256)),
    ]


def test_what_is_measured_and_written_is_what_the_fit_reads() -> None:
    machine = Machine(lambda rows, width, padding: 0.01 + (1e-4 * width + 1e-8 * width**2) * rows / 2)
    timings = measure(machine.step, shapes(spread_widths(8192), [2, 4]), clock=machine.clock)
    found = points_of("points.csv", points_text(timings, "training:step", 2, 5).encode())
    model = fit(found).cost.model
    assert (model.fixed, model.linear, model.quadratic) == pytest.approx((0.01, 1e-4, 1e-8), rel=1e-4)
    assert found.warnings == ()


def test_the_largest_warms_up_first_and_repeats_take_turns_forth_and_back() -> None:
    machine = Machine(lambda rows, width, padding: 1.0)
    measure(machine.step, [Shape(1, 2), Shape(3, 2)], warm_up=2, repeats=2, clock=machine.clock)
    assert machine.ran == [(3, 2), (3, 2), (1, 2), (1, 2), (1, 2), (3, 2), (3, 2), (1, 2)]


def test_the_median_stands_for_the_repeats() -> None:
    times = iter([9.0, 1.0, 2.0, 50.0])
    machine = Machine(lambda rows, width, padding: next(times))
    (timing,) = measure(machine.step, [Shape(8, 2)], warm_up=1, repeats=3, clock=machine.clock)
    assert timing.seconds == (1.0, 2.0, 50.0)
    assert timing.median == 2.0


def test_a_width_that_fails_is_a_comment_and_the_others_go_on() -> None:
    def seconds(rows: int, width: int, padding: bool) -> float:
        if width > 100:
            raise RuntimeError("out of memory\x1b[2J\nand a second line")
        return width / 100

    machine = Machine(seconds)
    timings = measure(machine.step, [Shape(width, 2) for width in (50, 100, 200)], clock=machine.clock)
    text = points_text(timings, "training:step", 2, 5)
    assert "# 200,2: RuntimeError: out of memory\\x1b[2J\n" in text
    assert [point.width for point in points_of("p", text.encode()).points] == [50, 100]
    assert machine.ran.count((200, 2)) == 1


def test_progress_ends_at_its_total() -> None:
    told: list[tuple[int, int]] = []
    measure(lambda rows, width: None, [Shape(8, 2)], progress=lambda done, total: told.append((done, total)))
    assert told == [(done, 7) for done in range(8)]


def test_what_a_step_prints_stays_out_of_the_points(capsys: pytest.CaptureFixture[str]) -> None:
    measure(lambda rows, width: print("loss 3.1"), [Shape(8, 2)], warm_up=0, repeats=1)
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", "loss 3.1\n")


def test_time_is_wall_clock_time() -> None:
    (timing,) = measure(lambda rows, width: time.sleep(0.002), [Shape(8, 2)], warm_up=0, repeats=1)
    assert timing.median >= 0.002


def test_right_padding_gives_the_mask_penalty() -> None:
    machine = Machine(lambda rows, width, padding: width * (1.094 if padding else 1.0))
    found = check_padding(measure(machine.step, padding_shapes([64, 32], 2), clock=machine.clock))
    assert found.mask_penalty == pytest.approx(1.094)
    assert [width for width, _ in found.ratios] == [32, 64]


def test_a_width_without_both_times_is_told() -> None:
    def seconds(rows: int, width: int, padding: bool) -> float:
        if padding and width > 32:
            raise MemoryError
        return 1.0

    machine = Machine(seconds)
    found = check_padding(measure(machine.step, padding_shapes([32, 64], 2), clock=machine.clock))
    assert (found.mask_penalty, found.failures) == (1.0, ("width 64: MemoryError",))


WIDTH, WINDOW = 32, 8
BACK = np.arange(WIDTH)[:, None] - np.arange(WIDTH)
SLIDING = (BACK >= 0) & (BACK < WINDOW)


def one(mask: object, window: int = WINDOW) -> MaskCheck:
    (found,) = check_masks(mask, window, WIDTH)
    return found


@pytest.mark.parametrize(
    "mask",
    [
        SLIDING,
        SLIDING.astype(np.int64),
        SLIDING.astype(np.float32),
        np.where(SLIDING, 0.0, -np.inf),
        np.where(SLIDING, -0.5 * BACK, np.finfo(np.float32).min),
        SLIDING[None, None],
    ],
    ids=["boolean", "integer", "ones", "addend", "with position bias", "by row and head"],
)
def test_a_sliding_mask_is_genuinely_windowed_in_any_form(mask: object) -> None:
    found = one(mask)
    assert found.windowed
    assert found.verdict == "genuinely windowed: at most 8 of 32 positions allowed in a row, within the window of 8"


def test_a_mask_that_is_wrong_by_one_is_caught() -> None:
    found = one((BACK >= 0) & (BACK <= WINDOW))
    assert not found.windowed
    assert found.verdict == "not windowed: at most 9 of 32 positions allowed in a row, where the window of 8 is claimed"


def test_few_positions_that_lie_too_far_back_are_caught() -> None:
    assert "as far as 16 back" in one((BACK >= WINDOW) & (BACK < 2 * WINDOW)).verdict


def test_later_positions_are_told() -> None:
    assert "later ones among them" in one((BACK >= -2) & (BACK < 3)).verdict


def test_no_mask_is_no_window() -> None:
    assert one(None).verdict == "not windowed: no mask is passed, and all 32 positions are allowed"


def test_a_width_within_the_window_tells_nothing() -> None:
    found = one(BACK >= 0, window=32)
    assert not found.windowed
    assert found.verdict.startswith("not told")


def test_several_masks_are_told_apart_by_name() -> None:
    found = check_masks({"sliding": SLIDING, "full": BACK >= 0}, WINDOW, WIDTH)
    assert [(each.name, each.windowed) for each in found] == [("sliding", True), ("full", False)]
    assert [each.name for each in check_masks([SLIDING, None], WINDOW, WIDTH)] == ["mask 0", "mask 1"]


@pytest.mark.parametrize("mask", ["a mask", 7, {}, np.ones(4), np.ones((2, 64)), np.array([["x"]])])
def test_what_is_no_mask_is_refused(mask: object) -> None:
    with pytest.raises(UserError, match="return"):
        check_masks(mask, WINDOW, WIDTH)


@pytest.mark.parametrize(
    ("named", "told"),
    [
        ("steps", "not a hook - write module:function"),
        ("no_such_module:step", "ModuleNotFoundError"),
        ("steps:none", "AttributeError"),
        ("steps:number", "not a function"),
        ("broken:step", "ZeroDivisionError"),
    ],
)
def test_a_hook_that_cannot_be_had_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: str, told: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "steps.py").write_text("number = 7\ndef step(rows, width): ...\n")
    (tmp_path / "broken.py").write_text("1 / 0\n")
    assert callable(load_hook("steps:step"))
    with pytest.raises(UserError, match=told):
        load_hook(named)


def test_a_hook_without_padding_is_refused_before_it_runs() -> None:
    check_takes(lambda rows, width, padding=False: None, "padding", "m:f")
    check_takes(lambda *given, **named: None, "padding", "m:f")
    with pytest.raises(UserError, match="it takes no padding"):
        check_takes(lambda rows, width: None, "padding", "m:f")
