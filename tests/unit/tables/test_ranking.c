// The order of findings: the end of the program and the kind of file come before costs of time; a symptom comes after
// its root, the root of its own trace before the root of another.
#include "model/tables/findings/ranking.h"

#include <string.h>

#include "model/tables/cells.h"
#include "model/tables/findings/claims/columns.h"
#include "model/tables/registry/registry.h"
#include "tests/unit/check.h"
#include "tests/unit/fixture.h"

enum {
    WORKER = TT_FINDING_END_AT + 1,
    COLUMNS
}; // columns of the table findings, and a worker, which findings of a single trace lack

typedef struct finding {
    const char *worker, *id, *severity, *cause;
    int64_t time, saving;
} finding;
#define NONE TT_UNKNOWN

static const finding *given; // findings that compute() returns, up to the one without an id

static void compute(const tt_query *q, tt_table *t)
{
    (void)q;
    for (const finding *f = given; f->id; f++) {
        uint32_t row = tt_table_add(t);
        if (f->worker) tt_set_ref(t, row, WORKER, f->worker);
        tt_set_ref(t, row, TT_FINDING_ID, f->id);
        tt_set_ref(t, row, TT_FINDING_SEVERITY, f->severity);
        if (f->cause) tt_set_ref(t, row, TT_FINDING_CAUSE, f->cause);
        tt_set_ref(t, row, TT_FINDING_TITLE, f->id);
        tt_set_i(t, row, TT_FINDING_TIME, f->time);
        tt_set_i(t, row, TT_FINDING_SAVING, f->saving);
    }
}

static tt_table_desc describe(tt_column columns[COLUMNS])
{
    memcpy(columns, tt_table_find("findings")->cols, WORKER * sizeof *columns);
    columns[WORKER] = (tt_column){.key = "worker", .title = "Worker", .help = "", .type = TT_T_STRING};
    return (tt_table_desc){.id = "ranked",
                           .title = "Ranked",
                           .cols = columns,
                           .n_cols = COLUMNS,
                           .flags = TT_TABLE_ALL_TRACES,
                           .compute = compute};
}

// Compare the order of ids; an id may follow its worker: "a/host_bound b/straggler ".
static void check_order(const finding *rows, const char *want)
{
    tt_trace *trace = fixture_trace("w", "1", 0, true);
    fixture_track(trace, TT_TRACK_THREAD, "main");
    tt_session *s = tt_session_new(&trace, 1, "");
    tt_options none = {0};
    char got[1024] = "";
    given = rows;
    tt_column columns[COLUMNS];
    const tt_table_desc desc = describe(columns);
    tt_table *t = tt_table_compute(s, &desc, &tt_scope_all, &none);
    uint32_t *from = tt_findings_order(t);
    for (uint32_t r = 0; r < t->n_rows; r++) {
        const char *worker = tt_cell_worker(t, r);
        size_t len = strlen(got);
        snprintf(got + len, sizeof got - len, "%s%s%s ", worker, *worker ? "/" : "", tt_cell_s(t, r, TT_FINDING_ID));
        CHECK_STR(rows[from[r]].id, tt_cell_s(t, r, TT_FINDING_ID)); // from[r] is the row's old place
    }
    CHECK_STR(got, want);
    free(from);
    tt_table_free(t);
    fixture_session_free(s);
}
#define CHECK_ORDER(want, ...) check_order((const finding[]){__VA_ARGS__, {0}}, (want))

static void test_ranks(void)
{
    CHECK_ORDER("events_lost out_of_memory cpu_only host_bound sync_stall memory_limit slow_step queue_full ",
                {0, "queue_full", "high", 0, NONE, NONE}, {0, "slow_step", "medium", 0, NONE, NONE},
                {0, "sync_stall", "high", 0, 500, 100}, {0, "host_bound", "high", 0, 100, 300},
                {0, "memory_limit", "high", 0, NONE, NONE}, {0, "cpu_only", "info", 0, NONE, NONE},
                {0, "out_of_memory", "medium", 0, NONE, NONE}, {0, "events_lost", "high", 0, NONE, NONE});
    // lost events without a reason to doubt all numbers rank like any other finding
    CHECK_ORDER("graph_capture host_bound events_lost ", {0, "events_lost", "medium", 0, NONE, NONE},
                {0, "host_bound", "high", 0, 5, 5}, {0, "graph_capture", "info", 0, NONE, NONE});
}

// Findings are ordered by severity, then by saving (unknown last), then by time, then in the order of the rules.
static void test_costs(void)
{
    CHECK_ORDER("exposed_copy input_stall sync_stall stream_wait host_bound ", {0, "host_bound", "info", 0, 900, 900},
                {0, "stream_wait", "medium", 0, 900, NONE}, {0, "sync_stall", "medium", 0, 400, 10},
                {0, "input_stall", "medium", 0, 400, 20}, {0, "exposed_copy", "high", 0, 1, NONE});
    CHECK_ORDER("sync_stall input_stall ", {0, "input_stall", "high", 0, 10, 7}, {0, "sync_stall", "high", 0, 11, 7});
    CHECK_ORDER("input_stall sync_stall ", {0, "sync_stall", "high", 0, 10, 7}, {0, "input_stall", "high", 0, 10, 7});
}

static void test_first_call(void)
{
    // first_call takes longer than the rest of the host's time, so it comes first
    CHECK_ORDER("first_call sync_stall host_bound ", {0, "sync_stall", "high", 0, 600, 600},
                {0, "host_bound", "high", 0, 399, 500}, {0, "first_call", "medium", 0, 400, NONE});
    CHECK_ORDER("sync_stall host_bound first_call ", {0, "sync_stall", "high", 0, 600, 600},
                {0, "host_bound", "high", 0, 400, 500}, {0, "first_call", "medium", 0, 400, NONE});
    CHECK_ORDER("first_call sync_stall ", {0, "sync_stall", "high", 0, 600, 600}, {0, "first_call", "info", 0, 1, 1});
}

static void test_symptoms(void)
{
    // symptoms follow their root, in order of their severity; without the root they stay in place
    CHECK_ORDER("host_bound low_gpu_utilization launch_bound input_stall input_bound communication_bound ",
                {0, "communication_bound", "info", "exposed_communication", NONE, NONE},
                {0, "launch_bound", "medium", "host_bound", NONE, NONE},
                {0, "low_gpu_utilization", "high", "host_bound", 900, NONE}, {0, "input_stall", "medium", 0, 9, 9},
                {0, "input_bound", "high", "input_stall", NONE, NONE}, {0, "host_bound", "medium", 0, 10, 10});
    // with several traces a symptom follows the root of its own trace, otherwise that of another trace
    CHECK_ORDER("b/straggler a/exposed_communication b/exposed_communication a/host_bound a/launch_bound ",
                {"a", "host_bound", "medium", 0, 10, 10}, {"a", "launch_bound", "high", "host_bound", NONE, NONE},
                {"a", "exposed_communication", "medium", "straggler", 20, NONE}, {"b", "straggler", "high", 0, 5, 5},
                {"b", "exposed_communication", "info", "straggler", 30, NONE});
    CHECK_ORDER("b/host_bound b/launch_bound a/host_bound a/launch_bound ", {"a", "host_bound", "medium", 0, 1, 1},
                {"a", "launch_bound", "medium", "host_bound", NONE, NONE}, {"b", "host_bound", "medium", 0, 2, 2},
                {"b", "launch_bound", "medium", "host_bound", NONE, NONE});
}

static void test_nothing_said(void)
{
    static const finding full[] = {{0, "queue_full", "info", 0, NONE, NONE}, {0}},
                         more[] = {{0, "queue_full", "info", 0, NONE, NONE},
                                   {0, "slow_step", "info", 0, NONE, NONE},
                                   {0}},
                         none[] = {{0}};
    const finding *const rows[] = {full, more, none};
    for (int i = 0; i < 3; i++) {
        tt_trace *trace = fixture_trace("w", "1", 0, true);
        tt_session *s = tt_session_new(&trace, 1, "");
        tt_options options = {0};
        tt_column columns[COLUMNS];
        const tt_table_desc desc = describe(columns);
        given = rows[i];
        tt_table *t = tt_table_compute(s, &desc, &tt_scope_all, &options);
        CHECK(tt_findings_say_nothing(t) == (i != 1));
        tt_table_free(t);
        fixture_session_free(s);
    }
}

int main(void)
{
    test_ranks();
    test_costs();
    test_first_call();
    test_symptoms();
    test_nothing_said();
    return check_done();
}
