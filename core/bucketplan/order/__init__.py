"""A plan's order on its way into a trainer: the manifest, and the samplers that read it.

>>> from bucketplan.order import BatchSampler, check, read_manifest  # doctest: +SKIP
>>> manifest = read_manifest("order.json")  # doctest: +SKIP
>>> check(manifest, dataset, world_size=1)  # doctest: +SKIP
>>> DataLoader(dataset, batch_sampler=BatchSampler(manifest))  # doctest: +SKIP
"""

from bucketplan.order.dataset_check import check
from bucketplan.order.manifest import Manifest
from bucketplan.order.reading import read_manifest
from bucketplan.order.samplers import BatchSampler, Sampler
from bucketplan.run.progress import Progress, read_progress

__all__ = ["BatchSampler", "Manifest", "Progress", "Sampler", "check", "read_manifest", "read_progress"]
