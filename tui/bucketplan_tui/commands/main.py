"""`bucketplan`: the plain command and its sub-commands."""

import os
import sys
from collections.abc import Callable
from importlib import import_module

from bucketplan.errors import UserError
from bucketplan.version import __version__
from bucketplan_tui.options.parser import Parser
from bucketplan_tui.text.output import complain

# The module of each command, imported when it is called, and what it prints.
_COMMANDS = {
    "report": (
        "bucketplan_tui.commands.report",
        "padding, widths, mixing and predicted time of plans, beside a baseline",
    ),
    "order": ("bucketplan_tui.commands.order", "take a plan's order to the trainer"),
    "verify": ("bucketplan_tui.commands.verify", "an order, and what a trainer made of it, against the cache"),
    "journal": ("bucketplan_tui.commands.journal", "what was tried in earlier sessions, as markdown"),
    "index": ("bucketplan_tui.commands.index", "a small file that opens in place of a cache"),
    "fit": ("bucketplan_tui.commands.fit", "the cost model of a machine, from measured points"),
    "probe": ("bucketplan_tui.commands.probe", "measure these points, and two checks, with a step of your own"),
    "kernels": ("bucketplan_tui.commands.kernels", "where a profiled step spends its time, kernel by kernel"),
}

USER_FAULT, INTERRUPTED = 2, 130


def main() -> None:
    """Run the command line of this process and exit with its status."""
    sys.exit(guarded(lambda: run(sys.argv[1:])))


def run(words: list[str]) -> int:
    """Run one command line; the exit status.

    Raises:
        UserError: something the user can mend.
    """
    if words and words[0] in _COMMANDS:
        module, _ = _COMMANDS[words[0]]
        status: int = import_module(module).run(words[1:])
        return status
    listed = "\n".join(f"  {name:10}{summary}" for name, (_, summary) in _COMMANDS.items())
    parser = Parser(
        "bucketplan",
        "See what a batching plan costs, and how well it mixes, before the training run.",
        f"commands:\n{listed}\n\n`bucketplan COMMAND --help` tells more; `bucketplan-tui CACHE` shows a screen.",
    )
    parser.add_argument("--version", action="version", version=f"bucketplan {__version__}")
    parser.add_argument("command", metavar="COMMAND", choices=list(_COMMANDS))
    parser.parse_args(words)
    return 0


def guarded(work: Callable[[], int]) -> int:
    """The exit status of some work: what a user can mend becomes one line on stderr and status 2."""
    try:
        status = work()
        sys.stdout.flush()
        return status
    except UserError as error:
        complain(str(error))
        return USER_FAULT
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # The reader has gone; keep Python from saying so when it closes stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        complain(f"{error.filename or 'output'}: {error.strerror or error} - free some space or choose another target")
        return USER_FAULT


if __name__ == "__main__":
    main()
