"""A what-if session: its threads, its history, its pins, and what it hands out."""
