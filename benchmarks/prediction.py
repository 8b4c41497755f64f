#!/usr/bin/env python3
"""Time predicted by a cost model against time measured: a tiny transformer on the CPU, lengths of a real cache.

usage: prediction.py [--rounds 6] [--clock cpu] [--cache tests/data/small.npz]    (needs torch: .venv-torch/bin/python)

Each round runs the points that the model is fitted to, 60 micro-batches in file order and the same records in 60
bucketed ones, all in one random order, so that a machine that drifts does so under all three alike. The points alone
predict; the micro-batches are what they are compared with. One thread computes; its clock counts the time that it
computes, so that other work on the machine is no part of a step, or with `--clock wall` all time that passes. Every
step runs three times a round, and the median counts.
"""

import argparse
import random
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from torch.nn import functional

import torch
from bucketplan.corpus.corpus import Corpus
from bucketplan.cost.fitting.findings import findings
from bucketplan.cost.fitting.fit import Fit, fit
from bucketplan.cost.fitting.points import Point, Points
from bucketplan.cost.model import predict
from bucketplan.exploring.explorer import Explorer
from bucketplan.figures.micro_batches import MicroBatches
from bucketplan.planning.knobs import Knobs
from bucketplan.planning.strategies.bucket import Bucket
from bucketplan.planning.strategies.sequential import Sequential
from bucketplan.planning.strategies.strategy import Strategy
from bucketplan.readers.index.index_file import read_index
from measuring import machine
from torch import Tensor, nn

ROOT = Path(__file__).resolve().parents[1]
# 120 neighbours in the file, short and long ones among them; what is longer would take minutes.
FIRST, MICRO_BATCHES, ROWS, LONGEST = 1200, 60, 2, 2048
WIDTHS = (32, 64, 128, 256, 512, 768, 1024, 1536, 2048)
REPEATS = 3
SIZE, HEADS, LAYERS, VOCABULARY = 64, 4, 2, 512
Shapes = list[tuple[int, int]]  # width and rows of each micro-batch
CLOCKS = {"cpu": time.thread_time, "wall": time.perf_counter}


class Layer(nn.Module):
    """Causal attention and a feed-forward part."""

    def __init__(self) -> None:
        super().__init__()
        self.into, self.out = nn.Linear(SIZE, 3 * SIZE), nn.Linear(SIZE, SIZE)
        self.wide, self.narrow = nn.Linear(SIZE, 4 * SIZE), nn.Linear(4 * SIZE, SIZE)

    def forward(self, states: Tensor) -> Tensor:
        """(rows, width, SIZE) to the same."""
        rows, width, _ = states.shape
        query, key, value = (
            part.view(rows, width, HEADS, -1).transpose(1, 2) for part in self.into(states).chunk(3, -1)
        )
        mixed = functional.scaled_dot_product_attention(query, key, value, is_causal=True)
        states = states + self.out(mixed.transpose(1, 2).reshape(rows, width, SIZE))
        return states + self.narrow(functional.gelu(self.wide(states)))


@dataclass(frozen=True)
class Run:
    """One micro-batch to time: a point, or one of a plan, by its place there."""

    kind: str
    place: int
    width: int
    rows: int


@dataclass(frozen=True)
class Round:
    """What one round predicted and measured, in seconds."""

    fitted: Fit
    predicted: dict[str, float]
    measured: dict[str, float]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--clock", choices=CLOCKS, default="cpu")
    parser.add_argument("--cache", type=Path, default=ROOT / "tests" / "data" / "small.npz")
    args = parser.parse_args()
    torch.set_num_threads(1)
    print(machine(f"torch {torch.__version__}", f"{torch.get_num_threads()} threads") + f", {args.clock} time")
    whole = read_index(str(args.cache))
    corpus = Corpus(whole.path, whole.lengths[FIRST : FIRST + MICRO_BATCHES * ROWS])
    plans = {"sequential": shapes_of(corpus, Sequential()), "bucket": shapes_of(corpus, Bucket())}
    step = training_step(CLOCKS[args.clock])
    for width in (LONGEST, *WIDTHS):
        step(ROWS, width)
    print(f"{'round':8}" + "".join(f"{name:>12}{'':>24}" for name in (*plans, "saving")))
    print(" " * 8 + f"{'predicted':>12}{'measured':>12}{'apart':>12}" * 3)
    rounds = []
    for number in range(args.rounds):
        rounds.append(run_round(plans, step, seed=number))
        print(f"{number + 1:<8}" + row(rounds[-1]), flush=True)
    print("\n".join(findings(rounds[-1].fitted)))


def run_round(plans: dict[str, Shapes], step: Callable[[int, int], float], seed: int) -> Round:
    """Points and micro-batches in one random order; the points predict."""
    points = [(width, ROWS) for width in WIDTHS] + [(width, 2 * ROWS) for width in WIDTHS[:2]]
    series = {"point": points} | plans
    runs = [Run(kind, place, *shape) for kind, shapes in series.items() for place, shape in enumerate(shapes)] * REPEATS
    random.Random(seed).shuffle(runs)
    taken: dict[Run, list[float]] = {}
    for each in runs:
        taken.setdefault(each, []).append(step(each.rows, each.width))
    seconds = {each: statistics.median(times) for each, times in taken.items()}
    measurements = [
        Point(each.place + 1, each.width, time, each.rows) for each, time in seconds.items() if each.kind == "point"
    ]
    fitted = fit(Points("points", tuple(measurements)))
    predicted = {}
    for name, shapes in plans.items():
        widths, rows = (np.array(column) for column in zip(*shapes, strict=True))
        predicted[name] = float(predict(fitted.cost.model, widths, rows, np.zeros(len(widths), np.bool_)).total.sum())
    measured = {name: sum(time for each, time in seconds.items() if each.kind == name) for name in plans}
    return Round(fitted, predicted, measured)


def training_step(clock: Callable[[], float]) -> Callable[[int, int], float]:
    """A step of a tiny transformer, forward and backward; it says its seconds."""
    torch.manual_seed(0)
    embedding, layers = nn.Embedding(VOCABULARY, SIZE), nn.Sequential(*(Layer() for _ in range(LAYERS)))

    def step(rows: int, width: int) -> float:
        tokens = torch.randint(VOCABULARY, (rows, width))
        begin = clock()
        logits = functional.linear(layers(embedding(tokens)), embedding.weight)
        functional.cross_entropy(logits.flatten(0, 1), tokens.flatten()).backward()
        return clock() - begin

    return step


def shapes_of(corpus: Corpus, strategy: Strategy) -> Shapes:
    """Width and rows of each micro-batch of a plan."""
    knobs = Knobs(strategy, micro_batch=ROWS, max_length=LONGEST, over_max="truncate")
    report = Explorer(corpus).report(knobs)
    micro = MicroBatches(report.plan, knobs, report.cost)
    return list(zip(micro.widths.tolist(), micro.rows.tolist(), strict=True))


def row(found: Round) -> str:
    cells = []
    for name in found.measured:
        predicted, measured = found.predicted[name], found.measured[name]
        cells += [f"{predicted:.2f} s", f"{measured:.2f} s", f"{predicted / measured - 1:+.1%}"]
    predicted, measured = saving(found.predicted), saving(found.measured)
    cells += [f"{predicted:.1%}", f"{measured:.1%}", f"{(predicted - measured) * 100:+.1f} pt"]
    return "".join(f"{cell:>12}" for cell in cells)


def saving(seconds: dict[str, float]) -> float:
    return 1 - seconds["bucket"] / seconds["sequential"]


if __name__ == "__main__":
    main()
