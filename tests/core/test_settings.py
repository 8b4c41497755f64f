from dataclasses import dataclass

import pytest

from bucketplan.errors import KnobError
from bucketplan.settings import Setting, check_all, named, setting, settings_of, values_of


@dataclass(frozen=True)
class Example:
    rows: int = setting(2, "rows", minimum=1, maximum=256)
    limit: int | None = setting(None, "a limit", minimum=1)
    rate: float = setting(0.5, "a rate", minimum=0)
    multiple: int = setting(1, "a multiple", choices=(1, 8))
    loud: bool = setting(False, "a switch")

    def __post_init__(self) -> None:
        check_all(self)


def one(name: str) -> Setting:
    return named(name, settings_of(Example))


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("rows", "7", 7),
        ("rows", "1_0", 10),
        ("limit", "none", None),
        ("limit", "16,384", 16384),
        ("rate", "2e-3", 0.002),
        ("multiple", "8", 8),
        ("loud", "on", True),
        ("loud", "false", False),
    ],
)
def test_values_are_read_from_text(name: str, text: str, value: object) -> None:
    assert one(name).parse(text) == value
    assert one(name).parse(one(name).text(one(name).parse(text))) == value


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("rows", "0"),
        ("rows", "257"),
        ("rows", "2.5"),
        ("rows", ""),
        ("rows", "none"),
        ("limit", "0"),
        ("rate", "nan"),
        ("rate", "inf"),
        ("rate", "-1"),
        ("multiple", "7"),
        ("loud", "maybe"),
        ("rows", "9" * 5000),
    ],
)
def test_what_is_out_of_range_is_refused_by_name(name: str, text: str) -> None:
    with pytest.raises(KnobError) as refusal:
        one(name).parse(text)
    assert str(refusal.value).startswith(f"{name}: ")
    assert one(name).domain in str(refusal.value)


def test_an_instance_is_checked_when_made() -> None:
    with pytest.raises(KnobError, match="rows: 0"):
        Example(rows=0)
    with pytest.raises(KnobError, match="rows: True"):
        Example(rows=True)


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(KnobError, match="rows, limit, rate, multiple, loud"):
        named("row", settings_of(Example))


def test_values_by_name() -> None:
    assert values_of(Example(rows=3)) == {"rows": 3, "limit": None, "rate": 0.5, "multiple": 1, "loud": False}
