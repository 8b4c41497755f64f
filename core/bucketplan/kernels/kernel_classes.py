"""What kind of work a kernel does, by its name."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files

from bucketplan.errors import UserError
from bucketplan.printable import MESSAGE_LIMIT, printable

OTHER, COPIES = "other", "copies"

_BUILT_IN = "kernel_classes.toml"
_LONGEST_NAME = 40


@dataclass(frozen=True)
class Classes:
    """Patterns in the order in which they are tried; the first that matches decides.

    Attributes:
        patterns: class and pattern.
    """

    patterns: tuple[tuple[str, re.Pattern[str]], ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Every class that is no copy, in order, the one of what matches nothing last."""
        found = dict.fromkeys(name for name, _ in self.patterns if name not in (COPIES, OTHER))
        return (*found, OTHER)

    def of(self, kernel: str) -> str:
        """The class of a kernel."""
        return next((name for name, pattern in self.patterns if pattern.search(kernel)), OTHER)


def built_in_classes() -> Classes:
    """Attention, dense products, communication, copies."""
    return Classes(_compiled(_BUILT_IN, files(__package__).joinpath(_BUILT_IN).read_text("utf-8")))


def classes_with(path: str) -> Classes:
    """The patterns of a user's file, and after them the built-in ones.

    Raises:
        UserError: the file cannot be read, or is no table of patterns.
    """
    try:
        with open(path, encoding="utf-8") as file:  # noqa: PTH123 - a path of the user may be anything
            text = file.read()
    except (OSError, ValueError) as error:
        raise _refusal(path, getattr(error, "strerror", None) or "not UTF-8", "check the path") from None
    return Classes(_compiled(path, text) + built_in_classes().patterns)


def _compiled(path: str, text: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    try:
        found: Mapping[str, object] = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise _refusal(path, f"no TOML: {error}", "write attention = ['pattern', ...]") from None
    patterns = []
    for name, listed in found.items():
        if not isinstance(listed, list) or len(name) > _LONGEST_NAME:
            raise _refusal(path, f"{name}: no list of patterns", "write attention = ['pattern', ...]")
        patterns += [(name, _pattern(path, name, each)) for each in listed]
    return tuple(patterns)


def _pattern(path: str, name: str, text: object) -> re.Pattern[str]:
    try:
        return re.compile(str(text), re.IGNORECASE)
    except (re.error, RecursionError, OverflowError) as error:
        raise _refusal(path, f"{name}: {text} is no pattern: {error}", "mend the regular expression") from None


def _refusal(path: str, problem: str, remedy: str) -> UserError:
    return UserError(f"{printable(path, limit=MESSAGE_LIMIT // 2)}: {problem} - {remedy}")
