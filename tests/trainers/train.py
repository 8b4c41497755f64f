"""One rank of a tiny training run: a recipe, with a model and data made here.

It notes every micro-batch that the model sees in FOLDER/consumed-RANK.jsonl. The first two tokens of a record spell its
number, in base 256.
"""

import json
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch.distributed as dist
from datasets import Dataset
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

import torch

BASE = 256
IGNORED = -100


def note(log: Path, die_after: int | None) -> Callable[[torch.nn.Module, tuple[torch.Tensor, ...]], None]:
    """A hook for the embedding of a model in training: it writes down the record numbers of every batch.

    Args:
        log: a line of JSON a batch goes there, with the rank.
        die_after: the process kills itself before it trains this batch, counted from 0.
    """
    rank = int(os.environ["RANK"])
    seen = 0

    def hook(module: torch.nn.Module, inputs: tuple[torch.Tensor, ...]) -> None:
        nonlocal seen
        if seen == die_after:
            os.kill(os.getpid(), signal.SIGKILL)
        seen += 1
        tokens = inputs[0]
        numbers = (tokens[:, 0] * BASE + tokens[:, 1]).tolist()
        with log.open("a") as file:
            file.write(json.dumps({"rank": rank, "records": numbers}) + "\n")

    return hook


def collate(records: list[dict[str, list[int]]]) -> dict[str, torch.Tensor]:
    """Records padded on the right."""
    width = max(len(record["input_ids"]) for record in records)
    padded = {
        key: [record[key] + [fill] * (width - len(record[key])) for record in records]
        for key, fill in (("input_ids", 0), ("labels", IGNORED))
    }
    return {key: torch.tensor(rows) for key, rows in padded.items()}


def records_of(path: Path) -> list[dict[str, list[int]]]:
    """The token ids and labels of a cache."""
    lines = path.read_text().splitlines()
    return [{key: json.loads(line)[key] for key in ("input_ids", "labels")} for line in lines]


def tokenizer() -> Any:
    """A tokenizer with a padding token and no download."""
    words = {str(token): token for token in range(BASE)}
    return PreTrainedTokenizerFast(tokenizer_object=Tokenizer(WordLevel(words, "0")), pad_token="0", eos_token="1")


def train(text: str, folder: Path, resume: bool, die_after: int | None) -> None:
    """Run a recipe on the rank that the environment names.

    Args:
        text: the recipe.
        folder: holds cache.jsonl and order.json, and takes what the run writes.
        resume: go on from the checkpoint.
        die_after: rank 0 kills itself with SIGKILL before it trains this micro-batch, counted from 0.
    """
    torch.set_num_threads(1)
    torch.manual_seed(0)
    rank, ranks = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    shared_by_hand = ranks > 1 and "torch.distributed" in text
    config = LlamaConfig(
        hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=2, vocab_size=BASE
    )
    model: torch.nn.Module = LlamaForCausalLM(config).train()
    hook = note(folder / f"consumed-{rank}.jsonl", None if rank else die_after)
    model.get_input_embeddings().register_forward_pre_hook(hook)
    if shared_by_hand:
        dist.init_process_group("gloo")
        model = torch.nn.parallel.DistributedDataParallel(model)
    checkpoint = folder / "checkpoint.pt"

    def save(state: Any) -> None:
        if rank == 0:
            torch.save(state, checkpoint.with_suffix(".new"))
            checkpoint.with_suffix(".new").replace(checkpoint)

    saved = torch.load(checkpoint, weights_only=False) if resume and checkpoint.exists() else None
    names = {
        "model": model,
        "optimizer": torch.optim.SGD(model.parameters(), lr=0.01),
        "dataset": Dataset.from_list(records_of(folder / "cache.jsonl")),
        "collate": collate,
        "save": save,
        "step": saved or 0,
        "state": saved,
        "resume": resume,
        "tokenizer": tokenizer(),
    }
    os.chdir(folder)
    exec(compile(text, "recipe", "exec"), names)
    if shared_by_hand:
        dist.destroy_process_group()
