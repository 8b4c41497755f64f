"""The corpus that a command line names."""

import argparse
from collections.abc import Callable

from bucketplan.corpus.corpus import Corpus
from bucketplan.readers import Keys, load
from bucketplan.readers.demo.built_in import demo_corpus
from bucketplan.readers.index.remembered import remembered
from bucketplan.readers.jsonl.supervised_positions import with_positions
from bucketplan.readers.text.source import Progress
from bucketplan_tui.options.options import KEYS
from bucketplan_tui.text.load_progress import progress_line
from bucketplan_tui.text.output import complain


def corpus_of(parsed: argparse.Namespace) -> Corpus:
    """Load what the options name, and say on stderr how far it is.

    Raises:
        InputError: the cache cannot be read.
    """
    return read_corpus(parsed, progress_line(), explain=complain)


def read_corpus(
    parsed: argparse.Namespace,
    progress: Progress | None = None,
    cancelled: Callable[[], bool] | None = None,
    explain: Callable[[str], None] | None = None,
) -> Corpus:
    """Load what the options name, from the index of an earlier load where there is one.

    Args:
        parsed: with the options of `add_cache_options`.
        progress: told how far the load is.
        cancelled: asked whether to stop.
        explain: told what became of the index, where `-v` is given.

    Raises:
        InputError: the cache cannot be read.
        Cancelled: `cancelled` said so.
    """
    if parsed.demo:
        return demo_corpus()
    given = {field: getattr(parsed, f"key_{field}") for field in KEYS}
    names = {field: (name,) for field, name in given.items() if name is not None}

    def read() -> Corpus:
        keys = Keys(**names)
        corpus = load(parsed.cache, keys=keys, skip_bad=parsed.skip_bad, progress=progress, cancelled=cancelled)
        return with_positions(corpus, keys, cancelled) if parsed.positions else corpus

    if parsed.no_index:
        return read()
    options = {"skip_bad": parsed.skip_bad, "keys": names, "positions": parsed.positions}
    return remembered(parsed.cache, read, options=options, explain=explain if parsed.verbose else None)
