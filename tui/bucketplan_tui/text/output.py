"""Writing to the terminal, a pipe or a file, whatever its encoding."""

import sys

from bucketplan_tui.text.ascii_signs import signs_as_ascii


def write(text: str) -> None:
    """Write to stdout; where its encoding lacks a character, an ASCII one or an escape stands for it."""
    encoding = sys.stdout.encoding or "ascii"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        text = signs_as_ascii(text).encode(encoding, "backslashreplace").decode(encoding)
    sys.stdout.write(text)


def complain(text: str) -> None:
    """Write one line to stderr, in ASCII where nothing else can be written."""
    encoding = sys.stderr.encoding or "ascii"
    sys.stderr.write(text.encode(encoding, "backslashreplace").decode(encoding) + "\n")
