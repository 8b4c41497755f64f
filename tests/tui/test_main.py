"""`bucketplan-tui` as a process: what it needs of a terminal, and how it leaves one."""

import os
import re
import subprocess
import sys
import time
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


@pytest.fixture
def pipe(tmp_path: Path) -> str:
    """A pipe that nobody writes to: a load that never ends."""
    path = tmp_path / "cache.jsonl"
    os.mkfifo(path)
    return str(path)


@pytest.mark.parametrize("key", ["q", "\x1b", "\x03"])
def test_a_load_that_never_ends_can_be_left(pipe: str, key: str) -> None:
    with Terminal(APP, pipe) as terminal:
        terminal.until("Reading")
        start = time.monotonic()
        terminal.press(key)
        assert terminal.ended() == 130
        assert time.monotonic() - start < 2
        assert terminal.restored()
    assert b"Traceback" not in terminal.written


def test_the_end_of_a_connection_ends_a_load(pipe: str) -> None:
    with Terminal(APP, pipe) as terminal:
        terminal.until("Reading")
        start = time.monotonic()
        terminal.hang_up()
        assert terminal.ended() == 129
        assert time.monotonic() - start < 5


def test_a_slow_pipe_is_read_while_it_is_written(pipe: str) -> None:
    with Terminal(APP, pipe) as terminal:
        terminal.until("Reading")
        with Path(pipe).open("w") as writer:
            writer.write('{"input_ids": [1, 2, 3]}\n')
            writer.flush()
            terminal.until("25B")
            writer.write('{"input_ids": [1]}\n')
        terminal.until("2 records")
        terminal.press("q")
        assert terminal.ended() == 0


def test_an_interrupt_ends_the_plain_command_with_130(pipe: str) -> None:
    with Terminal("bucketplan_tui.commands.main", "report", pipe) as terminal:
        time.sleep(1)
        terminal.press("\x03")
        assert terminal.ended() == 130
    assert b"Traceback" not in terminal.written


def test_standard_input_is_read_by_the_plain_command_and_refused_by_the_app() -> None:
    text = b'{"input_ids": [1, 2, 3]}\r\n{"input_ids": [1]}\r\n'
    ran = subprocess.run(
        [sys.executable, "-m", "bucketplan_tui.commands.main", "report", "-"],
        input=text,
        capture_output=True,
        check=False,
    )
    assert ran.returncode == 0
    assert "2 records · 4 tokens".encode() in ran.stdout
    ran = subprocess.run([sys.executable, "-m", APP, "-"], input=text, capture_output=True, check=False)
    assert (ran.returncode, ran.stdout) == (2, b"")
    assert b"bucketplan report" in ran.stderr
