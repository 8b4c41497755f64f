"""`bucketplan order`: a plan's order for a trainer, as a manifest, as a reordered copy of the cache, as a recipe."""

import argparse
import shlex
from pathlib import Path

from bucketplan.errors import UserError
from bucketplan.exploring.explorer import Explorer
from bucketplan.order.making import manifest_of
from bucketplan.order.manifest import Manifest
from bucketplan.order.rewrite import rewrite
from bucketplan.order.writing import write_manifest
from bucketplan.planning.scenario import Scenario
from bucketplan.printable import printable
from bucketplan.trainers.recipes import CUTTING, NAMES, recipe
from bucketplan_tui.options.corpus import corpus_of
from bucketplan_tui.options.options import (
    add_cache_options,
    add_file_options,
    add_knob_options,
    check_cache_given,
    scenario_of,
)
from bucketplan_tui.options.parser import Parser
from bucketplan_tui.options.target import check_writable
from bucketplan_tui.text.output import complain, write

_EPILOG = """\
examples:
  bucketplan order cache.jsonl --world-size 8 -o order.json
  bucketplan order cache.jsonl --epochs 3 -o order.json --recipe transformers > train.py
  bucketplan order cache.jsonl -o order.json --rewrite ordered.jsonl
  bucketplan order cache.jsonl -o rest.json --from-step 19

A name that ends in .npz gives a NumPy archive, smaller for many records. A link to a file stays, and the file it leads
to is replaced. The cache itself never is.
"""


def run(words: list[str]) -> int:
    """Run the command with these words.

    Raises:
        UserError: something the user can mend.
    """
    parser = Parser("bucketplan order", "Take a plan's order to the trainer.", _EPILOG)
    add_cache_options(parser)
    add_knob_options(parser)
    add_file_options(parser)
    _add_own_options(parser)
    parsed = parser.parse_args(words)
    check_cache_given(parser, parsed)
    if not (parsed.output or parsed.rewrite or parsed.recipe):
        parser.error("nothing to make: give -o FILE, --rewrite FILE or --recipe TRAINER")
    _check_targets(parsed)

    scenario = scenario_of(parsed)
    manifest = _manifest(Explorer(corpus_of(parsed)), scenario, parsed)
    text = _recipe(manifest, scenario, parsed) if parsed.recipe else None
    # What is printed beside a recipe goes to stderr, so that the recipe can go into a file.
    say = (lambda line: write(f"{line}\n")) if text is None else complain
    if parsed.output:
        write_manifest(manifest, parsed.output)
        say(f"wrote {_file(parsed.output)}: {_described(manifest)}")
    if parsed.rewrite:
        rewrite(manifest, parsed.cache, parsed.rewrite, told=lambda line: say(f"! {line}"))
        say(f"wrote {_file(parsed.rewrite)}: {len(manifest.remaining):,} records in plan order")
    for line in _cut(manifest):
        say(f"! {line}")
    if text is not None:
        write(text)
    return 0


def _manifest(explorer: Explorer, scenario: Scenario, parsed: argparse.Namespace) -> Manifest:
    """The manifest asked for; a trainer that cuts micro-batches itself gets whole windows of them."""
    knobs, cost = scenario.knobs, scenario.cost
    plan = explorer.report(knobs, cost).plan
    fixed = plan.micro_batches.size is not None and plan.rows is None
    if parsed.rewrite and not fixed:
        raise UserError("rewrite: micro-batches vary, and a trainer that reads a file cuts equal ones - use a recipe")
    whole_windows = parsed.whole_windows or parsed.rewrite is not None or (fixed and parsed.recipe in CUTTING)
    return manifest_of(explorer, knobs, cost, whole_windows=whole_windows, from_step=parsed.from_step)


def _recipe(manifest: Manifest, scenario: Scenario, parsed: argparse.Namespace) -> str:
    path, copy = parsed.output or "order.json", parsed.rewrite or "ordered.jsonl"
    words = ["bucketplan", "order", "--demo" if parsed.demo else parsed.cache, *scenario.options(), "-o", path]
    words += ["--whole-windows"] if any(map(len, manifest.cut)) else []
    words += ["--from-step", str(parsed.from_step)] if parsed.from_step else []
    cache = "--demo" if parsed.demo else parsed.cache
    return recipe(parsed.recipe, manifest, command=shlex.join(words), path=path, copy=copy, cache=cache)


def _add_own_options(parser: Parser) -> None:
    parser.add_argument("-o", "--output", metavar="FILE", help="the manifest to write: JSON, or .npz")
    parser.add_argument("--rewrite", metavar="FILE", help="write the cache's lines in plan order, in whole windows")
    parser.add_argument("--recipe", choices=NAMES, help="print how this trainer takes the order")
    parser.add_argument(
        "--whole-windows",
        action="store_true",
        help="cut each epoch to whole windows, for a plain sampler; what is cut is listed",
    )
    parser.add_argument("--from-step", metavar="K", type=int, default=0, help="what is left from optimizer step K on")
    parser.add_argument("--force", action="store_true", help="replace files where they exist")


def _check_targets(parsed: argparse.Namespace) -> None:
    """Refuse, before the cache is read, what cannot be made or would be lost."""
    targets = [each for each in (parsed.output, parsed.rewrite) if each]
    for target in targets:
        check_writable(target, [parsed.cache], force=parsed.force)
    if len(targets) == 2 and Path(targets[0]).resolve() == Path(targets[1]).resolve():
        raise UserError("order: the manifest and the copy have one name - give two")
    if parsed.rewrite and parsed.demo:
        raise UserError("rewrite: the demo holds no tokens to rewrite - name a cache")


def _described(manifest: Manifest) -> str:
    epochs = len(manifest.epochs) - 1
    told = f"{len(manifest.remaining):,} records in {manifest.steps - manifest.from_step:,} steps"
    told += f" from step {manifest.from_step:,} on" if manifest.from_step else ""
    return told + (f", {epochs:,} epochs" if epochs > 1 else "")


def _cut(manifest: Manifest) -> list[str]:
    cut = [len(part) for part in manifest.cut]
    if not any(cut):
        return []
    each = f"{cut[0]:,}" if len(set(cut)) == 1 else f"{min(cut):,} to {max(cut):,}"
    return [f"{each} records of each epoch are cut, so that it has whole windows: `cut` in the manifest lists them"]


def _file(path: str) -> str:
    size = Path(path).stat().st_size
    return f"{printable(path)} ({size:,} bytes)"
