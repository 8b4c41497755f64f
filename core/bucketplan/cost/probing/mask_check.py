"""Whether layers that a model calls windowed are, by the mask that it passes."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bucketplan.errors import UserError
from bucketplan.printable import printable

# An additive mask subtracts at least this much from what it forbids; a position bias subtracts less.
_FORBIDDING = -1e3


@dataclass(frozen=True)
class MaskCheck:
    """What one mask allows.

    Attributes:
        name: of the mask.
        window: tokens that the model claims to look back, the token itself included.
        width: positions that could be allowed.
        most: the most positions allowed in a row; the width where no mask is passed.
        reach: how far back the furthest of them lies, the token itself being 1; None where no mask is passed.
        ahead: whether a position later than its own is allowed.
    """

    name: str
    window: int
    width: int
    most: int
    reach: int | None
    ahead: bool

    @property
    def windowed(self) -> bool:
        """Whether the mask keeps the window that is claimed."""
        return self.width > self.window >= self.most and self.reach is not None and self.reach <= self.window

    @property
    def verdict(self) -> str:
        """The same in words."""
        if self.reach is None:
            return f"not windowed: no mask is passed, and all {self.width:,} positions are allowed"
        if self.width <= self.window:
            return f"not told: the width {self.width:,} is not beyond the window of {self.window:,}"
        allowed = f"at most {self.most:,} of {self.width:,} positions allowed in a row"
        later = ", later ones among them" if self.ahead else ""
        if self.windowed:
            return f"genuinely windowed: {allowed}{later}, within the window of {self.window:,}"
        if self.most > self.window:
            return f"not windowed: {allowed}{later}, where the window of {self.window:,} is claimed"
        return (
            f"not windowed: {allowed}{later}, but as far as {self.reach:,} back, beyond the window of {self.window:,}"
        )


def check_masks(returned: Any, window: int, width: int) -> list[MaskCheck]:
    """Look at the masks that a hook returned.

    Args:
        returned: a mask (..., width, width), several by name or in a list, or None for no mask. True, 1 or an addend
            of 0 allows a position.
        window: tokens that the model claims to look back.
        width: that the hook was called with.

    Raises:
        UserError: what it returned is no mask.
    """
    if isinstance(returned, Mapping):
        named = {printable(str(name), limit=60): mask for name, mask in returned.items()}
    elif isinstance(returned, list | tuple):
        named = {f"mask {place}": mask for place, mask in enumerate(returned)}
    else:
        named = {"mask": returned}
    if not named:
        raise UserError("the hook returned no masks - return one, or several by name")
    return [_check(name, mask, window, width) for name, mask in named.items()]


def _check(name: str, mask: Any, window: int, width: int) -> MaskCheck:
    if mask is None:
        return MaskCheck(name, window, width, width, None, ahead=False)
    allowed = _allowed(name, mask)
    queries, keys = allowed.shape[-2:]
    if not allowed.size or queries != keys:
        problem = f"a mask of shape {allowed.shape} is not one of (..., width, width)"
        raise UserError(f"{name}: {problem} - return what the attention is given")
    own = np.arange(keys)
    first = np.where(allowed.any(axis=-1), allowed.argmax(axis=-1), keys)
    last = np.where(allowed.any(axis=-1), keys - 1 - allowed[..., ::-1].argmax(axis=-1), -1)
    return MaskCheck(
        name,
        window,
        keys,
        most=int(allowed.sum(axis=-1).max()),
        reach=max(int((own - first).max()) + 1, 0),
        ahead=bool((last > own).any()),
    )


def _allowed(name: str, mask: Any) -> NDArray[np.bool_]:
    """Which positions a mask allows, from a boolean, an integer or an additive one."""
    try:
        if hasattr(mask, "detach"):  # a tensor; NumPy knows no bfloat16
            mask = mask.detach().cpu()
            mask = mask.float() if mask.is_floating_point() else mask
        values = np.asarray(mask)
    except (TypeError, ValueError, RuntimeError, AttributeError):
        values = np.empty(0, object)
    if values.dtype.kind not in "biuf" or values.ndim < 2:
        raise UserError(f"{name}: it is no mask - return an array of (..., width, width)")
    if values.dtype.kind == "f" and not bool((values == 1).any()):
        values = values > _FORBIDDING
    allowed: NDArray[np.bool_] = values != 0
    return allowed
