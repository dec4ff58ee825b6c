/* model/hang/rest.c - R7: ranks with open calls that lead to nobody found. What all members have called is judged by
 * what stands in front of it on each rank; what is left are circles of waiting. */
#include <stdlib.h>

#include "model/hang/internal.h"

typedef struct front_call { /* a call that somebody has open */
    uint32_t group;
    int64_t seq;      /* TT_UNKNOWN: a send with its receive */
    uint32_t a, b;    /* ranks of a send and its receive; TT_NONE */
    uint32_t holders; /* ranks that have it open */
    uint32_t fronts;  /* ranks that have it in their front */
    bool satisfied;   /* all its members have called it */
} front_call;

typedef struct held { /* an open entry */
    uint32_t rank, call, role;
    tt_hang_entry entry; /* entry TT_NONE: the ring has lost it */
    bool front, receive;
} held;

typedef struct rest {
    tt_hang_work *w;
    tt_groups ids;
    TT_VEC(front_call) calls;
    TT_VEC(held) held;    /* by rank, in record order */
    uint32_t *held_first; /* by rank, and the end */
    uint32_t *front_of;   /* scratch by rank: 1 + call whose front it was last marked in */
} rest;

/* ---- open calls and fronts ---- */

/* Ranks at both ends of a send or receive; false: unknown. */
static bool ends_of(const tt_hang *h, uint32_t rank, uint32_t group, const tt_flight_call *c, uint32_t *from,
                    uint32_t *to)
{
    if (group == TT_NONE || c->peer < 0 || (uint32_t)c->peer >= h->groups[group].size) return false;
    uint32_t peer = h->members[h->groups[group].first + (uint32_t)c->peer].rank;
    *from = c->direction == TT_FLIGHT_SEND ? rank : peer;
    *to = c->direction == TT_FLIGHT_SEND ? peer : rank;
    return c->direction != TT_FLIGHT_NEITHER;
}

static uint32_t add_call(rest *x, tt_group_key key, front_call c)
{
    uint32_t id = tt_groups_put(&x->ids, key);
    if (id == x->calls.n) *tt_vec_push(&x->calls) = c;
    x->calls.at[id].holders++;
    return id;
}

/* Collect the open calls of a rank; a call that its ring has lost comes first. */
static void hold(rest *x, uint32_t r)
{
    const tt_hang *h = x->w->h;
    uint32_t t = h->ranks[r].trace, from, to;
    const tt_flight *f = tt_hang_flight(h, t);
    tt_groups pairs;
    TT_VEC(uint32_t) n_of = {0};
    tt_groups_init(&pairs);
    for (uint32_t i = 0; i < f->n_groups; i++) {
        uint32_t m = h->dumps[t].member_of[i], g = h->dumps[t].group_of[i];
        if (m == TT_NONE || h->members[m].open == TT_UNKNOWN || h->members[m].open_entry != TT_NONE) continue;
        int64_t seq = h->members[m].open;
        uint32_t id =
            add_call(x, (tt_group_key){.a = g, .b = (uint64_t)seq}, (front_call){g, seq, TT_NONE, TT_NONE, 0, 0, 0});
        *tt_vec_push(&x->held) =
            (held){.rank = r, .call = id, .role = tt_hang_lost_role(&x->w->roles, g, seq), .entry = {t, TT_NONE}};
    }
    for (uint32_t i = 0; i < f->n_entries; i++) {
        const tt_flight_entry *e = &f->entries[i];
        const tt_flight_call *c = tt_flight_call_of(f, e);
        uint32_t g = h->dumps[t].call_group[e->call], id;
        if (!e->open) continue;
        if (c->p2p && ends_of(h, r, g, c, &from, &to)) {
            tt_group_key pair = {.a = (uint64_t)from << 32 | to, .b = c->direction, .c = g};
            uint32_t k = tt_groups_put(&pairs, pair);
            if (k == n_of.n) *tt_vec_push(&n_of) = 0;
            id = add_call(x, (tt_group_key){.a = (uint64_t)from << 32 | to, .b = g, .c = 1 + (uint64_t)n_of.at[k]++},
                          (front_call){g, TT_UNKNOWN, from, to, 0, 0, 0});
        } else if (!c->p2p && g != TT_NONE && e->seq != TT_UNKNOWN) {
            id = add_call(x, (tt_group_key){.a = g, .b = (uint64_t)e->seq},
                          (front_call){g, e->seq, TT_NONE, TT_NONE, 0, 0, 0});
        } else {
            id = add_call(x, (tt_group_key){.a = t, .b = i, .c = UINT64_MAX},
                          (front_call){TT_NONE, TT_UNKNOWN, TT_NONE, TT_NONE, 0, 0, 0});
        }
        *tt_vec_push(&x->held) = (held){.rank = r,
                                        .call = id,
                                        .role = tt_hang_role(&x->w->roles, (tt_hang_entry){t, i}),
                                        .entry = {t, i},
                                        .receive = c->direction == TT_FLIGHT_RECV};
    }
    tt_groups_free(&pairs);
    tt_vec_free(&n_of);
}

static bool all_called(const tt_hang *h, const front_call *c)
{
    if (c->group == TT_NONE) return false;
    if (c->seq == TT_UNKNOWN) return c->holders == 2;
    const tt_hang_group *g = &h->groups[c->group];
    for (uint32_t m = g->first; m < g->first + g->size; m++)
        if (h->ranks[h->members[m].rank].trace == TT_NONE || h->members[m].enqueued < c->seq) return false;
    return true;
}

static void find_fronts(rest *x)
{
    const tt_hang *h = x->w->h;
    x->held_first = tt_calloc(h->n_ranks + (size_t)2, sizeof *x->held_first);
    x->front_of = tt_calloc(h->n_ranks + (size_t)1, sizeof *x->front_of);
    for (uint32_t r = 0; r < h->n_ranks; r++) {
        x->held_first[r] = (uint32_t)x->held.n;
        if (tt_hang_judged(&h->ranks[r])) hold(x, r);
        for (size_t i = x->held_first[r]; i < x->held.n; i++) {
            x->held.at[i].front = true;
            x->calls.at[x->held.at[i].call].fronts++;
            if (!x->held.at[i].receive) break;
        }
    }
    x->held_first[h->n_ranks] = (uint32_t)x->held.n;
    for (size_t i = 0; i < x->calls.n; i++) x->calls.at[i].satisfied = all_called(h, &x->calls.at[i]);
}

/* ---- members of a call ---- */

static uint32_t size_of(const tt_hang *h, const front_call *c)
{
    return c->seq == TT_UNKNOWN ? 2 : h->groups[c->group].size;
}

static uint32_t member_of(const tt_hang *h, const front_call *c, uint32_t i)
{
    if (c->seq == TT_UNKNOWN) return i ? c->b : c->a;
    return h->members[h->groups[c->group].first + i].rank;
}

static bool is_left(const tt_hang_work *w, uint32_t r)
{
    return tt_hang_judged(&w->h->ranks[r]) && !w->found[r] && !w->victim[r];
}

/* ---- waiting for what stands in front of others ---- */

static void wait_for_fronts(rest *x)
{
    tt_hang_work *w = x->w;
    const tt_hang *h = w->h;
    uint32_t *node = tt_calloc(x->calls.n + 1, sizeof *node); /* node + 1 of a call */
    /* ranks with the call in their front, to tell the others */
    TT_VEC(uint32_t) holders = {0};
    uint32_t *first = tt_calloc(x->calls.n + 2, sizeof *first);
    for (size_t i = 0; i < x->held.n; i++) first[x->held.at[i].call + 2] += x->held.at[i].front;
    for (size_t i = 2; i < x->calls.n + 2; i++) first[i] += first[i - 1];
    tt_vec_reserve(&holders, first[x->calls.n + 1] + 1);
    for (size_t i = 0; i < x->held.n; i++)
        if (x->held.at[i].front) holders.at[first[x->held.at[i].call + 1]++] = x->held.at[i].rank;
    for (uint32_t c = 0; c < x->calls.n; c++) {
        const front_call *call = &x->calls.at[c];
        if (!call->satisfied || !call->fronts || call->fronts >= size_of(h, call)) continue;
        for (uint32_t i = first[c]; i < first[c + 1]; i++) x->front_of[holders.at[i]] = c + 1;
        tt_hang_node n = {.group = call->group, .seq = call->seq, .first = (uint32_t)w->awaited.n, .satisfied = true};
        for (uint32_t i = 0; i < size_of(h, call); i++) {
            uint32_t m = member_of(h, call, i);
            if (x->front_of[m] == c + 1 || h->ranks[m].state == TT_HANG_STALE) continue;
            *tt_vec_push(&w->awaited) = m;
            n.n++;
        }
        (void)tt_groups_put(&w->node_ids, (tt_group_key){.a = c, .c = 3});
        *tt_vec_push(&w->nodes) = n;
        node[c] = (uint32_t)w->nodes.n;
    }
    for (size_t i = 0; i < x->held.n; i++) {
        const held *v = &x->held.at[i];
        if (v->front && node[v->call] && !h->ranks[v->rank].device)
            tt_hang_add_wait(w, v->rank, node[v->call] - 1, v->entry, x->calls.at[v->call].seq == TT_UNKNOWN);
    }
    free(node);
    free(first);
    tt_vec_free(&holders);
}

/* ---- calls that all have in front ---- */

static bool has_started(const tt_hang *h, tt_hang_entry e)
{
    const tt_flight_entry *x = tt_hang_entry_of(h, e);
    return x && (x->started != TT_UNKNOWN || x->state == TT_FLIGHT_STARTED);
}

/* The open entry of a rank in a call; NULL: none in its front. */
static const held *in_front(const rest *x, uint32_t rank, uint32_t call)
{
    for (uint32_t i = x->held_first[rank]; i < x->held_first[rank + 1]; i++)
        if (x->held.at[i].call == call && x->held.at[i].front) return &x->held.at[i];
    return NULL;
}

static bool plays(const rest *x, uint32_t rank, uint32_t role)
{
    for (uint32_t i = x->held_first[rank]; i < x->held_first[rank + 1]; i++)
        if (x->held.at[i].role == role) return true;
    return false;
}

/* Whether all that a rank has open before the call has its like open on every one of the ranks that started it. */
static bool is_first(const rest *x, const held *own, const uint32_t *started, size_t n)
{
    for (const held *v = &x->held.at[x->held_first[own->rank]]; v < own; v++)
        for (size_t i = 0; i < n; i++)
            if (!plays(x, started[i], v->role)) return false;
    return true;
}

/* The members of a call wait for those whose device never got to it. */
static void wait_for_stuck(rest *x, uint32_t c, const uint32_t *stuck, size_t n)
{
    tt_hang_work *w = x->w;
    front_call call = x->calls.at[c];
    (void)tt_groups_put(&w->node_ids, (tt_group_key){.a = c, .c = 4});
    *tt_vec_push(&w->nodes) = (tt_hang_node){
        .group = call.group, .seq = call.seq, .first = (uint32_t)w->awaited.n, .n = (uint32_t)n, .satisfied = true};
    for (size_t i = 0; i < n; i++) *tt_vec_push(&w->awaited) = stuck[i];
    for (uint32_t i = 0; i < size_of(w->h, &call); i++) {
        uint32_t r = member_of(w->h, &call, i);
        if (!w->found[r])
            tt_hang_add_wait(w, r, (uint32_t)w->nodes.n - 1, in_front(x, r, c)->entry, call.seq == TT_UNKNOWN);
    }
}

static void judge_front(rest *x, uint32_t c)
{
    tt_hang_work *w = x->w;
    const tt_hang *h = w->h;
    front_call call = x->calls.at[c];
    TT_VEC(uint32_t) started = {0}, stuck = {0};
    uint32_t size = size_of(h, &call);
    bool earlier = false;
    tt_hang_entry latest = TT_HANG_NO_ENTRY;
    for (uint32_t i = 0; i < size; i++) {
        uint32_t r = member_of(h, &call, i);
        const held *v = in_front(x, r, c);
        const tt_flight_entry *e = tt_hang_entry_of(h, v->entry), *was = tt_hang_entry_of(h, latest);
        if (has_started(h, v->entry)) *tt_vec_push(&started) = r;
        for (const held *b = &x->held.at[x->held_first[r]]; b < v; b++) earlier |= has_started(h, b->entry);
        if (e && (!was || e->created > was->created)) latest = v->entry;
    }
    for (uint32_t i = 0; i < size && started.n && started.n < size; i++) {
        uint32_t r = member_of(h, &call, i);
        const held *v = in_front(x, r, c);
        if (!has_started(h, v->entry) && is_first(x, v, started.at, started.n)) *tt_vec_push(&stuck) = r;
    }
    if (stuck.n || started.n || !earlier) {
        tt_hang_fault *f = tt_hang_add_fault(w, stuck.n ? TT_HANG_DEVICE : TT_HANG_COLLECTIVE, stuck.at, stuck.n);
        tt_hang_entry e = stuck.n ? in_front(x, stuck.at[0], c)->entry : latest;
        const tt_flight_entry *of = tt_hang_entry_of(h, e);
        f->side = stuck.n ? TT_HANG_ON_DEVICE : TT_HANG_NO_SIDE;
        f->group = call.group;
        f->seq = call.seq;
        tt_hang_set_entry(h, f, e);
        f->place = f->entry;
        f->since = of ? of->created : TT_UNKNOWN;
        for (uint32_t i = 0; i < size; i++) w->victim[member_of(h, &call, i)] |= !stuck.n;
        if (stuck.n) wait_for_stuck(x, c, stuck.at, stuck.n);
    }
    tt_vec_free(&started);
    tt_vec_free(&stuck);
}

static void judge_fronts(rest *x)
{
    const tt_hang *h = x->w->h;
    for (uint32_t c = 0; c < x->calls.n; c++) {
        const front_call *call = &x->calls.at[c];
        bool all = call->satisfied && call->fronts == size_of(h, call);
        for (uint32_t i = 0; all && i < size_of(h, call); i++) all = is_left(x->w, member_of(h, call, i));
        if (all) judge_front(x, c);
    }
    bool *reached = tt_calloc(h->n_ranks + (size_t)1, sizeof *reached);
    tt_hang_reach(x->w, x->w->found, reached);
    for (uint32_t r = 0; r < h->n_ranks; r++) x->w->victim[r] |= reached[r];
    free(reached);
}

/* ---- circles ---- */

typedef struct tarjan { /* vertices: ranks, then nodes */
    const tt_hang_work *w;
    uint32_t *wait_first, *wait_node; /* nodes in which a rank waits */
    uint32_t *index, *low, *component;
    bool *on_stack;
    uint32_t next, n_components;
    TT_VEC(uint32_t) stack;
} tarjan;

typedef struct visit {
    uint32_t vertex, edge;
} visit;

/* Edge i of a vertex; TT_NONE: it has no more. Ranks that are explained already are no vertices. */
static uint32_t edge_of(const tarjan *t, uint32_t v, uint32_t i)
{
    uint32_t ranks = t->w->h->n_ranks;
    if (v < ranks)
        return t->wait_first[v] + i < t->wait_first[v + 1] ? ranks + t->wait_node[t->wait_first[v] + i] : TT_NONE;
    const tt_hang_node *n = &t->w->nodes.at[v - ranks];
    return i < n->n ? t->w->awaited.at[n->first + i] : TT_NONE;
}

static void open_vertex(tarjan *t, uint32_t v)
{
    t->index[v] = t->low[v] = ++t->next;
    t->on_stack[v] = true;
    *tt_vec_push(&t->stack) = v;
}

static void close_vertex(tarjan *t, uint32_t v)
{
    uint32_t top;
    if (t->low[v] != t->index[v]) return;
    t->n_components++;
    do {
        top = t->stack.at[--t->stack.n];
        t->on_stack[top] = false;
        t->component[top] = t->n_components;
    } while (top != v);
}

static void search(tarjan *t, uint32_t root)
{
    TT_VEC(visit) path = {0};
    open_vertex(t, root);
    *tt_vec_push(&path) = (visit){root, 0};
    while (path.n) {
        visit *v = &path.at[path.n - 1];
        uint32_t to = edge_of(t, v->vertex, v->edge++), from = v->vertex;
        if (to == TT_NONE) {
            close_vertex(t, from);
            path.n--;
            if (path.n && t->low[from] < t->low[path.at[path.n - 1].vertex])
                t->low[path.at[path.n - 1].vertex] = t->low[from];
        } else if (!t->index[to]) {
            open_vertex(t, to);
            *tt_vec_push(&path) = (visit){to, 0};
        } else if (t->on_stack[to] && t->index[to] < t->low[from]) {
            t->low[from] = t->index[to];
        }
    }
    tt_vec_free(&path);
}

static void start_tarjan(tarjan *t, const tt_hang_work *w)
{
    size_t n = w->h->n_ranks + w->nodes.n + 1;
    t->w = w;
    t->index = tt_calloc(n, sizeof *t->index);
    t->low = tt_calloc(n, sizeof *t->low);
    t->component = tt_calloc(n, sizeof *t->component);
    t->on_stack = tt_calloc(n, sizeof *t->on_stack);
    t->wait_first = tt_calloc(w->h->n_ranks + (size_t)2, sizeof *t->wait_first);
    t->wait_node = tt_calloc(w->waits.n + 1, sizeof *t->wait_node);
    for (size_t i = 0; i < w->waits.n; i++) t->wait_first[w->waits.at[i].rank + 2]++;
    for (size_t i = 2; i < w->h->n_ranks + (size_t)2; i++) t->wait_first[i] += t->wait_first[i - 1];
    for (size_t i = 0; i < w->waits.n; i++)
        t->wait_node[t->wait_first[w->waits.at[i].rank + 1]++] = w->waits.at[i].node;
}

static void stop_tarjan(tarjan *t)
{
    free(t->index);
    free(t->low);
    free(t->component);
    free(t->on_stack);
    free(t->wait_first);
    free(t->wait_node);
    tt_vec_free(&t->stack);
}

/* Whether an edge of the component's ranks or nodes leads out of it. */
static bool leads_out(const tarjan *t, const uint32_t *ranks, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t k = t->component[ranks[i]], node;
        for (uint32_t e = 0; (node = edge_of(t, ranks[i], e)) != TT_NONE; e++) {
            uint32_t to;
            for (uint32_t d = 0; (to = edge_of(t, node, d)) != TT_NONE; d++)
                if (t->component[to] != k) return true;
        }
    }
    return false;
}

/* Whether the entry waits for a call that ranks of the component have not made. */
static bool waits_inside(const tarjan *t, const held *v)
{
    const tt_hang_work *w = t->w;
    for (size_t i = 0; i < w->waits.n; i++) {
        const tt_hang_wait *x = &w->waits.at[i];
        if (x->rank != v->rank || x->entry.entry != v->entry.entry || w->nodes.at[x->node].satisfied) continue;
        if (w->nodes.at[x->node].n) return true;
    }
    return false;
}

static void add_deadlock(rest *x, const tarjan *t, const uint32_t *ranks, size_t n)
{
    tt_hang_work *w = x->w;
    const tt_hang *h = w->h;
    bool host = true, certain = true, single = true;
    tt_hang_entry latest = TT_HANG_NO_ENTRY;
    for (size_t i = 0; i < n; i++) {
        uint32_t fronts = 0;
        bool missing = false;
        for (uint32_t k = x->held_first[ranks[i]]; k < x->held_first[ranks[i] + 1]; k++) {
            const held *v = &x->held.at[k];
            const tt_flight_entry *e = tt_hang_entry_of(h, v->entry), *was = tt_hang_entry_of(h, latest);
            bool inside = waits_inside(t, v);
            missing |= inside;
            certain = certain && inside;
            fronts += v->front;
            if (v->front && e && (!was || e->created > was->created)) latest = v->entry;
        }
        host = host && missing;
        single = single && fronts == 1;
    }
    tt_hang_fault *f = tt_hang_add_fault(w, TT_HANG_DEADLOCK, ranks, n);
    const tt_flight_entry *e = tt_hang_entry_of(h, latest);
    f->side = host ? TT_HANG_ON_HOST : TT_HANG_ON_DEVICE;
    f->certainty = certain ? TT_HANG_CERTAIN : single ? TT_HANG_LIKELY : TT_HANG_POSSIBLE;
    tt_hang_set_entry(h, f, latest);
    f->place = latest;
    f->since = e ? e->created : TT_UNKNOWN;
}

static void find_circles(rest *x)
{
    tt_hang_work *w = x->w;
    tarjan t = {0};
    TT_VEC(uint32_t) ranks = {0};
    start_tarjan(&t, w);
    for (uint32_t r = 0; r < w->h->n_ranks; r++)
        if (is_left(w, r) && !t.index[r]) search(&t, r);
    for (uint32_t k = 1; k <= t.n_components; k++) {
        ranks.n = 0;
        bool left = true;
        for (uint32_t r = 0; r < w->h->n_ranks; r++) {
            if (t.component[r] != k) continue;
            *tt_vec_push(&ranks) = r;
            left = left && is_left(w, r);
        }
        if (ranks.n > 1 && left && !leads_out(&t, ranks.at, ranks.n)) add_deadlock(x, &t, ranks.at, ranks.n);
    }
    tt_vec_free(&ranks);
    stop_tarjan(&t);
}

void tt_hang_find_rest(tt_hang_work *w)
{
    rest x = {.w = w};
    tt_groups_init(&x.ids);
    find_fronts(&x);
    wait_for_fronts(&x);
    tt_hang_reach(w, w->found, w->victim);
    judge_fronts(&x);
    find_circles(&x);
    tt_groups_free(&x.ids);
    tt_vec_free(&x.calls);
    tt_vec_free(&x.held);
    free(x.held_first);
    free(x.front_of);
}
