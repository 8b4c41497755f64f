import numpy as np
import pytest

from bucketplan.corpus.corpus import Corpus, categories
from bucketplan.errors import KnobError
from bucketplan.exploring.explorer import Explorer
from bucketplan.figures.report import Report
from bucketplan.planning.knobs import Knobs
from bucketplan.planning.strategies.sequential import Sequential


def report(**knobs: object) -> Report:
    corpus = Corpus(
        "roots", np.arange(1, 9, dtype=np.int32), None, categories(["a", "b", "b", "c,d", "b", "a", "b", "c,d"])
    )
    return Explorer(corpus).report(Knobs(Sequential(), **knobs))  # type: ignore[arg-type]


def records(**knobs: object) -> list[int]:
    found: list[int] = report(**knobs).plan.record_numbers.tolist()
    return found


def test_roots_are_left_out_or_taken_alone() -> None:
    assert records(exclude="b") == [0, 3, 5, 7]
    assert records(only="a") == [0, 5]
    assert records(only="a, b", exclude="b") == [0, 5]


def test_a_comma_in_a_name_is_written_with_a_backslash() -> None:
    assert records(only="c\\,d") == [3, 7]


def test_a_cap_draws_records_with_the_seed() -> None:
    first = records(cap="b=2", seed=1)
    assert len([record for record in first if record in (1, 2, 4, 6)]) == 2
    assert {0, 3, 5, 7} <= set(first)
    assert records(cap="b=2", seed=1) == first
    assert len({tuple(records(cap="b=2", seed=seed)) for seed in range(20)}) > 1
    assert records(cap="b=9") == list(range(8))
    assert records(cap="a=0,b=0") == [3, 7]


def test_what_goes_is_said_with_its_tokens() -> None:
    assert report(exclude="b").cautions[0] == "exclude leaves out 4 records with 17 tokens"


def test_figures_are_those_of_the_records_left() -> None:
    assert report(exclude="b").metrics["real_tokens"] == 1 + 4 + 6 + 8
    assert report(only="a").metrics["roots_per_window_expected"] == pytest.approx(1)


@pytest.mark.parametrize(
    ("knobs", "says"),
    [
        ({"only": "x"}, "only: no root is called x - the roots are a, b, c,d"),
        ({"cap": "a"}, "a is no cap"),
        ({"cap": "a=-1"}, "a=-1 is no cap"),
        ({"cap": "x=1"}, "no root is called x"),
        ({"exclude": "a,b,c\\,d"}, "no record is left"),
    ],
)
def test_what_cannot_be_chosen_is_refused(knobs: dict[str, object], says: str) -> None:
    with pytest.raises(KnobError, match=says.replace("\\", "\\\\")):
        report(**knobs)


def test_a_cache_without_roots_has_none_to_choose() -> None:
    with pytest.raises(KnobError, match="names no roots"):
        Explorer(Corpus("bare", np.array([1], np.int32))).report(Knobs(only="a"))
