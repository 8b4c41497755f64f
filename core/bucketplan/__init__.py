"""See what a batching plan costs, and how well it mixes, before the training run.

>>> from bucketplan import Explorer, Knobs, demo_corpus
>>> report = Explorer(demo_corpus()).report(Knobs())
>>> f"{report.metrics['waste']:.2%}"
'0.07%'
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from bucketplan.version import __version__

if TYPE_CHECKING:
    from bucketplan.cost.model import CostModel
    from bucketplan.exploring.explorer import Explorer
    from bucketplan.planning.knobs import Knobs
    from bucketplan.readers import load
    from bucketplan.readers.demo.built_in import demo_corpus

__all__ = ["CostModel", "Explorer", "Knobs", "__version__", "demo_corpus", "load"]

# Imported when first asked for, so that `bucketplan --version` does not wait for numpy.
_HOMES = {
    "CostModel": "bucketplan.cost.model",
    "Explorer": "bucketplan.exploring.explorer",
    "Knobs": "bucketplan.planning.knobs",
    "demo_corpus": "bucketplan.readers.demo.built_in",
    "load": "bucketplan.readers",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'bucketplan' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
