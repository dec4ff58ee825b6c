/* model/tables/idle/stream_idle.c - table stream_idle: gaps of each stream by itself, as Holistic Trace Analysis
 * counts them, for those who know its numbers. Gaps of streams overlap each other and what other streams do, so they do
 * not add up to idle time of the device: idle_causes does that.
 *
 * A gap ends with the work that starts later than everything before it on the stream ended; it is counted where that
 * work is in scope. */
#include "model/tables/idle/idle_scope.h"

/* A shorter gap between work that was launched in time is what starting a kernel takes. */
#define KERNEL_WAIT_NS 30000

enum { DEVICE, STREAM, CAUSE, GAPS, IDLE, PCT, MEAN, LONGEST };

static const tt_column columns[] = {
    COL("device", "Device", STRING, 0, "device"),
    COL("stream", "Stream", STRING, 0, "stream, as the trace names it"),
    COL("cause", "Cause", STRING, 0,
        "host_wait: the next work was launched after the stream had run dry; else kernel_wait: shorter than 30 us; "
        "else other"),
    COL("gaps", "Gaps", COUNT, 1, "gaps between the work of the stream"),
    COL("idle_ns", "Idle", DURATION, 0, "sum of these gaps; other streams may have worked meanwhile"),
    COL("pct", "%", PERCENT, 0, "share of the stream's idle time"),
    COL("mean_ns", "Mean", DURATION, 2, "mean length"),
    COL("longest_ns", "Longest", DURATION, 1, "length of the longest"),
};

enum { HOST_WAIT, KERNEL_WAIT, OTHER, CAUSES };
static const char *const cause_name[CAUSES] = {"host_wait", "kernel_wait", "other"};

static int cause_of(const tt_trace *s, const tt_work *x, int64_t dry)
{
    if (x->launch != TT_NONE && s->start[x->launch] > dry) return HOST_WAIT;
    return x->start - dry < KERNEL_WAIT_NS ? KERNEL_WAIT : OTHER;
}

/* Of the work that starts when x does, which ends the gap as well: what was launched first, if that is known. */
static const tt_work *launched_first(const tt_trace *s, const tt_work *x, const tt_work *end)
{
    const tt_work *first = x;
    for (const tt_work *y = x + 1; y < end && y->start == x->start; y++) {
        if (y->launch == TT_NONE) continue;
        if (first->launch == TT_NONE || s->start[y->launch] < s->start[first->launch]) first = y;
    }
    return first;
}

static void put_stream(const tt_query *q, const tt_device_work *w, const tt_work_stream *stream, tt_table *t)
{
    const tt_trace *s = tt_query_store(q);
    const tt_row_range all = {0, s->n};
    tt_stat gaps[CAUSES] = {0};
    tt_iv longest[CAUSES];
    int64_t dry = INT64_MAX, sum = 0; /* the latest end so far */
    for (const tt_work *x = w->at + stream->first, *end = x + stream->n; x < end; x++) {
        const tt_work *next = x->start > dry ? launched_first(s, x, end) : NULL;
        if (next && tt_query_has_dev(q, s, &s->dev[s->detail[next->row]], all)) {
            int cause = cause_of(s, next, dry);
            if (!gaps[cause].n || x->start - dry > gaps[cause].max) longest[cause] = (tt_iv){dry, x->start};
            tt_stat_add(&gaps[cause], x->start - dry);
            sum += x->start - dry;
        }
        if (dry == INT64_MAX || x->end > dry) dry = x->end;
    }
    for (int k = 0; k < CAUSES; k++) {
        if (!gaps[k].n) continue;
        uint32_t row = tt_table_add(t);
        tt_set_ref(t, row, DEVICE, w->devices[stream->device].name);
        tt_set_ref(t, row, STREAM, stream->name);
        tt_set_ref(t, row, CAUSE, cause_name[k]);
        tt_set_i(t, row, GAPS, gaps[k].n);
        tt_set_i(t, row, IDLE, gaps[k].total);
        tt_set_d(t, row, PCT, tt_pct((double)gaps[k].total, (double)sum));
        tt_set_i(t, row, MEAN, tt_stat_mean(&gaps[k]));
        tt_set_i(t, row, LONGEST, gaps[k].max);
        tt_set_range(q, t, row, longest[k].t0, longest[k].t1);
    }
}

static void compute(const tt_query *q, tt_table *t)
{
    const tt_device_work *w = tt_device_work_get(q->session, q->trace);
    for (uint32_t i = 0; i < w->n_streams; i++) put_stream(q, w, &w->streams[i], t);
    if (!t->n_rows && !tt_idle_note(q, t)) t->note = "No idle gaps between kernels of any stream";
}

const tt_table_desc tt_table_stream_idle = {
    .id = "stream_idle",
    .title = "Idle time by stream",
    .meaning = "gaps in the work of each stream by itself, as Holistic Trace Analysis counts them",
    .cols = columns,
    .n_cols = COUNT_OF(columns),
    .compute = compute,
};
