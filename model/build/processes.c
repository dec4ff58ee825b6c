/* model/build/processes.c - assigns correlation ids to launches when a file has several processes: see processes.h. */
#include "model/build/processes.h"

#include <stdlib.h>

#include "model/base/bisect.h"
#include "model/base/sort_by.h"

static uint32_t process_of(const tt_trace *s, tt_row r) { return s->tracks[tt_row_track(s, r)].process; }

bool tt_processes_many(const tt_trace *s, const tt_row *launches, uint32_t n)
{
    uint32_t process = TT_NONE;
    for (uint32_t i = 0; i < n;) {
        const tt_track *t = &s->tracks[tt_row_track(s, launches[i])];
        if (process != TT_NONE && t->process != process) return true;
        process = t->process;
        uint32_t lo = i, hi = n; /* bisect for the first launch of another track */
        TT_BISECT(lo, hi, m, launches[m] < t->first + t->n);
        i = lo;
    }
    return false;
}

/* ---- the process that most work of a stream or device comes from ---- */

typedef struct vote { /* vote of one device work with a known process */
    uint64_t who;     /* stream or device voted for */
    uint32_t process, n;
} vote;

typedef struct votes {
    TT_VEC(vote) at; /* after count(): the winner of each `who`, in their order */
} votes;

static void cast(votes *v, uint64_t who, uint32_t process)
{
    size_t n = v->at.n; /* merge equal neighbours */
    if (n && v->at.at[n - 1].who == who && v->at.at[n - 1].process == process)
        v->at.at[n - 1].n++;
    else
        *tt_vec_push(&v->at) = (vote){who, process, 1};
}

static void count(votes *v)
{
    size_t out = 0, n = v->at.n;
    vote *at = v->at.at;
    TT_SORT_BY(at, n, TT_ASC(vote, who), TT_ASC(vote, process));
    for (size_t i = 0; i < n;) {
        vote one = at[i++];
        while (i < n && at[i].who == one.who && at[i].process == one.process) one.n += at[i++].n;
        if (out && at[out - 1].who == one.who) {
            if (one.n > at[out - 1].n) at[out - 1] = one;
        } else {
            at[out++] = one;
        }
    }
    v->at.n = out;
}

/* The elected process; TT_NONE = unknown. */
static uint32_t elected(const votes *v, uint64_t who)
{
    size_t lo = 0, hi = v->at.n;
    TT_BISECT(lo, hi, i, v->at.at[i].who < who);
    return lo < v->at.n && v->at.at[lo].who == who ? v->at.at[lo].process : TT_NONE;
}

typedef struct election {
    votes streams, devices;
} election;

/* Key of a device: its index within the process of its rows. */
static uint64_t device_key(const tt_trace *s, const tt_activity *d)
{
    return (uint64_t)process_of(s, d->row) << 32 | (uint32_t)d->device;
}

static void vote_for(election *e, const tt_trace *s, const tt_activity *d, uint32_t process)
{
    cast(&e->streams, tt_row_track(s, d->row), process);
    cast(&e->devices, device_key(s, d), process);
}

static void count_all(election *e)
{
    count(&e->streams);
    count(&e->devices);
}

static uint32_t works_for(const election *e, const tt_trace *s, const tt_activity *d)
{
    uint32_t process = elected(&e->streams, tt_row_track(s, d->row));
    return process != TT_NONE ? process : elected(&e->devices, device_key(s, d));
}

static void election_free(election *e)
{
    tt_vec_free(&e->streams.at);
    tt_vec_free(&e->devices.at);
}

/* ---- launches by id and process ---- */

typedef struct call {
    uint32_t correlation, process;
    uint32_t index; /* index into the launches */
} call;

typedef struct calls {
    call *at;
    uint32_t n;
} calls;

static calls all_calls(const tt_trace *s, const tt_row *launches, uint32_t n)
{
    calls c = {.at = tt_malloc(n * sizeof *c.at)};
    uint32_t track = 0;
    for (uint32_t i = 0; i < n; i++) {
        while (launches[i] >= s->tracks[track].first + s->tracks[track].n) track++;
        if (s->correlation[launches[i]]) c.at[c.n++] = (call){s->correlation[launches[i]], s->tracks[track].process, i};
    }
    TT_SORT_BY(c.at, c.n, TT_ASC(call, correlation), TT_ASC(call, process), TT_ASC(call, index));
    return c;
}

/* Range of the calls with a correlation id: [*first, returned end). */
static uint32_t with_id(const calls *c, uint32_t correlation, uint32_t *first)
{
    uint32_t lo = 0, hi = c->n;
    TT_BISECT(lo, hi, i, c->at[i].correlation < correlation);
    *first = lo;
    while (lo < c->n && c->at[lo].correlation == correlation) lo++;
    return lo;
}

/* The outermost, that is earliest, call of one process among calls [first, end). */
static uint32_t outermost(const tt_trace *s, const tt_row *launches, const calls *c, uint32_t first, uint32_t end,
                          uint32_t process)
{
    uint32_t found = TT_NONE;
    for (uint32_t i = first; i < end; i++) {
        if (c->at[i].process != process) continue;
        uint32_t index = c->at[i].index;
        if (found == TT_NONE || s->start[launches[index]] < s->start[launches[found]]) found = index;
    }
    return found;
}

/* The process determined by ids alone, TT_NONE if ambiguous. */
static uint32_t process_by_ids(const tt_trace *s, const tt_row *launches, const calls *c, uint32_t first, uint32_t end,
                               uint32_t external_id)
{
    if (c->at[first].process == c->at[end - 1].process) return c->at[first].process;
    uint32_t found = TT_NONE;
    for (uint32_t i = first; external_id && i < end; i++) {
        if (s->external_id[launches[c->at[i].index]] != external_id || c->at[i].process == found) continue;
        if (found != TT_NONE) return TT_NONE; /* several candidates for both ids */
        found = c->at[i].process;
    }
    return found;
}

/* Fallback: the process of the last call that began before the work. */
static uint32_t process_by_time(const tt_trace *s, const tt_row *launches, const calls *c, uint32_t first, uint32_t end,
                                int64_t start)
{
    uint32_t found = first;
    for (uint32_t i = first + 1; i < end; i++) {
        int64_t now = s->start[launches[c->at[i].index]], best = s->start[launches[c->at[found].index]];
        if (now <= start ? best > start || now > best : best > start && now < best) found = i;
    }
    return c->at[found].process;
}

/* Whether a device is known to work for the process. */
static bool has_device(const election *e, uint32_t process)
{
    for (size_t i = 0; i < e->devices.at.n; i++)
        if (e->devices.at.at[i].process == process) return true;
    return false;
}

typedef struct device {
    int32_t number;
    uint64_t key;
} device;

/* If as many devices as processes are left of which no id tells who works for whom, pair them in their order, as ranks
 * number their devices. open: work without a known process. */
static void pair_rest(election *e, const tt_trace *s, const calls *c, const uint32_t *open, size_t n)
{
    TT_VEC(device) devices = {0};
    TT_VEC(uint32_t) processes = {0};
    for (size_t i = 0; i < n; i++) {
        const tt_activity *d = &s->dev[open[i]];
        device one = {d->device, device_key(s, d)};
        bool again = devices.n && devices.at[devices.n - 1].key == one.key;
        if (!again && works_for(e, s, d) == TT_NONE) *tt_vec_push(&devices) = one;
    }
    TT_SORT_BY(devices.at, devices.n, TT_ASC(device, number), TT_ASC(device, key));
    size_t kept = 0;
    for (size_t i = 0; i < devices.n; i++)
        if (!kept || devices.at[kept - 1].key != devices.at[i].key) devices.at[kept++] = devices.at[i];
    for (uint32_t i = 0; i < c->n && kept; i++) *tt_vec_push(&processes) = c->at[i].process;
    TT_SORT_UP(processes.at, processes.n);
    size_t free_ones = 0;
    for (size_t i = 0; i < processes.n; i++)
        if ((!free_ones || processes.at[i] != processes.at[free_ones - 1]) && !has_device(e, processes.at[i]))
            processes.at[free_ones++] = processes.at[i];
    for (size_t i = 0; i < kept && kept == free_ones; i++) cast(&e->devices, devices.at[i].key, processes.at[i]);
    count(&e->devices);
    tt_vec_free(&devices);
    tt_vec_free(&processes);
}

void tt_processes_link(const tt_trace *s, const tt_row *launches, uint32_t n, uint32_t *of)
{
    calls c = all_calls(s, launches, n);
    election e = {0};
    TT_VEC(uint32_t) open = {0};
    for (uint32_t i = 0; i < s->n_dev; i++) {
        const tt_activity *d = &s->dev[i];
        uint32_t first, end = s->correlation[d->row] ? with_id(&c, s->correlation[d->row], &first) : 0;
        of[i] = TT_NONE;
        if (!end || first == end) continue;
        uint32_t process = process_by_ids(s, launches, &c, first, end, s->external_id[d->row]);
        if (process == TT_NONE) {
            *tt_vec_push(&open) = i;
        } else {
            of[i] = outermost(s, launches, &c, first, end, process);
            vote_for(&e, s, d, process);
        }
    }
    count_all(&e);
    pair_rest(&e, s, &c, open.at, open.n);
    for (size_t k = 0; k < open.n; k++) {
        const tt_activity *d = &s->dev[open.at[k]];
        uint32_t first, end = with_id(&c, s->correlation[d->row], &first), process = works_for(&e, s, d);
        if (process != TT_NONE) of[open.at[k]] = outermost(s, launches, &c, first, end, process);
        if (of[open.at[k]] != TT_NONE) continue;
        process = process_by_time(s, launches, &c, first, end, s->start[d->row]);
        of[open.at[k]] = outermost(s, launches, &c, first, end, process);
    }
    tt_vec_free(&open);
    election_free(&e);
    free(c.at);
}

/* ---- devices ---- */

/* By process: whether host threads did something; *first: the first with operators, else any. */
static bool *hosts(const tt_trace *s, uint32_t *first)
{
    bool *is = tt_calloc(s->n_processes + 1u, sizeof *is);
    uint32_t any = s->n_processes;
    *first = s->n_processes;
    for (uint32_t t = s->n_tracks; t-- > 0;) {
        if (s->tracks[t].kind != TT_TRACK_THREAD || !s->tracks[t].n) continue;
        is[s->tracks[t].process] = true;
        any = s->tracks[t].process;
        if (tt_row_kind(s, s->tracks[t].first) == TT_KIND_CPU_OP ||
            tt_row_kind(s, s->tracks[t].first) == TT_KIND_STEP ||
            tt_row_kind(s, s->tracks[t].first) == TT_KIND_ENGINE_STEP)
            *first = any;
    }
    if (*first == s->n_processes) *first = any;
    return is;
}

uint32_t *tt_processes_of_devices(const tt_trace *s)
{
    uint32_t *of = tt_malloc(s->n_dev * sizeof *of), first;
    bool *host = hosts(s, &first);
    election e = {0};
    for (uint32_t i = 0; i < s->n_dev; i++) {
        const tt_activity *d = &s->dev[i];
        of[i] = d->launch != TT_NONE ? process_of(s, d->launch) : TT_NONE;
        if (of[i] != TT_NONE) vote_for(&e, s, d, of[i]);
    }
    count_all(&e);
    for (uint32_t i = 0; i < s->n_dev; i++) {
        if (of[i] == TT_NONE) of[i] = works_for(&e, s, &s->dev[i]);
        uint32_t own = process_of(s, s->dev[i].row);
        if (of[i] == TT_NONE) of[i] = host[own] ? own : first;
    }
    election_free(&e);
    free(host);
    return of;
}
