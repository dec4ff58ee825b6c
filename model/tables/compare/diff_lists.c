/* model/tables/compare/diff_lists.c - tables diff_T: lists of names with calls and times, in the base and in the new
 * run. What they have in common is here; what each T has is in diff_lists.def, which is read three times: for the
 * columns, for what they stand for, and for the descriptors. */
#include <stdlib.h>
#include <string.h>

#include "model/tables/analysis/device/tables.h"
#include "model/tables/communication/tables.h"
#include "model/tables/compare/calls.h"
#include "model/tables/compare/change.h"
#include "model/tables/compare/list_rows.h"
#include "model/tables/devices/tables.h"
#include "model/tables/operators/tables.h"
#include "model/tables/table_util.h"

/* ---- columns ---- */

#define IN_BASE(key, title, type, prio, groups, help)                                                                  \
    COL_G("base_" key, "Base " title, type, prio, groups, "of the base: " help)
#define IN_NEW(key, title, type, prio, groups, help)                                                                   \
    COL_G("new_" key, "New " title, type, prio, groups, "of the new run: " help)
#define DELTA(key, title, type, prio, groups, help)                                                                    \
    COL_G("delta_" key, title " diff", type, prio, groups, "new - base: " help)
/* How the main time changed by step, and the verdict: nothing of it without steps on both sides. */
#define BY_STEP                                                                                                        \
    COL("base_step_ns", "Base per step", DURATION, 2, "main time of the row per step of the base, median"),            \
        COL("new_step_ns", "New per step", DURATION, 2, "main time of the row per step of the new run, median"),       \
        COL("delta_step_ns", "Diff per step", DURATION, 1, "shift per step: median of all differences, new - base"),   \
        COL("low_ns", "Low", DURATION, 5, "lower end of the confidence interval of the shift"),                        \
        COL("high_ns", "High", DURATION, 5, "upper end of the confidence interval of the shift"),                      \
        COL("p_value", "p", NUMBER, 5,                                                                                 \
            "Mann-Whitney, two-sided; not corrected for the number of rows, and optimistic: steps of a run are "       \
            "not independent"),                                                                                        \
        COL("verdict", "Verdict", STRING, 1,                                                                           \
            "slower, faster, same, unclear (record more steps); same unless it moves the step by 0.1%"),               \
        COL("change", "Change", STRING, 0, "of the calls (per step): added, deleted, increased, decreased, unchanged")
enum { BASE_STEP, NEW_STEP, DELTA_STEP, LOW, HIGH, P_VALUE, VERDICT, CHANGE, N_BY_STEP };
enum { BASE_CALLS, NEW_CALLS, FIRST_VALUE };

#define LIST(T, title, groups, calls, main, device_main) static const tt_column T##_columns[] = {
#define KEY(key, title, type, prio, groups, names, help) COL_G(key, title, type, prio, groups, help),
#define KEY_OPT(key, title, type, prio, help) COL_OPT(key, title, type, prio, help),
#define VALUE(key, title, type, prio, groups, fold, help)                                                              \
    IN_BASE(key, title, type, (prio) + 1, groups, help), IN_NEW(key, title, type, (prio) + 1, groups, help),           \
        DELTA(key, title, type, prio, groups, help),
#define CALLS(T)                                                                                                       \
    COL("base_calls", "Base calls", COUNT, 5, "calls in the base"),                                                    \
        COL("new_calls", "New calls", COUNT, 5, "calls in the new run"),
#define END(T)                                                                                                         \
    BY_STEP                                                                                                            \
    }                                                                                                                  \
    ;
#include "model/tables/compare/diff_lists.def"
#undef LIST
#undef KEY
#undef KEY_OPT
#undef CALLS
#undef VALUE
#undef END

/* ---- what they stand for ---- */

#define LIST(T, title, groups, calls, main, device_main) static const tt_list_key T##_keys[] = {
#define KEY(key, title, type, prio, groups, names, help) {key, TT_NAME_##names},
#define KEY_OPT(key, title, type, prio, help) {key, TT_NAME_AS_IS},
#define CALLS(T)                                                                                                       \
    }                                                                                                                  \
    ;                                                                                                                  \
    static const tt_list_value T##_values[] = {
#define VALUE(key, title, type, prio, groups, fold, help) {key, TT_LIST_##fold},
#define END(T)                                                                                                         \
    }                                                                                                                  \
    ;
#include "model/tables/compare/diff_lists.def"
#undef LIST
#undef KEY
#undef KEY_OPT
#undef CALLS
#undef VALUE
#undef END

/* ---- rows ---- */

typedef struct judged { /* a row of the comparison */
    const tt_list_row *row;
    const char *change;
    int64_t calls[TT_SIDES], main[TT_SIDES];
    tt_change by_step;
    uint64_t weight; /* rows with more come first; 0 also where nothing is known */
} judged;

typedef struct order { /* of rows with the same weight */
    const tt_list *list;
    const tt_type *types; /* by key */
    uint32_t name;        /* the key that is looked at first */
} order;

static int64_t minus(int64_t a, int64_t b) { return a == TT_UNKNOWN || b == TT_UNKNOWN ? TT_UNKNOWN : a - b; }

static uint64_t size_of(int64_t delta)
{
    if (delta == TT_UNKNOWN) return 0;
    return delta < 0 ? 0 - (uint64_t)delta : (uint64_t)delta;
}

/* How often it runs: n calls in so many steps. Calls outside of all steps count where no step has any. */
static const char *change_of(const int64_t *calls, const int64_t *in_steps, const uint32_t *steps, bool per_step)
{
    if (calls[TT_BASE] == TT_UNKNOWN || calls[TT_NEW] == TT_UNKNOWN) return NULL;
    if (per_step && (in_steps[TT_BASE] || in_steps[TT_NEW]))
        return tt_change_of_calls(in_steps[TT_BASE], steps[TT_BASE], in_steps[TT_NEW], steps[TT_NEW]);
    return tt_change_of_calls(calls[TT_BASE], 1, calls[TT_NEW], 1);
}

static judged judge(tt_list_rows *l, const tt_list_row *r, const tt_change_test *test, int64_t step, double min_effect)
{
    const tt_matching *m = &l->matching;
    judged j = {.row = r, .by_step = {TT_UNKNOWN, TT_UNKNOWN, TT_UNKNOWN, TT_UNKNOWN, TT_UNKNOWN, (double)NAN, 0}};
    int64_t in_steps[TT_SIDES];
    uint32_t n[TT_SIDES];
    for (int side = 0; side < TT_SIDES; side++) {
        j.calls[side] = tt_list_calls(l, r, side);
        j.main[side] = tt_list_main(l, r, side);
        n[side] = tt_list_samples(l, r, side, &in_steps[side]);
    }
    int64_t *base = l->side[TT_BASE].ns, *now = l->side[TT_NEW].ns;
    if (n[TT_BASE] && n[TT_NEW]) {
        tt_change_judge(test, base, now, min_effect, &j.by_step);
        tt_change_of_row(&j.by_step, step);
    } else if (m->per_step) { /* the median of the side that has one */
        tt_change_of(base, n[TT_BASE], now, n[TT_NEW], 0, 0, &j.by_step);
    }
    j.change = change_of(j.calls, in_steps, m->n_samples, m->per_step);
    j.weight = size_of(m->per_step ? j.by_step.delta : minus(j.main[TT_NEW], j.main[TT_BASE]));
    return j;
}

static int compare_keys(const order *o, const tt_list_row *a, const tt_list_row *b, uint32_t k)
{
    tt_cell x = a->key[k], y = b->key[k];
    if (o->types[k] != TT_T_STRING) return (x.i > y.i) - (x.i < y.i);
    return !x.s || !y.s ? (x.s != NULL) - (y.s != NULL) : strcmp(x.s, y.s);
}

static int by_weight(const void *a, const void *b, void *arg)
{
    const judged *x = a, *y = b;
    const order *o = arg;
    if (x->weight != y->weight) return x->weight > y->weight ? -1 : 1;
    int by_name = compare_keys(o, x->row, y->row, o->name);
    for (uint32_t k = 0; !by_name && k < o->list->n_keys; k++) by_name = compare_keys(o, x->row, y->row, k);
    return by_name;
}

static void put_values(const tt_list_rows *l, const judged *j, uint32_t row, tt_table *t)
{
    uint32_t first = l->list->n_keys + FIRST_VALUE;
    for (uint32_t v = 0; v < l->list->n_values; v++) {
        int64_t x[TT_SIDES];
        for (int side = 0; side < TT_SIDES; side++) x[side] = tt_list_value_of(l, j->row, side, v);
        for (int side = 0; side < TT_SIDES; side++) /* what the other one does not know of the row is not 0 here */
            if (j->row->first[side] == TT_NONE && x[!side] == TT_UNKNOWN) x[side] = TT_UNKNOWN;
        tt_set_i(t, row, first + 3 * v, x[TT_BASE]);
        tt_set_i(t, row, first + 3 * v + 1, x[TT_NEW]);
        tt_set_i(t, row, first + 3 * v + 2, minus(x[TT_NEW], x[TT_BASE]));
    }
}

static void put_change(const judged *j, uint32_t first, uint32_t row, tt_table *t)
{
    tt_set_i(t, row, first + BASE_STEP, j->by_step.base);
    tt_set_i(t, row, first + NEW_STEP, j->by_step.now);
    tt_set_i(t, row, first + DELTA_STEP, j->by_step.delta);
    tt_set_i(t, row, first + LOW, j->by_step.low);
    tt_set_i(t, row, first + HIGH, j->by_step.high);
    tt_set_d(t, row, first + P_VALUE, j->by_step.p);
    tt_set_ref(t, row, first + VERDICT, tt_verdict_name[j->by_step.verdict]);
    tt_set_ref(t, row, first + CHANGE, j->change);
}

/* Where the rows of a side are: the origin of its first; of several workers the same of all of them. */
static void put_drilldown(const tt_list_rows *l, const tt_list_row *r, int which, tt_drilldown *drilldown)
{
    const tt_list_side *side = &l->side[which];
    uint32_t at = r->first[which];
    if (at == TT_NONE || !side->table->drilldowns) return;
    *drilldown = side->table->drilldowns[at];
    for (uint32_t row = side->next[at]; row != TT_NONE && drilldown->what == TT_DRILL_SLICES; row = side->next[row])
        if (side->table->drilldowns[row].trace != drilldown->trace) drilldown->trace = TT_NONE;
}

static void put_row(const tt_list_rows *l, const judged *j, tt_table *t)
{
    const tt_list *list = l->list;
    uint32_t row = tt_table_add(t);
    for (uint32_t k = 0; k < list->n_keys; k++) {
        if (t->desc->cols[k].type == TT_T_STRING)
            tt_set_s(t, row, k, j->row->key[k].s);
        else
            tt_set_i(t, row, k, j->row->key[k].i);
    }
    tt_set_i(t, row, list->n_keys + BASE_CALLS, j->calls[TT_BASE]);
    tt_set_i(t, row, list->n_keys + NEW_CALLS, j->calls[TT_NEW]);
    put_values(l, j, row, t);
    put_change(j, t->desc->n_cols - N_BY_STEP, row, t);
    put_drilldown(l, j->row, TT_BASE, tt_set_base_drilldown(t, row));
    put_drilldown(l, j->row, TT_NEW, tt_set_drilldown(t, row));
}

static void put_rows(tt_list_rows *l, double confidence, double min_effect, tt_table *t)
{
    const tt_matching *m = &l->matching;
    TT_VEC(judged) rows = {0};
    tt_type types[TT_LIST_MOST];
    order o = {.list = l->list, .types = types};
    for (uint32_t k = 0; k < l->list->n_keys; k++) {
        types[k] = t->desc->cols[k].type;
        if (!strcmp(l->list->keys[k].key, "name")) o.name = k;
    }
    uint32_t n_base = m->per_step ? m->n_samples[TT_BASE] : 0, n_now = m->per_step ? m->n_samples[TT_NEW] : 0;
    tt_change_test test = tt_change_test_make(n_base, n_now, confidence);
    int64_t step = tt_matching_median_step(m, TT_BASE);
    for (size_t i = 0; i < l->rows.n; i++) *tt_vec_push(&rows) = judge(l, &l->rows.at[i], &test, step, min_effect);
    tt_change_test_free(&test);
    if (rows.n) qsort_r(rows.at, rows.n, sizeof *rows.at, by_weight, &o);
    for (size_t i = 0; i < rows.n; i++) put_row(l, &rows.at[i], t);
    tt_vec_free(&rows);
}

static void compute(const tt_query *q, const tt_list *list, tt_table *t)
{
    tt_list_rows l;
    if (!q->options.compare) return;
    tt_list_rows_make(&l, list, q->session, q->scope, &q->options);
    put_rows(&l, q->options.compare->confidence, q->options.compare->min_effect, t);
    const char *note = l.side[TT_NEW].table->note;
    if (!t->n_rows && note) t->note = tt_arena_strndup(&t->arena, note, strlen(note));
    tt_list_rows_free(&l);
}

/* ---- descriptors ---- */

#define GROUPS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define LIST(T, title_, groups_, calls_, main_, device_main_)                                                          \
    static const tt_list T##_list = {.of = &tt_table_##T,                                                              \
                                     .calls = calls_,                                                                  \
                                     .main = main_,                                                                    \
                                     .device_main = device_main_,                                                      \
                                     .keys = T##_keys,                                                                 \
                                     .values = T##_values,                                                             \
                                     .n_keys = COUNT_OF(T##_keys),                                                     \
                                     .n_values = COUNT_OF(T##_values)};                                                \
    static void T##_compute(const tt_query *q, tt_table *t) { compute(q, &T##_list, t); }                              \
    const tt_table_desc tt_table_diff_##T = {                                                                          \
        .id = "diff_" #T,                                                                                              \
        .title = title_,                                                                                               \
        .meaning = "table " #T " of two runs, row by row, and how much each adds to a step",                           \
        .cols = T##_columns,                                                                                           \
        .n_cols = COUNT_OF(T##_columns),                                                                               \
        .groups = groups_,                                                                                             \
        .flags = TT_TABLE_COMPARE | TT_TABLE_ALL_TRACES,                                                               \
        .note = TT_NOTHING_TO_COMPARE,                                                                                 \
        .compute = T##_compute,                                                                                        \
    };
#define KEY(...)
#define KEY_OPT(...)
#define CALLS(T)
#define VALUE(...)
#define END(T)
#include "model/tables/compare/diff_lists.def"
