/* model/tables/compare/diff_operator_tree.c - table diff_operator_tree: calls and launches of operators in two runs,
 * side by side. */
#include <stdlib.h>

#include "model/tables/analysis/calls/operator_tree.h"
#include "model/tables/compare/calls.h"
#include "model/tables/compare/tree_match.h"

enum { BASE, NEW, DELTA };
enum {
    PATH,
    DEPTH,
    NAME,
    BASE_NAME,
    MATCH,
    CHANGE,
    CALLS,                  /* base, new */
    HOST_TOTAL = CALLS + 2, /* base, new, delta */
    HOST_SELF = HOST_TOTAL + 3,
    DEVICE_TOTAL = HOST_SELF + 3,
    RATIO = DEVICE_TOTAL + 3,
    ACCUMULATED,
    IS_DEVICE,
};

#define SIDES(key, title, prio, help)                                                                                  \
    COL("base_" key, "Base " title, DURATION, (prio) + 2, "of the base: " help),                                       \
        COL("new_" key, "New " title, DURATION, (prio) + 1, "of the new run: " help),                                  \
        COL("delta_" key, title " Diff", DURATION, prio, "new - base: " help)

static const tt_column columns[] = {
    COL("path", "Path", STRING, 8, "names from the outermost operator to this one, as in operator_tree; new run's"),
    COL("depth", "Depth", COUNT, 8, "operators around it"),
    COL("name", "Name", STRING, 0, "operator, part of an operator, or kernel, copy or set; new run's"),
    COL_OPT("base_name", "Base name", STRING, 3, "its name in the base, where that is another one"),
    COL_OPT("match", "Match", STRING, 4,
            "how rows of different names met: version (their short names are the same), alike (at least half of what "
            "they launch is the same), place (the only ones left inside the same operator), level (one side has an "
            "operator around it that the other has not)"),
    COL("change", "Change", STRING, 1,
        "of the calls, per step where both sides have steps: added, deleted, increased, decreased, unchanged"),
    COL("base_calls", "Base calls", COUNT, 3, "calls at this place in all compared steps of the base"),
    COL("new_calls", "New calls", COUNT, 3, "the same in the new run; for GPU work how often it ran"),
    SIDES("host_total_ns", "CPU total", 2,
          "CPU time from start to end; per step where both sides have steps (mean, rounded down)"),
    SIDES("host_self_ns", "CPU self", 5,
          "the same without the operators, ranges, runtime and driver calls directly inside"),
    SIDES(
        "device_total_ns", "GPU total", 0,
        "kernels, copies and sets launched inside, also those without a partner: sum of durations; per step likewise"),
    COL("ratio", "New/Base", NUMBER, 2, "of the GPU total where both sides have GPU work, else of the CPU total"),
    COL("accumulated_delta_ns", "Accumulated", DURATION, 4,
        "differences of this row and of the rows of the same operator above it, added up; of the same time as the "
        "ratio"),
    COL("is_device", "GPU work", BOOL, 8, "the row is a kernel, copy or set, not a call on the CPU"),
};

typedef struct diff_tree {
    tt_matching m;
    tt_strings names;
    tt_side_tree side[TT_SIDES];
    tt_tree_pairs pairs;
    int64_t divide[TT_SIDES]; /* divisors that turn sums into shown values */
    bool by_device;           /* both sides have device work: ratios are of device time */
    const char **path;        /* path by pair, in the table's arena */
    int64_t *accumulated;     /* by pair: values of the rows inside it, up to the last row; [n]: of the roots */
} diff_tree;

static const tt_side_place *place_of(const diff_tree *d, int side, const tt_tree_pair *p)
{
    return p->place[side] == TT_NONE ? NULL : &d->side[side].at.at[p->place[side]];
}

/* Set base, new and difference; TT_UNKNOWN for a side that cannot know. */
typedef struct three {
    int64_t v[DELTA + 1];
} three;

static three differ(int64_t base, int64_t now)
{
    return (three){{base, now, base == TT_UNKNOWN || now == TT_UNKNOWN ? TT_UNKNOWN : now - base}};
}

static three host_times(const diff_tree *d, const tt_tree_pair *p, bool self)
{
    int64_t v[TT_SIDES];
    for (int side = 0; side < TT_SIDES; side++) {
        const tt_side_place *at = place_of(d, side, p);
        v[side] = at ? (self ? at->host_self : at->host_total) / d->divide[side] : 0;
        if (self && p->again[side]) v[side] = 0; /* the parent's row counts it */
    }
    return differ(v[TT_BASE], v[TT_NEW]);
}

static three device_times(const diff_tree *d, const tt_tree_pair *p)
{
    int64_t v[TT_SIDES];
    for (int side = 0; side < TT_SIDES; side++) {
        const tt_side_place *at = place_of(d, side, p);
        v[side] = at ? at->device_total / d->divide[side] : 0;
        if (d->side[side].at.n && !d->side[side].has_device) v[side] = TT_UNKNOWN;
    }
    return differ(v[TT_BASE], v[TT_NEW]);
}

static void set_three(tt_table *t, uint32_t row, uint32_t col, three x)
{
    for (uint32_t i = 0; i <= DELTA; i++)
        if (x.v[i] != TT_UNKNOWN) tt_set_i(t, row, col + i, x.v[i]);
}

static void set_slices(tt_drilldown *o, const tt_side_place *p)
{
    o->what = TT_DRILL_SLICES;
    o->trace = p->trace;
    o->kinds = p->is_device ? TT_TREE_DEVICE_KINDS : TT_TREE_HOST_KINDS;
    o->name = p->slice;
}

static void set_names(diff_tree *d, uint32_t i, const tt_side_place *const at[TT_SIDES], tt_table *t)
{
    static const char *const how[] = {
        [TT_TREE_FAMILY] = "version", [TT_TREE_ALIKE] = "alike", [TT_TREE_PLACE] = "place"};
    bool level = d->pairs.at[i].again[TT_BASE] || d->pairs.at[i].again[TT_NEW];
    const tt_tree_pair *p = &d->pairs.at[i];
    const tt_side_place *shown = at[p->place[TT_NEW] != TT_NONE ? TT_NEW : TT_BASE];
    const char *name = tt_arena_printf(&t->arena, "%s", tt_str(&d->names, shown->name));
    d->path[i] = name;
    if (p->up != TT_NONE) {
        const tt_tree_pair *up = &d->pairs.at[p->up];
        const tt_side_place *around = place_of(d, up->place[TT_NEW] != TT_NONE ? TT_NEW : TT_BASE, up);
        d->path[i] = tt_path_text(&t->arena, d->path[p->up], tt_str(&d->names, around->name), name, p->depth);
    }
    tt_set_ref(t, i, PATH, d->path[i]);
    tt_set_i(t, i, DEPTH, p->depth);
    tt_set_ref(t, i, NAME, name);
    if (at[TT_BASE] && at[TT_NEW] && at[TT_BASE]->name != at[TT_NEW]->name) {
        tt_set_s(t, i, BASE_NAME, tt_str(&d->names, at[TT_BASE]->name));
        tt_set_ref(t, i, MATCH, level ? "level" : how[p->how]);
    }
    tt_set_i(t, i, IS_DEVICE, shown->is_device);
}

static void put_row(diff_tree *d, uint32_t i, tt_table *t)
{
    const tt_tree_pair *p = &d->pairs.at[i];
    const tt_side_place *at[TT_SIDES] = {place_of(d, TT_BASE, p), place_of(d, TT_NEW, p)};
    int64_t calls[TT_SIDES];
    (void)tt_table_add(t);
    set_names(d, i, at, t);
    for (int side = 0; side < TT_SIDES; side++) {
        calls[side] = at[side] ? at[side]->calls : 0;
        tt_set_i(t, i, CALLS + (uint32_t)side, calls[side]);
        if (at[side]) set_slices(side == TT_BASE ? tt_set_base_drilldown(t, i) : tt_set_drilldown(t, i), at[side]);
    }
    three host = host_times(d, p, false), device = device_times(d, p), main = d->by_device ? device : host;
    if (!(at[TT_NEW] ? at[TT_NEW] : at[TT_BASE])->is_device) {
        set_three(t, i, HOST_TOTAL, host);
        set_three(t, i, HOST_SELF, host_times(d, p, true));
    }
    set_three(t, i, DEVICE_TOTAL, device);
    tt_set_ref(
        t, i, CHANGE,
        tt_change_of_calls(calls[TT_BASE], (uint32_t)d->divide[TT_BASE], calls[TT_NEW], (uint32_t)d->divide[TT_NEW]));
    if (main.v[BASE] > 0) tt_set_d(t, i, RATIO, (double)main.v[NEW] / (double)main.v[BASE]);
    int64_t *sum = &d->accumulated[p->up == TT_NONE ? (uint32_t)d->pairs.n : p->up];
    tt_set_i(t, i, ACCUMULATED, *sum += main.v[DELTA]);
}

static void compute(const tt_query *q, tt_table *t)
{
    const tt_comparison *c = q->options.compare;
    if (!c) return;
    diff_tree d = {.m = tt_matching_make(q->session, q->scope, c)};
    tt_strings_init(&d.names);
    for (int side = 0; side < TT_SIDES; side++) {
        d.side[side] = tt_side_tree_make(&d.m, side, c->short_names, &d.names);
        d.divide[side] = d.m.per_step ? d.m.n_samples[side] : 1;
    }
    d.by_device = d.side[TT_BASE].has_device && d.side[TT_NEW].has_device;
    tt_tree_match(d.side, &d.pairs);
    d.path = tt_calloc(d.pairs.n + 1, sizeof *d.path);
    d.accumulated = tt_calloc(d.pairs.n + 1, sizeof *d.accumulated);
    for (uint32_t i = 0; i < d.pairs.n; i++) put_row(&d, i, t);
    if (!d.pairs.n) t->note = "No operators on either side in this scope";
    free(d.path);
    free(d.accumulated);
    tt_vec_free(&d.pairs);
    for (int side = 0; side < TT_SIDES; side++) tt_side_tree_free(&d.side[side]);
    tt_strings_free(&d.names);
    tt_matching_free(&d.m);
}

const tt_table_desc tt_table_diff_operator_tree = {
    .id = "diff_operator_tree",
    .title = "Operator tree compared",
    .meaning = "operators of two runs with what they call and launch, aligned place by place",
    .cols = columns,
    .n_cols = COUNT_OF(columns),
    .flags = TT_TABLE_COMPARE | TT_TABLE_ALL_TRACES | TT_TABLE_TREE,
    .note = TT_NOTHING_TO_COMPARE,
    .compute = compute,
};
