/* model/tables/launches/queue.c - tables queue and queue_curve: launched work that waits on each stream.
 *
 * With steps in scope, only work they launched joins a queue; a time window shows its part of the curve. */
#include "model/tables/launches/queue_length.h"
#include "model/tables/table_util.h"

typedef struct asked { /* selection of the work that joins a queue */
    const tt_query *q;
    const tt_trace *s;
    tt_row_range rows;
    tt_windows steps; /* windows of the steps that launch it, whenever the work runs; not owned */
    bool everything;
} asked;

static asked asked_for(const tt_query *q)
{
    asked a = {.q = q, .s = tt_query_trace(q), .rows = tt_query_rows(q), .steps = *q->windows};
    a.steps.t0 = INT64_MIN;
    a.steps.t1 = INT64_MAX;
    a.everything = !a.steps.by_step && a.rows.first == 0 && a.rows.end == a.s->n;
    return a;
}

static bool takes(const void *arg, const tt_work *w)
{
    const asked *a = arg;
    if (a->steps.by_step && !tt_windows_have_dev(&a->steps, a->s, &a->s->dev[a->s->detail[w->row]])) return false;
    return tt_row_range_has(a->rows, w->row) || tt_row_range_has(a->rows, w->launch);
}

/* The curves in scope; *own: free it with tt_queue_lengths_free(); NULL if the session owns them. */
static const tt_queue_lengths *lengths_of(const tt_query *q, tt_queue_lengths **own)
{
    asked a = asked_for(q);
    *own = a.everything ? NULL : tt_queue_lengths_make(q->session, q->trace, takes, &a);
    return *own ? *own : tt_queue_lengths_get(q->session, q->trace);
}

static void note_empty(const tt_query *q, tt_table *t)
{
    if (!t->n_rows)
        tt_note_advice(t, "no launched work in this trace or scope",
                       tt_advice_of(tt_query_trace(q)->rules)->record_device);
}

/* ---- queue ---- */

enum { Q_DEVICE, Q_STREAM, Q_LAUNCHES, Q_MAX, Q_MEAN, Q_EMPTY, Q_EMPTY_PCT, Q_FULL };

static const tt_column queue_columns[] = {
    COL("device", "Device", STRING, 0, "device"),
    COL("stream", "Stream", STRING, 0, "stream, as the trace names it"),
    COL("launches", "Launches", COUNT, 0, "launched work that started; only work whose launch was recorded"),
    COL("max_length", "Max", COUNT, 0, "most work launched and not started at one time"),
    COL("mean_length", "Mean", NUMBER, 0,
        "work launched and not started, averaged over time from first launch to last start"),
    COL("empty_ns", "Empty", DURATION, 1, "nothing queued: the stream runs dry unless the next launch comes in time"),
    COL("empty_pct", "Empty %", PERCENT, 0, "the same as a share of the time from first launch to last start"),
    COL("full_ns", "Full", DURATION, 2, "1024 or more queued: a launch blocks until there is room"),
};

/* Number of slices that start in the window: each start lowers the curve by one. */
static int64_t starts_in(const tt_curve *c, int64_t t0, int64_t t1)
{
    size_t i = tt_curve_from(c, t0), end = tt_curve_from(c, t1);
    int64_t n = 0;
    for (double before = i ? c->at.at[i - 1].value : 0; i < end; before = c->at.at[i++].value)
        n += c->at.at[i].value < before;
    return n;
}

static void compute_queue(const tt_query *q, tt_table *t)
{
    const tt_device_work *work = tt_device_work_get(q->session, q->trace);
    int64_t t0 = q->windows->t0, t1 = q->windows->t1;
    tt_queue_lengths *own;
    const tt_queue_lengths *lengths = lengths_of(q, &own);
    for (uint32_t i = 0; i < lengths->n; i++) {
        const tt_curve *c = &lengths->of[i];
        int64_t launches = starts_in(c, t0, t1);
        tt_queue_stat st = tt_queue_stat_in(c, t0, t1);
        if (!launches && st.from == st.until) continue;
        uint32_t row = tt_table_add(t);
        tt_set_ref(t, row, Q_DEVICE, work->devices[work->streams[i].device].name);
        tt_set_ref(t, row, Q_STREAM, work->streams[i].name);
        tt_set_i(t, row, Q_LAUNCHES, launches);
        tt_set_i(t, row, Q_MAX, st.longest);
        tt_set_d(t, row, Q_MEAN, st.mean);
        tt_set_i(t, row, Q_EMPTY, st.empty);
        tt_set_d(t, row, Q_EMPTY_PCT, tt_pct((double)st.empty, (double)(st.until - st.from)));
        tt_set_i(t, row, Q_FULL, st.full);
        tt_set_range(q, t, row, st.from, st.until);
    }
    if (own) tt_queue_lengths_free(own);
    note_empty(q, t);
}

const tt_table_desc tt_table_queue = {
    .id = "queue",
    .title = "Launch queues",
    .meaning = "work that is launched and has not started, by stream",
    .cols = queue_columns,
    .n_cols = COUNT_OF(queue_columns),
    .flags = TT_TABLE_THREADS,
    .compute = compute_queue,
};

/* ---- queue_curve ---- */

enum { C_DEVICE, C_STREAM, C_AT, C_LENGTH };

static const tt_column curve_columns[] = {
    COL("device", "Device", STRING, 0, "device"),
    COL("stream", "Stream", STRING, 0, "stream, as the trace names it"),
    COL("at_ns", "Time", TIME, 0, "when a launch begins or launched work starts; the length holds from then on"),
    COL("length", "Length", COUNT, 0, "work launched and not started"),
};

static void compute_curve(const tt_query *q, tt_table *t)
{
    const tt_device_work *work = tt_device_work_get(q->session, q->trace);
    tt_queue_lengths *own;
    const tt_queue_lengths *lengths = lengths_of(q, &own);
    for (uint32_t i = 0; i < lengths->n; i++) {
        const tt_curve *c = &lengths->of[i];
        const char *device = work->devices[work->streams[i].device].name, *stream = work->streams[i].name;
        size_t end = tt_curve_from(c, q->windows->t1);
        for (size_t k = tt_curve_from(c, q->windows->t0); k < end; k++) {
            uint32_t row = tt_table_add(t);
            tt_set_ref(t, row, C_DEVICE, device);
            tt_set_ref(t, row, C_STREAM, stream);
            tt_set_i(t, row, C_AT, tt_at(q, c->at.at[k].ts));
            tt_set_i(t, row, C_LENGTH, (int64_t)c->at.at[k].value);
        }
    }
    if (own) tt_queue_lengths_free(own);
    note_empty(q, t);
}

const tt_table_desc tt_table_queue_curve = {
    .id = "queue_curve",
    .title = "Queue length",
    .meaning = "length of the launch queue of each stream over time",
    .cols = curve_columns,
    .n_cols = COUNT_OF(curve_columns),
    .flags = TT_TABLE_THREADS,
    .compute = compute_curve,
};
