"""Plans that a user pinned to compare, kept in a journal where one is given."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from string import ascii_uppercase

from bucketplan.figures.figure import Number
from bucketplan.planning.scenario import Scenario
from bucketplan.run.journal import Entry, append_entry, pins, read_journal


@dataclass(frozen=True)
class Pin:
    """A plan to come back to.

    Attributes:
        name: what it is called: a letter, at first.
        scenario: its knobs and cost.
        figures: what it was predicted to give.
        note: why it was tried, and what came of it.
    """

    name: str
    scenario: Scenario
    figures: Mapping[str, Number]
    note: str = ""


class Pins:
    """The pins of a session; a journal, if there is one, remembers them for the next."""

    def __init__(self, journal: str | None = None) -> None:
        """Take up the pins of an earlier session.

        Raises:
            InputError: the journal cannot be read.
            KnobError: it holds knobs that this version does not have.
        """
        self._journal = journal
        kept = pins(read_journal(journal).entries) if journal is not None and Path(journal).exists() else ()
        self.all = [Pin(entry.name, Scenario.of(entry.knobs), entry.figures, entry.note) for entry in kept]

    def next_name(self) -> str:
        """The first letter that no pin has; then letters with a number."""
        taken = {pin.name for pin in self.all}
        names = (letter + (str(turn) if turn else "") for turn in range(len(taken) + 1) for letter in ascii_uppercase)
        return next(name for name in names if name not in taken)

    def add(self, pin: Pin) -> None:
        """Keep a plan.

        Raises:
            UserError: the journal cannot be written; the plan is kept for this session.
        """
        self.all.append(pin)
        self._write(pin, pinned=True)

    def remove(self, pin: Pin) -> None:
        """Let a plan go; the journal keeps what was tried.

        Raises:
            UserError: the journal cannot be written; the plan is gone for this session.
        """
        self.all.remove(pin)
        self._write(pin, pinned=False)

    def _write(self, pin: Pin, *, pinned: bool) -> None:
        if self._journal is not None:
            now = datetime.now(UTC).isoformat(timespec="seconds")
            entry = Entry(pin.name, pin.scenario.values, dict(pin.figures), pin.note, pinned=pinned, time=now)
            append_entry(self._journal, entry)
