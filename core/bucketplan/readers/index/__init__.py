"""Indexes: a corpus as a small file, and those kept of earlier loads."""
