/* model/tables/steps/interval.c - table interval: what lies in a marked interval, or in the scope, by category,
 * device, kernel or operator.
 *
 * Unlike other tables it cuts slices that cross an edge, so that shares of the interval's length are meaningful. */
#include "model/tables/steps/interval.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/bisect.h"
#include "model/base/interval_set.h"
#include "model/base/sort_by.h"
#include "model/index/clip_to_window.h"
#include "model/index/self_time.h"
#include "model/tables/analysis/calls/call_tree.h"
#include "model/tables/analysis/names/name_class.h"
#include "model/tables/analysis/names/time_class.h"
#include "model/tables/table_util.h"

enum { NAME, CALLS, TOTAL, SELF, BUSY, IDLE, SHARE, MAX_IDLE, MAX };

#define CATEGORY (1 << TT_INTERVAL_CATEGORY)
#define DEVICE (1 << TT_INTERVAL_DEVICE)
#define OPERATOR (1 << TT_INTERVAL_OPERATOR)

static const tt_column columns[] = {
    COL("name", "Name", STRING, 0, "category, device, kernel or operator"),
    COL("calls", "Calls", COUNT, 2, "slices that lie in the interval at least in part"),
    COL("total_ns", "Total", DURATION, 1,
        "sum of the parts that lie in the interval; what runs at the same time, or is nested, counts again"),
    COL_G("self_ns", "Self", DURATION, 0, OPERATOR,
          "the same without the operators, ranges, runtime and driver calls directly inside"),
    COL_G("busy_ns", "Busy", DURATION, 0, CATEGORY | DEVICE,
          "time during which there was at least one; devices: a kernel, copy or set"),
    COL_G("idle_ns", "Idle", DURATION, 1, DEVICE, "the rest of the interval"),
    COL("share_pct", "%", PERCENT, 0, "busy time, total of a kernel or self of an operator / length of the interval"),
    COL_G("longest_idle_ns", "Longest idle", DURATION, 2, DEVICE, "longest time without work"),
    COL("max_ns", "Max", DURATION, 3, "largest part of one slice"),
};

/* a row of the table; sets are kept per track, where parts come in order */
typedef struct set {
    tt_ivs ivs;
    TT_VEC(tt_row) rows;   /* slice that begins each member */
    uint32_t group, order; /* order: number in order of creation */
} set;

typedef struct group {
    int64_t calls, total, self, max;
    tt_row longest;
} group;

/* Slots that remember the last keys without hashing, as consecutive slices mostly belong to few groups. Values + 1;
 * 0 = empty. */
enum { MEMO = 64 };
typedef struct memo {
    uint64_t key[MEMO];
    uint32_t index[MEMO];
} memo;

typedef struct collect {
    const tt_query *q;
    const tt_trace *s;
    const tt_name_classes *names;
    const tt_call_tree *tree;
    uint32_t node;     /* node of the last visited row, or a node behind it */
    tt_self_walk walk; /* self times of the track and window that are visited */
    tt_row last;       /* last slice of the walk */
    uint32_t walk_track;
    tt_groups keys;
    TT_VEC(group) list;
    TT_VEC(set) sets;
    tt_groups of_track; /* (group, track): index into sets */
    memo groups;        /* key: index into list */
    memo track_sets;    /* group: index into sets, for the track set_track */
    uint32_t set_track;
    tt_groups by_node;
    TT_VEC(int64_t) self; /* self time of a node's calls, by its index in by_node */
} collect;

static uint32_t *memo_of(memo *m, uint64_t key)
{
    uint32_t *index = &m->index[key % MEMO];
    if (m->key[key % MEMO] != key) *index = 0;
    m->key[key % MEMO] = key;
    return index;
}

static group *group_at(collect *c, uint64_t key, uint32_t *index)
{
    uint32_t *known = memo_of(&c->groups, key);
    if (!*known) *known = tt_groups_put(&c->keys, (tt_group_key){.a = key}) + 1;
    *index = *known - 1;
    if (*index == c->list.n) *tt_vec_push(&c->list) = (group){.longest = TT_NONE, .max = -1};
    return &c->list.at[*index];
}

static uint32_t add(collect *c, uint64_t key, const tt_clipped *p)
{
    uint32_t index;
    group *g = group_at(c, key, &index);
    int64_t ns = p->t1 - p->t0;
    g->calls += !p->again;
    g->total += ns;
    if (ns > g->max) {
        g->max = ns;
        g->longest = p->row;
    }
    return index;
}

static void add_to_set(collect *c, uint32_t index, const tt_clipped *p)
{
    if (p->t1 <= p->t0) return;
    if (c->set_track != p->track) memset(&c->track_sets, 0, sizeof c->track_sets);
    c->set_track = p->track;
    uint32_t *known = memo_of(&c->track_sets, index);
    if (!*known) *known = tt_groups_put(&c->of_track, (tt_group_key){.a = index, .b = p->track}) + 1;
    uint32_t at = *known - 1;
    if (at == c->sets.n) *tt_vec_push(&c->sets) = (set){.group = index, .order = at};
    set *x = &c->sets.at[at];
    if (tt_ivs_extend(&x->ivs, p->t0, p->t1)) *tt_vec_push(&x->rows) = p->row;
}

static void visit_category(void *arg, const tt_clipped *p)
{
    collect *c = arg;
    tt_time_class role = tt_role_of(c->s, c->names, p->row);
    if (role != TT_TIME_COUNT_) add_to_set(c, add(c, role, p), p);
}

static void visit_device(void *arg, const tt_clipped *p)
{
    collect *c = arg;
    const tt_activity *d = tt_kind_is_work(tt_row_kind(c->s, p->row)) ? tt_row_dev(c->s, p->row) : NULL;
    if (d) add_to_set(c, add(c, (uint32_t)d->device, p), p);
}

static void visit_kernel(void *arg, const tt_clipped *p)
{
    collect *c = arg;
    if (tt_row_kind(c->s, p->row) == TT_KIND_KERNEL) add(c, c->s->name[p->row], p);
}

/* ---- operators: the calls that table operators lists, with the self time of what lies in the interval ---- */

/* Node of a row; TT_NONE. Rows mostly ascend. */
static uint32_t node_of(collect *c, tt_row r)
{
    const tt_call_tree *t = c->tree;
    for (int i = 0; i < 8 && c->node < t->n && t->row[c->node] < r; i++) c->node++;
    if (c->node >= t->n || t->row[c->node] < r || (c->node > 0 && t->row[c->node - 1] >= r))
        c->node = tt_call_tree_lower(t, r);
    return c->node < t->n && t->row[c->node] == r ? c->node : TT_NONE;
}

static bool is_operator(const tt_call_tree *t, uint32_t node)
{
    return (t->flags[node] & (TT_CALL_COUNTED | TT_CALL_DUP)) == TT_CALL_COUNTED;
}

static void add_self(collect *c, uint32_t node, int64_t ns)
{
    if (node == TT_NONE) return;
    node = tt_call_tree_owner(c->tree, node);
    if (!is_operator(c->tree, node)) return;
    uint32_t at = tt_groups_put(&c->by_node, (tt_group_key){.a = node});
    if (at == c->self.n) *tt_vec_push(&c->self) = 0;
    c->self.at[at] += ns;
}

/* Add the self times of the nodes, none below zero, as in table operators. */
static void add_selves(collect *c)
{
    for (size_t i = 0; i < c->self.n; i++) {
        uint32_t node = (uint32_t)c->by_node.key.at[i].a, index;
        if (c->self.at[i] > 0) group_at(c, c->s->name[c->tree->row[node]], &index)->self += c->self.at[i];
    }
}

/* The part of a slice that is another's self time does not depend on the window; the window cuts it. */
static void visit_operator(void *arg, const tt_clipped *p)
{
    collect *c = arg;
    const tt_trace *s = c->s;
    if (s->tracks[p->track].kind == TT_TRACK_STREAM || !tt_self_counts(tt_row_kind(s, p->row))) return;
    if (p->track != c->walk_track || p->row <= c->last) tt_self_begin(&c->walk, s);
    c->walk_track = p->track;
    c->last = p->row;
    uint32_t node = node_of(c, p->row);
    int64_t from;
    uint32_t around = tt_self_next(&c->walk, node, s->start[p->row], tt_row_end(s, p->row), &from);
    if (from < p->t0) from = p->t0;
    if (from < p->t1) add_self(c, around, from - p->t1);
    if (node == TT_NONE) return;
    if (is_operator(c->tree, node)) add(c, s->name[p->row], p);
    add_self(c, node, p->t1 - p->t0);
}

/* ---- rows ---- */

/* Time during which a group was present; the longest time without it, and the slice behind that time in *after
 * (TT_NONE). */
static int64_t busy_of(const collect *c, uint32_t index, const tt_windows *w, int64_t *longest, tt_row *after)
{
    TT_VEC(tt_ivs) sets = {0};
    tt_ivs all = {0}, idle;
    int64_t begin = 0;
    size_t first = 0, end = c->sets.n; /* range of the group's sets */
    TT_BISECT(first, end, m, c->sets.at[m].group < index);
    while (end < c->sets.n && c->sets.at[end].group == index) end++;
    for (size_t i = first; i < end; i++) {
        tt_ivs *copy = tt_vec_push(&sets);
        *copy = (tt_ivs){0};
        for (size_t k = 0; k < c->sets.at[i].ivs.n; k++) *tt_vec_push(copy) = c->sets.at[i].ivs.at[k];
    }
    tt_ivs busy = tt_ivs_unite(sets.at, sets.n);
    for (uint32_t i = 0; i < w->n; i++) {
        int64_t t0 = w->at[i].t0 > 0 ? w->at[i].t0 : 0, t1 = w->at[i].t1 < c->s->end ? w->at[i].t1 : c->s->end;
        tt_ivs_add(&all, t0, t1);
    }
    tt_ivs_normalise(&all);
    idle = tt_ivs_subtract(&all, &busy);
    *longest = 0;
    *after = TT_NONE;
    for (size_t i = 0; i < idle.n; i++) {
        if (idle.at[i].t1 - idle.at[i].t0 <= *longest) continue;
        *longest = idle.at[i].t1 - idle.at[i].t0;
        begin = idle.at[i].t1;
    }
    for (size_t i = first; i < end && *longest; i++) {
        const set *x = &c->sets.at[i];
        for (size_t k = 0; k < x->ivs.n && x->ivs.at[k].t0 <= begin; k++)
            if (x->ivs.at[k].t0 == begin) *after = x->rows.at[k];
    }
    int64_t ns = tt_ivs_length(&busy);
    tt_vec_free(&sets);
    tt_vec_free(&all);
    tt_vec_free(&idle);
    tt_vec_free(&busy);
    return ns;
}

static void put_row(const collect *c, uint32_t index, const tt_windows *w, int64_t length, tt_table *t)
{
    static const char *const roles[] = {"Kernel",  "Memcpy",     "Memset",  "Communication",
                                        "Runtime", "DataLoader", "CPU Exec"};
    const group *g = &c->list.at[index];
    uint64_t key = c->keys.key.at[index].a;
    uint32_t row = tt_table_add(t), by = c->q->options.group;
    int64_t measure = by == TT_INTERVAL_OPERATOR ? g->self : g->total, longest;
    tt_row show = g->longest;
    if (by == TT_INTERVAL_CATEGORY) tt_set_ref(t, row, NAME, roles[key]);
    if (by == TT_INTERVAL_DEVICE) tt_set_ref(t, row, NAME, tt_device_text(t, c->s->rules, 1, (int32_t)key));
    if (by >= TT_INTERVAL_KERNEL) tt_set_ref(t, row, NAME, tt_str(&c->s->strings, (tt_sid)key));
    if (by <= TT_INTERVAL_DEVICE) {
        tt_row after;
        measure = busy_of(c, index, w, &longest, &after);
        tt_set_i(t, row, BUSY, measure);
        if (by == TT_INTERVAL_DEVICE && after != TT_NONE) show = after;
        tt_set_i(t, row, IDLE, length > measure ? length - measure : 0);
        tt_set_i(t, row, MAX_IDLE, longest);
    }
    tt_set_i(t, row, CALLS, g->calls);
    tt_set_i(t, row, TOTAL, g->total);
    tt_set_i(t, row, SELF, g->self);
    tt_set_d(t, row, SHARE, tt_pct((double)measure, (double)length));
    tt_set_i(t, row, MAX, g->max);
    if (show != TT_NONE) tt_set_row(c->q, t, row, show);
}

/* The parts of the windows inside [t0, t1). */
static tt_windows cut_to(const tt_windows *w, int64_t t0, int64_t t1)
{
    tt_windows out = {.at = tt_calloc(w->n + (size_t)1, sizeof *out.at)};
    for (uint32_t i = 0; i < w->n; i++) {
        struct tt_window one = {w->at[i].t0 > t0 ? w->at[i].t0 : t0, w->at[i].t1 < t1 ? w->at[i].t1 : t1};
        if (one.t0 < one.t1) out.at[out.n++] = one;
    }
    return out;
}

static void compute(const tt_query *q, tt_table *t)
{
    static void (*const visit[TT_INTERVAL_GROUPS])(void *, const tt_clipped *) = {visit_category, visit_device,
                                                                                  visit_kernel, visit_operator};
    int64_t t0 = q->options.arg[0], t1 = q->options.arg[1], track = TT_ALL, offset = q->session->offset_ns[q->trace];
    collect c = {
        .q = q, .s = tt_query_trace(q), .names = tt_name_classes_get(q->session, q->trace), .walk_track = TT_NONE};
    if (q->options.arg[2]) {
        uint64_t chosen = (uint64_t)q->options.arg[2] - 1;
        if (chosen >> 32 != q->trace) return;
        track = (int64_t)(chosen & UINT32_MAX);
    }
    tt_windows time = tt_scope_time(q->session, q->scope, q->trace), own = {0}, w = time;
    if (t1 > t0) w = own = cut_to(&time, t0 - offset, t1 - offset);
    if (q->options.group == TT_INTERVAL_OPERATOR) c.tree = tt_call_tree_get(q->session, q->trace, TT_TREE_OPS);
    tt_groups_init(&c.keys);
    tt_groups_init(&c.of_track);
    tt_groups_init(&c.by_node);
    tt_clipped_walk(q->session, q->trace, &w, track, visit[q->options.group], &c);
    add_selves(&c);
    TT_SORT_BY(c.sets.at, c.sets.n, TT_ASC(set, group), TT_ASC(set, order));
    int64_t length = tt_clipped_length(c.s, &w);
    for (uint32_t i = 0; i < c.list.n; i++)
        if (c.list.at[i].longest != TT_NONE) put_row(&c, i, &w, length, t);
    if (!t->n_rows) t->note = "None of this kind between A and B";
    for (size_t i = 0; i < c.sets.n; i++) {
        tt_vec_free(&c.sets.at[i].ivs);
        tt_vec_free(&c.sets.at[i].rows);
    }
    tt_vec_free(&c.sets);
    tt_vec_free(&c.list);
    tt_groups_free(&c.keys);
    tt_groups_free(&c.of_track);
    tt_groups_free(&c.by_node);
    tt_vec_free(&c.self);
    tt_self_end(&c.walk);
    tt_windows_free(&own);
    tt_windows_free(&time);
}

static const char *const group_keys[] = {"category", "device", "kernel", "operator", NULL};

const tt_table_desc tt_table_interval = {
    .id = "interval",
    .title = "Interval",
    .meaning = "contents of the time range A-B or the scope, cut to it: by category, device, kernel or operator",
    .cols = columns,
    .n_cols = COUNT_OF(columns),
    .groups = group_keys,
    .default_sort = "share_pct",
    .default_desc = true,
    .flags = TT_TABLE_ARGS,
    .compute = compute,
};
