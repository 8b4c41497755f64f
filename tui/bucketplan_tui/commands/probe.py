"""`bucketplan probe`: measure a training step of the user's own, on the host that trains."""

import argparse
import sys

from bucketplan.atomic_writing import write_atomically
from bucketplan.cost.fitting.table_columns import number
from bucketplan.cost.probing.hook import Hook, check_takes, failure, load_hook
from bucketplan.cost.probing.mask_check import check_masks
from bucketplan.cost.probing.padding_check import check_padding, padding_shapes
from bucketplan.cost.probing.probe import DEFAULT_ROWS, LONGEST, measure, points_text, shapes, spread_widths
from bucketplan.errors import UserError
from bucketplan.printable import printable
from bucketplan_tui.options.parser import Parser
from bucketplan_tui.options.target import add_target_options, check_writable
from bucketplan_tui.text.output import write
from bucketplan_tui.text.steps_progress import steps_line

_EPILOG = """\
examples:
  bucketplan probe training:step -o points.csv && bucketplan fit points.csv
  bucketplan probe training:step --longest 8192 --rows 2,4
  bucketplan probe training:step --check padding
  bucketplan probe training:masks --check mask --window 1024

HOOK is module:function. It is called as function(rows, width) and runs one whole training step of so many rows, each
of so many tokens. With --check padding it is also given padding=True or False: whether rows are padded on the right.
With --check mask it returns the mask that the attention is given, or several by name.
"""


def run(words: list[str]) -> int:
    """Run the command with these words.

    Raises:
        UserError: something the user can mend.
    """
    parsed = _parser().parse_args(words)
    if parsed.check == "mask" and parsed.window is None:
        raise UserError("window is missing - say with --window what the model claims")
    if parsed.check is not None and parsed.output is not None:
        raise UserError("output: a check writes no points - leave out one of --check and --output")
    if parsed.output is not None:
        check_writable(parsed.output, [], force=parsed.force)
    hook = load_hook(parsed.hook)
    match parsed.check:
        case "padding":
            _padding(hook, parsed)
        case "mask":
            _mask(hook, parsed)
        case _:
            _points(hook, parsed)
    return 0


def _points(hook: Hook, parsed: argparse.Namespace) -> None:
    timings = measure(
        hook,
        shapes(_widths(parsed), parsed.rows),
        warm_up=parsed.warm_up,
        repeats=parsed.repeats,
        progress=steps_line(sys.stderr),
    )
    failed = [each for each in timings if each.failure is not None]
    if len(failed) == len(timings):
        raise UserError(f"{printable(parsed.hook, limit=120)}: every step failed - {failed[0].failure}")
    text = points_text(timings, printable(parsed.hook), parsed.warm_up, parsed.repeats)
    if parsed.output is None:
        write(text)
        return
    write_atomically(parsed.output, lambda file: file.write(text.encode()))
    shown = printable(parsed.output)
    told = f", {len(failed)} failed and are comments" if failed else ""
    write(f"wrote {shown}: {len(timings) - len(failed)} points{told}; next: bucketplan fit {shown}\n")


def _padding(hook: Hook, parsed: argparse.Namespace) -> None:
    check_takes(hook, "padding", parsed.hook)
    found = check_padding(
        measure(
            hook,
            padding_shapes(_widths(parsed), parsed.rows[0]),
            warm_up=parsed.warm_up,
            repeats=parsed.repeats,
            progress=steps_line(sys.stderr),
        )
    )
    penalty = found.mask_penalty
    if penalty is None:
        raise UserError(f"{printable(parsed.hook, limit=120)}: every step failed - {found.failures[0]}")
    for line in found.failures:
        write(f"! {line}\n")
    for width, ratio in found.ratios:
        write(f"width {width:,}: {ratio - 1:+.1%} with right padding\n")
    write(f"mask penalty {penalty:.4f}: --passes-mask --mask-penalty {penalty:.4f}\n")


def _mask(hook: Hook, parsed: argparse.Namespace) -> None:
    width = parsed.widths[0] if parsed.widths else 2 * parsed.window
    try:
        returned = hook(parsed.rows[0], width)
    except Exception as error:
        raise UserError(f"{printable(parsed.hook, limit=120)}: it failed - {failure(error)}") from None
    found = check_masks(returned, parsed.window, width)
    for each in found:
        write(f"{each.name}: {each.verdict}\n")
    windowed = sum(each.windowed for each in found)
    write(f"{windowed:,} of {len(found):,} masks are genuinely windowed\n")


def _widths(parsed: argparse.Namespace) -> list[int]:
    return parsed.widths or spread_widths(parsed.longest)


def _parser() -> Parser:
    parser = Parser("bucketplan probe", "Time training steps of several widths, or check what a mask does.", _EPILOG)
    parser.add_argument("hook", metavar="HOOK", help="module:function, found from the current folder")
    parser.add_argument("--longest", metavar="N", type=_count, default=LONGEST, help=f"greatest width; {LONGEST}")
    parser.add_argument("--widths", metavar="N,N,...", type=_counts, help="these widths, in place of eight up to it")
    parser.add_argument(
        "--rows",
        metavar="N,N,...",
        type=_counts,
        default=list(DEFAULT_ROWS),
        help="rows at all widths, then rows at the narrowest two; default 2,4",
    )
    parser.add_argument("--warm-up", metavar="N", type=_count, default=2, help="untimed steps of each; default 2")
    parser.add_argument("--repeats", metavar="N", type=_count, default=5, help="timed steps of each; default 5")
    parser.add_argument("--check", choices=("padding", "mask"), help="measure this in place of points")
    parser.add_argument("--window", metavar="N", type=_count, help="what the model claims to look back")
    add_target_options(parser, "the points")
    return parser


def _counts(text: str) -> list[int]:
    return [_count(each) for each in text.split(",")]


def _count(text: str) -> int:
    found = number(text.strip())
    if found is None or not 1 <= found < 2**31 or found != int(found):
        raise argparse.ArgumentTypeError("no whole number above 0")
    return int(found)
