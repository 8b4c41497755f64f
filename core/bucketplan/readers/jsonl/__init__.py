"""JSON Lines: found, proven, parsed, and gathered into a corpus."""
