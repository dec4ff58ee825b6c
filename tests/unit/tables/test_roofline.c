/* Operators against the peaks of their device, and operators that run again, with numbers computed by hand. */
#include <math.h>

#include "model/tables/analysis/calls/recompute.h"
#include "model/tables/operators/roofline.h"
#include "model/tables/registry/registry.h"
#include "parser/load.h"
#include "tests/unit/check.h"
#include "tests/unit/tempdir.h"

#define US 1000

#define X(cat, name, ts, dur, args)                                                                                    \
    "{\"ph\":\"X\",\"cat\":\"" cat "\",\"name\":\"" name "\",\"pid\":1,\"tid\":7,\"ts\":" #ts ",\"dur\":" #dur         \
    ",\"args\":{" args "}},\n"
#define OP(name, ts, dur, dims, types) X("cpu_op", name, ts, dur, "\"Input Dims\":" dims ",\"Input type\":" types)
#define LAUNCH(ts, id) X("cuda_runtime", "cudaLaunchKernel", ts, 1, "\"correlation\":" #id)
#define KERNEL(name, stream, ts, dur, id)                                                                              \
    "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"" name "\",\"pid\":0,\"tid\":" #stream ",\"ts\":" #ts                 \
    ",\"dur\":" #dur ",\"args\":{\"device\":0,\"stream\":" #stream ",\"correlation\":" #id "}},\n"
#define TRACE(device, events)                                                                                          \
    "{\"schemaVersion\":1,\"deviceProperties\":[{\"id\":0,\"name\":\"" device                                          \
    "\",\"totalGlobalMem\":34000000000}],\"traceEvents\":[\n" events "{}]}\n"
#define HALVES "[\"c10::Half\",\"c10::Half\",\"c10::Half\"]"
#define FLOATS "[\"float\",\"float\",\"float\"]"

static tt_session *load_text(const char *text)
{
    const char *path = temp_file("worker0.pt.trace.json", text, strlen(text));
    tt_load_options o = {.threads = 2};
    tt_err err = {0};
    tt_session *s = tt_load_finish(tt_load_start(&path, 1, &o), NULL, &err);
    if (!s) fprintf(stderr, "%s\n", err.message);
    return s;
}

static int row_of(const tt_table *t, const char *key, const char *name)
{
    int c = tt_table_column(t, key);
    for (uint32_t r = 0; c >= 0 && r < t->n_rows; r++)
        if (!strcmp(tt_table_cell(t, r, (uint32_t)c).s, name)) return (int)r;
    return -1;
}

static tt_cell cell(const tt_table *t, int row, const char *key)
{
    int c = tt_table_column(t, key);
    return row < 0 || c < 0 ? (tt_cell){.i = -1} : tt_table_cell(t, (uint32_t)row, (uint32_t)c);
}

static void near(double got, double want) { CHECK(fabs(got - want) <= 1e-6 * fabs(want)); }

static void peaks(void)
{
    const int64_t gib = 1 << 30;
    CHECK_INT(tt_peaks_find("NVIDIA A100-SXM4-40GB", 40 * gib)->gb_per_s, 1555);
    CHECK_INT(tt_peaks_find("NVIDIA A100-SXM4-80GB", 80 * gib)->gb_per_s, 2039);
    CHECK_INT(tt_peaks_find("NVIDIA A100 80GB PCIe", 80 * gib)->gb_per_s, 1935);
    CHECK_INT(tt_peaks_find("NVIDIA A100-PG509-200", 39 * gib)->gb_per_s, 1555);
    CHECK_INT(tt_peaks_find("NVIDIA L4", 24 * gib)->gb_per_s, 300);
    CHECK_INT(tt_peaks_find("NVIDIA L40S", 48 * gib)->gb_per_s, 864);
    CHECK_INT(tt_peaks_find("nvidia h100 pcie", TT_UNKNOWN)->gb_per_s, 2039);
    CHECK_INT(tt_peaks_find("NVIDIA GeForce RTX 3080", 10 * gib)->gb_per_s, 760);
    CHECK_INT(tt_peaks_find("NVIDIA GeForce RTX 3080", 12 * gib)->gb_per_s, 912);
    CHECK_INT(tt_peaks_find("NVIDIA GeForce RTX 4070 Ti SUPER", 16 * gib)->gb_per_s, 672);
    CHECK(!tt_peaks_find("NVIDIA GeForce RTX 4090 Laptop GPU", 16 * gib));
    CHECK(!tt_peaks_find("NVIDIA A100-SXM4-40GB MIG 1g.5gb", 5 * gib));
    CHECK(!tt_peaks_find("", TT_UNKNOWN) && !tt_peaks_find("Ascend910B", 64 * gib));
    const tt_peaks *a100 = tt_peaks_find("A100-SXM4-40GB", TT_UNKNOWN), *amd = tt_peaks_find("AMD Instinct MI300X", 0);
    CHECK_INT(tt_peaks_type(a100, TT_DATA_FP32, true), TT_DATA_TF32);
    CHECK_INT(tt_peaks_type(a100, TT_DATA_FP32, false), TT_DATA_FP32);
    CHECK_INT(tt_peaks_type(amd, TT_DATA_FP32, true), TT_DATA_FP32);
    near(tt_peaks_tflops(a100, TT_OP_GEMM, TT_DATA_TF32), 156);
    near(tt_peaks_tflops(a100, TT_OP_GEMM, TT_DATA_FP32), 19.5);
    near(tt_peaks_tflops(a100, TT_OP_CONV, TT_DATA_BF16), 312);
    near(tt_peaks_tflops(a100, TT_OP_NORM, TT_DATA_BF16), 19.5);
    near(tt_peaks_tflops(amd, TT_OP_GEMM, TT_DATA_FP32), 163.4);
    CHECK(isnan(tt_peaks_tflops(a100, TT_OP_ELEMENTWISE, TT_DATA_INT64)) &&
          isnan(tt_peaks_tflops(NULL, TT_OP_GEMM, 1)));
    CHECK(isnan(tt_peaks_tflops(tt_peaks_find("Tesla V100-SXM2-16GB", 0), TT_OP_GEMM, TT_DATA_BF16)));
}

/* A product of 1000 x 1000 half-precision matrices by two kernels that overlap, a sum with a broadcast, and attention
 * whose inner operator has the same formula. */
static const char sample[] =
    TRACE("Tesla V100-SXM2-32GB",
          OP("aten::linear", 0, 20, "[[1000,1000],[1000,1000],[]]",
             HALVES) OP("aten::mm", 2, 15, "[[1000,1000],[1000,1000]]", HALVES) LAUNCH(4, 1) LAUNCH(6, 2)
              OP("aten::add", 30, 10, "[[1000,1000],[1000],[]]", FLOATS) LAUNCH(32, 3)
                  OP("aten::_scaled_dot_product_flash_attention", 50, 20, "[[1,8,100,64],[1,2,200,64],[1,2,200,64]]",
                     HALVES) OP("aten::_flash_attention_forward", 52, 10, "[[1,100,8,64],[1,200,2,64],[1,200,2,64]]",
                                HALVES) LAUNCH(54, 4) OP("aten::relu", 80, 5, "[[10,10]]", "[]") LAUNCH(82, 5)
                      OP("aten::copy_", 90, 5, "[[10,10],[10,10]]", FLOATS) LAUNCH(92, 6) KERNEL("gemm", 1, 10, 20, 1)
                          KERNEL("gemm_rest", 2, 20, 20, 2) KERNEL("add", 1, 50, 4, 3) KERNEL("flash_fwd", 1, 60, 10, 4)
                              KERNEL("relu", 1, 90, 2, 5) KERNEL("copy", 1, 95, 2, 6));

static void rows(void)
{
    tt_session *s = load_text(sample);
    const tt_table *t = tt_table_get(s, tt_table_find("roofline"), &tt_scope_all, NULL);
    CHECK_INT(t->n_rows, 4); /* no operator counts twice, and operators that only move data have no row */
    CHECK_INT(row_of(t, "name", "aten::linear"), -1);
    CHECK_INT(row_of(t, "name", "aten::_flash_attention_forward"), -1);
    int mm = row_of(t, "name", "aten::mm"), add = row_of(t, "name", "aten::add"),
        relu = row_of(t, "name", "aten::relu"), flash = row_of(t, "name", "aten::_scaled_dot_product_flash_attention");
    CHECK_INT(cell(t, mm, "device_ns").i, 30 * US); /* the union of both kernels */
    CHECK_INT(cell(t, mm, "flops").i, 2000000000);
    CHECK_INT(cell(t, mm, "bytes").i, 6000000);
    CHECK_STR(cell(t, mm, "dtype").s, "fp16");
    CHECK_STR(cell(t, mm, "bound").s, "compute");
    CHECK_INT(cell(t, mm, "roof_ns").i, 16000); /* 2 GFLOP at 125 TFLOP/s; the bytes take 6.7 us */
    near(cell(t, mm, "of_roof_pct").d, 100.0 * 16 / 30);
    near(cell(t, mm, "tflops_per_s").d, 2e9 / 30e-6 / 1e12);
    near(cell(t, mm, "intensity").d, 2000.0 / 6);
    CHECK_INT(cell(t, add, "flops").i, 1000000);
    CHECK_INT(cell(t, add, "bytes").i, 4000000 + 4000 + 4000000);
    CHECK_STR(cell(t, add, "bound").s, "memory");
    CHECK_INT(cell(t, add, "roof_ns").i, 8893); /* at 900 GB/s */
    near(cell(t, add, "of_roof_pct").d, 8004000 / 900.0 / 4000 * 100);
    CHECK_INT(cell(t, flash, "flops").i, 2 * 8 * 100 * 200 * (64 + 64)); /* fewer heads of keys than of queries */
    CHECK_INT(cell(t, flash, "bytes").i, 2 * (8 * 100 * 64 * 2 + 2 * 200 * 64 * 2));
    CHECK_INT(cell(t, flash, "calls").i, 1);
    CHECK_INT(cell(t, relu, "flops").i, 100); /* without types there are no bytes and no roof */
    CHECK(cell(t, relu, "bytes").i == TT_UNKNOWN && cell(t, relu, "roof_ns").i == TT_UNKNOWN);
    const tt_table *p = tt_table_get(s, tt_table_find("problems"), &tt_scope_all, NULL);
    int above = row_of(p, "kind", "peak_exceeded");
    CHECK_INT(cell(p, above, "count").i, 1);
    CHECK_STR(cell(p, above, "example").s, "222%: aten::add [[1000, 1000], [1000], []]");
    tt_options o = {.peak_tflops = 200, .peak_gb_per_s = 100};
    t = tt_table_get(s, tt_table_find("roofline"), &tt_scope_all, &o);
    mm = row_of(t, "name", "aten::mm");
    CHECK_INT(cell(t, mm, "roof_ns").i, 60000);
    CHECK_STR(cell(t, mm, "bound").s, "memory");
    near(cell(t, mm, "of_roof_pct").d, 200);
    tt_session_free(s);
}

static void of_a_kernel(void)
{
    tt_session *s = load_text(sample);
    const tt_trace *tr = s->traces[0];
    for (uint32_t i = 0; i < tr->n_dev; i++) {
        const tt_roofline_call *c = tt_roofline_of_activity(tt_roofline_get(s, 0), i);
        const char *name = tt_row_name(tr, tr->dev[i].row);
        CHECK((c != NULL) == (strcmp(name, "copy") != 0));
        if (!strcmp(name, "gemm_rest")) CHECK_STR(c ? tt_row_name(tr, c->row) : "", "aten::mm");
        if (!strcmp(name, "flash_fwd")) CHECK_INT(c ? c->work.kind : 0, TT_OP_ATTENTION);
    }
    tt_session_free(s);
}

/* A sum beyond 64 bits is unknown and gives no roof. */
static void beyond_64_bits(void)
{
    const tt_peaks *v100 = tt_peaks_find("Tesla V100-SXM2-32GB", TT_UNKNOWN);
    const tt_roofline_work one = {v100, 1, 1000, INT64_MAX - 1, 8, TT_OP_GEMM, TT_DATA_FP16};
    tt_roofline_work sum = one;
    tt_roofline_add(&sum, &one);
    CHECK(sum.calls == 2 && sum.device_ns == 2000 && sum.bytes == 16 && sum.peaks == v100);
    CHECK_INT(sum.flops, TT_UNKNOWN);
    tt_roofline_rate r = tt_roofline_rate_of(&sum, &(tt_options){0});
    CHECK(isnan(r.tflops_per_s) && isnan(r.of_roof_pct) && r.roof_ns == TT_UNKNOWN);
    sum.type = TT_DATA_FP32;
    tt_roofline_add(&sum, &one);
    CHECK(!sum.peaks && sum.flops == TT_UNKNOWN);
}

/* A device that is not in the list has rates, but no roof. */
static void unknown_device(void)
{
    tt_session *s = load_text(TRACE("Some Accelerator", OP("aten::mm", 0, 20, "[[100,100],[100,100]]", FLOATS)
                                                            LAUNCH(4, 1) KERNEL("gemm", 1, 10, 20, 1)));
    const tt_table *t = tt_table_get(s, tt_table_find("roofline"), &tt_scope_all, NULL);
    CHECK_INT(t->n_rows, 1);
    CHECK(isnan(cell(t, 0, "peak_tflops").d) && isnan(cell(t, 0, "of_roof_pct").d) && !cell(t, 0, "bound").s);
    near(cell(t, 0, "tflops_per_s").d, 2e6 / 20e-6 / 1e12);
    tt_session_free(s);
}

/* Inputs by name: x comes first in any order, and the second matrix is transposed. */
static void named_inputs(void)
{
    tt_session *s =
        load_text(TRACE("Tesla V100-SXM2-32GB", X("cpu_op", "matmul dygraph", 0, 20,
                                                  "\"Input Dims\":{\"y\":[[30,20]],\"x\":[[4,10,20]]},"
                                                  "\"Input type\":{\"y\":[\"float16\"],\"x\":[\"float16\"]}")
                                                    LAUNCH(4, 1) KERNEL("gemm", 1, 10, 20, 1)));
    const tt_table *t = tt_table_get(s, tt_table_find("roofline"), &tt_scope_all, NULL);
    CHECK_INT(t->n_rows, 1);
    CHECK_INT(cell(t, 0, "flops").i, 2 * 4 * 10 * 20 * 30);
    CHECK_INT(cell(t, 0, "bytes").i, 2 * (4 * 10 * 20 + 30 * 20 + 4 * 10 * 30));
    CHECK_STR(cell(t, 0, "dtype").s, "fp16");
    tt_session_free(s);
}

/* A checkpoint that runs its part again before its backward pass, and a checkpoint that recomputes saved tensors. */
static void runs_again(void)
{
    tt_session *s = load_text(TRACE(
        "GPU",
        X("cpu_op", "autograd::engine::evaluate_function: CheckpointFunctionBackward", 90, 120,
          "") X("cpu_op", "CheckpointFunctionBackward", 100, 100, "") X("cpu_op", "aten::mm", 110, 10, "")
            LAUNCH(112, 1) X("cpu_op", "autograd::engine::evaluate_function: MmBackward0", 150, 40, "") LAUNCH(160, 2)
                X("cpu_op", "autograd::engine::evaluate_function: AddBackward0", 300, 50, "")
                    X("python_function", "torch/utils/checkpoint.py(1116): unpack_hook", 310, 20, "\"Python id\":1")
                        LAUNCH(315, 3) LAUNCH(340, 4) KERNEL("again", 1, 120, 10, 1) KERNEL("backward", 1, 170, 30, 2)
                            KERNEL("again", 1, 320, 15, 3) KERNEL("backward", 1, 345, 45, 4)));
    const tt_recompute *x = tt_recompute_get(s, 0);
    int64_t ns = 0;
    for (uint32_t i = 0; i < x->n_tracks; i++) ns += tt_ivs_length(&x->of_track[i]);
    CHECK_INT(ns, (100 - 40 + 20) * US);
    const tt_table *t = tt_table_get(s, tt_table_find("findings"), &tt_scope_all, NULL);
    int row = row_of(t, "id", "recomputation");
    CHECK(row >= 0);
    near(cell(t, row, "value_pct").d, 25);
    CHECK_STR(cell(t, row, "title").s, "Recomputation: forward operators run again in backward, 0.08 ms of CPU time, "
                                       "0.03 ms of GPU time (25.0%)");
    tt_session_free(s);
    s = load_text(sample);
    CHECK_INT(tt_recompute_get(s, 0)->longest, TT_NONE);
    tt_session_free(s);
}

int main(void)
{
    temp_begin();
    peaks();
    rows();
    of_a_kernel();
    beyond_64_bits();
    unknown_device();
    named_inputs();
    runs_again();
    temp_end();
    return check_done();
}
