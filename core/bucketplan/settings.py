"""Declared settings: a dataclass field with its range, its words and its option on the command line."""

import math
import types
from collections.abc import Iterable
from dataclasses import MISSING, dataclass, field, fields
from typing import Any, TypeAlias, Union, get_args, get_origin, get_type_hints

from bucketplan.errors import KnobError
from bucketplan.printable import printable

Value: TypeAlias = bool | int | float | str | None

_SWITCH = {
    "on": True,
    "true": True,
    "yes": True,
    "1": True,
    "off": False,
    "false": False,
    "no": False,
    "0": False,
}


@dataclass(frozen=True)
class Setting:
    """One setting of a dataclass.

    Attributes:
        name: the field's name, with underscores.
        kind: bool, int, float or str.
        default: the value it starts with.
        optional: whether None ("none" in text) is a value.
        minimum: the least number allowed, or None.
        maximum: the greatest number allowed, or None.
        choices: the only values allowed, or empty.
        help: what it does, in one line.
    """

    name: str
    kind: type[bool] | type[int] | type[float] | type[str]
    default: Value
    optional: bool
    minimum: float | None
    maximum: float | None
    choices: tuple[int | str, ...]
    help: str

    @property
    def label(self) -> str:
        """The name as people and the command line write it."""
        return self.name.replace("_", "-")

    @property
    def numeric(self) -> bool:
        """Whether its values are numbers, so that it can be swept."""
        return self.kind in (int, float)

    @property
    def domain(self) -> str:
        """What it accepts, in words: `1 .. 256`, `step or micro`."""
        if self.kind is bool:
            return "on or off"
        if self.choices:
            *others, last = map(str, self.choices)
            words = f"{', '.join(others)} or {last}" if others else last
        elif self.minimum is None:
            words = "any text" if self.kind is str else "any number"
        elif self.maximum is None:
            words = f"{self.minimum:g} and up"
        else:
            words = f"{self.minimum:.10g} .. {self.maximum:.10g}"
        return f"{words}, or none" if self.optional else words

    def parse(self, text: str) -> Value:
        """The value a user typed.

        Raises:
            KnobError: the text is no value of this setting.
        """
        text = text.strip()
        if self.optional and text.lower() in ("none", ""):
            return None
        if self.kind is bool:
            if text.lower() not in _SWITCH:
                raise self._refusal(text)
            return _SWITCH[text.lower()]
        value: Value
        try:
            value = text if self.kind is str else self.kind(text.replace(",", "").replace("_", ""))
        except ValueError:
            raise self._refusal(text) from None
        self.check(value)
        return value

    def text(self, value: Value) -> str:
        """A value as `parse` reads it."""
        if isinstance(value, bool):
            return "on" if value else "off"
        return "none" if value is None else str(value)

    def check(self, value: Value) -> None:
        """Refuse a value outside the range.

        Raises:
            KnobError: it is of another type, or out of range.
        """
        if value is None and self.optional:
            return
        number = isinstance(value, int | float) and not isinstance(value, bool)
        fits = {bool: isinstance(value, bool), int: number and isinstance(value, int), float: number}
        if not fits.get(self.kind, isinstance(value, str)):
            raise self._refusal(value)
        if self.choices and value not in self.choices:
            raise self._refusal(value)
        if isinstance(value, int | float) and number:
            below = self.minimum is not None and value < self.minimum
            above = self.maximum is not None and value > self.maximum
            if below or above or not math.isfinite(value):
                raise self._refusal(value)

    def _refusal(self, value: Value) -> KnobError:
        shown = printable(str(value), limit=40)
        return KnobError(f"{self.label}: {shown} is not a value it can have - give {self.domain}")


def setting(
    default: Any,
    help: str,
    *,
    minimum: float | None = None,
    maximum: float | None = None,
    choices: tuple[int | str, ...] = (),
) -> Any:
    """A dataclass field that `settings_of` can describe."""
    declared = {"help": help, "minimum": minimum, "maximum": maximum, "choices": choices}
    return field(default=default, metadata={"setting": declared})


def settings_of(owner: type) -> tuple[Setting, ...]:
    """The settings that a dataclass declares, in order."""
    if owner not in _known:
        _known[owner] = _declared_by(owner)
    return _known[owner]


_known: dict[type, tuple[Setting, ...]] = {}


def _declared_by(owner: type) -> tuple[Setting, ...]:
    hints = get_type_hints(owner)
    found = []
    for each in fields(owner):
        if "setting" in each.metadata:
            kind, optional = _kind(hints[each.name])
            default = None if each.default is MISSING else each.default
            found.append(Setting(each.name, kind, default, optional, **each.metadata["setting"]))
    return tuple(found)


def check_all(instance: object) -> None:
    """Check every setting of an instance, for its `__post_init__`.

    Raises:
        KnobError: the first value out of its range.
    """
    for each in settings_of(type(instance)):
        each.check(getattr(instance, each.name))


def values_of(instance: object) -> dict[str, Value]:
    """The settings of an instance by name, in order."""
    return {each.name: getattr(instance, each.name) for each in settings_of(type(instance))}


def named(name: str, settings: Iterable[Setting]) -> Setting:
    """The setting a user named, with dashes or underscores.

    Raises:
        KnobError: there is none of that name.
    """
    wanted = name.strip().replace("-", "_")
    known = {each.name: each for each in settings}
    if wanted not in known:
        labels = ", ".join(each.label for each in known.values())
        raise KnobError(f"{printable(name, limit=40)}: there is no such knob - the knobs are {labels}")
    return known[wanted]


def _kind(hint: Any) -> tuple[Any, bool]:
    if get_origin(hint) in (Union, types.UnionType):
        kinds = [each for each in get_args(hint) if each is not type(None)]
        return kinds[0], len(kinds) < len(get_args(hint))
    return (str if get_origin(hint) is not None else hint), False
