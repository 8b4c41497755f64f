"""One question, answered with a line of text."""

from collections.abc import Callable
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from bucketplan.errors import UserError


class AskScreen(ModalScreen[str]):
    """Returns what was typed, or None after escape. An answer that cannot be taken is said, and can be mended."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss", "Close")]

    def __init__(self, title: str, question: str, answer: str, check: Callable[[str], None] = lambda _: None) -> None:
        """Ask.

        Args:
            title: what stands on the frame.
            question: what is asked, and what becomes of the answer.
            answer: what stands there to begin with.
            check: raises UserError at an answer that cannot be taken.
        """
        super().__init__()
        self._title, self._question, self._answer, self._check = title, question, answer, check

    def compose(self) -> ComposeResult:
        """The question, a line to type in, and room for a refusal."""
        with Vertical(classes="dialog question panel") as dialog:
            dialog.border_title, dialog.border_subtitle = self._title, "enter: take   escape: leave it"
            yield Static(self._question, markup=False)
            answer = Input(self._answer, compact=True)
            answer.cursor_blink = False
            yield answer
            yield Static("", id="refusal", markup=False)

    @on(Input.Submitted)
    def _take(self, message: Input.Submitted) -> None:
        try:
            self._check(message.value)
        except UserError as error:
            self.query_one("#refusal", Static).update(str(error))
        else:
            self.dismiss(message.value)
