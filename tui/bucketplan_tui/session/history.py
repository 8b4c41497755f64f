"""Undo and redo of scenarios."""

from bucketplan.planning.scenario import Scenario


class History:
    """The scenarios a user came from, and those undone.

    Moves of one knob in a row are one step: a drag is undone at once.
    """

    def __init__(self) -> None:
        self._past: list[Scenario] = []
        self._future: list[Scenario] = []
        self._last_knob: str | None = None

    def record(self, before: Scenario, knob: str | None) -> None:
        """Remember where a change started; `knob` names what moved, None a change of several."""
        if knob is None or knob != self._last_knob or not self._past:
            self._past.append(before)
        self._last_knob = knob
        self._future.clear()

    def undo(self, now: Scenario) -> Scenario | None:
        """The scenario before the last change, None where there is none."""
        return self._move(self._past, self._future, now)

    def redo(self, now: Scenario) -> Scenario | None:
        """The scenario that was undone last, None where there is none."""
        return self._move(self._future, self._past, now)

    def _move(self, source: list[Scenario], target: list[Scenario], now: Scenario) -> Scenario | None:
        if not source:
            return None
        target.append(now)
        self._last_knob = None
        return source.pop()
