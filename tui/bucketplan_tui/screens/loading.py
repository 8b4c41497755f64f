"""The screen of a load: how far it is, and how to stop it."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import Screen
from textual.widgets import Footer, ProgressBar, Static

from bucketplan.printable import printable
from bucketplan_tui.session.background import Loading, Read
from bucketplan_tui.session.messages import Failed, Loaded, Progress
from bucketplan_tui.text.cells import elide
from bucketplan_tui.text.numbers import compact


class LoadingScreen(Screen[None]):
    """Loads a corpus; the app is told with `Loaded` or `Failed`."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q", "cancel", "Cancel")]

    def __init__(self, path: str, read: Read) -> None:
        super().__init__()
        self._path, self._read = path, read
        self._loading: Loading | None = None

    def compose(self) -> ComposeResult:
        """The file, a bar, and how much is read."""
        with Vertical(id="loading"):
            yield Static(elide(f"Reading {printable(self._path)}", 60), markup=False)
            yield ProgressBar(total=1, show_eta=False)
            yield Static("", id="amount", markup=False)
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        """Start to load."""
        self._loading = Loading(self._read, self.post_message)

    def on_progress(self, message: Progress) -> None:
        """Move the bar; where the size is unknown it stays empty and the amount speaks."""
        amount = f"{compact(message.done)}B read"
        if message.total:
            self.query_one(ProgressBar).update(total=message.total, progress=message.done)
            amount = f"{compact(message.done)}B of {compact(message.total)}B read"
        self.query_one("#amount", Static).update(amount)

    def on_loaded(self, message: Loaded) -> None:
        """Hand the corpus to the app."""
        message.stop()
        self.app.post_message(Loaded(message.corpus))

    def on_failed(self, message: Failed) -> None:
        """Hand the error to the app."""
        message.stop()
        self.app.post_message(Failed(message.error))

    def action_cancel(self) -> None:
        """Stop the load and leave."""
        self.cancel()
        self.app.exit(130)

    def cancel(self) -> None:
        """Stop the load."""
        if self._loading is not None:
            self._loading.cancel()

    def on_unmount(self) -> None:
        """Leave no load behind."""
        self.cancel()
