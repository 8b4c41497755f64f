from functools import partial

from bucketplan.exploring.memo import Memo


def test_a_result_is_computed_once() -> None:
    memo, calls = Memo(2), iter([7])
    for _ in range(3):
        assert memo("key", lambda: next(calls)) == 7


def test_the_least_recently_used_goes_first() -> None:
    memo = Memo(2)
    computed: list[str] = []
    for key in ("a", "b", "a", "c", "a", "b"):
        memo(key, partial(computed.append, key))
    assert computed == ["a", "b", "c", "b"]
