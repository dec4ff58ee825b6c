/* tui/sql/events.c - the tables of events other than slices: a description each, one module for all. */
#include <stdlib.h>
#include <string.h>

#include "model/base/bisect.h"
#include "tui/sql/data.h"

typedef struct row { /* a row of one of the tables */
    tt_sql_data *data;
    const tt_trace *s;
    uint32_t trace, i;
} row;

typedef struct event_table {
    tt_sql_table table;
    uint32_t (*count)(const tt_trace *s);
    void (*put)(sqlite3_context *c, const row *r, int col);
    int time;                                     /* the column of times that rows are sorted by, -1 = none, and ... */
    int64_t (*at)(const tt_trace *s, uint32_t i); /* ... its value in trace time */
} event_table;

#define WORKER                                                                                                         \
    {                                                                                                                  \
        "worker", "TEXT", "whose trace it is in"                                                                       \
    }
#define SPAN                                                                                                           \
    {                                                                                                                  \
        "span", "TEXT", "profiled span"                                                                                \
    }
#define AT                                                                                                             \
    {                                                                                                                  \
        "at", "TIME", "ns since the earliest event of all that is loaded"                                              \
    }
#define TRACK                                                                                                          \
    {                                                                                                                  \
        "track", "INTEGER", "tracks.id"                                                                                \
    }
#define TABLE(name, help, columns)                                                                                     \
    {                                                                                                                  \
        name, help, columns, (uint32_t)(sizeof(columns) / sizeof *(columns))                                           \
    }

/* Put a column that several tables have; false: the column is none of them. */
static bool put_common(sqlite3_context *c, const row *r, const char *name)
{
    if (!strcmp(name, "id"))
        tt_sql_put_id(c, r->trace, r->i);
    else if (!strcmp(name, "worker"))
        tt_sql_put_text(c, r->s->worker);
    else if (!strcmp(name, "span"))
        tt_sql_put_text(c, r->s->span);
    else
        return false;
    return true;
}

static void put_time(sqlite3_context *c, const row *r, int64_t t)
{
    sqlite3_result_int64(c, t + r->data->session->offset_ns[r->trace]);
}

static void put_track(sqlite3_context *c, const row *r, uint32_t track)
{
    if (track < r->s->n_tracks) tt_sql_put_id(c, r->trace, track);
}

/* ---- counters ---- */

enum { CO_ID, CO_AT, CO_NAME, CO_SERIES, CO_VALUE, CO_PROCESS };
static const tt_sql_column counter_columns[] = {
    {"id", "INTEGER", "number of the sample"},
    AT,
    {"name", "TEXT", "of the counter"},
    {"series", "TEXT", "which of its lines"},
    {"value", "REAL", "as the trace has it"},
    {"process", "TEXT", "pid"},
    WORKER,
    SPAN,
};

static uint32_t n_counters(const tt_trace *s) { return s->n_samples; }

static const tt_series *series_of(const tt_trace *s, uint32_t sample)
{
    uint32_t lo = 0, hi = s->n_series;
    TT_BISECT(lo, hi, i, s->series[i].first <= sample);
    return &s->series[lo - 1];
}

static void put_counter(sqlite3_context *c, const row *r, int col)
{
    const tt_series *series = series_of(r->s, r->i);
    switch (col) {
    case CO_AT: put_time(c, r, r->s->samples[r->i].ts); break;
    case CO_NAME: tt_sql_put_sid(c, r->s, series->name); break;
    case CO_SERIES: tt_sql_put_sid(c, r->s, series->key); break;
    case CO_VALUE: sqlite3_result_double(c, r->s->samples[r->i].value); break;
    default: tt_sql_put_sid(c, r->s, series->pid);
    }
}

/* ---- memory ---- */

enum { ME_ID, ME_AT, ME_DEVICE, ME_BYTES, ME_ADDRESS, ME_ALLOCATED, ME_RESERVED, ME_POOL, ME_OPERATOR, ME_TRACK };
static const tt_sql_column memory_columns[] = {
    {"id", "INTEGER", "number of the record"},
    AT,
    {"device", "TEXT", "GPU0, CPU"},
    {"bytes", "BYTES", "allocated, or freed: below 0"},
    {"address", "INTEGER", "equal for an allocation and its free"},
    {"allocated", "BYTES", "in use after it"},
    {"reserved", "BYTES", "held by the allocator after it"},
    {"pool", "BOOLEAN", "the allocator's own: taken from the device or given back"},
    {"operator", "TEXT", "name of the operator that made it"},
    TRACK,
    WORKER,
    SPAN,
};

static uint32_t n_memory(const tt_trace *s) { return s->n_memory; }
static int64_t memory_at(const tt_trace *s, uint32_t i) { return s->memory[i].ts; }

static void put_maker(sqlite3_context *c, const tt_trace *s, const tt_memory_record *m)
{
    if (m->maker) {
        tt_sql_put_sid(c, s, m->maker);
    } else if (m->track < s->n_tracks) {
        tt_row r = tt_track_slice_at(s, m->track, m->ts, 1u << TT_KIND_CPU_OP);
        if (r != TT_NONE) tt_sql_put_sid(c, s, s->name[r]);
    }
}

static void put_memory(sqlite3_context *c, const row *r, int col)
{
    const tt_memory_record *m = &r->s->memory[r->i];
    switch (col) {
    case ME_AT: put_time(c, r, m->ts); break;
    case ME_DEVICE: tt_sql_put_device(c, r->s, m->device_type, m->device_id); break;
    case ME_BYTES: sqlite3_result_int64(c, m->bytes); break;
    case ME_ADDRESS:
        if (m->addr) sqlite3_result_int64(c, (sqlite3_int64)m->addr);
        break;
    case ME_ALLOCATED: tt_sql_put_known(c, m->allocated); break;
    case ME_RESERVED: tt_sql_put_known(c, m->reserved); break;
    case ME_POOL: sqlite3_result_int(c, m->pool); break;
    case ME_OPERATOR: put_maker(c, r->s, m); break;
    default: put_track(c, r, m->track);
    }
}

/* ---- flows ---- */

enum { FL_ID, FL_AT, FL_CATEGORY, FL_PHASE, FL_FLOW, FL_SLICE, FL_TRACK };
static const tt_sql_column flow_columns[] = {
    {"id", "INTEGER", "number of the end"},
    AT,
    {"category", "TEXT", "as the trace has it: fwdbwd; flows from launches to work are slices.launch"},
    {"phase", "TEXT", "s: begins, t: passes, f: ends"},
    {"flow", "INTEGER", "equal for the ends of one flow of one category"},
    {"slice", "SLICE", "slice around it"},
    TRACK,
    WORKER,
    SPAN,
};

static uint32_t n_flows(const tt_trace *s) { return s->n_flows; }

static void put_flow(sqlite3_context *c, const row *r, int col)
{
    const tt_flow *f = &r->s->flows[r->i];
    const char phase = (char)f->phase;
    switch (col) {
    case FL_AT: put_time(c, r, f->ts); break;
    case FL_CATEGORY: tt_sql_put_sid(c, r->s, r->s->cats[f->cat].name); break;
    case FL_PHASE: sqlite3_result_text(c, &phase, 1, SQLITE_TRANSIENT); break;
    case FL_FLOW: sqlite3_result_int64(c, f->id); break;
    case FL_SLICE:
        if (f->track < r->s->n_tracks) tt_sql_put_id(c, r->trace, tt_track_slice_at(r->s, f->track, f->ts, UINT32_MAX));
        break;
    default: put_track(c, r, f->track);
    }
}

/* ---- steps ---- */

enum { ST_ID, ST_NUMBER, ST_START, ST_DURATION, ST_HOST_START, ST_HOST_DURATION, ST_SLICE, ST_WORK, ST_KEPT };
static const tt_sql_column step_columns[] = {
    {"id", "INTEGER", "number of the row"},
    {"number", "INTEGER", "of the step: slices.step"},
    {"start", "TIME", "ns since the earliest event of all that is loaded"},
    {"duration", "DURATION", "ns, to the end of its device work"},
    {"host_start", "TIME", "of the step on the CPU"},
    {"host_duration", "DURATION", "of the step on the CPU"},
    {"slice", "SLICE", "of the step on the CPU"},
    {"device_work", "INTEGER", "device slices launched in it"},
    {"kept", "BOOLEAN", "0: an incomplete last step, which tables of steps leave out"},
    WORKER,
    SPAN,
};

/* A trace without steps counts as one step without an event: it has no row here. */
static uint32_t n_steps(const tt_trace *s) { return s->n_steps && s->steps[0].row == TT_NONE ? 0 : s->n_steps; }

static void put_step(sqlite3_context *c, const row *r, int col)
{
    const tt_step *p = &r->s->steps[r->i];
    switch (col) {
    case ST_NUMBER: sqlite3_result_int64(c, p->number); break;
    case ST_START: put_time(c, r, p->start); break;
    case ST_DURATION: sqlite3_result_int64(c, p->end - p->start); break;
    case ST_HOST_START: put_time(c, r, p->host_start); break;
    case ST_HOST_DURATION: sqlite3_result_int64(c, p->host_end - p->host_start); break;
    case ST_SLICE: tt_sql_put_id(c, r->trace, p->row); break;
    case ST_WORK: sqlite3_result_int64(c, p->device_work); break;
    default: sqlite3_result_int(c, p->kept);
    }
}

/* ---- tracks ---- */

enum { TR_ID, TR_NAME, TR_KIND, TR_PROCESS, TR_PROCESS_NAME, TR_THREAD, TR_DEVICE, TR_STREAM, TR_SLICES, TR_DEPTHS };
static const tt_sql_column track_columns[] = {
    {"id", "INTEGER", "slices.track"},
    {"name", "TEXT", "of the thread or stream"},
    {"kind", "TEXT", "thread, stream, async or meta (the profiler's own)"},
    {"process", "TEXT", "pid"},
    {"process_name", "TEXT", "as the trace has it"},
    {"thread", "TEXT", "tid"},
    {"device", "TEXT", "of a stream: GPU0"},
    {"stream", "INTEGER", "of a stream"},
    {"slices", "INTEGER", "how many it has"},
    {"depths", "INTEGER", "how many rows they take"},
    WORKER,
    SPAN,
};

static uint32_t n_tracks(const tt_trace *s) { return s->n_tracks; }

static void put_track_cell(sqlite3_context *c, const row *r, int col)
{
    static const char *const kinds[] = {"thread", "stream", "async", "meta"};
    const tt_track *t = &r->s->tracks[r->i];
    switch (col) {
    case TR_NAME: tt_sql_put_sid(c, r->s, t->name); break;
    case TR_KIND: tt_sql_put_text(c, kinds[t->kind]); break;
    case TR_PROCESS: tt_sql_put_sid(c, r->s, t->pid); break;
    case TR_PROCESS_NAME: tt_sql_put_sid(c, r->s, r->s->processes[t->process].name); break;
    case TR_THREAD: tt_sql_put_sid(c, r->s, t->tid); break;
    case TR_DEVICE:
        if (t->device >= 0) tt_sql_put_device(c, r->s, 1, t->device);
        break;
    case TR_STREAM:
        if (t->stream >= 0) sqlite3_result_int64(c, t->stream);
        break;
    case TR_SLICES: sqlite3_result_int64(c, t->n); break;
    default: sqlite3_result_int64(c, t->depths);
    }
}

/* ---- instants ---- */

enum { IN_ID, IN_AT, IN_NAME, IN_CATEGORY, IN_SCOPE, IN_ARGS, IN_TRACK };
static const tt_sql_column instant_columns[] = {
    {"id", "INTEGER", "number of the event"},
    AT,
    {"name", "TEXT", "as the trace has it"},
    {"category", "TEXT", "as the trace has it"},
    {"scope", "TEXT", "t: of its thread, p: of its process, g: of all"},
    {"args", "TEXT", "all arguments as JSON, read again from the file"},
    TRACK,
    WORKER,
    SPAN,
};

static uint32_t n_instants(const tt_trace *s) { return s->n_instants; }
static int64_t instant_at(const tt_trace *s, uint32_t i) { return s->instants[i].ts; }

static void put_instant(sqlite3_context *c, const row *r, int col)
{
    const tt_instant *e = &r->s->instants[r->i];
    switch (col) {
    case IN_AT: put_time(c, r, e->ts); break;
    case IN_NAME: tt_sql_put_sid(c, r->s, e->name); break;
    case IN_CATEGORY: tt_sql_put_sid(c, r->s, r->s->cats[e->cat].name); break;
    case IN_SCOPE:
        if (e->scope) sqlite3_result_text(c, &e->scope, 1, SQLITE_TRANSIENT);
        break;
    case IN_ARGS: tt_sql_put_args(c, r->data, r->trace, e->text); break;
    default: put_track(c, r, e->track);
    }
}

/* ---- all of them ---- */

static const event_table tables[] = {
    {TABLE("counters", "sample of a counter", counter_columns), n_counters, put_counter, -1, NULL},
    {TABLE("memory", "allocation or free", memory_columns), n_memory, put_memory, ME_AT, memory_at},
    {TABLE("flows", "end of a flow between slices", flow_columns), n_flows, put_flow, -1, NULL},
    {TABLE("steps", "profiler step", step_columns), n_steps, put_step, -1, NULL},
    {TABLE("tracks", "thread, stream or row of the profiler", track_columns), n_tracks, put_track_cell, -1, NULL},
    {TABLE("instants", "event without a duration", instant_columns), n_instants, put_instant, IN_AT, instant_at},
};

const tt_sql_table *tt_sql_event_table(uint32_t i)
{
    return i < sizeof tables / sizeof *tables ? &tables[i].table : NULL;
}

typedef struct events_vtab {
    sqlite3_vtab base;
    tt_sql_data *data;
    const event_table *of;
} events_vtab;

typedef struct events_cursor {
    sqlite3_vtab_cursor base;
    const events_vtab *table;
    uint32_t trace, i, end;
    int64_t t0, t1; /* session axis, inclusive */
    bool one, eof;  /* one: rows of `trace` alone */
} events_cursor;

typedef struct registered { /* the argument of the module's functions */
    tt_sql_data *data;
    const event_table *of;
} registered;

static int connect_events(sqlite3 *db, void *arg, int argc, const char *const *argv, sqlite3_vtab **out, char **err)
{
    const registered *r = arg;
    (void)argc;
    (void)argv;
    (void)err;
    int rc = tt_sql_declare(r->data, db, r->of->table.columns, r->of->table.n_columns);
    if (rc != SQLITE_OK) return rc;
    events_vtab *t = tt_calloc(1, sizeof *t);
    t->data = r->data;
    t->of = r->of;
    *out = &t->base;
    return SQLITE_OK;
}

static int disconnect_events(sqlite3_vtab *t)
{
    free(t);
    return SQLITE_OK;
}

static double rows_of(const events_vtab *t)
{
    double n = 1;
    for (uint32_t i = 0; i < t->data->session->n_traces; i++) n += t->of->count(t->data->session->traces[i]);
    return n;
}

/* Find rows by id, or by bounds on their time; idxStr has the operators of the bounds. */
static int plan_events(sqlite3_vtab *vtab, sqlite3_index_info *info)
{
    const events_vtab *t = (const events_vtab *)vtab;
    double rows = rows_of(t);
    char *ops = sqlite3_malloc64((sqlite3_uint64)info->nConstraint + 1);
    int taken = 0;
    if (!ops) return SQLITE_NOMEM;
    for (int i = 0; i < info->nConstraint; i++) {
        const struct sqlite3_index_constraint *c = &info->aConstraint[i];
        bool eq = c->op == SQLITE_INDEX_CONSTRAINT_EQ, gt = c->op == SQLITE_INDEX_CONSTRAINT_GT,
             ge = c->op == SQLITE_INDEX_CONSTRAINT_GE, lt = c->op == SQLITE_INDEX_CONSTRAINT_LT,
             le = c->op == SQLITE_INDEX_CONSTRAINT_LE;
        bool by_id = c->iColumn <= 0 && eq, by_time = c->iColumn >= 0 && c->iColumn == t->of->time;
        if (!c->usable || !(by_id || (by_time && (eq || gt || ge || lt || le)))) continue;
        ops[taken++] = by_id ? 'i' : eq ? '=' : gt || ge ? '>' : '<';
        info->aConstraintUsage[i].argvIndex = taken;
        rows = by_id ? 1 : rows * 0.3 + 1;
    }
    ops[taken] = '\0';
    info->idxStr = ops;
    info->needToFreeIdxStr = 1;
    info->estimatedRows = (sqlite3_int64)rows;
    info->estimatedCost = rows;
    return SQLITE_OK;
}

static int open_events(sqlite3_vtab *t, sqlite3_vtab_cursor **out)
{
    events_cursor *c = tt_calloc(1, sizeof *c);
    c->table = (const events_vtab *)t;
    *out = &c->base;
    return SQLITE_OK;
}

static int close_events(sqlite3_vtab_cursor *c)
{
    free(c);
    return SQLITE_OK;
}

/* Go to the rows of the current trace, or of the next trace with rows. */
static void enter_trace(events_cursor *c)
{
    const tt_session *s = c->table->data->session;
    const event_table *of = c->table->of;
    for (; c->trace < s->n_traces; c->trace++) {
        const tt_trace *t = s->traces[c->trace];
        uint32_t n = of->count(t), lo = 0, hi = n;
        int64_t shift = s->offset_ns[c->trace];
        if (of->at && c->t0 != INT64_MIN) TT_BISECT(lo, hi, i, of->at(t, i) + shift < c->t0);
        c->i = lo;
        hi = n;
        if (of->at && c->t1 != INT64_MAX) TT_BISECT(lo, hi, i, of->at(t, i) + shift <= c->t1);
        c->end = hi;
        if (c->i < c->end) return;
    }
    c->eof = true;
}

static int filter_events(sqlite3_vtab_cursor *cursor, int plan, const char *ops, int n, sqlite3_value **values)
{
    events_cursor *c = (events_cursor *)cursor;
    (void)plan;
    c->trace = c->i = c->end = 0;
    c->t0 = INT64_MIN;
    c->t1 = INT64_MAX;
    c->one = c->eof = false;
    for (int k = 0; k < n; k++) {
        int64_t lo = INT64_MIN, hi = INT64_MAX;
        int op = ops[k] == '>'   ? SQLITE_INDEX_CONSTRAINT_GE
                 : ops[k] == '<' ? SQLITE_INDEX_CONSTRAINT_LE
                                 : SQLITE_INDEX_CONSTRAINT_EQ;
        if (ops[k] != 'i') {
            tt_sql_narrow(values[k], op, &c->t0, &c->t1);
            continue;
        }
        tt_sql_narrow(values[k], op, &lo, &hi);
        c->one = true;
        c->eof = lo != hi || !tt_sql_id_of(c->table->data, lo, c->table->of->count, &c->trace, &c->i);
    }
    if (!c->one) enter_trace(c);
    return SQLITE_OK;
}

static int next_event(sqlite3_vtab_cursor *cursor)
{
    events_cursor *c = (events_cursor *)cursor;
    if (c->one) {
        c->eof = true;
    } else if (++c->i >= c->end) {
        c->trace++;
        enter_trace(c);
    }
    return SQLITE_OK;
}

static int no_more_events(sqlite3_vtab_cursor *c) { return ((events_cursor *)c)->eof; }

static int put_event(sqlite3_vtab_cursor *cursor, sqlite3_context *context, int col)
{
    const events_cursor *c = (const events_cursor *)cursor;
    tt_sql_data *d = c->table->data;
    row r = {d, d->session->traces[c->trace], c->trace, c->i};
    if (!put_common(context, &r, c->table->of->table.columns[col].name)) c->table->of->put(context, &r, col);
    return SQLITE_OK;
}

static int event_rowid(sqlite3_vtab_cursor *cursor, sqlite3_int64 *out)
{
    const events_cursor *c = (const events_cursor *)cursor;
    *out = tt_sql_id(c->trace, c->i);
    return SQLITE_OK;
}

int tt_sql_register_events(sqlite3 *db, tt_sql_data *d)
{
    static const sqlite3_module module = {
        .xConnect = connect_events,
        .xDisconnect = disconnect_events,
        .xBestIndex = plan_events,
        .xOpen = open_events,
        .xClose = close_events,
        .xFilter = filter_events,
        .xNext = next_event,
        .xEof = no_more_events,
        .xColumn = put_event,
        .xRowid = event_rowid,
    };
    int rc = SQLITE_OK;
    for (size_t i = 0; i < sizeof tables / sizeof *tables && rc == SQLITE_OK; i++) {
        registered *r = tt_malloc(sizeof *r);
        *r = (registered){d, &tables[i]};
        rc = sqlite3_create_module_v2(db, tables[i].table.name, &module, r, free);
    }
    return rc;
}
