/* tui/sql/slices.c - the table `slices`: events with a duration, straight from the columns of the traces. */
#include "tui/sql/slices.h"

#include <stdlib.h>

#include "model/index/self_time.h"

static const tt_sql_column columns[SL_COUNT] = {
    [SL_ID] = {"id", "SLICE", "number of the slice: trace << 32 | row"},
    [SL_PARENT] = {"parent", "SLICE", "innermost slice around it on its track (Python frames and the rest apart)"},
    [SL_DEPTH] = {"depth", "INTEGER", "row on its track, from 0"},
    [SL_START] = {"start", "TIME", "ns since the earliest event of all that is loaded"},
    [SL_DURATION] = {"duration", "DURATION", "ns"},
    [SL_SELF] = {"self", "DURATION", "ns without the slices directly inside"},
    [SL_NAME] = {"name", "TEXT", "as the trace has it"},
    [SL_CATEGORY] = {"category", "TEXT", "as the trace has it: cpu_op, kernel, gpu_memcpy"},
    [SL_KIND] = {"kind", "TEXT",
                 "what it is in every format: cpu_op, annotation, step, python, module, runtime, driver, kernel, "
                 "memcpy, memset, sync"},
    [SL_TRACK] = {"track", "INTEGER", "tracks.id"},
    [SL_PROCESS] = {"process", "TEXT", "pid"},
    [SL_THREAD] = {"thread", "TEXT", "tid; NULL on devices"},
    [SL_STREAM] = {"stream", "INTEGER", "of device work"},
    [SL_DEVICE] = {"device", "TEXT", "of device work: GPU0"},
    [SL_STEP] = {"step", "INTEGER", "step of its start, of device work that of its launch"},
    [SL_CORRELATION] = {"correlation", "INTEGER", "correlation id of a launch and of its device work"},
    [SL_LAUNCH] = {"launch", "SLICE", "of device work: the runtime or driver call that launched it"},
    [SL_OPERATOR] = {"operator", "SLICE",
                     "of device work: the operator around its launch; of a runtime or driver call: around the call"},
    [SL_ARGS] = {"args", "TEXT", "all arguments as JSON, read again from the file; arg(id, 'key') gives one"},
    [SL_WORKER] = {"worker", "TEXT", "whose trace it is in"},
    [SL_SPAN] = {"span", "TEXT", "profiled span"},
};

const tt_sql_table tt_sql_slices = {"slices", "event with a duration", columns, SL_COUNT};

typedef struct slices_table {
    sqlite3_vtab base;
    tt_sql_data *data;
} slices_table;

static int connect_slices(sqlite3 *db, void *data, int argc, const char *const *argv, sqlite3_vtab **out, char **err)
{
    (void)argc;
    (void)argv;
    (void)err;
    int rc = tt_sql_declare(data, db, columns, SL_COUNT);
    if (rc != SQLITE_OK) return rc;
    slices_table *t = tt_calloc(1, sizeof *t);
    t->data = data;
    *out = &t->base;
    return SQLITE_OK;
}

static int disconnect_slices(sqlite3_vtab *t)
{
    free(t);
    return SQLITE_OK;
}

static int plan_slices(sqlite3_vtab *t, sqlite3_index_info *info)
{
    return tt_sql_slices_plan(((slices_table *)t)->data, info);
}

static int open_slices(sqlite3_vtab *t, sqlite3_vtab_cursor **out)
{
    tt_slice_cursor *c = tt_calloc(1, sizeof *c);
    c->data = ((slices_table *)t)->data;
    c->filters = tt_calloc((size_t)c->data->session->n_traces + 1, sizeof *c->filters);
    c->value = tt_calloc((size_t)c->data->session->n_traces + 1, sizeof *c->value);
    c->eof = true;
    *out = &c->base;
    return SQLITE_OK;
}

static int close_slices(sqlite3_vtab_cursor *cursor)
{
    tt_slice_cursor *c = (tt_slice_cursor *)cursor;
    tt_vec_free(&c->runs);
    free(c->filters);
    free(c->value);
    free(c);
    return SQLITE_OK;
}

static int filter_slices(sqlite3_vtab_cursor *c, int plan, const char *ops, int n, sqlite3_value **values)
{
    tt_slices_begin((tt_slice_cursor *)c, plan, ops, n, values);
    return SQLITE_OK;
}

static int next_slice(sqlite3_vtab_cursor *c)
{
    tt_slices_next((tt_slice_cursor *)c);
    return SQLITE_OK;
}

static int no_more_slices(sqlite3_vtab_cursor *c) { return ((tt_slice_cursor *)c)->eof; }

/* The slice's duration without its direct children. The first call for a trace computes all of its self times. */
static int64_t self_ns(tt_sql_data *d, uint32_t trace, tt_row r)
{
    if (!d->self_ns[trace]) d->self_ns[trace] = tt_trace_self_ns(d->session->traces[trace]);
    return d->self_ns[trace][r];
}

static void put_of_track(sqlite3_context *c, const tt_trace *s, uint32_t trace, tt_row r, int col)
{
    uint32_t track = tt_row_track(s, r);
    if (col == SL_TRACK)
        tt_sql_put_id(c, trace, track);
    else if (col == SL_PROCESS)
        tt_sql_put_sid(c, s, s->tracks[track].pid);
    else if (s->tracks[track].kind == TT_TRACK_THREAD)
        tt_sql_put_sid(c, s, s->tracks[track].tid);
}

static void put_of_device(sqlite3_context *c, const tt_trace *s, uint32_t trace, tt_row r, int col)
{
    const tt_activity *d = tt_row_dev(s, r);
    if (!d) {
        if (col == SL_OPERATOR && tt_kind_is_launch(tt_row_kind(s, r))) tt_sql_put_id(c, trace, s->detail[r]);
        return;
    }
    switch (col) {
    case SL_STREAM: tt_sql_put_known(c, d->stream); break;
    case SL_DEVICE:
        if (d->device >= 0) tt_sql_put_device(c, s, 1, d->device);
        break;
    case SL_LAUNCH: tt_sql_put_id(c, trace, d->launch); break;
    default: tt_sql_put_id(c, trace, tt_activity_operator(s, d));
    }
}

static int put_column(sqlite3_vtab_cursor *cursor, sqlite3_context *c, int col)
{
    const tt_slice_cursor *at = (const tt_slice_cursor *)cursor;
    const tt_slice_run *run = tt_slices_at(at);
    const tt_session *all = at->data->session;
    const tt_trace *s = all->traces[run->trace];
    tt_row r = run->row;
    tt_row_value step;
    switch (col) {
    case SL_ID: tt_sql_put_id(c, run->trace, r); break;
    case SL_PARENT: tt_sql_put_id(c, run->trace, s->parent[r]); break;
    case SL_DEPTH: sqlite3_result_int(c, s->depth[r]); break;
    case SL_START: sqlite3_result_int64(c, s->start[r] + all->offset_ns[run->trace]); break;
    case SL_DURATION: sqlite3_result_int64(c, s->dur[r]); break;
    case SL_SELF: sqlite3_result_int64(c, self_ns(at->data, run->trace, r)); break;
    case SL_NAME: {
        tt_sid name = s->name[r];
        sqlite3_result_text(c, tt_str(&s->strings, name), (int)s->strings.len.at[name], SQLITE_STATIC);
        break;
    }
    case SL_CATEGORY: tt_sql_put_sid(c, s, s->cats[s->cat[r]].name); break;
    case SL_KIND: tt_sql_put_text(c, tt_kind_name[tt_row_kind(s, r)]); break;
    case SL_TRACK:
    case SL_PROCESS:
    case SL_THREAD: put_of_track(c, s, run->trace, r, col); break;
    case SL_STEP:
        step = tt_row_value_of(s, TT_BY_STEP, r);
        tt_sql_put_known(c, step.number);
        break;
    case SL_CORRELATION:
        if (tt_sql_correlation(s, r)) sqlite3_result_int64(c, tt_sql_correlation(s, r));
        break;
    case SL_ARGS: tt_sql_put_args(c, at->data, run->trace, tt_row_text(s, r)); break;
    case SL_WORKER: tt_sql_put_text(c, s->worker); break;
    case SL_SPAN: tt_sql_put_text(c, s->span); break;
    default: put_of_device(c, s, run->trace, r, col);
    }
    return SQLITE_OK;
}

static int slice_rowid(sqlite3_vtab_cursor *c, sqlite3_int64 *out)
{
    const tt_slice_run *run = tt_slices_at((const tt_slice_cursor *)c);
    *out = tt_sql_id(run->trace, run->row);
    return SQLITE_OK;
}

int tt_sql_register_slices(sqlite3 *db, tt_sql_data *d)
{
    static const sqlite3_module module = {
        .xConnect = connect_slices,
        .xDisconnect = disconnect_slices,
        .xBestIndex = plan_slices,
        .xOpen = open_slices,
        .xClose = close_slices,
        .xFilter = filter_slices,
        .xNext = next_slice,
        .xEof = no_more_slices,
        .xColumn = put_column,
        .xRowid = slice_rowid,
    };
    return sqlite3_create_module(db, tt_sql_slices.name, &module, d);
}
