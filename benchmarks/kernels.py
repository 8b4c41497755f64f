#!/usr/bin/env python3
"""What reading a profiler's trace costs, against loading the same bytes with orjson.

usage: kernels.py [--megabytes 1000] [--runs 3] [--folder /tmp]

A trace is written as PyTorch writes it, 15% of its events on a device. Each reading is a process of its own, so that
its peak memory is its own; both start from the file, and the least of the runs stands for each. Goals: twice the time
of orjson at most, and a quarter of its memory.
"""

import argparse
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from measuring import machine

OURS = "from bucketplan.kernels import read_trace; print(read_trace({path!r}).kernels)"
THEIRS = "import orjson; print(len(orjson.loads(open({path!r}, 'rb').read())['traceEvents']))"

MEASURED = """
import resource, time
begin = time.perf_counter()
{work}
print(time.perf_counter() - begin, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""

HEADER = """{
  "schemaVersion": 1,
  "deviceProperties": [
    {"id": 0, "name": "Card", "totalGlobalMem": 1, "computeMajor": 12, "computeMinor": 0}
  ],
  "traceEvents": [
"""
KERNEL = """  {{
    "ph": "X", "cat": "kernel", "name": "{name}", "pid": 0, "tid": 7,
    "ts": {ts:.3f}, "dur": {dur:.3f},
    "args": {{
      "External id": {n},"queued": 0, "device": 0, "context": 1,
      "stream": 7, "correlation": {n},
      "registers per thread": 32,
      "shared memory": 0,
      "blocks per SM": 2.0,
      "warps per SM": 16.0,
      "grid": [128, 1, 1],
      "block": [128, 1, 1],
      "est. achieved occupancy %": 50
    }}
  }}"""
OPERATOR = """  {{
    "ph": "X", "cat": "cpu_op", "name": "{name}", "pid": 4242, "tid": 4242,
    "ts": {ts:.3f}, "dur": {dur:.3f},
    "args": {{
      "External id": {n},"Record function id": 0, "Ev Idx": {n}
    }}
  }}"""
KERNELS = (
    "fmha_cutlassF_bf16_aligned_64x128_gmem_sm80(PyTorchMemEffAttention::AttentionKernel)",
    "void cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_256x128_32x3_nn_align8>(Params)",
    "void at::native::vectorized_elementwise_kernel<4, at::native::AddFunctor<c10::BFloat16>>(int)",
)
OPERATORS = ("aten::empty_strided", "aten::mm", "aten::scaled_dot_product_attention", "autograd::engine::evaluate")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--megabytes", type=int, default=1000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--folder", type=Path, default=None)
    args = parser.parse_args()
    print(machine("least of the runs"))
    with tempfile.TemporaryDirectory(dir=args.folder) as folder:
        path = Path(folder) / "trace.json"
        write_trace(path, args.megabytes * 1_000_000)
        ours, theirs = [], []
        for _ in range(args.runs):  # in turns, so that a machine that slows down slows both
            ours.append(measured(OURS, path))
            theirs.append(measured(THEIRS, path))
    print(f"{'':24}{'ours':>10}{'orjson':>10}{'ratio':>8}  goal")
    rows = ((f"{args.megabytes:,} MB, seconds", "2 at most"), ("peak memory, MiB", "0.25 at most"))
    for figure, (what, goal) in enumerate(rows):
        mine, other = (min(run[figure] for run in side) for side in (ours, theirs))
        print(f"{what:24}{mine:10.2f}{other:10.2f}{mine / other:8.3f}  {goal}")


def write_trace(path: Path, size: int) -> None:
    numbers = random.Random(0)
    time = 1.7e15
    with path.open("w") as file:
        file.write(HEADER)
        written = number = 0
        while written < size:
            time += 12
            number += 1
            form, names = (KERNEL, KERNELS) if numbers.random() < 0.15 else (OPERATOR, OPERATORS)
            event = form.format(name=numbers.choice(names), ts=time, dur=10 * numbers.random(), n=number)
            written += file.write(",\n" + event if number > 1 else event)
        file.write('\n  ],\n  "traceName": "trace.json"\n}\n')


def measured(work: str, path: Path) -> tuple[float, float]:
    """Seconds, and MiB of peak memory."""
    script = MEASURED.format(work=work.format(path=str(path)))
    ran = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    seconds, kibibytes = map(float, ran.stdout.splitlines()[-1].split())
    return seconds, kibibytes / 1024


if __name__ == "__main__":
    main()
