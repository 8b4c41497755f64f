"""The collected inputs that broke other tools, each with the outcome that is due here."""

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from bucketplan.corpus.corpus import Corpus
from bucketplan.errors import InputError
from bucketplan.readers import load

SHARED = Path(__file__).parents[4] / "shared"
EXPECTED = SHARED / "cases" / "expect.json"
NOT_READ = {"parquet", "arrow"}
HOSTILE = '{"input_ids":[1,2,3,4,5],"dataset_id":"root-a"}\n{"input_ids":[1,2,3,4,5,6],"dataset_id":"root-b"}\n'

pytestmark = pytest.mark.skipif(not EXPECTED.exists(), reason="the shared cases are not beside this checkout")


def cases() -> dict[str, dict[str, Any]]:
    if not EXPECTED.exists():
        return {}
    listed = json.loads(EXPECTED.read_text())["cases"]
    return {name: case for name, case in listed.items() if case["kind"] == "cache"}


def attempts() -> list[tuple[str, bool]]:
    return [(name, False) for name in cases()] + [(name, True) for name, case in cases().items() if "lenient" in case]


def place(name: str, case: dict[str, Any], folder: Path) -> Path:
    path = SHARED / "cases" / "inputs" / name / str(case["file"])
    if name.startswith("55-"):
        path = folder / path.name
        path.write_text(HOSTILE)
    elif name.startswith("67-") and not path.is_symlink():  # a copy of the folder may have lost the link
        path, target = folder / path.name, path.with_name("real.jsonl")
        path.symlink_to(target)
    return path


def mentions(text: str, wanted: str | list[str]) -> bool:
    words = [wanted] if isinstance(wanted, str) else wanted
    text = text.lower()
    return any(word.lower() in text or word.lower().replace("line ", ":") + ":" in text for word in words)


def shortfalls(corpus: Corpus, wanted: dict[str, Any]) -> list[str]:
    got = {
        "records": len(corpus),
        "skipped": len(corpus.skipped),
        "tokens": corpus.tokens,
        "roots": None if corpus.roots is None else len(corpus.roots.names),
        "max_len": int(corpus.lengths.max()),
        "fully_masked": corpus.fully_masked,
        "stored_width": corpus.stored_width,
        "stored_tokens": corpus.stored_tokens,
        "kinds": None if corpus.kinds is None else dict(zip(corpus.kinds.names, corpus.kinds.counts, strict=True)),
    }
    bad = [f"{key}: {got[key]}, not {wanted[key]}" for key in got.keys() & wanted.keys() if got[key] != wanted[key]]
    said = " | ".join(corpus.warnings)
    # Lengths above a limit are counted where the limit is known, after the load.
    needed = [] if "over_max" in wanted else wanted["warnings"]
    return bad + [f"no warning mentions {words}" for words in needed if not mentions(said, words)]


@pytest.mark.parametrize(("name", "skip_bad"), attempts())
def test_a_case_has_its_outcome(name: str, skip_bad: bool, tmp_path: Path) -> None:
    case = cases()[name]
    wanted = case["lenient"] if skip_bad else case
    requires = set(case.get("requires", ()))
    path = place(name, case, tmp_path)
    if requires & NOT_READ:
        wanted = {"error": {"must_mention": [sorted(requires)]}}
    elif "zstd" in requires and find_spec("zstandard") is None:
        wanted = {"error": {"must_mention": ["zstandard", "pip install"]}}
    outcomes = wanted.get("any_of", [wanted])
    forbidden = case.get("screen", {}).get("raw_forbidden", [])
    try:
        corpus = load(path, skip_bad=skip_bad)
    except InputError as error:
        text = str(error)
        assert not [raw for raw in forbidden if raw in text]
        needed = [each["error"]["must_mention"] for each in outcomes if "error" in each]
        assert any(all(mentions(text, words) for words in words_of_one) for words_of_one in needed), text
        return
    assert not [raw for raw in forbidden if any(raw in warning for warning in corpus.warnings)]
    found = [shortfalls(corpus, each["ok"]) for each in outcomes if "ok" in each]
    assert [] in found, found


def test_the_small_cache_has_its_known_totals() -> None:
    corpus = load(SHARED / "data" / "cache-small.jsonl.gz")
    assert (len(corpus), corpus.tokens, corpus.supervised_tokens) == (1501, 826_904, 582_203)
    assert corpus.roots is not None
    assert len(corpus.roots.names) == 23
    assert corpus.warnings == ()
