"""Under which keys of a record its values stand: names to look for, and those that a file turns out to use."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from bucketplan.printable import printable

Path = tuple[str, ...]
"""Where a value stands in a record: the keys from the outside in; nowhere if there are none."""


@dataclass(frozen=True)
class Names:
    """The keys that are read, the same for every record of a file."""

    ids: Path = ("input_ids",)
    labels: Path = ("labels",)
    mask: Path = ("attention_mask",)
    root: Path = ("dataset_id",)
    kind: Path = ("sample_kind",)
    length: Path = ("length",)

    def paths(self) -> tuple[Path, ...]:
        """Each of them, in this order."""
        return self.ids, self.labels, self.mask, self.root, self.kind, self.length


@dataclass(frozen=True)
class Keys:
    """The names a value may have, the usual one first.

    A single name is taken as it is; a dot in it leads into an object, unless the first record has a key with the dot.
    Of several names, all but the first are aliases: one is used where the first record lacks those before it and has
    a fitting value there. No name at all: the value is not read.

    Attributes:
        ids: token ids.
        labels: labels.
        mask: the attention mask.
        root: the source dataset.
        kind: the kind of the record.
        length: a stored length, which must be that of the token ids.
    """

    ids: tuple[str, ...] = ("input_ids", "tokens", "token_ids")
    labels: tuple[str, ...] = ("labels",)
    mask: tuple[str, ...] = ("attention_mask",)
    root: tuple[str, ...] = ("dataset_id", "source", "dataset", "subset", "domain", "task")
    kind: tuple[str, ...] = ("sample_kind",)
    length: tuple[str, ...] = ("length",)

    def usual(self) -> Names:
        """The first name of each value."""
        return self._names({})

    def chosen(self, record: Mapping[str, object]) -> Names | None:
        """The names for a file whose first record this is; None where it has no token ids under any name."""
        names = self._names(record)
        return names if has(record, names.ids) else None

    def _names(self, record: Mapping[str, object]) -> Names:
        return Names(
            ids=_choice(self.ids, record, _starts_with_an_integer),
            labels=_choice(self.labels, record, _starts_with_an_integer),
            mask=_choice(self.mask, record, _starts_with_an_integer),
            root=_choice(self.root, record, _is_a_name),
            kind=_choice(self.kind, record, _is_a_name),
            length=_choice(self.length, record, lambda value: type(value) is int),
        )


_MEANINGS = {
    "ids": "token ids are",
    "labels": "labels are",
    "mask": "the attention mask is",
    "root": "roots are",
    "kind": "kinds are",
    "length": "stored lengths are",
}


def unusual(names: Names) -> Iterable[str]:
    """A line for each value that is not read from its usual key."""
    usual = Names()
    for field, meaning in _MEANINGS.items():
        path: Path = getattr(names, field)
        if path and path != getattr(usual, field):
            yield f"{meaning} read from {spelled(path)}"


def spelled(path: Path) -> str:
    """A path as a user writes it, safe to print."""
    return printable(".".join(path))


def value_at(record: object, path: Path) -> object:
    """The value under a path, None where there is none."""
    if not path:
        return None
    for key in path:
        record = record.get(key) if isinstance(record, dict) else None
    return record


def has(record: Mapping[str, object], path: Path) -> bool:
    """Whether there is a value under a path, be it null."""
    if not path:
        return False
    inside = record if len(path) == 1 else value_at(record, path[:-1])
    return isinstance(inside, Mapping) and path[-1] in inside


def _choice(candidates: tuple[str, ...], record: Mapping[str, object], fits: Callable[[object], bool]) -> Path:
    if not candidates:
        return ()
    usual, *aliases = (_path(name, record) for name in candidates)
    if has(record, usual):
        return usual
    return next((path for path in aliases if has(record, path) and fits(value_at(record, path))), usual)


def _path(name: str, record: Mapping[str, object]) -> Path:
    return (name,) if name in record else tuple(name.split("."))


def _starts_with_an_integer(value: object) -> bool:
    return isinstance(value, list) and len(value) > 0 and isinstance(value[0], int)


def _is_a_name(value: object) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool)
