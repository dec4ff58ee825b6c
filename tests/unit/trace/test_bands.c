/* The lanes of folded stacks: a stack made by hand, then random trees checked against the rules of bands.h, ancestor
 * by ancestor. */
#include <stdio.h>

#include "model/index/lod.h"
#include "tests/unit/check.h"
#include "tests/unit/fixture.h"
#include "tests/unit/random.h"

static bool is_user(const char *frame)
{
    return strncmp(frame, "train.py", 8) == 0 || strncmp(frame, "net.py", 6) == 0;
}

static void host(tt_trace *s, const char *name)
{
    fixture_track(s, TT_TRACK_THREAD, name);
    s->tracks[s->n_tracks - 1].process = 0;
}

static tt_trace *trace_of(size_t rows)
{
    tt_trace *s = fixture_rows("w", "0", rows);
    s->processes[0] = (tt_process){.device = -1};
    s->processes[1] = (tt_process){.device = 0};
    s->n_processes = 2;
    return s;
}

static void let_go(tt_trace *s)
{
    tt_session *all = tt_session_new(&s, 1, "");
    fixture_session_free(all);
}

static tt_row put(tt_trace *s, tt_kind kind, const char *name, int64_t start, int64_t end, tt_row parent)
{
    tt_row r = fixture_slice(s, kind, name, start, end - start, NULL);
    s->parent[r] = parent;
    return r;
}

/* The index covers the shown lanes and ignores hidden slices. */
static void check_index(const tt_trace *s, tt_bands *b, tt_row linear, tt_row helper, tt_row call, tt_row train)
{
    tt_lod *l = tt_lod_new_filtered(s, NULL, b);
    tt_lod_cell cell;
    tt_lod_query(l, 0, 4, 0, 1000, 1, &cell);
    CHECK_INT(cell.count, 2);
    CHECK_INT(cell.busy_ns, 200);
    CHECK_INT(tt_lod_next(l, linear), helper);
    CHECK_INT(tt_lod_prev(l, linear), TT_NONE);
    CHECK_INT(tt_lod_next(l, call), TT_NONE);
    CHECK_INT(tt_lod_prev(l, call), TT_NONE);
    uint32_t of = 9;
    CHECK_INT(tt_lod_position(l, call, &of), 0);
    CHECK_INT(of, 0);
    CHECK_INT(tt_lod_nearest(l, 0, 2, 500), train);
    tt_lod_query_track(l, 0, 0, 1000, 1, &cell);
    CHECK_INT(cell.busy_ns, 1000); /* busy time counts the recorded slices, folded or not */
    tt_lod_query(l, 1, 0, 0, 1000, 1, &cell);
    CHECK_INT(cell.count, 1);
    tt_lod_free(l);
}

/* The slices that a profiler with stacks writes for one step of a small model. */
static void test_stack(void)
{
    tt_trace *s = trace_of(64);
    host(s, "main");
    tt_row module = put(s, TT_KIND_PYTHON, "<string>(1): <module>", 0, 1000, TT_NONE);
    tt_row start = put(s, TT_KIND_PYTHON, "train.py(90): main", 10, 990, module);
    tt_row run = put(s, TT_KIND_PYTHON, "runpy.py(5): run", 11, 989, start);
    tt_row train = put(s, TT_KIND_PYTHON, "train.py(40): train", 12, 988, run);
    tt_row step = put(s, TT_KIND_STEP, "ProfilerStep#1", 20, 900, TT_NONE);
    tt_row net = put(s, TT_KIND_MODULE, "nn.Module: Net_0", 30, 400, train);
    tt_row call = put(s, TT_KIND_PYTHON, "torch/nn/modules/module.py(1743): _call_impl", 31, 399, net);
    tt_row forward = put(s, TT_KIND_PYTHON, "net.py(7): forward", 32, 398, call);
    tt_row linear = put(s, TT_KIND_MODULE, "nn.Module: Linear_0", 40, 200, forward);
    tt_row builtin = put(s, TT_KIND_PYTHON, "<built-in function linear>", 42, 198, linear);
    tt_row op = put(s, TT_KIND_CPU_OP, "aten::linear", 50, 190, step);
    tt_row inner = put(s, TT_KIND_CPU_OP, "aten::addmm", 60, 180, op);
    tt_row launch = put(s, TT_KIND_RUNTIME, "cudaLaunchKernel", 100, 120, inner);
    tt_row helper = put(s, TT_KIND_PYTHON, "net.py(30): scale", 220, 260, forward);
    tt_row range = put(s, TT_KIND_ANNOTATION, "Optimizer.step#Adam.step", 500, 800, step);
    tt_row loss = put(s, TT_KIND_PYTHON, "train.py(50): log_loss", 910, 950, train);
    fixture_track(s, TT_TRACK_STREAM, "stream 7");
    tt_row copied = put(s, TT_KIND_GPU_ANNOTATION, "ProfilerStep#1", 100, 180, TT_NONE);
    tt_row kernel = put(s, TT_KIND_KERNEL, "gemm", 110, 150, copied);
    s->depth[kernel] = 1;
    s->tracks[1].depths = 2;
    fixture_track(s, TT_TRACK_ASYNC, "requests");
    tt_row span = put(s, TT_KIND_OTHER, "request", 0, 150, TT_NONE);
    s->depth[span] = 3;
    s->tracks[2].depths = 4;

    tt_bands *b = tt_bands_new(s, is_user);
    CHECK(!tt_bands_ready(b, 0) && !tt_bands_ready(b, 1) && tt_bands_ready(b, 2));
    const uint16_t *lane = tt_bands_lane(b, 0);
    CHECK(tt_bands_ready(b, 0));
    const uint32_t *first = tt_bands_of(b, 0);
    CHECK_INT(first[TT_BAND_STEPS], 0);
    CHECK_INT(first[TT_BAND_MODULES], 2);
    CHECK_INT(first[TT_BAND_OPERATORS], 5);
    CHECK_INT(first[TT_BAND_RUNTIME], 7);
    CHECK_INT(tt_bands_lanes(b, 0), 8);
    const struct {
        tt_row row;
        uint16_t lane;
    } want[] = {{module, TT_LANE_NONE},
                {start, TT_LANE_NONE},
                {run, TT_LANE_NONE},
                {train, 2},
                {step, 0},
                {net, 3},
                {call, TT_LANE_NONE},
                {forward, TT_LANE_NONE},
                {linear, 4},
                {op, 5},
                {builtin, TT_LANE_NONE},
                {inner, 6},
                {launch, 7},
                {helper, 4},
                {range, 1},
                {loss, 3}};
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        CHECK_INT(lane[want[i].row], want[i].lane);
    }
    CHECK_INT(tt_bands_lane(b, 1)[kernel], 0); /* on a stream the device work has the first lane */
    CHECK_INT(tt_bands_lane(b, 1)[copied], 1);
    CHECK_INT(tt_bands_lanes(b, 1), 2);
    CHECK(tt_bands_of(b, 2) == NULL); /* band 2 shows the lanes as recorded */
    CHECK_INT(tt_bands_lane(b, 2)[span], 3);
    CHECK_INT(tt_bands_lanes(b, 2), 4);

    check_index(s, b, linear, helper, call, train);
    tt_bands_free(b);
    let_go(s);
}

/* Kineto writes some host threads under a device's process; other tracks beside its streams are no threads. */
static void test_strayed(void)
{
    tt_trace *s = trace_of(16);
    fixture_track(s, TT_TRACK_THREAD, "thread 0");
    s->tracks[0].process = 1;
    put(s, TT_KIND_PYTHON, "train.py(1): main", 0, 100, TT_NONE);
    fixture_track(s, TT_TRACK_THREAD, "AI CPU");
    s->tracks[1].process = 1;
    put(s, TT_KIND_OTHER, "EndGraph", 0, 10, TT_NONE);
    CHECK(tt_track_is_host(s, 0));
    CHECK(!tt_track_is_host(s, 1));
    let_go(s);
}

/* A slice that only calls a module folds, too. */
static void test_caller(void)
{
    tt_trace *s = trace_of(16);
    host(s, "main");
    tt_row main_row = put(s, TT_KIND_PYTHON, "train.py(1): main", 0, 1000, TT_NONE);
    tt_row run = put(s, TT_KIND_PYTHON, "train.py(5): run", 10, 990, main_row);
    tt_row net = put(s, TT_KIND_MODULE, "nn.Module: Net_0", 20, 980, run);
    tt_row again = put(s, TT_KIND_PYTHON, "train.py(1): main", 2000, 3000, TT_NONE); /* starts a stack of its own */
    tt_row half = put(s, TT_KIND_MODULE, "nn.Module: Net_0", 2010, 2500, again);
    tt_bands *b = tt_bands_new(s, is_user);
    const uint16_t *lane = tt_bands_lane(b, 0);
    CHECK(lane[main_row] == TT_LANE_NONE && lane[run] == TT_LANE_NONE);
    CHECK(lane[net] == 0 && lane[again] == 0 && lane[half] == 1);
    tt_bands_free(b);
    let_go(s);
}

/* A trace with nothing but hidden frames has no lanes and breaks nothing. */
static void test_hidden(void)
{
    tt_trace *s = trace_of(16);
    host(s, "main");
    tt_row only = put(s, TT_KIND_PYTHON, "threading.py(1032): _bootstrap", 0, 100, TT_NONE);
    tt_bands *b = tt_bands_new(s, is_user);
    tt_lod *l = tt_lod_new_filtered(s, NULL, b);
    tt_lod_cell cell;
    CHECK_INT(tt_bands_lanes(b, 0), 0);
    CHECK(!tt_lod_has(l, 0, 0) && tt_lod_has(l, 0, TT_NONE));
    CHECK_INT(tt_lod_nearest(l, 0, 0, 50), TT_NONE);
    tt_lod_query_track(l, 0, 0, 100, 1, &cell);
    CHECK_INT(cell.longest, only);
    tt_lod_free(l);
    tt_bands_free(b);
    let_go(s);
}

/* ---- random trees ---- */

enum { MOST = 3000, NAMES = 6 };
static const char *const names[NAMES] = {"train.py(1): a",  "net.py(3): forward", "torch/nn/module.py(2): _call_impl",
                                         "<built-in list>", "train.py(9): b",     "abc.py(4): c"};

/* Fill [a, b) with a random tree in the layers that profilers record; each layer has its own parents. */
static void grow(tt_trace *s, uint64_t *seed, int64_t a, int64_t b, tt_row python, tt_row other, unsigned deep)
{
    static const tt_kind kinds[] = {TT_KIND_PYTHON, TT_KIND_PYTHON, TT_KIND_MODULE,     TT_KIND_CPU_OP,
                                    TT_KIND_CPU_OP, TT_KIND_STEP,   TT_KIND_ANNOTATION, TT_KIND_RUNTIME};
    for (int64_t t = a; t < b && s->n < MOST;) {
        int64_t end = t + 1 + (int64_t)(random_next(seed) % (uint64_t)(b - t));
        if (random_next(seed) % 3 == 0) end = b;
        tt_kind kind = kinds[random_next(seed) % (sizeof kinds / sizeof *kinds)];
        bool is_python = tt_kind_is_python(kind);
        tt_row r = put(s, kind, kind == TT_KIND_PYTHON ? names[random_next(seed) % NAMES] : "x", t, end,
                       is_python ? python : other);
        s->depth[r] = (uint16_t)deep;
        if (deep < 14 && end - t > 2 && random_next(seed) % 4) {
            grow(s, seed, t, end, is_python ? r : python, is_python ? other : r, deep + 1);
        }
        t = end + (int64_t)(random_next(seed) % 3 ? 0 : random_next(seed) % 50);
    }
}

static bool same_band(const tt_trace *s, tt_row a, tt_row b)
{
    return tt_band_of_kind(tt_row_kind(s, a)) == tt_band_of_kind(tt_row_kind(s, b));
}

/* Number of slices around r that its band shows, and the innermost of them. */
static uint32_t shown_around(const tt_trace *s, const uint16_t *lane, tt_row r, tt_row *innermost)
{
    uint32_t n = 0;
    *innermost = TT_NONE;
    for (tt_row p = s->parent[r]; p != TT_NONE; p = s->parent[p]) {
        if (lane[p] == TT_LANE_NONE || !same_band(s, p, r)) continue;
        if (n++ == 0) *innermost = p;
    }
    return n;
}

static bool is_wrapper(const tt_trace *s, tt_row r)
{
    return tt_row_kind(s, r) == TT_KIND_PYTHON && !is_user(tt_row_name(s, r));
}

/* Whether r is the function that a module consists of. */
static bool is_body(const tt_trace *s, tt_row r, tt_row around)
{
    if (tt_row_kind(s, r) != TT_KIND_PYTHON || around == TT_NONE || tt_row_kind(s, around) != TT_KIND_MODULE)
        return false;
    return strstr(tt_row_name(s, r), ": forward") || s->dur[r] * 100 >= s->dur[around] * 80;
}

static void check_tree(const tt_trace *s, tt_bands *b)
{
    const uint16_t *lane = tt_bands_lane(b, 0);
    const uint32_t *first = tt_bands_of(b, 0);
    tt_row root = TT_NONE, last[TT_LANE_NONE + 1], around;
    for (size_t i = 0; i <= TT_LANE_NONE; i++) last[i] = TT_NONE;
    for (tt_row r = 0; r < s->n; r++) {
        uint32_t n = shown_around(s, lane, r, &around);
        bool is_function = tt_kind_is_python(tt_row_kind(s, r)) && !is_wrapper(s, r);
        if (is_function && (root == TT_NONE || s->start[r] >= tt_row_end(s, root))) root = r; /* outermost so far */
        if (lane[r] == TT_LANE_NONE) {
            /* hidden slices: library functions, the body of a module, the outermost functions */
            bool outer = root != TT_NONE && s->dur[r] * 100 >= s->dur[root] * 80 && s->start[r] < tt_row_end(s, root);
            CHECK(tt_row_kind(s, r) == TT_KIND_PYTHON);
            CHECK(is_wrapper(s, r) || is_body(s, r, around) || outer);
            continue;
        }
        tt_band band = tt_band_of_kind(tt_row_kind(s, r));
        CHECK(!is_wrapper(s, r) && !is_body(s, r, around));
        CHECK_INT(lane[r], first[band] + n); /* directly below the slices around it */
        CHECK(lane[r] < first[band + 1]);
        tt_row before = last[lane[r]];
        CHECK(before == TT_NONE || tt_row_end(s, before) <= s->start[r]);
        last[lane[r]] = r;
    }
}

static void test_random(void)
{
    for (uint64_t seed = 1; seed <= 60; seed++) {
        uint64_t x = seed * UINT64_C(0x9e3779b97f4a7c15);
        tt_trace *s = trace_of(MOST + 64);
        host(s, "main");
        grow(s, &x, 0, 1000 + (int64_t)seed * 5000, TT_NONE, TT_NONE, 0);
        tt_bands *b = tt_bands_new(s, is_user);
        if (seed % 2) tt_bands_build(b, 2, NULL);
        check_tree(s, b);
        tt_lod *l = tt_lod_new_filtered(s, NULL, b);
        uint32_t shown = 0, counted = 0;
        for (tt_row r = 0; r < s->n; r++) shown += tt_bands_lane(b, 0)[r] != TT_LANE_NONE;
        for (uint32_t i = 0; i < tt_bands_lanes(b, 0); i++) {
            tt_lod_cell cell;
            tt_lod_query(l, 0, i, -1, s->end + 1, 1, &cell);
            counted += cell.count;
            CHECK(cell.count > 0); /* every lane has a slice */
        }
        CHECK_INT(counted, shown);
        tt_lod_free(l);
        tt_bands_free(b);
        let_go(s);
    }
}

/* Crossing slices never share a lane, however many they are, and use as few lanes as their overlap requires. */
static void test_crossing(void)
{
    tt_trace *s = trace_of(MOST);
    host(s, "main");
    for (int i = 0; i < 500; i++) put(s, TT_KIND_CPU_OP, "x", i * 10, i * 10 + 25, TT_NONE); /* three at a time */
    tt_bands *b = tt_bands_new(s, is_user);
    const uint16_t *lane = tt_bands_lane(b, 0);
    CHECK_INT(tt_bands_lanes(b, 0), 3);
    for (tt_row r = 0; r < s->n; r++) {
        for (tt_row o = r + 1; o < s->n && s->start[o] < tt_row_end(s, r); o++) CHECK(lane[o] != lane[r]);
    }
    tt_bands_free(b);
    let_go(s);
}

int main(void)
{
    test_stack();
    test_strayed();
    test_caller();
    test_hidden();
    test_random();
    test_crossing();
    return check_done();
}
