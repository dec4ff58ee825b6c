// The account of a worker, each rule by hand: the recorded time, complete steps and the holes between them, a range,
// some of the steps, no steps, and clocks that differ.
#include "model/tables/steps/account.h"
#include "tests/unit/made.h"

static void slice(made_trace *m, const char *cat, const char *name, int tid, long long ts, int dur)
{
    fprintf(m->f,
            "{\"ph\":\"X\",\"cat\":\"%s\",\"name\":\"%s\",\"pid\":1,\"tid\":%d,\"ts\":%lld,\"dur\":%d,\"args\":{}},\n",
            cat, name, tid, ts, dur);
}

static void kernel(made_trace *m, int device, long long ts, int dur)
{
    fprintf(m->f,
            "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\",\"pid\":%d,\"tid\":7,\"ts\":%lld,\"dur\":%d,\"args\":{"
            "\"device\":%d,\"stream\":7}},\n",
            device, ts, dur, device);
}

typedef struct span { // us of trace time
    int t0, t1;
} span;

static void check_time(const tt_account *a, const span *want, size_t n)
{
    int64_t sum = 0;
    CHECK_INT(a->time.n, n);
    for (size_t i = 0; i < n; i++) {
        if (i < a->time.n) CHECK_INT(a->time.at[i].t0, want[i].t0 * 1000);
        if (i < a->time.n) CHECK_INT(a->time.at[i].t1, want[i].t1 * 1000);
        sum += (want[i].t1 - want[i].t0) * 1000;
    }
    CHECK_INT(a->ns, sum);
}
#define CHECK_TIME(a, ...)                                                                                             \
    check_time((a), (const span[]){__VA_ARGS__}, sizeof((const span[]){__VA_ARGS__}) / sizeof(span))

// The axis begins at 0 with the profiler's own slice; the program's work lasts from 100 to 900.
static void test_recording(void)
{
    made_trace m;
    made_begin(&m);
    fputs("{\"ph\":\"X\",\"cat\":\"Trace\",\"name\":\"PyTorch Profiler (0)\",\"pid\":\"Spans\",\"tid\":\"p\",\"ts\":0,"
          "\"dur\":5000},\n{\"ph\":\"i\",\"s\":\"g\",\"name\":\"Record Window "
          "End\",\"pid\":\"\",\"tid\":\"\",\"ts\":9000},\n"
          "{\"ph\":\"C\",\"name\":\"c\",\"pid\":1,\"ts\":8000,\"args\":{\"v\":1}},\n",
          m.f);
    slice(&m, "python_function", "train.py(1): main", 1, 100, 300);
    slice(&m, "cpu_op", "aten::mm", 2, 200, 50);
    kernel(&m, 0, 300, 100);
    kernel(&m, 1, 850, 50);
    slice(&m, "overhead", "Activity Buffer Request", 1, 20, 2000);
    slice(&m, "gpu_user_annotation", "step", 7, 10, 3000);
    slice(&m, "cuda_sync", "Event Sync", 7, 30, 3000);
    slice(&m, "cuda_profiler_range", "metrics", 7, 40, 3000);
    tt_session *s = made_load(&m);
    const tt_recording *r = tt_recording_get(s, 0);
    CHECK_INT(r->t0, 100000);
    CHECK_INT(r->t1, 900000);
    CHECK_INT(r->host_t0, 100000);
    CHECK_INT(r->host_t1, 400000);
    CHECK(!r->clocks_differ);
    tt_account a = tt_account_make(s, &tt_scope_all, 0);
    CHECK_TIME(&a, {100, 900});
    CHECK(a.kind == TT_ACCOUNT_RECORDING && a.steps == 0 && a.host == TT_NONE);
    tt_account_free(&a);
    tt_scope range = tt_scope_all; // the range is cut to the recorded time
    range.has_range = true;
    range.t0 = 50000, range.t1 = 250000;
    a = tt_account_make(s, &range, 0);
    CHECK_TIME(&a, {100, 250});
    CHECK(a.kind == TT_ACCOUNT_RANGE);
    tt_account_free(&a);
    range.t0 = 900000, range.t1 = 950000;
    a = tt_account_make(s, &range, 0);
    CHECK_INT(a.time.n, 0);
    CHECK_INT(a.ns, 0);
    tt_account_free(&a);
    tt_session_free(s);
}

// Steps 1 and 2 are adjacent; step 5 begins later, on another thread. The time around the steps is recorded, too.
static void test_steps(void)
{
    made_trace m;
    made_begin(&m);
    slice(&m, "cpu_op", "aten::before", 1, 0, 50);
    slice(&m, "user_annotation", "ProfilerStep#1", 1, 100, 100);
    slice(&m, "user_annotation", "ProfilerStep#2", 1, 200, 100);
    kernel(&m, 0, 250, 30);
    kernel(&m, 0, 120, 30);
    slice(&m, "user_annotation", "ProfilerStep#5", 9, 600, 100);
    kernel(&m, 0, 620, 30);
    slice(&m, "cpu_op", "aten::after", 1, 900, 100);
    tt_session *s = made_load(&m);
    tt_account a = tt_account_make(s, &tt_scope_all, 0);
    CHECK_TIME(&a, {100, 300}, {600, 700}); // steps 1 and 2 are one interval
    CHECK(a.kind == TT_ACCOUNT_STEPS);
    CHECK_INT(a.steps, 3);
    if (CHECK(a.host != TT_NONE))
        CHECK_STR(tt_str(&s->traces[0]->strings, s->traces[0]->tracks[a.host].tid), "9"); // thread of the last step
    const tt_device_work *w = tt_device_work_get(s, 0);
    tt_ivs of_device = tt_account_of_device(&a, &w->devices[0]);
    CHECK_INT(of_device.n, 2);
    CHECK_INT(tt_ivs_length(&of_device), a.ns);
    tt_vec_free(&of_device);
    tt_account_free(&a);

    tt_scope scope = tt_scope_all;
    scope.has_steps = true;
    scope.step_first = 2, scope.step_last = 2;
    a = tt_account_make(s, &scope, 0);
    CHECK_TIME(&a, {200, 300});
    CHECK_INT(a.steps, 1);
    CHECK(a.kind == TT_ACCOUNT_STEPS);
    tt_account_free(&a);
    scope.step_first = 3, scope.step_last = 4; // the trace has no such steps
    a = tt_account_make(s, &scope, 0);
    CHECK_INT(a.ns, 0);
    CHECK(a.kind == TT_ACCOUNT_STEPS);
    tt_account_free(&a);

    scope.step_first = 1, scope.step_last = 9;
    scope.has_range = true; // the part of these steps inside the range
    scope.t0 = 250000, scope.t1 = 650000;
    a = tt_account_make(s, &scope, 0);
    CHECK_TIME(&a, {250, 300}, {600, 650});
    CHECK(a.kind == TT_ACCOUNT_RANGE);
    tt_account_free(&a);
    scope.has_steps = false; // the whole range, also between the steps
    a = tt_account_make(s, &scope, 0);
    CHECK_TIME(&a, {250, 650});
    tt_account_free(&a);

    scope = tt_scope_all;
    scope.no_steps = true;
    a = tt_account_make(s, &scope, 0);
    CHECK_TIME(&a, {0, 1000});
    CHECK(a.kind == TT_ACCOUNT_RECORDING && a.steps == 0 && a.host == TT_NONE);
    tt_account_free(&a);
    tt_session_free(s);
}

// Host and device are apart by 1,000 times the longer of the two (one clock), and by one nanosecond more (two clocks).
static void check_clocks(long long device_begins, bool differ)
{
    made_trace m;
    made_begin(&m);
    slice(&m, "cpu_op", "aten::mm", 1, 0, 100);
    kernel(&m, 0, device_begins, 40);
    kernel(&m, 1, device_begins + 10, 60);
    tt_session *s = made_load(&m);
    const tt_device_work *w = tt_device_work_get(s, 0);
    tt_account a = tt_account_make(s, &tt_scope_all, 0);
    CHECK(tt_recording_get(s, 0)->clocks_differ == differ && a.clocks_differ == differ);
    CHECK_INT(a.ns, differ ? 100000 : (device_begins + 70) * 1000);
    for (uint32_t d = 0; d < 2; d++) {
        tt_ivs own = tt_account_of_device(&a, &w->devices[d]);
        CHECK_INT(tt_ivs_length(&own), differ ? (d ? 60000 : 40000) : a.ns);
        tt_vec_free(&own);
    }
    tt_account_free(&a);
    tt_scope range = tt_scope_all; // a user who asks for a time knows its clock
    range.has_range = true;
    range.t0 = 0, range.t1 = 50000;
    a = tt_account_make(s, &range, 0);
    CHECK(!a.clocks_differ);
    CHECK_TIME(&a, {0, 50});
    tt_account_free(&a);
    tt_session_free(s);
}

static void test_clocks(void)
{
    check_clocks(100 * 1000 - 70, false);
    check_clocks(100 * 1001, true);
}

static void test_nothing(void)
{
    made_trace m;
    made_begin(&m);
    fputs("{\"ph\":\"i\",\"s\":\"g\",\"name\":\"x\",\"pid\":1,\"tid\":1,\"ts\":10},\n", m.f);
    tt_session *s = made_load(&m);
    if (!s) return;
    tt_account a = tt_account_make(s, &tt_scope_all, 0);
    CHECK_INT(a.time.n, 0);
    CHECK_INT(a.ns, 0);
    tt_account_free(&a);
    tt_session_free(s);
}

int main(void)
{
    temp_begin();
    test_recording();
    test_steps();
    test_clocks();
    test_nothing();
    temp_end();
    return check_done();
}
