"""The corpus that a command line names."""

import argparse

from bucketplan.corpus import Corpus
from bucketplan.demo import demo_corpus
from bucketplan.readers import load
from bucketplan_tui.command.progress import progress_line


def corpus_of(parsed: argparse.Namespace) -> Corpus:
    """Load what the options name.

    Raises:
        InputError: the cache cannot be read.
    """
    if parsed.demo:
        return demo_corpus()
    return load(parsed.cache, skip_bad=parsed.skip_bad, progress=progress_line())
