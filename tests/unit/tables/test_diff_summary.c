/* Comparing two runs: steps, the parts of the mean step and memory, with numbers computed by hand. Times are us in the
 * traces and ns in the tables. */
#include <math.h>
#include <stdlib.h>

#include "model/tables/compare/change.h"
#include "model/tables/registry/registry.h"
#include "model/tables/table.h"
#include "parser/load.h"
#include "tests/unit/check.h"
#include "tests/unit/tempdir.h"

#define X(cat, name, ts, dur, args)                                                                                    \
    "{\"ph\":\"X\",\"cat\":\"" cat "\",\"name\":\"" name "\",\"pid\":1,\"tid\":7,\"ts\":" #ts ",\"dur\":" #dur         \
    ",\"args\":{" args "}},\n"
#define STEP(n, ts, dur) X("user_annotation", "ProfilerStep#" #n, ts, dur, "")
#define OP(name, ts, dur) X("cpu_op", name, ts, dur, "")
#define LAUNCH(ts, id) X("cuda_runtime", "cudaLaunchKernel", ts, 2, "\"correlation\":" #id)
#define WORK(cat, name, device, ts, dur, id) ON(7, cat, name, device, ts, dur, id)
#define ON(stream, cat, name, device, ts, dur, id)                                                                     \
    "{\"ph\":\"X\",\"cat\":\"" cat "\",\"name\":\"" name "\",\"pid\":" #device ",\"tid\":" #stream ",\"ts\":" #ts      \
    ",\"dur\":" #dur ",\"args\":{\"device\":" #device ",\"stream\":" #stream ",\"correlation\":" #id "}},\n"
#define KERNEL(ts, dur, id) WORK("kernel", "gemm", 0, ts, dur, id)
#define MEMORY(ts, addr, bytes, total)                                                                                 \
    "{\"ph\":\"i\",\"cat\":\"cpu_instant_event\",\"name\":\"[memory]\",\"pid\":1,\"tid\":7,\"ts\":" #ts                \
    ",\"args\":{\"Device Type\":1,\"Device Id\":0,\"Addr\":" #addr ",\"Bytes\":" #bytes ",\"Total Allocated\":" #total \
    ",\"Total Reserved\":" #total "}},\n"
#define TRACE(events) "{\"schemaVersion\":1,\"traceEvents\":[\n" events "{}]}\n"

/* Step 1, [0, 100): the device waits for the host until 14 (10 between operators, 2 in the operator, 2 in the call)
 * and 6 more for the launch; 40 of computation; a copy of 10, launched in time but queued for 10; then idle until the
 * next step's launch, with the host between operators. */
#define FIRST_STEP                                                                                                     \
    STEP(1, 0, 100)                                                                                                    \
    OP("aten::mm", 10, 10) LAUNCH(12, 1) KERNEL(20, 40, 1) LAUNCH(30, 2) WORK("gpu_memcpy", "Memcpy HtoD", 0, 70, 10, 2)
/* Step 2, [100, 200): the same wait of 20, `dur` of computation, then the host is between operators. Both steps have
 * the same amount of work, because a step with less would count as cut off by the recording. */
#define SECOND_STEP(dur)                                                                                               \
    STEP(2, 100, 100)                                                                                                  \
    OP("aten::mm", 110, 10) LAUNCH(112, 3) KERNEL(120, dur, 3) LAUNCH(130, 5) ON(8, "kernel", "gemm", 0, 140, 5, 5)

static const char two_steps[] = TRACE(FIRST_STEP SECOND_STEP(50) MEMORY(11, 4096, 1000, 1000)
                                          MEMORY(111, 8192, 500, 1500) MEMORY(150, 8192, -500, 1000));
static const char three_steps[] =
    TRACE(FIRST_STEP SECOND_STEP(60) STEP(3, 200, 101) OP("aten::relu", 210, 10) LAUNCH(212, 4) KERNEL(220, 71, 4)
              LAUNCH(230, 6) ON(8, "kernel", "gemm", 0, 240, 5, 6) MEMORY(11, 4096, 1000, 1000)
                  MEMORY(211, 8192, 3000, 4000));

static tt_session *load(const char *const *text, uint32_t n, const char *name)
{
    const char *paths[2];
    char file[2][64];
    for (uint32_t i = 0; i < n; i++) {
        snprintf(file[i], sizeof file[i], "%s%u.pt.trace.json", name, i);
        paths[i] = strdup(temp_file(file[i], text[i], strlen(text[i])));
    }
    tt_load_options o = {.threads = 2};
    tt_err err = {0};
    tt_session *s = tt_load_finish(tt_load_start(paths, n, &o), NULL, &err);
    CHECK(s != NULL && s->n_traces == n);
    if (!s) fprintf(stderr, "%s\n", err.message);
    for (uint32_t i = 0; i < n; i++) free((char *)paths[i]);
    return s;
}

static tt_session *load_one(const char *text, const char *name) { return load(&text, 1, name); }

static const tt_table *table(tt_session *s, const char *id, const tt_comparison *c, const tt_scope *scope)
{
    tt_options o = {.compare = c};
    return tt_table_get(s, tt_table_find(id), scope ? scope : &tt_scope_all, &o);
}

static tt_comparison against(tt_session *base)
{
    tt_comparison c = TT_COMPARISON_DEFAULT;
    c.base = base;
    return c;
}

static tt_cell cell(const tt_table *t, int row, const char *key)
{
    int c = tt_table_column(t, key);
    return row < 0 || c < 0 ? (tt_cell){.i = -1} : tt_table_cell(t, (uint32_t)row, (uint32_t)c);
}

static int row_of(const tt_table *t, const char *key, const char *name)
{
    int c = tt_table_column(t, key);
    for (uint32_t r = 0; c >= 0 && r < t->n_rows; r++)
        if (!strcmp(tt_table_cell(t, r, (uint32_t)c).s, name)) return (int)r;
    return -1;
}

static void check_metric(const tt_table *t, const char *metric, int64_t base, int64_t now, int64_t delta, double p)
{
    int row = row_of(t, "metric", metric);
    const char *unit = strcmp(metric, "peak_memory") != 0 ? "ns" : "bytes";
    char key[32];
    CHECK(row >= 0);
    snprintf(key, sizeof key, "base_%s", unit);
    CHECK_INT(cell(t, row, key).i, base);
    snprintf(key, sizeof key, "new_%s", unit);
    CHECK_INT(cell(t, row, key).i, now);
    snprintf(key, sizeof key, "delta_%s", unit);
    CHECK_INT(cell(t, row, key).i, delta);
    CHECK(isnan(p) ? isnan(cell(t, row, "p_value").d) : fabs(cell(t, row, "p_value").d - p) < 1e-12);
}

static void check_cause(const tt_table *t, uint32_t row, const char *name, int64_t base, int64_t now)
{
    CHECK(row < t->n_rows);
    if (row >= t->n_rows) return;
    CHECK_STR(cell(t, (int)row, "cause").s, name);
    CHECK_INT(cell(t, (int)row, "base_ns").i, base);
    CHECK_INT(cell(t, (int)row, "new_ns").i, now);
    CHECK_INT(cell(t, (int)row, "delta_ns").i, now - base);
}

static int64_t sum_of(const tt_table *t, const char *key)
{
    int64_t sum = 0;
    for (uint32_t r = 0; r < t->n_rows; r++) sum += cell(t, (int)r, key).i;
    return sum;
}

/* With 2 and 3 samples U = 0 ... 6 has 1 1 2 2 2 1 1 of the 10 orderings. */
static void metrics(tt_session *base, tt_session *now)
{
    tt_comparison c = against(base);
    const tt_table *t = table(now, "diff_summary", &c, NULL);
    CHECK_INT(t->n_rows, 7);
    check_metric(t, "step", 100000, 100000, 0, 0.8); /* {100, 100} {100, 100, 101}: U = 4, from the other side 2 */
    check_metric(t, "computation", 45000, 60000, 15000, 0.8); /* {40, 50} {40, 60, 71}: U = 4.5, 1.5 rounded up */
    check_metric(t, "communication_exposed", 0, 0, 0, 1);
    check_metric(t, "copy_exposed", 5000, 0, 0, 1); /* {10, 0} {10, 0, 0}: -10 -10 0 0 0 10; U = 2.5 of 6 */
    check_metric(t, "idle", 50000, 40000, -10000, 0.4);
    check_metric(t, "host", 50000, 40000, -10000, 0.4);
    check_metric(t, "peak_memory", 1250, 1000, 0, 1); /* {1000, 1500} {1000, 1000, 4000}: U = 3 of 6 */
    int step = row_of(t, "metric", "step");
    CHECK(cell(t, step, "base_steps").i == 2 && cell(t, step, "new_steps").i == 3);
    CHECK(cell(t, step, "low_ns").i == TT_UNKNOWN && cell(t, step, "high_ns").i == TT_UNKNOWN);
    CHECK_STR(cell(t, step, "verdict").s, "unclear");
    CHECK(fabs(cell(t, row_of(t, "metric", "computation"), "delta_pct").d - 100.0 / 3) < 1e-9);
    CHECK(isnan(cell(t, row_of(t, "metric", "communication_exposed"), "delta_pct").d));
    /* at 60 % the interval leaves out 2 of 10 orderings at either end: the second smallest and second largest of -20
     * -20 -10 -10 0 0 */
    c.confidence = 60;
    t = table(now, "diff_summary", &c, NULL);
    int idle = row_of(t, "metric", "idle");
    CHECK(cell(t, idle, "low_ns").i == -20000 && cell(t, idle, "high_ns").i == 0);
    /* the median of the new run, 60, is its second step; both steps of the base are equally far from its median, 45 */
    int computation = row_of(t, "metric", "computation");
    CHECK(t->drilldowns[computation].what == TT_DRILL_RANGE && t->base_drilldowns[computation].what == TT_DRILL_RANGE);
    CHECK_INT(t->drilldowns[computation].t0, 100000);
    CHECK_INT(t->base_drilldowns[computation].t0, 0);
    CHECK_INT(t->drilldowns[row_of(t, "metric", "peak_memory")].t0, 11000);
}

static void as_a_whole(tt_session *base, tt_session *now)
{
    tt_comparison c = against(base);
    c.per_run = true;
    const tt_table *t = table(now, "diff_summary", &c, NULL);
    check_metric(t, "step", 200000, 301000, 101000, (double)NAN);
    check_metric(t, "computation", 90000, 171000, 81000, (double)NAN);
    check_metric(t, "idle", 100000, 120000, 20000, (double)NAN);
    check_metric(t, "peak_memory", 1500, 4000, 2500, (double)NAN);
    CHECK(cell(t, 0, "verdict").s == NULL && cell(t, 0, "low_ns").i == TT_UNKNOWN &&
          cell(t, 0, "base_steps").i == TT_UNKNOWN);
    CHECK(fabs(cell(t, 0, "delta_pct").d - 50.5) < 1e-9);
    t = table(now, "diff_causes", &c, NULL);
    CHECK_INT(sum_of(t, "base_ns"), 200000);
    CHECK_INT(sum_of(t, "new_ns"), 301000);
}

/* Sums of the new run's three steps, in us: 171 10 80 6 6 18 10. A third of 301 is 100333 ns; the rounded parts sum up
 * to 1 ns less, which computation gets. */
static void causes(tt_session *base, tt_session *now)
{
    tt_comparison c = against(base);
    const tt_table *t = table(now, "diff_causes", &c, NULL);
    CHECK_INT(t->n_rows, 8);
    check_cause(t, 0, "computation", 45000, 57001);
    check_cause(t, 1, "between", 35000, 26666);
    check_cause(t, 2, "copy_exposed", 5000, 3333);
    check_cause(t, 3, "queue", 5000, 3333);
    check_cause(t, 4, "communication_exposed", 0, 0);
    check_cause(t, 5, "runtime", 2000, 2000);
    check_cause(t, 6, "operator", 2000, 2000);
    check_cause(t, 7, "launch", 6000, 6000);
    CHECK_INT(sum_of(t, "base_ns"), 100000);
    CHECK_INT(sum_of(t, "new_ns"), 100333);
    CHECK_INT(sum_of(t, "delta_ns"), 333);
    CHECK(fabs(cell(t, 0, "share_pct").d - 100.0 * 12001 / 333) < 1e-9);
    /* the last step has the most computation; the gap at the end of the base has the longest stretch between
     * operators, 30 us */
    CHECK(t->drilldowns[0].t0 == 200000 && t->base_drilldowns[0].t0 == 100000);
    CHECK(t->base_drilldowns[1].t0 == 170000 && t->base_drilldowns[1].t1 == 200000);
    CHECK(t->drilldowns[4].what == TT_DRILL_NONE);
    c = against(now);
    t = table(now, "diff_causes", &c, NULL);
    CHECK_INT(sum_of(t, "delta_ns"), 0);
    CHECK(isnan(cell(t, 0, "share_pct").d)); /* a share of nothing */
}

static void memory(tt_session *base, tt_session *now)
{
    tt_comparison c = against(base);
    const tt_table *t = table(now, "diff_memory", &c, NULL);
    CHECK_INT(t->n_rows, 2);
    CHECK_STR(cell(t, 0, "name").s, "aten::relu");
    CHECK_STR(cell(t, 0, "change").s, "added");
    CHECK(cell(t, 0, "base_peak_bytes").i == 0 && cell(t, 0, "new_peak_bytes").i == 3000);
    CHECK(cell(t, 0, "base_allocations").i == 0 && cell(t, 0, "new_allocations").i == 1);
    CHECK_STR(cell(t, 1, "name").s, "aten::mm");
    CHECK_STR(cell(t, 1, "change").s, "decreased");
    CHECK_INT(cell(t, 1, "delta_bytes").i, -500);
    CHECK(cell(t, 1, "base_allocations").i == 2 && cell(t, 1, "new_allocations").i == 1);
    CHECK(t->drilldowns[0].what == TT_DRILL_RANGE && t->drilldowns[0].t0 == 211000);
    CHECK(t->base_drilldowns[0].what == TT_DRILL_NONE && t->base_drilldowns[1].t0 == 11000);
}

/* Compare two steps of one run: the base is the session itself. */
static void two_steps_of_one_run(tt_session *s)
{
    tt_comparison c = against(s);
    tt_scope last = tt_scope_all;
    c.base_scope.has_steps = last.has_steps = true;
    c.base_scope.step_first = c.base_scope.step_last = 2;
    last.step_first = last.step_last = 3;
    const tt_table *t = table(s, "diff_summary", &c, &last);
    check_metric(t, "step", 100000, 101000, 1000, 1);
    check_metric(t, "computation", 60000, 71000, 11000, 1);
    CHECK_STR(cell(t, 0, "verdict").s, "unclear");
    t = table(s, "diff_causes", &c, &last);
    check_cause(t, 0, "computation", 60000, 71000);
    check_cause(t, 1, "between", 30000, 20000); /* 10 before the operator, and 20 or 10 at the end */
    CHECK_INT(sum_of(t, "delta_ns"), 1000);
}

static void nothing_to_compare(tt_session *s)
{
    static const char *const ids[] = {"diff_summary", "diff_causes", "diff_memory"};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        const tt_table *t = table(s, ids[i], NULL, NULL);
        CHECK(!t->n_rows && t->note && strstr(t->note, "tracetty diff BASE NEW"));
    }
    tt_comparison c = against(s);
    c.base_scope.has_steps = true;
    c.base_scope.step_first = c.base_scope.step_last = 77;
    CHECK_INT(table(s, "diff_causes", &c, NULL)->n_rows, 0);
}

/* ---- several workers and devices ---- */

/* Two workers with one step of 100 and of 121: the step is the longer one with that worker's parts; other values are
 * means, (40 + 51) / 2. */
static void workers(void)
{
    static const char *const of[] = {TRACE(FIRST_STEP SECOND_STEP(50)),
                                     TRACE(STEP(1, 0, 121) OP("aten::mm", 10, 10) LAUNCH(12, 1) KERNEL(20, 51, 1))};
    tt_session *s = load(of, 2, "worker");
    if (!s) return;
    tt_comparison c = against(s);
    const tt_table *t = table(s, "diff_summary", &c, NULL);
    check_metric(t, "step", 121000, 121000, 0, 1); /* worker 1 has one step, so one sample counts */
    check_metric(t, "computation", 45500, 45500, 0, 1);
    check_metric(t, "idle", 60000, 60000, 0, 1);                   /* (50 + 70) / 2 */
    check_metric(t, "host", 121000 - 50500, 121000 - 50500, 0, 1); /* 121 - (50 + 51) / 2: the faster one waits */
    t = table(s, "diff_causes", &c, NULL);
    CHECK_INT(sum_of(t, "base_ns"), 121000);
    check_cause(t, 0, "computation", 51000, 51000);
    tt_session_free(s);
}

/* Device 0 computes for 40, device 1 for 21: the step shows the mean, rounded down after the sum. */
static void devices(void)
{
    tt_session *s = load_one(
        TRACE(STEP(1, 0, 100) LAUNCH(12, 1) KERNEL(20, 40, 1) LAUNCH(30, 2) WORK("kernel", "gemm", 1, 50, 21, 2)),
        "devices");
    if (!s) return;
    tt_comparison c = against(s);
    const tt_table *t = table(s, "diff_summary", &c, NULL);
    check_metric(t, "computation", 30500, 30500, 0, 1);
    check_metric(t, "idle", 69500, 69500, 0, 1);
    t = table(s, "diff_causes", &c, NULL);
    CHECK_INT(sum_of(t, "base_ns"), 100000);
    check_cause(t, 0, "computation", 30500, 30500);
    tt_session_free(s);
}

/* A run without devices has the parts of step_breakdown and no metric of devices, instead of 0. */
static void on_the_host(tt_session *with_device)
{
    tt_session *s =
        load_one(TRACE(STEP(1, 0, 100) OP("aten::mm", 10, 30) STEP(2, 100, 100) OP("aten::mm", 110, 40)), "host");
    if (!s) return;
    tt_comparison c = against(s);
    const tt_table *t = table(s, "diff_summary", &c, NULL);
    CHECK_INT(t->n_rows, 1);
    check_metric(t, "step", 100000, 100000, 0, 1);
    t = table(s, "diff_causes", &c, NULL);
    CHECK_INT(t->n_rows, 2);
    check_cause(t, 0, "cpu_exec", 35000, 35000);
    check_cause(t, 1, "other", 65000, 65000);
    /* only one side has devices: its numbers have no delta */
    t = table(with_device, "diff_summary", &c, NULL);
    check_metric(t, "computation", TT_UNKNOWN, 60000, TT_UNKNOWN, (double)NAN);
    CHECK(cell(t, 1, "verdict").s == NULL && cell(t, 1, "base_steps").i == 0);
    t = table(with_device, "diff_causes", &c, NULL);
    int kernel = row_of(t, "cause", "kernel");
    CHECK(cell(t, kernel, "base_ns").i == TT_UNKNOWN && cell(t, kernel, "new_ns").i == 57000 &&
          cell(t, kernel, "delta_ns").i == TT_UNKNOWN);
    tt_session_free(s);
}

int main(void)
{
    temp_begin();
    tt_session *base = load_one(two_steps, "base"), *now = load_one(three_steps, "new");
    if (base && now) {
        metrics(base, now);
        as_a_whole(base, now);
        causes(base, now);
        memory(base, now);
        two_steps_of_one_run(now);
        nothing_to_compare(now);
        workers();
        devices();
        on_the_host(now);
    }
    tt_session_free(now); /* the comparison's tables need both sessions */
    tt_session_free(base);
    temp_end();
    return check_done();
}
