"""`bucketplan fit`: the cost model of a machine and a model, from measured points."""

from bucketplan.atomic_writing import write_atomically
from bucketplan.cost.fitting.cost_file import fit_json, read_measurements
from bucketplan.cost.fitting.fit import Fit, fit
from bucketplan.errors import UserError
from bucketplan.printable import printable
from bucketplan_tui.options.parser import Parser
from bucketplan_tui.options.target import add_target_options, check_writable
from bucketplan_tui.sections.fit import fit_sections
from bucketplan_tui.text.document import as_markdown, as_text
from bucketplan_tui.text.output import write

_EPILOG = """\
examples:
  bucketplan fit points.csv
  bucketplan fit points.csv -o cost.json
  bucketplan fit points.csv --window 1024 --format markdown

POINTS has lines of width,seconds or width,rows,seconds. Names in a header decide the columns, a unit in it is
converted (time_ms, time (us)), and # begins a comment. A cost file is read too, and fitted again.
"""


def run(words: list[str]) -> int:
    """Run the command with these words.

    Raises:
        UserError: something the user can mend.
    """
    parser = Parser("bucketplan fit", "Fit the cost model to measured points, and say how far to trust it.", _EPILOG)
    parser.add_argument("points", metavar="POINTS", help="measured points; - reads stdin")
    parser.add_argument(
        "--rows", metavar="N", type=int, help="rows of every point where POINTS does not say; default 2"
    )
    parser.add_argument(
        "--window", metavar="N", type=int, help="the model has sliding-window layers that look back N tokens"
    )
    add_target_options(parser, "the cost file")
    parser.add_argument("--format", choices=("text", "json", "markdown"), default="text", help="default text")
    parsed = parser.parse_args(words)
    for name in ("rows", "window"):
        given = getattr(parsed, name)
        if given is not None and not 1 <= given < 2**31:
            raise UserError(f"{name}: {given} is out of range - give 1 and up")
    if parsed.output is not None:
        check_writable(parsed.output, [parsed.points], force=parsed.force)

    fitted = fit(read_measurements(parsed.points, parsed.rows), parsed.window)
    write(_drawn(fitted, parsed.format))
    if parsed.output is not None:
        content = fit_json(fitted).encode()
        write_atomically(parsed.output, lambda file: file.write(content))
        if parsed.format != "json":
            write(f"\nwrote {printable(parsed.output)}: read it with --cost\n")
    return 0


def _drawn(fitted: Fit, chosen: str) -> str:
    if chosen == "json":
        return fit_json(fitted)
    return as_text(fit_sections(fitted)) if chosen == "text" else as_markdown(fit_sections(fitted))
