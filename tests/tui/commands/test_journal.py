"""`bucketplan journal`: a session's what-ifs as markdown, whatever their notes hold."""

from pathlib import Path

import pytest

from bucketplan.errors import InputError
from bucketplan.exploring.explorer import Explorer
from bucketplan.planning.knobs import Knobs
from bucketplan.planning.scenario import Scenario
from bucketplan.planning.strategies.bucket import Bucket
from bucketplan.run.journal import Entry, append_entry
from bucketplan_tui.commands.journal import run


def test_it_prints_a_table_and_a_section_for_each(
    small: object, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "journal.jsonl"
    scenario = Scenario(Knobs(Bucket(512), accumulation=4))
    figures = dict(Explorer(small).report(scenario.knobs).metrics)  # type: ignore[arg-type]
    measured = {"hours": 9.0, "loss": 1.5}
    append_entry(path, Entry("wide", scenario.values, figures, "slower | than\x1b[2J planned", measured, time="2026"))
    append_entry(path, Entry("old", Scenario().values, {}, pinned=False))
    assert run([str(path)]) == 0
    out = capsys.readouterr().out
    assert "\x1b" not in out
    row = next(line for line in out.splitlines() if line.startswith("| wide |"))
    assert "(measured 9.00 h)" in row
    assert "| old | n/a | n/a | n/a | n/a |" in out
    assert (
        "## wide · 2026\n\n- slower \\| than\\\\x1b\\[2J planned\n- measured loss: 1.5\n- bucket 512, accumulation 4\n"
        in out
    )
    assert "## old · no longer pinned\n\n- all knobs as they start\n" in out


def test_a_journal_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        run([str(tmp_path / "none.jsonl")])
