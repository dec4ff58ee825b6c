/* model/tables/verdict/runs.c - see runs.h. A session's table has one row, the run itself; callers that know the
 * folder's other runs pass their rows. */
#include "model/tables/verdict/runs.h"
#include "model/tables/verdict/tables.h"

#include <string.h>

#include "model/tables/cells.h"
#include "model/tables/table_util.h"
#include "model/tables/verdict/columns.h"

enum { RUN, PATH, WORKERS, FORMAT, VERDICT, BUSY, ACCOUNT, STEPS };

static const tt_column columns[] = {
    COL("run", "Run", STRING, 0, "name of the run, as --run has it; unknown of several paths"),
    COL("path", "Path", STRING, 3, "folder or file of the run; unknown of several paths"),
    COL("workers", "Workers", COUNT, 1, "distinct workers; unknown where nothing could be read"),
    COL("format", "Format", STRING, 2,
        "format of the traces, \"mixed\" of several; unknown where nothing could be read"),
    COL("verdict", "Verdict", STRING, 0,
        "the first line: text of the row verdict of table overview; of a run that cannot be read why not"),
    COL("busy_pct", "Busy", PERCENT, 0, "share of the account in which a device is busy, mean over the devices"),
    COL("account_ns", "Account", DURATION, 0,
        "length of the account: of the first worker that has complete steps, else of the first worker"),
    COL("steps", "Steps", COUNT, 0, "complete steps in that account; unknown without steps"),
};

static const tt_table *overview_of(const tt_session *s, const tt_scope *scope)
{
    return tt_table_get(s, &tt_table_overview, scope, NULL);
}

static bool is(const tt_table *overview, uint32_t row, const char *what)
{
    return !strcmp(tt_cell_s(overview, row, TT_OVERVIEW_WHAT), what);
}

/* Name of the run; a run of one file is named after the file. */
static const char *name_of(const tt_session *s)
{
    const char *slash = strrchr(s->path, '/');
    if (*s->run) return s->run;
    return *s->path ? (slash && slash[1] ? slash + 1 : s->path) : NULL;
}

static tt_run_row unknown(const char *run, const char *path)
{
    return (tt_run_row){.run = run,
                        .path = path,
                        .workers = TT_UNKNOWN,
                        .busy_pct = NAN,
                        .account_ns = TT_UNKNOWN,
                        .steps = TT_UNKNOWN};
}

tt_run_row tt_run_row_of(const tt_session *s, const tt_scope *scope)
{
    const tt_table *t = overview_of(s, scope);
    tt_run_row out = unknown(name_of(s), *s->path ? s->path : NULL);
    double busy = 0;
    uint32_t devices = 0;
    bool any = false;
    out.source = tt_session_format(s);
    out.workers = s->n_workers;
    for (uint32_t r = 0; r < t->n_rows; r++) {
        int64_t count = tt_cell_i(t, r, TT_OVERVIEW_COUNT);
        if (is(t, r, "window") && (!any || (out.steps == TT_UNKNOWN && count != TT_UNKNOWN))) {
            any = true;
            out.account_ns = tt_cell_i(t, r, TT_OVERVIEW_TIME);
            out.steps = count;
        } else if (is(t, r, "device")) {
            busy += tt_cell_d(t, r, TT_OVERVIEW_PCT);
            devices++;
        } else if (is(t, r, "verdict")) {
            const char *text = tt_cell_s(t, r, TT_OVERVIEW_TEXT);
            out.verdict = *text ? text : NULL;
        }
    }
    if (devices) out.busy_pct = busy / devices;
    return out;
}

tt_run_row tt_run_row_unread(const char *run, const char *path, const char *message)
{
    const char *why = message ? strstr(message, ": ") : NULL;
    tt_run_row out = unknown(run, path);
    out.verdict = why ? why + 2 : message;
    return out;
}

static void add_row(tt_table *t, const tt_run_row *x)
{
    uint32_t row = tt_table_add(t);
    tt_set_s(t, row, RUN, x->run);
    tt_set_s(t, row, PATH, x->path);
    tt_set_i(t, row, WORKERS, x->workers);
    tt_set_s(t, row, FORMAT, x->source);
    tt_set_s(t, row, VERDICT, x->verdict);
    tt_set_d(t, row, BUSY, x->busy_pct);
    tt_set_i(t, row, ACCOUNT, x->account_ns);
    tt_set_i(t, row, STEPS, x->steps);
}

static void compute(const tt_query *q, tt_table *t)
{
    const tt_options *o = &q->options;
    for (uint32_t i = 0; o->runs && i < o->n_runs; i++) add_row(t, &o->runs[i]);
    if (o->runs) return;
    tt_run_row own = tt_run_row_of(q->session, q->scope);
    add_row(t, &own);
}

const tt_table_desc tt_table_runs = {
    .id = "runs",
    .title = "Runs",
    .meaning = "the runs of a folder, each in one line: its first line, how busy its devices are, its account",
    .cols = columns,
    .n_cols = COUNT_OF(columns),
    .flags = TT_TABLE_ALL_TRACES | TT_TABLE_RUNS,
    .compute = compute,
};
