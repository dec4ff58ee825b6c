/* tests/unit/tables/test_python_line.c - the line of the program that runs at a moment: from Python functions, from
 * call stacks, or from the step's thread if a thread has neither. */
#include "model/tables/analysis/calls/backward.h"
#include "model/tables/analysis/calls/code_places.h"
#include "model/tables/analysis/calls/line_of.h"
#include "model/tables/analysis/calls/python_line.h"
#include "tests/unit/check.h"
#include "tests/unit/made.h"

static void frames_of_the_program(void)
{
    CHECK(tt_python_is_user("train.py(31): step"));
    CHECK(tt_python_is_user("/home/me/model (old)/net.py(7): forward"));
    CHECK(!tt_python_is_user("torch/nn/modules/linear.py(116): forward"));
    CHECK(!tt_python_is_user("/usr/lib/python3.11/site-packages/x/y.py(1): f"));
    CHECK(!tt_python_is_user("threading.py(973): run"));
    CHECK(!tt_python_is_user("<built-in method mm of type object at 0x7f(1)>"));
    CHECK(!tt_python_is_user("<frozen importlib._bootstrap>(1178): _find_and_load"));
    CHECK(!tt_python_is_user("nn.Module: Linear_0"));
    CHECK(!tt_python_is_user("(31): step"));
    CHECK(!tt_python_is_user(""));
}

static uint32_t track_named(const tt_trace *s, const char *name)
{
    for (uint32_t i = 0; i < s->n_tracks; i++) {
        if (!strcmp(tt_str(&s->strings, s->tracks[i].tid), name)) return i;
    }
    return TT_NONE;
}

static void slice(made_trace *m, const char *cat, const char *name, int tid, int from, int us, const char *args)
{
    fprintf(m->f,
            "{\"ph\":\"X\",\"cat\":\"%s\",\"name\":\"%s\",\"pid\":1,\"tid\":%d,\"ts\":%d,\"dur\":%d,\"args\":{%s}},\n",
            cat, name, tid, from, us, args);
}

static void lines_of_a_trace(void)
{
    made_trace m;
    char line[128];
    made_begin(&m);
    slice(&m, "user_annotation", "ProfilerStep#1", 7, 0, 100, "");
    slice(&m, "python_function", "train.py(31): step", 7, 10, 50, "\"Python id\":1");
    slice(&m, "python_function", "torch/nn/modules/linear.py(116): forward", 7, 20, 20, "\"Python id\":2");
    slice(&m, "cpu_op", "aten::mm", 8, 12, 10, "");
    slice(&m, "cpu_op", "aten::add", 9, 10, 30, "\"Call stack\":\"torch/a.py(3): f;net.py(9): g;train.py(1): h\"");
    slice(&m, "cpu_op", "aten::empty", 9, 15, 5, "");
    tt_session *s = made_load(&m);
    if (!s) return;
    const tt_trace *t = s->traces[0];
    uint32_t main = track_named(t, "7"), other = track_named(t, "8"), stack = track_named(t, "9");
    CHECK(tt_python_line_at(t, main, 25000, line, sizeof line) && !strcmp(line, "train.py(31): step"));
    CHECK(tt_python_line_on(t, main, 25000, line, sizeof line) && !strcmp(line, "train.py(31): step"));
    CHECK(!tt_python_line_on(t, other, 25000, line, sizeof line) && !*line);
    CHECK(tt_python_line_at(t, other, 15000, line, sizeof line) && !strcmp(line, "train.py(31): step"));
    CHECK(tt_python_line_at(t, stack, 17000, line, sizeof line) && !strcmp(line, "net.py(9): g"));
    CHECK(tt_python_line_at(t, TT_NONE, 59999, line, sizeof line) && !strcmp(line, "train.py(31): step"));
    CHECK(!tt_python_line_at(t, main, 60000, line, sizeof line) && !*line);
    CHECK(!tt_python_line_at(t, TT_NONE, 200000, line, sizeof line));
    tt_session_free(s);
}

/* The thread of the backward pass runs no Python: a flow leads from its work to the forward operator. */
static void lines_of_the_backward_pass(void)
{
    made_trace m;
    char line[128];
    made_begin(&m);
    slice(&m, "user_annotation", "ProfilerStep#1", 7, 0, 300, "");
    slice(&m, "python_function", "train.py(31): step", 7, 10, 280, "\"Python id\":1");
    slice(&m, "python_function", "nn.Module: Net_0", 7, 15, 60, "\"Python id\":2,\"Python module id\":0");
    slice(&m, "python_function", "net.py(9): forward", 7, 20, 40, "\"Python id\":3");
    slice(&m, "python_function", "nn.Module: Linear_4", 7, 25, 30, "\"Python id\":4,\"Python module id\":1");
    slice(&m, "cpu_op", "aten::mm", 7, 30, 10, "\"External id\":1");
    slice(&m, "cpu_op", "MmBackward0", 8, 200, 50, "\"External id\":2");
    slice(&m, "cpu_op", "aten::mm", 8, 210, 20, "\"External id\":3");
    slice(&m, "cuda_runtime", "cudaLaunchKernel", 8, 215, 5, "\"correlation\":4,\"External id\":3");
    slice(&m, "kernel", "gemm", 70, 220, 30, "\"correlation\":4,\"device\":0,\"stream\":70");
    slice(&m, "cpu_op", "NoForward", 8, 260, 10, "\"External id\":4");
    fputs(
        "{\"ph\":\"s\",\"id\":1,\"cat\":\"fwdbwd\",\"name\":\"fwdbwd\",\"pid\":1,\"tid\":7,\"ts\":30},\n"
        "{\"ph\":\"f\",\"id\":1,\"cat\":\"fwdbwd\",\"name\":\"fwdbwd\",\"bp\":\"e\",\"pid\":1,\"tid\":8,\"ts\":200},\n",
        m.f);
    tt_session *s = made_load(&m);
    if (!s) return;
    const tt_trace *t = s->traces[0];
    tt_row forward = TT_NONE, launch = TT_NONE, alone = TT_NONE;
    for (tt_row r = 0; r < t->n; r++) {
        if (t->start[r] == 30000) forward = r;
        if (t->start[r] == 215000) launch = r;
        if (t->start[r] == 260000) alone = r;
    }
    CHECK(tt_forward_of(s, 0, launch) == forward && tt_forward_of(s, 0, forward) == TT_NONE);
    CHECK(tt_program_line_of(s, 0, launch, line, sizeof line) && !strcmp(line, "net.py(9): forward"));
    CHECK(tt_program_line_of(s, 0, alone, line, sizeof line) && !strcmp(line, "train.py(31): step"));
    tt_sid gemm = tt_strings_find(&t->strings, "gemm", 4), mm = tt_strings_find(&t->strings, "aten::mm", 8);
    tt_code_place p = tt_code_place_of(tt_code_places_get(s, 0), gemm, true);
    CHECK(p.line && !strcmp(p.line, "net.py(9): forward") && p.module && !strcmp(p.module, "Linear"));
    CHECK(p.share_pct > 99.9);
    CHECK(!tt_code_place_of(tt_code_places_get(s, 0), gemm, false).line);
    CHECK(tt_code_place_of(tt_code_places_get(s, 0), mm, false).line != NULL);
    tt_line_memo memo = {0};
    tt_row *last = tt_last_frames(t);
    for (uint32_t k = 0; k < t->n_tracks; k++)
        for (int64_t at = -1; at < 400000; at += 500)
            for (uint32_t kinds = 1; kinds < 1u << TT_KIND_COUNT_; kinds = kinds << 1 | 1)
                CHECK(tt_track_slice_at_with(t, k, at, kinds, last) == tt_track_slice_at(t, k, at, kinds));
    free(last);
    CHECK(tt_module_path_at(t, &memo, track_named(t, "7"), 32000, line, sizeof line) && !strcmp(line, "Net > Linear"));
    CHECK(tt_module_path_at(t, &memo, track_named(t, "7"), 32000, line, sizeof line) && !strcmp(line, "Net > Linear"));
    tt_line_memo_free(&memo);
    CHECK(tt_module_path_at(t, NULL, track_named(t, "7"), 32000, line, sizeof line) && !strcmp(line, "Net > Linear"));
    CHECK(!tt_module_path_at(t, NULL, track_named(t, "8"), 215000, line, sizeof line) && !*line);
    tt_drilldown kernels = {.what = TT_DRILL_SLICES, .trace = 0, .kinds = 1u << TT_KIND_KERNEL, .name = "gemm"};
    CHECK(tt_line_of(s, &tt_scope_all, &kernels, line, sizeof line) && !strcmp(line, "net.py(9): forward"));
    tt_drilldown stack = {.what = TT_DRILL_SLICES, .trace = 0, .kinds = 1u << TT_KIND_CPU_OP, .name = "aten::mm"};
    tt_slice_ref slices[4];
    CHECK(tt_drilldown_slices(s, &tt_scope_all, &stack, slices, 4) == 2);
    stack.stack = "nn.Module: Linear_4;net.py(9): forward;nn.Module: Net_0;train.py(31): step";
    CHECK(tt_drilldown_slices(s, &tt_scope_all, &stack, slices, 4) == 1 && slices[0].row == forward);
    stack.stack = "nn.Module: Linear_4;net.py(9): forward";
    CHECK(tt_drilldown_slices(s, &tt_scope_all, &stack, slices, 4) == 0);
    stack.stack = "";
    CHECK(tt_drilldown_slices(s, &tt_scope_all, &stack, slices, 4) == 1 && slices[0].row != forward);
    tt_drilldown module = {
        .what = TT_DRILL_SLICES, .trace = 0, .kinds = 1u << TT_KIND_MODULE, .name = "nn.Module: Net_0"};
    CHECK(tt_line_of(s, &tt_scope_all, &module, line, sizeof line) && !strcmp(line, "net.py(9): forward"));
    tt_session_free(s);
}

int main(void)
{
    temp_begin();
    frames_of_the_program();
    lines_of_a_trace();
    lines_of_the_backward_pass();
    temp_end();
    return check_done();
}
