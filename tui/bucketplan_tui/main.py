"""`bucketplan-tui`: open a cache in the app."""

import os
import sys

from bucketplan.errors import UserError
from bucketplan.version import __version__
from bucketplan_tui.commands.main import guarded
from bucketplan_tui.options.parser import Parser
from bucketplan_tui.text.output import complain, write

_EPILOG = """\
examples:
  bucketplan-tui cache.jsonl
  bucketplan-tui cache.jsonl --micro-batch 4 --accumulation 4 --bucket 32
  bucketplan-tui --demo
"""


def main() -> None:
    """Run the app for this process and exit with its status."""
    sys.exit(guarded(lambda: run(sys.argv[1:])))


def run(words: list[str]) -> int:
    """Run one command line; the exit status.

    Raises:
        UserError: something the user can mend.
    """
    if words == ["--version"]:
        write(f"bucketplan-tui {__version__}\n")
        return 0
    from bucketplan_tui.options.options import (
        add_cache_options,
        add_file_options,
        add_knob_options,
        add_manifest_options,
        baseline_of,
        check_cache_given,
        measured_of,
        repeated_words,
        scenario_of,
    )

    parser = Parser("bucketplan-tui", "Turn the knobs of a batching plan and watch what it costs.", _EPILOG)
    add_cache_options(parser)
    add_knob_options(parser)
    add_file_options(parser)
    add_manifest_options(parser)
    parser.add_argument(
        "--journal", metavar="FILE", help="keep pinned plans there, and take up those of earlier sessions"
    )
    parser.add_argument("--progress", metavar="FILE", help="show how far the run is whose sampler keeps this file")
    parser.add_argument("--version", action="version", version=f"bucketplan-tui {__version__}")
    parsed = parser.parse_args(words)
    check_cache_given(parser, parsed)
    scenario = scenario_of(parsed)
    baseline = baseline_of(parsed, scenario)
    check_terminal()

    from bucketplan.readers.demo.built_in import demo_corpus
    from bucketplan_tui.app.app import BucketplanApp, Opening
    from bucketplan_tui.options.corpus import read_corpus
    from bucketplan_tui.session.pins import Pins

    explained: list[str] = []

    app = BucketplanApp(
        Opening(
            path=parsed.cache,
            corpus=demo_corpus() if parsed.demo else None,
            read=lambda progress, cancelled: read_corpus(parsed, progress, cancelled, explained.append),
            scenario=scenario,
            baseline=baseline,
            repeated=tuple(repeated_words(parsed)),
            measured=measured_of(parsed),
            pins=Pins(parsed.journal),
            progress=parsed.progress,
        )
    )
    status = app.run()
    for line in explained:
        complain(line)
    if app.error is not None:
        raise app.error
    if app.reopening_line is not None:
        write(app.reopening_line + "\n")
    return (app.return_code or 0) if status is None else status


def check_terminal() -> None:
    """Refuse what no screen can be drawn on.

    Raises:
        UserError: stdin or stdout is no terminal, or TERM says that it cannot move its cursor.
    """
    instead = "use `bucketplan report`, which prints the same figures"
    # Textual draws on stderr, so that a redirected stdout does not show whether a screen can be seen.
    if not all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr)):
        raise UserError(f"bucketplan-tui: stdin, stdout and stderr must be a terminal - {instead}")
    term = os.environ.get("TERM", "")
    if term in ("", "dumb"):
        raise UserError(f"bucketplan-tui: TERM is {term or 'not set'}: no screen can be drawn - {instead}")
