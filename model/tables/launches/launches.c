/* model/tables/launches/launches.c - table launches: duration of launch calls, and delay until the work starts.
 *
 * A call that launches several works (a graph) counts once: for the work that starts first. */
#include <inttypes.h>
#include <stdlib.h>

#include "model/base/median.h"
#include "model/tables/analysis/calls/call_tree.h"
#include "model/tables/analysis/device/device_work.h"
#include "model/tables/analysis/graphs/graph_owner.h"
#include "model/tables/table_util.h"

/* Thresholds for slow calls and delays, ns, as in Holistic Trace Analysis. */
enum { LONG_CALL = 50000, LONG_DELAY = 100000 };

enum {
    NAME,
    API,
    STREAM,
    CORRELATION,
    CALL_AT,
    DEVICE_AT,
    WORKS,
    LAUNCHES,
    DEVICE,
    CALL,
    CALL_MEAN,
    CALL_MAX,
    DELAY,
    DELAY_MEAN,
    DELAY_MEDIAN,
    DELAY_MIN,
    DELAY_MAX,
    SHORT,
    SLOW,
    DELAYED
};
enum { BY_NAME, BY_API, BY_OPERATOR, BY_LAUNCH };

static const tt_column columns[] = {
    COL("name", "Name", STRING, 0,
        "name of the launched work; the call with --group-by api, the operator that it belongs to with --group-by "
        "operator"),
    COL_G("api", "Call", STRING, 1, 1 << BY_LAUNCH, "runtime or driver call that launches it"),
    COL_G("stream", "Stream", STRING, 2, 1 << BY_LAUNCH, "stream of the work, as the trace names it"),
    COL_G("correlation", "Correlation", COUNT, 5, 1 << BY_LAUNCH, "id that the call and its work share"),
    COL_G("call_at_ns", "Call at", TIME, 1, 1 << BY_LAUNCH, "start of the call"),
    COL_G("device_at_ns", "GPU start", TIME, 2, 1 << BY_LAUNCH, "start of the first work that it launches"),
    COL("works", "Works", COUNT, 2, "kernels, copies and sets whose launch was recorded"),
    COL("launches", "Launches", COUNT, 1, "calls that launch them; of a graph's work the first to start counts it"),
    COL("device_total_ns", "GPU total", DURATION, 0, "GPU time of the work, summed"),
    COL("call_total_ns", "Call total", DURATION, 0, "CPU time of the calls, summed"),
    COL("call_mean_ns", "Call mean", DURATION, 1, "call total / launches"),
    COL("call_max_ns", "Call max", DURATION, 3, "longest call"),
    COL("delay_total_ns", "Delay total", DURATION, 2,
        "from the end of the call to the start of the work, summed; 0 where the work starts before the call returns"),
    COL("delay_mean_ns", "Delay mean", DURATION, 1, "delay total / launches"),
    COL("delay_median_ns", "Delay median", DURATION, 2, "median delay"),
    COL("delay_min_ns", "Delay min", DURATION, 5, "shortest delay"),
    COL("delay_max_ns", "Delay max", DURATION, 3, "longest delay"),
    COL("short", "Short", COUNT, 1,
        "calls of at most 50 us that take longer than the work: the CPU cannot keep the GPU busy with these"),
    COL("slow", "Slow", COUNT, 2, "calls of more than 50 us"),
    COL("delayed", "Delayed", COUNT, 2, "work that starts more than 100 us after the call: it waits in the queue"),
};

typedef struct group {
    tt_stat call, delay;
    int64_t works, device_ns, short_calls, slow, delayed;
    const tt_work *first; /* first work of the group in work order */
    size_t delays;        /* first index of its delays in the list sorted by group */
} group;

typedef struct launch_delay {
    uint32_t group;
    int64_t ns;
} launch_delay;

typedef struct launch_build {
    const tt_query *q;
    const tt_trace *s;
    const tt_graphs *graphs;
    tt_groups groups;
    TT_VEC(group) list;
    TT_VEC(launch_delay) delays;
} launch_build;

static uint64_t key_of(const launch_build *b, const tt_work *w, const tt_activity *d)
{
    switch (b->q->options.group) {
    case BY_API: return b->s->name[w->launch];
    case BY_OPERATOR: return tt_work_operator(b->graphs, d);
    default: return b->s->name[w->row];
    }
}

/* Add device work to its group. Returns the delay if it is the first work of its launch; else TT_UNKNOWN. */
static int64_t add_to(const launch_build *b, group *g, const tt_work *w)
{
    g->works++;
    g->device_ns += w->end - w->start;
    if (!w->first) return TT_UNKNOWN;
    int64_t call = b->s->dur[w->launch], delay = w->start - tt_row_end(b->s, w->launch);
    if (delay < 0) delay = 0;
    g->first = w;
    tt_stat_add(&g->call, call);
    tt_stat_add(&g->delay, delay);
    g->short_calls += call <= LONG_CALL && w->end - w->start < call;
    g->slow += call > LONG_CALL;
    g->delayed += delay > LONG_DELAY;
    return delay;
}

static void add_work(launch_build *b, const tt_work *w, const tt_activity *d)
{
    uint32_t at = tt_groups_put(&b->groups, (tt_group_key){.a = key_of(b, w, d)});
    if (at == b->list.n) *tt_vec_push(&b->list) = (group){.first = w};
    int64_t delay = add_to(b, &b->list.at[at], w);
    if (delay != TT_UNKNOWN) *tt_vec_push(&b->delays) = (launch_delay){at, delay};
}

static void collect(launch_build *b)
{
    const tt_device_work *work = tt_device_work_get(b->q->session, b->q->trace);
    tt_row_range rows = tt_query_rows(b->q);
    for (const tt_work *w = work->at, *end = w + work->n; w < end; w++) {
        const tt_activity *d = &b->s->dev[b->s->detail[w->row]];
        if (w->launch != TT_NONE && tt_query_has_dev(b->q, b->s, d, rows)) add_work(b, w, d);
    }
}

/* Sort delays by group; each group's begin at its offset. The caller frees. */
static int64_t *sort_delays(launch_build *b)
{
    int64_t *out = tt_malloc((b->delays.n + 1) * sizeof *out);
    size_t place = 0;
    for (size_t i = 0; i < b->list.n; i++) {
        b->list.at[i].delays = place;
        place += (size_t)b->list.at[i].delay.n;
    }
    for (size_t i = 0; i < b->delays.n; i++) out[b->list.at[b->delays.at[i].group].delays++] = b->delays.at[i].ns;
    for (size_t i = 0; i < b->list.n; i++) b->list.at[i].delays -= (size_t)b->list.at[i].delay.n;
    return out;
}

/* Write the row of one launch and its first work. */
static void put_launch(const launch_build *b, const tt_device_work *work, const tt_work *w, tt_table *t, uint32_t row)
{
    const tt_trace *s = b->s;
    tt_set_ref(t, row, NAME, tt_row_name(s, w->row));
    tt_set_ref(t, row, API, tt_row_name(s, w->launch));
    tt_set_ref(t, row, STREAM, work->streams[w->stream].name);
    if (s->correlation[w->launch]) tt_set_i(t, row, CORRELATION, s->correlation[w->launch]);
    tt_set_i(t, row, CALL_AT, tt_at(b->q, s->start[w->launch]));
    tt_set_i(t, row, DEVICE_AT, tt_at(b->q, w->start));
    tt_set_row(b->q, t, row, w->row);
}

/* Kinds of slices with the group's name. */
static uint32_t kinds_of(const launch_build *b, const group *g)
{
    switch (b->q->options.group) {
    case BY_API: return 1u << TT_KIND_RUNTIME | 1u << TT_KIND_DRIVER;
    case BY_OPERATOR: return 1u << TT_KIND_CPU_OP | TT_TREE_RANGES;
    default: return 1u << tt_row_kind(b->s, g->first->row);
    }
}

static void put_numbers(const group *g, int64_t *delays, tt_table *t, uint32_t row)
{
    tt_set_i(t, row, WORKS, g->works);
    tt_set_i(t, row, LAUNCHES, g->call.n);
    tt_set_i(t, row, DEVICE, g->device_ns);
    tt_set_i(t, row, CALL, g->call.total);
    tt_set_i(t, row, DELAY, g->delay.total);
    tt_set_i(t, row, SHORT, g->short_calls);
    tt_set_i(t, row, SLOW, g->slow);
    tt_set_i(t, row, DELAYED, g->delayed);
    if (!g->call.n) return; /* the first work of each call is in another group */
    tt_set_i(t, row, CALL_MEAN, tt_stat_mean(&g->call));
    tt_set_i(t, row, CALL_MAX, g->call.max);
    tt_set_i(t, row, DELAY_MEAN, tt_stat_mean(&g->delay));
    tt_set_i(t, row, DELAY_MEDIAN, tt_median(delays, (size_t)g->delay.n));
    tt_set_i(t, row, DELAY_MIN, g->delay.min);
    tt_set_i(t, row, DELAY_MAX, g->delay.max);
}

static void put_group(const launch_build *b, uint64_t key, const group *g, int64_t *delays, tt_table *t)
{
    uint32_t row = tt_table_add(t);
    if (key != UINT32_MAX) {
        const char *name = tt_graph_text(b->graphs, (tt_sid)key);
        tt_set_ref(t, row, NAME, name);
        tt_set_slices(b->q, t, row, kinds_of(b, g), name);
    }
    put_numbers(g, delays + g->delays, t, row);
}

static void put_groups(const tt_query *q, tt_table *t)
{
    launch_build b = {.q = q, .s = tt_query_trace(q), .graphs = tt_graphs_get(q->session, q->trace)};
    tt_groups_init(&b.groups);
    collect(&b);
    int64_t *delays = sort_delays(&b);
    for (size_t i = 0; i < b.list.n; i++) put_group(&b, b.groups.key.at[i].a, &b.list.at[i], delays, t);
    free(delays);
    tt_groups_free(&b.groups);
    tt_vec_free(&b.list);
    tt_vec_free(&b.delays);
}

/* Write rows by launch; work of a call is adjacent in the links of the trace. */
static void put_launches(const tt_query *q, tt_table *t)
{
    launch_build b = {.q = q, .s = tt_query_trace(q)};
    const tt_device_work *work = tt_device_work_get(q->session, q->trace);
    tt_row_range rows = tt_query_rows(q);
    for (uint32_t i = 0, n; i < b.s->n_links; i += n) {
        group g = {0};
        int64_t delay = 0;
        for (n = 0; i + n < b.s->n_links && b.s->launch_row[i + n] == b.s->launch_row[i]; n++) {
            uint32_t activity = b.s->launched_activity[i + n], at = work->of_activity[activity];
            if (at == TT_NONE || !tt_query_has_dev(q, b.s, &b.s->dev[activity], rows)) continue;
            if (!g.works) g.first = &work->at[at];
            int64_t own = add_to(&b, &g, &work->at[at]);
            if (own != TT_UNKNOWN) delay = own;
        }
        if (!g.works) continue;
        uint32_t row = tt_table_add(t);
        put_launch(&b, work, g.first, t, row);
        put_numbers(&g, &delay, t, row);
    }
}

static void compute(const tt_query *q, tt_table *t)
{
    if (q->options.group == BY_LAUNCH)
        put_launches(q, t);
    else
        put_groups(q, t);
    if (!t->n_rows)
        tt_note_advice(t, "no launched work in this trace or scope",
                       tt_advice_of(tt_query_trace(q)->rules)->record_device);
}

static const char *const group_keys[] = {"name", "api", "operator", "launch", NULL};

const tt_table_desc tt_table_launches = {
    .id = "launches",
    .title = "Launches",
    .meaning = "what it takes to launch work on a device, and how long the work then waits",
    .cols = columns,
    .n_cols = COUNT_OF(columns),
    .groups = group_keys,
    .default_sort = "call_total_ns",
    .default_desc = true,
    .flags = TT_TABLE_THREADS,
    .compute = compute,
};
