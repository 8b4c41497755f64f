"""What tests share: corpora, the folder of larger test material, and a terminal without the user's settings."""

from pathlib import Path

import pytest

from bucketplan.corpus.corpus import Corpus
from bucketplan.readers.demo.built_in import demo_corpus
from bucketplan.readers.index.index_file import read_index

DATA = Path(__file__).parent / "data"
SHARED = Path(__file__).parents[2] / "shared"


@pytest.fixture(autouse=True)
def plain_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BUCKETPLAN_NO_INDEX", "1")
    for name in ("NO_COLOR", "TEXTUAL_THEME", "TEXTUAL_ANIMATIONS", "COLUMNS", "LINES"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="session")
def demo() -> Corpus:
    return demo_corpus()


@pytest.fixture(scope="session")
def small() -> Corpus:
    """Lengths, supervised counts and names of a real cache of 1,501 records."""
    return read_index(str(DATA / "small.npz"))


@pytest.fixture(scope="session")
def shared() -> Path:
    if not SHARED.is_dir():
        pytest.skip("the folder of larger test material is not beside this checkout")
    return SHARED
