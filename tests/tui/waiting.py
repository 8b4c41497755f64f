"""Waiting for what threads do, and reading what the screen shows."""

import asyncio
from collections.abc import Callable

from textual.pilot import Pilot

from bucketplan.corpus.corpus import Corpus
from bucketplan_tui.app.app import BucketplanApp
from bucketplan_tui.screens.plan import PlanScreen
from bucketplan_tui.widgets.figures import Figures
from bucketplan_tui.widgets.header import CacheHeader

PATIENCE = 10.0


async def until(pilot: Pilot[int], condition: Callable[[], bool]) -> None:
    """Let the app work until something is so."""
    deadline = asyncio.get_running_loop().time() + PATIENCE
    while not condition():
        assert asyncio.get_running_loop().time() < deadline, "it never came to be so"
        await pilot.pause(0.01)
    await pilot.pause()


async def planned(pilot: Pilot[int]) -> PlanScreen:
    """The plan screen, once the figures of its latest knobs are shown."""
    app = pilot.app
    assert isinstance(app, BucketplanApp)
    await until(pilot, lambda: any(isinstance(screen, PlanScreen) for screen in app.screen_stack))
    screen = next(screen for screen in app.screen_stack if isinstance(screen, PlanScreen))
    await until(pilot, lambda: screen.query_one(CacheHeader).status.startswith(("✓", "✗")))
    return screen


def figure_lines(screen: PlanScreen) -> list[str]:
    """The table of figures, line by line."""
    return str(screen.query_one(Figures).children[0].render()).split("\n")


def never_read(_progress: object, _cancelled: object) -> Corpus:
    """Stands where a load would, in tests that load nothing."""
    raise AssertionError("nothing is loaded here")
