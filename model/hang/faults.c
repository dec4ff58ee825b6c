/* model/hang/faults.c - the faults of R2, and R4 to R6: calls that differ, hosts that stopped, ranks without a dump. */
#include <stdlib.h>
#include <string.h>

#include "model/base/sort_by.h"
#include "model/hang/internal.h"

/* ---- rows ---- */

tt_hang_list tt_hang_keep_list(tt_hang *h, const uint32_t *ranks, size_t n)
{
    tt_hang_list l = {(uint32_t)h->lists.n, 0};
    tt_vec_reserve(&h->lists, h->lists.n + n + 1);
    if (n) memcpy(h->lists.at + l.first, ranks, n * sizeof *ranks);
    uint32_t *at = h->lists.at + l.first;
    TT_SORT_UP(at, n);
    for (size_t i = 0; i < n; i++)
        if (!l.n || at[i] != at[l.n - 1]) at[l.n++] = at[i];
    h->lists.n += l.n;
    return l;
}

void tt_hang_set_entry(const tt_hang *h, tt_hang_fault *f, tt_hang_entry e)
{
    const tt_flight_entry *x = tt_hang_entry_of(h, e);
    if (!x) return;
    f->entry = e;
    f->group = h->dumps[e.trace].call_group[x->call];
    f->p2p = tt_hang_call_of(h, e)->p2p;
    f->seq = tt_flight_seq(tt_hang_flight(h, e.trace), x);
    f->op = tt_str(&h->texts, h->dumps[e.trace].texts[x->call].op);
}

tt_hang_fault *tt_hang_add_fault(tt_hang_work *w, tt_hang_kind kind, const uint32_t *ranks, size_t n)
{
    tt_hang *h = w->h;
    tt_hang_fault *f = tt_vec_push(&w->faults);
    *f = (tt_hang_fault){.kind = kind,
                         .certainty = TT_HANG_LIKELY,
                         .ranks = tt_hang_keep_list(h, ranks, n),
                         .group = TT_NONE,
                         .seq = TT_UNKNOWN,
                         .entry = TT_HANG_NO_ENTRY,
                         .place = TT_HANG_NO_ENTRY,
                         .last = TT_HANG_NO_ENTRY,
                         .since = TT_UNKNOWN,
                         .mismatch = TT_NONE};
    for (size_t i = 0; i < n; i++) w->found[ranks[i]] = true;
    uint32_t t = n ? h->ranks[ranks[0]].trace : TT_NONE;
    if (t != TT_NONE && tt_hang_flight(h, t)->n_entries)
        f->last = (tt_hang_entry){t, tt_hang_flight(h, t)->n_entries - 1};
    return f;
}

static bool same_call(const tt_hang_fault *a, const tt_hang_fault *b)
{
    bool op = a->op == b->op || (a->op && b->op && !strcmp(a->op, b->op));
    return a->kind == b->kind && a->group == b->group && a->group != TT_NONE && a->seq == b->seq && a->p2p == b->p2p &&
           op;
}

/* Join the fault added last with one of equal kind and call. */
static void join_last(tt_hang_work *w)
{
    tt_hang *h = w->h;
    tt_hang_fault *last = &w->faults.at[w->faults.n - 1];
    for (size_t i = 0; i + 1 < w->faults.n; i++) {
        tt_hang_fault *f = &w->faults.at[i];
        if (!same_call(f, last)) continue;
        TT_VEC(uint32_t) all = {0};
        for (uint32_t k = 0; k < f->ranks.n; k++) *tt_vec_push(&all) = h->lists.at[f->ranks.first + k];
        for (uint32_t k = 0; k < last->ranks.n; k++) *tt_vec_push(&all) = h->lists.at[last->ranks.first + k];
        f->ranks = tt_hang_keep_list(h, all.at, all.n);
        if (f->since == TT_UNKNOWN || (last->since != TT_UNKNOWN && last->since < f->since)) f->since = last->since;
        tt_vec_free(&all);
        w->faults.n--;
        return;
    }
}

/* ---- R2 ---- */

static void add_devices(tt_hang_work *w)
{
    const tt_hang *h = w->h;
    for (uint32_t r = 0; r < h->n_ranks; r++) {
        const tt_hang_rank *x = &h->ranks[r];
        if (!x->device) continue;
        tt_hang_fault *f = tt_hang_add_fault(w, TT_HANG_DEVICE, &r, 1);
        const tt_flight_entry *e = tt_hang_entry_of(h, x->wait);
        f->side = TT_HANG_ON_DEVICE;
        f->group = x->wait_group;
        f->seq = x->wait_seq;
        if (e) tt_hang_set_entry(h, f, x->wait);
        if (e) f->since = e->created;
        f->place = f->entry;
        join_last(w);
    }
}

/* ---- R4 ---- */

/* Members that have the call open wait for those that called something else. */
static void wait_for_differing(tt_hang_work *w, uint32_t call, const uint32_t *ranks, size_t n)
{
    const tt_hang *h = w->h;
    const tt_hang_call *c = &h->calls[call];
    uint32_t id = tt_groups_put(&w->node_ids, (tt_group_key){.a = c->group, .b = (uint64_t)c->seq, .c = 2});
    *tt_vec_push(&w->nodes) =
        (tt_hang_node){.group = c->group, .seq = c->seq, .first = (uint32_t)w->awaited.n, .n = (uint32_t)n};
    for (size_t i = 0; i < n; i++) *tt_vec_push(&w->awaited) = ranks[i];
    for (uint32_t i = c->first; i < c->first + c->n; i++) {
        tt_hang_entry e = h->call_entries[i];
        uint32_t r = h->dumps[e.trace].rank;
        const tt_flight_entry *x = tt_hang_entry_of(h, e);
        if (x->open && !w->blamed[r] && !h->ranks[r].device) tt_hang_add_wait(w, r, id, e, false);
    }
}

static bool is_oldest_of_some(const tt_hang *h, uint32_t group, int64_t seq)
{
    const tt_hang_group *g = &h->groups[group];
    for (uint32_t m = g->first; m < g->first + g->size; m++)
        if (h->members[m].open == seq) return true;
    return false;
}

static void add_mismatches(tt_hang_work *w)
{
    const tt_hang *h = w->h;
    TT_VEC(uint32_t) ranks = {0};
    uint32_t done = TT_NONE; /* group whose first open mismatch was looked at */
    for (uint32_t i = 0, k; i < h->n_mismatches; i = k) {
        const tt_hang_mismatch *x = &h->mismatches[i];
        ranks.n = 0;
        for (k = i; k < h->n_mismatches && h->mismatches[k].group == x->group && h->mismatches[k].seq == x->seq &&
                    h->mismatches[k].p2p == x->p2p;
             k++)
            if (h->mismatches[k].known) *tt_vec_push(&ranks) = h->mismatches[k].rank;
        if (x->group == done || !ranks.n || !x->open || x->p2p) continue;
        done = x->group;
        if (!is_oldest_of_some(h, x->group, x->seq)) continue;
        for (size_t n = 0; n < ranks.n; n++) w->blamed[ranks.at[n]] = true;
        tt_hang_fault *f = tt_hang_add_fault(w, TT_HANG_MISMATCH, ranks.at, ranks.n);
        f->side = TT_HANG_ON_HOST;
        f->certainty = TT_HANG_CERTAIN;
        tt_hang_set_entry(h, f, x->own);
        f->place = x->own;
        f->mismatch = i;
        int64_t last;
        tt_hang_call_times(h, &h->calls[x->call], &f->since, &last);
        wait_for_differing(w, x->call, ranks.at, ranks.n);
    }
    tt_vec_free(&ranks);
}

/* ---- R5 ----
 * A host has stopped when it has nothing open, or only what a waiter in a collective has open too while that waiter
 * called more. Waiters in receives prove less: receives are posted ahead of what the program needs. */

/* Whether all roles of a are roles of b, which has more. */
static bool is_part(const tt_hang_roles *x, uint32_t a, uint32_t b)
{
    uint32_t i = x->first[a], k = x->first[b], n = x->first[a + 1] - i;
    if (n >= x->first[b + 1] - k) return false;
    for (; i < x->first[a + 1]; i++) {
        while (k < x->first[b + 1] && x->at.at[k] < x->at.at[i]) k++;
        if (k == x->first[b + 1] || x->at.at[k] != x->at.at[i]) return false;
    }
    return true;
}

static void add_hosts(tt_hang_work *w)
{
    const tt_hang *h = w->h;
    const tt_hang_roles *x = &w->roles;
    bool *host = tt_calloc(h->n_ranks + (size_t)1, sizeof *host);
    for (size_t i = 0; i < w->waits.n; i++) {
        const tt_hang_wait *v = &w->waits.at[i];
        const tt_hang_node *n = &w->nodes.at[v->node];
        for (uint32_t k = n->first; k < n->first + n->n - n->no_dump; k++) {
            uint32_t c = w->awaited.at[k], waiter = v->rank;
            if (host[c] || h->ranks[c].device || w->blamed[c] || !tt_hang_judged(&h->ranks[c])) continue;
            host[c] = x->first[c] == x->first[c + 1] || (!v->p2p && is_part(x, c, waiter));
        }
    }
    for (uint32_t r = 0; r < h->n_ranks; r++) {
        if (!host[r]) continue;
        tt_hang_fault *f = tt_hang_add_fault(w, TT_HANG_HOST, &r, 1);
        f->side = TT_HANG_ON_HOST;
        tt_hang_name_call(w, r, f);
        join_last(w);
    }
    free(host);
}

/* ---- R6 ---- */

static void add_missing(tt_hang_work *w)
{
    const tt_hang *h = w->h;
    bool *missing = tt_calloc(h->n_ranks + (size_t)1, sizeof *missing);
    tt_hang_reach(w, w->found, w->victim);
    for (size_t i = 0; i < w->waits.n; i++) {
        const tt_hang_wait *v = &w->waits.at[i];
        const tt_hang_node *n = &w->nodes.at[v->node];
        if (w->victim[v->rank] || w->found[v->rank]) continue;
        for (uint32_t k = n->first + n->n - n->no_dump; k < n->first + n->n; k++) missing[w->awaited.at[k]] = true;
    }
    for (uint32_t r = 0; r < h->n_ranks; r++) {
        if (!missing[r]) continue;
        tt_hang_fault *f = tt_hang_add_fault(w, TT_HANG_NO_DUMP, &r, 1);
        tt_hang_name_call(w, r, f);
        join_last(w);
    }
    free(missing);
}

void tt_hang_find_faults(tt_hang_work *w)
{
    add_devices(w);
    add_mismatches(w);
    add_hosts(w);
    add_missing(w);
    tt_hang_reach(w, w->found, w->victim);
}
