"""A file is written whole or not at all."""

import os
import secrets
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO

from bucketplan.errors import UserError
from bucketplan.printable import MESSAGE_LIMIT, printable


def write_atomically(path: str | os.PathLike[str], write: Callable[[IO[bytes]], object]) -> None:
    """Write a file so that every reader finds the old content or the new one, also after a crash.

    The content goes to a temporary file in the target's folder, reaches the disk, and is renamed. Where `write` fails
    or is interrupted, the target is as it was and the temporary file is gone. A symbolic link stays: the file that it
    leads to is replaced. An existing file keeps its permissions.

    Args:
        path: the target.
        write: writes the content to the file it is given.

    Raises:
        UserError: the target cannot be written; what `write` raises passes, unless it is an OSError.
    """
    target = check_target(path)
    temporary = target.with_name(f".bucketplan-{secrets.token_hex(8)}.tmp")
    try:
        with temporary.open("xb") as file:
            with suppress(FileNotFoundError):
                temporary.chmod(stat.S_IMODE(target.stat().st_mode))
            write(file)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
    except OSError as error:
        raise _refusal(path, error.strerror or str(error), "free some space or choose another target") from None
    finally:
        with suppress(OSError):
            temporary.unlink()


def check_target(path: str | os.PathLike[str]) -> Path:
    """The file that a target leads to, links followed; worth asking before long work.

    Raises:
        UserError: it is no regular file, or its folder is missing or takes no files.
    """
    try:
        target = Path(os.path.realpath(path))
        existing = _status(target)
    except (OSError, ValueError) as error:
        raise _refusal(path, getattr(error, "strerror", None) or str(error), "choose another target") from None
    if existing is not None and not stat.S_ISREG(existing.st_mode):
        kind = "a directory" if stat.S_ISDIR(existing.st_mode) else "a device or a pipe"
        raise _refusal(path, f"{kind}, not a file", "name a file")
    if not target.parent.is_dir():
        raise _refusal(path, "its folder does not exist", "make the folder first")
    if not os.access(target.parent, os.W_OK | os.X_OK):
        raise _refusal(path, "its folder takes no files", "choose another target")
    return target


def _status(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except FileNotFoundError:
        return None


def _refusal(path: str | os.PathLike[str], problem: str, remedy: str) -> UserError:
    return UserError(f"{printable(os.fspath(path), limit=MESSAGE_LIMIT // 2)}: {problem} - {remedy}")
