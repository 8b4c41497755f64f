"""What a plan needs to know of a cache: a few arrays, one entry a record, and never a token."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from bucketplan.corpus.spans import Spans


@dataclass(frozen=True, eq=False)
class Categories:
    """A column of names: the root or the kind of each record.

    Attributes:
        codes: int32, one entry a record, an index into `names`.
        names: the distinct names, as the file spells them; not safe to print.
    """

    codes: NDArray[np.int32]
    names: tuple[str, ...]

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """Records of each name."""
        return np.bincount(self.codes, minlength=len(self.names))

    def take(self, records: NDArray[np.int64]) -> "Categories":
        """The column of these records alone, all names kept."""
        return Categories(self.codes[records], self.names)


@dataclass(frozen=True)
class Fingerprint:
    """A SHA-256 for each column in record order, None where a column is absent.

    Integers enter as little-endian int32; a name as the little-endian int32 count of its UTF-8 bytes, then the bytes.
    """

    lengths: str
    supervised: str | None
    roots: str | None
    kinds: str | None

    def matches(self, other: "Fingerprint") -> bool:
        """Whether all columns that both have are equal."""
        pairs = (
            (self.lengths, other.lengths),
            (self.supervised, other.supervised),
            (self.roots, other.roots),
            (self.kinds, other.kinds),
        )
        return all(mine == theirs for mine, theirs in pairs if mine is not None and theirs is not None)


@dataclass(frozen=True)
class Skipped:
    """A record that was passed over on request, and why (a line safe to print)."""

    line: int
    reason: str


@dataclass(frozen=True, eq=False)
class Corpus:
    """The records of a cache, in file order.

    Attributes:
        path: what the user called the cache; not safe to print.
        lengths: int32, real tokens of each record, all positive.
        supervised: int32, labels other than -100 of each record, or None where the cache has no labels.
        roots: the source dataset of each record, or None where the cache names none.
        kinds: the kind of each record, or None where the cache names none.
        supervised_spans: where supervised tokens stand, where that was read; else None.
        numbers: int64, position of each record in the dataset that a trainer loads; None where that is its index.
        stored_width: the longest stored row, where rows were stored padded; else None.
        stored_tokens: tokens of all rows as they are stored, padding included; None as above.
        skipped: records passed over on request.
        warnings: what a user should know of this load, each a line safe to print.
    """

    path: str
    lengths: NDArray[np.int32]
    supervised: NDArray[np.int32] | None = None
    roots: Categories | None = None
    kinds: Categories | None = None
    supervised_spans: Spans | None = None
    numbers: NDArray[np.int64] | None = None
    stored_width: int | None = None
    stored_tokens: int | None = None
    skipped: tuple[Skipped, ...] = ()
    warnings: tuple[str, ...] = field(default=())

    def __len__(self) -> int:
        """The number of records."""
        return len(self.lengths)

    @cached_property
    def tokens(self) -> int:
        """Real tokens of all records."""
        return int(self.lengths.sum(dtype=np.int64))

    @cached_property
    def supervised_tokens(self) -> int | None:
        """Supervised tokens of all records."""
        return None if self.supervised is None else int(self.supervised.sum(dtype=np.int64))

    @cached_property
    def fully_masked(self) -> int | None:
        """Records without a supervised token: they cost compute and train nothing."""
        return None if self.supervised is None else int(np.count_nonzero(self.supervised == 0))

    @cached_property
    def fingerprint(self) -> Fingerprint:
        """What identifies the content of this corpus."""
        return Fingerprint(
            lengths=_hash_integers(self.lengths),
            supervised=None if self.supervised is None else _hash_integers(self.supervised),
            roots=None if self.roots is None else _hash_names(self.roots),
            kinds=None if self.kinds is None else _hash_names(self.kinds),
        )


def categories(names: Sequence[str]) -> Categories:
    """A column from the name of each record; codes follow first appearance."""
    codes: dict[str, int] = {}
    column = np.fromiter((codes.setdefault(name, len(codes)) for name in names), np.int32, len(names))
    return Categories(column, tuple(codes))


def _hash_integers(values: NDArray[np.int32]) -> str:
    return hashlib.sha256(values.astype("<i4").tobytes()).hexdigest()


def _hash_names(column: Categories) -> str:
    encoded = [name.encode("utf-8", "surrogatepass") for name in column.names]
    entries = [len(name).to_bytes(4, "little") + name for name in encoded]
    return hashlib.sha256(b"".join([entries[code] for code in column.codes.tolist()])).hexdigest()
