"""Device time by class of kernel, with the kernels that take the most of it."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from bucketplan.errors import InputError
from bucketplan.kernels.architecture import built_for, device_architecture, older
from bucketplan.kernels.device_time import DeviceTime, device_time
from bucketplan.kernels.events import Trace
from bucketplan.kernels.kernel_classes import COPIES, Classes, built_in_classes
from bucketplan.printable import printable
from bucketplan.readers.recognition import INDEX
from bucketplan.readers.text.source import Progress, opened

_SHOWN = 100


@dataclass(frozen=True)
class Kernel:
    """All runs of one kernel, or of all kernels alike in some way."""

    name: str
    kind: str
    us: float
    count: int


@dataclass(frozen=True)
class KernelTable:
    """Where the devices of a trace spent their time.

    Attributes:
        path: the trace, as the user named it.
        us: microseconds of each class of kernels; copies are apart.
        memcpy_us: microseconds of copies and fills.
        ranked: every kernel and copy, those that took the most time first.
        architectures: by what kernels were built for, `sm80` for example; those that do not say are left out.
        devices: what the trace calls each device that was used.
        device_names: the names of these devices, where the trace lists them.
        device_architecture: their compute capability, 120 for sm120, or None.
        elapsed_us: from the first start to the last end.
        skipped: events without a usable duration.
        warnings: what a user should know before trusting it, each a line.
    """

    path: str
    us: Mapping[str, float]
    memcpy_us: float
    ranked: tuple[Kernel, ...]
    architectures: tuple[Kernel, ...]
    devices: tuple[str, ...]
    device_names: tuple[str, ...]
    device_architecture: int | None
    elapsed_us: float
    skipped: int
    warnings: tuple[str, ...]

    @property
    def kernels(self) -> int:
        """How many kernels ran; copies are none."""
        return sum(each.count for each in self.ranked if each.kind != COPIES)

    @property
    def total_us(self) -> float:
        """Microseconds of everything, copies included."""
        return sum(self.us.values()) + self.memcpy_us

    def share(self, us: float) -> float | None:
        """A part of all device time; None where there is none."""
        return us / self.total_us if self.total_us else None


def read_trace(
    path: str,
    classes: Classes | None = None,
    *,
    partial: bool = False,
    architecture: int | None = None,
    progress: Progress | None = None,
) -> KernelTable:
    """Sum the device time of a PyTorch profiler's trace, plain or compressed, in memory that its length does not move.

    Args:
        path: the trace, or - for standard input.
        classes: by what kernels are told apart; the built-in ones if None.
        partial: whether what stands before a cut is enough.
        architecture: of the device, where the trace does not say or is wrong.
        progress: told how far the file is read.

    Raises:
        InputError: it is no trace, or a broken one.
    """
    trace = Trace(path, partial=partial)
    with opened(path, progress) as source:
        if source.container == INDEX:
            raise InputError(path, "a zip archive, not a trace", remedy="unzip it first")
        found = device_time(trace.events(source.chunks))
        return _table(path, found, trace, classes or built_in_classes(), architecture, source.warnings)


def _table(
    path: str,
    found: DeviceTime,
    trace: Trace,
    classes: Classes,
    architecture: int | None,
    warnings: tuple[str, ...],
) -> KernelTable:
    us = np.bincount(found.name, weights=found.duration, minlength=len(found.names)).tolist()
    counts = np.bincount(found.name, minlength=len(found.names)).tolist()
    kinds = [COPIES if copy else classes.of(name) for name, copy in zip(found.names, found.copies, strict=True)]
    each = [Kernel(*entry) for entry in zip(found.names, kinds, us, counts, strict=True)]
    listed, device_names = device_architecture(trace.header, found.devices)
    table = KernelTable(
        path=path,
        us={name: _us_of(each, name) for name in classes.names},
        memcpy_us=_us_of(each, COPIES),
        ranked=tuple(sorted(each, key=lambda kernel: (-kernel.us, kernel.name))),
        architectures=_architectures(each),
        devices=found.devices,
        device_names=device_names,
        device_architecture=architecture or listed,
        elapsed_us=found.elapsed,
        skipped=found.skipped,
        warnings=(*warnings, *trace.warnings, *_faults(found)),
    )
    return replace(table, warnings=(*table.warnings, *_old_kernels(table)))


def _us_of(kernels: list[Kernel], kind: str) -> float:
    return math.fsum(kernel.us for kernel in kernels if kernel.kind == kind)


def _architectures(kernels: list[Kernel]) -> tuple[Kernel, ...]:
    """Kernels summed by what they were built for; the kind is that of the one that took the most time."""
    found: dict[int, list[Kernel]] = {}
    for kernel in kernels:
        built = built_for(kernel.name)
        if built is not None and kernel.kind != COPIES:
            found.setdefault(built, []).append(kernel)
    summed = [
        Kernel(
            name=f"sm{built}",
            kind=max(each, key=lambda one: one.us).kind,
            us=sum(one.us for one in each),
            count=sum(one.count for one in each),
        )
        for built, each in found.items()
    ]
    return tuple(sorted(summed, key=lambda kernel: -kernel.us))


def _faults(found: DeviceTime) -> list[str]:
    lines = []
    if not len(found.name):
        lines.append("no device kernels: the trace has no events of a GPU, or only those of the CPU")
    if len(found.devices) > 1:
        shown = printable(", ".join(found.devices[:8]), limit=_SHOWN)
        lines.append(f"sums are over {len(found.devices)} devices (GPU {shown}): their time is added, not elapsed")
    if found.skipped:
        lines.append(f"{found.skipped:,} events are skipped: their duration is missing, negative or no number")
    if found.duplicates:
        lines.append(f"{found.duplicates:,} events occur twice, exactly alike, and count once")
    if found.overlapping:
        lines.append(
            f"{found.overlapping:,} events overlap others on the same stream, for {found.overlap:,.1f} microseconds in "
            "all: sums count that time more than once"
        )
    return lines


def _old_kernels(table: KernelTable) -> list[str]:
    device = table.device_architecture
    if device is None:
        return []
    lines = []
    for each in table.architectures:
        share = table.share(each.us)
        if share and older(int(each.name[2:]), device):
            lines.append(
                f"{share:.1%} of device time, most of it {each.kind}, is in {each.name} kernels on a device that is "
                f"sm{device}: built for older hardware, they do not use what is new in it"
            )
    return lines
