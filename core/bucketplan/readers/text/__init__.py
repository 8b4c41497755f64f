"""Bytes become text: opened, decompressed, in one pass and in bounded memory."""
