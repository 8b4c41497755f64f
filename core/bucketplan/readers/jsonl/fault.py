"""What is wrong with one line of a cache. The caller knows which line, and of which file."""

from bucketplan.printable import printable

QUOTE_LIMIT = 48
"""The most characters of a value that a message quotes."""


class Fault(Exception):  # noqa: N818 - a verdict on a line; the error that a user meets is InputError
    """A line that is no valid record.

    Attributes:
        key: the JSON key at fault, or None where the whole line is.
        problem: what is wrong, safe to print.
        remedy: what to do about it.
        unparsed: whether the line is not JSON at all, as a line is that was cut.
        truncated: whether it is also the last line of a file, and lacks its line end.
    """

    truncated = False

    def __init__(self, key: str | None, problem: str, remedy: str, *, unparsed: bool = False) -> None:
        super().__init__(key, problem, remedy)
        self.key, self.problem, self.remedy, self.unparsed = key, problem, remedy, unparsed

    @property
    def reason(self) -> str:
        """Key and problem in one text."""
        return self.problem if self.key is None else f"{self.key}: {self.problem}"


def cut(fault: Fault) -> Fault:
    """The same fault, where an interrupted writer left the line behind."""
    problem = f"truncated or incomplete last line ({fault.problem})"
    verdict = Fault(None, problem, "write or fetch the cache again", unparsed=True)
    verdict.truncated = True
    return verdict


def described(value: object) -> str:
    """A JSON value in a few printable words: `3.0, a float`."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int():
            return printable(str(value), QUOTE_LIMIT)
        case float():
            return f"{'NaN' if value != value else value}, a float"
        case str():
            return f'the string "{printable(value, QUOTE_LIMIT)}"'
        case list():
            return "an array"
    return "an object"
