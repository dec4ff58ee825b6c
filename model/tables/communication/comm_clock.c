/* model/tables/communication/comm_clock.c - clock offsets of workers, from the ends of their collectives.
 *
 * A unit is the set of calls with equal members. The largest unit comes first: a member's offset is the median over
 * the calls of its end minus the median of all ends. Then come units with a member whose offset is known: the
 * offsets of their other members are measured against the median of the aligned ends of the known ones. One median
 * over calls with different members would mix unrelated medians: a clock that is far off shifts the median of its
 * calls. With several units, all calls are finally measured against the aligned ends. */
#include "model/tables/communication/comm_clock.h"

#include <stdlib.h>

#include "model/base/group_by.h"
#include "model/base/median.h"
#include "model/base/sort_by.h"

typedef struct diff {
    uint32_t trace;
    int64_t ns;
} diff;

typedef struct unit {
    uint32_t members, visits;
    uint32_t first_call, n_calls; /* range in calls[] */
    uint32_t first_trace;         /* range in traces[]: its members */
    bool done;
} unit;

typedef struct work {
    const tt_session *s;
    const tt_comm_visit *v;
    tt_comm_clock *clock;
    uint32_t *by_call, *call_first; /* visits by call, and the first of each call */
    uint32_t *unit_of;              /* unit by call, TT_NONE */
    unit *units;
    uint32_t n_units;
    uint32_t *calls, *traces;         /* calls and members of all units */
    uint32_t *trace_first, *units_of; /* units by trace */
    int64_t *ends;                    /* scratch: ends of one call */
    TT_VEC(diff) diffs;
    TT_VEC(uint32_t) queue; /* units to align */
} work;

/* Sort visits by call: by_call[call_first[i]] up to call_first[i + 1] belong to call i. */
static void sort_by_call(work *w, uint32_t n, uint32_t calls)
{
    w->call_first = tt_calloc(calls + (size_t)2, sizeof *w->call_first);
    w->by_call = tt_malloc((n + (size_t)1) * sizeof *w->by_call);
    for (uint32_t i = 0; i < n; i++)
        if (w->v[i].call != TT_NONE && w->v[i].c->ns != TT_UNKNOWN) w->call_first[w->v[i].call + 2]++;
    for (uint32_t i = 2; i < calls + 2; i++) w->call_first[i] += w->call_first[i - 1];
    for (uint32_t i = 0; i < n; i++)
        if (w->v[i].call != TT_NONE && w->v[i].c->ns != TT_UNKNOWN) w->by_call[w->call_first[w->v[i].call + 1]++] = i;
}

/* Find the units: calls in which equal workers have a time. */
static void find_units(work *w, uint32_t calls)
{
    tt_groups sets;
    tt_groups_init(&sets);
    w->unit_of = tt_malloc((calls + (size_t)1) * sizeof *w->unit_of);
    for (uint32_t i = 0; i < calls; i++) {
        uint32_t n = w->call_first[i + 1] - w->call_first[i];
        uint64_t hash = 0;
        w->unit_of[i] = TT_NONE;
        if (n < 2) continue;
        for (uint32_t k = w->call_first[i]; k < w->call_first[i + 1]; k++) {
            const uint32_t *trace = &w->v[w->by_call[k]].trace;
            hash += tt_hash(trace, sizeof *trace);
        }
        w->unit_of[i] = tt_groups_put(&sets, (tt_group_key){.a = hash, .b = n});
    }
    w->n_units = (uint32_t)sets.key.n;
    tt_groups_free(&sets);
}

/* Fill in calls and members of units, and units of traces. */
static void fill_units(work *w, uint32_t calls)
{
    tt_groups pairs;
    uint32_t n_traces = w->s->n_traces;
    tt_groups_init(&pairs);
    w->units = tt_calloc(w->n_units + (size_t)1, sizeof *w->units);
    w->calls = tt_malloc((calls + (size_t)1) * sizeof *w->calls);
    for (uint32_t i = 0; i < calls; i++) {
        if (w->unit_of[i] == TT_NONE) continue;
        w->units[w->unit_of[i]].n_calls++;
        for (uint32_t k = w->call_first[i]; k < w->call_first[i + 1]; k++) {
            w->units[w->unit_of[i]].visits++;
            tt_groups_put(&pairs, (tt_group_key){.a = w->unit_of[i], .b = w->v[w->by_call[k]].trace});
        }
    }
    w->trace_first = tt_calloc(n_traces + (size_t)2, sizeof *w->trace_first);
    w->units_of = tt_malloc((pairs.key.n + 1) * sizeof *w->units_of);
    w->traces = tt_malloc((pairs.key.n + 1) * sizeof *w->traces);
    for (size_t i = 0; i < pairs.key.n; i++) {
        w->units[pairs.key.at[i].a].members++;
        w->trace_first[pairs.key.at[i].b + 2]++;
    }
    for (uint32_t i = 0, call = 0, trace = 0; i < w->n_units; i++) {
        w->units[i].first_call = call;
        w->units[i].first_trace = trace;
        call += w->units[i].n_calls;
        trace += w->units[i].members;
        w->units[i].n_calls = w->units[i].members = 0;
    }
    for (uint32_t i = 2; i < n_traces + 2; i++) w->trace_first[i] += w->trace_first[i - 1];
    for (size_t i = 0; i < pairs.key.n; i++) {
        unit *u = &w->units[pairs.key.at[i].a];
        w->traces[u->first_trace + u->members++] = (uint32_t)pairs.key.at[i].b;
        w->units_of[w->trace_first[pairs.key.at[i].b + 1]++] = (uint32_t)pairs.key.at[i].a;
    }
    for (uint32_t i = 0; i < calls; i++) {
        if (w->unit_of[i] == TT_NONE) continue;
        unit *u = &w->units[w->unit_of[i]];
        w->calls[u->first_call + u->n_calls++] = i;
    }
    tt_groups_free(&pairs);
}

/* Median of the aligned ends of a call's workers in `part`; false when there are fewer than `least`. */
static bool median_end(work *w, uint32_t call, uint32_t part, uint32_t least, int64_t *out)
{
    uint32_t n = 0;
    for (uint32_t k = w->call_first[call]; k < w->call_first[call + 1]; k++) {
        const tt_comm_visit *v = &w->v[w->by_call[k]];
        const tt_comm_clock *c = &w->clock[v->trace];
        if (c->part == part) w->ends[n++] = tt_comm_end(w->s, v) - c->offset;
    }
    if (n < least) return false;
    TT_SORT_UP(w->ends, n);
    *out = tt_middle(w->ends[(n - 1) / 2], w->ends[n / 2]);
    return true;
}

/* Record for each worker in `part` its end minus the end of the call. */
static void add_diffs(work *w, uint32_t call, uint32_t part, int64_t end)
{
    for (uint32_t k = w->call_first[call]; k < w->call_first[call + 1]; k++) {
        const tt_comm_visit *v = &w->v[w->by_call[k]];
        if (w->clock[v->trace].part == part) *tt_vec_push(&w->diffs) = (diff){v->trace, tt_comm_end(w->s, v) - end};
    }
}

/* Set the offsets of workers to the medians of their differences; they join `part` (0: keep theirs). */
static void set_offsets(work *w, uint32_t part)
{
    TT_SORT_BY(w->diffs.at, w->diffs.n, TT_ASC(diff, trace), TT_ASC(diff, ns));
    for (size_t i = 0, n; i < w->diffs.n; i += n) {
        const diff *d = &w->diffs.at[i];
        for (n = 1; i + n < w->diffs.n && d[n].trace == d->trace;) n++;
        w->clock[d->trace].offset = tt_middle(d[(n - 1) / 2].ns, d[n / 2].ns);
        w->clock[d->trace].calls = (uint32_t)n;
        w->clock[d->trace].spread = d[n - 1].ns - d[0].ns;
        if (!part) continue;
        w->clock[d->trace].part = part;
        for (uint32_t k = w->trace_first[d->trace]; k < w->trace_first[d->trace + 1]; k++)
            *tt_vec_push(&w->queue) = w->units_of[k];
    }
    w->diffs.n = 0;
}

/* Give members of a unit without an offset one: against the members in `part`, or among themselves in a new part. */
static void align_unit(work *w, const unit *u, uint32_t part, bool fresh)
{
    int64_t end;
    for (uint32_t i = u->first_call; i < u->first_call + u->n_calls; i++)
        if (median_end(w, w->calls[i], fresh ? 0 : part, 1u + fresh, &end)) add_diffs(w, w->calls[i], 0, end);
    set_offsets(w, part);
}

/* Measure all calls against the aligned ends. */
static void refine(work *w, uint32_t calls)
{
    int64_t end;
    for (uint32_t i = 0; i < calls; i++) {
        if (w->unit_of[i] == TT_NONE) continue;
        uint32_t part = w->clock[w->v[w->by_call[w->call_first[i]]].trace].part;
        if (median_end(w, i, part, 2, &end)) add_diffs(w, i, part, end);
    }
    set_offsets(w, 0);
}

tt_comm_clock *tt_comm_clocks(const tt_session *s, const tt_comm_visit *visits, uint32_t n, uint32_t calls)
{
    work w = {.s = s, .v = visits, .clock = tt_calloc(s->n_traces + 1u, sizeof *w.clock)};
    sort_by_call(&w, n, calls);
    find_units(&w, calls);
    fill_units(&w, calls);
    w.ends = tt_malloc((s->n_traces + 1u) * sizeof *w.ends);
    unit **order = tt_malloc((w.n_units + (size_t)1) * sizeof *order);
    for (uint32_t i = 0; i < w.n_units; i++) order[i] = &w.units[i];
    TT_SORT_POINTERS_BY(order, w.n_units, TT_DESC(unit, visits), TT_DESC(unit, members), TT_ASC(unit, first_call));
    uint32_t part = 0;
    for (uint32_t i = 0; i < w.n_units; i++) {
        bool unknown = false;
        for (uint32_t k = 0; k < order[i]->members; k++) unknown |= !w.clock[w.traces[order[i]->first_trace + k]].part;
        if (!unknown) continue;
        w.queue.n = 0;
        align_unit(&w, order[i], ++part, true);
        for (size_t k = 0; k < w.queue.n; k++) {
            unit *u = &w.units[w.queue.at[k]];
            if (u->done) continue;
            u->done = true;
            align_unit(&w, u, part, false);
        }
    }
    for (int pass = 0; pass < 2 && w.n_units > 1; pass++) refine(&w, calls);
    free(order);
    free(w.call_first);
    free(w.by_call);
    free(w.unit_of);
    free(w.units);
    free(w.calls);
    free(w.traces);
    free(w.trace_first);
    free(w.units_of);
    free(w.ends);
    tt_vec_free(&w.diffs);
    tt_vec_free(&w.queue);
    return w.clock;
}
