"""What the benchmarks share: the machine in a line, medians, and scripts of the shared folder."""

import importlib.util
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType


def machine(*more: str) -> str:
    """Processor, cores and Python, and what else a table depends on."""
    lines = Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else []
    model = next(
        (line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine()
    )
    return ", ".join([model, f"{len(os.sched_getaffinity(0))} cores", f"Python {platform.python_version()}", *more])


def median(work: Callable[[], object], runs: int) -> float:
    """The median seconds of some work."""
    seconds = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds)


def imported(script: Path) -> ModuleType:
    """A script as a module."""
    spec = importlib.util.spec_from_file_location(script.stem, script)
    if spec is None or spec.loader is None or not script.exists():
        sys.exit(f"{script}: not found - name the shared folder with --shared")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
