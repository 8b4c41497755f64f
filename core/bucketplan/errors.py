"""The errors a user can mend. Whoever meets one prints `str(error)` on one line and exits with 2."""

from bucketplan.printable import MESSAGE_LIMIT, printable


class UserError(Exception):
    """Something the user can mend: a bad option, a bad input, a target that cannot be written.

    The text is safe to print: it has passed `printable` and its length is capped.
    """

    def __str__(self) -> str:
        """One printable line."""
        return printable(super().__str__(), limit=MESSAGE_LIMIT)


class KnobError(UserError):
    """A knob outside its range: `micro-batch: 0 is below 1 - ...`."""


class InputError(UserError):
    """A fault of an input file: `FILE:LINE: KEY: what is wrong - what to do`.

    Attributes:
        path: the file as the user named it.
        line: physical line number from 1, or None where the fault has no line.
        key: the JSON key at fault, or None.
        problem: what is wrong.
        remedy: what to do, or an empty string.
    """

    def __init__(
        self, path: str, problem: str, *, line: int | None = None, key: str | None = None, remedy: str = ""
    ) -> None:
        self.path, self.line, self.key, self.problem, self.remedy = path, line, key, problem, remedy
        # A long path loses its own middle, not the line number behind it.
        shown = printable(path, limit=MESSAGE_LIMIT // 2)
        place = shown if line is None else f"{shown}:{line}"
        parts = [place, problem] if key is None else [place, key, problem]
        super().__init__(": ".join(parts) + (f" - {remedy}" if remedy else ""))


class Cancelled(Exception):  # noqa: N818 - not a fault: the caller asked for it
    """The caller's `cancelled()` turned true; nothing was produced."""
