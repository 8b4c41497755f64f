"""The charts of a plan, a file each."""
