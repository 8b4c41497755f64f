"""Words, numbers and tables as people read them, and the streams they are written to."""
