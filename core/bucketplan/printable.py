"""The one function that every text from data passes before it is shown anywhere."""

import unicodedata

MESSAGE_LIMIT = 400
"""The longest message, in characters."""

# Controls, formatting (bidi overrides, zero-width marks), surrogates, line and paragraph separators:
# invisible, or able to move, recolour or reorder what stands around them.
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


def printable(text: str, limit: int | None = None) -> str:
    r"""Text with every invisible or active character shown as an escape (`\x1b`, `\u202e`).

    Args:
        text: any text, from a file, a file name or an error message.
        limit: the most characters to return; what is longer loses its middle.
    """
    if not (text.isascii() and text.isprintable()):
        text = "".join(_escaped(c) if unicodedata.category(c) in _HIDDEN else c for c in text)
    if limit is not None and len(text) > limit:
        head = (limit - 1) * 2 // 3
        return f"{text[:head]}…{text[head + 1 - limit :]}"
    return text


def _escaped(character: str) -> str:
    code = ord(character)
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
