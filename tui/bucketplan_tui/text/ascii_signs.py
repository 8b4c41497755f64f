"""What plain ASCII has for the signs that reports and screens draw with, where a terminal takes nothing else."""

from rich.cells import get_character_cell_size

_SIGNS = {
    "─━╌┄": "-",
    "│┃▏▌": "|",
    "╭╮╰╯┏┓┗┛┌┐└┘├┤┬┴┼": "+",
    "▁▂▃": "_",
    "▄▅▆▇█": "#",
    "●": "O",
    "○": "o",
    "▸▶": ">",
    "◂◀": "<",
    "▼▽↓": "v",
    "▲△↑": "^",
    "←": "<",
    "→": ">",
    "✓": "+",
    "✗×": "x",
    "·•": ".",
    "…": "~",
    "–—": "-",
    "²": "2",
    "".join(map(chr, range(0x2801, 0x2900))): ".",
}
_TABLE = str.maketrans({sign: plain for signs, plain in _SIGNS.items() for sign in signs})


def as_ascii(text: str) -> str:
    """The same in ASCII and in as many cells: signs become look-alikes, other characters question marks."""
    if text.isascii():
        return text
    text = text.translate(_TABLE)
    return "".join(c if c.isascii() else "?" * get_character_cell_size(c) for c in text)


def signs_as_ascii(text: str) -> str:
    """The same with signs as look-alikes, other characters left as they are."""
    return text.translate(_TABLE)
