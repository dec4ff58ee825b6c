/* model/index/flame.c - one pass over the slices in order, with a stack of open ones; one node per (parent node,
 * name). */
#include "model/index/flame.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/buf.h"
#include "model/base/group_by.h"
#include "model/index/clip_to_window.h"
#include "model/index/path_tree.h"
#include "model/tables/analysis/graphs/graph_owner.h"
#include "model/text/frame_name.h"

/* Limit of callers that are distinguished; outer ones are one node. In a nesting of distinct names, paths share
 * nothing, so number x depth bounds the nodes. */
enum { MOST_CALLERS = 256 };

/* Limit of crossing slices searched for a parent. */
enum { MOST_CROSSING = 256 };

/* Limit of slices around a captured call that become nodes. */
enum { MOST_CAPTURED = 64 };

/* A Python function treated as not recorded. */
typedef struct hidden_slice {
    tt_row row, around; /* around: the recorded slice around it; TT_NONE */
} hidden_slice;

/* The slices around a captured call, outermost first, and their nodes. */
typedef struct captured_call {
    const tt_trace *trace;
    uint32_t n;
    tt_row row[MOST_CAPTURED];
    uint32_t node[MOST_CAPTURED];
} captured_call;

/* callers: a slice that can contain others, and the match directly in it. */
typedef struct caller {
    tt_row row;
    uint32_t up;   /* next outer caller; TT_NONE */
    uint32_t item; /* item of its matches, plus 1; 0 = none */
} caller;
typedef struct item {
    uint32_t caller, track; /* caller TT_NONE: no slice contains it */
    int64_t ns, device_ns, calls;
    tt_row longest; /* first of the calls with the largest part, ... */
    int64_t longest_ns;
    uint64_t longest_number; /* ... and its ordinal number */
} item;

typedef struct open_slice {
    tt_row row;
    uint32_t node; /* TT_NONE: not below the requested root */
    int64_t end, ns, children_ns;
    size_t kept; /* stack place of the innermost node at or around it, plus 1; 0 = none */
    /* for callers: */
    size_t up;          /* place of the parent on the stack, plus 1 */
    uint32_t caller;    /* innermost caller at or around it; TT_NONE */
    int64_t device_ns;  /* device work launched inside, ns, as far as known */
    bool match, inside; /* matches the request; lies in a match */
} open_slice;

typedef struct builder {
    const tt_flame_spec *spec;
    const tt_trace *s;
    tt_flame *f;
    tt_path_tree places; /* places are nodes */
    uint32_t top;        /* node above slices without a parent; TT_NONE: such slices do not count */
    bool per_track;      /* each track has a node */
    uint32_t track;      /* track of the slices on the stack */
    int64_t before;      /* end of the previous window: slices begun before it are already counted */
    const atomic_bool *stop;
    const tt_graphs *graphs; /* owners of graph work */
    TT_VEC(open_slice) stack;
    TT_VEC(hidden_slice) hidden; /* hidden slices around the last visited slice */
    TT_VEC(caller) callers;
    TT_VEC(item) items;
    uint32_t in_nothing; /* item of matches outside of any slice of the track, plus 1 */
    uint64_t found;
    TT_VEC(uint64_t) numbers; /* longest_number by node */
    /* for fold: */
    uint8_t *wraps;     /* by name: 1 = only wraps others, 2 = does not, 0 = not examined */
    tt_strings classes; /* class names of modules */
    tt_groups objects;  /* distinct (node, name) of modules */
} builder;

static uint32_t add_node(builder *b, uint32_t up, tt_sid name, uint64_t extra, uint8_t kind)
{
    tt_flame *f = b->f;
    uint32_t node = tt_path_tree_put(&b->places, up, name, extra);
    if (node < f->nodes.n) return node;
    tt_flame_node *n = tt_vec_push(&f->nodes);
    *n = (tt_flame_node){.name = name, .up = up, .kind = kind, .longest = TT_NONE, .longest_ns = -1};
    if (up != TT_NONE) n->depth = f->nodes.at[up].depth + 1;
    if (n->depth + 1 > f->depths) f->depths = n->depth + 1;
    return node;
}

static void count(tt_flame_node *n, tt_row row, int64_t ns, bool again)
{
    n->calls += !again;
    if (ns <= n->longest_ns) return;
    n->longest_ns = ns;
    n->longest = row;
}

/* The node of a module's class. */
static uint32_t add_class_node(builder *b, uint32_t up, tt_row row)
{
    enum { CLASS = 4 };
    char class[256];
    tt_module_class(class, sizeof class, tt_row_name(b->s, row));
    tt_sid id = tt_strings_put(&b->classes, class, strlen(class));
    uint32_t node = add_node(b, up, id, CLASS, TT_KIND_MODULE);
    tt_flame_node *n = &b->f->nodes.at[node];
    size_t seen = b->objects.key.n;
    bool first = !n->objects;
    if (tt_groups_put(&b->objects, (tt_group_key){.a = node, .b = b->s->name[row]}) == seen) n->objects++;
    if (first) n->name = b->s->name[row];
    return node;
}

/* Number of a name, which the trace may lack. */
static tt_sid name_of(builder *b, const char *name)
{
    size_t len = strlen(name);
    tt_sid own = tt_strings_find(&b->s->strings, name, len);
    return own != UINT32_MAX ? own : (tt_sid)b->s->strings.text.n + tt_strings_put(&b->f->more, name, len);
}

/* The node of all engine steps of a phase. */
static uint32_t add_phase_node(builder *b, uint32_t up, tt_row row)
{
    char text[32];
    (void)snprintf(text, sizeof text, "%s steps", tt_phase_word(tt_engine_step_of_row(b->s, row).phase));
    return add_node(b, up, name_of(b, text), 2, TT_KIND_ENGINE_STEP);
}

static uint32_t add_slice_node(builder *b, uint32_t up, tt_row row)
{
    if (b->spec->fold && tt_row_kind(b->s, row) == TT_KIND_MODULE) return add_class_node(b, up, row);
    if (tt_row_kind(b->s, row) == TT_KIND_ENGINE_STEP) return add_phase_node(b, up, row);
    /* all steps form one node with the name of the first */
    bool step = tt_row_kind(b->s, row) == TT_KIND_STEP;
    uint32_t node = add_node(b, up, step ? 0 : b->s->name[row], step ? 2 : 0, (uint8_t)tt_row_kind(b->s, row));
    tt_flame_node *n = &b->f->nodes.at[node];
    if (step && !n->calls) n->name = b->s->name[row];
    return node;
}

/* Whether a slice has its own node. */
static bool is_kept(const builder *b, tt_row row)
{
    const tt_flame_spec *spec = b->spec;
    if (!spec->filter || row == spec->root || tt_lod_passes(spec->filter, b->s, row)) return true;
    return spec->of_kinds >> tt_row_kind(b->s, row) & 1 && b->s->name[row] == spec->of;
}

/* Record a match, and the innermost caller around it (TT_NONE). */
static void found(builder *b, uint32_t in, tt_row row, int64_t ns, int64_t device_ns, bool again)
{
    uint32_t *at = in != TT_NONE ? &b->callers.at[in].item : &b->in_nothing;
    if (!*at) {
        *tt_vec_push(&b->items) = (item){.caller = in, .track = b->track, .longest = TT_NONE, .longest_ns = -1};
        *at = (uint32_t)b->items.n;
    }
    item *x = &b->items.at[*at - 1];
    x->ns += ns;
    x->device_ns += device_ns;
    x->calls += !again;
    if (ns > x->longest_ns) {
        x->longest_ns = ns;
        x->longest = row;
        x->longest_number = b->found;
    }
    b->found++;
}

static void weigh(builder *b, uint32_t node, tt_row row, const item *x)
{
    tt_flame_node *n = &b->f->nodes.at[node];
    while (b->numbers.n <= node) *tt_vec_push(&b->numbers) = UINT64_MAX;
    n->total[TT_FLAME_TIME] += x->ns;
    n->total[TT_FLAME_DEVICE] += x->device_ns;
    n->calls += x->calls;
    if (x->longest_ns < n->longest_ns || (x->longest_ns == n->longest_ns && x->longest_number >= b->numbers.at[node]))
        return;
    n->longest_ns = x->longest_ns;
    n->longest = row;
    b->numbers.at[node] = x->longest_number;
}

/* Add the callers of a match, innermost first. */
static void add_callers(builder *b, const item *x)
{
    uint32_t node = 0, in = x->caller;
    weigh(b, 0, x->longest, x);
    for (int i = 0; i < MOST_CALLERS && in != TT_NONE; i++, in = b->callers.at[in].up) {
        node = add_slice_node(b, node, b->callers.at[in].row);
        weigh(b, node, b->callers.at[in].row, x);
    }
    if (in != TT_NONE) {
        node = add_node(b, node, 0, 1, TT_KIND_COUNT_);
        weigh(b, node, x->longest, x);
    }
    node = add_node(b, node, b->s->tracks[x->track].name, x->track + 3u, TT_KIND_COUNT_);
    weigh(b, node, x->longest, x);
}

static void pop(builder *b)
{
    const open_slice *o = &b->stack.at[--b->stack.n];
    if (o->up) b->stack.at[o->up - 1].device_ns += o->device_ns;
    if (o->match) {
        uint32_t in = o->up ? b->stack.at[o->up - 1].caller : TT_NONE;
        found(b, in, o->row, o->ns, o->device_ns, b->s->start[o->row] < b->before);
    }
    if (o->node != TT_NONE && o->kept == b->stack.n + 1 && o->ns > o->children_ns)
        b->f->nodes.at[o->node].self[TT_FLAME_TIME] += o->ns - o->children_ns;
}

/* Close all open slices at the end of a track or window. */
static void close_all(builder *b)
{
    while (b->stack.n) pop(b);
    b->hidden.n = 0;
    b->in_nothing = 0;
}

static bool only_wraps(const builder *b, tt_sid name)
{
    if (!b->wraps[name]) b->wraps[name] = tt_frame_is_wrapper(tt_str(&b->s->strings, name)) ? 1 : 2;
    return b->wraps[name] == 1;
}

/* Whether a slice is treated as not recorded. */
static bool left_out(const builder *b, tt_row row)
{
    const tt_flame_spec *spec = b->spec;
    if (tt_row_kind(b->s, row) != TT_KIND_PYTHON || row == spec->root) return false;
    if (!spec->no_python && !(spec->fold && only_wraps(b, b->s->name[row]))) return false;
    return !(spec->of_kinds >> TT_KIND_PYTHON & 1) || b->s->name[row] != spec->of;
}

/* The recorded slice around a slice, skipping hidden ones. */
static tt_row recorded_around(builder *b, tt_row row)
{
    const tt_trace *s = b->s;
    tt_row own = s->parent[row];
    if (own == TT_NONE || !left_out(b, own)) return own;
    while (b->hidden.n && b->hidden.at[b->hidden.n - 1].row > own) b->hidden.n--;
    if (b->hidden.n && b->hidden.at[b->hidden.n - 1].row == own) return b->hidden.at[b->hidden.n - 1].around;
    while (own != TT_NONE && left_out(b, own)) own = s->parent[own];
    return own;
}

/* Stack place of the parent, plus 1; 0 = none. */
static size_t parent_of(builder *b, tt_row row)
{
    const tt_trace *s = b->s;
    tt_row own = recorded_around(b, row);
    int64_t start = s->start[row], end = tt_row_end(s, row), own_end = own != TT_NONE ? tt_row_end(s, own) : INT64_MAX;
    size_t stop = b->stack.n > MOST_CROSSING ? b->stack.n - MOST_CROSSING : 0;
    for (size_t i = b->stack.n; i > stop; i--) {
        const open_slice *o = &b->stack.at[i - 1];
        if (o->end >= end && o->end > start && (o->row == own || o->end <= own_end)) return i;
    }
    return 0;
}

/* Whether a slice around a captured call becomes a node. The range of the capture says the same as the launch. */
static bool is_captured_frame(const builder *b, const tt_trace *s, tt_row row)
{
    tt_kind k = tt_row_kind(s, row);
    if (k == TT_KIND_PYTHON) return !b->spec->no_python && !(b->spec->fold && tt_frame_is_wrapper(tt_row_name(s, row)));
    return k == TT_KIND_CPU_OP || k == TT_KIND_MODULE || k == TT_KIND_ANNOTATION;
}

/* The slices around the call that owns work of a graph. The innermost is its operator. */
static void list_captured(const builder *b, const tt_trace *s, tt_row op, captured_call *out)
{
    uint32_t n = 0;
    out->trace = s;
    for (tt_row r = op; r != TT_NONE && n < MOST_CAPTURED; r = s->parent[r])
        if (r == op || is_captured_frame(b, s, r)) out->row[n++] = r;
    for (uint32_t i = 0; i < n / 2; i++) {
        tt_row swap = out->row[i];
        out->row[i] = out->row[n - 1 - i];
        out->row[n - 1 - i] = swap;
    }
    out->n = n;
}

/* The node that work of a graph belongs below: its owner's, else that of the launch. before: the call of the work
 * before it in this replay; renewed. row: the work; longest calls of the nodes lead there. */
static uint32_t owner_node(builder *b, const tt_graph_owner *o, tt_row row, uint32_t launch, captured_call *before)
{
    captured_call now = {0};
    uint32_t node = launch;
    if (!o || o->source == TT_GRAPH_LAUNCH || o->source == TT_GRAPH_NONE) return launch;
    if (o->op == TT_NONE) {
        node = add_node(b, launch, name_of(b, tt_graph_text(b->graphs, o->name)), 1, TT_KIND_CPU_OP);
        count(&b->f->nodes.at[node], row, b->s->dur[row], false);
        return node;
    }
    const tt_trace *s = tt_graph_owner_trace(b->graphs, o);
    list_captured(b, s, o->op, &now);
    bool same = s == before->trace;
    for (uint32_t i = 0; i < now.n; i++) {
        same = same && i < before->n && before->row[i] == now.row[i];
        node = same ? before->node[i]
                    : add_node(b, node, name_of(b, tt_row_name(s, now.row[i])), 1, (uint8_t)tt_row_kind(s, now.row[i]));
        now.node[i] = node;
        count(&b->f->nodes.at[node], row, b->s->dur[row], same);
    }
    *before = now;
    return node;
}

/* Add kernels, copies and sets of a launch below its node, or below the operators that own the work of a graph. */
static void add_launched(builder *b, tt_row launch, uint32_t node)
{
    const tt_trace *s = b->s;
    uint32_t n;
    const uint32_t *dev = tt_row_launched(s, launch, &n);
    const uint32_t of_launch = node;
    captured_call before = {0};
    for (uint32_t i = 0; i < n; i++) {
        tt_row r = s->dev[dev[i]].row;
        if (!tt_kind_is_work(tt_row_kind(s, r))) continue;
        node = owner_node(b, tt_graph_owner_of(b->graphs, &s->dev[dev[i]]), r, of_launch, &before);
        if (!is_kept(b, r)) {
            b->f->nodes.at[node].self[TT_FLAME_DEVICE] += s->dur[r];
            continue;
        }
        uint32_t leaf = add_node(b, node, s->name[r], 1, (uint8_t)tt_row_kind(s, r));
        b->f->nodes.at[leaf].self[TT_FLAME_DEVICE] += s->dur[r];
        count(&b->f->nodes.at[leaf], r, s->dur[r], false);
    }
}

/* Add a slice; up TT_NONE: not below the root; the root itself is node 0. */
static void add_slice(builder *b, const tt_clipped *p, bool root, uint32_t up, size_t parent)
{
    const tt_trace *s = b->s;
    tt_kind k = tt_row_kind(s, p->row);
    int64_t ns = p->t1 - p->t0;
    bool kept = root || is_kept(b, p->row);
    size_t around = parent ? b->stack.at[parent - 1].kept : 0;
    uint32_t node = root ? 0 : up != TT_NONE && kept ? add_slice_node(b, up, p->row) : up;
    *tt_vec_push(&b->stack) = (open_slice){.row = p->row, .node = node, .end = tt_row_end(s, p->row), .ns = ns};
    b->stack.at[b->stack.n - 1].kept = kept ? b->stack.n : around;
    if (node == TT_NONE) return;
    tt_flame_node *n = &b->f->nodes.at[node];
    if (tt_kind_is_work(k)) n->self[TT_FLAME_DEVICE] += ns;
    if (kept) {
        n->total[TT_FLAME_TIME] += ns;
        count(n, p->row, ns, s->start[p->row] < b->before);
        if (around) b->stack.at[around - 1].children_ns += ns;
    }
    /* only work launched inside of the window counts */
    if (p->t0 == s->start[p->row] && !tt_kind_is_device(k)) add_launched(b, p->row, node);
}

/* Add a slice for callers: it is counted at its end, when its device work is known. */
static void add_called(builder *b, const tt_clipped *p, size_t parent)
{
    const tt_trace *s = b->s;
    const tt_flame_spec *spec = b->spec;
    bool inside = parent && (b->stack.at[parent - 1].inside || b->stack.at[parent - 1].match);
    bool match = !inside && spec->of_kinds >> tt_row_kind(s, p->row) & 1 && s->name[p->row] == spec->of;
    uint32_t n = 0;
    *tt_vec_push(&b->stack) = (open_slice){.row = p->row,
                                           .node = TT_NONE,
                                           .end = tt_row_end(s, p->row),
                                           .ns = p->t1 - p->t0,
                                           .up = parent,
                                           .caller = parent ? b->stack.at[parent - 1].caller : TT_NONE,
                                           .match = match,
                                           .inside = inside};
    open_slice *own = &b->stack.at[b->stack.n - 1];
    if (is_kept(b, p->row)) {
        *tt_vec_push(&b->callers) = (caller){.row = p->row, .up = own->caller};
        own->caller = (uint32_t)b->callers.n - 1;
    }
    const uint32_t *dev = p->t0 == s->start[p->row] ? tt_row_launched(s, p->row, &n) : NULL;
    for (uint32_t i = 0; i < n; i++) {
        tt_row r = s->dev[dev[i]].row;
        if (!tt_kind_is_work(tt_row_kind(s, r))) continue;
        own->device_ns += s->dur[r];
        if (spec->of_kinds >> tt_row_kind(s, r) & 1 && s->name[r] == spec->of)
            found(b, own->caller, r, s->dur[r], s->dur[r], false);
    }
}

static void visit(void *arg, const tt_clipped *p)
{
    builder *b = arg;
    const tt_trace *s = b->s;
    tt_row root = b->spec->root;
    if (b->stop && atomic_load_explicit(b->stop, memory_order_relaxed)) return;
    if (b->spec->track == TT_ALL && root == TT_NONE) {
        tt_track_kind k = s->tracks[p->track].kind;
        if (k == TT_TRACK_STREAM || k == TT_TRACK_META) return;
    }
    if (p->track != b->track) {
        close_all(b);
        b->track = p->track;
        if (b->per_track) b->top = add_node(b, 0, s->tracks[p->track].name, p->track + 3u, TT_KIND_COUNT_);
    }
    if (left_out(b, p->row)) {
        tt_row around = recorded_around(b, p->row);
        *tt_vec_push(&b->hidden) = (hidden_slice){p->row, around};
        return;
    }
    if (root != TT_NONE && p->row < root) return;
    while (b->stack.n && b->stack.at[b->stack.n - 1].end <= s->start[p->row]) pop(b);
    size_t parent = p->row == root ? 0 : parent_of(b, p->row);
    if (b->spec->callers) {
        add_called(b, p, parent);
        return;
    }
    uint32_t up = parent ? b->stack.at[parent - 1].node : b->top;
    bool of = b->spec->of_kinds >> tt_row_kind(s, p->row) & 1 && s->name[p->row] == b->spec->of && up == TT_NONE;
    add_slice(b, p, p->row == root || of, up, of ? 0 : parent);
}

/* Add children to parents: device work, and time where the parent is no slice. */
static void sum_up(tt_flame *f)
{
    for (uint32_t i = (uint32_t)f->nodes.n; i-- > 0;) {
        tt_flame_node *n = &f->nodes.at[i];
        n->total[TT_FLAME_DEVICE] += n->self[TT_FLAME_DEVICE];
        if (n->up == TT_NONE) continue;
        tt_flame_node *up = &f->nodes.at[n->up];
        up->total[TT_FLAME_DEVICE] += n->total[TT_FLAME_DEVICE];
        if (up->kind == TT_KIND_COUNT_) up->total[TT_FLAME_TIME] += n->total[TT_FLAME_TIME];
    }
}

/* Derive self of callers: the total without further callers. */
static void finish_callers(tt_flame *f)
{
    for (uint32_t i = (uint32_t)f->nodes.n; i-- > 0;) {
        tt_flame_node *n = &f->nodes.at[i];
        for (int w = 0; w < TT_FLAME_WEIGHTS; w++) {
            n->self[w] += n->total[w];
            if (n->up != TT_NONE) f->nodes.at[n->up].self[w] -= n->total[w];
        }
    }
}

typedef struct order_by {
    const tt_flame *f;
    tt_flame_weight w;
} order_by;

static int by_weight(const void *x, const void *y, void *arg)
{
    const order_by *o = arg;
    const tt_flame_node *a = &o->f->nodes.at[*(const uint32_t *)x], *b = &o->f->nodes.at[*(const uint32_t *)y];
    if (a->total[o->w] != b->total[o->w]) return a->total[o->w] < b->total[o->w] ? 1 : -1;
    int c = strcmp(tt_flame_text(o->f, a->name), tt_flame_text(o->f, b->name));
    return c ? c : (a > b) - (a < b);
}

void tt_flame_sort(tt_flame *f, tt_flame_weight w)
{
    order_by o = {f, w};
    for (uint32_t i = 0; i < f->nodes.n; i++) {
        const tt_flame_node *n = &f->nodes.at[i];
        if (n->n > 1) qsort_r(f->order + n->first, n->n, sizeof *f->order, by_weight, &o);
    }
}

static void link_children(tt_flame *f, const tt_path_tree *places)
{
    uint32_t *first;
    tt_path_tree_children(places, NULL, &f->order, &first);
    for (uint32_t i = 0; i < f->nodes.n; i++) {
        f->nodes.at[i].first = first[i + 1];
        f->nodes.at[i].n = first[i + 2] - first[i + 1];
    }
    free(first);
}

/* Count device work that is in no node, as its launch was not recorded. */
static void count_launches(tt_flame *f, const tt_windows *w)
{
    const tt_trace *s = f->trace;
    for (uint32_t i = 0; i < s->n_dev; i++) {
        const tt_activity *d = &s->dev[i];
        if (!tt_kind_is_work(tt_row_kind(s, d->row)) || !tt_windows_have(w, s->start[d->row])) continue;
        f->unlaunched += d->launch == TT_NONE;
        f->launched += d->launch != TT_NONE;
    }
}

tt_flame *tt_flame_new(const tt_session *session, const tt_flame_spec *spec, const atomic_bool *stop)
{
    const tt_trace *s = session->traces[spec->trace];
    tt_flame *f = tt_calloc(1, sizeof *f);
    builder b = {.spec = spec, .s = s, .f = f, .track = TT_NONE, .before = INT64_MIN, .stop = stop};
    f->trace = s;
    b.graphs = tt_graphs_get(session, spec->trace);
    tt_strings_init(&f->more);
    tt_path_tree_init(&b.places);
    tt_groups_init(&b.objects);
    tt_strings_init(&b.classes);
    if (spec->fold) b.wraps = tt_calloc(s->strings.text.n, sizeof *b.wraps);
    bool of_slice = spec->root != TT_NONE, named = of_slice || spec->of_kinds,
         of_track = spec->track != TT_ALL && !named;
    b.top = named ? TT_NONE : 0;
    b.per_track = spec->track == TT_ALL && !named;
    tt_sid name = of_slice ? s->name[spec->root] : named ? spec->of : of_track ? s->tracks[spec->track].name : 0;
    uint8_t kind = of_slice ? (uint8_t)tt_row_kind(s, spec->root)
                   : named  ? (uint8_t)__builtin_ctz(spec->of_kinds)
                            : TT_KIND_COUNT_;
    add_node(&b, TT_NONE, name, 0, kind);
    for (uint32_t i = 0; i < spec->windows.n; i++) { /* windows are independent: no slice stays open between them */
        tt_windows one = {.at = spec->windows.at + i, .n = 1};
        tt_clipped_walk(session, spec->trace, &one, of_slice ? tt_row_track(s, spec->root) : spec->track, visit, &b);
        close_all(&b);
        b.track = TT_NONE;
        b.before = one.at->t1;
    }
    for (size_t i = 0; i < b.items.n && !(stop && atomic_load_explicit(stop, memory_order_relaxed)); i++)
        add_callers(&b, &b.items.at[i]);
    tt_vec_free(&b.stack);
    tt_vec_free(&b.hidden);
    tt_vec_free(&b.callers);
    tt_vec_free(&b.items);
    tt_vec_free(&b.numbers);
    link_children(f, &b.places);
    tt_path_tree_free(&b.places);
    tt_groups_free(&b.objects);
    tt_strings_free(&b.classes);
    free(b.wraps);
    if (b.per_track) count_launches(f, &spec->windows);
    if (stop && atomic_load(stop)) {
        tt_flame_free(f);
        return NULL;
    }
    if (spec->callers) {
        finish_callers(f);
    } else {
        sum_up(f);
    }
    tt_flame_sort(f, TT_FLAME_TIME);
    return f;
}

void tt_flame_free(tt_flame *f)
{
    if (!f) return;
    tt_vec_free(&f->nodes);
    tt_strings_free(&f->more);
    free(f->order);
    free(f);
}

const char *tt_flame_text(const tt_flame *f, tt_sid name)
{
    size_t own = f->trace->strings.text.n;
    return name < own ? tt_str(&f->trace->strings, name) : tt_str(&f->more, name - (tt_sid)own);
}

const char *tt_flame_name(const tt_flame *f, uint32_t node, char *buf, size_t cap)
{
    const tt_flame_node *n = &f->nodes.at[node];
    const char *name = tt_flame_text(f, n->name), *hash = strchr(name, '#');
    if (!n->name && !node) return "all threads";
    if (!n->name && n->kind == TT_KIND_COUNT_) return "(further callers)";
    if (n->objects > 1 && cap > 32) {
        tt_module_class(buf, cap - 16, name);
        tt_buf text = tt_buf_behind(buf, cap);
        tt_buf_add(&text, " x%u", n->objects);
        return buf;
    }
    if (n->kind != TT_KIND_STEP || n->calls < 2 || !hash) return name;
    snprintf(buf, cap, "%.*s", (int)(hash - name), name);
    return buf;
}
