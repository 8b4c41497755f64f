"""A command in a terminal of its own: what it writes, byte for byte, and how it ends."""

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Mapping
from contextlib import suppress
from types import TracebackType
from typing import Self

PATIENCE = 30.0


class Terminal:
    """Runs `python -m module words` in a pseudo-terminal."""

    def __init__(
        self, module: str, *words: str, size: tuple[int, int] = (80, 24), environment: Mapping[str, str] | None = None
    ) -> None:
        self._controller, line = pty.openpty()
        width, height = size
        fcntl.ioctl(line, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))
        self.attributes = termios.tcgetattr(line)
        keep = {name: os.environ[name] for name in ("PATH", "HOME", "PYTHONPATH") if name in os.environ}
        self._line = line
        self.process = subprocess.Popen(
            [sys.executable, "-m", module, *words],
            stdin=line,
            stdout=line,
            stderr=line,
            env=keep | {"TERM": "xterm-256color", "LANG": "C.UTF-8"} | dict(environment or {}),
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        self.written = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _type: type[BaseException] | None, _value: BaseException | None, _at: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for each in (self._controller, self._line):
            with suppress(OSError):
                os.close(each)

    def until(self, text: str) -> None:
        """Read until the command has written this."""
        deadline = time.monotonic() + PATIENCE
        while text.encode() not in self.written:
            assert time.monotonic() < deadline, self.written[-2000:]
            assert self._read(0.1) or self.process.poll() is None, self.written[-2000:]

    def press(self, keys: str) -> None:
        """Type."""
        os.write(self._controller, keys.encode())

    def hang_up(self) -> None:
        """What the end of a connection does."""
        os.killpg(self.process.pid, signal.SIGHUP)

    def ended(self) -> int:
        """Read to the end; the exit status, negative for a signal."""
        deadline = time.monotonic() + PATIENCE
        while self.process.poll() is None:
            assert time.monotonic() < deadline, self.written[-2000:]
            self._read(0.05)
        while self._read(0.05):
            pass
        return self.process.returncode

    def restored(self) -> bool:
        """Whether the terminal is as it was: its mode, and neither mouse reports nor the alternate screen."""
        ends_last = all(
            self.written.rfind(f"\x1b[?{mode}l".encode()) >= self.written.rfind(f"\x1b[?{mode}h".encode())
            for mode in (1000, 1003, 1006, 1049)
        )
        return ends_last and termios.tcgetattr(self._line) == self.attributes

    def _read(self, patience: float) -> bool:
        if not select.select([self._controller], [], [], patience)[0]:
            return False
        try:
            chunk = os.read(self._controller, 1 << 16)
        except OSError:
            return False
        self.written += chunk
        return bool(chunk)
