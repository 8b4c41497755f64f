#!/usr/bin/env python3
"""Wall clock of real training: file order against an exported plan, the same records, in turns.

usage: training.py CACHE [--records 480] [--longest 1024] [--runs 5]

Needs torch and transformers: run it in the environment that .ci/trainers makes. A small Llama, random at the start, is
trained on the CPU with one thread; both orders go through a manifest, a BatchSampler and a DataLoader. Token ids are
made up, since only lengths matter to the clock; records above the longest are cut.
"""

import argparse
import statistics
import tempfile
import time
from pathlib import Path

import numpy as np
from torch.utils.data import DataLoader
from transformers import LlamaConfig, LlamaForCausalLM

import torch
from bucketplan.corpus.corpus import Corpus
from bucketplan.exploring.explorer import Explorer
from bucketplan.order import BatchSampler, check, read_manifest
from bucketplan.order.making import manifest_of
from bucketplan.order.writing import write_manifest
from bucketplan.planning.knobs import Knobs
from bucketplan.planning.strategies.bucket import Bucket
from bucketplan.planning.strategies.sequential import Sequential
from bucketplan.readers import load
from measuring import machine

VOCABULARY = 512
MICRO_BATCH, ACCUMULATION = 4, 4


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cache")
    parser.add_argument("--records", type=int, default=480)
    parser.add_argument("--longest", type=int, default=1024)
    parser.add_argument("--runs", type=int, default=5)
    args = parser.parse_args()
    torch.set_num_threads(1)
    whole = load(args.cache)
    # Records from all over the cache, in its order, so that no part of it speaks for the whole.
    chosen = np.linspace(0, len(whole) - 1, args.records).astype(int)
    corpus = Corpus(whole.path, np.minimum(whole.lengths[chosen], args.longest).astype(np.int32))
    plans = {
        "file order": Knobs(Sequential(), micro_batch=MICRO_BATCH, accumulation=ACCUMULATION),
        "bucket 64": Knobs(Bucket(64), micro_batch=MICRO_BATCH, accumulation=ACCUMULATION),
    }
    with tempfile.TemporaryDirectory() as folder:
        paths = {name: Path(folder) / f"{number}.json" for number, name in enumerate(plans)}
        explorer = Explorer(corpus)
        for name, knobs in plans.items():
            write_manifest(manifest_of(explorer, knobs), paths[name])
        seconds: dict[str, list[tuple[float, float]]] = {name: [] for name in plans}
        train(corpus, paths["file order"], most=20)  # what is slow once, such as the first allocation
        for run in range(args.runs):
            for name in plans if run % 2 == 0 else reversed(plans):
                seconds[name].append(train(corpus, paths[name]))
    print(machine(f"torch {torch.__version__}", "one thread"))
    print(f"{args.records} records, {corpus.tokens:,} tokens, up to {args.longest}, {args.runs} runs in turns")
    reports = {name: explorer.report(knobs).metrics for name, knobs in plans.items()}
    wall, processor = ({name: [each[kind] for each in times] for name, times in seconds.items()} for kind in (0, 1))
    first = next(iter(plans))
    print("| order | padded tokens | wall clock of each run, s | median, s | processor, median, s |")
    print("| --- | ---: | --- | ---: | ---: |")
    for name in plans:
        runs = ", ".join(f"{each:.2f}" for each in wall[name])
        cells = [against(reports[name]["padded_tokens"], reports[first]["padded_tokens"], ",.0f"), runs]
        cells += [against(statistics.median(each[name]), statistics.median(each[first])) for each in (wall, processor)]
        print(f"| {name} | {' | '.join(cells)} |")


def against(value: float, base: float, form: str = ".2f") -> str:
    """A value, and its share of the first one."""
    return f"{value:{form}} ({value / base:.1%})"


def train(corpus: Corpus, manifest_path: Path, most: int | None = None) -> tuple[float, float]:
    """Seconds of one epoch, from the first batch to the last step: by the clock, and of the processor."""
    torch.manual_seed(0)
    config = LlamaConfig(
        hidden_size=128, intermediate_size=256, num_hidden_layers=2, num_attention_heads=4, vocab_size=VOCABULARY
    )
    model = LlamaForCausalLM(config).train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    random = np.random.default_rng(0)
    dataset = [{"input_ids": random.integers(0, VOCABULARY, length).tolist()} for length in corpus.lengths.tolist()]
    manifest = read_manifest(manifest_path)
    check(manifest, dataset, world_size=1)
    loader = DataLoader(dataset, batch_sampler=BatchSampler(manifest), collate_fn=collate)  # type: ignore[arg-type]
    start, busy = time.perf_counter(), time.process_time()
    for number, batch in enumerate(loader, start=1):
        (model(**batch).loss / ACCUMULATION).backward()
        if number % ACCUMULATION == 0 or number == len(loader):
            optimizer.step()
            optimizer.zero_grad()
        if number == most:
            break
    return time.perf_counter() - start, time.process_time() - busy


def collate(records: list[dict[str, list[int]]]) -> dict[str, torch.Tensor]:
    """Records padded on the right; no mask, which a causal model does not need there."""
    rows = [torch.tensor(record["input_ids"]) for record in records]
    pad = torch.nn.utils.rnn.pad_sequence
    return {
        "input_ids": pad(rows, batch_first=True),
        "labels": pad(rows, batch_first=True, padding_value=-100),
    }


if __name__ == "__main__":
    main()
