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


def theme_name() -> str:
    """The project's theme; where NO_COLOR is set, one that sends no colours at all."""
    return "ansi-dark" if os.environ.get("NO_COLOR") else THEME.name
