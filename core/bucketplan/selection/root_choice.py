"""Which roots take part: some alone, some left out, some capped."""

import re
from dataclasses import dataclass
from random import Random

import numpy as np
from numpy.typing import NDArray

from bucketplan.corpus.corpus import Categories, Corpus
from bucketplan.errors import KnobError
from bucketplan.printable import printable

_SHOWN = 8
# A comma that no backslash stands before.
_COMMA = re.compile(r"(?<!\\),")


@dataclass(frozen=True, eq=False)
class RootChoice:
    """The records of the chosen roots.

    Attributes:
        records: int64, index of each in the corpus, ascending.
        cautions: what was left out, each a line.
    """

    records: NDArray[np.int64]
    cautions: tuple[str, ...] = ()


def choose_roots(corpus: Corpus, only: str, exclude: str, cap: str, seed: int) -> RootChoice:
    """The records that these knobs leave.

    Args:
        corpus: any.
        only: names of the roots that take part, with commas between them; all, if empty. A comma in a name is written
            with a backslash before it.
        exclude: names of roots left out.
        cap: `name=records` with commas between them: the most records of a root.
        seed: of the draw of a capped root's records (CPython's `random.Random(seed).sample`).

    Raises:
        KnobError: no root is called so, a cap is no number, or no record is left.
    """
    everything = np.arange(len(corpus), dtype=np.int64)
    if not (only or exclude or cap):
        return RootChoice(everything)
    if corpus.roots is None:
        raise KnobError("only, exclude, cap: the cache names no roots - leave these knobs empty")
    keep = np.ones(len(corpus), np.bool_)
    cautions = []
    for verb, left_out in (
        ("only", ~_of_roots(corpus.roots, only, "only") if only else ~keep),
        ("exclude", _of_roots(corpus.roots, exclude, "exclude") if exclude else ~keep),
        ("cap", _above_caps(corpus.roots, cap, seed) if cap else ~keep),
    ):
        gone = keep & left_out
        if gone.any():
            tokens = int(corpus.lengths[gone].sum(dtype=np.int64))
            cautions.append(f"{verb} leaves out {int(gone.sum()):,} records with {tokens:,} tokens")
        keep &= ~left_out
    if not keep.any():
        raise KnobError("only, exclude, cap: no record is left - leave more roots in")
    return RootChoice(everything[keep], tuple(cautions))


def names_of(text: str) -> list[str]:
    """Names with commas between them; a backslash keeps a comma in a name."""
    return [part.strip().replace("\\,", ",") for part in _COMMA.split(text) if part.strip()]


def _of_roots(roots: Categories, text: str, knob: str) -> NDArray[np.bool_]:
    codes = [_code(roots, name, knob) for name in names_of(text)]
    return np.isin(roots.codes, codes)


def _above_caps(roots: Categories, text: str, seed: int) -> NDArray[np.bool_]:
    """The records of capped roots that were not drawn."""
    above = np.zeros(len(roots.codes), np.bool_)
    rng = Random(seed)
    for part in names_of(text):
        name, _, most = part.rpartition("=")
        if not (name and most.strip().isdecimal()):
            raise KnobError(f"cap: {printable(part, limit=40)} is no cap - write root=records")
        members = np.flatnonzero(roots.codes == _code(roots, name.strip(), "cap"))
        if len(members) > int(most):
            above[members] = True
            above[members[rng.sample(range(len(members)), int(most))]] = False
    return above


def _code(roots: Categories, name: str, knob: str) -> int:
    if name in roots.names:
        return roots.names.index(name)
    some = ", ".join(printable(each, limit=30) for each in roots.names[:_SHOWN])
    more = f" and {len(roots.names) - _SHOWN:,} more" if len(roots.names) > _SHOWN else ""
    raise KnobError(f"{knob}: no root is called {printable(name, limit=40)} - the roots are {some}{more}")
