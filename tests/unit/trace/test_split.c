// A file of several processes: each process with its own steps or rank becomes a worker; equal ids mean different
// things in each process.
#include "model/build/finish/split.h"
#include "model/tables/registry/registry.h"
#include "model/tables/table.h"
#include "tests/unit/made.h"

static void put(made_trace *m, const char *cat, const char *name, int pid, int tid, double ts, double dur,
                const char *args)
{
    fprintf(
        m->f,
        "{\"ph\":\"X\",\"cat\":\"%s\",\"name\":\"%s\",\"pid\":%d,\"tid\":%d,\"ts\":%.3f,\"dur\":%.3f,\"args\":{%s}},\n",
        cat, name, pid, tid, ts, dur, args);
}

static void named(made_trace *m, int pid, const char *name)
{
    fprintf(m->f, "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":%d,\"args\":{\"name\":\"%s\"}},\n", pid, name);
}

static int64_t cell(tt_session *s, const char *table, const char *name, const char *worker, const char *key)
{
    const tt_table *t = tt_table_get(s, tt_table_find(table), &tt_scope_all, NULL);
    int by = tt_table_column(t, "name"), of = tt_table_column(t, "worker"), col = tt_table_column(t, key);
    for (uint32_t r = 0; r < t->n_rows; r++) {
        if (strcmp(tt_table_cell(t, r, (uint32_t)by).s, name) != 0) continue;
        if (worker && of >= 0 && strcmp(tt_table_cell(t, r, (uint32_t)of).s, worker) != 0) continue;
        return tt_table_cell(t, r, (uint32_t)col).i;
    }
    return TT_UNKNOWN;
}

// Two ranks with equal ids throughout, on one stream of one device that appears once in the file.
static void two_ranks(made_trace *m, const char *first, const char *second)
{
    const char *const name[] = {first, second};
    for (int k = 0; k < 2; k++) {
        int pid = 10 + k;
        double t = k * 7;
        if (name[k]) named(m, pid, name[k]);
        put(m, "user_annotation", "ProfilerStep#5", pid, 1, t, 100, "");
        put(m, "cpu_op", k ? "aten::b" : "aten::a", pid, 1, t + 1, 30, "\"External id\":4");
        put(m, "cuda_runtime", "cudaLaunchKernel", pid, 1, t + 2, 3, "\"correlation\":9,\"External id\":4");
        fprintf(m->f,
                "{\"ph\":\"s\",\"cat\":\"ac2g\",\"name\":\"ac2g\",\"id\":9,\"pid\":%d,\"tid\":1,\"ts\":%.3f},\n"
                "{\"ph\":\"C\",\"name\":\"level\",\"pid\":%d,\"ts\":%.3f,\"args\":{\"n\":%d}},\n"
                "{\"ph\":\"i\",\"name\":\"mark\",\"pid\":%d,\"tid\":2,\"ts\":%.3f,\"s\":\"t\"},\n",
                pid, t + 2, pid, t + 4, k, pid, t + 5);
    }
    // both processes use the second kernel's id, and running after the first's work proves nothing: the stream decides
    put(m, "kernel", "k0", 0, 7, 20, 40, "\"correlation\":9,\"device\":0,\"stream\":7,\"External id\":4");
}

static void check_parts(tt_session *s, const char *first, const char *second)
{
    CHECK_INT(s->n_traces, 2);
    if (s->n_traces != 2) return;
    CHECK_INT(s->n_workers, 2);
    CHECK_STR(s->workers[0], first);
    CHECK_STR(s->workers[1], second);
    uint64_t events = 0;
    for (uint32_t i = 0; i < 2; i++) {
        const tt_trace *st = s->traces[i];
        CHECK_INT(st->n_steps, 1);
        CHECK_INT(st->steps[0].number, 5);
        CHECK_INT(st->n_instants, 1);
        CHECK_INT(st->n_series, 1);
        CHECK_INT(st->n_samples, 1);
        CHECK_INT(st->samples[0].value, i);
        CHECK_INT(st->n_launch_flows, 1);
        CHECK_INT(st->n_processes, st->n_dev ? 2 : 1);
        for (uint32_t t = 0; t < st->n_tracks; t++) CHECK(st->tracks[t].process < st->n_processes);
        char text[8];
        CHECK_INT(st->text->read(st->text, tt_row_text(st, 0), text, 1), 1);
        CHECK(text[0] == '{');
        events += st->n_events;
    }
    CHECK_INT(cell(s, "operators", "aten::a", first, "calls"), 1);
    CHECK_INT(cell(s, "operators", "aten::a", second, "calls"), TT_UNKNOWN);
    CHECK_INT(cell(s, "operators", "aten::b", second, "calls"), 1);
    CHECK_INT(events, tt_session_events(s));
}

static void test_steps_of_their_own(void)
{
    made_trace m;
    made_begin(&m);
    two_ranks(&m, NULL, NULL);
    tt_session *s = made_load(&m);
    check_parts(s, "pid 10", "pid 11");
    tt_session_free(s);

    made_begin(&m);
    two_ranks(&m, "python", "python"); // one name for both processes tells nothing apart
    s = made_load(&m);
    check_parts(s, "pid 10", "pid 11");
    tt_session_free(s);

    made_begin(&m);
    two_ranks(&m, "actor", "critic");
    s = made_load(&m);
    check_parts(s, "actor", "critic");
    tt_session_free(s);
}

static void test_named_ranks(void)
{
    made_trace m;
    made_begin(&m);
    for (int k = 0; k < 2; k++) {
        named(&m, 20 + k, k ? "job rank 3" : "job rank 1");
        put(&m, "cpu_op", "aten::a", 20 + k, 1, k, 10, "");
    }
    tt_session *s = made_load(&m);
    CHECK_INT(s->n_traces, 2);
    CHECK_STR(s->workers[0], "job rank 1");
    CHECK_INT(s->traces[0]->rank, 1);
    CHECK_INT(s->traces[1]->rank, 3);
    tt_session_free(s);

    made_begin(&m); // only one process has steps, so the other belongs to its worker
    put(&m, "user_annotation", "ProfilerStep#5", 1, 1, 0, 100, "");
    put(&m, "cpu_op", "aten::a", 2, 1, 5, 10, "");
    s = made_load(&m);
    CHECK_INT(s->n_traces, 1);
    CHECK_INT(cell(s, "operators", "aten::a", NULL, "calls"), 1);
    tt_session_free(s);
}

// The process that a correlation id belongs to.
static void test_ids_live_in_a_process(void)
{
    made_trace m;
    made_begin(&m);
    for (int k = 0; k < 2; k++) { // without steps: one worker whose two processes have separate ids
        put(&m, "cpu_op", k ? "aten::b" : "aten::a", 10 + k, 1, 0, 100, k ? "\"External id\":5" : "\"External id\":4");
        put(&m, "cuda_runtime", "cudaLaunchKernel", 10 + k, 1, 2, 3,
            k ? "\"correlation\":9,\"External id\":5" : "\"correlation\":9,\"External id\":4");
        put(&m, "cuda_runtime", "cudaLaunchKernel", 10 + k, 1, 12, 3, "\"correlation\":8");
        put(&m, "cuda_runtime", "cudaLaunchKernel", 10 + k, 1, 22, 3, "\"correlation\":7");
    }
    // both ids together decide; then the stream, which works for process 11; then the device
    put(&m, "kernel", "k", 0, 7, 30, 1, "\"correlation\":9,\"External id\":5,\"device\":0,\"stream\":7");
    put(&m, "kernel", "k", 0, 7, 40, 10, "\"correlation\":8,\"device\":0,\"stream\":7");
    put(&m, "kernel", "k", 0, 8, 40, 100, "\"correlation\":7,\"device\":0,\"stream\":8");
    put(&m, "kernel", "k", 1, 7, 30, 1000, "\"correlation\":9,\"External id\":4,\"device\":1,\"stream\":7");
    tt_session *s = made_load(&m);
    CHECK_INT(s->n_traces, 1);
    CHECK_INT(cell(s, "operators", "aten::b", NULL, "device_total_ns"), 111000);
    CHECK_INT(cell(s, "operators", "aten::a", NULL, "device_total_ns"), 1000000);
    tt_session_free(s);
}

static void test_rank_in_name(void)
{
    CHECK_INT(tt_rank_in_name("rank 3"), 3);
    CHECK_INT(tt_rank_in_name("python [Rank_12]"), 12);
    CHECK_INT(tt_rank_in_name("rank=0"), 0);
    CHECK_INT(tt_rank_in_name("frank 3"), -1);
    CHECK_INT(tt_rank_in_name("rank"), -1);
    CHECK_INT(tt_rank_in_name("python"), -1);
    CHECK_INT(tt_rank_in_name(""), -1);
}

int main(void)
{
    temp_begin();
    test_steps_of_their_own();
    test_named_ranks();
    test_ids_live_in_a_process();
    test_rank_in_name();
    temp_end();
    return check_done();
}
