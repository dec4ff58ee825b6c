/* model/hang/judge.c - computes and frees the verdict: see hang.h. */
#include "model/hang/hang.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/sort_by.h"
#include "model/hang/internal.h"
#include "model/trace/analysis_cache.h"

const char *const tt_hang_kind_name[TT_HANG_KINDS_] = {"mismatch", "deadlock",   "no_dump", "device",
                                                       "host",     "collective", "late"};
const char *const tt_hang_state_name[TT_HANG_STATES_] = {"culprit", "no_dump", "stale", "victim", "waiting", "idle"};

/* ---- looking up ---- */

const tt_flight_call *tt_hang_call_of(const tt_hang *h, tt_hang_entry e)
{
    const tt_flight_entry *x = tt_hang_entry_of(h, e);
    return x ? tt_flight_call_of(tt_hang_flight(h, e.trace), x) : NULL;
}

uint32_t tt_hang_rank_at(const tt_hang *h, int64_t rank)
{
    uint32_t from = 0, to = h->n_ranks;
    while (from < to) {
        uint32_t mid = from + (to - from) / 2;
        if (h->ranks[mid].rank < rank)
            from = mid + 1;
        else
            to = mid;
    }
    return from < h->n_ranks && h->ranks[from].rank == rank ? from : TT_NONE;
}

uint32_t tt_hang_member_at(const tt_hang *h, uint32_t group, uint32_t rank)
{
    uint32_t from = h->groups[group].first, end = from + h->groups[group].size, to = end;
    while (from < to) {
        uint32_t mid = from + (to - from) / 2;
        if (h->members[h->by_rank[mid]].rank < rank)
            from = mid + 1;
        else
            to = mid;
    }
    return from < end && h->members[h->by_rank[from]].rank == rank ? h->by_rank[from] : TT_NONE;
}

/* ---- the whole ---- */

static void find_times(tt_hang *h)
{
    h->first = h->last = TT_UNKNOWN;
    for (uint32_t t = 0; t < h->session->n_traces; t++) {
        const tt_flight *f = tt_hang_flight(h, t);
        if (f && f->last > h->last) h->last = f->last;
        for (uint32_t i = 0; f && i < f->n_entries; i++) {
            int64_t at = f->entries[i].created;
            if (at != TT_UNKNOWN && (h->first == TT_UNKNOWN || at < h->first)) h->first = at;
        }
    }
}

static void judge(tt_hang *h)
{
    size_t n = h->n_ranks + (size_t)1;
    tt_hang_work w = {.h = h};
    w.blamed = tt_calloc(n, sizeof *w.blamed);
    w.found = tt_calloc(n, sizeof *w.found);
    w.victim = tt_calloc(n, sizeof *w.victim);
    tt_groups_init(&w.node_ids);
    tt_hang_find_roles(h, &w.roles);
    tt_hang_find_stale(h);
    tt_hang_find_device(h);
    tt_hang_find_waits(&w);
    tt_hang_find_faults(&w);
    tt_hang_find_rest(&w);
    tt_hang_weigh(&w);
    free(w.blamed);
    free(w.found);
    free(w.victim);
    tt_groups_free(&w.node_ids);
    tt_hang_roles_free(&w.roles);
    tt_vec_free(&w.nodes);
    tt_vec_free(&w.awaited);
    tt_vec_free(&w.waits);
    tt_vec_free(&w.faults);
}

/* ---- problems of all dumps together ---- */

static void note_missing(tt_hang *h)
{
    TT_VEC(int64_t) missing = {0};
    tt_arena a = {0};
    for (uint32_t r = 0; r < h->n_ranks; r++)
        if (h->ranks[r].trace == TT_NONE) *tt_vec_push(&missing) = h->ranks[r].rank;
    const char *text = tt_hang_ranks_text(missing.at, missing.n, &a);
    if (text) tt_problem_add_n(&h->problems, TT_PROBLEM_MISSING_RANKS, missing.n, -1, text);
    tt_vec_free(&missing);
    tt_arena_free(&a);
}

static void note_versions(tt_hang *h)
{
    const char *first = NULL;
    for (uint32_t t = 0; t < h->session->n_traces; t++) {
        const tt_trace *s = h->session->traces[t];
        const char *v = s->flight ? tt_str(&s->strings, s->flight->version) : NULL;
        if (v && first && strcmp(v, first) != 0)
            tt_problem_add(&h->problems, TT_PROBLEM_MIXED_VERSIONS, -1, v, strlen(v));
        if (v && !first) first = v;
    }
}

static void note_moments(tt_hang *h)
{
    for (uint32_t r = 0; r < h->n_ranks; r++) {
        if (h->ranks[r].state != TT_HANG_STALE) continue;
        const char *worker = h->session->traces[h->ranks[r].trace]->worker;
        tt_problem_add(&h->problems, TT_PROBLEM_DUMPS_APART, -1, worker, strlen(worker));
    }
    if (h->running) tt_problem_add(&h->problems, TT_PROBLEM_WRITTEN_WHILE_RUNNING, -1, "", 0);
}

static void *build(const tt_session *s, uint32_t trace)
{
    tt_hang *h = tt_calloc(1, sizeof *h);
    (void)trace;
    h->session = s;
    h->dumps = tt_calloc(s->n_traces + (size_t)1, sizeof *h->dumps);
    tt_strings_init(&h->texts);
    for (int k = 0; k < TT_PROBLEM_COUNT_; k++) h->problems.of[k].offset = -1;
    find_times(h);
    tt_hang_merge(h);
    tt_hang_count(h);
    tt_hang_index_calls(h);
    tt_hang_find_mismatches(h);
    judge(h);
    note_missing(h);
    note_versions(h);
    note_moments(h);
    return h;
}

static void free_hang(void *value)
{
    tt_hang *h = value;
    for (uint32_t t = 0; t < h->session->n_traces; t++) {
        free(h->dumps[t].group_of);
        free(h->dumps[t].member_of);
        free(h->dumps[t].call_group);
        free(h->dumps[t].call_member);
        free(h->dumps[t].texts);
    }
    free(h->dumps);
    free(h->ranks);
    free(h->groups);
    free(h->members);
    free(h->by_rank);
    free(h->calls);
    free(h->call_entries);
    free(h->mismatches);
    free(h->faults);
    tt_vec_free(&h->lists);
    tt_strings_free(&h->texts);
    free(h);
}

const tt_hang *tt_hang_get(const tt_session *s)
{
    static const tt_analysis_kind kind = {"hang", build, free_hang};
    bool any = false;
    for (uint32_t t = 0; t < s->n_traces && !any; t++) any = s->traces[t]->flight != NULL;
    return any ? tt_analysis_get(s, 0, &kind) : NULL;
}

/* ---- before the session ---- */

/* Whether dump a of a rank counts, not b. */
static bool counts_before(const tt_trace *a, const tt_trace *b)
{
    if (a->flight->last != b->flight->last) return a->flight->last > b->flight->last;
    if (a->flight->n_all != b->flight->n_all) return a->flight->n_all > b->flight->n_all;
    return strcmp(a->path, b->path) < 0;
}

typedef struct ranked {
    int64_t rank;
    size_t at;
} ranked;

static void drop_doubles(tt_trace **traces, size_t *n)
{
    ranked *order = tt_calloc(*n + 1, sizeof *order);
    size_t dumps = 0, kept = 0;
    for (size_t i = 0; i < *n; i++)
        if (tt_trace_is_dump(traces[i]) && traces[i]->rank >= 0) order[dumps++] = (ranked){traces[i]->rank, i};
    TT_SORT_BY(order, dumps, TT_ASC(ranked, rank), TT_ASC(ranked, at));
    for (size_t i = 1; i < dumps; i++) {
        if (order[i].rank != order[i - 1].rank) continue;
        tt_trace **a = &traces[order[i - 1].at], **b = &traces[order[i].at];
        if (counts_before(*a, *b)) {
            tt_trace *other = *b;
            *b = *a;
            *a = other;
        }
        const char *name = strrchr((*a)->path, '/') ? strrchr((*a)->path, '/') + 1 : (*a)->path;
        tt_problem_add(&(*b)->problems, TT_PROBLEM_DUPLICATE_RANK, -1, name, strlen(name));
        tt_trace_free(*a);
        *a = NULL;
    }
    for (size_t i = 0; i < *n; i++)
        if (traces[i]) traces[kept++] = traces[i];
    *n = kept;
    free(order);
}

/* The slice of an open call ends at the latest time of all dumps. */
static void end_open(tt_trace *s, int64_t last)
{
    for (uint32_t row = 0; row < s->n; row++) {
        uint64_t i = tt_row_text(s, row) / TT_FLIGHT_TEXT_BYTES;
        if (i >= s->flight->n_entries || !s->flight->entries[i].open) continue;
        int64_t end = last - s->origin_ns;
        if (end > s->start[row]) s->dur[row] = end - s->start[row];
        if (tt_row_end(s, row) > s->end) s->end = tt_row_end(s, row);
    }
}

/* Problems of several dumps together are found anew: a summary has those of its own time. */
static void forget_problems(tt_trace *s)
{
    static const tt_problem_kind of_all[] = {TT_PROBLEM_MISSING_RANKS,        TT_PROBLEM_MIXED_VERSIONS,
                                             TT_PROBLEM_GROUP_UNKNOWN,        TT_PROBLEM_GROUP_NAMES_DIFFER,
                                             TT_PROBLEM_STATUS_IGNORED,       TT_PROBLEM_DUMPS_APART,
                                             TT_PROBLEM_WRITTEN_WHILE_RUNNING};
    for (size_t i = 0; i < sizeof of_all / sizeof *of_all; i++) s->problems.of[of_all[i]] = (tt_problem){.offset = -1};
}

void tt_hang_settle(tt_trace **traces, size_t *n)
{
    int64_t last = TT_UNKNOWN;
    tt_hang_take_recordings(traces, *n);
    drop_doubles(traces, n);
    for (size_t i = 0; i < *n; i++)
        if (traces[i]->flight && traces[i]->flight->last > last) last = traces[i]->flight->last;
    for (size_t i = 0; i < *n; i++)
        if (traces[i]->flight) forget_problems(traces[i]);
    for (size_t i = 0; i < *n; i++)
        if (tt_trace_is_dump(traces[i]) && !traces[i]->summary) end_open(traces[i], last);
}

void tt_hang_note(const tt_session *s)
{
    const tt_hang *h = tt_hang_get(s);
    for (uint32_t t = 0; h && t < s->n_traces; t++) {
        if (!s->traces[t]->flight) continue;
        tt_problems_merge(&s->traces[t]->problems, &h->problems);
        return;
    }
}
