"""A recipe is complete: it is Python or a configuration as it stands, with the plan's settings, and it checks."""

import pytest

from bucketplan.errors import UserError
from bucketplan.planning.knobs import Knobs
from bucketplan.trainers.recipes import CUTTING, NAMES, recipe
from tests.core.order.cases import manifest

KNOBS = Knobs(micro_batch=3, accumulation=5, seed=7, epochs=2)
PYTHON = tuple(name for name in NAMES if name not in ("axolotl", "llama-factory"))


def text_of(name: str, knobs: Knobs = KNOBS, *, whole_windows: bool = True, path: str = "order.json") -> str:
    made = manifest(100, knobs, whole_windows=whole_windows)
    command = "bucketplan order cache.jsonl -o order.json"
    return recipe(name, made, command=command, path=path, copy="ordered.jsonl", cache="cache.jsonl")


@pytest.mark.parametrize("name", PYTHON)
@pytest.mark.parametrize("whole_windows", [True, False])
@pytest.mark.parametrize("steps", [None, 4])
def test_it_is_python_that_checks(name: str, whole_windows: bool, steps: int | None) -> None:
    knobs = Knobs(micro_batch=3, accumulation=5, seed=7, steps=steps)
    text = text_of(name, knobs, whole_windows=whole_windows)
    compile(text, name, "exec")
    assert "check(" in text
    assert ("break" in text or "max_steps=4" in text) == (steps == 4)
    assert max(map(len, text.splitlines())) <= 120


@pytest.mark.parametrize("name", NAMES)
def test_it_names_the_settings_of_the_plan(name: str) -> None:
    text = text_of(name)
    assert "5" in text
    assert "$" not in text
    if name in CUTTING:
        assert "batch_size=3" in text or "batch_size: 3" in text
        assert "epochs=1" in text or "epochs: 1" in text


def test_varying_micro_batches_go_through_a_batch_sampler() -> None:
    for name in ("transformers", "trl"):
        assert "return Sampler(manifest)" in text_of(name)
        assert "batch_sampler=BatchSampler(manifest)" in text_of(name, whole_windows=False)
    with pytest.raises(UserError, match="axolotl cuts micro-batches of one size itself"):
        text_of("axolotl", whole_windows=False)


def test_a_limit_enters_where_the_plan_truncates() -> None:
    truncated = Knobs(micro_batch=3, accumulation=5, max_length=64, over_max="truncate")
    assert "max_length=64," in text_of("trl", truncated)
    assert "max_length=None," in text_of("trl", Knobs(micro_batch=3, accumulation=5, max_length=64))
    assert "sequence_len: 64" in text_of("axolotl", truncated)


def test_a_hostile_name_stays_a_text() -> None:
    text = text_of("torch", path='a"\n\x1b.json')
    assert 'read_manifest("a\\"\\n\\u001b.json")' in text
