"""An app on a corpus, with a clock that always says the same."""

from collections.abc import Callable

import pytest
from textual.pilot import Pilot

from bucketplan.corpus.corpus import Corpus
from bucketplan.planning.scenario import Scenario
from bucketplan_tui.app.app import BucketplanApp, Opening
from tests.tui.waiting import never_read

Start = Callable[..., BucketplanApp]
AppPilot = Pilot[int]


@pytest.fixture
def start(demo: Corpus) -> Start:
    """Makes an app that shows a corpus: the built-in one, if no other is given."""

    def app(corpus: Corpus = demo, scenario: Scenario | None = None, baseline: Scenario | None = None) -> BucketplanApp:
        scenario = scenario or Scenario()
        opening = Opening(None, corpus, never_read, scenario, baseline or scenario.baseline)
        return BucketplanApp(opening, clock=lambda: 0.0)

    return app
