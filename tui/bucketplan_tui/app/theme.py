"""Colours: one accent on greys; better and worse in a blue and an orange that colour-blind eyes keep apart."""

import os

from textual.theme import Theme

ACCENT, WORSE = "#5ab4e6", "#e6a03c"

THEME = Theme(
    name="bucketplan",
    primary=ACCENT,
    secondary=ACCENT,
    accent=ACCENT,
    warning=WORSE,
    error="#e06c60",
    success=ACCENT,
    foreground="#d6dae0",
    background="#14171c",
    surface="#1a1e24",
    panel="#272d36",
    dark=True,
)


COLOURLESS = "ansi-dark"
"""Textual's theme that sends no colour at all where NO_COLOR is set."""


def colourless() -> bool:
    """Whether the user wants no colours (https://no-color.org)."""
    return bool(os.environ.get("NO_COLOR"))
