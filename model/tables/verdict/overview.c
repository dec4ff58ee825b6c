/* model/tables/verdict/overview.c - table overview: the content of the first screen, as rows.
 *
 * A row has a kind (`what`), the table that its number is from (`source`), and the number. Each number is computed
 * once, by that table; here they are collected, and parts get shares that add up. The screen, Markdown and the list
 * of runs show these values. */
#include <stdlib.h>
#include <string.h>

#include "model/hang/hang.h"
#include "model/tables/analysis/device/kernel_sums.h"
#include "model/tables/cells.h"
#include "model/tables/findings/claims/columns.h"
#include "model/tables/findings/ranking.h"
#include "model/tables/findings/tables.h"
#include "model/tables/idle/columns.h"
#include "model/tables/idle/gpu_time.h"
#include "model/tables/idle/idle_scope.h"
#include "model/tables/idle/tables.h"
#include "model/tables/steps/account.h"
#include "model/tables/steps/step_breakdown.h"
#include "model/tables/table_util.h"
#include "model/tables/trace_rows.h"
#include "model/tables/verdict/columns.h"
#include "model/tables/verdict/parts.h"

static const tt_column columns[] = {
    [TT_OVERVIEW_WHAT] =
        COL("what", "What", STRING, 0,
            "window (the account), device (the strip), part (the bar), class (of kernels), finding, verdict (the first "
            "line)"),
    [TT_OVERVIEW_NAME] =
        COL("name", "Name", STRING, 0,
            "of a window steps, recording, range or device; of a finding and the verdict its id; else of the part or "
            "class"),
    [TT_OVERVIEW_DEVICE] =
        COL("device", "Device", STRING, 0, "device that the row is about; unknown: all of the worker, or none"),
    [TT_OVERVIEW_TIME] =
        COL("time_ns", "Time", DURATION, 0,
            "length of the account; time that a device is busy; of a part over all devices of the worker"),
    [TT_OVERVIEW_PCT] = COL(
        "pct", "%", PERCENT, 0,
        "share of the account; of parts in tenths that add up to 100; of findings the number that the rule looks at"),
    [TT_OVERVIEW_COUNT] =
        COL("count", "Count", COUNT, 1, "complete steps of the account; kernels of a class; waits of a finding"),
    [TT_OVERVIEW_TEXT] =
        COL("text", "Text", STRING, 0, "the sentence of a finding; of the verdict the first line of the screen"),
    [TT_OVERVIEW_SOURCE] = COL("source", "Source", STRING, 2, "table and column that the number is of"),
};

typedef struct overview { /* inputs of a trace's rows */
    const tt_query *q;
    tt_table *t;
    tt_account account;
    const tt_table *gpu_time, *idle_causes, *findings;
    uint32_t first_device, n_devices; /* its rows in gpu_time */
} overview;

/* Text of a cell, NULL = unknown. */
static const char *text_of(const tt_table *t, uint32_t row, uint32_t column)
{
    const char *text = tt_cell_s(t, row, column);
    return *text ? text : NULL;
}

/* The shared table, computed once for all users. */
static const tt_table *table_of(const tt_query *q, const tt_table_desc *d)
{
    tt_options o = {.device_window = q->options.device_window};
    return tt_table_get(q->session, d, q->scope, &o);
}

static uint32_t add_row(overview *o, const char *what, const char *name, int64_t ns, double pct, const char *source)
{
    uint32_t row = tt_table_add(o->t);
    tt_set_ref(o->t, row, TT_OVERVIEW_WHAT, what);
    tt_set_ref(o->t, row, TT_OVERVIEW_NAME, name);
    tt_set_i(o->t, row, TT_OVERVIEW_TIME, ns);
    tt_set_d(o->t, row, TT_OVERVIEW_PCT, pct);
    tt_set_ref(o->t, row, TT_OVERVIEW_SOURCE, source);
    return row;
}

static void put_drilldown(overview *o, uint32_t row, const tt_table *from, uint32_t of)
{
    if (from->drilldowns && from->drilldowns[of].what != TT_DRILL_NONE)
        *tt_set_drilldown(o->t, row) = from->drilldowns[of];
}

/* Length of the account of every device in gpu_time; unknown if devices have windows of their own. */
static int64_t window_ns(const overview *o)
{
    int64_t ns = o->n_devices ? tt_cell_i(o->gpu_time, o->first_device, TT_GPU_TIME_TOTAL) : o->account.ns;
    for (uint32_t i = 1; i < o->n_devices; i++)
        if (tt_cell_i(o->gpu_time, o->first_device + i, TT_GPU_TIME_TOTAL) != ns) ns = TT_UNKNOWN;
    return o->q->options.device_window ? TT_UNKNOWN : ns;
}

static void put_window(overview *o)
{
    const char *name = o->q->options.device_window ? "device" : tt_account_kind_name[o->account.kind];
    uint32_t row =
        add_row(o, "window", name, window_ns(o), 100, o->n_devices ? "gpu_time.total_ns" : "step_breakdown.total_ns");
    if (o->account.steps && !o->q->options.device_window) tt_set_i(o->t, row, TT_OVERVIEW_COUNT, o->account.steps);
    const tt_ivs *time = &o->account.time;
    if (time->n) tt_set_range(o->q, o->t, row, time->at[0].t0, time->at[time->n - 1].t1);
}

static void put_devices(overview *o)
{
    for (uint32_t i = 0; i < o->n_devices; i++) {
        uint32_t of = o->first_device + i;
        int64_t busy = tt_cell_i(o->gpu_time, of, TT_GPU_TIME_BUSY);
        uint32_t row =
            add_row(o, "device", NULL, busy,
                    tt_pct((double)busy, (double)tt_cell_i(o->gpu_time, of, TT_GPU_TIME_TOTAL)), "gpu_time.busy_ns");
        tt_set_s(o->t, row, TT_OVERVIEW_DEVICE, text_of(o->gpu_time, of, TT_GPU_TIME_DEVICE));
        put_drilldown(o, row, o->gpu_time, of);
    }
}

/* Sum the parts of the trace's devices: work and waits; source: the table of each part. */
static void device_parts(const overview *o, int64_t ns[TT_ACCOUNT_PARTS], const char *source[TT_ACCOUNT_PARTS])
{
    static const struct {
        tt_account_part part;
        uint32_t column;
        const char *source;
    } of[] = {{TT_ACCOUNT_COMPUTE, TT_GPU_TIME_COMPUTATION, "gpu_time.computation_ns"},
              {TT_ACCOUNT_COMMUNICATION, TT_GPU_TIME_COMMUNICATION_EXPOSED, "gpu_time.communication_exposed_ns"},
              {TT_ACCOUNT_COPY, TT_GPU_TIME_COPY_EXPOSED, "gpu_time.copy_exposed_ns"}};
    for (size_t k = 0; k < COUNT_OF(of); k++) {
        source[of[k].part] = of[k].source;
        for (uint32_t i = 0; i < o->n_devices; i++) {
            int64_t v = tt_cell_i(o->gpu_time, o->first_device + i, of[k].column);
            if (v > 0) ns[of[k].part] += v;
        }
    }
    tt_row_list own = tt_rows_of_trace(o->q, o->t, o->idle_causes);
    for (uint32_t k = 0; k < own.n; k++) {
        uint32_t r = own.at[k];
        const char *name = text_of(o->idle_causes, r, TT_IDLE_CAUSES_CAUSE);
        int64_t v = tt_cell_i(o->idle_causes, r, TT_IDLE_CAUSES_IDLE);
        if (v <= 0) continue;
        ns[tt_account_part_of_wait(tt_wait_named(name))] += v;
    }
    for (int p = TT_ACCOUNT_FIRST_IDLE; p < TT_ACCOUNT_FIRST_HOST; p++) source[p] = "idle_causes.idle_ns";
}

/* Sum the parts of the host if no device worked: priorities of step_breakdown over the account. */
static void host_parts(const overview *o, int64_t ns[TT_ACCOUNT_PARTS], const char *source[TT_ACCOUNT_PARTS])
{
    static const struct {
        tt_account_part part;
        const char *source;
    } of[TT_PART_COUNT_] = {
        [TT_TIME_KERNEL] = {TT_ACCOUNT_COMPUTE, "step_breakdown.kernel_ns"},
        [TT_TIME_MEMCPY] = {TT_ACCOUNT_COPY, "step_breakdown.memcpy_ns"},
        [TT_TIME_MEMSET] = {TT_ACCOUNT_COPY, "step_breakdown.memset_ns"},
        [TT_TIME_COMMUNICATION] = {TT_ACCOUNT_HOST_COMMUNICATION, "step_breakdown.communication_ns"},
        [TT_TIME_RUNTIME] = {TT_ACCOUNT_HOST_RUNTIME, "step_breakdown.runtime_ns"},
        [TT_TIME_DATALOADER] = {TT_ACCOUNT_HOST_INPUT, "step_breakdown.dataloader_ns"},
        [TT_TIME_CPU] = {TT_ACCOUNT_HOST_CPU, "step_breakdown.cpu_exec_ns"},
        [TT_PART_OTHER] = {TT_ACCOUNT_HOST_OTHER, "step_breakdown.other_ns"},
    };
    const tt_ivs *time = &o->account.time;
    tt_step_parts *at = tt_calloc(time->n + 1, sizeof *at);
    if (time->n) tt_breakdown_of(o->q->session, o->q->trace, time->at, time->n, at);
    for (int k = 0; k < TT_PART_COUNT_; k++) {
        source[of[k].part] = of[k].source;
        for (size_t i = 0; i < time->n; i++) ns[of[k].part] += at[i].part[k];
    }
    free(at);
}

static void put_parts(overview *o)
{
    int64_t ns[TT_ACCOUNT_PARTS] = {0};
    const char *source[TT_ACCOUNT_PARTS] = {NULL};
    int permille[TT_ACCOUNT_PARTS];
    if (o->n_devices)
        device_parts(o, ns, source);
    else
        host_parts(o, ns, source);
    tt_account_permille(ns, TT_ACCOUNT_PARTS, permille);
    if (!o->account.ns) permille[TT_ACCOUNT_HOST_OTHER] = 1000; /* no recorded time: all of it is unknown */
    for (int p = 0; p < TT_ACCOUNT_PARTS; p++)
        if (ns[p] || (!o->account.ns && permille[p]))
            add_row(o, "part", tt_account_part_name[p], ns[p], permille[p] / 10.0, source[p]);
}

/* Add kernels of all devices in the account, by class, largest first, ties in list order. */
static void put_classes(overview *o)
{
    const tt_device_work *w = tt_device_work_get(o->q->session, o->q->trace);
    tt_kernel_sums sum = {.all_ns = 0};
    bool put_already[TT_KERNEL_CLASS_COUNT_] = {false};
    for (uint32_t d = 0; d < w->n_devices; d++) {
        tt_ivs time = tt_idle_time(o->q, &o->account, &w->devices[d]);
        tt_kernel_sums own = tt_kernel_sums_of(o->q->session, o->q->trace, d, &time);
        for (int c = 0; c < TT_KERNEL_CLASS_COUNT_; c++) sum.ns[c] += own.ns[c], sum.calls[c] += own.calls[c];
        sum.all_ns += own.all_ns;
        tt_vec_free(&time);
    }
    for (int n = 0; n < TT_KERNEL_CLASS_COUNT_; n++) {
        int most = -1;
        for (int c = 0; c < TT_KERNEL_CLASS_COUNT_; c++)
            if (!put_already[c] && (most < 0 || sum.ns[c] > sum.ns[most])) most = c;
        put_already[most] = true;
        if (!sum.calls[most]) continue;
        uint32_t row = add_row(o, "class", tt_kernel_class_name((tt_kernel_class)most), sum.ns[most],
                               tt_pct((double)sum.ns[most], (double)sum.all_ns), "kernels.total_ns");
        tt_set_i(o->t, row, TT_OVERVIEW_COUNT, sum.calls[most]);
    }
}

static uint32_t put_finding(overview *o, const char *what, uint32_t of)
{
    const tt_table *f = o->findings;
    uint32_t row =
        add_row(o, what, NULL, tt_cell_i(f, of, TT_FINDING_TIME), tt_cell_d(f, of, TT_FINDING_VALUE_PCT), "findings");
    tt_set_s(o->t, row, TT_OVERVIEW_NAME, text_of(f, of, TT_FINDING_ID));
    tt_set_s(o->t, row, TT_OVERVIEW_DEVICE, text_of(f, of, TT_FINDING_DEVICE));
    tt_set_i(o->t, row, TT_OVERVIEW_COUNT, tt_cell_i(f, of, TT_FINDING_COUNT));
    tt_set_s(o->t, row, TT_OVERVIEW_TEXT, text_of(f, of, TT_FINDING_TITLE));
    put_drilldown(o, row, f, of);
    return row;
}

/* Add the least busy device in scope: the subject of the sentence where nothing was found. */
static void put_nothing_found(overview *o)
{
    const tt_table *g = o->gpu_time;
    uint32_t least = tt_gpu_time_least_busy(g);
    uint32_t row = add_row(o, "verdict", NULL, TT_UNKNOWN, NAN, least == TT_NONE ? "findings" : "gpu_time.busy_ns");
    tt_set_s(o->t, row, TT_OVERVIEW_TEXT, o->findings->note);
    if (least == TT_NONE) return;
    int64_t busy = tt_cell_i(g, least, TT_GPU_TIME_BUSY);
    tt_set_s(o->t, row, TT_OVERVIEW_DEVICE, text_of(g, least, TT_GPU_TIME_DEVICE));
    tt_set_i(o->t, row, TT_OVERVIEW_TIME, busy);
    tt_set_d(o->t, row, TT_OVERVIEW_PCT, tt_pct((double)busy, (double)tt_cell_i(g, least, TT_GPU_TIME_TOTAL)));
}

/* Add the verdict: the first trace speaks for all, as there is one first line. */
static void put_verdict(overview *o)
{
    const tt_table *f = o->findings;
    const tt_hang *h = tt_hang_get(o->q->session);
    if (!tt_query_is_first(o->q)) return;
    if (h) {
        uint32_t row = add_row(o, "verdict", h->n_faults ? "hang" : NULL, TT_UNKNOWN, NAN, "hang_faults");
        tt_set_ref(o->t, row, TT_OVERVIEW_TEXT, tt_hang_verdict(h, &o->t->arena));
        return;
    }
    if (f->n_rows && !tt_findings_say_nothing(f))
        (void)put_finding(o, "verdict", 0);
    else
        put_nothing_found(o);
}

static void put_account(overview *o)
{
    tt_row_list devices = tt_rows_of_trace(o->q, o->t, o->gpu_time); /* rows of a trace are adjacent */
    o->n_devices = devices.n;
    if (devices.n) o->first_device = devices.at[0];
    o->account = tt_account_make(o->q->session, o->q->scope, o->q->trace);
    put_window(o);
    put_devices(o);
    put_parts(o);
    if (o->n_devices) put_classes(o);
}

static void compute(const tt_query *q, tt_table *t)
{
    overview o = {.q = q, .t = t};
    o.gpu_time = table_of(q, &tt_table_gpu_time);
    o.idle_causes = table_of(q, &tt_table_idle_causes);
    o.findings = table_of(q, &tt_table_findings);
    if (!tt_query_trace(q)->summary && !tt_trace_is_dump(tt_query_trace(q)))
        put_account(&o); /* a summary has these rows */
    tt_row_list own = tt_rows_of_trace(q, t, o.findings);
    for (uint32_t k = 0; k < own.n; k++) (void)put_finding(&o, "finding", own.at[k]);
    put_verdict(&o);
    tt_account_free(&o.account);
}

const tt_table_desc tt_table_overview = {
    .id = "overview",
    .title = "Overview",
    .meaning = "what the first screen shows: the account of the time, its parts, what was found, and the first line",
    .cols = columns,
    .n_cols = COUNT_OF(columns),
    .flags = TT_TABLE_WINDOW | TT_TABLE_KEPT_TOO,
    .compute = compute,
};
