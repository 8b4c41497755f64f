"""`bucketplan index`: what a cache says of its records, as a small file that opens like the cache."""

from pathlib import Path

from bucketplan.atomic import check_target, write_atomically
from bucketplan.errors import UserError
from bucketplan.printable import MESSAGE_LIMIT, printable
from bucketplan.readers.index import write_index
from bucketplan_tui.command.corpus import corpus_of
from bucketplan_tui.command.options import add_cache_options, check_cache_given
from bucketplan_tui.command.output import write
from bucketplan_tui.command.parser import Parser

_EPILOG = """\
examples:
  bucketplan index cache.jsonl -o cache.npz
  bucketplan report cache.npz

An index holds lengths, supervised counts and names, and no token. It opens wherever a cache does.
"""


def run(words: list[str]) -> int:
    """Run the command with these words.

    Raises:
        UserError: something the user can mend.
    """
    parser = Parser("bucketplan index", "Write what a cache says of its records to a small file.", _EPILOG)
    add_cache_options(parser)
    parser.add_argument("-o", "--output", metavar="FILE", required=True, help="the index to write")
    parser.add_argument("--force", action="store_true", help="replace FILE where it exists")
    parsed = parser.parse_args(words)
    check_cache_given(parser, parsed)
    _check_output(parsed.output, parsed.cache, force=parsed.force)

    corpus = corpus_of(parsed)
    write_atomically(parsed.output, lambda file: write_index(corpus, file))
    size = Path(parsed.output).stat().st_size
    write(f"wrote {printable(parsed.output)}: {len(corpus):,} records, {size:,} bytes\n")
    return 0


def _check_output(output: str, cache: str | None, *, force: bool) -> None:
    """Refuse, before the cache is read, a target that would be lost or cannot be written."""
    target = check_target(output)
    if not target.exists():
        return
    shown = printable(output, limit=MESSAGE_LIMIT // 2)
    if cache is not None and Path(cache).exists() and target.samefile(cache):
        raise UserError(f"{shown}: this is the cache itself - choose another target")
    if not force:
        raise UserError(f"{shown}: exists already - choose another target, or replace it with --force")
