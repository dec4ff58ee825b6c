/* model/tables/findings/rules/rules_data.c - rules of table findings about the data's way to the device, as recorded
 * by the profilers of accelerators: gap before a step, queues, operators of the input pipeline, processors. Limits
 * are those of MindInsight; each rule decides by itself. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/sort_by.h"
#include "model/tables/data/tables.h"
#include "model/tables/findings/rules/rules.h"
#include "model/tables/steps/tables.h"

/* The row with the text `is` in a column; TT_NONE. */
static uint32_t row_of(const tt_table *t, const char *key, const char *is)
{
    int col = tt_table_column(t, key);
    for (uint32_t r = 0; col >= 0 && r < t->n_rows; r++) {
        const char *s = tt_table_cell(t, r, (uint32_t)col).s;
        if (s && !strcmp(s, is)) return r;
    }
    return TT_NONE;
}

/* ---- the gap before a step ---- */

void tt_find_step_gap(tt_finding_context *c)
{
    enum { LONG_NS = 500000 };
    tt_table *parts = tt_finding_table(c, &tt_table_step_trace_summary);
    uint32_t at = parts ? row_of(parts, "part", "gap") : TT_NONE;
    int64_t gap = at == TT_NONE ? TT_UNKNOWN : tt_finding_int(parts, at, "mean_ns");
    if (gap > LONG_NS) {
        double pct = tt_finding_real(parts, at, "pct");
        const char *of = isfinite(pct) ? tt_arena_printf(&c->t->arena, " (%.1f%% of it)", pct) : "";
        uint32_t row = tt_finding_add(
            c, pct > 20 ? "high" : "medium",
            tt_arena_printf(&c->t->arena, "Step gap: the device waits %.2f ms before the first operator of a step%s",
                            (double)gap / 1e6, of),
            "The step waits for its input: see tables data_stages and data_pipeline. Raise num_parallel_workers of the "
            "dataset's operators, and feed the device from a queue (dataset_sink_mode=True)");
        if (isfinite(pct)) tt_set_d(c->t, row, TT_FINDING_VALUE_PCT, pct);
    }
    tt_table_free(parts);
}

/* ---- queues ---- */

/* Whether the others wait for this stage; pct: how often its queue was empty, percent, rounded up. */
static bool waits_for(tt_finding_context *c, const char *stage, const char *queue, int64_t *pct)
{
    bool is = false;
    tt_table *stages = tt_finding_table(c, &tt_table_data_stages), *queues = tt_finding_table(c, &tt_table_data_queues);
    uint32_t at = stages ? row_of(stages, "stage", stage) : TT_NONE;
    uint32_t of = queues ? row_of(queues, "queue", queue) : TT_NONE;
    *pct = TT_UNKNOWN;
    if (at != TT_NONE) is = tt_finding_int(stages, at, "bottleneck") == 1;
    if (of != TT_NONE) {
        int64_t empty = tt_finding_int(queues, of, "empty"), all = tt_finding_int(queues, of, "samples");
        if (empty >= 0 && all > 0 && empty <= all) *pct = (int64_t)ceil(100.0 * (double)empty / (double)all);
    }
    tt_table_free(stages);
    tt_table_free(queues);
    return is;
}

static void add_stage(tt_finding_context *c, const char *what, const char *queue, int64_t pct, const char *detail)
{
    const char *how = "";
    if (pct != TT_UNKNOWN)
        how = tt_arena_printf(&c->t->arena, ": the %s queue is empty in %" PRId64 "%% of the samples", queue, pct);
    uint32_t row =
        tt_finding_add(c, pct > 50 ? "high" : "medium", tt_arena_printf(&c->t->arena, "%s%s", what, how), detail);
    if (pct != TT_UNKNOWN) tt_set_d(c->t, row, TT_FINDING_VALUE_PCT, (double)pct);
}

void tt_find_data_processing(tt_finding_context *c)
{
    int64_t pct;
    if (!waits_for(c, "data_process", "host", &pct)) return;
    add_stage(c, "Input-bound", "host", pct,
              "Raise num_parallel_workers of its slow operators (table data_pipeline), move work out of Python, and "
              "store the data as MindRecord");
}

void tt_find_data_transfer(tt_finding_context *c)
{
    int64_t pct;
    if (!waits_for(c, "data_transfer", "device", &pct)) return;
    add_stage(c, "Transfer-bound", "device", pct,
              "Transfer less for each batch (cast and pad on the device), use dataset_sink_mode=True with a larger "
              "sink_size, and keep other work off the link to the host");
}

/* ---- operators of the input pipeline ---- */

typedef struct suspects {
    TT_VEC(uint32_t) rows; /* rows with children first, then the others, each in table order */
    size_t inner;          /* number of rows with children */
} suspects;

static suspects find_suspects(const tt_table *t)
{
    suspects s = {0};
    TT_VEC(int64_t) fed = {0}; /* operators fed by another one */
    for (uint32_t r = 0; r < t->n_rows; r++) {
        int64_t parent = tt_finding_int(t, r, "parent_id");
        if (parent != TT_UNKNOWN) *tt_vec_push(&fed) = parent;
    }
    TT_SORT_UP(fed.at, fed.n);
    for (int leaves = 0; leaves < 2; leaves++) {
        for (uint32_t r = 0; r < t->n_rows; r++) {
            if (tt_finding_int(t, r, "suspect") != 1) continue;
            int64_t id = tt_finding_int(t, r, "op_id");
            bool inner = TT_SORTED_FIND(fed.at, fed.n, id) < fed.n;
            if (inner != leaves) *tt_vec_push(&s.rows) = r;
        }
        if (!leaves) s.inner = s.rows.n;
    }
    tt_vec_free(&fed);
    return s;
}

/* Whether the types are equal up to "Op": "MapOp" and "Map" differ by version. */
static bool is_type(const tt_table *t, uint32_t row, const char *type)
{
    const char *is = tt_finding_text(t, row, "type");
    size_t n = strlen(type);
    return is && !strncmp(is, type, n) && (!is[n] || !strcmp(is + n, "Op"));
}

static const struct {
    const char *type, *advice;
} advice_of_type[] = {
    {"Generator", "Generator: convert the data to MindRecord, or make the Python generator faster"},
    {"Map", "Map: raise num_parallel_workers, or make the script of its operations faster"},
    {"Batch", "Batch: raise prefetch_size (mindspore.dataset.config.set_prefetch_size)"},
};

static const char *pipeline_advice(tt_finding_context *c, const tt_table *t, const suspects *s, const char *names)
{
    const char *text = tt_arena_printf(&c->t->arena, "%s. ", names);
    if (s->rows.n > s->inner)
        text = tt_arena_printf(&c->t->arena, "%sSources: raise num_parallel_workers, use faster storage. ", text);
    for (size_t k = 0; k < COUNT_OF(advice_of_type); k++) {
        for (size_t i = 0; i < s->rows.n; i++) {
            if (!is_type(t, s->rows.at[i], advice_of_type[k].type)) continue;
            text = tt_arena_printf(&c->t->arena, "%s%s. ", text, advice_of_type[k].advice);
            break;
        }
    }
    return tt_arena_printf(&c->t->arena, "%sOthers: raise num_parallel_workers", text);
}

/* Names joined by '/', the last first. */
static const char *suspect_names(tt_finding_context *c, const tt_table *t, const suspects *s)
{
    const char *names = "";
    for (size_t i = s->rows.n; i-- > 0;) {
        const char *name = tt_finding_text(t, s->rows.at[i], "name");
        names = tt_arena_printf(&c->t->arena, "%s%s%s", names, *names ? "/" : "", name ? name : "?");
    }
    return names;
}

void tt_find_data_pipeline(tt_finding_context *c)
{
    tt_table *t = tt_finding_table(c, &tt_table_data_pipeline);
    if (!t) return;
    suspects s = find_suspects(t);
    /* only the root: all queues are full, so the consumer of the pipeline is slower */
    if (s.rows.n && tt_finding_int(t, s.rows.at[s.rows.n - 1], "parent_id") != TT_UNKNOWN) {
        const char *names = suspect_names(c, t, &s);
        uint32_t row = tt_finding_add(c, "medium",
                                      tt_arena_printf(&c->t->arena, "Slow operators in the input pipeline: %s", names),
                                      pipeline_advice(c, t, &s, names));
        tt_set_d(c->t, row, TT_FINDING_VALUE_PCT, tt_finding_real(t, s.rows.at[s.rows.n - 1], "queue_usage_pct"));
    }
    tt_vec_free(&s.rows);
    tt_table_free(t);
}

/* ---- processors ---- */

void tt_find_data_cpu(tt_finding_context *c)
{
    tt_table *t = tt_finding_table(c, &tt_table_data_cpu);
    uint32_t at = t ? row_of(t, "scope", "device") : TT_NONE;
    double busy = at == TT_NONE ? (double)NAN : 100 - tt_finding_real(t, at, "idle_pct");
    if (busy > 80) {
        uint32_t row = tt_finding_add(
            c, busy > 95 ? "high" : "medium",
            tt_arena_printf(&c->t->arena, "CPU-bound input: the CPU is %.1f%% busy while data is prepared", busy),
            "Prepare the data once and store it, use fewer or lighter operations, or lower num_parallel_workers where "
            "threads only wait for each other");
        tt_set_d(c->t, row, TT_FINDING_VALUE_PCT, busy);
    }
    tt_table_free(t);
}
