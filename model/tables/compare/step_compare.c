/* model/tables/compare/step_compare.c - table step_compare: the differences between two steps of one worker, or of
 * two workers.
 *
 * options.arg holds the numbers of the two steps, plus one, and TT_COMPARE_STORES() if they belong to different
 * traces. By default the longest step is compared with the median step. Rows are ordered by the size of the
 * difference, up or down. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/sort_by.h"
#include "model/tables/compare/step_compare.h"
#include "model/tables/compare/tables.h"
#include "model/tables/steps/step_breakdown.h"

enum { NAME, A, B, DELTA, DELTA_PCT, A_CALLS, B_CALLS, A_STEP, B_STEP };
enum { BY_CATEGORY, BY_KERNEL, BY_OPERATOR };
enum { LISTED = 1 << BY_KERNEL | 1 << BY_OPERATOR };

static const tt_column columns[] = {
    COL("name", "Category", STRING, 0, "part of the step, kernel or operator"),
    COL("a_ns", "A", DURATION, 0, "time in the first step; operators: CPU self"),
    COL("b_ns", "B", DURATION, 0, "time in the second step"),
    COL("delta_ns", "B - A", DURATION, 0, "how much longer the second one takes"),
    COL("delta_pct", "Change", PERCENT, 1, "the same as a share of the first; unknown where that has none"),
    COL_G("a_calls", "A calls", COUNT, 2, LISTED, "calls in the first step"),
    COL_G("b_calls", "B calls", COUNT, 2, LISTED, "calls in the second step"),
    COL("a_step", "Step A", STRING, 3, "number of the first step"),
    COL("b_step", "Step B", STRING, 3, "number of the second step"),
};
static const char *const groups[] = {"category", "kernel", "operator", NULL};

typedef struct side {
    int64_t ns, calls;
} side;

typedef struct item {
    const char *name;
    side of[2];
} item;
typedef TT_VEC(item) items;

static int by_difference(const void *x, const void *y)
{
    const item *a = x, *b = y;
    int64_t da = llabs(a->of[1].ns - a->of[0].ns), db = llabs(b->of[1].ns - b->of[0].ns);
    if (da != db) return da > db ? -1 : 1;
    return strcmp(a->name, b->name);
}

static const tt_step_parts *find_step(const tt_breakdown *all, int64_t number)
{
    for (size_t i = 0; i < all->n; i++) {
        if (all->at[i].step->number == number) return &all->at[i];
    }
    return NULL;
}

/* Choose the two steps asked for, or the median and the longest. False = no such steps. */
static bool choose(const tt_query *q, const tt_breakdown *all, const tt_breakdown *second, const tt_step_parts *out[2])
{
    out[0] = out[1] = NULL;
    if (q->options.arg[0] && q->options.arg[1]) {
        out[0] = find_step(all, q->options.arg[0] - 1);
        out[1] = find_step(second, q->options.arg[1] - 1);
    } else if (all->n > 1) {
        const tt_step_parts **order = tt_calloc(all->n, sizeof *order);
        for (size_t i = 0; i < all->n; i++) order[i] = &all->at[i];
        TT_SORT_POINTERS_BY(order, all->n, TT_ASC(tt_step_parts, total));
        out[0] = order[(all->n - 1) / 2];
        out[1] = order[all->n - 1];
        free(order);
    }
    return out[0] && out[1] && out[0] != out[1];
}

static void add_categories(const tt_step_parts *const step[2], items *out)
{
    static const struct {
        int part;
        const char *name;
    } parts[] = {
        {TT_TIME_KERNEL, "Kernel"},   {TT_TIME_COMMUNICATION, "Communication"},
        {TT_TIME_MEMCPY, "Memcpy"},   {TT_TIME_MEMSET, "Memset"},
        {TT_TIME_RUNTIME, "Runtime"}, {TT_TIME_DATALOADER, "DataLoader"},
        {TT_TIME_CPU, "CPU Exec"},    {TT_PART_OTHER, "Other"},
    };
    for (uint32_t i = 0; i < COUNT_OF(parts); i++) {
        item x = {.name = parts[i].name};
        for (int k = 0; k < 2; k++) x.of[k].ns = step[k]->part[parts[i].part];
        if (x.of[0].ns || x.of[1].ns) *tt_vec_push(out) = x;
    }
}

/* The part of the session that a step is. */
static tt_scope part_of(const tt_query *q, const tt_step_parts *step)
{
    tt_scope part = tt_scope_all;
    tt_scope_to_trace(q->session, q->trace, &part);
    part.has_steps = true;
    part.step_first = part.step_last = step->step->number;
    return part;
}

/* Add the rows of a table of differences of both steps, whose columns of both sides end in `key`. */
static void add_listed(const tt_query q[2], const tt_step_parts *const step[2], const tt_table_desc *d, const char *key,
                       items *out, tt_arena *arena)
{
    static const char *const sides[] = {"base", "new"};
    const tt_session *s = q->session;
    tt_scope now = part_of(&q[1], step[1]);
    tt_comparison both = TT_COMPARISON_DEFAULT;
    both.base = (tt_session *)(uintptr_t)s; /* only tables are computed from it */
    both.base_scope = part_of(&q[0], step[0]);
    both.per_run = true;
    tt_table *t = tt_table_compute(s, d, &now, &(tt_options){.compare = &both});
    int name = tt_table_column(t, "name"), ns[2], calls[2];
    for (int k = 0; k < 2; k++) {
        char column[64];
        snprintf(column, sizeof column, "%s_%s", sides[k], key);
        ns[k] = tt_table_column(t, column);
        snprintf(column, sizeof column, "%s_calls", sides[k]);
        calls[k] = tt_table_column(t, column);
    }
    for (uint32_t r = 0; r < t->n_rows; r++) {
        const char *text = tt_table_cell(t, r, (uint32_t)name).s;
        if (!text) continue;
        item x = {.name = tt_arena_strndup(arena, text, strlen(text))};
        for (int k = 0; k < 2; k++) {
            int64_t v = tt_table_cell(t, r, (uint32_t)ns[k]).i, n = tt_table_cell(t, r, (uint32_t)calls[k]).i;
            x.of[k].ns = v == TT_UNKNOWN ? 0 : v;
            x.of[k].calls = n == TT_UNKNOWN ? 0 : n;
        }
        *tt_vec_push(out) = x;
    }
    tt_table_free(t);
}

static void add_row(const tt_query q[2], const tt_step_parts *const step[2], const item *x, tt_table *t)
{
    static const uint32_t kinds[] = {[BY_KERNEL] = 1u << TT_KIND_KERNEL, [BY_OPERATOR] = 1u << TT_KIND_CPU_OP};
    uint32_t row = tt_table_add(t);
    uint8_t group = q->options.group;
    tt_set_ref(t, row, NAME, x->name);
    tt_set_i(t, row, A, x->of[0].ns);
    tt_set_i(t, row, B, x->of[1].ns);
    tt_set_i(t, row, DELTA, x->of[1].ns - x->of[0].ns);
    if (x->of[0].ns) tt_set_d(t, row, DELTA_PCT, 100.0 * (double)(x->of[1].ns - x->of[0].ns) / (double)x->of[0].ns);
    tt_set_i(t, row, A_CALLS, x->of[0].calls);
    tt_set_i(t, row, B_CALLS, x->of[1].calls);
    tt_set_ref(t, row, A_STEP, tt_arena_printf(&t->arena, "%" PRId64, step[0]->step->number));
    const char *of = q[0].trace == q[1].trace ? "" : q->session->traces[q[1].trace]->worker;
    tt_set_ref(t, row, B_STEP,
               tt_arena_printf(&t->arena, "%" PRId64 "%s%s", step[1]->step->number, *of ? " of " : "", of));
    if (group == BY_CATEGORY) {
        tt_set_range(&q[1], t, row, step[1]->step->start, step[1]->step->end);
    } else {
        tt_set_slices(&q[1], t, row, kinds[group], x->name);
    }
}

static void compute(const tt_query *q, tt_table *t)
{
    uint64_t traces = (uint64_t)q->options.arg[2];
    uint32_t trace[2] = {traces ? (uint32_t)traces - 1 : q->trace, traces ? (uint32_t)(traces >> 32) - 1 : q->trace};
    if (trace[0] != q->trace || trace[1] >= q->session->n_traces) return;
    tt_scope wide = *q->scope; /* the second step can belong to a worker outside of the scope */
    if (traces) wide.worker = wide.span = TT_ALL;
    tt_windows windows = tt_scope_windows(q->session, &wide, trace[1]);
    tt_query of[2] = {*q, *q};
    of[1].scope = &wide;
    of[1].trace = trace[1];
    of[1].windows = &windows;
    tt_breakdown all = tt_breakdown_make(q), second = tt_breakdown_make(&of[1]);
    const tt_step_parts *step[2];
    items list = {0};
    if (choose(q, &all, &second, step)) {
        if (q->options.group == BY_KERNEL) {
            add_listed(of, step, &tt_table_diff_kernels, "total_ns", &list, &t->arena);
        } else if (q->options.group == BY_OPERATOR) {
            add_listed(of, step, &tt_table_diff_operators, "host_self_ns", &list, &t->arena);
        } else {
            add_categories(step, &list);
        }
    }
    if (list.n) qsort(list.at, list.n, sizeof *list.at, by_difference);
    for (size_t i = 0; i < list.n; i++) add_row(of, step, &list.at[i], t);
    if (!t->n_rows)
        t->note = all.n < 2 ? "Need two complete steps to compare" : "One of the two steps is outside the scope";
    tt_vec_free(&list);
    tt_vec_free(&all);
    tt_vec_free(&second);
    tt_windows_free(&windows);
}

const tt_table_desc tt_table_step_compare = {
    .id = "step_compare",
    .title = "Steps compared",
    .meaning = "the slowest step against the median step: what differs most",
    .cols = columns,
    .n_cols = COUNT_OF(columns),
    .groups = groups,
    .flags = TT_TABLE_ARGS,
    .compute = compute,
};
