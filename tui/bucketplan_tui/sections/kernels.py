"""What a trace says of a step, section by section."""

from bucketplan.kernels.checks import AttentionCheck, Throughput
from bucketplan.kernels.kernel_classes import COPIES
from bucketplan.kernels.table import Kernel, KernelTable
from bucketplan_tui.text.document import Block, Heading, Lines, Table
from bucketplan_tui.text.numbers import UNKNOWN, seconds_text

_CLASSES = {"gemm": "dense GEMM"}


def kernels_sections(
    table: KernelTable, most: int, attention: AttentionCheck | None, achieved: Throughput | None
) -> list[Block]:
    """The whole table: classes, top kernels, architectures, checks, warnings."""
    blocks: list[Block] = [Heading(table.path), Lines(_summary(table))]
    if table.ranked:
        blocks += [Heading("Device time"), _classes(table), Heading("Top kernels"), _kernels(table, most)]
    if table.architectures:
        blocks += [Heading("Built for"), _architectures(table)]
    told = _told(attention, achieved)
    if told:
        blocks += [Heading("Checks"), Lines(told)]
    if table.warnings:
        blocks += [Heading("Warnings"), Lines(tuple(f"! {line}" for line in table.warnings))]
    return blocks


def _summary(table: KernelTable) -> tuple[str, ...]:
    devices = "1 device" if len(table.devices) == 1 else f"{len(table.devices):,} devices"
    counted = f"{table.kernels:,} kernels on {devices}"
    if not table.ranked:
        return (counted,)
    elapsed = f"{_time(table.total_us)} of device time in {_time(table.elapsed_us)} elapsed"
    architecture = "" if table.device_architecture is None else f" (sm{table.device_architecture})"
    return (f"{counted}, {elapsed}", *(f"{name}{architecture}" for name in table.device_names))


def _classes(table: KernelTable) -> Table:
    counts: dict[str, int] = {}
    for kernel in table.ranked:
        counts[kernel.kind] = counts.get(kernel.kind, 0) + kernel.count
    entries = [*table.us.items(), (COPIES, table.memcpy_us)]
    rows = [
        (_CLASSES.get(name, name), _time(us), _share(table, us), f"{counts.get(name, 0):,}") for name, us in entries
    ]
    return Table(("", "time", "share", "runs"), tuple(rows))


def _kernels(table: KernelTable, most: int) -> Table:
    rows = [(kernel.name, kernel.kind, *_figures(table, kernel)) for kernel in table.ranked[:most]]
    rest = table.ranked[most:]
    if rest:
        summed = Kernel("", "", sum(each.us for each in rest), sum(each.count for each in rest))
        rows.append((f"{len(rest):,} others", "", *_figures(table, summed)))
    return Table(("kernel", "class", "time", "share", "runs"), tuple(rows))


def _architectures(table: KernelTable) -> Table:
    rows = [(each.name, each.kind, *_figures(table, each)) for each in table.architectures]
    return Table(("", "mostly", "time", "share", "runs"), tuple(rows))


def _figures(table: KernelTable, kernel: Kernel) -> tuple[str, str, str]:
    return _time(kernel.us), _share(table, kernel.us), f"{kernel.count:,}"


def _told(attention: AttentionCheck | None, achieved: Throughput | None) -> tuple[str, ...]:
    lines = []
    if attention is not None:
        apart = abs(attention.measured - attention.predicted) * 100
        verdict = "they agree" if attention.agree else "they disagree: the fit's story is not that of the kernels"
        lines.append(
            f"attention takes {attention.measured:.1%} of device time, and the fit predicts a quadratic share of "
            f"{attention.predicted:.1%} at width {attention.width:,}: {apart:.1f} points apart, {verdict}"
        )
    if achieved is not None:
        lines.append(
            f"{achieved.achieved_tflops:,.3g} of {achieved.peak_tflops:,.4g} available TFLOPS a device, "
            f"{achieved.share:.1%}, without attention's own products"
        )
    return tuple(lines)


def _share(table: KernelTable, us: float) -> str:
    share = table.share(us)
    return UNKNOWN if share is None else f"{share:.1%}"


def _time(us: float) -> str:
    return seconds_text(us * 1e-6)
