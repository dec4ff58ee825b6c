/* model/hang/fault_call.c - which call the host of a rank never made, or a rank without a dump is awaited in. */
#include <stdlib.h>
#include <string.h>

#include "model/base/sort_by.h"
#include "model/hang/internal.h"

typedef struct waiter { /* a wait for the culprit */
    uint32_t size;      /* size of the group */
    uint32_t rank, wait;
    uint64_t created; /* an unknown time comes last */
} waiter;
typedef TT_VEC(waiter) waiter_list;

static bool awaits(const tt_hang_work *w, uint32_t node, uint32_t rank)
{
    const tt_hang_node *n = &w->nodes.at[node];
    for (uint32_t i = n->first; i < n->first + n->n; i++)
        if (w->awaited.at[i] == rank) return true;
    return false;
}

/* Waits for the culprit, in collectives or in sends and receives. */
static waiter_list waiters_of(const tt_hang_work *w, uint32_t culprit, bool p2p)
{
    waiter_list out = {0};
    bool *node = tt_calloc(w->nodes.n + 1, sizeof *node);
    for (uint32_t i = 0; i < w->nodes.n; i++) node[i] = awaits(w, i, culprit);
    for (uint32_t i = 0; i < w->waits.n; i++) {
        const tt_hang_wait *v = &w->waits.at[i];
        if (v->p2p != p2p || !node[v->node]) continue;
        *tt_vec_push(&out) = (waiter){.size = w->h->groups[w->nodes.at[v->node].group].size,
                                      .rank = v->rank,
                                      .wait = i,
                                      .created = v->created == TT_UNKNOWN ? UINT64_MAX : (uint64_t)v->created};
    }
    free(node);
    return out;
}

/* The group of a rank that plays the part of group g: of the same description, g itself where several have it. */
static uint32_t counterpart(const tt_hang *h, uint32_t rank, uint32_t g)
{
    uint32_t t = h->ranks[rank].trace, found = TT_NONE;
    const tt_flight *f = tt_hang_flight(h, t);
    bool several = false;
    for (uint32_t i = 0; f && i < f->n_groups; i++) {
        uint32_t k = h->dumps[t].group_of[i];
        if (k == TT_NONE || strcmp(h->groups[k].desc, h->groups[g].desc) != 0) continue;
        if (k == g) return g;
        several = found != TT_NONE;
        found = k;
    }
    return several ? TT_NONE : found;
}

/* Number of the last send or receive of a rank in a group; TT_UNKNOWN: none is recorded. */
static int64_t last_p2p(const tt_hang *h, uint32_t rank, uint32_t g)
{
    uint32_t t = h->ranks[rank].trace;
    const tt_flight *f = tt_hang_flight(h, t);
    for (uint32_t i = f->n_entries; i-- > 0;) {
        const tt_flight_entry *e = &f->entries[i];
        if (f->calls[e->call].p2p && h->dumps[t].call_group[e->call] == g) return e->p2p_seq;
    }
    return TT_UNKNOWN;
}

/* The wait for the culprit in a collective; TT_NONE. */
static uint32_t awaited_in(const tt_hang_work *w, const waiter_list *l, uint32_t g, int64_t seq)
{
    for (size_t i = 0; i < l->n; i++) {
        const tt_hang_node *n = &w->nodes.at[w->waits.at[l->at[i].wait].node];
        if (n->group == g && n->seq == seq) return l->at[i].wait;
    }
    return TT_NONE;
}

/* The wait for the culprit in the opposite of a send or receive, by the member at the peer's place; TT_NONE. */
static uint32_t opposite_of(const tt_hang_work *w, const waiter_list *l, uint32_t g, const tt_flight_call *c)
{
    const tt_hang *h = w->h;
    if (c->peer < 0 || (uint32_t)c->peer >= h->groups[g].size) return TT_NONE;
    uint32_t peer = h->members[h->groups[g].first + (uint32_t)c->peer].rank;
    for (size_t i = 0; i < l->n; i++) {
        const tt_hang_wait *v = &w->waits.at[l->at[i].wait];
        if (v->rank != peer || w->nodes.at[v->node].group != g) continue;
        if (tt_hang_call_of(h, v->entry)->direction + c->direction == TT_FLIGHT_SEND + TT_FLIGHT_RECV)
            return l->at[i].wait;
    }
    return TT_NONE;
}

/* The first entry of a waiter that the culprit lacks, if the culprit is awaited in it: becomes the fault's call. */
static bool by_twin(const tt_hang_work *w, uint32_t culprit, uint32_t twin, const waiter_list *collectives,
                    const waiter_list *pairs, tt_hang_fault *out)
{
    const tt_hang *h = w->h;
    uint32_t t = h->ranks[twin].trace;
    const tt_flight *f = tt_hang_flight(h, t);
    for (uint32_t i = 0; i < f->n_entries; i++) {
        const tt_flight_entry *e = &f->entries[i];
        const tt_flight_call *c = tt_flight_call_of(f, e);
        uint32_t g = h->dumps[t].call_group[e->call];
        if (g == TT_NONE || tt_flight_seq(f, e) == TT_UNKNOWN) continue;
        g = counterpart(h, culprit, g);
        uint32_t m = g == TT_NONE ? TT_NONE : tt_hang_member_at(h, g, culprit);
        if (m == TT_NONE) continue;
        int64_t called = c->p2p ? last_p2p(h, culprit, g) : h->members[m].enqueued;
        if (called != TT_UNKNOWN && tt_flight_seq(f, e) <= called) continue;
        uint32_t wait = c->p2p ? opposite_of(w, pairs, g, c) : awaited_in(w, collectives, g, e->seq);
        if (wait == TT_NONE && called == TT_UNKNOWN) continue;
        if (wait == TT_NONE) return false;
        tt_hang_set_entry(h, out, (tt_hang_entry){t, i});
        out->place = out->entry;
        out->group = g;
        if (c->p2p) {
            tt_hang_entry o = w->waits.at[wait].entry;
            out->seq = tt_flight_seq(tt_hang_flight(h, o.trace), tt_hang_entry_of(h, o));
        }
        return true;
    }
    return false;
}

/* Take the call of a wait: of a send or receive its opposite. */
static void by_wait(const tt_hang_work *w, uint32_t wait, tt_hang_fault *out)
{
    const tt_hang_wait *v = &w->waits.at[wait];
    const tt_hang_node *n = &w->nodes.at[v->node];
    tt_hang_set_entry(w->h, out, v->entry);
    out->place = v->entry;
    if (out->entry.trace == TT_NONE || out->entry.entry == TT_NONE) {
        out->group = n->group;
        out->seq = n->seq;
    }
    if (v->p2p) out->op = tt_hang_call_of(w->h, v->entry)->direction == TT_FLIGHT_SEND ? "recv" : "send";
}

static void set_since(const tt_hang_work *w, const waiter_list *l, bool all, tt_hang_fault *f)
{
    for (size_t i = 0; i < l->n; i++) {
        const tt_hang_wait *v = &w->waits.at[l->at[i].wait];
        const tt_hang_node *n = &w->nodes.at[v->node];
        bool same = n->group == f->group && (v->p2p || n->seq == f->seq);
        if ((!all && !same) || v->created == TT_UNKNOWN) continue;
        if (f->since == TT_UNKNOWN || v->created < f->since) f->since = v->created;
    }
}

void tt_hang_name_call(tt_hang_work *w, uint32_t culprit, tt_hang_fault *f)
{
    enum { TWINS = 8 };
    waiter_list collectives = waiters_of(w, culprit, false), pairs = waiters_of(w, culprit, true);
    bool named = false;
    if (f->kind == TT_HANG_HOST) {
        TT_SORT_BY(collectives.at, collectives.n, TT_ASC(waiter, size), TT_ASC(waiter, created), TT_ASC(waiter, rank));
        for (size_t i = 0; i < collectives.n && i < TWINS && !named; i++)
            named = by_twin(w, culprit, collectives.at[i].rank, &collectives, &pairs, f);
    }
    TT_SORT_BY(collectives.at, collectives.n, TT_ASC(waiter, created), TT_ASC(waiter, size), TT_ASC(waiter, rank));
    TT_SORT_BY(pairs.at, pairs.n, TT_ASC(waiter, created), TT_ASC(waiter, rank));
    if (!named && (collectives.n || pairs.n)) by_wait(w, (collectives.n ? collectives : pairs).at[0].wait, f);
    set_since(w, f->p2p ? &pairs : &collectives, false, f);
    if (f->since == TT_UNKNOWN) set_since(w, &collectives, true, f);
    if (f->since == TT_UNKNOWN) set_since(w, &pairs, true, f);
    tt_vec_free(&collectives);
    tt_vec_free(&pairs);
}
