"""Knobs come out of a trainer's own file, each with the key it came from."""

import json
import sys
from pathlib import Path

import pytest

from bucketplan.errors import InputError
from bucketplan.trainers.config import knobs_from_config

AXOLOTL = """\
base_model: some/model
micro_batch_size: 4
gradient_accumulation_steps: 2
num_epochs: 3
sequence_len: 8192
seed: 42
"""

LLAMA_FACTORY = """\
per_device_train_batch_size: 1
gradient_accumulation_steps: 16
num_train_epochs: 2.0
cutoff_len: 4096
"""

AXOLOTL_KNOBS = [
    ("micro_batch", 4, "micro_batch_size"),
    ("accumulation", 2, "gradient_accumulation_steps"),
    ("epochs", 3, "num_epochs"),
    ("max_length", 8192, "sequence_len"),
    ("seed", 42, "seed"),
]


def test_training_arguments(tmp_path: Path) -> None:
    path = tmp_path / "arguments.json"
    arguments = {
        "per_device_train_batch_size": 2,
        "max_steps": -1,
        "data_seed": None,
        "seed": 7,
        "pad_to_multiple_of": 8,
    }
    path.write_text(json.dumps(arguments | {"num_train_epochs": 3.0, "output_dir": "out"}))
    assert knobs_from_config(path) == [
        ("micro_batch", 2, "per_device_train_batch_size"),
        ("epochs", 3, "num_train_epochs"),
        ("seed", 7, "seed"),
        ("pad_to_multiple", 8, "pad_to_multiple_of"),
    ]


def test_axolotl_and_llama_factory(tmp_path: Path) -> None:
    pytest.importorskip("yaml")
    path = tmp_path / "trainer.yaml"
    path.write_text(AXOLOTL)
    assert knobs_from_config(path) == AXOLOTL_KNOBS
    path.write_text(LLAMA_FACTORY)
    assert [(knob, value) for knob, value, _ in knobs_from_config(path)] == [
        ("micro_batch", 1),
        ("accumulation", 16),
        ("epochs", 2),
        ("max_length", 4096),
    ]


def test_without_a_yaml_package_the_error_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "yaml", None)
    path = tmp_path / "trainer.yaml"
    path.write_text(AXOLOTL)
    with pytest.raises(InputError, match=r"needs the package PyYAML - pip install 'bucketplan-tui\[yaml\]'"):
        knobs_from_config(path)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ('{"num_train_epochs": 2.5}', "num_train_epochs: 2.5 is no whole number"),
        ('{"num_train_epochs": 1e999}', "num_train_epochs: Infinity is no whole number"),
        ('{"per_device_train_batch_size": "auto"}', 'per_device_train_batch_size: "auto" is no whole number'),
        ('{"per_device_train_batch_size": true}', "per_device_train_batch_size: true is no whole number"),
        ('{"lr": 1}', "nothing here says how a run is batched"),
        ('{"lr": ', "not JSON"),
    ],
)
def test_what_says_nothing_of_a_plan_is_refused(tmp_path: Path, content: str, says: str) -> None:
    path = tmp_path / "arguments.json"
    path.write_text(content)
    with pytest.raises(InputError) as caught:
        knobs_from_config(path)
    assert says in str(caught.value)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No such file"):
        knobs_from_config(tmp_path / "none.yaml")
