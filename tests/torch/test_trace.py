"""Traces that a real profiler wrote."""

import gzip
import json
from pathlib import Path

import pytest

import torch
from bucketplan.kernels.events import Trace
from bucketplan.kernels.table import read_trace
from tests.torch import hooks

RECORDED = Path(__file__).parent / "data" / "device-events.json"


@pytest.fixture(scope="module")
def trace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three steps of a small model on the CPU, with shapes and Python stacks."""
    path = tmp_path_factory.mktemp("trace") / "trace.json"
    activities = [torch.profiler.ProfilerActivity.CPU]
    with torch.profiler.profile(activities=activities, record_shapes=True, with_stack=True) as profile:
        for _ in range(3):
            with torch.profiler.record_function("flash_attention_step"):
                hooks.step(2, 128)
    profile.export_chrome_trace(str(path))
    return path


def test_a_trace_of_the_cpu_has_no_device_time(trace: Path) -> None:
    table = read_trace(str(trace))
    assert (table.kernels, table.total_us, table.skipped) == (0, 0, 0)
    assert any("no device kernels" in line for line in table.warnings)


def test_every_event_of_the_profiler_is_seen(trace: Path) -> None:
    text = trace.read_bytes()
    read = Trace(str(trace))
    chunks = (text[at : at + 10_000] for at in range(0, len(text), 10_000))
    events = [event for piece in read.events(chunks) for event in piece]
    whole = json.loads(text)
    assert events == whole["traceEvents"]
    assert len(events) > 1000
    assert read.header["schemaVersion"] == whole["schemaVersion"]


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
def test_recorded_kernels_among_them_are_summed(trace: Path, tmp_path: Path, packed: bool) -> None:
    recorded = json.loads(RECORDED.read_text())
    whole = json.loads(trace.read_text())
    whole["traceEvents"] += recorded["traceEvents"]
    whole["deviceProperties"] = recorded["deviceProperties"]
    text = json.dumps(whole, indent=2).encode()
    path = tmp_path / "trace.json"
    path.write_bytes(gzip.compress(text) if packed else text)
    table = read_trace(str(path))
    assert table.kernels == 5
    assert table.us == {"communication": 30.016, "attention": 310.5, "gemm": 120.25, "other": 12.992}
    assert table.memcpy_us == 4.064
    assert table.device_architecture == 120
    assert any("sm80 kernels on a device that is sm120" in line for line in table.warnings)
