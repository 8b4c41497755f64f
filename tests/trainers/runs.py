"""Runs on one or several ranks, each forked from this process, which has the trainers imported; what they consumed."""

import json
import multiprocessing
import os
import socket
import sys
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

from bucketplan.exploring.explorer import Explorer
from bucketplan.order import Manifest
from bucketplan.order.making import manifest_of
from bucketplan.order.writing import write_manifest
from bucketplan.planning.knobs import Knobs
from bucketplan.readers import load
from bucketplan.readers.index.index_file import read_index
from bucketplan.trainers.recipes import recipe
from tests.trainers.train import train

LENGTHS = Path(__file__).parents[1] / "data" / "small.npz"
SHORTEST, LONGEST = 4, 48
SECONDS = 180

_FORK = multiprocessing.get_context("fork")

# What a test adds to the arguments of a Trainer: checkpoints, and nothing that reports or asks for a GPU.
QUIET = 'save_strategy="steps", save_steps=7, report_to=[], use_cpu=True, disable_tqdm=True, logging_strategy="no",'


@dataclass(frozen=True)
class Run:
    """A folder with a cache and a plan for it."""

    folder: Path
    manifest: Manifest

    def recipe(self, name: str) -> str:
        """The recipe of a trainer, resumable and quiet."""
        names = {"path": "order.json", "copy": "ordered.jsonl", "cache": "cache.jsonl"}
        text = recipe(name, self.manifest, command="bucketplan order cache.jsonl -o order.json", **names)
        text = text.replace('output_dir="out",', f'output_dir="out", {QUIET}')
        return text.replace("trainer.train()", "trainer.train(resume_from_checkpoint=resume)")

    def train(self, text: str, *, resume: bool = False, die_after: int | None = None) -> list[int]:
        """Run all ranks to their end; their exit codes, negative for a signal. Once the first is killed, all are."""
        port = _free_port()
        ranks = [
            _FORK.Process(target=self._rank, args=(rank, port, text, resume, die_after))
            for rank in range(self.manifest.world_size)
        ]
        for each in ranks:
            each.start()
        ranks[0].join(SECONDS)
        for each in ranks:
            if (ranks[0].exitcode or 0) < 0 or not each.is_alive():
                each.kill()
            each.join(SECONDS)
        return [-1 if each.exitcode is None else each.exitcode for each in ranks]

    def _rank(self, rank: int, port: int, text: str, resume: bool, die_after: int | None) -> None:
        """One rank, in a process of its own."""
        os.environ |= {"RANK": str(rank), "LOCAL_RANK": str(rank), "WORLD_SIZE": str(self.manifest.world_size)}
        os.environ |= {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port), "ACCELERATE_USE_CPU": "true"}
        output = os.open(self.folder / f"output-{rank}.txt", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(output, 1)
        os.dup2(output, 2)
        sys.stdout, sys.stderr = open(1, "w", closefd=False), open(2, "w", closefd=False)  # noqa: SIM115
        train(text, self.folder, resume, die_after)

    def output(self) -> str:
        """The last of what the ranks wrote."""
        return "\n".join(path.read_text()[-3000:] for path in sorted(self.folder.glob("output-*.txt")))

    def consumed(self) -> list[list[list[int]]]:
        """The records of each micro-batch of each rank, as its model saw them since this was last asked."""
        found = []
        for rank in range(self.manifest.world_size):
            path = self.folder / f"consumed-{rank}.jsonl"
            found.append([json.loads(line)["records"] for line in path.read_text().splitlines()])
            path.unlink()
        return found

    def planned(self, first_step: int = 0) -> list[list[list[int]]]:
        """What each rank is to see: micro-step a of step s on rank q is micro-batch (s G + a) P + q."""
        cuts, ranks = self.manifest.micro_batches.offsets.tolist(), self.manifest.world_size
        order = self.manifest.order.tolist()
        batches = [order[first:last] for first, last in pairwise(cuts)]
        start = first_step * self.manifest.window
        return [batches[start + rank :: ranks] for rank in range(ranks)]


def make_run(folder: Path, knobs: Knobs, *, records: int = 101, whole_windows: bool = False) -> Run:
    """A cache of real lengths, cut short, and its plan."""
    lengths = np.clip(read_index(str(LENGTHS)).lengths[:records], SHORTEST, LONGEST).tolist()
    tokens = np.random.default_rng(0)
    with (folder / "cache.jsonl").open("w") as cache:
        for number, length in enumerate(lengths):
            ids = [number // 256, number % 256, *tokens.integers(2, 256, length - 2).tolist()]
            cache.write(json.dumps({"input_ids": ids, "labels": ids, "dataset_id": "a"}) + "\n")
    manifest = manifest_of(Explorer(load(folder / "cache.jsonl")), knobs, whole_windows=whole_windows)
    write_manifest(manifest, folder / "order.json")
    return Run(folder, manifest)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
