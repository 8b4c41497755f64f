"""A small file, read whole."""

from bucketplan.errors import InputError
from bucketplan.readers.recognition import INDEX
from bucketplan.readers.text.source import opened

_MOST_BYTES = 1 << 26


def whole(path: str, what: str) -> tuple[bytes, tuple[str, ...]]:
    """The content of a file, decompressed and without a byte order mark, and what a user should know of it.

    Args:
        path: the file, or - for standard input.
        what: what it should be, for the refusal of what it cannot be.

    Raises:
        InputError: it cannot be read, or is too long for what it should be.
    """
    content = bytearray()
    with opened(path) as source:
        if source.container == INDEX:
            raise InputError(path, "a zip archive or a spreadsheet", remedy=f"give {what}")
        for chunk in source.chunks:
            content += chunk
            if len(content) > _MOST_BYTES:
                raise InputError(path, f"longer than {_MOST_BYTES >> 20} MiB", remedy=f"give {what}")
        return bytes(content), source.warnings
