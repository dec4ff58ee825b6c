/* Tables on small traces whose numbers are easy to see: one trace for each case that profilers get wrong. */
#include <math.h>
#include <stdlib.h>

#include "model/tables/analysis/names/comm_names.h"
#include "model/tables/analysis/names/flops.h"
#include "model/tables/analysis/names/kernel_class.h"
#include "model/tables/analysis/names/tensor_core.h"
#include "model/tables/registry/registry.h"
#include "model/tables/table.h"
#include "parser/load.h"
#include "tests/unit/check.h"
#include "tests/unit/tempdir.h"

#define US 1000

/* Short macros for events; times are whole microseconds. */
#define X(cat, name, tid, ts, dur, args)                                                                               \
    "{\"ph\":\"X\",\"cat\":\"" cat "\",\"name\":\"" name "\",\"pid\":1,\"tid\":" #tid ",\"ts\":" #ts ",\"dur\":" #dur  \
    ",\"args\":{" args "}},\n"
#define DEV(cat, name, stream, ts, dur, args)                                                                          \
    "{\"ph\":\"X\",\"cat\":\"" cat "\",\"name\":\"" name "\",\"pid\":0,\"tid\":" #stream ",\"ts\":" #ts                \
    ",\"dur\":" #dur ",\"args\":{\"device\":0,\"stream\":" #stream "," args "}},\n"
#define MEM(tid, ts, bytes, addr, total)                                                                               \
    "{\"ph\":\"i\",\"s\":\"t\",\"cat\":\"cpu_instant_event\",\"name\":\"[memory]\",\"pid\":1,\"tid\":" #tid            \
    ",\"ts\":" #ts ",\"args\":{\"Device Type\":1,\"Device Id\":0,\"Bytes\":" #bytes ",\"Addr\":" #addr                 \
    ",\"Total Allocated\":" #total ",\"Total Reserved\":4096}},\n"
#define TRACE(events) "{\"schemaVersion\":1,\"traceEvents\":[\n" events "{}]}\n"

static tt_session *load(const char *const *paths, uint32_t n)
{
    tt_load_options o = {.threads = 2};
    tt_err err = {0};
    tt_session *s = tt_load_finish(tt_load_start(paths, n, &o), NULL, &err);
    if (!s) fprintf(stderr, "%s\n", err.message);
    return s;
}

static tt_session *load_text(const char *text)
{
    const char *path = temp_file("worker0.pt.trace.json", text, strlen(text));
    return load(&path, 1);
}

static const tt_table *get(tt_session *s, const char *id, uint8_t group)
{
    tt_options o = {.group = group};
    return tt_table_get(s, tt_table_find(id), &tt_scope_all, &o);
}

/* Row whose column `key` has `value`; -1 = none. */
static int find(const tt_table *t, const char *key, const char *value)
{
    int c = tt_table_column(t, key);
    for (uint32_t r = 0; c >= 0 && r < t->n_rows; r++) {
        const char *s = tt_table_cell(t, r, (uint32_t)c).s;
        if (s && strcmp(s, value) == 0) return (int)r;
    }
    return -1;
}

static int64_t value(const tt_table *t, const char *name, const char *column)
{
    int row = find(t, t->cols[0]->key, name), c = tt_table_column(t, column);
    if (row < 0) row = find(t, "name", name);
    if (row < 0 || c < 0) return -999;
    tt_cell cell = tt_table_cell(t, (uint32_t)row, (uint32_t)c);
    return tt_cell_unknown(t->cols[c]->type, cell) ? -1 : cell.i;
}

static double number(const tt_table *t, const char *name, const char *column)
{
    int row = find(t, t->cols[0]->key, name), c = tt_table_column(t, column);
    return row < 0 || c < 0 ? -999 : tt_table_cell(t, (uint32_t)row, (uint32_t)c).d;
}

/* mm calls mm calls mm: one call. The driver launches one kernel, the runtime another; a third has no launch. */
static void operators_and_links(void)
{
    tt_session *s = load_text(TRACE(
        X("cpu_op", "aten::linear", 7, 100, 100, "\"External id\":1")
            X("cpu_op", "aten::mm", 7, 110, 80, "\"External id\":2,\"Input Dims\":[[2,3],[3,4]]")
                X("cpu_op", "aten::mm", 7, 120, 60, "\"External id\":3") X("cuda_driver", "cuLaunchKernel", 7, 130, 10,
                                                                           "\"correlation\":50,\"External id\":3")
                    X("cuda_runtime", "cudaLaunchKernel", 7, 192, 4, "\"correlation\":51,\"External id\":1")
                        DEV("kernel", "sm90_xmma_gemm_f32", 3, 300, 40, "\"correlation\":50,\"External id\":3")
                            DEV("kernel", "elementwise", 3, 350, 10, "\"correlation\":51,\"External id\":1")
                                DEV("kernel", "stale", 3, 360, 5, "\"correlation\":99")
                                    DEV("gpu_user_annotation", "ProfilerStep#3", 3, 290, 100, "\"External id\":9")));
    const tt_table *t = get(s, "operators", 0);
    CHECK_INT(t->n_rows, 2);
    CHECK_INT(value(t, "aten::mm", "calls"), 1);
    CHECK_INT(value(t, "aten::mm", "host_total_ns"), 80 * US);
    CHECK_INT(value(t, "aten::mm", "host_self_ns"), 70 * US);
    CHECK_INT(value(t, "aten::mm", "device_self_ns"), 40 * US);
    CHECK_INT(value(t, "aten::linear", "host_self_ns"), 16 * US);
    CHECK_INT(value(t, "aten::linear", "device_self_ns"), 10 * US);
    CHECK_INT(value(t, "aten::linear", "device_total_ns"), 50 * US);
    CHECK(fabs(number(t, "aten::linear", "tensor_core_total_pct") - 80) < 1e-9);
    t = get(s, "operators", 1);
    CHECK_INT(find(t, "input_shapes", "[[2, 3], [3, 4]]") >= 0, 1);
    t = get(s, "kernels", 2);
    CHECK_INT(t->n_rows, 3);
    int row = find(t, "name", "stale");
    CHECK(row >= 0 && !tt_table_cell(t, (uint32_t)row, (uint32_t)tt_table_column(t, "operator")).s);
    CHECK_INT(find(t, "operator", "aten::mm") >= 0, 1);
    CHECK_INT(get(s, "runtime_api", 0)->n_rows, 2);
    t = get(s, "step_breakdown", 0); /* the annotation on the device is no step */
    CHECK_INT(t->n_rows, 1);
    CHECK_INT(find(t, "step", "0"), 0);
    tt_session_free(s);
}

/* External ids that repeat the correlation id have no meaning, even if an operator has that number. */
static void useless_ids(void)
{
    tt_session *s = load_text(TRACE(
        X("cpu_op", "wrong", 7, 10, 10, "\"External id\":50") X("cpu_op", "right", 7, 100, 50, "\"External id\":4")
            X("cuda_runtime", "cudaLaunchKernel", 7, 110, 10, "\"correlation\":50,\"External id\":50")
                DEV("kernel", "k", 3, 130, 40, "\"correlation\":50,\"External id\":50")));
    const tt_table *t = get(s, "operators", 0);
    CHECK_INT(value(t, "right", "device_self_ns"), 40 * US);
    CHECK_INT(value(t, "right", "host_self_ns"), 40 * US);
    CHECK_INT(value(t, "wrong", "device_self_ns"), 0);
    tt_session_free(s);
}

/* Crossing operators are kept; their parts of a step still add up, and each instant counts once. */
static void crossing_and_steps(void)
{
    tt_session *s = load_text(TRACE(
        X("user_annotation", "ProfilerStep#5", 7, 0, 100, "")
            X("user_annotation", "enumerate(DataLoader)#_Iter.__next__", 7, 5, 20, "") X("cpu_op", "a", 7, 30, 30, "")
                X("cpu_op", "b", 7, 50, 30, "") X("cuda_runtime", "cudaLaunchKernel", 7, 55, 10, "\"correlation\":1")
                    DEV("kernel", "k", 3, 60, 20, "\"correlation\":1")
                        DEV("kernel", "ncclDevKernel_AllReduce", 4, 70, 40, "\"correlation\":2")
                            DEV("gpu_memcpy", "Memcpy HtoD", 5, 75, 10, "\"correlation\":3,\"bytes\":64")));
    const tt_table *t = get(s, "operators", 0);
    CHECK_INT(t->n_rows, 2);
    CHECK_INT(value(t, "a", "host_total_ns"), 30 * US);
    CHECK_INT(value(t, "b", "host_total_ns"), 30 * US);
    t = get(s, "step_breakdown", 0);
    CHECK_INT(value(t, "5", "total_ns"), 100 * US);
    CHECK_INT(value(t, "5", "kernel_ns"), 20 * US);
    CHECK_INT(value(t, "5", "memcpy_ns"), 5 * US);
    CHECK_INT(value(t, "5", "communication_ns"), 15 * US);
    CHECK_INT(value(t, "5", "runtime_ns"), 5 * US);
    CHECK_INT(value(t, "5", "dataloader_ns"), 20 * US);
    CHECK_INT(value(t, "5", "cpu_exec_ns"), 25 * US);
    CHECK_INT(value(t, "5", "other_ns"), 10 * US);
    t = get(s, "comm_steps", 0);
    CHECK_INT(t->n_rows, 1);
    CHECK_INT(tt_table_cell(t, 0, (uint32_t)tt_table_column(t, "overlap_ns")).i, 10 * US);
    t = get(s, "findings", 0);
    CHECK(find(t, "id", "input_bound") >= 0);
    int communication = find(t, "id", "communication_bound"), input = find(t, "id", "input_bound");
    CHECK(communication >= 0);
    CHECK(input >= 0 && t->drilldowns[input].what == TT_DRILL_ROW); /* evidence: the longest wait */
    CHECK(input >= 0 && strstr(tt_row_name(s->traces[0], t->drilldowns[input].row), "DataLoader"));
    tt_scope other = tt_scope_all;
    other.has_steps = true;
    other.step_first = other.step_last = 6;
    CHECK_INT(tt_table_get(s, tt_table_find("kernels"), &other, NULL)->n_rows, 0);
    tt_session_free(s);
}

/* Rates that operators reach, from shapes and types: a half-precision product, a sum with a broadcast, and a sum whose
 * types were not recorded. */
static void reached(void)
{
    tt_session *s = load_text(TRACE(
        X("cpu_op", "aten::addmm", 7, 0, 10,
          "\"External id\":1,\"Input Dims\":[[4],[2,3],[3,4],[],[]],"
          "\"Input type\":[\"c10::Half\",\"c10::Half\",\"c10::Half\",\"Scalar\",\"Scalar\"]")
            X("cuda_runtime", "cudaLaunchKernel", 7, 5, 1, "\"External id\":1,\"correlation\":11")
                X("cpu_op", "aten::add", 7, 20, 10,
                  "\"External id\":2,\"Input Dims\":[[4,5],[5],[]],\"Input type\":[\"float\",\"float\",\"Scalar\"]")
                    X("cuda_runtime", "cudaLaunchKernel", 7, 25, 1, "\"External id\":2,\"correlation\":12")
                        X("cpu_op", "aten::mm", 7, 40, 10, "\"External id\":3,\"Input Dims\":[[2,3],[3,4]]")
                            X("cuda_runtime", "cudaLaunchKernel", 7, 45, 1, "\"External id\":3,\"correlation\":13")
                                DEV("kernel", "a", 9, 10, 2, "\"External id\":1,\"correlation\":11")
                                    DEV("kernel", "b", 9, 30, 1, "\"External id\":2,\"correlation\":12")
                                        DEV("kernel", "c", 9, 50, 1, "\"External id\":3,\"correlation\":13")));
    const tt_table *t = get(s, "operators", 1);
    CHECK_INT(value(t, "aten::addmm", "flops"), 48);
    CHECK(fabs(number(t, "aten::addmm", "tflops_per_s") - 48 / 2000.0 / 1e3) < 1e-12);
    CHECK(fabs(number(t, "aten::addmm", "gb_per_s") - (4 + 6 + 12 + 8) * 2 / 2000.0) < 1e-12);
    CHECK_INT(value(t, "aten::add", "flops"), 20);
    CHECK(fabs(number(t, "aten::add", "gb_per_s") - (20 + 5 + 20) * 4 / 1000.0) < 1e-12);
    CHECK_INT(value(t, "aten::mm", "flops"), 48);
    CHECK(isnan(number(t, "aten::mm", "gb_per_s")));
    tt_session_free(s);
}

#define OP(name, ts, dims, types, concrete)                                                                            \
    X("cpu_op", name, 7, ts, 1, "\"Input Dims\":" dims ",\"Input type\":" types ",\"Concrete Inputs\":" concrete)
#define HALVES "[\"c10::Half\",\"c10::Half\",\"c10::Half\",\"c10::Half\"]"

/* Operations computed from shapes. PyTorch's own table covers fewer operators. */
static void counted(void)
{
    static const struct {
        const char *name;
        int64_t flops;
    } want[] = {
        /* batch 2, 3 heads, 4 queries, 4 or 8 keys, 16 features: two products, half of each if causal */
        {"aten::scaled_dot_product_attention", 2 * 2 * 3 * 4 * 8 * 32},
        {"aten::_scaled_dot_product_flash_attention", 2 * 2 * 3 * 4 * 4 * 32 / 2},
        {"aten::_flash_attention_forward", 2 * 2 * 3 * 4 * 8 * 32},
        {"aten::_scaled_dot_product_flash_attention_backward", 2 * 2 * 3 * 4 * 8 * 5 * 16},
        {"aten::linear", 2 * 5 * 7 * 16 * 32},
        {"aten::convolution", 2 * (2 * 8 * 15) * (4 * 3)}, /* 32 wide, 3 inputs for an output, stride 2 */
        {"aten::convolution_backward", 2 * 2 * (2 * 8 * 5 * 5) * (4 * 3 * 3)},
        {"aten::_softmax", 3 * 6 * 7},
        {"aten::native_layer_norm", 7 * 6 * 7},
        {"aten::relu_", 42},
        {"aten::div", 42},
    };
    tt_session *s = load_text(TRACE(
        OP("aten::scaled_dot_product_attention", 0, "[[2,3,4,16],[2,3,8,16],[2,3,8,16],[],[],[]]", HALVES,
           "[\"\",\"\",\"\",\"\",\"0.\",\"True\"]")
            OP("aten::_scaled_dot_product_flash_attention", 10, "[[2,3,4,16],[2,3,4,16],[2,3,4,16],[],[]]", HALVES,
               "[\"\",\"\",\"\",\"0.\",\"True\"]")
                OP("aten::_flash_attention_forward", 20, "[[2,4,3,16],[2,8,3,16],[2,8,3,16]]", HALVES, "[]")
                    OP("aten::_scaled_dot_product_flash_attention_backward", 30,
                       "[[2,3,4,16],[2,3,4,16],[2,3,8,16],[2,3,8,16]]", HALVES, "[]")
                        OP("aten::linear", 40, "[[5,7,16],[32,16],[32]]", HALVES, "[\"\",\"\",\"\"]")
                            OP("aten::convolution", 50, "[[2,4,32],[8,4,3],[]]", HALVES,
                               "[\"\",\"\",\"\",\"[2]\",\"[0]\",\"[1]\",\"False\",\"[0]\",\"1\"]")
                                OP("aten::convolution_backward", 60, "[[2,8,5,5],[2,4,7,7],[8,4,3,3]]", HALVES, "[]")
                                    OP("aten::_softmax", 70, "[[6,7],[],[]]", HALVES, "[]")
                                        OP("aten::native_layer_norm", 80, "[[6,7],[],[7],[7]]", HALVES, "[]")
                                            OP("aten::relu_", 90, "[[6,7]]", HALVES, "[]")
                                                OP("aten::div", 100, "[[6,1],[7]]", HALVES, "[]")));
    const tt_table *t = get(s, "operators", 1), *k = get(s, "key_averages", 0);
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        CHECK_INT(value(t, want[i].name, "flops"), want[i].flops);
        CHECK_INT(value(k, want[i].name, "flops"), 0);
    }
    tt_session_free(s);
}

/* Without a device the numbers of the device are unknown, not 0. */
static void host_only(void)
{
    tt_session *s = load_text(TRACE(X("cpu_op", "aten::add", 7, 0, 10, "\"Input Dims\":[[4,5],[4,5],[]]")
                                        X("cpu_op", "aten::mm", 7, 20, 10, "\"Input Dims\":[[2,3],[3,4]]")));
    const tt_table *t = get(s, "operators", 0);
    CHECK_INT(value(t, "aten::add", "device_total_ns"), -1);
    CHECK_INT(value(t, "aten::add", "tensor_core_eligible"), -1);
    t = get(s, "step_breakdown", 0);
    CHECK_INT(value(t, "0", "kernel_ns"), -1);
    CHECK_INT(value(t, "0", "cpu_exec_ns"), 20 * US);
    CHECK_INT(value(t, "0", "other_ns"), 10 * US);
    t = get(s, "key_averages", 0);
    CHECK_INT(value(t, "aten::mm", "flops"), 2 * 2 * 3 * 4);
    CHECK_INT(value(t, "aten::add", "flops"), 20);
    CHECK_INT(value(t, "aten::add", "cuda_self_ns"), -1);
    CHECK_INT(get(s, "devices", 0)->n_rows, 0);
    CHECK(get(s, "kernels", 0)->note != NULL);
    tt_session_free(s);
}

static void memory(void)
{
    tt_session *s =
        load_text(TRACE(X("cpu_op", "outer", 7, 0, 100, "") X("cpu_op", "aten::empty", 7, 10, 10, "")
                            MEM(7, 12, 512, 1000, 512) MEM(7, 50, 256, 2000, 768) MEM(7, 90, -512, 1000, 256)
                                MEM(7, 150, -128, 3000, 128) X("cpu_op", "late", 7, 200, 10, "")));
    const tt_table *t = get(s, "memory_events", 0);
    CHECK_INT(t->n_rows, 3);
    CHECK_INT(value(t, "outer (aten::empty)", "size_bytes"), -999); /* the key column is not the first: look it up */
    int row = find(t, "operator", "outer (aten::empty)");
    CHECK(row >= 0 && tt_table_cell(t, (uint32_t)row, (uint32_t)tt_table_column(t, "duration_ns")).i == 78 * US);
    t = get(s, "memory_operators", 0);
    CHECK_INT(value(t, "outer", "size_increase_bytes"), 256);
    CHECK_INT(value(t, "outer", "self_size_increase_bytes"), -256);
    CHECK_INT(value(t, "aten::empty", "self_allocation_bytes"), 512);
    CHECK_INT(value(t, "outer", "allocation_count"), 2);
    t = get(s, "memory_devices", 0);
    CHECK_INT(value(t, "GPU0", "peak_allocated_bytes"), 768);
    CHECK_INT(value(t, "GPU0", "end_allocated_bytes"), 128);
    CHECK_INT(get(s, "memory_curve", 0)->n_rows, 4);
    t = get(s, "key_averages", 0);
    CHECK_INT(value(t, "outer", "cuda_memory_bytes"), 256);
    CHECK_INT(value(t, "outer", "cuda_memory_self_bytes"), -256);
    CHECK_INT(value(t, "[memory]", "cuda_memory_bytes"), -128);
    CHECK_INT(value(t, "late", "cuda_memory_bytes"), 0);
    tt_session_free(s);
}

static void modules(void)
{
    tt_session *s = load_text(TRACE(X("python_function", "train.py(1): main", 7, 0, 100, "\"Python id\":1")
                                        X("python_function", "nn.Module: Net_0", 7, 10, 80,
                                          "\"Python id\":2,\"Python parent id\":1,\"Python module id\":0")
                                            X("python_function", "nn.Module: Linear_0", 7, 20, 20,
                                              "\"Python id\":3,\"Python parent id\":2,\"Python module id\":1")
                                                X("cpu_op", "aten::mm", 7, 25, 10,
                                                  "") X("python_function", "nn.Module: Linear_0", 7, 50, 20,
                                                        "\"Python id\":4,\"Python parent id\":2,\"Python module id\":1")
                                                    X("cuda_runtime", "cudaLaunchKernel", 7, 26, 4, "\"correlation\":1")
                                                        DEV("kernel", "k", 3, 60, 20, "\"correlation\":1")));
    const tt_table *t = get(s, "modules", 0);
    CHECK_INT(t->n_rows, 2);
    CHECK_INT(find(t, "path", "Net_0"), 0);
    CHECK_INT(find(t, "path", "Net_0/Linear_0"), 1);
    CHECK_INT(value(t, "Linear_0", "occurrences"), 2);
    CHECK_INT(value(t, "Linear_0", "operators"), 1);
    CHECK_INT(value(t, "Linear_0", "host_self_ns"), 30 * US);
    CHECK_INT(value(t, "Net_0", "host_self_ns"), 40 * US);
    CHECK_INT(value(t, "Linear_0", "device_self_ns"), 20 * US);
    CHECK_INT(value(t, "Net_0", "device_self_ns"), 0);
    CHECK_INT(value(t, "Net_0", "device_total_ns"), 20 * US);
    tt_session_free(s);
}

/* With two workers the shorter of the two ranges of a collective is its transfer. */
static void waiting(void)
{
    static const char a[] =
        TRACE(X("cpu_op", "gloo:all_reduce", 7, 0, 40, "\"Input Dims\":[[100]],\"Input type\":[\"float\"]")
                  X("cpu_op", "aten::add", 7, 50, 10, ""));
    static const char b[] =
        TRACE(X("cpu_op", "gloo:all_reduce", 7, 0, 30, "\"Input Dims\":[[100]],\"Input type\":[\"float\"]")
                  X("cpu_op", "aten::add", 7, 50, 10, ""));
    const char *paths[] = {temp_file("a.pt.trace.json", a, sizeof a - 1),
                           temp_file("b.pt.trace.json", b, sizeof b - 1)};
    tt_session *s = load(paths, 2);
    const tt_table *t = get(s, "comm_wait", 0);
    CHECK_INT(t->n_rows, 2);
    CHECK_INT(value(t, "a", "data_transfer_ns"), 30 * US);
    CHECK_INT(value(t, "a", "synchronizing_ns"), 10 * US);
    CHECK_INT(value(t, "b", "synchronizing_ns"), 0);
    t = get(s, "comm_ops", 0);
    CHECK_INT(value(t, "a", "size_bytes"), 400);
    CHECK_INT(value(t, "a", "latency_ns"), 40 * US);
    CHECK_INT(value(get(s, "comm_waits", 0), "a", "kernel_at_ns"), -1); /* there is no kernel */
    CHECK_INT(value(get(s, "comm_ranks", 0), "a", "together_ns"), 30 * US);
    tt_session_free(s);
}

static void stages(void)
{
    tt_session *s = load_text(TRACE(
        X("user_annotation", "ProfilerStep#1", 7, 0, 100, "")
            X("user_annotation", "enumerate(DataLoader)#_Iter.__next__", 7, 0, 20, "")
                X("user_annotation", "## forward ##", 7, 20, 30, "") X("user_annotation", "forward inner", 7, 25, 5, "")
                    X("cpu_op", "autograd::engine::evaluate_function: AddBackward0", 8, 55, 10, "")
                        X("user_annotation", "Optimizer.step#SGD.step", 7, 80, 10, "")
                            X("cuda_runtime", "cudaLaunchKernel", 8, 56, 4, "\"correlation\":1")
                                DEV("kernel", "k", 3, 60, 20, "\"correlation\":1")));
    const tt_table *t = get(s, "stages", 0);
    CHECK_INT(value(t, "Forward", "calls"), 1);
    CHECK_INT(value(t, "Forward", "host_total_ns"), 30 * US);
    CHECK_INT(value(t, "Backward", "device_total_ns"), 20 * US);
    CHECK_INT(value(t, "Optimization", "host_total_ns"), 10 * US);
    CHECK_INT(value(t, "Others", "host_total_ns"), 30 * US);
    CHECK_INT(value(t, "ProfileStep", "device_total_ns"), 20 * US);
    CHECK_INT(get(s, "stages_by_step", 0)->n_rows, 5);
    t = get(s, "throughput", 0);
    CHECK(fabs(number(t, "ips", "mean") - 10000) < 1e-6);
    CHECK(fabs(number(t, "reader_cost", "reader_ratio_pct") - 20) < 1e-9);
    tt_session_free(s);
}

static void names(void)
{
    CHECK(tt_tensor_kernel("ampere_fp16_s16816gemm_fp16_128x64_ldg8_f2f_stages_64x4_nn"));
    CHECK(tt_tensor_kernel("nvjet_hsh_128x256_64x4_2x1_v_bz_coopA_NNT"));
    CHECK(tt_tensor_kernel("Cijk_Ailk_Bljk_HHS_BH_MT128x128x32_MI32x32x8x1_SN"));
    CHECK(!tt_tensor_kernel("Cijk_Ailk_Bljk_SB_MT64x64x8_SN_APM1"));
    CHECK(!tt_tensor_kernel("ampere_sgemm_128x64_nn"));
    CHECK(!tt_tensor_kernel("void at::native::vectorized_elementwise_kernel<4>"));
    CHECK(tt_tensor_eligible("aten::addmm") && tt_tensor_eligible("MmBackward") && !tt_tensor_eligible("aten::add"));
    CHECK_STR(tt_comm_op_library("nccl:_all_gather_base"), "nccl");
    CHECK_STR(tt_comm_kernel_library("ncclDevKernel_AllReduce_Sum_f32_RING_LL"), "nccl");
    static const char *const bare[][2] = {
        {"void (anonymous namespace)::f<int, 16>(int*, unsigned long)", "(anonymous namespace)::f<int, 16>"},
        {"ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
         "ncclDevKernel_AllReduce_Sum_f32_RING_LL"},
        {"unsigned long a::b<(a::c)1, (x > 2)>(int) const", "a::b<(a::c)1, (x > 2)>"},
        {"void a::f(int)::{lambda(int)#1}::operator()(int) const", "a::f(int)::{lambda(int)#1}::operator()"},
        {"void one_shot_all_reduce<float", "one_shot_all_reduce<float"},
        {"hcom_allReduce__123", "hcom_allReduce__123"},
        {"(", "("},
        {"void ", ""},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof bare / sizeof *bare; i++) {
        size_t n;
        const char *name = tt_comm_bare_name(bare[i][0], &n);
        char *text = tt_strndup(name, n);
        CHECK_STR(text, bare[i][1]);
        free(text);
    }
    CHECK(!tt_comm_op_library("c10d::allreduce_") && !tt_comm_kernel_library("reduce_kernel"));
    setenv(TT_COMM_VARIABLE, "ring_PUSH , mylib:,", 1);
    CHECK_STR(tt_comm_kernel_library("void acme::Ring_push_kernel<float>"), "custom");
    CHECK_STR(tt_comm_op_library("mylib:all_reduce"), "custom");
    CHECK_STR(tt_comm_kernel_library("ncclDevKernel_AllReduce_Sum_f32_RING_LL"), "nccl");
    CHECK(!tt_comm_kernel_library("mylib:push") && !tt_comm_op_library("a mylib:all_reduce"));
    CHECK(!tt_comm_kernel_library("reduce_kernel") && !tt_comm_kernel_library(""));
    unsetenv(TT_COMM_VARIABLE);
}

/* Tables that nobody asked for must not fail either: compute every table on an empty trace and on a trace of one
 * slice. */
static void nothing_to_show(void)
{
    static const char *const texts[] = {"{\"traceEvents\":[]}", TRACE(X("cpu_op", "a", 1, 0, 0, "")),
                                        TRACE(DEV("kernel", "k", 3, 0, 0, "\"correlation\":1"))};
    for (int i = 0; i < 3; i++) {
        tt_session *s = load_text(texts[i]);
        if (!s) continue;
        for (uint32_t k = 0; k < tt_n_tables; k++)
            for (uint8_t g = 0; g < 3; g++) CHECK(get(s, tt_tables[k]->id, g) != NULL);
        tt_session_free(s);
    }
}

static void descriptions(void)
{
    for (uint32_t i = 0; i < tt_n_tables; i++) {
        const tt_table_desc *d = tt_tables[i];
        CHECK(d->id && d->title && d->meaning && d->compute && d->n_cols);
        for (uint32_t c = 0; c < d->n_cols; c++) {
            const tt_column *col = &d->cols[c];
            size_t n = strlen(col->key);
            CHECK(col->help && *col->help && col->title && *col->title);
            CHECK((col->type == TT_T_DURATION) == (n > 3 && strcmp(col->key + n - 3, "_ns") == 0 &&
                                                   !strstr(col->key, "at_ns") && !strstr(col->key, "unix_ns")));
            CHECK((col->type == TT_T_PERCENT) == (strstr(col->key, "pct") != NULL));
            CHECK((col->type == TT_T_BYTES) == (strstr(col->key, "bytes") != NULL));
        }
    }
}

int main(void)
{
    temp_begin();
    operators_and_links();
    useless_ids();
    crossing_and_steps();
    reached();
    counted();
    host_only();
    memory();
    modules();
    waiting();
    stages();
    names();
    nothing_to_show();
    descriptions();
    temp_end();
    return check_done();
}
