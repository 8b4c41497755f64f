"""Which hardware a kernel was built for, by its name, and which the device is."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

_NUMBERED = re.compile(r"(?:(?<![A-Za-z0-9])sm_?|Sm|cutlass_?)(\d{2,3})(?!\d)")
_NAMED = {"volta": 70, "turing": 75, "ampere": 80, "hopper": 90, "blackwell": 100}
_NAMES = re.compile(rf"\b({'|'.join(_NAMED)})(?=_)", re.IGNORECASE)


def built_for(kernel: str) -> int | None:
    """The compute capability in a kernel's name, 80 for sm80 or `ampere_`; None where it has none."""
    numbered = _NUMBERED.search(kernel)
    if numbered:
        return int(numbered[1])
    named = _NAMES.search(kernel)
    return _NAMED[named[1].lower()] if named else None


def device_architecture(header: Mapping[str, Any], devices: Iterable[str]) -> tuple[int | None, tuple[str, ...]]:
    """The newest compute capability and the names of the devices that a trace lists, those it used if it can be told.

    Args:
        header: of the trace; `deviceProperties` lists devices.
        devices: what the trace calls those it used.
    """
    listed = header.get("deviceProperties")
    known = [each for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []
    used = set(devices)
    chosen = [each for each in known if str(each.get("id")) in used] or known
    capabilities = [_capability(each) for each in chosen]
    names = tuple(dict.fromkeys(each["name"] for each in chosen if isinstance(each.get("name"), str)))
    return max((each for each in capabilities if each is not None), default=None), names


def older(kernel: int, device: int) -> bool:
    """Whether a kernel was built for an earlier generation: sm80 on sm120, but not sm80 on sm89."""
    return kernel // 10 < device // 10


def parse_architecture(text: str) -> int | None:
    """120 for sm120, sm_120 or 12.0; None where the text is none."""
    found = re.fullmatch(r"(?:sm_?)?(\d{2,3})[a-z]?|(\d{1,2})\.(\d)", text.strip().lower())
    if not found:
        return None
    return int(found[1]) if found[1] else int(found[2]) * 10 + int(found[3])


def _capability(properties: Mapping[str, Any]) -> int | None:
    major, minor = properties.get("computeMajor"), properties.get("computeMinor", 0)
    if type(major) is not int or type(minor) is not int or not 0 < major < 100 or not 0 <= minor < 10:
        return None
    return major * 10 + minor
