from bucketplan.memo import Memo


def test_a_result_is_computed_once() -> None:
    memo, calls = Memo(2), []
    for _ in range(3):
        assert memo("key", lambda: calls.append(1) or 7) == 7
    assert calls == [1]


def test_the_least_recently_used_goes_first() -> None:
    memo, computed = Memo(2), []
    for key in ("a", "b", "a", "c", "a", "b"):
        memo(key, lambda key=key: computed.append(key))
    assert computed == ["a", "b", "c", "b"]
