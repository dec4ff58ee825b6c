/* model/summary/hosttree.c - the host trees: one pass over each host track with a stack, then one backward pass that sums.
 *
 * Python frames and everything else are two layers of the store; here they are woven together, because a module's children
 * are operators. Device work belongs to the node of the operator that the store linked its launch to.                    */
#include "model/summary/hosttree.h"

#include <stdlib.h>

#include "model/derived.h"
#include "model/summary/names.h"

typedef struct frame {
    uint32_t node;
    int64_t end;
} frame;

typedef struct builder {
    const tt_store *s;
    const tt_names *names;
    tt_tree_kind kind;
    tt_tree *t;
    size_t cap;
    uint32_t *children; /* direct child nodes, by node */
    uint32_t *node_of;  /* by row: its node, or the node around it */
    TT_VEC(frame) stack;
    bool ids_trusted; /* External ids say which operator launched something */
} builder;

static bool is_node(const builder *b, tt_kind k, tt_row r)
{
    switch (k) {
    case TT_KIND_STEP: return true;
    case TT_KIND_CPU_OP: return b->kind == TT_TREE_OPS || !(tt_name_class(b->names, b->s, r) & TT_NAME_IGNORED);
    case TT_KIND_MODULE: return b->kind == TT_TREE_OPS;
    case TT_KIND_ANNOTATION:
        return b->kind == TT_TREE_CALLS || b->s->format == TT_FORMAT_PADDLE ||
               (tt_name_class(b->names, b->s, r) & (TT_NAME_DATALOADER | TT_NAME_OPT_STEP | TT_NAME_COMM_NODE)) != 0;
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

static void grow(builder *b)
{
    tt_tree *t = b->t;
    b->cap = b->cap ? b->cap * 2 : 1024;
    t->row = tt_realloc(t->row, b->cap, sizeof *t->row);
    t->up = tt_realloc(t->up, b->cap, sizeof *t->up);
    t->flags = tt_realloc(t->flags, b->cap, sizeof *t->flags);
    t->host_self = tt_realloc(t->host_self, b->cap, sizeof *t->host_self);
    b->children = tt_realloc(b->children, b->cap, sizeof *b->children);
}

static unsigned node_flags(const builder *b, tt_kind k, tt_row r)
{
    unsigned c = tt_name_class(b->names, b->s, r), f = 0;
    if (k != TT_KIND_CPU_OP) return 0;
    if (!(c & (TT_NAME_DATALOADER | TT_NAME_OPTIMIZER | TT_NAME_DP | TT_NAME_DDP))) f |= TT_NODE_COUNTED;
    if (c & TT_NAME_ELIGIBLE) f |= TT_NODE_ELIGIBLE | TT_NODE_LEAF_ELIGIBLE;
    return f;
}

static uint32_t add_node(builder *b, tt_row r, tt_kind k, uint32_t up)
{
    tt_tree *t = b->t;
    if (t->n == b->cap) grow(b);
    uint32_t i = t->n++;
    t->row[i] = r;
    t->up[i] = up;
    t->flags[i] = (uint8_t)node_flags(b, k, r);
    t->host_self[i] = b->s->dur[r];
    b->children[i] = 0;
    if (up != TT_NONE) b->children[up]++;
    return i;
}

static void walk_track(builder *b, const tt_track *track)
{
    const tt_store *s = b->s;
    b->stack.n = 0;
    for (tt_row r = track->first; r < track->first + track->n; r++) {
        tt_kind k = tt_row_kind(s, r);
        int64_t start = s->start[r], end = tt_row_end(s, r);
        while (b->stack.n && b->stack.at[b->stack.n - 1].end <= start) b->stack.n--;
        if (!is_node(b, k, r)) {
            b->node_of[r] = b->stack.n ? b->stack.at[b->stack.n - 1].node : TT_NONE;
            continue;
        }
        while (b->stack.n && b->stack.at[b->stack.n - 1].end < end) b->stack.n--;
        frame *top = b->stack.n ? &b->stack.at[b->stack.n - 1] : NULL;
        uint32_t node = add_node(b, r, k, top ? top->node : TT_NONE);
        if (top) b->t->host_self[top->node] -= s->dur[r];
        b->node_of[r] = node;
        *tt_vec_push(&b->stack) = (frame){node, end};
    }
}

/* A node that is the only child of a node of the same name is one call with it. In OPS both must be operators. */
static void mark_duplicates(builder *b)
{
    tt_tree *t = b->t;
    const tt_store *s = b->s;
    for (uint32_t i = 0; i < t->n; i++) {
        uint32_t up = t->up[i];
        if (up == TT_NONE || b->children[up] != 1 || s->name[t->row[i]] != s->name[t->row[up]]) continue;
        if (b->kind == TT_TREE_OPS &&
            (tt_row_kind(s, t->row[i]) != TT_KIND_CPU_OP || tt_row_kind(s, t->row[up]) != TT_KIND_CPU_OP))
            continue;
        t->flags[i] |= TT_NODE_DUP;
    }
}

/* Most External ids of device work differ from the correlation id: then they are ids of operators (pytorch.md 15, 1). */
static bool ids_trusted(const tt_store *s)
{
    uint32_t with = 0, same = 0;
    for (uint32_t i = 0; i < s->n_dev; i++) {
        tt_row r = s->dev[i].row;
        if (!tt_kind_is_work(tt_row_kind(s, r)) || !s->ext[r]) continue;
        with++;
        same += s->ext[r] == s->corr[r];
    }
    return with && same * 2 <= with;
}

/* The node that launched: that of the operator whose id the launch carries, else the innermost around it. What key_averages lists
 * follows the ids alone where the trace has them. TT_NONE = nobody. */
static uint32_t launcher(const builder *b, tt_row launch)
{
    const tt_store *s = b->s;
    tt_row op = s->side[launch];
    bool by_id = b->ids_trusted && op != TT_NONE && s->ext[launch] && s->ext[launch] == s->ext[op] &&
                 s->ext[launch] != s->corr[launch];
    if (by_id) return b->node_of[op];
    if (b->kind == TT_TREE_CALLS && b->ids_trusted) return TT_NONE;
    uint32_t node = b->node_of[launch];
    while (node != TT_NONE && tt_kind_is_launch(tt_row_kind(s, b->t->row[node]))) node = b->t->up[node];
    return node;
}

/* In OPS the time of a launch is not self time of its launcher, if it was running then. A driver call inside a runtime call is
 * already accounted. */
static void take_off_launches(builder *b)
{
    const tt_store *s = b->s;
    for (tt_row r = 0; r < s->n; r++) {
        if (!tt_kind_is_launch(tt_row_kind(s, r))) continue;
        if (s->parent[r] != TT_NONE && tt_kind_is_launch(tt_row_kind(s, s->parent[r]))) continue;
        uint32_t node = launcher(b, r);
        if (node == TT_NONE) continue;
        tt_row op = b->t->row[node];
        if (s->start[r] >= s->start[op] && s->start[r] < tt_row_end(s, op)) b->t->host_self[node] -= s->dur[r];
    }
}

static void attach_device(builder *b)
{
    tt_tree *t = b->t;
    const tt_store *s = b->s;
    for (uint32_t i = 0; i < s->n_dev; i++) {
        const tt_dev *d = &s->dev[i];
        tt_kind k = tt_row_kind(s, d->row);
        t->of_dev[i] = TT_NONE;
        if (!tt_kind_is_work(k)) continue;
        t->has_device = true;
        uint32_t node = d->launch != TT_NONE ? launcher(b, d->launch) : TT_NONE;
        t->of_dev[i] = node;
        if (node == TT_NONE) continue;
        int64_t dur = s->dur[d->row];
        t->dev_self[node] += dur;
        if (k != TT_KIND_KERNEL) continue;
        t->kernel_self[node] += dur;
        if (tt_name_class(b->names, s, d->row) & TT_NAME_TENSOR) t->tensor_self[node] += dur;
    }
}

/* Children come after their parents, so one pass from the end sums whole subtrees. */
static void sum_up(builder *b)
{
    tt_tree *t = b->t;
    for (uint32_t i = t->n; i-- > 0;) {
        t->dev_total[i] += t->dev_self[i];
        t->tensor_total[i] += t->tensor_self[i];
        if (t->tensor_self[i] > 0) t->flags[i] |= TT_NODE_ELIGIBLE;
        uint32_t up = t->up[i];
        if (up == TT_NONE) continue;
        t->dev_total[up] += t->dev_total[i];
        t->tensor_total[up] += t->tensor_total[i];
        if (t->flags[i] & TT_NODE_ELIGIBLE && tt_row_kind(b->s, t->row[up]) == TT_KIND_CPU_OP)
            t->flags[up] |= TT_NODE_ELIGIBLE;
        if (t->flags[i] & TT_NODE_DUP) {
            t->host_self[up] += t->host_self[i];
            t->dev_self[up] += t->dev_self[i];
            t->tensor_self[up] += t->tensor_self[i];
            t->kernel_self[up] += t->kernel_self[i];
            t->dev_total[up] -= t->dev_self[i]; /* is in its total twice now: once below, once as its own */
            t->tensor_total[up] -= t->tensor_self[i];
        }
    }
}

/* Paddle records the parts of an operator (infer_meta, compute ...) as calls. What they do, the operator does itself. */
static void give_parts_to_operators(builder *b)
{
    tt_tree *t = b->t;
    for (uint32_t i = t->n; i-- > 0;) {
        tt_kind k = tt_row_kind(b->s, t->row[i]);
        uint32_t up = t->up[i];
        if (up == TT_NONE || (k != TT_KIND_OP_INNER && k != TT_KIND_ANNOTATION)) continue;
        t->host_self[up] += t->host_self[i];
        t->dev_self[up] += t->dev_self[i];
        t->kernel_self[up] += t->kernel_self[i];
        t->tensor_self[up] += t->tensor_self[i];
    }
}

/* "Deepest eligible": an eligible operator with an eligible one anywhere below it does not count. */
static void mark_deepest(builder *b)
{
    tt_tree *t = b->t;
    uint8_t *below = tt_calloc(t->n + 1u, 1); /* an eligible node is below */
    for (uint32_t i = t->n; i-- > 0;) {
        bool eligible = (t->flags[i] & TT_NODE_ELIGIBLE) != 0 && (t->flags[i] & TT_NODE_COUNTED) != 0 &&
                        !(t->flags[i] & TT_NODE_DUP);
        if (eligible && !below[i])
            t->flags[i] |= TT_NODE_LEAF_ELIGIBLE;
        else
            t->flags[i] &= (uint8_t)~TT_NODE_LEAF_ELIGIBLE;
        if (t->up[i] != TT_NONE && (eligible || below[i])) below[t->up[i]] = 1;
    }
    free(below);
}

static void *build(const tt_session *session, uint32_t store, tt_tree_kind kind)
{
    const tt_store *s = session->stores[store];
    tt_tree *t = tt_calloc(1, sizeof *t);
    builder b = {.s = s, .names = tt_names_get(session, store), .kind = kind, .t = t};
    b.node_of = tt_pages_alloc((size_t)s->n * sizeof *b.node_of);
    grow(&b);
    for (uint32_t i = 0; i < s->n_tracks; i++) {
        const tt_track *k = &s->tracks[i];
        if (k->kind != TT_TRACK_STREAM) {
            walk_track(&b, k);
        } else { /* what calls itself a launch there is in nobody */
            for (tt_row r = k->first; r < k->first + k->n; r++) b.node_of[r] = TT_NONE;
        }
    }
    t->dev_self = tt_calloc(t->n + 1u, sizeof *t->dev_self);
    t->dev_total = tt_calloc(t->n + 1u, sizeof *t->dev_total);
    t->tensor_self = tt_calloc(t->n + 1u, sizeof *t->tensor_self);
    t->tensor_total = tt_calloc(t->n + 1u, sizeof *t->tensor_total);
    t->kernel_self = tt_calloc(t->n + 1u, sizeof *t->kernel_self);
    t->of_dev = tt_calloc(s->n_dev + 1u, sizeof *t->of_dev);
    b.ids_trusted = ids_trusted(s);
    mark_duplicates(&b);
    if (kind == TT_TREE_OPS) take_off_launches(&b);
    attach_device(&b);
    sum_up(&b);
    if (kind == TT_TREE_OPS && s->format == TT_FORMAT_PADDLE) give_parts_to_operators(&b);
    mark_deepest(&b);
    tt_pages_free(b.node_of, (size_t)s->n * sizeof *b.node_of);
    tt_vec_free(&b.stack);
    free(b.children);
    return t;
}

static void release(void *value)
{
    tt_tree *t = value;
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
    free(t);
}

static void *build_ops(const tt_session *s, uint32_t store) { return build(s, store, TT_TREE_OPS); }
static void *build_calls(const tt_session *s, uint32_t store) { return build(s, store, TT_TREE_CALLS); }

const tt_tree *tt_tree_get(const tt_session *s, uint32_t store, tt_tree_kind kind)
{
    static const tt_derived_kind kinds[] = {{"operator tree", build_ops, release}, {"call tree", build_calls, release}};
    return tt_derived_get(s, store, &kinds[kind]);
}

uint32_t tt_tree_lower(const tt_tree *t, tt_row row)
{
    uint32_t lo = 0, hi = t->n;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (t->row[mid] < row)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

uint32_t tt_tree_at(const tt_store *s, const tt_tree *tree, uint32_t first, uint32_t end, int64_t t)
{
    uint32_t lo = first, hi = end;
    while (lo < hi) { /* first node that starts after t */
        uint32_t mid = lo + (hi - lo) / 2;
        if (s->start[tree->row[mid]] <= t)
            lo = mid + 1;
        else
            hi = mid;
    }
    if (lo == first) return TT_NONE;
    uint32_t node = lo - 1;
    while (node != TT_NONE && tt_row_end(s, tree->row[node]) <= t) node = tree->up[node];
    return node;
}
