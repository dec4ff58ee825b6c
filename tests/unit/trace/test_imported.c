/* tests/unit/trace/test_imported.c - tables that traces import: the session's list of them, rows, scope, order, and
 * asking for them by name. */
#include "model/tables/registry/registry.h"
#include "model/trace/imported.h"
#include "tests/unit/check.h"
#include "tests/unit/fixture.h"
#include "tui/args/summary_options.h"

static tt_trace *trace_of(const char *worker, int64_t origin_ns)
{
    tt_trace *s = fixture_trace(worker, "1", origin_ns, true);
    fixture_track(s, TT_TRACK_THREAD, "main");
    fixture_slice(s, TT_KIND_CPU_OP, "op", 0, 1000, NULL);
    return s;
}

/* Rows of name, start and duration; starts count from the trace's origin. */
static void bring_phases(tt_trace *s)
{
    tt_imported *t = tt_imported_new("Step Phases", "Phases\033[2J", "parts of steps");
    CHECK_INT(tt_imported_column(t, "name", "Name", TT_T_STRING, "phase"), 0);
    CHECK_INT(tt_imported_column(t, "start_at_ns", "Start", TT_T_TIME, "begin"), 1);
    CHECK_INT(tt_imported_column(t, "total_ns", "Total", TT_T_DURATION, "length"), 2);
    CHECK_INT(tt_imported_column(t, "share_pct", "Share", TT_T_PERCENT, "share"), 3);
    tt_imported_sort(t, 2, true);
    static const int64_t starts[] = {0, 200, 600}, lengths[] = {200, 400, 100};
    for (uint32_t i = 0; i < 3; i++) {
        CHECK_INT(tt_imported_row(t), i);
        tt_imported_set_s(t, i, 0, i == 1 ? "forward" : "data", i == 1 ? 7 : 4);
        tt_imported_set_i(t, i, 1, s->origin_ns + starts[i]);
        tt_imported_set_i(t, i, 2, lengths[i]);
        if (i < 2) tt_imported_set_d(t, i, 3, 12.5);
    }
    tt_trace_import(s, t);
}

static void bring_one(tt_trace *s, const char *id, const char *key, tt_type type)
{
    tt_imported *t = tt_imported_new(id, id, "one cell");
    tt_imported_column(t, key, key, type, "");
    tt_imported_row(t);
    tt_trace_import(s, t);
}

static void end(tt_session *s)
{
    for (uint32_t i = 0; i < s->n_traces; i++) {
        for (uint32_t k = 0; k < s->traces[i]->n_imported; k++) tt_imported_free(s->traces[i]->imported[k]);
        free(s->traces[i]->imported);
    }
    fixture_session_free(s);
}

static void test_rows(void)
{
    tt_trace *t[2] = {trace_of("w0", 5000), trace_of("w1", 7000)};
    bring_phases(t[0]);
    bring_phases(t[1]);
    tt_session *s = tt_session_new(t, 2, NULL);
    CHECK_INT(tt_session_tables(NULL).n, tt_n_tables);
    CHECK_INT(tt_session_tables(s).n, tt_n_tables + 1);
    CHECK(tt_session_table(NULL, "step_phases") == NULL);
    CHECK(tt_session_table(s, "kernels") == tt_table_find("kernels"));
    const tt_table_desc *d = tt_session_table(s, "step_phases");
    CHECK_STR(d->title, "Phases\xe2\x90\x9b[2J"); /* ESC shows as its picture */
    const tt_table *all = tt_table_get(s, d, &tt_scope_all, NULL);
    CHECK_INT(all->n_rows, 6);
    CHECK_INT(all->n_cols, 5);
    CHECK_STR(all->cols[0]->key, "worker");
    CHECK_STR(tt_table_cell(all, 0, 0).s, "w0");
    CHECK_STR(tt_table_cell(all, 5, 0).s, "w1");
    CHECK_STR(tt_table_cell(all, 1, 1).s, "forward");
    CHECK_INT(tt_table_cell(all, 1, 2).i, 200);
    CHECK_INT(tt_table_cell(all, 4, 2).i, 2200); /* w1 begins 2000 ns later on the common axis */
    CHECK(tt_cell_unknown(TT_T_PERCENT, tt_table_cell(all, 2, 4)));
    CHECK(all->drilldowns && all->drilldowns[4].t0 == 2200 && all->drilldowns[4].t1 == 2600);

    tt_row_order_spec spec = tt_row_order_default(all);
    tt_row_order order;
    tt_err err;
    spec.filter = "FORW";
    CHECK_INT(tt_row_order_make(all, &spec, &order, &err), TT_OK);
    CHECK(order.n == 2 && spec.desc && !strcmp(all->cols[spec.sort_col]->key, "total_ns"));
    tt_row_order_free(&order);

    tt_scope part = tt_scope_all;
    part.worker = 1;
    part.has_range = true;
    part.t0 = 2100;
    part.t1 = 2601;
    const tt_table *some = tt_table_get(s, d, &part, NULL);
    CHECK_INT(some->n_rows, 2); /* the rows that begin in the window */
    CHECK_INT(tt_table_cell(some, 0, 2).i, 2200);
    end(s);
}

static void test_clashes(void)
{
    tt_trace *t[2] = {trace_of("w0", 0), trace_of("w1", 0)};
    bring_one(t[0], "operators", "note", TT_T_STRING);
    bring_one(t[0], "all", "note", TT_T_STRING);
    bring_one(t[0], "queues", "size", TT_T_COUNT);
    bring_one(t[1], "queues", "depth", TT_T_COUNT); /* other columns: the joined table has both */
    bring_one(t[1], "queues", "size", TT_T_STRING); /* another type makes a separate table */
    tt_trace_import(t[1], tt_imported_new("nothing", "", ""));
    tt_session *s = tt_session_new(t, 2, NULL);
    CHECK_INT(tt_session_tables(s).n, tt_n_tables + 4);
    CHECK(tt_session_table(s, "operators") == tt_table_find("operators"));
    CHECK(tt_session_table(s, "operators_imported") && tt_session_table(s, "all_imported"));
    const tt_table *q = tt_table_get(s, tt_session_table(s, "queues"), &tt_scope_all, NULL);
    CHECK_INT(q->n_rows, 2);
    CHECK(q->n_cols == 3 && !strcmp(q->cols[1]->key, "size") && !strcmp(q->cols[2]->key, "depth"));
    const tt_table_desc *other = tt_session_table(s, "queues_imported");
    CHECK(other && other->cols[0].type == TT_T_STRING);
    end(s);
}

static void test_keys(void)
{
    tt_imported *t = tt_imported_new("", "", "");
    CHECK_STR(t->id, "_");
    tt_imported_column(t, "Task Type", "", TT_T_STRING, "");
    tt_imported_column(t, "task_type", "", TT_T_STRING, "");
    CHECK_STR(t->cols[0].key, "task_type");
    CHECK_STR(t->cols[1].key, "2_task_type");
    for (uint32_t i = 0; i < 1000; i++) CHECK_INT(tt_imported_row(t), i);
    CHECK(t->cells[1999].s == NULL);
    tt_imported_free(t);
}

/* `summary --table NAME` before and after the trace is loaded. */
static void test_asking(void)
{
    tt_trace *t = trace_of("w0", 0);
    bring_phases(t);
    tt_session *s = tt_session_new(&t, 1, NULL);
    tt_select sel = {0};
    tt_err err;
    tt_cli cli = {.command = TT_CMD_SUMMARY};
    cli.value[TT_OPT_TABLE] = "run,step_phases";
    cli.value[TT_OPT_SORT] = "share_pct:asc";
    CHECK_INT(tt_select_parse(&cli, &sel, &err), TT_ERR_USAGE); /* no input can import a table: reported at once */
    tt_select_free(&sel);
    CHECK_INT(tt_select_tables(&cli, s, &sel, &err), TT_OK);
    CHECK(sel.tables.n == 2 && sel.tables.at[1] == tt_session_table(s, "step_phases"));
    cli.value[TT_OPT_TABLE] = "all";
    CHECK_INT(tt_select_tables(&cli, s, &sel, &err), TT_OK);
    uint32_t of_one_run = 0;
    for (uint32_t i = 0; i < tt_n_tables; i++)
        of_one_run += !(tt_tables[i]->flags & (TT_TABLE_COMPARE | TT_TABLE_RUNS));
    CHECK_INT(sel.tables.n, of_one_run + 1);
    cli.value[TT_OPT_TABLE] = "step_phase";
    CHECK_INT(tt_select_tables(&cli, s, &sel, &err), TT_ERR_USAGE);
    CHECK_STR(err.message, "--table: there is no table 'step_phase'; did you mean 'step_phases'?");
    cli.value[TT_OPT_TABLE] = "xyz";
    CHECK_INT(tt_select_tables(&cli, s, &sel, &err), TT_ERR_USAGE);
    CHECK_STR(err.message,
              "--table: there is no table 'xyz'; 'tracetty tables' lists them, and the input brings step_phases");
    tt_select_free(&sel);
    end(s);
}

int main(void)
{
    test_rows();
    test_clashes();
    test_keys();
    test_asking();
    return check_done();
}
