/* model/hang/counters.c - the last collective that each rank called, started and finished in each group, and its oldest
 * open one. */
#include <stdlib.h>
#include <string.h>

#include "model/base/sort_by.h"
#include "model/hang/internal.h"

typedef struct numbered { /* a group of a dump with a decimal name, or a status */
    int64_t number;
    uint32_t at;
} numbered;

typedef struct counting {
    tt_hang *h;
    uint32_t **status_of; /* by trace, by group of the dump: index of its status; TT_NONE */
    bool *ignored;        /* by trace: its status counts something else */
} counting;

/* ---- sends and receives ---- */

static void find_p2p(tt_hang *h)
{
    for (uint32_t t = 0; t < h->session->n_traces; t++) {
        const tt_flight *f = tt_hang_flight(h, t);
        for (uint32_t c = 0; f && c < f->n_calls; c++) {
            uint32_t g = h->dumps[t].call_group[c];
            if (g == TT_NONE) continue;
            if (h->groups[g].p2p < 0) h->groups[g].p2p = 0;
            if (f->calls[c].p2p) h->groups[g].p2p = 1;
        }
    }
}

/* ---- status: from the numbers of a rank to groups ---- */

static uint32_t status_at(const tt_flight *f, int64_t id)
{
    for (uint32_t i = 0; i < f->n_status; i++)
        if (f->status[i].id == id) return i;
    return TT_NONE;
}

/* Entries say the number of their group. */
static void map_by_entries(const tt_flight *f, uint32_t *status_of)
{
    for (uint32_t c = 0; c < f->n_calls; c++) {
        const tt_flight_call *x = &f->calls[c];
        uint32_t s = x->group == TT_NONE ? TT_NONE : status_at(f, x->pg_id);
        if (s != TT_NONE) status_of[x->group] = s;
    }
}

/* Names and numbers may be decimal and equally many: they were given in the same order. */
static void map_by_order(const tt_flight *f, const tt_strings *strings, uint32_t *status_of)
{
    numbered *names = tt_calloc(f->n_groups + (size_t)1, sizeof *names);
    numbered *ids = tt_calloc(f->n_status + (size_t)1, sizeof *ids);
    bool agree = f->n_groups == f->n_status;
    for (uint32_t i = 0; i < f->n_groups && agree; i++) {
        const char *name = tt_str(strings, f->groups[i].name);
        size_t n = strlen(name);
        agree = n && n < 16 && strspn(name, "0123456789") == n && f->status[i].id != TT_UNKNOWN;
        if (!agree) break;
        names[i] = (numbered){strtoll(name, NULL, 10), i};
        ids[i] = (numbered){f->status[i].id, i};
    }
    TT_SORT_BY(names, f->n_groups, TT_ASC(numbered, number));
    TT_SORT_BY(ids, f->n_status, TT_ASC(numbered, number));
    for (uint32_t i = 0; i < f->n_groups && agree; i++) {
        uint32_t known = status_of[names[i].at];
        agree = known == TT_NONE || known == ids[i].at;
    }
    for (uint32_t i = 0; i < f->n_groups && agree; i++) status_of[names[i].at] = ids[i].at;
    free(names);
    free(ids);
}

/* The number that all members of a group use whose number is known; TT_UNKNOWN: none, or several. */
static int64_t *numbers_used(const counting *k)
{
    const tt_hang *h = k->h;
    const int64_t several = INT64_MAX;
    int64_t *used = tt_calloc(h->n_groups + (size_t)1, sizeof *used);
    for (uint32_t g = 0; g < h->n_groups; g++) used[g] = TT_UNKNOWN;
    for (uint32_t t = 0; t < h->session->n_traces; t++) {
        const tt_flight *f = tt_hang_flight(h, t);
        for (uint32_t i = 0; f && i < f->n_groups; i++) {
            uint32_t g = h->dumps[t].group_of[i], s = k->status_of[t][i];
            if (g == TT_NONE || s == TT_NONE) continue;
            used[g] = used[g] == TT_UNKNOWN || used[g] == f->status[s].id ? f->status[s].id : several;
        }
    }
    return used;
}

static void map_by_others(counting *k)
{
    const tt_hang *h = k->h;
    int64_t *used = numbers_used(k);
    for (uint32_t t = 0; t < h->session->n_traces; t++) {
        const tt_flight *f = tt_hang_flight(h, t);
        for (uint32_t i = 0; f && i < f->n_groups; i++) {
            uint32_t g = h->dumps[t].group_of[i];
            uint32_t s = g == TT_NONE || k->status_of[t][i] != TT_NONE || used[g] == TT_UNKNOWN ? TT_NONE
                                                                                                : status_at(f, used[g]);
            for (uint32_t j = 0; s != TT_NONE && j < f->n_groups; j++)
                if (k->status_of[t][j] == s) s = TT_NONE;
            if (s != TT_NONE) k->status_of[t][i] = s;
        }
    }
    free(used);
}

/* Whether the newest calls show that the status of a dump counts something else: the hook of c10d counts op_id. */
static bool counts_otherwise(const counting *k, uint32_t t)
{
    const tt_hang *h = k->h;
    const tt_flight *f = tt_hang_flight(h, t);
    bool *seen = tt_calloc(f->n_groups + (size_t)1, sizeof *seen), otherwise = false;
    for (uint32_t i = f->n_entries; i-- > 0 && !otherwise;) {
        const tt_flight_entry *e = &f->entries[i];
        uint32_t local = f->calls[e->call].group, g = h->dumps[t].call_group[e->call];
        if (local == TT_NONE || g == TT_NONE || seen[local] || e->seq == TT_UNKNOWN) continue;
        seen[local] = true;
        if (h->groups[g].p2p != 0 || k->status_of[t][local] == TT_NONE) continue;
        int64_t last = f->status[k->status_of[t][local]].enqueued;
        otherwise = e->seq > last || (e->seq != last && e->op_id == last);
    }
    free(seen);
    return otherwise;
}

static void map_status(counting *k)
{
    tt_hang *h = k->h;
    for (uint32_t t = 0; t < h->session->n_traces; t++) {
        const tt_flight *f = tt_hang_flight(h, t);
        if (!f) continue;
        k->status_of[t] = tt_malloc((f->n_groups + (size_t)1) * sizeof *k->status_of[t]);
        for (uint32_t i = 0; i < f->n_groups; i++) k->status_of[t][i] = TT_NONE;
        map_by_entries(f, k->status_of[t]);
        map_by_order(f, &h->session->traces[t]->strings, k->status_of[t]);
    }
    map_by_others(k);
    for (uint32_t t = 0; t < h->session->n_traces; t++) {
        const tt_trace *trace = h->session->traces[t];
        if (!trace->flight || !trace->flight->n_status || !counts_otherwise(k, t)) continue;
        k->ignored[t] = true;
        tt_problem_add(&h->problems, TT_PROBLEM_STATUS_IGNORED, -1, trace->worker, strlen(trace->worker));
    }
}

/* ---- counters ---- */

static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }

/* Whether the dump has all calls since the beginning of the job. */
static bool is_whole(const tt_flight *f)
{
    return f->n_entries && f->entries[0].record_id == 0 && f->entries[f->n_entries - 1].record_id == f->n_entries - 1;
}

static void count_status(const counting *k, uint32_t t)
{
    tt_hang *h = k->h;
    const tt_flight *f = tt_hang_flight(h, t);
    for (uint32_t i = 0; i < f->n_groups && !k->ignored[t]; i++) {
        uint32_t m = h->dumps[t].member_of[i], s = k->status_of[t][i];
        if (m == TT_NONE || s == TT_NONE || h->groups[h->dumps[t].group_of[i]].p2p == 1) continue;
        const tt_flight_status *x = &f->status[s];
        h->members[m].enqueued = larger(x->enqueued, 0);
        h->members[m].completed = larger(x->completed, 0);
        if (x->started >= 0) h->members[m].started = x->started;
    }
}

static void count_entries(const counting *k, uint32_t t)
{
    tt_hang *h = k->h;
    const tt_flight *f = tt_hang_flight(h, t);
    for (uint32_t i = 0; i < f->n_entries; i++) {
        const tt_flight_entry *e = &f->entries[i];
        uint32_t at = h->dumps[t].call_member[e->call];
        if (at == TT_NONE || e->seq == TT_UNKNOWN) continue;
        tt_hang_member *m = &h->members[at];
        m->enqueued = larger(m->enqueued, e->seq);
        if (f->calls[e->call].p2p) continue;
        if (e->started != TT_UNKNOWN) m->started = larger(m->started, e->seq);
        if (e->open && (m->open == TT_UNKNOWN || e->seq < m->open)) {
            m->open = e->seq;
            m->open_entry = i;
        }
    }
}

/* What follows from the entries where no status says it, and the call that the ring has lost. */
static void conclude(const counting *k, uint32_t t)
{
    tt_hang *h = k->h;
    const tt_flight *f = tt_hang_flight(h, t);
    bool finished = false, whole = is_whole(f);
    for (uint32_t i = 0; i < f->n_entries && !finished; i++) finished = f->entries[i].state == TT_FLIGHT_COMPLETED;
    for (uint32_t i = 0; i < f->n_groups; i++) {
        uint32_t at = h->dumps[t].member_of[i];
        if (at == TT_NONE) continue;
        tt_hang_member *m = &h->members[at];
        int p2p = h->groups[h->dumps[t].group_of[i]].p2p;
        if (m->enqueued == TT_UNKNOWN && whole) m->enqueued = 0;
        if (m->completed == TT_UNKNOWN && m->open != TT_UNKNOWN)
            m->completed = m->open - 1;
        else if (m->completed == TT_UNKNOWN && finished)
            m->completed = m->enqueued;
        else if (m->open != TT_UNKNOWN && m->open <= m->completed)
            m->completed = m->open - 1;
        /* a recording has all its open calls, but those that have not been open for long do not count */
        if (tt_flight_alone(f) && p2p == 0 && m->open == TT_UNKNOWN && m->completed != TT_UNKNOWN &&
            m->enqueued > m->completed)
            m->open = m->completed + 1;
    }
}

static void find_ahead(tt_hang *h)
{
    for (uint32_t g = 0; g < h->n_groups; g++) {
        tt_hang_group *x = &h->groups[g];
        x->enqueued = x->completed = TT_UNKNOWN;
        for (uint32_t m = x->first; m < x->first + x->size; m++) {
            x->enqueued = larger(x->enqueued, h->members[m].enqueued);
            x->completed = larger(x->completed, h->members[m].completed);
        }
    }
}

void tt_hang_count(tt_hang *h)
{
    uint32_t n = h->session->n_traces;
    counting k = {.h = h};
    k.status_of = tt_calloc(n + (size_t)1, sizeof *k.status_of);
    k.ignored = tt_calloc(n + (size_t)1, sizeof *k.ignored);
    find_p2p(h);
    map_status(&k);
    for (uint32_t t = 0; t < n; t++) {
        if (!tt_hang_flight(h, t)) continue;
        count_status(&k, t);
        count_entries(&k, t);
        conclude(&k, t);
        free(k.status_of[t]);
    }
    find_ahead(h);
    free(k.status_of);
    free(k.ignored);
}
