import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from bucketplan.printable import printable


@given(st.text(st.characters()))
def test_nothing_that_acts_on_a_terminal_is_left(text: str) -> None:
    assert all(unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Zl", "Zp") for c in printable(text))


@given(st.text(st.characters()))
def test_what_is_printable_stays_so(text: str) -> None:
    assert printable(printable(text)) == printable(text)


def test_escapes_tell_which_character_it_was() -> None:
    assert printable("a\x1b[2Jb\u202ec\ud800\U000e0001") == "a\\x1b[2Jb\\u202ec\\ud800\\U000e0001"


def test_brackets_backslashes_and_other_scripts_are_text() -> None:
    assert printable("[bold]\\[ ü 漢字 🙂") == "[bold]\\[ ü 漢字 🙂"


def test_long_text_loses_its_middle() -> None:
    shown = printable("a" * 50 + "b" * 50, limit=20)
    assert len(shown) == 20
    assert shown.startswith("aaa")
    assert shown.endswith("bbb")
    assert "…" in shown
