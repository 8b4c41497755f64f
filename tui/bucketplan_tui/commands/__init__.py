"""The plain command line: the same figures without a screen. It imports no Textual."""
