"""The parser of every command line."""

import argparse
import sys
from typing import NoReturn

from bucketplan.printable import MESSAGE_LIMIT, printable


class Parser(argparse.ArgumentParser):
    """A parser whose refusals are one line, safe to print."""

    def __init__(self, prog: str, description: str, epilog: str | None = None) -> None:
        super().__init__(
            prog=prog,
            description=description,
            epilog=epilog,
            allow_abbrev=False,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )

    def error(self, message: str) -> NoReturn:
        """One line on stderr, and exit status 2."""
        line = printable(f"{self.prog}: {message} - see {self.prog} --help", limit=MESSAGE_LIMIT)
        sys.stderr.write(line + "\n")
        sys.exit(2)
