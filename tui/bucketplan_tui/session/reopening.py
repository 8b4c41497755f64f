"""The line of shell that reopens a session."""

import os
import shlex
from collections.abc import Iterable

from bucketplan.planning.scenario import Scenario
from bucketplan.printable import printable


def reopening_line(path: str | None, repeated: Iterable[str], now: Scenario, baseline: Scenario) -> str:
    """A command line that opens the same cache with the same knobs and baseline; safe to print, and to paste.

    Args:
        path: the cache, or None for the built-in corpus.
        repeated: words of the command line that say how to read it, and what to take from other files.
        now: the knobs and the cost.
        baseline: what it is compared with.
    """
    words = ["bucketplan-tui", "--demo" if path is None else quoted(path)]
    words += [quoted(word) for word in repeated]
    words += [quoted(word) for word in now.options()]
    changed = baseline.assignments_from(now.baseline)
    return " ".join(words + (["--baseline", quoted(changed)] if changed else []))


def quoted(word: str) -> str:
    """A word as a shell reads it; what is not printable as an escape of bash's $'...'."""
    if word == printable(word):
        return shlex.quote(word)
    escaped = "".join(
        c if c == printable(c) and c not in "'\\" else "".join(f"\\x{byte:02x}" for byte in os.fsencode(c))
        for c in word
    )
    return f"$'{escaped}'"
