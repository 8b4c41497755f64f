"""What the threads that load and plan tell the screens, and what screens tell each other."""

from textual.message import Message

from bucketplan.corpus.corpus import Corpus
from bucketplan.exploring.comparison import Comparison


class Progress(Message):
    """A load has read so many bytes of the file; `total` is None where its size is unknown."""

    def __init__(self, done: int, total: int | None) -> None:
        self.done, self.total = done, total
        super().__init__()

    def can_replace(self, message: Message) -> bool:
        """Only the latest progress is of interest."""
        return isinstance(message, Progress)


class Loaded(Message):
    """A load is complete."""

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus
        super().__init__()


class Planned(Message):
    """A plan and its baseline are measured.

    Attributes:
        generation: which request this answers; only the latest is shown.
        comparison: the one plan beside its baseline.
        seconds: how long it took.
    """

    def __init__(self, generation: int, comparison: Comparison, seconds: float) -> None:
        self.generation, self.comparison, self.seconds = generation, comparison, seconds
        super().__init__()


class Refused(Message):
    """The knobs of a request leave nothing to plan; `reason` is one line, safe to print."""

    def __init__(self, generation: int, reason: str) -> None:
        self.generation, self.reason = generation, reason
        super().__init__()


class Failed(Message):
    """A thread ended with an error, for the UI thread to raise."""

    def __init__(self, error: Exception) -> None:
        self.error = error
        super().__init__()
