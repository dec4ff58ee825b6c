/* model/tables/path/path_table.c - table critical_path: the segments of the path, one by one or summed. */
#include <inttypes.h>
#include <stdlib.h>

#include "model/tables/path/critical_path.h"
#include "model/tables/path/path_names.h"
#include "model/tables/table_util.h"

enum { BY_CATEGORY, BY_NAME, BY_OPERATOR, BY_SEGMENT };
static const char *const groups[] = {"category", "name", "operator", "segment", NULL};
enum { ADDED = 1 << BY_CATEGORY | 1 << BY_NAME | 1 << BY_OPERATOR, SEGMENT = 1 << BY_SEGMENT };

enum { START, END, DURATION, CATEGORY, NAME, TRACK, STEP, INFERRED, TOTAL, PCT, SEGMENTS, LONGEST };

static const tt_column columns[] = {
    COL_G("start_at_ns", "Start", TIME, 0, SEGMENT, "start of the segment"),
    COL_G("end_at_ns", "End", TIME, 3, SEGMENT, "end of the segment: the next one starts there"),
    COL_G("duration_ns", "Duration", DURATION, 0, SEGMENT, "length of the segment"),
    COL_G("category", "Category", STRING, 0, 1 << BY_CATEGORY | 1 << BY_NAME | SEGMENT,
          "computation, communication, copy: GPU work; launch, queue: launched work that had not begun; input, sync, "
          "runtime, operator, between: the CPU; unknown: the launch is not in the file"),
    COL_G("name", "Name", STRING, 0, 1 << BY_NAME | 1 << BY_OPERATOR | SEGMENT,
          "GPU work, call or operator; of launch and queue the work that waits; of between the innermost Python "
          "function or range; by operator: the operator that it belongs to"),
    COL_G("track", "Track", STRING, 2, SEGMENT, "thread or stream"),
    COL_G("step", "Step", STRING, 2, SEGMENT, "its step: GPU work by its launch"),
    COL_G("inferred", "Inferred", BOOL, 3, SEGMENT,
          "that it waited for the segment before it, on another stream, was guessed from their times"),
    COL_G("total_ns", "Total", DURATION, 0, ADDED,
          "time on the critical path; all rows add up to total_ns of gpu_time"),
    COL_G("pct", "%", PERCENT, 0, ADDED, "share of all of it"),
    COL_G("segments", "Segments", COUNT, 1, ADDED, "stretches of the path"),
    COL_G("longest_ns", "Longest", DURATION, 1, ADDED, "longest stretch"),
};

static const char *text_or_null(const tt_trace *s, tt_sid name) { return name ? tt_str(&s->strings, name) : NULL; }

/* ---- segments ---- */

static uint32_t step_of(const tt_trace *s, const tt_path_segment *g)
{
    const tt_activity *d = g->row == TT_NONE ? NULL : tt_row_dev(s, g->row);
    return tt_step_at(s, d && d->launch != TT_NONE ? s->start[d->launch] : g->t0);
}

static void put_segments(const tt_query *q, const tt_path *p, tt_table *t)
{
    const tt_trace *s = tt_query_trace(q);
    uint32_t named = TT_NONE;
    const char *number = NULL;
    for (size_t i = 0; i < p->at.n; i++) {
        const tt_path_segment *g = &p->at.at[i];
        uint32_t row = tt_table_add(t), step = step_of(s, g);
        tt_set_i(t, row, START, tt_at(q, g->t0));
        tt_set_i(t, row, END, tt_at(q, g->t1));
        tt_set_i(t, row, DURATION, g->t1 - g->t0);
        tt_set_ref(t, row, CATEGORY, tt_path_name(g->category));
        tt_set_ref(t, row, NAME, text_or_null(s, tt_path_segment_name(s, g)));
        if (g->track != TT_NONE) tt_set_ref(t, row, TRACK, tt_str(&s->strings, s->tracks[g->track].name));
        if (step != TT_NONE && s->steps[step].row != TT_NONE) {
            if (step != named) number = tt_arena_printf(&t->arena, "%" PRId64, s->steps[named = step].number);
            tt_set_ref(t, row, STEP, number);
        }
        tt_set_i(t, row, INFERRED, g->inferred);
        if (tt_path_segment_is_slice(g))
            tt_set_row(q, t, row, g->row);
        else
            tt_set_range(q, t, row, g->t0, g->t1);
    }
}

/* ---- added up ---- */

typedef struct sum {
    int64_t total, segments;
    const tt_path_segment *longest;
} sum;

static void put_sums(const tt_query *q, const tt_path *p, tt_table *t)
{
    const tt_trace *s = tt_query_trace(q);
    TT_VEC(sum) sums = {0};
    tt_groups g;
    uint32_t like[TT_PATH_COUNT_] = {0};
    tt_groups_init(&g);
    for (size_t i = 0; i < p->at.n; i++) {
        const tt_path_segment *x = &p->at.at[i];
        tt_group_key key = {.a = x->category};
        if (q->options.group == BY_NAME) key.b = tt_path_segment_name(s, x);
        if (q->options.group == BY_OPERATOR) key = (tt_group_key){.b = tt_path_segment_operator(s, x)};
        uint32_t at = tt_groups_put_like(&g, key, &like[x->category]);
        if (at == sums.n) *tt_vec_push(&sums) = (sum){.longest = x};
        sums.at[at].total += x->t1 - x->t0;
        sums.at[at].segments++;
        if (x->t1 - x->t0 > sums.at[at].longest->t1 - sums.at[at].longest->t0) sums.at[at].longest = x;
    }
    for (size_t i = 0; i < sums.n; i++) {
        const sum *x = &sums.at[i];
        uint32_t row = tt_table_add(t);
        if (q->options.group != BY_OPERATOR) tt_set_ref(t, row, CATEGORY, tt_path_name((unsigned)g.key.at[i].a));
        tt_set_ref(t, row, NAME, text_or_null(s, (tt_sid)g.key.at[i].b));
        tt_set_i(t, row, TOTAL, x->total);
        tt_set_d(t, row, PCT, tt_pct((double)x->total, (double)p->ns));
        tt_set_i(t, row, SEGMENTS, x->segments);
        tt_set_i(t, row, LONGEST, x->longest->t1 - x->longest->t0);
        tt_set_range(q, t, row, x->longest->t0, x->longest->t1);
    }
    tt_groups_free(&g);
    tt_vec_free(&sums);
}

static void compute(const tt_query *q, tt_table *t)
{
    tt_path *p = tt_path_make(q->session, q->scope, q->trace);
    if (q->options.group == BY_SEGMENT)
        put_segments(q, p, t);
    else
        put_sums(q, p, t);
    if (p->account.clocks_differ) t->note = "No critical path: the clocks of device and host differ";
    tt_path_free(p);
}

const tt_table_desc tt_table_critical_path = {
    .id = "critical_path",
    .title = "Critical path",
    .meaning = "what everything later waited for, at each instant of the steps; adds up to them",
    .cols = columns,
    .n_cols = COUNT_OF(columns),
    .groups = groups,
    .default_sort = "total_ns",
    .default_desc = true,
    .note = "No critical path: no steps, operators or GPU activity",
    .compute = compute,
};
