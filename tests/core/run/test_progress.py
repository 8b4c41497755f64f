"""A progress file says where a run is, and costs the run nothing when it cannot be written."""

import json
import warnings
from pathlib import Path

import pytest

from bucketplan.errors import InputError
from bucketplan.order import BatchSampler, Progress, read_progress
from bucketplan.planning.knobs import Knobs
from tests.core.order.cases import manifest

KNOBS = Knobs(micro_batch=1, accumulation=2)


class Clock:
    """Five seconds pass at each look."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        self.now += 5
        return self.now


def test_the_file_says_the_step_and_the_pace(tmp_path: Path) -> None:
    found = manifest(20, KNOBS)
    path = tmp_path / "progress.json"
    batches = iter(BatchSampler(found, progress=Progress(path, every_seconds=0, clock=Clock())))
    for _ in range(13):
        next(batches)
    point = read_progress(path)
    assert (point.order, point.step, point.steps) == (found.digest, 6, 10)
    # Steps 1 to 6 took 25 seconds, so the four that are left take 20.
    assert (point.since_step, point.updated - point.since) == (1, 25.0)
    assert point.hours_left() == pytest.approx(20 / 3600)
    assert point.hours_left(lambda first, last: 2.0 if last == 10 else 1.0) == pytest.approx(50 / 3600)
    list(batches)
    assert read_progress(path).step == 10


def test_it_is_written_at_most_every_few_seconds_and_at_the_end(tmp_path: Path) -> None:
    written = []

    class Counting(Progress):
        def _write(self, point: object) -> None:
            written.append(point)

    list(BatchSampler(manifest(20, KNOBS), progress=Counting(tmp_path / "p", every_seconds=22, clock=Clock())))
    assert [point.step for point in written] == [0, 5, 10]  # type: ignore[attr-defined]


def test_only_the_first_rank_writes(tmp_path: Path) -> None:
    found = manifest(20, Knobs(micro_batch=1, world_size=2))
    list(BatchSampler(found, 1, 2, Progress(tmp_path / "p.json")))
    assert not list(tmp_path.iterdir())
    list(BatchSampler(found, 0, 2, Progress(tmp_path / "p.json")))
    assert read_progress(tmp_path / "p.json").step == found.steps


def test_a_file_that_cannot_be_written_is_one_warning_and_no_more(tmp_path: Path) -> None:
    found = manifest(20, KNOBS)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        sampler = BatchSampler(found, progress=Progress(tmp_path / "none" / "p.json", every_seconds=0))
        assert sum(map(len, sampler)) == 20
    assert [str(each.message)[:25] for each in told] == ["progress is not kept: " + str(tmp_path)[:3]]


@pytest.mark.parametrize(
    "change", [{"step": -1}, {"steps": 1.5}, {"order": None}, {"bucketplan_progress": 2}, {"since": "x"}]
)
def test_what_is_no_progress_file_is_refused(tmp_path: Path, change: dict[str, object]) -> None:
    path = tmp_path / "p.json"
    list(BatchSampler(manifest(20, KNOBS), progress=Progress(path)))
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(InputError, match="progress file"):
        read_progress(path)
