/* model/tables/path/path_inputs.c - sorted lists of device work that answer "what ended last before t" by bisection. */
#include "model/tables/path/path_inputs.h"

#include <stdlib.h>

#include "model/base/bisect.h"
#include "model/base/run/parallel.h"
#include "model/base/sort.h"
#include "model/trace/analysis_cache.h"

/* ---- made once ---- */

typedef struct end_item {
    int64_t end;
    tt_row row;
    uint32_t work;
} end_item;

static int by_end(const void *a, const void *b)
{
    const end_item *x = a, *y = b;
    if (x->end != y->end) return x->end < y->end ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

static void find_latest(tt_path_inputs *in, const tt_work_stream *st)
{
    const tt_work *at = in->work->at;
    for (uint32_t i = st->first; i < st->first + st->n; i++) {
        in->latest[i] = i;
        if (i > st->first && at[in->latest[i - 1]].end > at[i].end) in->latest[i] = in->latest[i - 1];
    }
}

static void order_by_end(const tt_path_inputs *in, const tt_work_device *dev)
{
    TT_VEC(end_item) items = {0};
    tt_vec_reserve(&items, dev->n);
    for (uint32_t i = dev->first; i < dev->first + dev->n; i++) {
        const tt_work *x = &in->work->at[i];
        *tt_vec_push(&items) = (end_item){x->end, x->row, i};
    }
    tt_sort_runs(items.at, items.n, sizeof *items.at, by_end); /* one sorted run per stream */
    for (uint32_t i = 0; i < dev->n; i++) in->ended[dev->first + i] = items.at[i].work;
    tt_vec_free(&items);
}

static void order_device(void *arg, size_t device)
{
    tt_path_inputs *in = arg;
    const tt_work_device *dev = &in->work->devices[device];
    for (uint32_t i = 0; i < dev->n_streams; i++) find_latest(in, &in->work->streams[dev->first_stream + i]);
    in->all_launched[device] = true;
    for (uint32_t i = dev->first; in->all_launched[device] && i < dev->first + dev->n; i++)
        in->all_launched[device] = in->work->at[i].launch != TT_NONE;
    if (dev->n_streams > 1) order_by_end(in, dev);
}

typedef struct input_build {
    const tt_session *session;
    uint32_t trace;
    tt_path_inputs *in;
    tt_waits_build *waits;
} input_build;

static void make_part(void *arg, size_t part)
{
    input_build *b = arg;
    tt_path_inputs *in = b->in;
    if (part) {
        in->host = tt_host_pieces_make(in->s, tt_name_classes_get(b->session, b->trace));
        return;
    }
    in->work = tt_device_work_get(b->session, b->trace);
    in->latest = tt_malloc((in->work->n + (size_t)1) * sizeof *in->latest);
    in->all_launched = tt_calloc(in->work->n_devices + (size_t)1, sizeof *in->all_launched);
    bool several = false;
    for (uint32_t i = 0; i < in->work->n_devices; i++) several = several || in->work->devices[i].n_streams > 1;
    if (several) in->ended = tt_malloc(in->work->n * sizeof *in->ended);
    tt_parallel(tt_threads(), in->work->n_devices, order_device, in);
    b->waits = tt_waits_begin(in->s, in->work, in->latest);
}

static void *build(const tt_session *session, uint32_t trace)
{
    tt_path_inputs *in = tt_calloc(1, sizeof *in);
    in->s = session->traces[trace];
    input_build b = {.session = session, .trace = trace, .in = in};
    tt_parallel(tt_threads(), 2, make_part, &b);
    in->waits = tt_waits_finish(b.waits, &in->host);
    int64_t first = INT64_MAX;
    for (uint32_t i = 0; i < in->work->n_devices; i++)
        if (in->work->devices[i].start < first) first = in->work->devices[i].start;
    if (in->work->n_devices) tt_host_pieces_forget(&in->host, TT_WAIT_SYNC, first);
    return in;
}

static void release(void *value)
{
    tt_path_inputs *in = value;
    free(in->latest);
    free(in->ended);
    free(in->all_launched);
    tt_host_pieces_free(&in->host);
    tt_waits_free(&in->waits);
    free(in);
}

const tt_path_inputs *tt_path_inputs_get(const tt_session *s, uint32_t trace)
{
    static const tt_analysis_kind kind = {"critical path", build, release};
    return tt_analysis_get(s, trace, &kind);
}

/* ---- the window ---- */

tt_path_works tt_path_works_in(const tt_path_inputs *in, const tt_work_stream *stream, int64_t t0, int64_t t1)
{
    uint32_t lo = stream->first, hi = lo + stream->n, first;
    TT_BISECT(lo, hi, i, in->work->at[in->latest[i]].end < t0);
    first = lo;
    hi = stream->first + stream->n;
    TT_BISECT(lo, hi, i, in->work->at[i].start < t1);
    return (tt_path_works){first, lo};
}

/* ---- before a piece of work ---- */

static uint32_t before_in_stream(const tt_path_inputs *in, uint32_t work)
{
    return work > in->work->streams[in->work->at[work].stream].first ? in->latest[work - 1] : TT_NONE;
}

static bool was_visited(const tt_path_visited *v, uint32_t work) { return v && v->next[work]; }

void tt_path_visit(const tt_path_inputs *in, tt_path_visited *v, uint32_t work)
{
    uint32_t before = before_in_stream(in, work);
    v->next[work] = before == TT_NONE ? 1 : before + 2;
}

/* First work from `work` on that was not visited; the visited work on the way is not walked over again. */
static uint32_t not_visited(tt_path_visited *v, uint32_t work)
{
    uint32_t found = work;
    if (!v) return work;
    while (found != TT_NONE && v->next[found]) found = v->next[found] == 1 ? TT_NONE : v->next[found] - 2;
    while (work != found) {
        uint32_t next = v->next[work];
        v->next[work] = found == TT_NONE ? 1 : found + 2;
        work = next == 1 ? TT_NONE : next - 2;
    }
    return found;
}

static int64_t earlier(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t later(int64_t a, int64_t b) { return a > b ? a : b; }

/* Work of another stream that ended last in (after, t], shortly before t. */
static uint32_t near_end(const tt_path_inputs *in, const tt_work *x, int64_t after, int64_t t, const tt_path_visited *v,
                         tt_path_near *near)
{
    const tt_work_device *dev = &in->work->devices[in->work->streams[x->stream].device];
    if (dev->n_streams < 2) return TT_NONE;
    const uint32_t *ended = in->ended + dev->first;
    uint32_t lo, hi;
    TT_BISECT_NEAR(lo, hi, dev->n, near->ended, i, in->work->at[ended[i]].end <= t);
    near->ended = lo;
    while (lo-- > 0) {
        const tt_work *y = &in->work->at[ended[lo]];
        if (y->end <= after || t - y->end > TT_PATH_NEAR_NS) break;
        if (y->stream != x->stream && y->start < x->start && !was_visited(v, ended[lo])) return ended[lo];
    }
    return TT_NONE;
}

/* The latest of the events that a piece of work waited for. */
static void find_event(const tt_path_inputs *in, uint32_t work, int64_t t, const tt_path_visited *v, tt_path_near *near,
                       tt_path_before *b)
{
    size_t lo, hi;
    TT_BISECT_NEAR(lo, hi, in->waits.events.n, near->event, i, in->waits.events.at[i].work < work);
    near->event = lo;
    for (; lo < in->waits.events.n && in->waits.events.at[lo].work == work; lo++) {
        uint32_t source = in->waits.events.at[lo].source;
        int64_t end = earlier(in->work->at[source].end, t);
        if (source == work || was_visited(v, source) || (b->event != TT_NONE && end < b->event_t)) continue;
        b->event = source;
        b->event_t = end;
    }
}

int64_t tt_path_launched_at(const tt_path_inputs *in, uint32_t work, int64_t t)
{
    const tt_work *x = &in->work->at[work];
    int64_t call_end = tt_row_end(in->s, x->launch);
    /* the call waited for its copy: the time of its return says nothing about the launch */
    bool waited = x->of_class == TT_WORK_COPY && call_end >= x->end;
    return earlier(waited ? in->s->start[x->launch] : call_end, t);
}

tt_path_before tt_path_before_of(const tt_path_inputs *in, uint32_t work, int64_t t, tt_path_visited *v,
                                 tt_path_near *near)
{
    const tt_trace *s = in->s;
    const tt_work *x = &in->work->at[work];
    tt_path_before b = {.event = TT_NONE, .inferred = TT_NONE, .track = TT_NONE};
    int64_t latest = INT64_MIN;
    b.stream = before_in_stream(in, work);
    if (b.stream != TT_NONE) b.stream = not_visited(v, b.stream);
    if (b.stream != TT_NONE) latest = b.stream_t = earlier(in->work->at[b.stream].end, t);
    find_event(in, work, t, v, near, &b);
    if (b.event != TT_NONE) latest = later(latest, b.event_t);
    if (x->launch == TT_NONE) return b;
    b.track = tt_row_track(s, x->launch);
    b.call_end = tt_row_end(s, x->launch);
    b.launch_t = tt_path_launched_at(in, work, t);
    latest = later(latest, later(b.launch_t, b.call_end));
    if (b.call_end < t) b.inferred = near_end(in, x, latest, t, v, near);
    if (b.inferred != TT_NONE) b.inferred_t = in->work->at[b.inferred].end;
    return b;
}
