"""Device time by class: what counts, what does not, and what is said of doubtful traces."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bucketplan.cost.model import CostModel
from bucketplan.errors import InputError, UserError
from bucketplan.kernels.architecture import built_for, older, parse_architecture
from bucketplan.kernels.checks import check_attention, throughput
from bucketplan.kernels.kernel_classes import built_in_classes, classes_with
from bucketplan.kernels.serialisation import kernels_json
from bucketplan.kernels.table import KernelTable, read_trace

FLASH = "void pytorch_flash::flash_fwd_kernel<Flash_fwd_kernel_traits<128> >(Flash_fwd_params)"
GEMM = "cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_256x128_32x3_nn_align8"
ADD = "void at::native::vectorized_elementwise_kernel<4, at::native::AddFunctor<float> >(int)"


def event(name: str, ts: float = 0, dur: Any = 10, cat: str = "kernel", device: int = 0, **others: Any) -> Any:
    args = {"device": device, "stream": 7}
    return {"ph": "X", "cat": cat, "name": name, "pid": device, "tid": 7, "ts": ts, "dur": dur, "args": args} | others


Reader = Callable[..., KernelTable]


@pytest.fixture
def read(tmp_path: Path) -> Reader:
    def table(*events: Any, header: dict[str, Any] | None = None, **options: Any) -> KernelTable:
        path = tmp_path / "trace.json"
        path.write_text(json.dumps((header or {}) | {"traceEvents": events}))
        return read_trace(str(path), **options)

    return table


def device(major: int, minor: int = 0) -> dict[str, Any]:
    return {"deviceProperties": [{"id": 0, "name": "Card", "computeMajor": major, "computeMinor": minor}]}


def told(table: KernelTable, words: str) -> bool:
    return any(words in line for line in table.warnings)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        (FLASH, "attention"),
        ("fmha_cutlassF_bf16_aligned_64x128_gmem_sm80(Params)", "attention"),
        ("cudnn_generated_fort_native_sdpa_sm90_flash_fprop_wgmma_f16", "attention"),
        ("bwd_kernel_dk_dv.kd", "attention"),
        ("_ZN5aiter34fmha_fwd_hd128_bf16_causal_rtneE.kd", "attention"),
        (GEMM, "gemm"),
        ("ampere_bf16_s16816gemm_bf16_128x128_ldg8_f2f_stages_32x5_tn", "gemm"),
        ("nvjet_tst_128x256_64x4_1x2_h_bz_coopA_TNN", "gemm"),
        ("Cijk_Alik_Bljk_BBS_BH_Bias_HA_S_SAV_MT128x128x64_MI16x16x1.kd", "gemm"),
        ("ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)", "communication"),
        ("__amd_rocclr_copyBuffer.kd", "copies"),
        (ADD, "other"),
        ("void at::native::vectorized_layer_norm_kernel<float>(int)", "other"),
    ],
)
def test_kernels_are_told_apart_by_name(name: str, kind: str) -> None:
    assert built_in_classes().of(name) == kind


def test_only_kernels_and_copies_of_devices_count(read: Reader) -> None:
    table = read(
        event(FLASH, 0, 30),
        event(GEMM, 40, 50, cat="Kernel"),
        event(ADD, 100, 20),
        event("Memcpy HtoD (Pageable -> Device)", 130, 5, cat="gpu_memcpy"),
        event("ProfilerStep#3", 0, 900, cat="gpu_user_annotation"),
        event("aten::scaled_dot_product_attention", 0, 700, cat="cpu_op"),
        event("flash_attn.py(12): forward", 0, 700, cat="python_function"),
        event(FLASH, 0, 30, ph="i"),
        {"ph": "M", "name": "process_labels"},
    )
    assert table.us == {"communication": 0, "attention": 30, "gemm": 50, "other": 20}
    assert (table.memcpy_us, table.total_us, table.elapsed_us) == (5, 105, 135)
    assert table.kernels == 3
    assert [kernel.name for kernel in table.ranked[:2]] == [GEMM, FLASH]
    assert table.warnings == ()


def test_a_compressed_trace_gives_the_same(read: Reader, tmp_path: Path) -> None:
    plain = read(event(FLASH), event(GEMM, 20))
    path = tmp_path / "trace.json.gz"
    path.write_bytes(gzip.compress((tmp_path / "trace.json").read_bytes()))
    assert read_trace(str(path)).us == plain.us


def test_a_compressed_trace_that_is_cut_is_read_on_request(tmp_path: Path) -> None:
    events = [event(FLASH, 20 * n) for n in range(5000)]
    path = tmp_path / "trace.json.gz"
    path.write_bytes(gzip.compress(json.dumps({"traceEvents": events}).encode())[:-2000])
    with pytest.raises(InputError, match="truncated"):
        read_trace(str(path))
    table = read_trace(str(path), partial=True)
    assert 0 < table.kernels < 5000
    assert told(table, "truncated")


def test_exact_duplicates_count_once(read: Reader) -> None:
    table = read(event(FLASH, 5), event(ADD, 40), event(FLASH, 5), event(FLASH, 20))
    assert table.us["attention"] == 20
    assert told(table, "1 events occur twice")


def test_overlaps_on_one_stream_are_told(read: Reader) -> None:
    table = read(event(FLASH, 0, 30), event(GEMM, 10, 30), event(ADD, 0, 9, args={"device": 0, "stream": 8}))
    assert table.total_us == 69
    assert told(table, "1 events overlap others on the same stream, for 20.0 microseconds")


def test_streams_that_end_where_the_next_begins_do_not_overlap(read: Reader) -> None:
    assert read(*(event(FLASH, 1.7e15 + 10 * n, 10.2) for n in range(50))).warnings == ()


@pytest.mark.parametrize("dur", [None, -1, "long", True, float("nan"), float("inf"), [1], "nan"])
def test_a_bad_duration_is_skipped_and_counted(read: Reader, dur: Any) -> None:
    table = read(event(FLASH), event(GEMM, 20, dur))
    assert (table.kernels, table.skipped) == (1, 1)
    assert told(table, "1 events are skipped")


def test_numbers_written_as_text_are_numbers(read: Reader) -> None:
    assert read(event(FLASH, "1.5", "20.25")).us["attention"] == 20.25  # type: ignore[arg-type]


def test_an_event_without_a_start_counts(read: Reader) -> None:
    table = read(event(FLASH, None), event(FLASH, None))  # type: ignore[arg-type]
    assert (table.us["attention"], table.elapsed_us) == (20, 20)


def test_sums_over_devices_are_called_so(read: Reader) -> None:
    table = read(event(FLASH), event(FLASH, device=1))
    assert table.devices == ("0", "1")
    assert told(table, "sums are over 2 devices (GPU 0, 1)")


def test_a_trace_of_the_cpu_has_no_shares(read: Reader) -> None:
    table = read(event("aten::mm", cat="cpu_op"))
    assert told(table, "no device kernels")
    assert table.share(0) is None
    facts = json.loads(kernels_json(table, 10))
    assert set(facts["us"].values()) == {0.0}
    assert set(facts["shares"].values()) == {None}


@pytest.mark.parametrize("odd", [7, None, {"ph": "X", "cat": ["kernel"]}, event("x", args=7), event([1])])  # type: ignore[arg-type]
def test_odd_entries_do_no_harm(read: Reader, odd: Any) -> None:
    assert read(event(FLASH), odd).us["attention"] == 10


@pytest.mark.parametrize(
    ("name", "architecture"),
    [
        ("fmha_cutlassF_bf16_aligned_64x128_gmem_sm80(Params)", 80),
        (GEMM, 80),
        ("ampere_bf16_s16816gemm_bf16_128x128", 80),
        ("sm90_xmma_gemm_bf16bf16_bf16f32", 90),
        ("void cutlass::device_kernel<cutlass::gemm::MainloopSm100TmaUmma<1> >", 100),
        ("kernel_sm_120a", 120),
        (ADD, None),
        ("void s16816gemm", None),
    ],
)
def test_names_say_what_a_kernel_was_built_for(name: str, architecture: int | None) -> None:
    assert built_for(name) == architecture


def test_kernels_older_than_the_device_are_warned_of(read: Reader) -> None:
    table = read(event(GEMM, 0, 30), event(ADD, 40, 10), header=device(12))
    assert told(table, "75.0% of device time, most of it gemm, is in sm80 kernels on a device that is sm120")
    assert [(each.name, each.us) for each in table.architectures] == [("sm80", 30)]
    assert table.device_names == ("Card",)


def test_kernels_of_the_same_generation_are_not(read: Reader) -> None:
    assert read(event(GEMM), header=device(8, 9)).warnings == ()
    assert read(event(GEMM), header=device(8)).warnings == ()
    assert not older(80, 89)


def test_a_device_can_be_given_where_the_trace_is_silent(read: Reader) -> None:
    assert read(event(GEMM)).warnings == ()
    assert told(read(event(GEMM), architecture=120), "a device that is sm120")


@pytest.mark.parametrize(
    ("text", "architecture"), [("sm120", 120), ("SM_90a", 90), ("8.9", 89), ("12.0", 120), ("80", 80), ("card", None)]
)
def test_architectures_are_written_in_several_ways(text: str, architecture: int | None) -> None:
    assert parse_architecture(text) == architecture


@pytest.mark.parametrize("properties", [7, [7], [{"id": 0}], [{"computeMajor": "9"}], [{"computeMajor": 10**9}]])
def test_odd_properties_of_devices_do_no_harm(read: Reader, properties: Any) -> None:
    assert read(event(GEMM), header={"deviceProperties": properties}).device_architecture is None


def test_attention_is_compared_with_the_quadratic_share(read: Reader) -> None:
    cost = CostModel()
    found = check_attention(read(event(FLASH, 0, 65), event(GEMM, 70, 35)), cost, 16_384)
    assert found is not None
    assert (found.measured, found.predicted) == pytest.approx((0.65, 0.678), abs=1e-3)
    assert found.agree
    other = check_attention(read(event(FLASH, 0, 20), event(GEMM, 70, 80)), cost, 16_384)
    assert other is not None
    assert not other.agree


def test_what_was_computed_is_compared_with_what_a_card_can_do(read: Reader) -> None:
    table = read(event(GEMM, 0, 500_000), event(GEMM, 600_000, 400_000))
    found = throughput(table, parameters=1e9, tokens=4500, peak_tflops=304)
    assert found is not None
    assert found.achieved_tflops == pytest.approx(27)
    assert found.share == pytest.approx(27 / 304)
    assert throughput(read(), 1e9, 1, 1) is None


def test_a_user_can_extend_the_classes(read: Reader, tmp_path: Path) -> None:
    path = tmp_path / "classes.toml"
    path.write_text("attention = ['AddFunctor']\nloss = ['cross_?entropy']\n")
    table = read(event(ADD), event("fused_cross_entropy", 20), event(GEMM, 40), classes=classes_with(str(path)))
    assert (table.us["attention"], table.us["loss"], table.us["gemm"]) == (10, 10, 10)


@pytest.mark.parametrize("text", ["attention = 'x'", "attention = ['(']", "= nothing", "a = [1, ["])
def test_a_file_of_classes_that_is_none_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "classes.toml"
    path.write_text(text)
    with pytest.raises(UserError, match=r"classes\.toml: "):
        classes_with(str(path))


def test_names_from_a_trace_are_shown_harmless(read: Reader) -> None:
    assert "\\u001b" not in kernels_json(read(event("a\x1b[2Jb")), 10)
