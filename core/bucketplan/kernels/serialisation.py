"""A table of kernels as JSON."""

import json
from typing import Any

from bucketplan.kernels.checks import AttentionCheck, Throughput
from bucketplan.kernels.table import Kernel, KernelTable
from bucketplan.printable import printable
from bucketplan.version import __version__

SCHEMA = 1


def kernels_json(
    table: KernelTable, most: int, attention: AttentionCheck | None = None, achieved: Throughput | None = None
) -> str:
    """The whole table as one JSON text, ending in a newline; what is not known is null.

    Args:
        table: of a trace.
        most: kernels listed.
        attention: how it agrees with a fit.
        achieved: what was computed.
    """

    def listed(key: str, kernel: Kernel) -> dict[str, Any]:
        shown = printable(kernel.name)
        return {
            key: shown,
            "class": kernel.kind,
            "us": kernel.us,
            "count": kernel.count,
            "share": table.share(kernel.us),
        }

    device = table.device_architecture
    whole = {
        "schema": SCHEMA,
        "version": __version__,
        "kernels": table.kernels,
        "devices": len(table.devices),
        "device_names": [printable(name) for name in table.device_names],
        "device_architecture": None if device is None else f"sm{device}",
        "us": dict(table.us),
        "memcpy_us": table.memcpy_us,
        "elapsed_us": table.elapsed_us,
        "shares": {name: table.share(us) for name, us in [*table.us.items(), ("copies", table.memcpy_us)]},
        "top": [listed("name", kernel) for kernel in table.ranked[:most]],
        "architectures": [listed("architecture", kernel) for kernel in table.architectures],
        "attention": None
        if attention is None
        else {
            "width": attention.width,
            "measured_share": attention.measured,
            "predicted_share": attention.predicted,
            "agree": attention.agree,
        },
        "throughput": None
        if achieved is None
        else {
            "achieved_tflops": achieved.achieved_tflops,
            "peak_tflops": achieved.peak_tflops,
            "share": achieved.share,
        },
        "skipped_events": table.skipped,
        "warnings": [printable(line) for line in table.warnings],
    }
    return json.dumps(whole, ensure_ascii=True, allow_nan=False, indent=1) + "\n"
