"""Chunks made in a thread of their own while those before them are used."""

from collections.abc import Iterator
from contextlib import contextmanager
from queue import Empty, Queue
from threading import Event, Thread
from typing import TypeVar

_WAITING = 4
"""Chunks that may lie ready."""

_Chunk = TypeVar("_Chunk")


@contextmanager
def ahead(chunks: Iterator[_Chunk], stop: Event) -> Iterator[Iterator[_Chunk]]:
    """The same chunks, and at their end the same error if there was one.

    Args:
        chunks: made in the thread.
        stop: set at the end of the block; whatever the chunks wait for must then end soon, as the thread is waited for.
    """
    ready: Queue[_Chunk | BaseException | None] = Queue(_WAITING)

    def make() -> None:
        last: BaseException | None = None
        try:
            for chunk in chunks:
                ready.put(chunk)
                if stop.is_set():
                    return
        except BaseException as error:
            last = error
        ready.put(last)

    def taken() -> Iterator[_Chunk]:
        while (chunk := ready.get()) is not None:
            if isinstance(chunk, BaseException):
                raise chunk
            yield chunk

    thread = Thread(target=make, name="ahead", daemon=True)
    thread.start()
    try:
        yield taken()
    finally:
        stop.set()
        while thread.is_alive():
            try:
                ready.get(timeout=0.01)  # the thread may wait for room
            except Empty:
                continue
