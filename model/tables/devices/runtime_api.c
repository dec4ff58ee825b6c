/* model/tables/devices/runtime_api.c - calls into the CUDA/HIP runtime and the driver, by name. */
#include "model/tables/analysis/calls/code_places.h"
#include "model/tables/devices/brought_sums.h"
#include "model/tables/table_util.h"

#include <stdlib.h>

enum { LEVEL, NAME, CALLS, TOTAL, MEAN, MAX, MIN, RATIO, LINE };

static const tt_column columns[] = {
    COL_OPT("level", "Level", STRING, 1,
            "layer of the runtime that was called (Ascend): acl, model, node, hccl, runtime"),
    COL("name", "Call", STRING, 0, "runtime or driver function"),
    COL("calls", "Calls", COUNT, 1, "calls"),
    COL("total_ns", "Total", DURATION, 0, "CPU time, summed over calls"),
    COL("mean_ns", "Mean", DURATION, 1, "total / calls"),
    COL("max_ns", "Max", DURATION, 1, "longest call"),
    COL("min_ns", "Min", DURATION, 2, "shortest call"),
    COL("ratio_pct", "%", PERCENT, 1, "share of the total of all runtime and driver calls in scope"),
    COL_PLACE("line", "Python line", 1, "the line of the program that takes most of this time"),
};

/* 0 where the runtime has no levels. */
static tt_sid level_of(const tt_trace *s, tt_row r)
{
    return s->rules->runtime_has_levels ? s->cats[s->cat[r]].name : 0;
}

static void compute(const tt_query *q, tt_table *t)
{
    const tt_trace *s = tt_query_trace(q);
    tt_row_range rows = tt_query_rows(q);
    tt_groups groups;
    TT_VEC(tt_stat) list = {0};
    int64_t all = 0;
    tt_groups_init(&groups);
    for (tt_row r = rows.first; r < rows.end; r++) {
        if (!tt_kind_is_launch(tt_row_kind(s, r)) || !tt_query_has(q, s->start[r])) continue;
        uint32_t at = tt_groups_put(&groups, (tt_group_key){.a = s->name[r], .b = level_of(s, r)});
        if (at == list.n) *tt_vec_push(&list) = (tt_stat){0};
        tt_stat_add(&list.at[at], s->dur[r]);
        tt_step_sums_host(q->sums, s, at, s->start[r], s->dur[r]);
        all += s->dur[r];
    }
    for (size_t i = 0; i < list.n; i++) {
        uint32_t row = tt_table_add(t);
        const char *name = tt_str(&s->strings, (tt_sid)groups.key.at[i].a);
        tt_set_slices(q, t, row, 1u << TT_KIND_RUNTIME | 1u << TT_KIND_DRIVER, name);
        if (groups.key.at[i].b) tt_set_ref(t, row, LEVEL, tt_str(&s->strings, (tt_sid)groups.key.at[i].b));
        tt_set_ref(t, row, NAME, name);
        tt_set_i(t, row, CALLS, list.at[i].n);
        tt_set_stat(t, row, TOTAL, &list.at[i]);
        tt_set_d(t, row, RATIO, tt_pct((double)list.at[i].total, (double)all));
        if (q->options.places) tt_set_ref(t, row, LINE, tt_code_line(q, (tt_sid)groups.key.at[i].a, false));
    }
    static const uint32_t keys[] = {LEVEL, NAME};
    if (!list.n) tt_brought_sums(q, t, keys, COUNT_OF(keys), NULL, CALLS);
    if (!t->n_rows && !t->note)
        tt_note_advice(t, "no runtime calls in this trace or scope",
                       tt_advice_of(tt_query_trace(q)->rules)->record_device);
    tt_groups_free(&groups);
    tt_vec_free(&list);
}

const tt_table_desc tt_table_runtime_api = {
    .id = "runtime_api",
    .title = "Runtime API",
    .meaning = "calls of the device's runtime and driver",
    .cols = columns,
    .n_cols = COUNT_OF(columns),
    .default_sort = "total_ns",
    .default_desc = true,
    .flags = TT_TABLE_THREADS | TT_TABLE_STEP_SUMS | TT_TABLE_BROUGHT,
    .compute = compute,
};
