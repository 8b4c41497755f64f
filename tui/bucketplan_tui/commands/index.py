"""`bucketplan index`: what a cache says of its records, as a small file that opens like the cache."""

from pathlib import Path

from bucketplan.atomic_writing import write_atomically
from bucketplan.printable import printable
from bucketplan.readers.index.index_file import write_index
from bucketplan_tui.options.corpus import corpus_of
from bucketplan_tui.options.options import add_cache_options, check_cache_given
from bucketplan_tui.options.parser import Parser
from bucketplan_tui.options.target import add_target_options, check_writable
from bucketplan_tui.text.output import write

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
