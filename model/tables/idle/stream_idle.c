/* model/tables/idle/stream_idle.c - table stream_idle: gaps of each stream alone, as Holistic Trace Analysis counts
 * them, for people who know its numbers.
 *
 * Gaps of a stream overlap other gaps and other streams' work, so they do not add up to idle time of the device;
 * idle_causes does that. A gap ends with work that starts later than all work before it on the stream ended. The
 * account begins and ends with a gap, so the rows of a stream add up to the account without its work. */
#include "model/tables/idle/idle_scope.h"

#include <stdlib.h>

/* a shorter gap between work that was launched in time is the cost of starting a kernel */
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

/* Work that starts when x does also ends the gap: return the work launched first, if that is known. */
static const tt_work *launched_first(const tt_trace *s, const tt_work *x, const tt_work *end)
{
    const tt_work *first = x;
    for (const tt_work *y = x + 1; y < end && y->start == x->start; y++) {
        if (y->launch == TT_NONE) continue;
        if (first->launch == TT_NONE || s->start[y->launch] < s->start[first->launch]) first = y;
    }
    return first;
}

typedef struct stream_gaps {
    const tt_ivs *time; /* time that counts: the account, or with device_window everything */
    tt_stat of[CAUSES];
    tt_iv longest[CAUSES];
    int64_t sum;
    size_t at; /* index of the first interval of `time` that may meet the next gap */
} stream_gaps;

/* Add a gap to each interval of the account that it meets. */
static void add_gap(stream_gaps *x, int cause, int64_t t0, int64_t t1)
{
    while (x->at < x->time->n && x->time->at[x->at].t1 <= t0) x->at++;
    for (size_t i = x->at; i < x->time->n && x->time->at[i].t0 < t1; i++) {
        tt_iv in = x->time->at[i];
        if (in.t0 < t0) in.t0 = t0;
        if (in.t1 > t1) in.t1 = t1;
        if (in.t1 <= in.t0) continue;
        if (!x->of[cause].n || in.t1 - in.t0 > x->of[cause].max) x->longest[cause] = in;
        tt_stat_add(&x->of[cause], in.t1 - in.t0);
        x->sum += in.t1 - in.t0;
    }
}

/* from, until: ends of the account, where gaps count too; from INT64_MAX: there are no such gaps. */
static stream_gaps gaps_of(const tt_trace *s, const tt_device_work *w, const tt_work_stream *stream, const tt_ivs *time,
                           int64_t from, int64_t until)
{
    stream_gaps g = {.time = time};
    int64_t dry = from; /* latest end of work so far */
    for (const tt_work *x = w->at + stream->first, *end = x + stream->n; x < end; x++) {
        if (x->start > dry) {
            const tt_work *next = launched_first(s, x, end);
            add_gap(&g, cause_of(s, next, dry), dry, x->start);
        }
        if (dry == INT64_MAX || x->end > dry) dry = x->end;
    }
    if (from != INT64_MAX) add_gap(&g, OTHER, dry, until);
    return g;
}

static void put_stream(const tt_query *q, const tt_account *a, const tt_work_stream *stream, tt_table *t)
{
    const tt_trace *s = tt_query_trace(q);
    const tt_device_work *w = tt_device_work_get(q->session, q->trace);
    const tt_work_device *dev = &w->devices[stream->device];
    tt_ivs time = tt_idle_time(q, a, dev);
    bool edges = time.n && !q->options.device_window;
    stream_gaps g = gaps_of(s, w, stream, &time, edges ? time.at[0].t0 : INT64_MAX, edges ? time.at[time.n - 1].t1 : 0);
    for (int k = 0; k < CAUSES; k++) {
        if (!g.of[k].n) continue;
        uint32_t row = tt_table_add(t);
        tt_set_ref(t, row, DEVICE, dev->name);
        tt_set_ref(t, row, STREAM, stream->name);
        tt_set_ref(t, row, CAUSE, cause_name[k]);
        tt_set_i(t, row, GAPS, g.of[k].n);
        tt_set_i(t, row, IDLE, g.of[k].total);
        tt_set_d(t, row, PCT, tt_pct((double)g.of[k].total, (double)g.sum));
        tt_set_i(t, row, MEAN, tt_stat_mean(&g.of[k]));
        tt_set_i(t, row, LONGEST, g.of[k].max);
        tt_set_range(q, t, row, g.longest[k].t0, g.longest[k].t1);
    }
    tt_vec_free(&time);
}

static void compute(const tt_query *q, tt_table *t)
{
    const tt_device_work *w = tt_device_work_get(q->session, q->trace);
    tt_account a = tt_account_make(q->session, q->scope, q->trace);
    for (uint32_t i = 0; i < w->n_streams; i++) put_stream(q, &a, &w->streams[i], t);
    tt_account_free(&a);
    if (!t->n_rows && !tt_idle_note(q, t)) t->note = "No idle gaps between kernels of any stream";
}

const tt_table_desc tt_table_stream_idle = {
    .id = "stream_idle",
    .title = "Idle time by stream",
    .meaning = "gaps in the work of each stream by itself, as Holistic Trace Analysis counts them",
    .cols = columns,
    .n_cols = COUNT_OF(columns),
    .flags = TT_TABLE_WINDOW,
    .compute = compute,
};
