/* model/hang/certainty.c - R8 and R9: how sure each fault is; the order of faults, and what they mean for each rank. */
#include <stdlib.h>

#include "model/base/sort_by.h"
#include "model/hang/internal.h"

const char *const tt_hang_certainty_name[TT_HANG_POSSIBLE + 1] = {"certain", "likely", "possible"};

/* ---- R8 ---- */

typedef struct habit {    /* how a rank behaves in the finished calls of a group */
    uint32_t calls, last; /* last: calls in which it was the last */
    int64_t longest;      /* longest delay behind the median of the others, ns */
} habit;

/* Add a finished call in which all members with a dump are recorded. */
static void add_call(const tt_hang *h, const tt_hang_call *c, uint32_t trace, habit *out)
{
    TT_VEC(int64_t) others = {0};
    int64_t own = TT_UNKNOWN;
    uint32_t ranks = 0, before = TT_NONE;
    for (uint32_t i = c->first; i < c->first + c->n; i++) {
        tt_hang_entry e = h->call_entries[i];
        int64_t t = tt_hang_entry_of(h, e)->created;
        if (e.trace == before || t == TT_UNKNOWN) continue;
        before = e.trace;
        ranks++;
        if (e.trace == trace)
            own = t;
        else
            *tt_vec_push(&others) = t;
    }
    if (own != TT_UNKNOWN && others.n && ranks == h->groups[c->group].dumps) {
        TT_SORT_UP(others.at, others.n);
        int64_t delay = own - others.at[(others.n - 1) / 2];
        out->calls++;
        out->last += own > others.at[others.n - 1];
        if (delay > out->longest) out->longest = delay;
    }
    tt_vec_free(&others);
}

static bool is_late(const tt_hang *h, const tt_hang_fault *f)
{
    enum { FEWEST = 5 };
    if (f->kind != TT_HANG_HOST || f->p2p || f->group == TT_NONE || f->since == TT_UNKNOWN) return false;
    for (uint32_t k = 0; k < f->ranks.n; k++) {
        habit x = {0};
        uint32_t trace = h->ranks[tt_hang_list_at(h, f->ranks)[k]].trace;
        for (uint32_t i = 0; i < h->n_calls; i++)
            if (h->calls[i].group == f->group && !h->calls[i].open) add_call(h, &h->calls[i], trace, &x);
        if (x.calls < FEWEST || 5 * (uint64_t)x.last < 4 * (uint64_t)x.calls) return false;
        if ((h->last - f->since) / 2 > x.longest) return false;
    }
    return true;
}

/* ---- R9 ---- */

/* For at least half of the dumps with times the file was written within 2 s of the latest of them. */
static bool was_running(const tt_hang *h)
{
    const int64_t close = INT64_C(2000000000);
    uint32_t timed = 0, near = 0;
    for (uint32_t r = 0; r < h->n_ranks; r++) {
        const tt_flight *f = tt_hang_flight(h, h->ranks[r].trace);
        if (!f || f->last == TT_UNKNOWN || f->changed == TT_UNKNOWN) continue;
        int64_t after = f->changed - f->last;
        timed++;
        near += after <= close && after >= -close;
    }
    return timed && 2 * near >= timed;
}

static void weigh(tt_hang_work *w)
{
    tt_hang *h = w->h;
    bool others = false;
    h->running = was_running(h);
    for (size_t i = 0; i < w->faults.n; i++) {
        tt_hang_fault *f = &w->faults.at[i];
        if (is_late(h, f)) {
            f->kind = TT_HANG_LATE;
            f->certainty = TT_HANG_POSSIBLE;
        }
        others |= f->kind == TT_HANG_HOST || f->kind == TT_HANG_DEVICE || f->kind == TT_HANG_MISMATCH ||
                  f->kind == TT_HANG_DEADLOCK;
    }
    for (size_t i = 0; i < w->faults.n; i++) {
        tt_hang_fault *f = &w->faults.at[i];
        if (f->kind == TT_HANG_COLLECTIVE || (f->kind == TT_HANG_NO_DUMP && others)) f->certainty = TT_HANG_POSSIBLE;
        if (h->apart && f->kind != TT_HANG_MISMATCH) f->certainty = TT_HANG_POSSIBLE;
        if (h->running && f->certainty == TT_HANG_LIKELY) f->certainty = TT_HANG_POSSIBLE;
    }
}

/* ---- order, and what it means for the ranks ---- */

typedef struct ordered {
    uint32_t at, certainty, kind, group, rank;
    int64_t since;
} ordered;

static void order_faults(tt_hang_work *w)
{
    tt_hang *h = w->h;
    size_t n = w->faults.n;
    ordered *order = tt_calloc(n + 1, sizeof *order);
    for (uint32_t i = 0; i < n; i++) {
        const tt_hang_fault *f = &w->faults.at[i];
        order[i] =
            (ordered){i, f->certainty, f->kind, f->group, f->ranks.n ? h->lists.at[f->ranks.first] : TT_NONE, f->since};
    }
    TT_SORT_BY(order, n, TT_ASC(ordered, certainty), TT_ASC(ordered, kind), TT_ASC(ordered, since),
               TT_ASC(ordered, group), TT_ASC(ordered, rank));
    h->faults = tt_calloc(n + 1, sizeof *h->faults);
    for (uint32_t i = 0; i < n; i++) h->faults[i] = w->faults.at[order[i].at];
    h->n_faults = (uint32_t)n;
    free(order);
}

/* Members of the call of a fault whose culprits are unknown stand for them. */
static void mark_origin(const tt_hang *h, const tt_hang_fault *f, bool *origin)
{
    for (uint32_t i = 0; i < h->n_ranks; i++) origin[i] = false;
    for (uint32_t i = 0; i < f->ranks.n; i++) origin[h->lists.at[f->ranks.first + i]] = true;
    if (f->ranks.n || f->group == TT_NONE) return;
    const tt_hang_group *g = &h->groups[f->group];
    const tt_flight_call *c = tt_hang_call_of(h, f->entry);
    for (uint32_t m = 0; m < g->size; m++) {
        bool end = !f->p2p || (c && ((int32_t)m == c->self || (int32_t)m == c->peer));
        if (end) origin[h->members[g->first + m].rank] = true;
    }
}

static void set_ranks(tt_hang_work *w)
{
    tt_hang *h = w->h;
    bool *origin = tt_calloc(h->n_ranks + (size_t)1, sizeof *origin);
    bool *reached = tt_calloc(h->n_ranks + (size_t)1, sizeof *reached);
    for (uint32_t i = 0; i < h->n_faults; i++) {
        tt_hang_fault *f = &h->faults[i];
        bool named = f->ranks.n > 0;
        mark_origin(h, f, origin);
        tt_hang_reach(w, origin, reached);
        for (uint32_t r = 0; r < h->n_ranks; r++) {
            tt_hang_rank *x = &h->ranks[r];
            bool own = named && origin[r], leads = !own && (reached[r] || origin[r]);
            if (leads) f->waiting++;
            if (own) {
                x->fault = i;
                x->state = TT_HANG_CULPRIT;
            } else if (leads && x->fault == TT_NONE && x->trace != TT_NONE && x->state != TT_HANG_STALE) {
                x->fault = i;
                x->state = named ? TT_HANG_VICTIM : TT_HANG_WAITING;
            }
        }
    }
    free(origin);
    free(reached);
}

static void count_open(tt_hang *h)
{
    for (uint32_t r = 0; r < h->n_ranks; r++) {
        tt_hang_rank *x = &h->ranks[r];
        const tt_flight *f = tt_hang_flight(h, x->trace);
        for (uint32_t i = 0; f && i < f->n_entries; i++) x->open += f->entries[i].open;
        if (x->state == TT_HANG_IDLE && x->open) x->state = TT_HANG_WAITING;
    }
}

/* Order of waits: by rank, then by time of the call, an unknown time first, as the ring has lost the call, then by
 * entry. */
static void set_waits(tt_hang_work *w)
{
    tt_hang *h = w->h;
    TT_VEC(uint32_t) list = {0};
    TT_SORT_BY(w->waits.at, w->waits.n, TT_ASC(tt_hang_wait, rank), TT_ASC(tt_hang_wait, created),
               TT_ASC(tt_hang_wait, entry.entry));
    for (size_t i = 0, k; i < w->waits.n; i = k) {
        tt_hang_rank *x = &h->ranks[w->waits.at[i].rank];
        list.n = 0;
        for (k = i; k < w->waits.n && w->waits.at[k].rank == w->waits.at[i].rank; k++) {
            const tt_hang_node *n = &w->nodes.at[w->waits.at[k].node];
            for (uint32_t a = 0; a < n->n; a++) *tt_vec_push(&list) = w->awaited.at[n->first + a];
        }
        x->waits_for = tt_hang_keep_list(h, list.at, list.n);
        x->wait = w->waits.at[i].entry;
        x->wait_group = w->nodes.at[w->waits.at[i].node].group;
        x->wait_seq = w->nodes.at[w->waits.at[i].node].seq;
    }
    tt_vec_free(&list);
}

void tt_hang_weigh(tt_hang_work *w)
{
    weigh(w);
    order_faults(w);
    set_waits(w);
    set_ranks(w);
    count_open(w->h);
}
