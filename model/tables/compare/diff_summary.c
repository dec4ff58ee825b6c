/* model/tables/compare/diff_summary.c - table diff_summary: is the new run slower, and in which part of its steps?
 *
 * A row is a metric (step_metrics.h), judged over the steps of both sides; whole runs have one number per side and
 * no verdict. A step with an unknown value is no sample of that metric. */
#include <stdlib.h>

#include "model/tables/compare/change.h"
#include "model/tables/compare/columns.h"
#include "model/tables/compare/step_metrics.h"
#include "model/tables/table_util.h"

#define MEMORY_HELP " (peak_memory)"
static const tt_column columns[] = {
    [TT_DIFF_SUMMARY_METRIC] = COL("metric", "Metric", STRING, 0,
                                   "step (of a serving engine: its time_ns); parts of its GPU time as in gpu_time; "
                                   "host: step - time that the device is busy; peak_memory"),
    [TT_DIFF_SUMMARY_BASE_STEPS] = COL("base_steps", "Base steps", COUNT, 3,
                                       "complete steps of the base that count; unknown: whole runs are compared"),
    [TT_DIFF_SUMMARY_NEW_STEPS] = COL("new_steps", "New steps", COUNT, 3, "complete steps of the new run that count"),
    [TT_DIFF_SUMMARY_BASE] = COL(
        "base_ns", "Base", DURATION, 0,
        "median over the steps of the base (several workers: the mean over them, of step the longest); whole runs: the "
        "time in scope"),
    [TT_DIFF_SUMMARY_NEW] = COL("new_ns", "New", DURATION, 0, "the same of the new run"),
    [TT_DIFF_SUMMARY_DELTA] =
        COL("delta_ns", "Diff", DURATION, 0,
            "median of all differences between a step of the new run and one of the base (Hodges-Lehmann)"),
    [TT_DIFF_SUMMARY_DELTA_PCT] = COL("delta_pct", "%", PERCENT, 0, "the change as a share of the base"),
    [TT_DIFF_SUMMARY_LOW] =
        COL("low_ns", "Low", DURATION, 1,
            "the change is at least this, with the confidence asked for (95%); unknown: too few steps"),
    [TT_DIFF_SUMMARY_HIGH] = COL("high_ns", "High", DURATION, 1, "the change is at most this"),
    [TT_DIFF_SUMMARY_BASE_BYTES] =
        COL_OPT("base_bytes", "Base memory", BYTES, 0,
                "median over the steps: highest allocated bytes of any device while the step runs" MEMORY_HELP),
    [TT_DIFF_SUMMARY_NEW_BYTES] = COL_OPT("new_bytes", "New memory", BYTES, 0, "the same of the new run" MEMORY_HELP),
    [TT_DIFF_SUMMARY_DELTA_BYTES] =
        COL_OPT("delta_bytes", "Memory diff", BYTES, 0, "median of all differences, as for times" MEMORY_HELP),
    [TT_DIFF_SUMMARY_LOW_BYTES] =
        COL_OPT("low_bytes", "Low memory", BYTES, 2, "the change is at least this" MEMORY_HELP),
    [TT_DIFF_SUMMARY_HIGH_BYTES] =
        COL_OPT("high_bytes", "High memory", BYTES, 2, "the change is at most this" MEMORY_HELP),
    [TT_DIFF_SUMMARY_P_VALUE] =
        COL("p_value", "p", NUMBER, 2,
            "two-sided Mann-Whitney test, exact up to 50 steps a side; optimistic, as steps of one run are not "
            "independent"),
    [TT_DIFF_SUMMARY_VERDICT] =
        COL("verdict", "Verdict", STRING, 0,
            "slower, faster (memory: more, less): certain and at least the smallest effect (1%); same: certainly less; "
            "unclear: record more steps"),
};

static const char *verdict_word(tt_metric metric, tt_verdict v)
{
    if (metric != TT_METRIC_PEAK_MEMORY) return tt_verdict_name[v];
    return v == TT_VERDICT_SLOWER ? "more" : v == TT_VERDICT_FASTER ? "less" : tt_verdict_name[v];
}

typedef struct summary {
    const tt_matching *m;
    const tt_comparison *c;
    uint32_t n[TT_SIDES];
    tt_step_metrics *samples[TT_SIDES];
} summary;

/* The known values of a metric on one side; the caller frees them. */
static int64_t *values_of(const summary *x, int side, tt_metric metric, uint32_t *n)
{
    int64_t *v = tt_malloc((x->n[side] + (size_t)1) * sizeof *v);
    *n = 0;
    for (uint32_t i = 0; i < x->n[side]; i++)
        if (x->samples[side][i].of[metric] != TT_UNKNOWN) v[(*n)++] = x->samples[side][i].of[metric];
    return v;
}

/* Lead the row to the sample nearest to the median; outliers are found in the list of steps. */
static void lead_to(const summary *x, int side, tt_metric metric, int64_t median, tt_drilldown *o)
{
    const tt_step_metrics *found = NULL;
    for (uint32_t i = 0; i < x->n[side]; i++) {
        const tt_step_metrics *s = &x->samples[side][i];
        if (s->of[metric] == TT_UNKNOWN) continue;
        if (!found || llabs(s->of[metric] - median) < llabs(found->of[metric] - median)) found = s;
    }
    if (!found) return;
    const tt_place *p = metric == TT_METRIC_PEAK_MEMORY ? &found->peak : &found->longest;
    int64_t offset = x->m->of[side]->offset_ns[p->trace];
    *o = (tt_drilldown){.what = TT_DRILL_RANGE, .trace = p->trace, .t0 = p->t0 + offset, .t1 = p->t1 + offset};
}

static void put_change(const tt_change *c, tt_metric metric, bool judged, tt_table *t, uint32_t row)
{
    bool bytes = metric == TT_METRIC_PEAK_MEMORY;
    uint32_t at = bytes ? TT_DIFF_SUMMARY_BASE_BYTES : TT_DIFF_SUMMARY_BASE,
             interval = bytes ? TT_DIFF_SUMMARY_LOW_BYTES : TT_DIFF_SUMMARY_LOW;
    tt_set_i(t, row, at, c->base);
    tt_set_i(t, row, at + 1, c->now);
    tt_set_i(t, row, at + 2, c->delta);
    if (c->delta != TT_UNKNOWN) tt_set_d(t, row, TT_DIFF_SUMMARY_DELTA_PCT, tt_pct((double)c->delta, (double)c->base));
    if (!judged) return;
    tt_set_i(t, row, interval, c->low);
    tt_set_i(t, row, interval + 1, c->high);
    tt_set_d(t, row, TT_DIFF_SUMMARY_P_VALUE, c->p);
    tt_set_ref(t, row, TT_DIFF_SUMMARY_VERDICT, verdict_word(metric, c->verdict));
}

static void put_metric(const summary *x, tt_metric metric, tt_table *t)
{
    uint32_t n[TT_SIDES];
    int64_t *v[TT_SIDES];
    tt_change c;
    for (int k = 0; k < TT_SIDES; k++) v[k] = values_of(x, k, metric, &n[k]);
    if (n[TT_BASE] || n[TT_NEW]) {
        uint32_t row = tt_table_add(t);
        tt_change_of(v[TT_BASE], n[TT_BASE], v[TT_NEW], n[TT_NEW], x->c->confidence, x->c->min_effect, &c);
        tt_set_ref(t, row, TT_DIFF_SUMMARY_METRIC, tt_metric_name[metric]);
        for (uint32_t k = 0; x->m->per_step && k < TT_SIDES; k++)
            tt_set_i(t, row, TT_DIFF_SUMMARY_BASE_STEPS + k, n[k]);
        put_change(&c, metric, x->m->per_step, t, row);
        lead_to(x, TT_BASE, metric, c.base, tt_set_base_drilldown(t, row));
        lead_to(x, TT_NEW, metric, c.now, tt_set_drilldown(t, row));
    }
    for (int k = 0; k < TT_SIDES; k++) free(v[k]);
}

/* Whether only host memory was recorded; otherwise host memory is left out. */
static bool only_host_memory(tt_memory_curves *const curves[TT_SIDES])
{
    for (int k = 0; k < TT_SIDES; k++)
        for (uint32_t i = 0; i < curves[k]->n; i++)
            if (!tt_series_of_host(&curves[k]->at[i])) return false;
    return true;
}

static void compute(const tt_query *q, tt_table *t)
{
    const tt_comparison *c = q->options.compare;
    if (!c) return;
    tt_matching m = tt_matching_make(q->session, q->scope, c);
    tt_memory_curves *curves[TT_SIDES];
    summary x = {.m = &m, .c = c};
    for (int k = 0; k < TT_SIDES; k++) curves[k] = tt_memory_curves_new(m.of[k]);
    bool host_memory = only_host_memory(curves);
    for (int k = 0; k < TT_SIDES; k++) {
        x.n[k] = tt_sample_count(&m, k);
        x.samples[k] = tt_step_metrics_make(&m, k, curves[k], host_memory);
    }
    for (int k = 0; k < TT_METRIC_COUNT_; k++) put_metric(&x, (tt_metric)k, t);
    if (!t->n_rows) t->note = "No data of both runs in this scope";
    for (int k = 0; k < TT_SIDES; k++) {
        free(x.samples[k]);
        tt_memory_curves_free(curves[k]);
    }
    tt_matching_free(&m);
}

const tt_table_desc tt_table_diff_summary = {
    .id = "diff_summary",
    .title = "What changed",
    .meaning = "two runs against each other: the step and its parts, with the noise of the steps",
    .cols = columns,
    .n_cols = COUNT_OF(columns),
    .flags = TT_TABLE_COMPARE | TT_TABLE_ALL_TRACES,
    .note = TT_NOTHING_TO_COMPARE,
    .compute = compute,
};
