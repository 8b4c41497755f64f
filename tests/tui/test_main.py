"""`bucketplan-tui` as a process: what it needs of a terminal, and how it leaves one."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tui.terminal import Terminal

APP = "bucketplan_tui"
COLOUR = re.compile(rb"\x1b\[[0-9;:]*?(?<![0-9])(3[0-8]|4[0-8]|9[0-7]|10[0-7])[;:m]")


def test_a_terminal_that_cannot_move_its_cursor_is_refused() -> None:
    with Terminal(APP, "--demo", environment={"TERM": "dumb"}) as terminal:
        assert terminal.ended() == 2
    assert b"\x1b" not in terminal.written
    assert terminal.written.count(b"\n") == 1
    assert b"TERM is dumb" in terminal.written
    assert b"bucketplan report" in terminal.written


def test_a_pipe_is_refused(tmp_path: Path) -> None:
    ran = subprocess.run([sys.executable, "-m", APP, "--demo"], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.count("\n") == 1
    assert "bucketplan report" in ran.stderr


def test_without_colour_not_one_is_sent() -> None:
    with Terminal(APP, "--demo", environment={"NO_COLOR": "1"}) as terminal:
        terminal.until("30.19%")
        terminal.press("q")
        assert terminal.ended() == 0
    assert COLOUR.search(terminal.written) is None


def test_colours_are_sent_where_they_are_wanted() -> None:
    with Terminal(APP, "--demo") as terminal:
        terminal.until("30.19%")
    assert COLOUR.search(terminal.written) is not None


def test_leaving_prints_the_line_that_reopens_the_session() -> None:
    with Terminal(APP, "--demo", "--micro-batch", "4") as terminal:
        terminal.until("\u2713")
        terminal.press("q")
        assert terminal.ended() == 0
        assert terminal.restored()
    assert terminal.written.endswith(b"bucketplan-tui --demo --micro-batch 4\r\n")


def test_an_interrupt_leaves_the_terminal_as_it_was() -> None:
    with Terminal(APP, "--demo") as terminal:
        terminal.until("\u2713")
        terminal.press("\x03")
        assert terminal.ended() == 130
        assert terminal.restored()
    assert b"Traceback" not in terminal.written


def test_the_end_of_a_connection_ends_the_app() -> None:
    with Terminal(APP, "--demo") as terminal:
        terminal.until("\u2713")
        terminal.hang_up()
        assert terminal.ended() == 129
        assert terminal.restored()


def test_a_locale_without_unicode_still_works() -> None:
    environment = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    with Terminal(APP, "--demo", environment=environment, size=(120, 36)) as terminal:
        terminal.until("30.19%")
        terminal.press("q")
        assert terminal.ended() == 0
    assert terminal.written.isascii()
    assert b"\\u" not in terminal.written
    assert b"+- Record lengths" in re.sub(rb"\x1b\[[0-9;]*m", b"", terminal.written)


@pytest.mark.parametrize("words", [["missing.jsonl"], ["--demo", "--micro-batch", "0"], ["--demo", "cache.jsonl"], []])
def test_what_cannot_be_opened_is_one_line(words: list[str], tmp_path: Path) -> None:
    with Terminal(APP, *words) as terminal:
        assert terminal.ended() == 2
    after_the_screen = terminal.written.rpartition(b"\x1b[?1049l")[2]
    assert re.sub(rb"\x1b\[[?>0-9;]*[a-z]", b"", after_the_screen).strip().count(b"\n") == 0
    assert b"Traceback" not in terminal.written


def test_version_and_help_do_not_wait_for_textual() -> None:
    code = "import sys; sys.argv = ['bucketplan-tui', sys.argv[1]]\nfrom bucketplan_tui.main import main\n"
    code += "try: main()\nexcept SystemExit: pass\nassert not {'textual', 'plotext'} & set(sys.modules)\n"
    for word in ("--version", "--help"):
        ran = subprocess.run([sys.executable, "-c", code, word], capture_output=True, check=False, env=dict(os.environ))
        assert ran.returncode == 0, ran.stderr
        assert ran.stdout
