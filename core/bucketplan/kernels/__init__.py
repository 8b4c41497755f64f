"""Where a training step spends its time, kernel by kernel, from a profiler's trace."""

from bucketplan.kernels.table import KernelTable, read_trace

__all__ = ["KernelTable", "read_trace"]
