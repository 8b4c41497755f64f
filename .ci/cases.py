"""The numbers of the cases that this version reads: all but Parquet and Arrow, and a link that copying has undone."""

import json
import sys
from pathlib import Path

expected = Path(sys.argv[1])


def readable(name: str, case: dict[str, object]) -> bool:
    """Whether this version reads what the case holds."""
    folder = expected.parent / "inputs" / name
    undone = name.endswith("-symlink") and not any(file.is_symlink() for file in folder.iterdir())
    return not undone and case.get("requires", ["zstd"]) == ["zstd"]


cases = json.loads(expected.read_text())["cases"]
print(",".join(name.split("-")[0] for name, case in cases.items() if readable(name, case)))
