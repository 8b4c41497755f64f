"""A small decoder with sliding-window layers, trained for a step at a time: what the checks are tried on."""

from collections.abc import Callable

from torch.nn import functional

import torch
from torch import Tensor, nn

WINDOW = 16
VOCABULARY = 64


def causal(width: int) -> Tensor:
    """(1, 1, width, width): each position sees itself and all before it."""
    return torch.ones(1, 1, width, width, dtype=torch.bool).tril()


def sliding(width: int) -> Tensor:
    """(1, 1, width, width): each position sees itself and WINDOW - 1 before it."""
    return causal(width) & ~causal(width).tril(-WINDOW)


def sliding_with_a_fault(width: int) -> Tensor:
    """The same, but for one position too many: an off-by-one that no loss curve shows."""
    return causal(width) & ~causal(width).tril(-WINDOW - 1)


class Layer(nn.Module):
    """Attention under a mask of its own, and a feed-forward part."""

    def __init__(self, size: int, heads: int, mask: Callable[[int], Tensor] | None) -> None:
        super().__init__()
        self.heads, self.mask = heads, mask
        self.given: Tensor | None = None
        self.into, self.out = nn.Linear(size, 3 * size), nn.Linear(size, size)
        self.wide, self.narrow = nn.Linear(size, 4 * size), nn.Linear(4 * size, size)

    def forward(self, states: Tensor, padding: Tensor | None) -> Tensor:
        """(rows, width, size) to the same; `padding` is True (rows, 1, 1, width) where a token is."""
        rows, width, size = states.shape
        query, key, value = (
            part.view(rows, width, self.heads, -1).transpose(1, 2) for part in self.into(states).chunk(3, -1)
        )
        self.given = None if self.mask is None and padding is None else (self.mask or causal)(width)
        if padding is not None and self.given is not None:
            self.given = self.given & padding
        mixed = functional.scaled_dot_product_attention(
            query, key, value, attn_mask=self.given, is_causal=self.given is None
        )
        states = states + self.out(mixed.transpose(1, 2).reshape(rows, width, size))
        return states + self.narrow(functional.gelu(self.wide(states)))


class Model(nn.Module):
    """A few layers between an embedding and its transpose."""

    def __init__(self, masks: dict[str, Callable[[int], Tensor] | None], size: int = 32, heads: int = 2) -> None:
        super().__init__()
        self.embedding = nn.Embedding(VOCABULARY, size)
        self.layers = nn.ModuleDict({name: Layer(size, heads, mask) for name, mask in masks.items()})

    def forward(self, tokens: Tensor, padding: Tensor | None = None) -> Tensor:
        """(rows, width) to (rows, width, VOCABULARY)."""
        states = self.embedding(tokens)
        for layer in self.layers.values():
            states = layer(states, padding)
        return functional.linear(states, self.embedding.weight)


def train(model: Model, rows: int, width: int, padding: bool = False) -> None:
    """One step without the optimizer: forward, loss, backward; with padding, a quarter of each row is some."""
    tokens = torch.randint(VOCABULARY, (rows, width))
    real = None
    if padding:
        real = (torch.arange(width) < width - width // 4).expand(rows, 1, 1, width)
    logits = model(tokens, real)
    functional.cross_entropy(logits.flatten(0, 1), tokens.flatten()).backward()
    model.zero_grad(set_to_none=True)
