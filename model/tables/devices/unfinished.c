/* model/tables/devices/unfinished.c - table unfinished. See unfinished.h. */
#include "model/tables/devices/unfinished.h"

#include "model/tables/analysis/device/unfinished_since.h"
#include "model/tables/table_util.h"

static const tt_column columns[] = {
    [TT_UNFINISHED_ORDER] = COL("order", "Order", COUNT, 0,
                                "1: the work that its stream was in; others were launched behind it on the stream"),
    [TT_UNFINISHED_DEVICE] = COL("device", "Device", COUNT, 1, "number of the device"),
    [TT_UNFINISHED_STREAM] = COL("stream", "Stream", COUNT, 0, "number of the stream"),
    [TT_UNFINISHED_NAME] = COL("name", "Name", STRING, 0, "kernel, copy or set"),
    [TT_UNFINISHED_LAUNCHED_AT] =
        COL("launched_at_ns", "Launched", TIME, 1, "start of the call that launched it; unknown without that call"),
    [TT_UNFINISHED_RUNNING] =
        COL("running_ns", "Running", DURATION, 0,
            "most time that it ran before the recording ended: since its launch, and since earlier work of its stream "
            "ended; order 1 only"),
    [TT_UNFINISHED_CALL] = COL("call", "Call", STRING, 3, "runtime or driver call that launched it"),
    [TT_UNFINISHED_CORRELATION] = COL("correlation", "Correlation", COUNT, 5, "id that the call and its work share"),
    [TT_UNFINISHED_THREAD] = COL("thread", "Thread", STRING, 3, "thread that launched it"),
    [TT_UNFINISHED_OPERATOR] = COL("operator", "Operator", STRING, 1, "innermost operator around the launch"),
    [TT_UNFINISHED_RANGE] = COL("range", "Range", STRING, 1, "innermost user range or step around the launch"),
};

/* Name of the innermost slice around the row with one of these kinds; NULL: none. */
static const char *around(const tt_trace *s, tt_row row, uint32_t kinds)
{
    tt_row r = s->parent[row];
    while (r != TT_NONE && !(kinds >> tt_row_kind(s, r) & 1)) r = s->parent[r];
    return r == TT_NONE ? NULL : tt_row_name(s, r);
}

static void put_launch(const tt_query *q, tt_table *t, uint32_t row, tt_row launch)
{
    const tt_trace *s = tt_query_trace(q);
    tt_set_i(t, row, TT_UNFINISHED_LAUNCHED_AT, tt_at(q, s->start[launch]));
    tt_set_ref(t, row, TT_UNFINISHED_CALL, tt_row_name(s, launch));
    tt_set_ref(t, row, TT_UNFINISHED_THREAD, tt_str(&s->strings, s->tracks[tt_row_track(s, launch)].name));
    tt_set_ref(t, row, TT_UNFINISHED_OPERATOR, around(s, launch, 1u << TT_KIND_CPU_OP));
    tt_set_ref(t, row, TT_UNFINISHED_RANGE, around(s, launch, 1u << TT_KIND_ANNOTATION | 1u << TT_KIND_STEP));
}

static void put_work(const tt_query *q, tt_table *t, const tt_activity *d, int64_t order)
{
    const tt_trace *s = tt_query_trace(q);
    uint32_t row = tt_table_add(t);
    tt_set_i(t, row, TT_UNFINISHED_ORDER, order);
    tt_set_i(t, row, TT_UNFINISHED_DEVICE, d->device);
    tt_set_i(t, row, TT_UNFINISHED_STREAM, d->stream);
    tt_set_ref(t, row, TT_UNFINISHED_NAME, tt_row_name(s, d->row));
    if (order == 1) tt_set_i(t, row, TT_UNFINISHED_RUNNING, tt_row_end(s, d->row) - tt_unfinished_since(s, d));
    if (s->correlation[d->row]) tt_set_i(t, row, TT_UNFINISHED_CORRELATION, s->correlation[d->row]);
    if (d->launch != TT_NONE) put_launch(q, t, row, d->launch);
    tt_set_row(q, t, row, d->row);
}

static void compute(const tt_query *q, tt_table *t)
{
    const tt_trace *s = tt_query_trace(q);
    const tt_activity *last = NULL;
    tt_row_range rows = tt_query_rows(q);
    int64_t order = 0;
    for (uint32_t i = 0; s->problems.of[TT_PROBLEM_UNFINISHED].count && i < s->n_dev; i++) {
        const tt_activity *d = &s->dev[i];
        if (tt_row_kind(s, d->row) != TT_KIND_UNFINISHED) continue;
        bool same = last && last->device == d->device && last->stream == d->stream; /* they share a track */
        order = same ? order + 1 : 1;
        last = d;
        if (tt_query_has_dev(q, s, d, rows)) put_work(q, t, d, order);
    }
}

const tt_table_desc tt_table_unfinished = {
    .id = "unfinished",
    .title = "Unfinished",
    .meaning = "device work that was launched and had not ended when the recording did, in the order of the launches",
    .cols = columns,
    .n_cols = COUNT_OF(columns),
    .compute = compute,
};
