"""A large file read by two processes. The second is a fresh interpreter, so nothing forks under a running app."""

import os
import pickle
import select
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from bucketplan.readers.jsonl.byte_ranges import Job, Watch, read_range, take_ranges
from bucketplan.readers.jsonl.record_batch import Part

_PACKAGE_HOME = Path(__file__).parents[3]
_START = "import sys; sys.path.append(sys.argv.pop()); from bucketplan.readers.jsonl.worker import main; main()"
_POLL_SECONDS = 0.05


def read_shared(job: Job, watch: Watch) -> list[Part]:
    """The parts of all ranges in order, up to the first that was stopped.

    Args:
        job: what to read; its names are known.
        watch: called in this process alone.
    """
    queue, feed = os.pipe()
    try:
        os.write(feed, bytes(range(job.ranges)))
        os.close(feed)
        with _second(job, queue) as process:
            parts = dict(take_ranges(job, queue, watch))
            parts |= _answer(process, job, watch)
        watch(job.file.end)
    finally:
        os.close(queue)
    # A range is missing where the second process did not live to give it back.
    ordered = []
    for number in range(job.ranges):
        part = parts.pop(number, None) or read_range(job, number, watch)[0]
        ordered.append(part)
        if part.stop:
            break
    return ordered


@contextmanager
def _second(job: Job, queue: int) -> Iterator[subprocess.Popen[bytes] | None]:
    """A second process at work, which does not outlive the block; None where none can be started."""
    try:
        process = subprocess.Popen(
            [sys.executable, "-P", "-c", _START, str(queue), str(os.getpid()), str(_PACKAGE_HOME)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            pass_fds=(queue, job.file.descriptor),
        )
    except OSError:
        yield None
        return
    with process:
        try:
            _tell(process, job)
            yield process
        finally:
            process.kill()


def _tell(process: subprocess.Popen[bytes], job: Job) -> None:
    if process.stdin is not None:
        with suppress(BrokenPipeError), process.stdin as pipe:
            pickle.dump(job, pipe)


def _answer(process: subprocess.Popen[bytes] | None, job: Job, watch: Watch) -> dict[int, Part]:
    """The parts that the second process has read: none if it has come to grief."""
    if process is None or process.stdout is None:
        return {}
    while not select.select([process.stdout], [], [], _POLL_SECONDS)[0]:
        watch(job.file.end)
    try:
        return dict(pickle.load(process.stdout))
    except (EOFError, pickle.UnpicklingError):
        return {}
