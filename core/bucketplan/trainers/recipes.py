"""How a trainer takes a manifest: code or a configuration with the plan's own settings, complete but for the model."""

import json
from string import Template

from bucketplan.errors import UserError
from bucketplan.order.manifest import Manifest
from bucketplan.order.samplers import fixed_size
from bucketplan.printable import printable
from bucketplan.settings import Value
from bucketplan.trainers.recipe_texts import FIXED, TEMPLATES, VARIABLE

NAMES = tuple(TEMPLATES)
"""The trainers that there is a recipe for."""

CUTTING = frozenset({"transformers", "trl", "axolotl", "llama-factory"})
"""Those that cut micro-batches of one size themselves, so that an order for them has whole windows."""

_READING_COPIES = frozenset({"axolotl", "llama-factory"})


def recipe(name: str, manifest: Manifest, *, command: str, path: str, copy: str, cache: str) -> str:
    """The recipe of a trainer.

    Args:
        name: one of NAMES.
        manifest: its settings enter the text; where its micro-batches vary, so does the recipe.
        command: what makes the manifest.
        path: what the manifest's file is called.
        copy: what the reordered copy is called, for a trainer that reads one.
        cache: what the cache is called.

    Raises:
        UserError: the trainer cannot run such a plan.
    """
    fixed = _is_fixed(manifest)
    if not fixed and name in _READING_COPIES:
        raise UserError(f"recipe: {name} cuts micro-batches of one size itself - choose a strategy that has them")
    steps, pad = manifest.knobs.get("steps"), manifest.knobs.get("pad_to_multiple", 1)
    limit = manifest.knobs.get("max_length") if manifest.knobs.get("over_max") == "truncate" else None
    longest = 0 if manifest.lengths is None else int(manifest.lengths[manifest.order].max())
    values = {
        "command": printable(command),
        "manifest": json.dumps(path),
        "copy": json.dumps(copy),
        "cache": json.dumps(cache),
        "accumulation": manifest.accumulation,
        "micro_batch": int(manifest.micro_batches.sizes.max()),
        "seed": manifest.knobs.get("seed", 0),
        "max_steps": -1 if steps is None else steps,
        "max_length": limit,
        "yaml_length": limit or longest,
        "yaml_steps": "" if steps is None else f"max_steps: {steps}\n",
        "pad": pad,
        "pad_to_multiple": None if pad == 1 else pad,
        "stop": _stop(steps, "step", 1),
        "stop_numbered": _stop(steps, "number", manifest.accumulation),
        "trainer": "SFTTrainer" if name == "trl" else "Trainer",
        "sampler": "Sampler" if fixed else "BatchSampler",
        "torch_import": "" if fixed else "from torch.utils.data import DataLoader\n",
        "checked_micro_batch": "self.args.train_batch_size" if fixed else "None",
    }
    values["planned"] = Template(FIXED if fixed else VARIABLE).substitute(values).rstrip("\n")
    return Template(TEMPLATES[name]).substitute(values)


def _stop(steps: Value, counted: str, each: int) -> str:
    """The end of a loop that counts something, so many of it a step."""
    return "" if not isinstance(steps, int) else f"\n        if {counted} == {steps * each}:\n            break"


def _is_fixed(manifest: Manifest) -> bool:
    try:
        fixed_size(manifest)
    except UserError:
        return False
    return True
