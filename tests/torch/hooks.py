"""Hooks as a user writes them."""

import torch
from tests.torch.small_model import Model, sliding, sliding_with_a_fault, train

torch.manual_seed(0)
torch.set_num_threads(1)
GLOBAL = Model({"global": None})
WINDOWED = Model({"sliding": sliding, "global": None, "faulty": sliding_with_a_fault})


def step(rows: int, width: int, padding: bool = False) -> None:
    """A whole step of the model with global attention."""
    if width > 2048:
        raise torch.OutOfMemoryError("out of memory, as it would be on a card")
    train(GLOBAL, rows, width, padding)


def masks(rows: int, width: int) -> dict[str, torch.Tensor | None]:
    """The mask that each layer was given, by its name."""
    train(WINDOWED, rows, width)
    return {name: layer.given for name, layer in WINDOWED.layers.items()}
