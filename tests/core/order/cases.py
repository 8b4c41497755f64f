"""Small corpora and manifests that the tests of this folder start from."""

from itertools import pairwise
from pathlib import Path

import numpy as np

from bucketplan.corpus.corpus import Corpus
from bucketplan.cost.model import CostModel
from bucketplan.exploring.explorer import Explorer
from bucketplan.order.making import manifest_of
from bucketplan.order.manifest import Manifest
from bucketplan.order.writing import write_manifest
from bucketplan.planning.groups import Groups
from bucketplan.planning.knobs import Knobs


def corpus(records: int, seed: int = 0) -> Corpus:
    """Records of random lengths."""
    return Corpus("cache.jsonl", np.random.default_rng(seed).integers(4, 400, records).astype(np.int32))


def manifest(records: int = 50, knobs: Knobs | None = None, **options: bool | int) -> Manifest:
    """The manifest of a plan of random lengths."""
    return manifest_of(Explorer(corpus(records)), knobs or Knobs(), CostModel(), **options)  # type: ignore[arg-type]


def written(path: Path, records: int = 50, knobs: Knobs | None = None, **options: bool | int) -> Path:
    """The same as a file."""
    write_manifest(manifest(records, knobs, **options), path)
    return path


def flat(found: Manifest) -> list[list[int]]:
    """The record numbers of each micro-batch that the trainer runs."""
    return [found.order[first:last].tolist() for first, last in pairs(found.micro_batches)]


def pairs(groups: Groups) -> list[tuple[int, int]]:
    """Where each group starts and ends."""
    return list(pairwise(groups.offsets.tolist()))
