"""A function of the user's own, named `module:function`, that runs one training step."""

import inspect
import os
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from importlib import import_module
from typing import Any

from bucketplan.errors import UserError
from bucketplan.printable import printable

Hook = Callable[..., Any]

_SHOWN = 120


def load_hook(named: str) -> Hook:
    """Import a hook; modules in the current folder are found too.

    Raises:
        UserError: there is no such module or function, or the module fails.
    """
    module, colon, function = named.partition(":")
    shown = printable(named, limit=_SHOWN)
    if not (module and colon and function):
        raise UserError(f"{shown}: not a hook - write module:function")
    folder = os.getcwd()  # noqa: PTH109 - sys.path holds texts
    if folder not in sys.path:
        sys.path.insert(0, folder)
    try:
        with redirect_stdout(sys.stderr):
            found: object = import_module(module)
            for name in function.split("."):
                found = getattr(found, name)
    except Exception as error:
        raise UserError(f"{shown}: {failure(error)} - give a function that can be imported from here") from None
    if not callable(found):
        raise UserError(f"{shown}: not a function - give one that takes rows and width")
    return found


def check_takes(hook: Hook, keyword: str, named: str) -> None:
    """Refuse a hook that does not take a keyword.

    Raises:
        UserError: it does not.
    """
    try:
        parameters = inspect.signature(hook).parameters.values()
    except (TypeError, ValueError):
        return
    if not any(each.name == keyword or each.kind is each.VAR_KEYWORD for each in parameters):
        shown = printable(named, limit=_SHOWN)
        raise UserError(f"{shown}: it takes no {keyword} - write def step(rows, width, {keyword}=False)")


def synchronise() -> None:
    """Wait for what a hook has started on a GPU, where it has torch with one."""
    cuda = getattr(sys.modules.get("torch"), "cuda", None)
    if cuda is not None and cuda.is_available():
        cuda.synchronize()


def release() -> None:
    """Give back the memory of a step that failed."""
    cuda = getattr(sys.modules.get("torch"), "cuda", None)
    if cuda is not None and cuda.is_available():
        cuda.empty_cache()


def failure(error: Exception) -> str:
    """An error in one short line."""
    first = next(iter(str(error).splitlines()), "")
    return printable(f"{type(error).__name__}: {first}" if first else type(error).__name__, limit=_SHOWN)


def machine() -> str:
    """What the hook runs on, as far as torch knows."""
    torch = sys.modules.get("torch")
    if torch is None:
        return "torch is not loaded"
    cuda = torch.cuda
    device = cuda.get_device_name() if cuda.is_available() else "CPU"
    return printable(f"torch {torch.__version__}, {device}", limit=_SHOWN)
