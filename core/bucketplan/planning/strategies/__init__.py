"""Batching strategies, a file each."""
