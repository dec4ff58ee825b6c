// Which rows belong to a step: by hand where the host runs ahead of the device, and against a definition for randomly
// overlapping steps.
#include "model/tables/registry/registry.h"
#include "model/tables/table.h"
#include "tests/unit/made.h"
#include "tests/unit/random.h"

static void put(made_trace *m, const char *cat, const char *name, int tid, long ts, long dur, int correlation)
{
    fprintf(m->f,
            "{\"ph\":\"X\",\"cat\":\"%s\",\"name\":\"%s\",\"pid\":%d,\"tid\":%d,\"ts\":%ld,\"dur\":%ld,\"args\":{", cat,
            name, tid < 100 ? 1 : 0, tid, ts, dur);
    if (correlation) fprintf(m->f, "\"correlation\":%d,\"device\":0,\"stream\":%d", correlation, tid);
    fputs("}},\n", m->f);
}

static int64_t calls(tt_session *s, const char *table, const tt_scope *scope)
{
    const tt_table *t = tt_table_get(s, tt_table_find(table), scope, NULL);
    int64_t sum = 0;
    for (uint32_t r = 0; r < t->n_rows; r++) sum += tt_table_cell(t, r, (uint32_t)tt_table_column(t, "calls")).i;
    return sum;
}

static tt_scope step_scope(int64_t first, int64_t last)
{
    tt_scope scope = tt_scope_all;
    scope.has_steps = true;
    scope.step_first = first, scope.step_last = last;
    return scope;
}

// Three steps of 100 us; the device begins the kernel of each step while the host is in the next step or after all
// steps.
static void test_host_ahead(void)
{
    made_trace m;
    made_begin(&m);
    for (int i = 0; i < 3; i++) {
        char name[32];
        snprintf(name, sizeof name, "ProfilerStep#%d", i + 1);
        put(&m, "user_annotation", name, 1, i * 100, 100, 0);
        put(&m, "cpu_op", "aten::op", 1, i * 100, 20, 0);
        put(&m, "cuda_runtime", "cudaLaunchKernel", 1, i * 100 + 5, 5, 50 + i);
        put(&m, "kernel", "k", 107, i * 200 + 120, 200, 50 + i);
    }
    put(&m, "kernel", "lost", 107, 130, 10, 99); // launch not recorded: its own start puts it into step 2
    tt_session *s = made_load(&m);
    for (int step = 1; step <= 3; step++) {
        tt_scope scope = step_scope(step, step);
        CHECK_INT(calls(s, "operators", &scope), 1);
        CHECK_INT(calls(s, "runtime_api", &scope), 1);
        CHECK_INT(calls(s, "kernels", &scope), step == 2 ? 2 : 1);
    }
    tt_scope scope = step_scope(1, 2);
    CHECK_INT(calls(s, "kernels", &scope), 3);
    scope = step_scope(1, 3);
    CHECK_INT(calls(s, "kernels", &scope), 4);

    // a time window selects slices that start in it, alone and together with steps
    tt_scope range = tt_scope_all;
    range.has_range = true;
    range.t0 = 300000, range.t1 = 400000;
    CHECK_INT(calls(s, "kernels", &range), 1); // the kernel of step 2 at 320
    CHECK_INT(calls(s, "operators", &range), 0);
    scope = step_scope(2, 2);
    scope.has_range = true;
    scope.t0 = 300000, scope.t1 = 400000;
    CHECK_INT(calls(s, "kernels", &scope), 1);
    CHECK_INT(calls(s, "operators", &scope), 0);
    scope.step_first = scope.step_last = 3;
    CHECK_INT(calls(s, "kernels", &scope), 0);

    // the breakdown keeps its windows, which reach to the end of device work
    tt_scope one = step_scope(1, 1);
    tt_windows time = tt_scope_time(s, &one, 0);
    CHECK_INT(time.n, 1);
    CHECK_INT(time.at[0].t1, 320000);
    tt_windows_free(&time);
    tt_session_free(s);
}

enum { STEPS = 40, LENGTH = 400 };

/* Index of the newest step that runs at t; among equal starts the shortest, which nests inside. -1 = none. */
static int owner(const int (*step)[2], int t)
{
    int found = -1;
    for (int i = 0; i < STEPS; i++) {
        if (t < step[i][0] || t >= step[i][1]) continue;
        if (found < 0 || step[i][0] > step[found][0]) found = i;
    }
    return found;
}

static void test_overlapping(void)
{
    for (int round = 0; round < 20; round++) {
        int step[STEPS][2];
        bool taken[LENGTH] = {false};
        made_trace m;
        made_begin(&m);
        for (int i = 0; i < STEPS; i++) {
            char name[32];
            do step[i][0] = (int)random_below(LENGTH);
            while (taken[step[i][0]]); // steps with equal starts nest by other rules
            taken[step[i][0]] = true;
            step[i][1] = step[i][0] + (int)random_below(round < 10 ? 12 : 120);
            snprintf(name, sizeof name, "ProfilerStep#%d", i);
            put(&m, "user_annotation", name, 1 + i, step[i][0], step[i][1] - step[i][0], 0); // one thread for each step
        }
        put(&m, "cpu_op", "first", 99, 0, 1, 0); // begins the axis
        tt_session *s = made_load(&m);
        const tt_trace *st = s->traces[0];
        for (int t = 0; t < LENGTH + 120; t++) {
            uint32_t at = tt_step_at(st, (int64_t)t * 1000);
            int want = owner(step, t);
            if (!CHECK((at == TT_NONE) == (want < 0))) break;
            if (want >= 0 && !CHECK(st->steps[at].number == want)) break;
        }
        tt_session_free(s);
    }
}

int main(void)
{
    temp_begin();
    test_host_ahead();
    test_overlapping();
    temp_end();
    return check_done();
}
