/* model/tables/path/waited_for.c - waits are found for all calls of a trace at once, stream by stream, so that each
 * wait costs a few bisections whatever the streams look like. */
#include "model/tables/path/waited_for.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/bisect.h"
#include "model/base/group_by.h"
#include "model/base/sort.h"
#include "model/base/sort_by.h"

typedef enum what_for { FOR_NOTHING, FOR_STREAM, FOR_DEVICE, FOR_ALL, FOR_WORK } what_for;

typedef struct blocked { /* a blocking call */
    tt_row call;
    what_for what;
    uint32_t of;   /* stream or device that it waits for */
    uint32_t work; /* work found so far */
} blocked;

typedef struct sync_record {
    uint32_t correlation;
    const tt_activity *dev;
} sync_record;

typedef struct submitted { /* work in the order in which the host gave it to its stream */
    int64_t t;
    uint32_t work;
} submitted;
typedef TT_VEC(submitted) submitted_list;

typedef struct event_call { /* a call that records an event */
    uint32_t correlation;
    tt_row call;
} event_call;

struct tt_waits_build {
    const tt_trace *s;
    const tt_device_work *w;
    const uint32_t *latest;
    TT_VEC(blocked) blocked;   /* by start of the call */
    TT_VEC(sync_record) syncs; /* by correlation */
    TT_VEC(event_call) events; /* by correlation */
    submitted_list *by_submit; /* per stream, made when needed */
    tt_groups asked;           /* device and number of streams that were looked for, and ... */
    TT_VEC(uint32_t) streams;  /* ... the streams that were found */
    tt_waits out;
};
typedef tt_waits_build wait_build;

/* Time at which the host gave the work to its stream. */
static int64_t submit_time(const wait_build *b, uint32_t work)
{
    const tt_work *x = &b->w->at[work];
    return x->launch != TT_NONE ? b->s->start[x->launch] : x->start;
}

static int by_submit(const void *a, const void *b)
{
    const submitted *x = a, *y = b;
    if (x->t != y->t) return x->t < y->t ? -1 : 1;
    return (x->work > y->work) - (x->work < y->work);
}

static const submitted_list *submitted_to(wait_build *b, uint32_t stream)
{
    submitted_list *l = &b->by_submit[stream];
    const tt_work_stream *st = &b->w->streams[stream];
    if (l->n || !st->n) return l;
    tt_vec_reserve(l, st->n);
    for (uint32_t i = st->first; i < st->first + st->n; i++) *tt_vec_push(l) = (submitted){submit_time(b, i), i};
    tt_sort_runs(l->at, l->n, sizeof *l->at, by_submit);
    return l;
}

/* ---- records ---- */

static bool name_is(const tt_trace *s, tt_row r, const char *name) { return !strcmp(tt_row_name(s, r), name); }

static int by_correlation(const void *a, const void *b)
{
    const sync_record *x = a, *y = b;
    if (x->correlation != y->correlation) return x->correlation < y->correlation ? -1 : 1;
    return (x->dev->row > y->dev->row) - (x->dev->row < y->dev->row);
}

static void collect_syncs(wait_build *b)
{
    for (const tt_activity *d = b->s->dev; d < b->s->dev + b->s->n_dev; d++)
        if (tt_row_kind(b->s, d->row) == TT_KIND_SYNC && b->s->correlation[d->row])
            *tt_vec_push(&b->syncs) = (sync_record){b->s->correlation[d->row], d};
    if (b->syncs.n) qsort(b->syncs.at, b->syncs.n, sizeof *b->syncs.at, by_correlation);
}

static const tt_activity *sync_of(const wait_build *b, tt_row call)
{
    uint32_t id = b->s->correlation[call];
    size_t lo = 0, hi = b->syncs.n;
    TT_BISECT(lo, hi, i, b->syncs.at[i].correlation < id);
    for (; id && lo < b->syncs.n && b->syncs.at[lo].correlation == id; lo++)
        if (!name_is(b->s, b->syncs.at[lo].dev->row, "Stream Wait Event")) return b->syncs.at[lo].dev;
    return NULL;
}

/* Per tt_sid whether the name passes the test. The caller frees it. */
static uint8_t *names_that(const tt_trace *s, bool (*are)(const char *name))
{
    uint8_t *names = tt_calloc(s->strings.text.n, 1);
    for (tt_sid i = 0; i < s->strings.text.n; i++) names[i] = are(tt_str(&s->strings, i));
    return names;
}

static bool records_event(const char *name) { return strstr(name, "EventRecord") != NULL; }
static bool copies_without_blocking(const char *name) { return tt_call_copies(name) && !tt_call_blocks(name); }

/* Collect calls that record events, where something waited for an event. */
static void collect_events(wait_build *b)
{
    const tt_trace *s = b->s;
    bool any = false;
    for (size_t i = 0; !any && i < b->syncs.n; i++) any = b->syncs.at[i].dev->wait_record != 0;
    uint8_t *records = any ? names_that(s, records_event) : NULL;
    for (tt_row r = 0; any && r < s->n; r++) {
        if (!records[s->name[r]] || !tt_kind_is_launch(tt_row_kind(s, r)) || !s->correlation[r]) continue;
        *tt_vec_push(&b->events) = (event_call){s->correlation[r], r};
    }
    free(records);
    TT_SORT_BY(b->events.at, b->events.n, TT_ASC(event_call, correlation), TT_ASC(event_call, call));
}

/* Stream of a device by its number; TT_NONE. */
static uint32_t stream_by_number(const tt_device_work *w, int64_t device, int64_t number)
{
    char text[24];
    snprintf(text, sizeof text, "%lld", (long long)number);
    for (uint32_t i = 0; i < w->n_streams; i++)
        if (w->devices[w->streams[i].device].id == device && !strcmp(w->streams[i].name, text)) return i;
    return TT_NONE;
}

static uint32_t find_stream(wait_build *b, int64_t device, int64_t number)
{
    uint32_t at = tt_groups_put(&b->asked, (tt_group_key){(uint64_t)device, (uint64_t)number, 0});
    if (at == b->streams.n) *tt_vec_push(&b->streams) = stream_by_number(b->w, device, number);
    return b->streams.at[at];
}

static uint32_t find_device(const tt_device_work *w, int64_t device)
{
    for (uint32_t i = 0; i < w->n_devices; i++)
        if (w->devices[i].id == device) return i;
    return TT_NONE;
}

/* Last work that was given to the stream before the event was recorded there; TT_NONE. */
static uint32_t work_before_event(wait_build *b, const tt_activity *record)
{
    size_t lo = 0, hi = b->events.n; /* find the end of the calls with the correlation */
    TT_BISECT(lo, hi, i, b->events.at[i].correlation <= record->wait_record);
    uint32_t stream = find_stream(b, record->device, record->wait_stream);
    if (!lo || b->events.at[lo - 1].correlation != record->wait_record || stream == TT_NONE) return TT_NONE;
    int64_t t = b->s->start[b->events.at[lo - 1].call];
    const submitted_list *l = submitted_to(b, stream);
    size_t at = 0, end = l->n;
    TT_BISECT(at, end, i, l->at[i].t < t);
    return at ? l->at[at - 1].work : TT_NONE;
}

/* ---- blocking calls ---- */

/* What the call waited for, by its record. */
static blocked blocked_of(wait_build *b, tt_row call)
{
    blocked x = {.call = call, .what = FOR_ALL, .of = TT_NONE, .work = TT_NONE};
    const tt_activity *d = sync_of(b, call);
    if (!d) return x;
    if (name_is(b->s, d->row, "Stream Sync")) {
        x.what = FOR_STREAM;
        x.of = find_stream(b, d->device, d->stream);
    } else if (name_is(b->s, d->row, "Context Sync")) {
        x.what = FOR_DEVICE;
        x.of = find_device(b->w, d->device);
    } else if (name_is(b->s, d->row, "Event Sync")) {
        x.what = FOR_WORK;
        x.work = d->wait_record ? work_before_event(b, d) : TT_NONE;
    }
    return x;
}

static int by_row(const void *a, const void *b)
{
    const blocked *x = a, *y = b;
    return (x->call > y->call) - (x->call < y->call);
}

static void collect_blocked(wait_build *b, const tt_host_pieces *h)
{
    TT_VEC(tt_row) rows = {0};
    for (uint32_t k = 0; k < h->n_threads; k++) {
        const tt_host_thread *t = &h->threads[k];
        tt_row last = TT_NONE;
        for (size_t i = 0; i < t->at.n; i++) {
            tt_row r = t->at.at[i].row;
            if (t->at.at[i].cause != TT_WAIT_SYNC || r == TT_NONE || r == last) continue;
            *tt_vec_push(&rows) = last = r;
        }
    }
    for (size_t i = 0; i < rows.n; i++) *tt_vec_push(&b->blocked) = blocked_of(b, rows.at[i]);
    tt_vec_free(&rows);
    tt_sort_runs(b->blocked.at, b->blocked.n, sizeof *b->blocked.at, by_row);
    size_t n = 0; /* a call with other calls inside has several pieces */
    for (size_t i = 0; i < b->blocked.n; i++)
        if (!n || b->blocked.at[n - 1].call != b->blocked.at[i].call) b->blocked.at[n++] = b->blocked.at[i];
    b->blocked.n = n;
}

static bool waits_for_stream(const tt_device_work *w, const blocked *x, uint32_t stream)
{
    switch (x->what) {
    case FOR_STREAM: return x->of == stream;
    case FOR_DEVICE: return x->of == w->streams[stream].device;
    case FOR_ALL: return true;
    default: return false;
    }
}

/* Keep the work that ends later, of equal ends the later row. */
static void take_later(const wait_build *b, uint32_t *to, uint32_t work)
{
    const tt_work *x = &b->w->at[work];
    if (*to == TT_NONE || x->end > b->w->at[*to].end || (x->end == b->w->at[*to].end && x->row > b->w->at[*to].row))
        *to = work;
}

/* Number of slices of the stream that started before t. */
static uint32_t started_before(const wait_build *b, const tt_work_stream *st, int64_t t)
{
    uint32_t lo = st->first, hi = st->first + st->n;
    TT_BISECT(lo, hi, i, b->w->at[i].start < t);
    return lo - st->first;
}

/* On a stream that runs its work in the order of launches, a call waited for the last work launched before it. */
static void wait_in_order(wait_build *b, uint32_t stream)
{
    const tt_work_stream *st = &b->w->streams[stream];
    for (blocked *x = b->blocked.at; x < b->blocked.at + b->blocked.n; x++) {
        if (!waits_for_stream(b->w, x, stream)) continue;
        uint32_t lo = 0, hi = started_before(b, st, tt_row_end(b->s, x->call));
        int64_t t = b->s->start[x->call];
        TT_BISECT(lo, hi, i, submit_time(b, st->first + i) <= t);
        if (lo) take_later(b, &x->work, b->latest[st->first + lo - 1]);
    }
}

/* a Fenwick tree with the latest end of the first n slices of a stream, among those inserted so far */
typedef struct latest_tree {
    uint32_t *best; /* 1 + index into the stream's work; 0 = none */
    uint32_t n, first;
} latest_tree;

static void tree_put(const wait_build *b, latest_tree *t, uint32_t work)
{
    for (uint32_t i = work - t->first + 1; i <= t->n; i += i & -i) {
        uint32_t best = t->best[i] ? t->best[i] - 1 : TT_NONE;
        take_later(b, &best, work);
        t->best[i] = best + 1;
    }
}

static void tree_take(const wait_build *b, const latest_tree *t, uint32_t n, uint32_t *to)
{
    for (uint32_t i = n; i; i -= i & -i)
        if (t->best[i]) take_later(b, to, t->best[i] - 1);
}

static int by_call_start(const void *a, const void *b)
{
    const submitted *x = a, *y = b;
    return (x->t > y->t) - (x->t < y->t);
}

/* Any other stream: calls in the order of their start, and before each call the work that was given to the stream
 * until then. */
static void wait_in_any_order(wait_build *b, uint32_t stream)
{
    const tt_work_stream *st = &b->w->streams[stream];
    const submitted_list *l = submitted_to(b, stream);
    latest_tree tree = {tt_calloc(st->n + (size_t)1, sizeof *tree.best), st->n, st->first};
    submitted_list calls = {0}; /* work: index into blocked */
    for (uint32_t i = 0; i < b->blocked.n; i++)
        if (waits_for_stream(b->w, &b->blocked.at[i], stream))
            *tt_vec_push(&calls) = (submitted){b->s->start[b->blocked.at[i].call], i};
    tt_sort_runs(calls.at, calls.n, sizeof *calls.at, by_call_start);
    size_t put = 0;
    for (size_t i = 0; i < calls.n; i++) {
        blocked *x = &b->blocked.at[calls.at[i].work];
        while (put < l->n && l->at[put].t <= calls.at[i].t) tree_put(b, &tree, l->at[put++].work);
        tree_take(b, &tree, started_before(b, st, tt_row_end(b->s, x->call)), &x->work);
    }
    tt_vec_free(&calls);
    free(tree.best);
}

static void find_blocked(wait_build *b)
{
    for (uint32_t k = 0; b->blocked.n && k < b->w->n_streams; k++) {
        const tt_work_stream *st = &b->w->streams[k];
        bool in_order = true;
        for (uint32_t i = st->first + 1; in_order && i < st->first + st->n; i++)
            in_order = submit_time(b, i - 1) <= submit_time(b, i);
        (in_order ? wait_in_order : wait_in_any_order)(b, k);
    }
}

/* ---- copies ---- */

/* Collect calls that copy and do not block by their name: each waited for the last of its own copies if that had
 * ended when the call returned. */
static void collect_copies(wait_build *b, tt_waits *out)
{
    const tt_trace *s = b->s;
    uint8_t *copies = names_that(s, copies_without_blocking);
    for (uint32_t i = 0; i < s->n_links; i++) {
        tt_row call = s->launch_row[i];
        if (!copies[s->name[call]]) continue;
        uint32_t work = b->w->of_activity[s->launched_activity[i]];
        if (work == TT_NONE || b->w->at[work].of_class != TT_WORK_COPY) continue;
        if (b->w->at[work].end >= tt_row_end(s, call)) continue;
        if (out->calls.n && out->calls.at[out->calls.n - 1].call == call)
            take_later(b, &out->calls.at[out->calls.n - 1].work, work);
        else
            *tt_vec_push(&out->calls) = (tt_call_wait){call, work};
    }
    free(copies);
}

/* ---- streams that wait for events ---- */

typedef struct stream_wait {
    tt_row call;
    uint32_t stream, source;
} stream_wait;

/* Match the waits of one stream: each with the first work that the thread of the call launched there afterwards.
 * Rows of a thread are in the order of time. first[] has the works of the stream by launch row. */
static void match_waits(const wait_build *b, const stream_wait *at, size_t n, const submitted_list *launched,
                        tt_waits *out)
{
    for (size_t i = 0; i < n; i++) {
        size_t lo = 0, hi = launched->n;
        TT_BISECT(lo, hi, k, launched->at[k].t <= (int64_t)at[i].call);
        if (lo == launched->n) continue;
        uint32_t work = launched->at[lo].work;
        if (tt_row_track(b->s, b->w->at[work].launch) == tt_row_track(b->s, at[i].call))
            *tt_vec_push(&out->events) = (tt_event_wait){work, at[i].source};
    }
}

static void find_stream_waits(wait_build *b, tt_waits *out)
{
    TT_VEC(stream_wait) waits = {0};
    for (size_t i = 0; i < b->syncs.n; i++) {
        const tt_activity *d = b->syncs.at[i].dev;
        if (!d->wait_record || d->launch == TT_NONE || !name_is(b->s, d->row, "Stream Wait Event")) continue;
        uint32_t stream = find_stream(b, d->device, d->stream), source = work_before_event(b, d);
        if (stream != TT_NONE && source != TT_NONE) *tt_vec_push(&waits) = (stream_wait){d->launch, stream, source};
    }
    TT_SORT_BY(waits.at, waits.n, TT_ASC(stream_wait, stream), TT_DESC(stream_wait, call));
    for (size_t i = 0, n; i < waits.n; i += n) {
        submitted_list launched = {0}; /* t: row of the launch; rows of a thread are in the order of time */
        const tt_work_stream *st = &b->w->streams[waits.at[i].stream];
        for (n = 1; i + n < waits.n && waits.at[i + n].stream == waits.at[i].stream;) n++;
        for (uint32_t k = st->first; k < st->first + st->n; k++)
            if (b->w->at[k].launch != TT_NONE) *tt_vec_push(&launched) = (submitted){b->w->at[k].launch, k};
        tt_sort_runs(launched.at, launched.n, sizeof *launched.at, by_submit);
        match_waits(b, waits.at + i, n, &launched, out);
        tt_vec_free(&launched);
    }
    tt_vec_free(&waits);
    TT_SORT_BY(out->events.at, out->events.n, TT_ASC(tt_event_wait, work), TT_ASC(tt_event_wait, source));
}

/* ---- all ---- */

static int by_call(const void *a, const void *b)
{
    const tt_call_wait *x = a, *y = b;
    return (x->call > y->call) - (x->call < y->call);
}

tt_waits_build *tt_waits_begin(const tt_trace *s, const tt_device_work *w, const uint32_t *latest)
{
    tt_waits_build *b = tt_calloc(1, sizeof *b);
    b->s = s;
    b->w = w;
    b->latest = latest;
    b->by_submit = tt_calloc(w->n_streams + (size_t)1, sizeof *b->by_submit);
    tt_groups_init(&b->asked);
    collect_syncs(b);
    collect_events(b);
    collect_copies(b, &b->out);
    find_stream_waits(b, &b->out);
    return b;
}

tt_waits tt_waits_finish(tt_waits_build *b, const tt_host_pieces *h)
{
    collect_blocked(b, h);
    find_blocked(b);
    tt_waits out = b->out;
    for (size_t i = 0; i < b->blocked.n; i++)
        if (b->blocked.at[i].work != TT_NONE)
            *tt_vec_push(&out.calls) = (tt_call_wait){b->blocked.at[i].call, b->blocked.at[i].work};
    tt_sort_runs(out.calls.at, out.calls.n, sizeof *out.calls.at, by_call);
    for (uint32_t i = 0; i < b->w->n_streams; i++) tt_vec_free(&b->by_submit[i]);
    free(b->by_submit);
    tt_vec_free(&b->blocked);
    tt_vec_free(&b->syncs);
    tt_vec_free(&b->events);
    tt_groups_free(&b->asked);
    tt_vec_free(&b->streams);
    free(b);
    return out;
}

void tt_waits_free(tt_waits *w)
{
    tt_vec_free(&w->calls);
    tt_vec_free(&w->events);
}

uint32_t tt_call_waited_for(const tt_waits *w, tt_row call, size_t *near)
{
    size_t lo, hi;
    TT_BISECT_NEAR(lo, hi, w->calls.n, *near, i, w->calls.at[i].call < call);
    *near = lo;
    return lo < w->calls.n && w->calls.at[lo].call == call ? w->calls.at[lo].work : TT_NONE;
}
