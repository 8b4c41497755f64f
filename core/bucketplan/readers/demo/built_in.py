"""The built-in corpus: real lengths, supervised counts, roots and kinds of 45,444 records.

docs/demo-corpus.md names the sources.
"""

from dataclasses import replace
from pathlib import Path

from bucketplan.corpus.corpus import Corpus
from bucketplan.readers.index.index_file import read_index

DEMO_NAME = "demo corpus"
"""What the built-in corpus is called where a cache would show its path."""


def demo_corpus() -> Corpus:
    """The built-in corpus, the same at every call."""
    return replace(read_index(str(Path(__file__).parent / "demo.npz")), path=DEMO_NAME)
