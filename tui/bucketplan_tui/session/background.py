"""The threads that load and plan. They post messages and touch no widget; leaving the app does not wait for them."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from threading import Condition, Event, Thread

from textual.message import Message

from bucketplan.corpus.corpus import Corpus
from bucketplan.errors import Cancelled, KnobError
from bucketplan.exploring.comparison import compare
from bucketplan.exploring.explorer import Explorer
from bucketplan.planning.scenario import Scenario
from bucketplan_tui.session.messages import Failed, Loaded, Planned, Progress, Refused

Post = Callable[[Message], object]
Progressed = Callable[[int, int | None], None]
Read = Callable[[Progressed, Callable[[], bool]], Corpus]
"""Loads a corpus, given whom to tell of progress and whom to ask whether to stop."""


class Loading:
    """One load on a thread of its own."""

    def __init__(self, read: Read, post: Post) -> None:
        self._read, self._post = read, post
        self._cancelled = Event()
        Thread(target=self._run, name="load", daemon=True).start()

    def cancel(self) -> None:
        """Stop between two chunks; nothing more is posted but perhaps one last progress."""
        self._cancelled.set()

    def _progressed(self, done: int, total: int | None) -> None:
        self._post(Progress(done, total))

    def _run(self) -> None:
        try:
            corpus = self._read(self._progressed, self._cancelled.is_set)
        except Cancelled:
            return
        except Exception as error:
            self._post(Failed(error))
        else:
            self._post(Loaded(corpus))


@dataclass(frozen=True)
class _Request:
    generation: int
    now: Scenario
    baseline: Scenario


class Planning:
    """A thread that works on the latest request only: a newer one overtakes the one in work.

    Attributes:
        generation: number of the latest request; what answers an older one is stale.
    """

    def __init__(self, explorer: Explorer, post: Post, clock: Callable[[], float] = time.perf_counter) -> None:
        self.generation = 0
        self._explorer, self._post, self._clock = explorer, post, clock
        self._waiting: _Request | None = None
        self._stopped = False
        self._changed = Condition()
        Thread(target=self._run, name="plan", daemon=True).start()

    def request(self, now: Scenario, baseline: Scenario) -> None:
        """Measure a plan and its baseline, in place of whatever was asked before."""
        with self._changed:
            self.generation += 1
            self._waiting = _Request(self.generation, now, baseline)
            self._changed.notify()

    def stop(self) -> None:
        """End the thread."""
        with self._changed:
            self._stopped = True
            self._changed.notify()

    def _run(self) -> None:
        while (request := self._next()) is not None:
            try:
                self._answer(request)
            except Cancelled:
                continue
            except KnobError as error:
                self._post(Refused(request.generation, str(error)))
            except Exception as error:
                self._post(Failed(error))

    def _next(self) -> _Request | None:
        with self._changed:
            self._changed.wait_for(lambda: self._stopped or self._waiting is not None)
            request, self._waiting = self._waiting, None
            return None if self._stopped else request

    def _answer(self, request: _Request) -> None:
        def overtaken() -> bool:
            return self._stopped or self.generation != request.generation

        start = self._clock()
        baseline = Scenario(request.baseline.knobs, request.now.cost)
        comparison = compare(self._explorer, baseline, [("now", request.now)], overtaken)
        self._post(Planned(request.generation, comparison, self._clock() - start))
