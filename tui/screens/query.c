/* tui/screens/query.c - the answer to an SQL query (`:sql`) as a table, which the user sorts, filters and copies
 * like any other; a row with the id of a slice leads to the slice on the timeline.
 *
 * The query runs on the worker; Esc stops it. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "tui/screen/host.h"
#include "tui/sql/sql.h"
#include "tui/table/table_widget.h"

typedef struct query_job {
    tt_screen *screen;
    tt_session *session;
    char *text;
    tt_table *table;
    tt_err err;
    tt_status status;
    _Atomic bool stop;
    bool ran;
} query_job;

typedef struct query {
    tt_table_view *view; /* the answer; NULL while the query runs, and after an error */
    query_job *job;      /* the query that runs for this screen; NULL = none */
    char error[1024];
} query;

static query *of(const tt_screen *s) { return s->state; }

static void run_query(void *arg)
{
    query_job *j = arg;
    tt_sql_limits limits = {.time_ns = TT_SQL_SECONDS * INT64_C(1000000000), .stop = &j->stop};
    const char *rest;
    tt_sql *q = NULL;
    j->status = tt_sql_open(j->session, &limits, &q, &j->err);
    if (j->status == TT_OK) j->status = tt_sql_run(q, j->text, &rest, &j->table, &j->err);
    if (j->status == TT_OK && !j->table) j->status = tt_fail(&j->err, TT_ERR_USAGE, -1, "SQL: there is no query");
    tt_sql_close(q);
    j->ran = true;
}

static void query_done(void *arg, tt_host *a)
{
    query_job *j = arg;
    query *q = of(j->screen);
    if (q->job == j) {
        q->job = NULL;
        if (j->ran && j->status == TT_OK) {
            tt_table_style style = {.title = "SQL", .empty = "no rows"};
            q->view = tt_table_view_take(a, j->table, &style);
            j->table = NULL;
        } else if (j->ran) {
            snprintf(q->error, sizeof q->error, "%s", j->err.message);
            tt_host_set_status(a, "%.400s", q->error);
        }
        tt_host_dirty(a);
    }
    tt_table_free(j->table);
    free(j->text);
    free(j);
}

static void ask(tt_screen *s)
{
    query *q = of(s);
    query_job *j = tt_calloc(1, sizeof *j);
    j->screen = s;
    j->session = tt_host_session(s->host);
    j->text = tt_strdup(tt_host_query(s->host));
    q->error[0] = '\0';
    q->job = j;
    tt_host_job(s->host, run_query, query_done, j);
}

static void close_query(tt_screen *s)
{
    query *q = of(s);
    if (q->job) atomic_store(&q->job->stop, true);
    q->job = NULL;
    tt_table_view_free(q->view);
    q->view = NULL;
}

/* Ask again, because the session has grown. */
static void renew_query(tt_screen *s, int64_t shift)
{
    (void)shift;
    close_query(s);
    ask(s);
}

static void draw_query(tt_screen *s, tt_canvas *c)
{
    const query *q = of(s);
    if (q->view) {
        tt_table_view_draw(q->view, c, true);
        return;
    }
    tt_rule(c, 0, "SQL", NULL);
    int lines = tt_put_wrapped(c, 1, 2, c->h - 1, c->w - 4, TT_ROLE_TEXT, tt_host_query(s->host));
    tt_put_wrapped(c, lines + 2, 2, c->h - 1, c->w - 4, TT_ROLE_DIM, *q->error ? q->error : "running ... Esc stops it");
}

static bool act_query(tt_screen *s, tt_action a)
{
    query *q = of(s);
    if (q->view) return tt_table_view_act(q->view, a);
    if (a != TT_ACT_CANCEL || !q->job) return false;
    atomic_store(&q->job->stop, true);
    return true;
}

static tt_focus focus_query(const tt_screen *s) { return (tt_focus){.at[0] = {&tt_table_focus, of(s)->view}}; }
static bool mouse_query(tt_screen *s, const tt_mouse *m) { return of(s)->view && tt_table_view_mouse(of(s)->view, m); }

static void save_query(const tt_screen *s, tt_screen_place *p)
{
    if (of(s)->view) tt_table_view_save(of(s)->view, &p->table);
}

static void restore_query(tt_screen *s, const tt_screen_place *p)
{
    if (of(s)->view) tt_table_view_restore(of(s)->view, &p->table);
}

const tt_screen_ops tt_screen_query = {
    .tab = {.name = "query", .title = "SQL", .brief = "SQL"},
    .context = TT_CTX_TABLE,
    .state_size = sizeof(query),
    .open = ask,
    .close = close_query,
    .renew = renew_query,
    .draw = draw_query,
    .act = act_query,
    .focus = focus_query,
    .mouse = mouse_query,
    .place = {.save = save_query, .restore = restore_query},
};
