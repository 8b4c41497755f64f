from pathlib import Path

from bucketplan.corpus.corpus import Corpus
from bucketplan.order import Progress
from bucketplan.planning.scenario import Scenario
from bucketplan_tui.app.app import BucketplanApp, Opening
from bucketplan_tui.session.run_progress import progress_words
from bucketplan_tui.widgets.knob_panel import KnobPanel
from tests.tui.waiting import never_read, planned


def written(path: Path) -> str:
    now = 1_000_000.0
    progress = Progress(str(path), every_seconds=0, clock=lambda: now)
    progress.begin("digest", 100)
    progress.at(10)
    for step in (20, 30):
        now += 3600
        progress.at(step)
    return str(path)


def test_where_the_run_is_and_how_long_it_has_left(tmp_path: Path) -> None:
    assert progress_words(written(tmp_path / "progress.json")) == "run at step 30 of 100, 7.00 h left"


def test_a_run_that_has_not_begun_and_a_file_that_is_none(tmp_path: Path) -> None:
    assert progress_words(str(tmp_path / "none.json")) == "run not begun"
    other = tmp_path / "other.json"
    other.write_text("{}")
    assert progress_words(str(other)) == "no progress to read"


async def test_the_app_shows_it(demo: Corpus, tmp_path: Path) -> None:
    path = written(tmp_path / "progress.json")
    app = BucketplanApp(Opening(None, demo, never_read, Scenario(), Scenario().baseline, progress=path))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await planned(pilot)
        assert screen.query_one(KnobPanel).border_title == "Plan · run at step 30 of 100, 7.00 h left"
