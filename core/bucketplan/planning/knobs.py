"""The knobs of a plan, declared once: the app and the command line read ranges and words here."""

from dataclasses import dataclass, field
from typing import Literal

from bucketplan.planning.strategies.bucket import Bucket
from bucketplan.planning.strategies.strategy import Strategy
from bucketplan.settings import check_all, setting


@dataclass(frozen=True)
class Knobs:
    """What a user can turn; the strategy brings options of its own.

    Raises:
        KnobError: a value is out of its range.
    """

    strategy: Strategy = field(default_factory=Bucket)
    micro_batch: int = setting(2, "rows of one forward pass on one rank", minimum=1, maximum=256)
    accumulation: int = setting(8, "rounds of one optimizer step", minimum=1, maximum=1024)
    seed: int = setting(20260824, "seed of every shuffle; epoch e uses seed + e", minimum=0, maximum=2**32 - 1)
    world_size: int = setting(1, "ranks that train at the same time", minimum=1, maximum=4096)
    align_ranks: bool = setting(True, "give the ranks micro-batches of like width in each round")
    sync: Literal["step", "micro"] = setting("step", "how often ranks wait for each other", choices=("step", "micro"))
    balance: Literal["off", "ranks", "steps", "both"] = setting(
        "off", "even out the seconds of ranks, of steps, or of both", choices=("off", "ranks", "steps", "both")
    )
    max_length: int | None = setting(None, "longest record the trainer takes, in tokens", minimum=1)
    over_max: Literal["keep", "truncate", "drop"] = setting(
        "keep", "what becomes of longer records; keep only counts them", choices=("keep", "truncate", "drop")
    )
    pad_to_multiple: int = setting(1, "widths are rounded up to this multiple", choices=(1, 8, 16, 32, 64, 128, 256))
    drop_last: bool = setting(False, "leave a short last micro-batch out of the figures")
    longest_first: bool = setting(False, "run the largest micro-batch first, so that it fails at once if it fails")
    epochs: int = setting(1, "passes over the records", minimum=1, maximum=100_000)
    steps: int | None = setting(None, "fixed number of optimizer steps, in place of epochs", minimum=1)
    only: str = setting("", "roots that alone take part: names with commas between them")
    exclude: str = setting("", "roots left out: names with commas between them")
    cap: str = setting("", "the most records of a root, drawn with the seed: root=1000 with commas between them")
    mixing: Literal["root", "kind"] = setting("root", "what a window should mix", choices=("root", "kind"))

    def __post_init__(self) -> None:
        check_all(self)

    @property
    def window_size(self) -> int:
        """Micro-batches of one full optimizer step, over all ranks."""
        return self.accumulation * self.world_size
