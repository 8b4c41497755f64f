"""What stands in place of every screen while the terminal is too small."""

from textual.app import ComposeResult
from textual.screen import ModalScreen
from textual.widgets import Static

LEAST_WIDTH, LEAST_HEIGHT = 80, 24


class SizeScreen(ModalScreen[None]):
    """Says which size is needed; the app takes it away when there is room."""

    def compose(self) -> ComposeResult:
        """One sentence."""
        yield Static(f"Terminal too small: needs {LEAST_WIDTH}x{LEAST_HEIGHT}. Enlarge it, or run bucketplan report.")
