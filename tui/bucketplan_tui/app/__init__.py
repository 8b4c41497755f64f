"""The app: which screen is shown, and what becomes of signals and errors."""
