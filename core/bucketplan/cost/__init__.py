"""What a micro-batch costs in seconds."""

from bucketplan.cost.model import CostModel

__all__ = ["CostModel"]
