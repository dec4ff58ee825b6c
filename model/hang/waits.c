/* model/hang/waits.c - R1 to R3: which dumps are older than others, which devices have not finished what others have,
 * and who waits for whom. */
#include <stdlib.h>

#include "model/base/sort_by.h"
#include "model/hang/internal.h"

/* ---- R1 ---- */

void tt_hang_find_stale(tt_hang *h)
{
    for (uint32_t g = 0; g < h->n_groups; g++) {
        const tt_hang_group *x = &h->groups[g];
        if (x->p2p < 0) continue;
        for (uint32_t m = x->first; m < x->first + x->size; m++) {
            const tt_hang_member *k = &h->members[m];
            if (k->enqueued == TT_UNKNOWN || k->enqueued >= x->completed) continue;
            h->ranks[k->rank].state = TT_HANG_STALE;
            h->apart = true;
        }
    }
}

/* ---- R2 ---- */

static int64_t created_of(const tt_hang *h, tt_hang_entry e)
{
    const tt_flight_entry *x = tt_hang_entry_of(h, e);
    return x ? x->created : TT_UNKNOWN;
}

/* Whether call a of a rank came before its call b: by time, then by the name of the group, which the index follows. */
static bool earlier(int64_t a, int64_t b) { return b == TT_UNKNOWN || (a != TT_UNKNOWN && a < b); }

void tt_hang_find_device(tt_hang *h)
{
    for (uint32_t g = 0; g < h->n_groups; g++) {
        const tt_hang_group *x = &h->groups[g];
        for (uint32_t m = x->first; m < x->first + x->size; m++) {
            const tt_hang_member *k = &h->members[m];
            tt_hang_rank *r = &h->ranks[k->rank];
            if (!tt_hang_judged(r) || k->open == TT_UNKNOWN || x->completed < k->open) continue;
            tt_hang_entry e = {r->trace, k->open_entry};
            if (r->device && !earlier(created_of(h, e), created_of(h, r->wait))) continue;
            r->device = true;
            r->wait = e;
            r->wait_group = g;
            r->wait_seq = k->open;
        }
    }
}

/* ---- R3 ---- */

/* Open sends and receives by (own place, peer's place, direction). */
typedef struct pairs {
    tt_groups keys;
    TT_VEC(uint32_t) open;
} pairs;

/* Places of a send or receive as indices into members; false: they are not known. */
static bool ends_of(const tt_hang *h, tt_hang_entry e, uint32_t *own, uint32_t *peer)
{
    const tt_flight_call *c = tt_hang_call_of(h, e);
    uint32_t call = tt_hang_entry_of(h, e)->call, g = h->dumps[e.trace].call_group[call];
    if (c->direction == TT_FLIGHT_NEITHER || g == TT_NONE || c->peer < 0 || (uint32_t)c->peer >= h->groups[g].size)
        return false;
    *own = h->dumps[e.trace].call_member[call];
    *peer = h->groups[g].first + (uint32_t)c->peer;
    return *own != TT_NONE && *own != *peer;
}

static tt_group_key pair_key(uint32_t own, uint32_t peer, uint32_t direction)
{
    return (tt_group_key){.a = own, .b = peer, .c = direction};
}

static uint32_t *open_of(pairs *p, tt_group_key key)
{
    uint32_t k = tt_groups_put(&p->keys, key);
    if (k == p->open.n) *tt_vec_push(&p->open) = 0;
    return &p->open.at[k];
}

static void count_pairs(const tt_hang *h, pairs *p)
{
    for (uint32_t r = 0; r < h->n_ranks; r++) {
        uint32_t t = h->ranks[r].trace, own, peer;
        const tt_flight *f = tt_hang_flight(h, t);
        for (uint32_t i = 0; f && i < f->n_entries; i++) {
            tt_hang_entry e = {t, i};
            if (f->entries[i].open && ends_of(h, e, &own, &peer))
                ++*open_of(p, pair_key(own, peer, tt_hang_call_of(h, e)->direction));
        }
    }
}

static uint32_t add_node(tt_hang_work *w, tt_group_key key, tt_hang_node node, bool *is_new)
{
    uint32_t id = tt_groups_put(&w->node_ids, key);
    *is_new = id == w->nodes.n;
    if (*is_new) {
        node.first = (uint32_t)w->awaited.n;
        *tt_vec_push(&w->nodes) = node;
    }
    return id;
}

static void await(tt_hang_work *w, uint32_t node, uint32_t rank, bool dump)
{
    *tt_vec_push(&w->awaited) = rank;
    w->nodes.at[node].n++;
    w->nodes.at[node].no_dump += !dump;
}

/* The node of a collective: its members that have not called it, that left no dump, or whose device is stuck. */
static uint32_t collective(tt_hang_work *w, uint32_t g, int64_t seq)
{
    const tt_hang *h = w->h;
    const tt_hang_group *x = &h->groups[g];
    bool is_new;
    uint32_t id =
        add_node(w, (tt_group_key){.a = g, .b = (uint64_t)seq}, (tt_hang_node){.group = g, .seq = seq}, &is_new);
    if (!is_new) return id;
    bool satisfied = true;
    for (int pass = 0; pass < 2; pass++) { /* ranks without a dump last */
        for (uint32_t m = x->first; m < x->first + x->size; m++) {
            const tt_hang_member *k = &h->members[m];
            const tt_hang_rank *r = &h->ranks[k->rank];
            bool dump = r->trace != TT_NONE, absent = dump && k->enqueued != TT_UNKNOWN && k->enqueued < seq;
            if (dump == (pass == 1)) continue;
            satisfied = satisfied && dump && k->enqueued != TT_UNKNOWN && !absent;
            if (!dump || (absent && r->state != TT_HANG_STALE) || (r->device && k->enqueued >= seq))
                await(w, id, k->rank, dump);
        }
    }
    w->nodes.at[id].satisfied = satisfied;
    return id;
}

void tt_hang_add_wait(tt_hang_work *w, uint32_t rank, uint32_t node, tt_hang_entry e, bool p2p)
{
    *tt_vec_push(&w->waits) =
        (tt_hang_wait){.rank = rank, .node = node, .entry = e, .created = created_of(w->h, e), .p2p = p2p};
}

static void wait_in_collectives(tt_hang_work *w, uint32_t r)
{
    const tt_hang *h = w->h;
    const tt_hang_dump *d = &h->dumps[h->ranks[r].trace];
    const tt_flight *f = tt_hang_flight(h, h->ranks[r].trace);
    for (uint32_t i = 0; i < f->n_groups; i++) {
        if (d->member_of[i] == TT_NONE) continue;
        const tt_hang_member *m = &h->members[d->member_of[i]];
        if (m->open == TT_UNKNOWN) continue;
        tt_hang_add_wait(w, r, collective(w, d->group_of[i], m->open),
                         (tt_hang_entry){h->ranks[r].trace, m->open_entry}, false);
    }
}

/* Wait in each pair of which more is open here than at the peer: in the first call that the peer has not met. */
static void wait_in_pairs(tt_hang_work *w, pairs *p, uint32_t r)
{
    const tt_hang *h = w->h;
    uint32_t t = h->ranks[r].trace, own, peer;
    const tt_flight *f = tt_hang_flight(h, t);
    pairs seen = {0};
    tt_groups_init(&seen.keys);
    for (uint32_t i = 0; i < f->n_entries; i++) {
        tt_hang_entry e = {t, i};
        bool is_new;
        if (!f->entries[i].open || !ends_of(h, e, &own, &peer)) continue;
        uint32_t direction = tt_hang_call_of(h, e)->direction;
        uint32_t opposite = direction == TT_FLIGHT_SEND ? TT_FLIGHT_RECV : TT_FLIGHT_SEND;
        uint32_t before = (*open_of(&seen, pair_key(own, peer, direction)))++;
        uint32_t there = *open_of(p, pair_key(peer, own, opposite));
        const tt_hang_rank *q = &h->ranks[h->members[peer].rank];
        bool always = q->trace == TT_NONE || q->device;
        if ((always ? before != 0 : before != there) || (!always && q->state == TT_HANG_STALE)) continue;
        uint32_t g = h->dumps[t].call_group[f->entries[i].call];
        tt_group_key key = {.a = (uint64_t)own << 32 | peer, .b = direction, .c = 1};
        uint32_t id = add_node(w, key, (tt_hang_node){.group = g, .seq = TT_UNKNOWN}, &is_new);
        if (is_new) await(w, id, h->members[peer].rank, q->trace != TT_NONE);
        tt_hang_add_wait(w, r, id, e, true);
    }
    tt_groups_free(&seen.keys);
    tt_vec_free(&seen.open);
}

void tt_hang_find_waits(tt_hang_work *w)
{
    const tt_hang *h = w->h;
    pairs p = {0};
    tt_groups_init(&p.keys);
    count_pairs(h, &p);
    for (uint32_t r = 0; r < h->n_ranks; r++) {
        if (!tt_hang_judged(&h->ranks[r]) || h->ranks[r].device) continue;
        wait_in_collectives(w, r);
        wait_in_pairs(w, &p, r);
    }
    tt_groups_free(&p.keys);
    tt_vec_free(&p.open);
}

/* ---- who leads to whom ---- */

/* Ranks that wait in each node, and nodes in which each rank is awaited. */
typedef struct inverse {
    uint32_t *waiter_first, *waiter, *node_first, *node;
} inverse;

static inverse invert(const tt_hang_work *w)
{
    inverse x;
    size_t nodes = w->nodes.n, ranks = w->h->n_ranks;
    x.waiter_first = tt_calloc(nodes + 2, sizeof *x.waiter_first);
    x.waiter = tt_calloc(w->waits.n + 1, sizeof *x.waiter);
    x.node_first = tt_calloc(ranks + 2, sizeof *x.node_first);
    x.node = tt_calloc(w->awaited.n + 1, sizeof *x.node);
    for (size_t i = 0; i < w->waits.n; i++) x.waiter_first[w->waits.at[i].node + 2]++;
    for (size_t i = 0; i < w->awaited.n; i++) x.node_first[w->awaited.at[i] + 2]++;
    for (size_t i = 2; i < nodes + 2; i++) x.waiter_first[i] += x.waiter_first[i - 1];
    for (size_t i = 2; i < ranks + 2; i++) x.node_first[i] += x.node_first[i - 1];
    for (size_t i = 0; i < w->waits.n; i++) {
        const tt_hang_wait *v = &w->waits.at[i];
        x.waiter[x.waiter_first[v->node + 1]++] = v->rank;
    }
    for (uint32_t n = 0; n < nodes; n++) {
        const tt_hang_node *v = &w->nodes.at[n];
        for (uint32_t i = v->first; i < v->first + v->n; i++) x.node[x.node_first[w->awaited.at[i] + 1]++] = n;
    }
    return x;
}

static void inverse_free(inverse *x)
{
    free(x->waiter_first);
    free(x->waiter);
    free(x->node_first);
    free(x->node);
}

void tt_hang_reach(tt_hang_work *w, const bool *from, bool *reached)
{
    inverse x = invert(w);
    uint32_t ranks = w->h->n_ranks;
    bool *seen = tt_calloc(w->nodes.n + 1, sizeof *seen);
    TT_VEC(uint32_t) todo = {0};
    for (uint32_t r = 0; r < ranks; r++) {
        reached[r] = false;
        if (from[r]) *tt_vec_push(&todo) = r;
    }
    while (todo.n) {
        uint32_t r = todo.at[--todo.n];
        for (uint32_t i = x.node_first[r]; i < x.node_first[r + 1]; i++) {
            uint32_t n = x.node[i];
            if (seen[n]) continue;
            seen[n] = true;
            for (uint32_t k = x.waiter_first[n]; k < x.waiter_first[n + 1]; k++) {
                if (reached[x.waiter[k]]) continue;
                reached[x.waiter[k]] = true;
                *tt_vec_push(&todo) = x.waiter[k];
            }
        }
    }
    tt_vec_free(&todo);
    free(seen);
    inverse_free(&x);
}
