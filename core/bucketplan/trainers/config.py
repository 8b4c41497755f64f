"""Knobs from a trainer's own configuration: Axolotl or LLaMA-Factory YAML, or TrainingArguments as JSON."""

import json
import os
from importlib import import_module
from pathlib import Path
from typing import Any

from bucketplan.errors import InputError
from bucketplan.order.manifest_file import shown
from bucketplan.printable import printable
from bucketplan.settings import Value

# The first key that a file has speaks: those of Axolotl, of LLaMA-Factory and TRL, of transformers.
_KEYS: dict[str, tuple[str, ...]] = {
    "micro_batch": ("micro_batch_size", "per_device_train_batch_size"),
    "accumulation": ("gradient_accumulation_steps",),
    "epochs": ("num_epochs", "num_train_epochs"),
    "steps": ("max_steps",),
    "max_length": ("sequence_len", "cutoff_len", "max_length", "max_seq_length"),
    "seed": ("data_seed", "seed"),
    "pad_to_multiple": ("pad_to_multiple_of",),
}

# What trainers write for "not set".
_UNSET = {"steps": (-1, 0), "max_length": (-1, 0), "pad_to_multiple": (0,)}


def knobs_from_config(path: str | os.PathLike[str]) -> list[tuple[str, Value, str]]:
    """What a trainer's configuration says of a plan.

    Args:
        path: a YAML file, or a JSON file.

    Returns:
        (name of the setting, its value, the key it came from) for each found; values are not yet checked for range.

    Raises:
        InputError: it cannot be read, it says nothing of a plan, or a value is no whole number.
    """
    name = os.fspath(path)
    content = _content(name)
    if not isinstance(content, dict):
        raise InputError(name, f"{shown(content)}, not keys with values", remedy="give the file that the trainer reads")
    found: list[tuple[str, Value, str]] = []
    for knob, keys in _KEYS.items():
        key = next((key for key in keys if content.get(key) is not None), None)
        if key is not None:
            value = _whole(name, key, content[key])
            if value not in _UNSET.get(knob, ()):
                found.append((knob, value, key))
    if not found:
        known = ", ".join(key for keys in _KEYS.values() for key in keys)
        raise InputError(name, "nothing here says how a run is batched", remedy=f"these keys are read: {known}")
    return found


def _whole(path: str, key: str, value: Any) -> int:
    whole = type(value) is int or (isinstance(value, float) and value.is_integer())
    if not whole:
        raise InputError(
            path, f"{shown(value)} is no whole number", key=key, remedy="give the knob as an option instead"
        )
    return int(value)


def _content(path: str) -> Any:
    try:
        text = Path(path).read_bytes().decode()
    except UnicodeDecodeError:
        raise InputError(path, "not UTF-8", remedy="give the file that the trainer reads") from None
    except (OSError, ValueError) as error:
        raise InputError(path, getattr(error, "strerror", None) or str(error), remedy="check the path") from None
    try:
        return json.loads(text) if text.lstrip().startswith("{") else _yaml(path, text)
    except json.JSONDecodeError as error:
        raise InputError(path, f"not JSON: {error.msg}", line=error.lineno) from None
    except (ValueError, RecursionError) as error:
        raise InputError(path, f"not to be read ({printable(str(error), limit=80)})") from None


def _yaml(path: str, text: str) -> Any:
    try:
        yaml = import_module("yaml")
    except ImportError:
        remedy = "pip install 'bucketplan-tui[yaml]'"
        raise InputError(path, "YAML, which needs the package PyYAML", remedy=remedy) from None
    try:
        return yaml.safe_load(text)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or "not YAML"
        raise InputError(path, f"not YAML: {problem}", line=None if mark is None else mark.line + 1) from None
