"""A file that a command is to write: refused, before any work, where something would be lost."""

from collections.abc import Iterable
from pathlib import Path

from bucketplan.atomic_writing import check_target
from bucketplan.errors import UserError
from bucketplan.printable import MESSAGE_LIMIT, printable
from bucketplan_tui.options.parser import Parser


def add_target_options(parser: Parser, what: str, *, required: bool = False) -> None:
    """Where to write, and whether over an existing file."""
    parser.add_argument("-o", "--output", metavar="FILE", required=required, help=f"write {what} to FILE")
    parser.add_argument("--force", action="store_true", help="replace FILE where it exists")


def check_writable(output: str, sources: Iterable[str | None], *, force: bool) -> None:
    """Refuse a target that would be lost or cannot be written.

    Args:
        output: the target as the user named it.
        sources: what is read to make it, none of which is ever replaced.
        force: whether another existing file may be replaced.

    Raises:
        UserError: it is one of the sources, exists already, or cannot be written.
    """
    target = check_target(output)
    if not target.exists():
        return
    shown = printable(output, limit=MESSAGE_LIMIT // 2)
    if any(source is not None and Path(source).exists() and target.samefile(source) for source in sources):
        raise UserError(f"{shown}: this is what is read - choose another target")
    if not force:
        raise UserError(f"{shown}: exists already - choose another target, or replace it with --force")
