"""The order on screen, written down for the trainer, on a thread of its own."""

from pathlib import Path
from threading import Thread

from textual.message import Message

from bucketplan.errors import UserError
from bucketplan.exploring.explorer import Explorer
from bucketplan.order.making import manifest_of
from bucketplan.order.writing import write_manifest
from bucketplan.planning.scenario import Scenario
from bucketplan.printable import printable
from bucketplan_tui.options.target import check_writable
from bucketplan_tui.session.background import Post
from bucketplan_tui.session.messages import Failed


class Exported(Message):
    """An order is written, or could not be; `told` is one line, safe to print."""

    def __init__(self, told: str, *, done: bool) -> None:
        self.told, self.done = told, done
        super().__init__()


class Target:
    """Checks where an order is to be written; a file that is there is replaced if it is named a second time."""

    def __init__(self, cache: str | None) -> None:
        self._cache = cache
        self._asked: str | None = None

    def __call__(self, path: str) -> None:
        """Refuse a target that cannot be written, is the cache, or has not been named twice.

        Raises:
            UserError: what is wrong with it.
        """
        again, self._asked = path == self._asked, path
        try:
            check_writable(path, [self._cache], force=again)
        except UserError as error:
            if again or not Path(path).is_file() or self._is_cache(path):
                raise
            raise UserError(f"{printable(path)} is there already - enter again to replace it") from error

    def _is_cache(self, path: str) -> bool:
        return self._cache is not None and Path(self._cache).exists() and Path(path).samefile(self._cache)


def export(explorer: Explorer, scenario: Scenario, path: str, post: Post) -> None:
    """Write the manifest of a whole run; `post` is told with `Exported` how it went."""
    Thread(target=_export, args=(explorer, scenario, path, post), name="export").start()


def _export(explorer: Explorer, scenario: Scenario, path: str, post: Post) -> None:
    try:
        manifest = manifest_of(explorer, scenario.knobs, scenario.cost)
        write_manifest(manifest, path)
    except UserError as error:
        post(Exported(str(error), done=False))
    except Exception as error:
        post(Failed(error))
    else:
        post(Exported(f"{printable(path)}: {len(manifest.order):,} records in {manifest.steps:,} steps", done=True))
