/* model/tables/analysis/calls/call_tree.c - the call trees: one pass over each host track with a stack, then one
 * pass backwards that sums.
 *
 * Python frames and other slices are two layers of the trace; they are merged here, because the children of a module
 * are operators. Device work belongs to the node of the operator that the trace linked its launch to. Nodes are
 * counted first, so that each track has its place in the arrays and all tracks are walked at once. The cost for a
 * trace of millions of calls is memory that is touched for the first time: no array has an element per row, and only
 * nodes with device work have device times. */
#include "model/tables/analysis/calls/call_tree.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/bisect.h"
#include "model/base/group_by.h"
#include "model/base/run/parallel.h"
#include "model/base/sort_by.h"
#include "model/index/self_time.h"
#include "model/tables/analysis/names/name_class.h"
#include "model/trace/analysis_cache.h"

typedef struct frame { /* an open node */
    /* launcher: the node itself, or the innermost node around it that is no launch; TT_NONE */
    uint32_t node, launcher;
    int64_t end;
} frame;

typedef struct id_place {
    uint32_t group, before;
} id_place;

typedef struct walk { /* one host track */
    const struct builder *b;
    const tt_track *track;
    uint32_t first, n; /* index of its first node, number of nodes so far */
    uint32_t link;     /* next index into trace->launch_row */
    TT_VEC(frame) stack;
    /* open nodes by External id, as far up the stack as was asked for */
    tt_groups ids;           /* group of each id */
    TT_VEC(uint32_t) inside; /* per group the stack index of its innermost node + 1; 0 = none */
    /* per stack index its group (TT_NONE), and the stack index + 1 of the next node outside with that id */
    TT_VEC(id_place) placed;
    TT_VEC(tt_row) late; /* launches whose operator is on another track */
    /* For self times (self_time.h): slices that take time from each other, and the same with guests: nodes that have
     * a self time but take none from others. */
    tt_self_walk self, guest_self;
    uint32_t guests; /* number of guests among its nodes */
} walk;

typedef struct builder {
    const tt_trace *s;
    const tt_name_classes *names;
    tt_call_tree_kind kind;
    tt_call_tree *t;
    TT_VEC(walk) walks; /* walks in the order of the tracks */
    uint32_t *order;    /* indices of the walks, longest first */
} builder;

static bool is_node(const builder *b, tt_kind k, tt_row r)
{
    switch (k) {
    case TT_KIND_STEP: return true;
    case TT_KIND_ENGINE_STEP: return b->kind == TT_TREE_CALLS;
    case TT_KIND_CPU_OP: return b->kind == TT_TREE_OPS || !(tt_name_class(b->names, b->s, r) & TT_NAME_IGNORED);
    case TT_KIND_MODULE: return b->kind == TT_TREE_OPS;
    case TT_KIND_ANNOTATION:
        return b->kind == TT_TREE_CALLS || b->s->rules->annotations_are_calls || b->t->of_ranges ||
               (tt_name_class(b->names, b->s, r) &
                (TT_NAME_DATALOADER | TT_NAME_OPT_STEP | TT_NAME_COMM_NODE | TT_NAME_PL_MODULE)) != 0;
    case TT_KIND_RUNTIME:
    case TT_KIND_DRIVER:
    case TT_KIND_OVERHEAD: return b->kind == TT_TREE_CALLS;
    case TT_KIND_DATALOADER:
    case TT_KIND_FORWARD:
    case TT_KIND_BACKWARD:
    case TT_KIND_OPTIMIZATION:
    case TT_KIND_COMMUNICATION:
    case TT_KIND_OP_INNER:
    case TT_KIND_PYTHON_OP: return true;
    default: return false;
    }
}

static unsigned node_flags(const builder *b, tt_kind k, tt_row r)
{
    unsigned c = tt_name_class(b->names, b->s, r), f = 0;
    if (b->t->of_ranges && (TT_TREE_RANGES >> k & 1)) return TT_CALL_COUNTED;
    if (k != TT_KIND_CPU_OP) return 0;
    const unsigned no_operator =
        TT_NAME_DATALOADER | TT_NAME_OPTIMIZER | TT_NAME_DP | TT_NAME_DDP | TT_NAME_PL_MODULE | TT_NAME_PL_HOOK;
    if (!(c & no_operator)) f |= TT_CALL_COUNTED;
    if (c & TT_NAME_ELIGIBLE) f |= TT_CALL_ELIGIBLE | TT_CALL_LEAF_ELIGIBLE;
    return f;
}

/* First index of [lo, hi) in an ascending list of rows whose row is not before `row`; hi = none. */
static uint32_t lower(const tt_row *list, uint32_t lo, uint32_t hi, tt_row row)
{
    TT_BISECT(lo, hi, i, list[i] < row);
    return lo;
}

/* Row of the operator whose id the launch carries; TT_NONE. */
static tt_row operator_by_id(const tt_trace *s, bool trusted, tt_row launch)
{
    tt_row op = s->detail[launch];
    return trusted && op != TT_NONE && s->external_id[launch] && s->external_id[launch] == s->external_id[op] ? op
                                                                                                              : TT_NONE;
}

/* Give the device work of a launch to a node; TT_NONE = to none. */
static void give_launch(const builder *b, tt_row r, uint32_t link, uint32_t node)
{
    const tt_trace *s = b->s;
    for (; link < s->n_links && s->launch_row[link] == r; link++) b->t->of_dev[s->launched_activity[link]] = node;
}

static void pop(walk *w)
{
    if (w->placed.n == w->stack.n--) {
        const id_place *p = &w->placed.at[--w->placed.n];
        if (p->group != TT_NONE) w->inside.at[p->group] = p->before;
    }
}

static void place_ids(walk *w)
{
    const tt_trace *s = w->b->s;
    if (!w->ids.slot) tt_groups_init(&w->ids);
    while (w->placed.n < w->stack.n) {
        tt_row r = w->b->t->row[w->stack.at[w->placed.n].node];
        id_place *p = tt_vec_push(&w->placed);
        *p = (id_place){.group = TT_NONE};
        if (!s->external_id[r] || tt_kind_is_launch(tt_row_kind(s, r))) continue;
        p->group = tt_groups_put(&w->ids, (tt_group_key){.a = s->external_id[r]});
        if (p->group == w->inside.n) *tt_vec_push(&w->inside) = 0;
        p->before = w->inside.at[p->group];
        w->inside.at[p->group] = (uint32_t)w->placed.n;
    }
}

/* Innermost range around a launch that has its id; TT_NONE. Steps and stages are no operators, but may have
 * launched. */
static uint32_t node_with_id(walk *w, tt_row r)
{
    const tt_trace *s = w->b->s;
    if (!s->external_id[r]) return TT_NONE;
    place_ids(w);
    uint32_t group = tt_groups_put(&w->ids, (tt_group_key){.a = s->external_id[r]});
    if (group == w->inside.n) *tt_vec_push(&w->inside) = 0;
    uint32_t offset = w->inside.at[group];
    return offset ? w->stack.at[offset - 1].node : TT_NONE;
}

/* Stack index + 1 of the innermost open node that is at or before a row; 0 = none. Rows ascend towards the top. */
static size_t place_of(const walk *w, tt_row r)
{
    size_t lo = 0, hi = w->stack.n;
    TT_BISECT(lo, hi, i, w->b->t->row[w->stack.at[i].node] <= r);
    return lo;
}

/* Find the node that launched: the node of the operator whose id the launch carries, else the innermost node around
 * the launch. Tree CALLS follows the ids alone if the trace has them. */
static void walk_launch(walk *w, tt_row r)
{
    const builder *b = w->b;
    const tt_call_tree *t = b->t;
    tt_row op = operator_by_id(b->s, b->t->ids_trusted, r);
    uint32_t node = TT_NONE;
    size_t i = w->stack.n;
    if (op != TT_NONE) {
        i = place_of(w, op);
        if (i && t->row[w->stack.at[i - 1].node] == op) {
            node = w->stack.at[i - 1].node;
        } else {
            *tt_vec_push(&w->late) = r;
            return;
        }
    } else if (b->kind != TT_TREE_CALLS || !b->t->ids_trusted) {
        node = i ? w->stack.at[i - 1].launcher : TT_NONE;
    } else {
        node = node_with_id(w, r);
    }
    give_launch(b, r, w->link, node);
}

static uint32_t add_node(walk *w, tt_row r, tt_kind k)
{
    tt_call_tree *t = w->b->t;
    uint32_t i = w->first + w->n++, up = w->stack.n ? w->stack.at[w->stack.n - 1].node : TT_NONE;
    t->row[i] = r;
    t->up[i] = up;
    t->flags[i] = (uint8_t)node_flags(w->b, k, r);
    t->host_self[i] = w->b->s->dur[r];
    if (up != TT_NONE) t->flags[up] |= t->flags[up] & TT_CALL_PARENT ? TT_CALL_FORK : TT_CALL_PARENT;
    return i;
}

static bool is_guest(const builder *b, tt_kind k)
{
    return k == (b->kind == TT_TREE_OPS ? TT_KIND_MODULE : TT_KIND_OVERHEAD);
}

/* Subtract the time of a slice from the self time of the node around it. node: its own node, or TT_NONE. */
static void take_off(walk *w, uint32_t node, tt_kind k, int64_t start, int64_t end)
{
    int64_t *self = w->b->t->host_self, from;
    bool guest = is_guest(w->b, k);
    if (!guest) {
        uint32_t around = tt_self_next(&w->self, node, start, end, &from);
        if (around != TT_NONE) self[around] -= end - from;
    }
    if (!w->guests) return;
    uint32_t around = tt_self_next(&w->guest_self, guest ? node : TT_NONE, start, end, &from);
    if (around != TT_NONE) self[around] -= end - from;
}

/* Mark nodes that are the only child of a node with the same name: both are one call. In OPS both must be operators. */
static void mark_duplicates(const walk *w)
{
    tt_call_tree *t = w->b->t;
    const tt_trace *s = w->b->s;
    for (uint32_t i = w->first; i < w->first + w->n; i++) {
        uint32_t up = t->up[i];
        if (up == TT_NONE || t->flags[up] & TT_CALL_FORK || s->name[t->row[i]] != s->name[t->row[up]]) continue;
        if (w->b->kind == TT_TREE_OPS &&
            (tt_row_kind(s, t->row[i]) != TT_KIND_CPU_OP || tt_row_kind(s, t->row[up]) != TT_KIND_CPU_OP))
            continue;
        t->flags[i] |= TT_CALL_DUP;
    }
}

/* First link whose launch is at or behind the row. */
static uint32_t first_link(const tt_trace *s, tt_row r) { return lower(s->launch_row, 0, s->n_links, r); }

static void walk_rows(walk *w)
{
    const builder *b = w->b;
    const tt_trace *s = b->s;
    w->link = first_link(s, w->track->first);
    w->n = 0;
    tt_self_begin(&w->self, s);
    tt_self_begin(&w->guest_self, s);
    for (tt_row r = w->track->first; r < w->track->first + w->track->n; r++) {
        tt_kind k = tt_row_kind(s, r);
        bool linked = w->link < s->n_links && s->launch_row[w->link] == r, node = is_node(b, k, r);
        if (!node && !linked && !tt_self_counts(k)) continue;
        int64_t start = s->start[r], end = tt_row_end(s, r);
        while (w->stack.n && w->stack.at[w->stack.n - 1].end <= start) pop(w);
        while (node && w->stack.n && w->stack.at[w->stack.n - 1].end < end) pop(w);
        uint32_t i = node ? add_node(w, r, k) : TT_NONE;
        if (node || tt_self_counts(k)) take_off(w, i, k, start, end);
        if (node) {
            uint32_t launcher =
                tt_kind_is_launch(k) ? (w->stack.n ? w->stack.at[w->stack.n - 1].launcher : TT_NONE) : i;
            *tt_vec_push(&w->stack) = (frame){i, launcher, end};
        }
        if (linked) walk_launch(w, r);
        while (w->link < s->n_links && s->launch_row[w->link] == r) w->link++;
    }
    while (w->stack.n) pop(w);
    tt_self_end(&w->self);
    tt_self_end(&w->guest_self);
    mark_duplicates(w);
}

static void walk_track(void *arg, size_t task)
{
    const builder *b = arg;
    walk w = b->walks.at[b->order[task]]; /* work on a copy: neighbours in the array belong to other threads */
    walk_rows(&w);
    b->walks.at[b->order[task]] = w;
}

static void count_track(void *arg, size_t task)
{
    const builder *b = arg;
    walk *w = &b->walks.at[b->order[task]];
    uint32_t n = 0, guests = 0;
    for (tt_row r = w->track->first; r < w->track->first + w->track->n; r++) {
        tt_kind k = tt_row_kind(b->s, r);
        n += is_node(b, k, r);
        guests += is_guest(b, k);
    }
    w->n = n;
    w->guests = guests;
}

typedef struct late_launch { /* a launch, or a piece of work without a recorded launch: row TT_NONE and its entry */
    tt_row op, launch;
    uint32_t dev;
} late_launch;

/* Give launches whose operator is not around them, or is no node, to that operator's node or to the innermost node
 * around it. Work without a launch too. */
static void give_late(builder *b)
{
    const tt_trace *s = b->s;
    const tt_call_tree *t = b->t;
    TT_VEC(late_launch) late = {0};
    for (size_t i = 0; i < b->walks.n; i++) {
        for (size_t k = 0; k < b->walks.at[i].late.n; k++) {
            tt_row r = b->walks.at[i].late.at[k];
            *tt_vec_push(&late) = (late_launch){operator_by_id(s, t->ids_trusted, r), r, TT_NONE};
        }
    }
    for (uint32_t i = 0; i < s->n_dev; i++) {
        const tt_activity *d = &s->dev[i];
        if (d->op != TT_NONE) *tt_vec_push(&late) = (late_launch){d->op, TT_NONE, i};
    }
    TT_SORT_BY(late.at, late.n, TT_ASC(late_launch, op), TT_ASC(late_launch, launch), TT_ASC(late_launch, dev));
    tt_call_tree_cursor c = tt_call_tree_cursor_start;
    size_t m = 0;
    for (size_t i = 0; i < late.n; i++) {
        tt_row op = late.at[i].op;
        while (m < b->walks.n && b->walks.at[m].track->first + b->walks.at[m].track->n <= op) m++;
        uint32_t node = TT_NONE;
        if (m < b->walks.n && op >= b->walks.at[m].track->first) {
            const walk *w = &b->walks.at[m];
            uint32_t end = w->first + w->n, at = lower(t->row, w->first, end, op);
            bool own = at < end && t->row[at] == op;
            node = own ? at : tt_call_tree_running(s, t, &c, w->first, at, s->start[op]);
        }
        tt_row launch = late.at[i].launch;
        if (launch == TT_NONE)
            b->t->of_dev[late.at[i].dev] = node;
        else
            give_launch(b, launch, first_link(s, launch), node);
    }
    tt_vec_free(&late);
}

/* So that the owner of a merged node is one step away: see call_tree.h. */
static void shorten(tt_call_tree *t)
{
    for (uint32_t i = 0; i < t->n; i++)
        if (t->flags[i] & TT_CALL_DUP) t->up[i] = tt_call_tree_owner(t, t->up[i]);
}

/* Mark nodes with device work in or below them, and end self times at zero: children whose rounded times overlap may
 * have subtracted more than there was. */
static void mark_track(void *arg, size_t task)
{
    const builder *b = arg;
    const walk *w = &b->walks.at[b->order[task]];
    tt_call_tree *t = b->t;
    for (uint32_t i = w->first + w->n; i-- > w->first;) {
        if (t->host_self[i] < 0) t->host_self[i] = 0;
        if (t->flags[i] & TT_CALL_DEVICE && t->up[i] != TT_NONE) t->flags[t->up[i]] |= TT_CALL_DEVICE;
    }
}

static uint32_t number_nodes(tt_call_tree *t)
{
    uint32_t with = 0;
    t->rank = tt_malloc((t->n / 64 + 1) * sizeof *t->rank);
    for (uint32_t i = 0; i <= t->n / 64; i++) {
        uint64_t bits = 0;
        for (uint32_t k = i * 64; k < t->n && k < i * 64 + 64; k++)
            bits |= (uint64_t)((t->flags[k] & TT_CALL_DEVICE) != 0) << k % 64;
        t->rank[i] = (struct tt_call_tree_rank){bits, with};
        with += (uint32_t)__builtin_popcountll(bits);
    }
    return with;
}

typedef struct zeros {
    int64_t **of[5];
    size_t n;
} zeros;

/* Zero by writing: a page that is read before it is written is mapped twice. */
static void make_zeros(void *arg, size_t i)
{
    const zeros *z = arg;
    *z->of[i] = tt_malloc(z->n * sizeof **z->of[i]);
    memset(*z->of[i], 0, z->n * sizeof **z->of[i]);
}

static void attach_device(builder *b)
{
    tt_call_tree *t = b->t;
    const tt_trace *s = b->s;
    for (uint32_t i = 0; i < s->n_dev; i++) {
        if (!tt_kind_is_work(tt_row_kind(s, s->dev[i].row))) {
            t->of_dev[i] = TT_NONE;
            continue;
        }
        t->has_device = true;
        if (t->of_dev[i] != TT_NONE) t->flags[t->of_dev[i]] |= TT_CALL_DEVICE;
    }
    tt_parallel(tt_threads(), b->walks.n, mark_track, b);
    bool tensor = b->kind == TT_TREE_OPS;
    zeros z = {{&t->dev_self, &t->dev_total, &t->tensor_self, &t->tensor_total, &t->kernel_self}, number_nodes(t) + 1u};
    tt_parallel(tt_threads(), tensor ? 5 : 2, make_zeros, &z);
    for (uint32_t i = 0; i < s->n_dev; i++) {
        if (t->of_dev[i] == TT_NONE) continue;
        tt_row r = s->dev[i].row;
        uint32_t at = tt_call_tree_dev(t, t->of_dev[i]);
        t->dev_self[at] += s->dur[r];
        if (!tensor || tt_row_kind(s, r) != TT_KIND_KERNEL) continue;
        t->kernel_self[at] += s->dur[r];
        if (tt_name_class(b->names, s, r) & TT_NAME_TENSOR) t->tensor_self[at] += s->dur[r];
    }
}

/* Add the times of node i, which are complete, to the node around it. */
static void sum_node(tt_call_tree *t, uint32_t i, uint32_t up, bool tensor)
{
    uint32_t from = tt_call_tree_dev(t, i);
    t->dev_total[from] += t->dev_self[from];
    if (tensor) {
        t->tensor_total[from] += t->tensor_self[from];
        if (t->tensor_self[from] > 0) t->flags[i] |= TT_CALL_ELIGIBLE;
    }
    if (up == TT_NONE) return;
    /* a merged node's own work is the own work of the node that it merged into, which sums it again */
    bool merged = (t->flags[i] & TT_CALL_DUP) != 0;
    uint32_t to = tt_call_tree_dev(t, up);
    t->dev_total[to] += t->dev_total[from] - (merged ? t->dev_self[from] : 0);
    t->dev_self[to] += merged ? t->dev_self[from] : 0;
    if (!tensor) return;
    t->tensor_total[to] += t->tensor_total[from] - (merged ? t->tensor_self[from] : 0);
    if (!merged) return;
    t->tensor_self[to] += t->tensor_self[from];
    t->kernel_self[to] += t->kernel_self[from];
}

/* Children come after their parents, so one pass from the end sums whole subtrees. An eligible operator counts only
 * when no operator below it is eligible ("deepest eligible"). */
static void sum_track(void *arg, size_t task)
{
    const builder *b = arg;
    const walk *w = &b->walks.at[b->order[task]];
    tt_call_tree *t = b->t;
    for (uint32_t i = w->first + w->n; i-- > w->first;) {
        uint32_t up = t->up[i];
        if (t->flags[i] & TT_CALL_DEVICE) sum_node(t, i, up, b->kind == TT_TREE_OPS);
        if (up != TT_NONE && t->flags[i] & TT_CALL_ELIGIBLE && tt_row_kind(b->s, t->row[up]) == TT_KIND_CPU_OP)
            t->flags[up] |= TT_CALL_ELIGIBLE;
        if (t->flags[i] & TT_CALL_DUP) t->host_self[up] += t->host_self[i];
        const unsigned counts = TT_CALL_ELIGIBLE | TT_CALL_COUNTED;
        bool eligible = (t->flags[i] & (counts | TT_CALL_DUP)) == counts, below = (t->flags[i] & TT_CALL_BELOW) != 0;
        t->flags[i] &= (uint8_t)~TT_CALL_LEAF_ELIGIBLE;
        if (eligible && !below) t->flags[i] |= TT_CALL_LEAF_ELIGIBLE;
        if (up != TT_NONE && (eligible || below)) t->flags[up] |= TT_CALL_BELOW;
    }
}

/* Give the launches of an operator's parts to the operator itself, if parts are recorded as calls. */
static void give_parts_to_operators(void *arg, size_t task)
{
    const builder *b = arg;
    const walk *w = &b->walks.at[b->order[task]];
    tt_call_tree *t = b->t;
    for (uint32_t i = w->first + w->n; i-- > w->first;) {
        tt_kind k = tt_row_kind(b->s, t->row[i]);
        uint32_t up = t->up[i];
        if (up == TT_NONE || (k != TT_KIND_OP_INNER && k != TT_KIND_ANNOTATION)) continue;
        uint32_t from = tt_call_tree_dev(t, i), to = tt_call_tree_dev(t, up);
        if (!from) continue;
        t->dev_self[to] += t->dev_self[from];
        t->kernel_self[to] += t->kernel_self[from];
        t->tensor_self[to] += t->tensor_self[from];
    }
}

static int longest_first(const void *a, const void *b, void *walks)
{
    const walk *w = walks, *x = &w[*(const uint32_t *)a], *y = &w[*(const uint32_t *)b];
    return (x->track->n < y->track->n) - (x->track->n > y->track->n);
}

static void plan(builder *b)
{
    const tt_trace *s = b->s;
    for (uint32_t i = 0; i < s->n_tracks; i++) /* a slice of a stream that calls itself a launch is inside no node */
        if (s->tracks[i].kind != TT_TRACK_STREAM) *tt_vec_push(&b->walks) = (walk){.b = b, .track = &s->tracks[i]};
    b->order = tt_calloc(b->walks.n + 1, sizeof *b->order);
    for (uint32_t i = 0; i < b->walks.n; i++) b->order[i] = i;
    qsort_r(b->order, b->walks.n, sizeof *b->order, longest_first, b->walks.at);
    tt_parallel(tt_threads(), b->walks.n, count_track, b);
    for (size_t i = 0; i < b->walks.n; i++) {
        b->walks.at[i].first = b->t->n;
        b->t->n += b->walks.at[i].n;
    }
}

bool tt_call_tree_has_operators(const tt_trace *s)
{
    for (uint32_t i = 0; i < s->n_cats; i++) {
        if (s->cats[i].kind == TT_KIND_CPU_OP) return true;
    }
    return false;
}

static void *build(const tt_session *session, uint32_t trace, tt_call_tree_kind kind)
{
    const tt_trace *s = session->traces[trace];
    tt_call_tree *t = tt_calloc(1, sizeof *t);
    builder b = {.s = s, .names = tt_name_classes_get(session, trace), .kind = kind, .t = t};
    t->ids_trusted = s->external == TT_EXTERNAL_OPERATORS;
    t->of_ranges = kind == TT_TREE_OPS && !s->rules->annotations_are_calls && !tt_call_tree_has_operators(s);
    plan(&b);
    t->row = tt_malloc((t->n + (size_t)1) * sizeof *t->row);
    t->up = tt_malloc((t->n + (size_t)1) * sizeof *t->up);
    t->flags = tt_malloc((t->n + (size_t)1) * sizeof *t->flags);
    t->host_self = tt_malloc((t->n + (size_t)1) * sizeof *t->host_self);
    t->of_dev = tt_malloc((s->n_dev + (size_t)1) * sizeof *t->of_dev);
    for (uint32_t i = 0; i < s->n_dev; i++) t->of_dev[i] = TT_NONE;
    tt_parallel(tt_threads(), b.walks.n, walk_track, &b);
    give_late(&b);
    shorten(t);
    attach_device(&b);
    tt_parallel(tt_threads(), b.walks.n, sum_track, &b);
    if (kind == TT_TREE_OPS && s->rules->operator_parts_are_operators)
        tt_parallel(tt_threads(), b.walks.n, give_parts_to_operators, &b);
    for (size_t i = 0; i < b.walks.n; i++) {
        tt_vec_free(&b.walks.at[i].stack);
        if (b.walks.at[i].ids.slot) tt_groups_free(&b.walks.at[i].ids);
        tt_vec_free(&b.walks.at[i].inside);
        tt_vec_free(&b.walks.at[i].placed);
        tt_vec_free(&b.walks.at[i].late);
    }
    tt_vec_free(&b.walks);
    free(b.order);
    return t;
}

static void release(void *value)
{
    tt_call_tree *t = value;
    free(t->row);
    free(t->up);
    free(t->flags);
    free(t->host_self);
    free(t->dev_self);
    free(t->dev_total);
    free(t->tensor_self);
    free(t->tensor_total);
    free(t->kernel_self);
    free(t->of_dev);
    free(t->rank);
    free(t);
}

static void *build_ops(const tt_session *s, uint32_t trace) { return build(s, trace, TT_TREE_OPS); }
static void *build_calls(const tt_session *s, uint32_t trace) { return build(s, trace, TT_TREE_CALLS); }

const tt_call_tree *tt_call_tree_get(const tt_session *s, uint32_t trace, tt_call_tree_kind kind)
{
    static const tt_analysis_kind kinds[] = {{"operator tree", build_ops, release},
                                             {"call tree", build_calls, release}};
    return tt_analysis_get(s, trace, &kinds[kind]);
}

uint32_t tt_call_tree_lower(const tt_call_tree *t, tt_row row) { return lower(t->row, 0, t->n, row); }

const tt_call_tree_cursor tt_call_tree_cursor_start = {TT_NONE, 0, TT_NONE, INT64_MIN};

uint32_t tt_call_tree_running(const tt_trace *s, const tt_call_tree *t, tt_call_tree_cursor *c, uint32_t first,
                              uint32_t end, int64_t time)
{
    tt_call_tree_cursor now = {first, end, end > first ? end - 1 : TT_NONE, time};
    bool back = first == c->first && (end < c->end || (end == c->end && time < c->time));
    if (first == c->first && end == c->end && !back) now.top = c->top; /* a node that had ended by then has ended now */
    while (now.top != TT_NONE && tt_row_end(s, t->row[now.top]) <= time) now.top = t->up[now.top];
    if (!back) *c = now;
    return now.top;
}
