"""What a batching strategy is: a name, options of its own, and a plan."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from bucketplan.errors import Cancelled
from bucketplan.settings import check_all

if TYPE_CHECKING:
    from bucketplan.exploring.memo import Memo
    from bucketplan.planning.knobs import Knobs
    from bucketplan.planning.plan import Plan
    from bucketplan.selection.selection import Selection


@dataclass(frozen=True)
class Strategy(ABC):
    """A frozen dataclass whose fields are its options, declared with `setting`.

    Attributes:
        name: what the command line and the app call it.
        summary: what it does, in one line.
        reads: the knobs that its plan depends on, beside its options.
    """

    name: ClassVar[str]
    summary: ClassVar[str]
    reads: ClassVar[frozenset[str]]

    def __post_init__(self) -> None:
        check_all(self)

    @abstractmethod
    def plan(self, selection: Selection, knobs: Knobs, work: Work) -> Plan:
        """Every record of the selection exactly once.

        Raises:
            Cancelled: the caller no longer wants it.
        """


@dataclass(frozen=True)
class Work:
    """What a plan in the making may use.

    Attributes:
        memo: remembers what other knobs leave as it is; keys are to hold the selection and the strategy's name.
        cancelled: whether the result is still wanted, asked now and then.
    """

    memo: Memo
    cancelled: Callable[[], bool]

    def check(self) -> None:
        """Stop here if the result is no longer wanted.

        Raises:
            Cancelled: it is not.
        """
        if self.cancelled():
            raise Cancelled
