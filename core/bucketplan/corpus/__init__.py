"""What was read of a cache: a few arrays, one entry a record, and never a token."""
