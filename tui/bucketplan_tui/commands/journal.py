"""`bucketplan journal`: what a session tried, as markdown."""

from bucketplan.figures.registry import figures
from bucketplan.planning.scenario import settings
from bucketplan.run.journal import Entry, Journal, read_journal
from bucketplan.settings import Value
from bucketplan_tui.options.parser import Parser
from bucketplan_tui.text.document import Block, Heading, Lines, Table, as_markdown
from bucketplan_tui.text.numbers import UNKNOWN, figure_text
from bucketplan_tui.text.output import write

_EPILOG = """\
examples:
  bucketplan journal order.journal.jsonl
"""

_SHOWN = ("waste", "roots_per_window_mean", "seconds_per_step", "hours")


def run(words: list[str]) -> int:
    """Run the command with these words.

    Raises:
        UserError: something the user can mend.
    """
    parser = Parser("bucketplan journal", "Print the journal of a session as markdown.", _EPILOG)
    parser.add_argument("journal", metavar="FILE", help="the journal, JSON Lines beside the manifest")
    write(as_markdown(_blocks(read_journal(parser.parse_args(words).journal))))
    return 0


def _blocks(journal: Journal) -> list[Block]:
    blocks: list[Block] = [Heading("Journal")]
    if journal.entries:
        blocks.append(_overview(journal.entries))
    for entry in journal.entries:
        blocks += [Heading(_title(entry)), Lines((*_notes(entry), *_knobs(entry)))]
    if journal.warnings:
        blocks += [Heading("Warnings"), Lines(journal.warnings)]
    return blocks


def _overview(entries: tuple[Entry, ...]) -> Table:
    """The figures of every entry; a measured one stands behind the predicted."""
    header = ("what-if", *(figures()[name].title("root") for name in _SHOWN))
    return Table(header, tuple((entry.name, *(_figure(entry, name) for name in _SHOWN)) for entry in entries))


def _figure(entry: Entry, name: str) -> str:
    predicted = _text(name, entry.figures.get(name))
    return f"{predicted} (measured {_text(name, entry.measured[name])})" if name in entry.measured else predicted


def _text(name: str, value: Value) -> str:
    if value is None:
        return UNKNOWN
    return figure_text(figures()[name], value) if isinstance(value, int | float) else str(value)


def _title(entry: Entry) -> str:
    return " · ".join(part for part in (entry.name, entry.time, "" if entry.pinned else "no longer pinned") if part)


def _notes(entry: Entry) -> list[str]:
    others = {name: value for name, value in entry.measured.items() if name not in _SHOWN}
    measured = [f"measured {name}: {value}" for name, value in others.items()]
    return [line for line in entry.note.splitlines() if line.strip()] + measured


def _knobs(entry: Entry) -> list[str]:
    """The knobs that differ from where they start, in one line."""
    known = settings()
    moved = [
        f"{name.replace('_', '-')} {value}"
        for name, value in entry.knobs.items()
        if name not in known or value != known[name].default
    ]
    return [", ".join(moved) or "all knobs as they start"]
