"""`bucketplan report`: the figures of one or several plans, without a screen."""

import argparse
from typing import Literal

from bucketplan.exploring.comparison import Comparison, compare
from bucketplan.exploring.explorer import Explorer
from bucketplan.exploring.serialisation import cache_facts, plan_facts, report_json, truncation_facts
from bucketplan_tui.options.corpus import corpus_of
from bucketplan_tui.options.options import (
    add_cache_options,
    add_file_options,
    add_knob_options,
    add_manifest_options,
    baseline_of,
    check_cache_given,
    measured_of,
    scenario_of,
)
from bucketplan_tui.options.parser import Parser
from bucketplan_tui.options.sweep import swept
from bucketplan_tui.sections.report import sections
from bucketplan_tui.text.document import as_markdown, as_text
from bucketplan_tui.text.output import write

_EPILOG = """\
examples:
  bucketplan report --demo
  bucketplan report cache.jsonl --micro-batch 4 --accumulation 4
  bucketplan report cache.jsonl --sweep bucket=2,8,32,128,512 --format markdown
  bucketplan report cache.jsonl --baseline strategy=bucket,bucket=512
"""


def run(words: list[str]) -> int:
    """Run the command with these words.

    Raises:
        UserError: something the user can mend.
    """
    parser = Parser(
        "bucketplan report", "Print padding, widths, mixing and predicted time of plans, beside a baseline.", _EPILOG
    )
    add_cache_options(parser)
    add_knob_options(parser)
    add_file_options(parser)
    add_manifest_options(parser)
    parser.add_argument(
        "--sweep",
        metavar="KNOB=V,V,...",
        action="append",
        default=[],
        help="a plan for each value of a numeric knob; given twice, a plan for each pair",
    )
    parser.add_argument(
        "--lose", metavar="SHARE", type=float, default=0.01, help="tokens that a max length may take; default 0.01"
    )
    parser.add_argument("--format", choices=("text", "json", "markdown"), default="text", help="default text")
    parser.add_argument("--roots", metavar="N", type=int, default=20, help="roots listed by name; default 20")
    parsed = parser.parse_args(words)
    check_cache_given(parser, parsed)

    scenario = scenario_of(parsed)
    baseline, plans = baseline_of(parsed, scenario), swept(scenario, parsed.sweep)
    comparison = compare(Explorer(corpus_of(parsed), measured_of(parsed)), baseline, plans)
    write(_drawn(comparison, parsed))
    return 0


def _drawn(comparison: Comparison, parsed: argparse.Namespace) -> str:
    chosen: Literal["text", "json", "markdown"] = parsed.format
    if chosen == "json":
        return _json(comparison, parsed.lose)
    blocks = sections(comparison, max(parsed.roots, 0), parsed.lose)
    return as_text(blocks) if chosen == "text" else as_markdown(blocks)


def _json(comparison: Comparison, share: float) -> str:
    base = comparison.baseline.report
    over_max = base.plan.selection.over_max
    cache = cache_facts(comparison.corpus, over_max, comparison.warnings)
    cache["truncation"] = truncation_facts(comparison.corpus, base.knobs.max_length, share)
    plans = [plan_facts(each) for each in comparison.everything]
    return report_json(cache, base.cost, plans)
