/* The operator trees of two runs, made by hand: matching places, unmatched places, and sums that stay equal. */
#include <stdbool.h>

#include "model/tables/registry/registry.h"
#include "model/tables/table.h"
#include "tests/unit/made.h"

typedef struct run { /* a trace being written; times are us */
    made_trace m;
    int correlation;
} run;

static void run_begin(run *r)
{
    *r = (run){0};
    made_begin(&r->m);
}

static tt_session *run_end(run *r, const char *file)
{
    fputs("{}]}\n", r->m.f);
    fclose(r->m.f);
    tt_session *s = load_trace(temp_file(file, r->m.text, r->m.len));
    free(r->m.text);
    return s;
}

static void op(run *r, const char *name, int ts, int dur)
{
    fprintf(r->m.f, "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"%s\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":%d},\n",
            name, ts, dur);
}

static void step(run *r, int number, int ts, int dur)
{
    fprintf(r->m.f,
            "{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"ProfilerStep#%d\",\"pid\":1,\"tid\":1,\"ts\":%d,"
            "\"dur\":%d},\n",
            number, ts, dur);
}

/* A call of 1 us launches the kernel, which starts 100 us later. */
static void kernel(run *r, const char *name, int ts, int dur)
{
    int id = ++r->correlation;
    fprintf(
        r->m.f,
        "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaLaunchKernel\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":1,"
        "\"args\":{\"correlation\":%d}},\n"
        "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"%s\",\"pid\":0,\"tid\":7,\"ts\":%d,\"dur\":%d,"
        "\"args\":{\"device\":0,\"stream\":7,\"correlation\":%d}},\n",
        ts, id, name, ts + 100, dur, id);
}

static const tt_table *compared(tt_session *base, tt_session *now, tt_comparison c)
{
    static uint64_t serial;
    c.base = base;
    c.serial = ++serial;
    tt_options o = {.compare = &c};
    return tt_table_get(now, tt_table_find("diff_operator_tree"), &tt_scope_all, &o);
}

static tt_cell cell(const tt_table *t, uint32_t row, const char *key)
{
    int col = tt_table_column(t, key);
    if (col < 0) return (tt_cell){.s = NULL}; /* an optional column without any value */
    return tt_table_cell(t, row, (uint32_t)col);
}

static uint32_t row_of(const tt_table *t, const char *path)
{
    for (uint32_t i = 0; i < t->n_rows; i++)
        if (!strcmp(cell(t, i, "path").s, path)) return i;
    fprintf(stderr, "    no row %s\n", path);
    CHECK(false);
    return 0;
}

static void check_row(const tt_table *t, const char *path, const char *base_name, const char *match, const char *change)
{
    uint32_t r = row_of(t, path);
    CHECK_STR(cell(t, r, "base_name").s, base_name);
    CHECK_STR(cell(t, r, "match").s, match);
    CHECK_STR(cell(t, r, "change").s, change);
}

static int64_t sum(const tt_table *t, const char *key, bool roots)
{
    int64_t all = 0;
    for (uint32_t i = 0; i < t->n_rows; i++)
        if (roots ? cell(t, i, "depth").i == 0 : cell(t, i, "is_device").i == 1) all += cell(t, i, key).i;
    return all;
}

/* Steps of linear { mm { kernel } }, relu { kernel }; with `dropout` a dropout { kernel } in between. */
static tt_session *layers(const char *file, int steps, bool dropout, int mm_us)
{
    run r;
    run_begin(&r);
    for (int i = 0; i < steps; i++) {
        int t = 1000 * i;
        step(&r, i + 5, t, 900);
        op(&r, "linear", t + 10, 40);
        op(&r, "mm", t + 20, 20);
        kernel(&r, "gemm_kernel", t + 25, mm_us + i);
        if (dropout) op(&r, "dropout", t + 60, 10);
        if (dropout) kernel(&r, "drop_kernel", t + 65, 3);
        op(&r, "relu", t + 80, 10 + i);
        kernel(&r, "relu_kernel", t + 85, 4);
    }
    return run_end(&r, file);
}

static void one_operator_more(void)
{
    tt_session *base = layers("base.pt.trace.json", 2, false, 100), *now = layers("new.pt.trace.json", 3, true, 120);
    const tt_table *t = compared(base, now, TT_COMPARISON_DEFAULT);
    static const char *const paths[] = {
        "linear", "linear/mm", "linear/mm/gemm_kernel", "dropout", "dropout/drop_kernel", "relu", "relu/relu_kernel"};
    uint32_t added = 0;
    CHECK_INT(t->n_rows, 7);
    for (uint32_t i = 0; i < t->n_rows && i < 7; i++) {
        CHECK_STR(cell(t, i, "path").s, paths[i]);
        bool new_row = !strncmp(paths[i], "dropout", 7);
        added += new_row && cell(t, i, "depth").i == 0;
        CHECK_STR(cell(t, i, "change").s, new_row ? "added" : "unchanged"); /* 2 calls in 2 steps, 3 calls in 3 */
        CHECK_INT(cell(t, i, "base_calls").i, new_row ? 0 : 2);
        CHECK_INT(cell(t, i, "new_calls").i, 3);
    }
    CHECK_INT(added, 1);
    /* means of the kernel: (100 + 101) / 2 = 100.5 us; (120 + 121 + 122) / 3 = 121 us */
    uint32_t mm = row_of(t, "linear/mm"), relu = row_of(t, "relu"), drop = row_of(t, "dropout");
    CHECK_INT(cell(t, mm, "base_device_total_ns").i, 100500);
    CHECK_INT(cell(t, mm, "new_device_total_ns").i, 121000);
    CHECK_INT(cell(t, mm, "delta_device_total_ns").i, 20500);
    CHECK(cell(t, mm, "ratio").d > 1.20398 && cell(t, mm, "ratio").d < 1.20399);
    CHECK_INT(cell(t, mm, "base_host_total_ns").i, 20000);
    CHECK_INT(cell(t, mm, "base_host_self_ns").i, 19000); /* without the launch */
    CHECK_INT(cell(t, row_of(t, "linear"), "base_host_self_ns").i, 20000);
    CHECK_INT(cell(t, relu, "base_host_total_ns").i, 10500);
    CHECK_INT(cell(t, relu, "delta_host_total_ns").i, 500);
    CHECK_INT(cell(t, drop, "base_device_total_ns").i, 0);
    CHECK_INT(cell(t, drop, "delta_device_total_ns").i, 3000);
    CHECK_INT(cell(t, row_of(t, "linear"), "accumulated_delta_ns").i, 20500);
    CHECK_INT(cell(t, drop, "accumulated_delta_ns").i, 23500);
    CHECK_INT(cell(t, relu, "accumulated_delta_ns").i, 23500);
    /* drop exists in the new run only */
    CHECK(t->drilldowns[drop].what == TT_DRILL_SLICES && t->base_drilldowns[drop].what == TT_DRILL_NONE);
    tt_slice_ref found[4];
    CHECK_INT(tt_drilldown_slices(base, &tt_scope_all, &t->base_drilldowns[mm], found, 4), 2);
    CHECK_INT(tt_drilldown_slices(now, &tt_scope_all, &t->drilldowns[mm], found, 4), 3);

    tt_comparison per_run = TT_COMPARISON_DEFAULT;
    per_run.per_run = true;
    t = compared(base, now, per_run);
    CHECK_STR(cell(t, row_of(t, "relu"), "change").s, "increased"); /* 2 calls against 3 */
    CHECK_INT(cell(t, row_of(t, "linear/mm"), "base_device_total_ns").i, 201000);
    CHECK_INT(sum(t, "base_device_total_ns", true), 201000 + 8000);
    CHECK_INT(sum(t, "new_device_total_ns", true), 363000 + 9000 + 12000);
    CHECK_INT(sum(t, "base_device_total_ns", false), 201000 + 8000);
    CHECK_INT(sum(t, "new_host_total_ns", true), 3 * 40000 + 3 * 10000 + 33000);

    tt_comparison skip = TT_COMPARISON_DEFAULT;
    skip.skip = 1; /* skips the first of 2 and the first of 3 steps */
    t = compared(base, now, skip);
    CHECK_INT(cell(t, row_of(t, "linear/mm"), "base_device_total_ns").i, 101000);
    CHECK_INT(cell(t, row_of(t, "linear/mm"), "new_device_total_ns").i, 121500);
    tt_session_free(now);
    tt_session_free(base);
}

/* The same program by two vendors and in two versions. */
static tt_session *vendor(const char *file, bool other)
{
    run r;
    run_begin(&r);
    op(&r, "conv", 0, 40);
    op(&r, other ? "miopen_conv" : "cudnn_conv", 10, 20);
    kernel(&r, other ? "Cijk_Ailk_Bljk_BBS_BH_MT16x64x64_MI16" : "volta_scudnn_128x64_relu_small_nn_v1", 15, 10);
    op(&r, other ? "run: ReluBackward0" : "ReluBackward1", 50, 40);
    if (other) op(&r, "ReluBackward0", 55, 30);
    op(&r, "threshold", 60, 20);
    kernel(&r, "threshold_kernel", 65, 7);
    op(&r, "linear", 100, 40);
    kernel(&r, other ? "ampere_sgemm_64x64_nn" : "volta_sgemm_128x64_nn", 105, 10);
    kernel(&r, other ? "ampere_sgemm_64x32_tn" : "volta_sgemm_32x32_tn", 110, 20);
    op(&r, other ? "first_1" : "second_1", 150, 40); /* different names with mostly the same kernels inside */
    kernel(&r, "one_kernel", 155, 10);
    op(&r, other ? "inner_new" : "inner_base", 170, 5); /* below a guessed match no guess is made */
    kernel(&r, "two_kernel", 160, 10);
    if (other) kernel(&r, "three_kernel", 165, 10);
    op(&r, other ? "alone_new" : "alone_base", 200, 40); /* different names, and one common kernel is not enough */
    kernel(&r, "one_kernel", 205, 10);
    return run_end(&r, file);
}

static void check_vendors(const tt_table *t, bool swapped)
{
    check_row(t, "conv", NULL, NULL, "unchanged");
    check_row(t, swapped ? "conv/cudnn_conv" : "conv/miopen_conv", swapped ? "miopen_conv" : "cudnn_conv", "place",
              "unchanged");
    check_row(t,
              swapped ? "conv/cudnn_conv/volta_scudnn_128x64_relu_small_nn_v1"
                      : "conv/miopen_conv/Cijk_Ailk_Bljk_BBS_BH_MT16x64x64_MI16",
              swapped ? "Cijk_Ailk_Bljk_BBS_BH_MT16x64x64_MI16" : "volta_scudnn_128x64_relu_small_nn_v1", "place",
              "unchanged");
    check_row(t, swapped ? "ReluBackward1" : "run: ReluBackward0", swapped ? "run: ReluBackward0" : "ReluBackward1",
              "version", "unchanged");
    check_row(t, swapped ? "ReluBackward1/ReluBackward1" : "run: ReluBackward0/ReluBackward0",
              swapped ? "ReluBackward0" : "ReluBackward1", "level", "unchanged");
    check_row(t, swapped ? "ReluBackward1/ReluBackward1/threshold" : "run: ReluBackward0/ReluBackward0/threshold", NULL,
              NULL, "unchanged");
    check_row(t, swapped ? "linear/volta_sgemm_128x64_nn" : "linear/ampere_sgemm_64x64_nn",
              swapped ? "ampere_sgemm_64x64_nn" : "volta_sgemm_128x64_nn", "version", "unchanged");
    check_row(t, swapped ? "second_1" : "first_1", swapped ? "first_1" : "second_1", "alike", "unchanged");
    check_row(t, swapped ? "second_1/three_kernel" : "first_1/three_kernel", NULL, NULL, swapped ? "deleted" : "added");
    check_row(t, swapped ? "second_1/inner_new" : "first_1/inner_new", NULL, NULL, swapped ? "deleted" : "added");
    check_row(t, "alone_base", NULL, NULL, swapped ? "added" : "deleted");
    check_row(t, "alone_new/one_kernel", NULL, NULL, swapped ? "deleted" : "added");
    CHECK_INT(sum(t, swapped ? "new_device_total_ns" : "base_device_total_ns", true), 10000 + 7000 + 30000 + 30000);
    CHECK_INT(sum(t, swapped ? "base_device_total_ns" : "new_device_total_ns", true), 10000 + 7000 + 30000 + 40000);
}

static void other_names(void)
{
    tt_session *base = vendor("cuda.pt.trace.json", false), *now = vendor("hip.pt.trace.json", true);
    const tt_table *t = compared(base, now, TT_COMPARISON_DEFAULT);
    check_vendors(t, false);
    check_vendors(compared(now, base, TT_COMPARISON_DEFAULT), true);
    /* A level may be shown twice, but its own time counts once. */
    CHECK_INT(cell(t, row_of(t, "run: ReluBackward0"), "base_host_self_ns").i, 20000);
    CHECK_INT(cell(t, row_of(t, "run: ReluBackward0/ReluBackward0"), "base_host_self_ns").i, 0);
    tt_comparison brief = TT_COMPARISON_DEFAULT;
    brief.short_names = true;
    t = compared(base, now, brief);
    check_row(t, "linear/sgemm_nn", NULL, NULL, "unchanged");
    tt_session_free(now);
    tt_session_free(base);
}

static void with_itself(void)
{
    tt_session *s = vendor("self.pt.trace.json", true);
    const tt_table *t = compared(s, s, TT_COMPARISON_DEFAULT);
    const tt_table *tree = tt_table_get(s, tt_table_find("operator_tree"), &tt_scope_all, &(tt_options){0});
    CHECK_INT(t->n_rows, tree->n_rows);
    for (uint32_t i = 0; i < t->n_rows; i++) {
        CHECK_STR(cell(t, i, "change").s, "unchanged");
        CHECK(!cell(t, i, "match").s);
        CHECK_INT(cell(t, i, "delta_device_total_ns").i, 0);
        CHECK_INT(cell(t, i, "accumulated_delta_ns").i, 0);
        if (!cell(t, i, "is_device").i) CHECK_INT(cell(t, i, "delta_host_total_ns").i, 0);
    }
    tt_session_free(s);
}

/* Operators of one family match the partner that launches the same kernels, not the next one. */
static tt_session *family(const char *file, bool later)
{
    run r;
    run_begin(&r);
    for (int i = 0; i < 2; i++) {
        int t = 100 * i;
        op(&r, later ? (i ? "AddBackward3" : "AddBackward2") : (i ? "AddBackward1" : "AddBackward0"), t, 50);
        kernel(&r, (i == 0) == later ? "sum_kernel" : "copy_kernel", t + 10, 10);
    }
    return run_end(&r, file);
}

static void likeness(void)
{
    tt_session *base = family("f0.pt.trace.json", false), *now = family("f1.pt.trace.json", true);
    const tt_table *t = compared(base, now, TT_COMPARISON_DEFAULT);
    CHECK_INT(t->n_rows, 4);
    check_row(t, "AddBackward2", "AddBackward1", "version", "unchanged");
    check_row(t, "AddBackward2/sum_kernel", NULL, NULL, "unchanged");
    check_row(t, "AddBackward3", "AddBackward0", "version", "unchanged");
    tt_session_free(now);
    tt_session_free(base);
}

/* Deep recursion, and thousands of operators without any match. */
static tt_session *large(const char *file, const char *lead)
{
    run r;
    char name[32];
    run_begin(&r);
    for (int i = 0; i < 2000; i++) op(&r, i % 2 ? "g" : "f", i, 10000 - 2 * i);
    for (int i = 0; i < 5000; i++) {
        snprintf(name, sizeof name, "%s_%d_x", lead, i);
        op(&r, name, 20000 + 10 * i, 8);
    }
    return run_end(&r, file);
}

static void large_trees(void)
{
    tt_session *base = large("l0.pt.trace.json", "a"), *now = large("l1.pt.trace.json", "b");
    const tt_table *t = compared(base, now, TT_COMPARISON_DEFAULT);
    CHECK_INT(t->n_rows, 2000 + 2 * 5000);
    CHECK(strlen(cell(t, 1999, "path").s) < 300);
    tt_session_free(now);
    tt_session_free(base);
}

/* A side without operators has 0 calls for each operator of the other side: added. */
static void empty_side(void)
{
    run r;
    run_begin(&r);
    kernel(&r, "gemm_kernel", 10, 5);
    tt_session *base = run_end(&r, "bare.pt.trace.json"), *now = layers("full.pt.trace.json", 1, false, 100);
    const tt_table *t = compared(base, now, TT_COMPARISON_DEFAULT);
    static const char *const keys[] = {"base_calls", "base_host_total_ns", "base_device_total_ns"};
    uint32_t mm = row_of(t, "linear/mm");
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) CHECK_INT(cell(t, mm, keys[i]).i, 0);
    CHECK_STR(cell(t, mm, "change").s, "added");
    CHECK_INT(cell(t, mm, "delta_device_total_ns").i, 100000);
    CHECK_INT(cell(t, mm, "new_device_total_ns").i, 100000);
    CHECK_INT(cell(t, mm, "new_calls").i, 1);
    tt_session_free(now);
    tt_session_free(base);
}

static void nothing(void)
{
    tt_session *s = layers("alone.pt.trace.json", 1, false, 1);
    const tt_table *t = tt_table_get(s, tt_table_find("diff_operator_tree"), &tt_scope_all, &(tt_options){0});
    CHECK_INT(t->n_rows, 0);
    CHECK(t->note && strstr(t->note, "tracetty diff"));
    tt_session_free(s);
}

int main(void)
{
    temp_begin();
    one_operator_more();
    other_names();
    with_itself();
    likeness();
    large_trees();
    empty_side();
    nothing();
    temp_end();
    return check_done();
}
