"""`bucketplan kernels`: where a profiled training step spends its time."""

import argparse

from bucketplan.cost.fitting.cost_file import read_cost
from bucketplan.cost.fitting.table_columns import number
from bucketplan.errors import UserError
from bucketplan.kernels.architecture import parse_architecture
from bucketplan.kernels.checks import TRAINING_FLOPS, AttentionCheck, Throughput, check_attention, throughput
from bucketplan.kernels.kernel_classes import built_in_classes, classes_with
from bucketplan.kernels.serialisation import kernels_json
from bucketplan.kernels.table import KernelTable, read_trace
from bucketplan.printable import printable
from bucketplan_tui.options.parser import Parser
from bucketplan_tui.sections.kernels import kernels_sections
from bucketplan_tui.text.document import as_markdown, as_text
from bucketplan_tui.text.load_progress import progress_line
from bucketplan_tui.text.output import write

_EPILOG = """\
examples:
  bucketplan kernels trace.json.gz
  bucketplan kernels trace.json --cost cost.json --width 16384
  bucketplan kernels trace.json --parameters 26e9 --tokens 32768 --peak-tflops 304

TRACE is what torch.profiler's export_chrome_trace wrote. Only kernels and copies of devices count.
"""


def run(words: list[str]) -> int:
    """Run the command with these words.

    Raises:
        UserError: something the user can mend.
    """
    parsed = _parser().parse_args(words)
    architecture = _architecture(parsed.device)
    _check_together(parsed, "cost", "width")
    _check_together(parsed, "parameters", "tokens", "peak_tflops")
    classes = built_in_classes() if parsed.classes is None else classes_with(parsed.classes)
    cost = None if parsed.cost is None else read_cost(parsed.cost)

    table = read_trace(
        parsed.trace, classes, partial=parsed.partial, architecture=architecture, progress=progress_line()
    )
    attention = None if cost is None else check_attention(table, cost.model, parsed.width)
    achieved = (
        None
        if parsed.parameters is None
        else throughput(table, parsed.parameters, parsed.tokens, parsed.peak_tflops, parsed.flops)
    )
    write(_drawn(parsed, table, attention, achieved))
    return 0


def _parser() -> Parser:
    parser = Parser("bucketplan kernels", "Print the device time of a profiler's trace by class of kernel.", _EPILOG)
    parser.add_argument("trace", metavar="TRACE", help="a trace, plain or compressed; - reads stdin")
    parser.add_argument("--partial", action="store_true", help="sum what stands before the cut of a truncated trace")
    parser.add_argument("--classes", metavar="FILE", help="patterns of your own, tried before the built-in ones (TOML)")
    parser.add_argument("--device", metavar="SM", help="what the device is, where the trace is silent: sm120")
    parser.add_argument("--top", metavar="N", type=int, default=10, help="kernels listed by name; default 10")
    parser.add_argument("--cost", metavar="FILE", help="a cost file, to compare attention with its quadratic share")
    parser.add_argument("--width", metavar="N", type=_count, help="width of the traced micro-batches, for --cost")
    parser.add_argument("--parameters", metavar="N", type=_positive, help="parameters at work on a token: 7e9")
    parser.add_argument("--tokens", metavar="N", type=_positive, help="tokens that the traced steps computed")
    parser.add_argument("--peak-tflops", metavar="X", type=_positive, help="what one device can do")
    parser.add_argument(
        "--flops",
        metavar="X",
        type=_positive,
        default=TRAINING_FLOPS,
        help=f"operations of each parameter and token; default {TRAINING_FLOPS}",
    )
    parser.add_argument("--format", choices=("text", "json", "markdown"), default="text", help="default text")
    return parser


def _positive(text: str) -> float:
    found = number(text.replace(",", ""))
    if found is None or not 0 < found < 1e30:
        raise argparse.ArgumentTypeError("no number above 0")
    return found


def _count(text: str) -> int:
    found = _positive(text)
    if found != int(found):
        raise argparse.ArgumentTypeError("no whole number above 0")
    return int(found)


def _architecture(text: str | None) -> int | None:
    if text is None:
        return None
    found = parse_architecture(text)
    if found is None:
        raise UserError(f"device: {printable(text, limit=40)} is no architecture - write sm120, or 12.0")
    return found


def _check_together(parsed: argparse.Namespace, *names: str) -> None:
    """Refuse some of these options without the others."""
    missing = [name for name in names if getattr(parsed, name) is None]
    if missing and len(missing) < len(names):
        options = [f"--{name.replace('_', '-')}" for name in names]
        raise UserError(f"--{missing[0].replace('_', '-')} is missing - {' and '.join(options)} go together")


def _drawn(
    parsed: argparse.Namespace, table: KernelTable, attention: AttentionCheck | None, achieved: Throughput | None
) -> str:
    most = max(parsed.top, 0)
    if parsed.format == "json":
        return kernels_json(table, most, attention, achieved)
    blocks = kernels_sections(table, most, attention, achieved)
    return as_text(blocks) if parsed.format == "text" else as_markdown(blocks)
