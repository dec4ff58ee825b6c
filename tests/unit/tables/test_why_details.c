/* tests/unit/tables/test_why_details.c - details of one gap and of one kernel, on a trace computed by hand; and the
 * scope that a step, a range or a slice selects. */
#include "model/tables/devices/kernel_card.h"
#include "model/tables/idle/gap_detail.h"
#include "model/tables/table.h"
#include "tests/unit/check.h"
#include "tests/unit/made.h"

static void host(made_trace *m, const char *cat, const char *name, int from, int us, const char *args)
{
    fprintf(m->f,
            "{\"ph\":\"X\",\"cat\":\"%s\",\"name\":\"%s\",\"pid\":1,\"tid\":7,\"ts\":%d,\"dur\":%d,\"args\":{%s}},\n",
            cat, name, from, us, args);
}

static void launched(made_trace *m, const char *name, int id, int call, int from, int us)
{
    char args[64];
    snprintf(args, sizeof args, "\"correlation\":%d", id);
    host(m, "cuda_runtime", "cudaLaunchKernel", call, 5, args);
    fprintf(m->f,
            "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"%s\",\"pid\":0,\"tid\":3,\"ts\":%d,\"dur\":%d,\"args\":{"
            "\"correlation\":%d,\"device\":0,\"stream\":3,\"grid\":[2,1,1],\"block\":[64,1,1]}},\n",
            name, from, us, id);
}

/* Two steps. In the second the device waits from 150 to 205 us: 40 us in a DataLoader range, 10 us outside of
 * operators, 5 us in the launch; its work starts as the launch returns. */
static tt_session *two_steps(void)
{
    made_trace m;
    made_begin(&m);
    host(&m, "user_annotation", "ProfilerStep#1", 0, 100, "");
    host(&m, "cpu_op", "aten::mm", 10, 20, "");
    launched(&m, "gemm", 1, 12, 20, 30);
    host(&m, "user_annotation", "ProfilerStep#2", 100, 200, "");
    host(&m, "cpu_op", "aten::mm", 105, 10, "");
    launched(&m, "gemm", 2, 107, 115, 35);
    host(&m, "python_function", "train.py(8): load", 140, 55, "\"Python id\":1");
    host(&m, "user_annotation", "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", 140, 50, "");
    launched(&m, "add", 3, 200, 205, 10);
    return made_load(&m);
}

static void a_gap(void)
{
    tt_session *s = two_steps();
    tt_gap_detail d;
    if (!s) return;
    uint32_t device = tt_gap_device(s, 0, "GPU0");
    CHECK_INT(device, 0);
    CHECK_INT(tt_gap_device(s, 0, "GPU1"), TT_NONE);
    CHECK(tt_gap_detail_of(s, 0, device, 140000, 260000, &d));
    CHECK_INT(d.gap.t0, 150000);
    CHECK_INT(d.gap.t1, 205000);
    CHECK_INT(d.gap.part[TT_WAIT_INPUT], 40000);
    CHECK_INT(d.gap.part[TT_WAIT_BETWEEN], 10000);
    CHECK_INT(d.gap.part[TT_WAIT_RUNTIME], 5000);
    CHECK_INT(d.gap.cause, TT_WAIT_INPUT);
    CHECK_STR(d.line, "train.py(8): load");
    CHECK_STR(d.next, "add");
    CHECK_INT(d.step, 2);
    CHECK_INT(d.launch_wait, 5000);
    CHECK(tt_gap_detail_of(s, 0, device, 190000, 200000, &d)); /* a part of the gap */
    CHECK_INT(d.gap.part[TT_WAIT_BETWEEN], 10000);
    CHECK(!tt_gap_detail_of(s, 0, device, 205000, 210000, &d));
    for (int k = 0; k < TT_WAIT_COUNT_; k++)
        CHECK((tt_gap_advice(s->traces[0], (tt_wait_cause)k) == NULL) == (k == TT_WAIT_LAUNCH));
    tt_session_free(s);
}

static void a_kernel(void)
{
    tt_session *s = two_steps();
    if (!s) return;
    tt_kernel_card *c = tt_kernel_card_make(s, &tt_scope_all, 0, "gemm");
    CHECK_INT(c->calls, 2);
    CHECK_INT(c->total_ns, 65000);
    CHECK_INT(c->busy_ns, 75000);
    CHECK_STR(c->work_class, "computation");
    CHECK_INT(c->callers.n, 1);
    if (c->callers.n) CHECK_STR(c->callers.at[0].name, "aten::mm");
    if (c->callers.n) CHECK_INT(c->callers.at[0].calls, 2);
    CHECK_INT(c->shapes.n, 1);
    if (c->shapes.n) CHECK_INT(c->shapes.at[0].calls, 2);
    CHECK(c->on_path_ns >= 0 && c->on_path_ns <= c->total_ns && c->path_ns > 0);
    tt_kernel_card_free(c);
    tt_scope second = tt_scope_all;
    second.has_steps = true;
    second.step_first = second.step_last = 2;
    c = tt_kernel_card_make(s, &second, 0, "gemm");
    CHECK_INT(c->calls, 1);
    CHECK_INT(c->total_ns, 35000);
    tt_kernel_card_free(c);
    c = tt_kernel_card_make(s, &tt_scope_all, 0, "no such kernel");
    CHECK_INT(c->calls, 0);
    tt_kernel_card_free(c);
    tt_session_free(s);
}

static void a_narrower_scope(void)
{
    tt_session *s = two_steps();
    if (!s) return;
    const tt_trace *t = s->traces[0];
    tt_scope scope = tt_scope_all;
    uint32_t work = t->dev[1].row; /* belongs to the second step by its launch */
    tt_scope_narrow(s, &(tt_drilldown){.what = TT_DRILL_ROW, .row = work}, &scope);
    CHECK(scope.has_steps && !scope.has_range && scope.step_first == 2 && scope.step_last == 2);
    tt_scope_narrow(s, &(tt_drilldown){.what = TT_DRILL_ROW, .row = t->steps[0].row}, &scope);
    CHECK(scope.has_steps && scope.step_first == 1);
    tt_scope_narrow(s, &(tt_drilldown){.what = TT_DRILL_RANGE, .trace = TT_NONE, .t0 = 5, .t1 = 9}, &scope);
    CHECK(scope.has_range && !scope.has_steps && scope.t0 == 5 && scope.t1 == 9);
    tt_scope before = scope;
    tt_scope_narrow(s, &(tt_drilldown){.what = TT_DRILL_SLICES, .name = "gemm"}, &scope);
    CHECK(tt_scope_equal(&scope, &before));
    tt_scope_narrow(s, &(tt_drilldown){.what = TT_DRILL_ROW, .row = t->dev[0].launch}, &scope);
    CHECK(scope.has_range && scope.t0 == 12000 && scope.t1 == 17000);
    tt_session_free(s);
}

int main(void)
{
    temp_begin();
    a_gap();
    a_kernel();
    a_narrower_scope();
    temp_end();
    return check_done();
}
