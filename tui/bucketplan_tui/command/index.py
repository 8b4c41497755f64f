"""`bucketplan index`: what a cache says of its records, as a small file that opens like the cache."""

from pathlib import Path

from bucketplan.atomic import write_atomically
from bucketplan.printable import printable
from bucketplan.readers.index import write_index
from bucketplan_tui.command.corpus import corpus_of
from bucketplan_tui.command.options import add_cache_options, check_cache_given
from bucketplan_tui.command.output import write
from bucketplan_tui.command.parser import Parser
from bucketplan_tui.command.target import add_target_options, check_writable

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
    add_target_options(parser, "the index", required=True)
    parsed = parser.parse_args(words)
    check_cache_given(parser, parsed)
    check_writable(parsed.output, [parsed.cache], force=parsed.force)

    corpus = corpus_of(parsed)
    write_atomically(parsed.output, lambda file: write_index(corpus, file))
    size = Path(parsed.output).stat().st_size
    write(f"wrote {printable(parsed.output)}: {len(corpus):,} records, {size:,} bytes\n")
    return 0
