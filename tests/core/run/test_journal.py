"""A journal grows by whole lines, and says which what-ifs are pinned."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from bucketplan.errors import InputError, UserError
from bucketplan.run.journal import Entry, append_entry, pins, read_journal

ENTRY = Entry("wide", {"bucket": 512, "max_length": None}, {"hours": 5.9}, "saw\nteeth", {"hours": 6.1}, True, "now")


def test_entries_read_back_in_order(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    entries = (ENTRY, replace(ENTRY, name="na\x1brrow", measured={}))
    for entry in entries:
        append_entry(path, entry)
    assert read_journal(path).entries == entries
    assert path.read_text().count("\n") == 2


def test_the_last_entry_of_a_name_says_whether_it_is_pinned() -> None:
    other = replace(ENTRY, name="narrow")
    assert pins([ENTRY, other, replace(ENTRY, note="again")]) == (replace(ENTRY, note="again"), other)
    assert pins([ENTRY, other, replace(ENTRY, pinned=False)]) == (other,)


def test_a_line_cut_by_a_crash_is_passed_over_and_the_next_entry_starts_anew(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    append_entry(path, ENTRY)
    content = path.read_bytes()
    path.write_bytes(content + content[:20])
    assert read_journal(path).entries == (ENTRY,)
    assert read_journal(path).warnings == ("line 2 was cut in the middle, and is passed over",)
    append_entry(path, ENTRY)
    assert path.read_bytes() == content + content[:20] + b"\n" + content


@pytest.mark.parametrize(
    "line", ["{}", "[]", "x", '{"bucketplan_journal": 1, "name": 1}', '{"bucketplan_journal": 1, "figures": {"a": []}}']
)
def test_a_line_that_is_no_entry_is_refused_by_its_number(tmp_path: Path, line: str) -> None:
    path = tmp_path / "journal.jsonl"
    append_entry(path, ENTRY)
    path.write_text(path.read_text() + line + "\n")
    with pytest.raises(InputError, match=r"journal\.jsonl:2: no entry of a journal"):
        read_journal(path)


def test_a_full_disk_leaves_the_journal_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "journal.jsonl"
    append_entry(path, ENTRY)
    before, write = path.read_bytes(), os.write
    monkeypatch.setattr(os, "write", lambda descriptor, data: write(descriptor, data[:10]))
    with pytest.raises(UserError, match="No space left on device"):
        append_entry(path, ENTRY)
    assert path.read_bytes() == before


def test_a_journal_that_cannot_be_reached_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="No such file"):
        append_entry(tmp_path / "none" / "journal.jsonl", ENTRY)
    with pytest.raises(InputError, match="No such file"):
        read_journal(tmp_path / "journal.jsonl")
