"""The probe on a real model: points, padding and masks."""

from pathlib import Path

import pytest

import torch
from bucketplan.cost.fitting.cost_file import read_cost, read_measurements
from bucketplan.cost.probing.mask_check import check_masks
from bucketplan_tui.commands.fit import run as fit
from bucketplan_tui.commands.probe import run as probe
from tests.torch import hooks

STEP, MASKS = "tests.torch.hooks:step", "tests.torch.hooks:masks"


def test_points_of_a_real_step_are_measured_and_fitted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    points, cost = str(tmp_path / "points.csv"), str(tmp_path / "cost.json")
    assert probe([STEP, "--widths", "64,128,256,512,1024,2048,4096", "--repeats", "3", "-o", points]) == 0
    text = Path(points).read_text()
    assert f"torch {torch.__version__}, CPU" in text
    assert "# 4096,2: OutOfMemoryError: out of memory, as it would be on a card\n" in text
    assert len(read_measurements(points).points) == 8
    assert fit([points, "-o", cost]) == 0
    model = read_cost(cost).model
    assert model.linear > 0
    assert model.quadratic > 0
    assert "quadratic share" in capsys.readouterr().out


def test_padding_is_measured_at_the_same_width(capsys: pytest.CaptureFixture[str]) -> None:
    assert probe([STEP, "--check", "padding", "--widths", "256,512", "--repeats", "3"]) == 0
    penalty = float(capsys.readouterr().out.rsplit(maxsplit=1)[-1])
    assert 0.5 < penalty < 5


def test_the_masks_of_a_real_model_are_checked(capsys: pytest.CaptureFixture[str]) -> None:
    assert probe([MASKS, "--check", "mask", "--window", "16"]) == 0
    assert capsys.readouterr().out == (
        "sliding: genuinely windowed: at most 16 of 32 positions allowed in a row, within the window of 16\n"
        "global: not windowed: no mask is passed, and all 32 positions are allowed\n"
        "faulty: not windowed: at most 17 of 32 positions allowed in a row, where the window of 16 is claimed\n"
        "1 of 3 masks are genuinely windowed\n"
    )


@pytest.mark.parametrize("kind", [torch.bool, torch.int64, torch.float32, torch.bfloat16])
def test_masks_of_every_type_are_read(kind: torch.dtype) -> None:
    mask = hooks.masks(2, 32)["sliding"]
    assert mask is not None
    given = mask.to(kind)
    if kind.is_floating_point:
        given = torch.zeros_like(given).masked_fill(~mask, torch.finfo(kind).min)
    (found,) = check_masks(given, 16, 32)
    assert found.windowed
