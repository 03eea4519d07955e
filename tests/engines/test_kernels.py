"""What ran, read from the lines oneDNN prints and from profiler events, and matched to call sites."""

from __future__ import annotations

import pytest

from workbench.core.trial import Layer
from workbench.engines.kernels import UNMAPPED, Event, Record, covers, is_relevant, match, parse_onednn, read_events


def line(
    op: str = "convolution",
    kernel: str = "jit_uni_int8:avx2",
    memory: str = (
        "src:u8::blocked:acdb::f0 wei:s8:a:blocked:ABcd2b8a4b::f0 bia:f32:a:blocked:a::f0 dst:u8::blocked:acdb::f0"
    ),
    problem: str = "mb1_ic64oc64_ih56oh56kh3sh1dh0ph1_iw56ow56kw3sw1dw0pw1",
    ms: str = "0.12",
) -> str:
    return (
        f"onednn_verbose,v1,primitive,exec,cpu,{op},{kernel},forward_inference,{memory},attr-scratchpad:user,"
        f"alg:convolution_direct,{problem},{ms}"
    )


FLOAT = "src:f32::blocked:acdb::f0 wei:f32:a:blocked:Acdb8a::f0 bia:f32:a:blocked:a::f0 dst:f32::blocked:acdb::f0"
BF16 = "src:bf16::blocked:acdb::f0 wei:bf16:a:blocked:Acdb8a::f0 bia:f32::blocked:a::f0 dst:f32::blocked:acdb::f0"
PRODUCT = "src:f32::blocked:ab::f0 wei:f32::blocked:ba::f0 dst:f32::blocked:ab::f0"
QUANTIZED_PRODUCT = "src:u8::blocked:ab::f0 wei:s8::blocked:ab::f0 dst:f32::blocked:ab::f0"


def conv(name: str, ic: int = 64, oc: int = 64, size: int = 56, k: int = 3, g: int = 1) -> Layer:
    facts = {"mb": 1, "ic": ic, "oc": oc, "iw": size, "ih": size, "ow": size, "oh": size, "kw": k, "kh": k, "g": g}
    return Layer(name=name, op="conv2d", kind="conv", facts=facts)


def linear(name: str, m: int = 1, k: int = 384, n: int = 10) -> Layer:
    return Layer(name=name, op="linear", kind="matmul", facts={"m": m, "k": k, "n": n})


def lstm(name: str = "lstm", parts: int = 2) -> Layer:
    facts = {"gates": 4, "in": 64, "hidden": 256, "parts": parts, "steps": 50, "directions": 1, "weights": 1}
    return Layer(name=name, op="lstm", kind="rnn", facts=facts)


def by_layer(kernels):
    return {kernel.layer: kernel for kernel in kernels if kernel.layer != UNMAPPED}


def unmapped(kernels):
    return [kernel for kernel in kernels if kernel.layer == UNMAPPED]


# -- oneDNN's lines ---------------------------------------------------------------------------------


def test_a_convolution_is_read_with_kernel_dtype_time_and_shape():
    (record,) = parse_onednn(line())
    assert record == Record(
        kind="conv", op="convolution", kernel="jit_uni_int8:avx2", dtype="int8", ms=0.12,
        facts={"g": 1, "mb": 1, "ic": 64, "oc": 64, "ih": 56, "oh": 56, "kh": 3, "iw": 56, "ow": 56, "kw": 3},
    )  # fmt: skip


def test_the_format_with_time_stamps_is_read_too():
    stamped = line().replace("onednn_verbose,v1,", "onednn_verbose,v1,1700000000.123,")
    assert parse_onednn(stamped) == parse_onednn(line())


@pytest.mark.parametrize(
    ("memory", "dtype"),
    [
        (FLOAT, "fp32"),
        (BF16, "bf16"),
        ("src:s8::blocked:acdb::f0 wei:s8::blocked:x::f0 dst:f32::blocked:a::f0", "int8"),
        # Weights alone in 8 bit are no INT8 arithmetic, nor is an 8-bit source.
        ("src:f32::blocked:acdb::f0 wei:s8::blocked:x::f0 dst:f32::blocked:a::f0", "s8"),
        ("src:u8::blocked:acdb::f0 wei:f32::blocked:x::f0 dst:u8::blocked:a::f0", "fp32"),
    ],
)
def test_arithmetic_is_int8_only_where_source_and_weights_both_are(memory, dtype):
    assert parse_onednn(line(memory=memory))[0].dtype == dtype


def test_groups_are_read():
    (record,) = parse_onednn(line(problem="mb1_g32ic32oc32_ih28oh28kh3sh1dh0ph1_iw28ow28kw3sw1dw0pw1"))
    assert record.facts["g"] == 32


def test_products_are_read_from_both_kinds_of_primitives():
    text = "\n".join(
        (
            line("matmul", "gemm:jit", QUANTIZED_PRODUCT, "1x384:384x10"),
            line("matmul", "gemm:jit", PRODUCT, "8x50x64:8x64x1024"),
            line("inner_product", "gemm:jit", PRODUCT, "mb4ic96ih2iw2oc10"),
            line("inner_product", "gemm:jit", PRODUCT, "mb4ic384oc10"),
        )
    )
    records = parse_onednn(text)
    assert [record.kind for record in records] == ["matmul"] * 4
    assert records[0].dtype == "int8"
    assert [record.facts for record in records] == [
        {"m": 1, "k": 384, "n": 10}, {"m": 400, "k": 64, "n": 1024}, {"m": 4, "k": 384, "n": 10},
        {"m": 4, "k": 384, "n": 10},
    ]  # fmt: skip


def test_a_recurrent_primitive_is_read():
    memory = (
        "src_layer:u8::blocked:abc::f0 src_iter:f32::blocked:abcd::f0 wei_layer:s8:a:rnn_packed:ldigo:f0 "
        "wei_iter:s8:a:rnn_packed:ldigo:f0 bias:f32:a:blocked:abcde::f0 dst_layer:u8::blocked:abc::f0"
    )
    (record,) = parse_onednn(line("rnn", "brgemm:avx512_core_vnni", memory, "l1t50mb1sic64slc64dhc256dic256"))
    assert (record.kind, record.facts, record.dtype) == ("rnn", {"hidden": 256}, "int8")


def test_what_onednn_says_on_a_cpu_with_avx512_names_every_layer():
    # Three of digits-cnn's five layers in INT8, as printed.
    attributes = "attr-scratchpad:user attr-scales:src0:0:f32+dst:0:f32+wei:1:f32 attr-post-ops:eltwise_relu"
    memory = "src:u8::blocked:acdb::f0 wei:s8:ap:blocked:AcdB64a4b::f0 bia:f32:a:blocked:a::f0 dst:u8::blocked:acdb::f0"
    conv_line = (
        f"onednn_verbose,v1,primitive,exec,cpu,convolution,brg_conv_fwd:avx512_core,forward_inference,{memory},"
        f"{attributes},alg:convolution_direct,"
    )
    text = (
        "onednn_verbose,v1,info,cpu,isa:Intel AVX-512 with AVX512BW, AVX512VL, and AVX512DQ extensions\n"
        f"{conv_line}mb1_ic1oc32_ih8oh8kh3sh1dh0ph1_iw8ow8kw3sw1dw0pw1,0.00610352\n"
        f"{conv_line}mb1_ic64oc96_ih4oh4kh3sh1dh0ph1_iw4ow4kw3sw1dw0pw1,0.0170898\n"
        "onednn_verbose,v1,primitive,exec,cpu,matmul,brg_matmul:avx512_core,undef,src:u8:a:blocked:ab::f0 "
        "wei:s8:p:blocked:BA16a64b4a::f8:zpm2 bia:f32::blocked:ab::f0_mask2 dst:u8::blocked:ab::f0,"
        "attr-scratchpad:user attr-scales:src0:0:f32+dst:0:f32+wei:2:f32 attr-zero-points:dst:0:s32,"
        ",1x384:384x10,0.00097\n"
    )
    found = match(parse_onednn(text), [], [conv("conv1", 1, 32, 8), conv("conv3", 64, 96, 4), linear("fc")])
    assert [(kernel.layer, kernel.kernel, kernel.dtype) for kernel in found] == [
        ("conv1", "brg_conv_fwd:avx512_core", "int8"), ("conv3", "brg_conv_fwd:avx512_core", "int8"),
        ("fc", "brg_matmul:avx512_core", "int8"),
    ]  # fmt: skip


def test_other_lines_are_left_out():
    text = "\n".join(
        (
            "onednn_verbose,v1,info,oneDNN v3.7.1 (commit abc)",
            "onednn_verbose,v1,info,cpu,runtime:OpenMP,nthr:2",
            "onednn_verbose,v1,primitive,info,template:operation,engine,primitive,implementation,prop_kind",
            "onednn_verbose,v1,primitive,create:cache_miss,cpu,convolution,jit,forward_inference,a,b,c,mb1,0.1",
            "onednn_verbose,v1,graph,exec,cpu,100002,quantized_convolution_post_ops,conv;relu,a,b,c,d,e,f,0.3",
            "onednn_verbose,v1,primitive,exec,cpu,convolution",
            "hello from a model",
            "",
            line(),
        )
    )
    assert len(parse_onednn(text)) == 1


def test_a_time_that_is_no_number_counts_as_zero():
    assert parse_onednn(line(ms="oops"))[0].ms == 0.0


# -- matching ---------------------------------------------------------------------------------------


def test_equal_layers_are_matched_in_the_order_of_execution():
    records = parse_onednn("\n".join((line(kernel="first", ms="1"), line(kernel="second", ms="2"))))
    kernels = by_layer(match(records, [], [conv("conv1"), conv("conv2")]))
    assert (kernels["conv1"].kernel, kernels["conv1"].ms) == ("first", 1.0)
    assert (kernels["conv2"].kernel, kernels["conv2"].ms) == ("second", 2.0)


def test_a_layer_that_ran_elsewhere_does_not_shift_the_others():
    wide = line(problem="mb1_ic64oc128_ih56oh56kh3sh1dh0ph1_iw56ow56kw3sw1dw0pw1", kernel="wide")
    layers = [conv("first"), conv("other", k=1), conv("wide", oc=128)]
    kernels = by_layer(match(parse_onednn(f"{line()}\n{wide}"), [], layers))
    assert kernels.keys() == {"first", "wide"}
    assert kernels["wide"].kernel == "wide"


def test_what_fits_no_layer_is_unmapped():
    strange = line(problem="mb1_ic3oc7_ih9oh9kh1sh1dh0ph0_iw9ow9kw1sw1dw0pw0")
    kernels = match(parse_onednn(f"{line()}\n{strange}"), [], [conv("conv1")])
    assert by_layer(kernels).keys() == {"conv1"}
    (loose,) = unmapped(kernels)
    assert (loose.op, loose.dtype) == ("convolution", "int8")


def test_more_runs_than_layers_are_unmapped_and_not_dropped():
    kernels = match(parse_onednn("\n".join([line()] * 3)), [], [conv("conv1"), conv("conv2")])
    assert by_layer(kernels).keys() == {"conv1", "conv2"}
    assert len(unmapped(kernels)) == 1


def test_a_module_called_twice_is_two_layers_with_a_kernel_each():
    layers = [conv("conv"), Layer(name="relu", op="relu", kind=""), conv("conv#2")]
    kernels = by_layer(match(parse_onednn(f"{line(ms='1')}\n{line(ms='2')}"), [], layers))
    assert {name: kernel.ms for name, kernel in kernels.items()} == {"conv": 1.0, "conv#2": 2.0}


def test_reorders_and_pools_are_listed_after_the_layers():
    text = "\n".join((line("reorder", "jit:uni", FLOAT, "1x64x56x56"), line(), line("pooling", "jit:avx2", FLOAT, "p")))
    kernels = match(parse_onednn(text), [], [conv("conv1")])
    assert [kernel.op for kernel in kernels] == ["conv2d", "reorder", "pooling"]
    assert [kernel.layer for kernel in kernels] == ["conv1", UNMAPPED, UNMAPPED]


def test_the_parts_of_a_recurrent_layer_are_one_kernel_with_their_times_together():
    text = "\n".join(
        line("rnn", "brgemm:avx2", "src_layer:f32::a wei_layer:f32::a", problem, "0.5")
        for problem in ("l1t50mb1sic64slc64dhc256dic256", "l1t50mb1sic256slc256dhc256dic256")
    )
    kernels = match(parse_onednn(text), [], [lstm(), linear("fc", k=256, n=4)])
    assert by_layer(kernels)["lstm"].ms == 1.0
    assert by_layer(kernels)["lstm"].dtype == "fp32"
    assert unmapped(kernels) == []


def test_the_gates_of_a_recurrent_layer_absorb_its_small_products():
    steps = [line("matmul", "gemm:jit", PRODUCT, "1x256:256x1024", "0.01")] * 50
    first = line("matmul", "gemm:jit", PRODUCT, "50x64:64x1024", "0.2")
    head = line("matmul", "gemm:jit", PRODUCT, "1x256:256x4", "0.03")
    kernels = match(parse_onednn("\n".join([first, *steps, head])), [], [lstm(), linear("fc", k=256, n=4)])
    assert by_layer(kernels)["lstm"].ms == pytest.approx(0.7)
    assert by_layer(kernels)["fc"].ms == 0.03
    assert unmapped(kernels) == []


def test_covers_tells_whether_every_compute_layer_has_a_record():
    layers = [conv("conv1"), Layer(name="relu", op="relu", kind=""), linear("fc")]
    records = parse_onednn(line())
    assert not covers(records, layers)
    assert covers(records + parse_onednn(line("matmul", "gemm", QUANTIZED_PRODUCT, "1x384:384x10")), layers)
    assert not covers([], [])


# -- profiler events --------------------------------------------------------------------------------


def event(name: str, start: int, duration: int, shapes=(), dtypes=("float",)) -> Event:
    return Event(name, shapes, dtypes, start, duration)


CONV_SHAPES = ((1, 64, 56, 56), (64, 64, 3, 3), (64,))


def test_nested_operators_are_one_record_named_after_the_innermost():
    records = read_events(
        [
            event("aten::conv2d", 0, 100, CONV_SHAPES),
            event("aten::convolution", 1, 98, CONV_SHAPES),
            event("aten::_convolution", 2, 90, CONV_SHAPES),
            event("aten::_slow_conv2d_forward", 3, 80, CONV_SHAPES),
            event("aten::linear", 200, 50, ((1, 384), (10, 384), (10,))),
            event("aten::addmm", 201, 40, ((10,), (1, 384), (384, 10))),
        ]
    )
    assert [(record.kind, record.kernel, record.dtype) for record in records] == [
        ("conv", "aten::_slow_conv2d_forward", "fp32"),
        ("matmul", "aten::addmm", "fp32"),
    ]
    assert records[0].facts == {"mb": 1, "ic": 64, "ih": 56, "iw": 56, "oc": 64, "kw": 3, "g": 1}
    assert records[1].facts == {"m": 1, "k": 384, "n": 10}
    assert records[1].ms == pytest.approx(50e-6)


def test_events_are_sorted_by_their_start():
    records = read_events(
        [event("aten::mm", 50, 5, ((2, 3), (3, 4))), event("aten::bmm", 0, 5, ((1, 2, 3), (1, 3, 4)))]
    )
    assert [record.op for record in records] == ["aten::bmm", "aten::mm"]


@pytest.mark.parametrize(
    ("name", "dtypes", "kind", "dtype"),
    [
        ("quantized::linear", ("c10::quint8",), "matmul", "int8"),
        ("quantized::linear_dynamic", ("float",), "matmul", "int8"),
        ("quantized::linear_dynamic_fp16", ("float",), "matmul", "fp32"),
        ("quantized::conv2d_relu", ("c10::quint8",), "conv", "int8"),
        ("aten::quantized_lstm", ("float",), "rnn", "int8"),
        ("aten::lstm", ("float",), "rnn", "fp32"),
        ("aten::linear", ("c10::BFloat16",), "matmul", "bf16"),
        ("aten::linear", ("", "float"), "matmul", "fp32"),
        ("ipex_prepack::mkl_sgemm_run", (), "matmul", "fp32"),
        ("torch_ipex::ipex_MKLSGEMM", ("float",), "matmul", "fp32"),
    ],
)
def test_the_dtype_of_an_operator(name, dtypes, kind, dtype):
    (record,) = read_events([event(name, 0, 10, ((1, 4),), dtypes)])
    assert (record.kind, record.dtype) == (kind, dtype)


def test_relevant_are_operators_with_compute_in_them():
    for name in ("aten::conv2d", "aten::addmm", "quantized::linear", "aten::_slow_conv2d_forward", "aten::gru"):
        assert is_relevant(name)
    for name in ("aten::relu", "aten::empty", "aten::add_", "quantized::cat", "aten::max_pool2d"):
        assert not is_relevant(name)


def test_the_profiler_fills_in_what_onednn_did_not_run():
    primitives = parse_onednn(line(memory=FLOAT))
    operators = read_events(
        [
            event("aten::conv2d", 0, 10, CONV_SHAPES),
            event("aten::linear", 20, 10, ((1, 384), (10, 384), (10,))),
        ]
    )
    kernels = match(primitives, operators, [conv("conv1"), linear("fc")])
    assert by_layer(kernels)["conv1"].kernel == "jit_uni_int8:avx2"
    assert by_layer(kernels)["fc"].kernel == "aten::linear"
    assert unmapped(kernels) == []
