// Why a device waits: every rule by hand, then random traces against a look at each microsecond; windows, steps and
// the tables of idle time.
#include "model/tables/idle/gpu_time.h"
#include "model/tables/idle/idle_gaps.h"
#include "model/tables/registry/registry.h"
#include "model/tables/table.h"
#include "tests/unit/made.h"
#include "tests/unit/random.h"

static void host(made_trace *m, const char *cat, const char *name, int tid, int ts, int dur, int correlation)
{
    fprintf(m->f, "{\"ph\":\"X\",\"cat\":\"%s\",\"name\":\"%s\",\"pid\":1,\"tid\":%d,\"ts\":%d,\"dur\":%d", cat, name,
            tid, ts, dur);
    if (correlation) fprintf(m->f, ",\"args\":{\"correlation\":%d}", correlation);
    fputs("},\n", m->f);
}

static void work(made_trace *m, const char *cat, const char *name, int device, int stream, int ts, int dur, int launch)
{
    fprintf(m->f,
            "{\"ph\":\"X\",\"cat\":\"%s\",\"name\":\"%s\",\"pid\":%d,\"tid\":%d,\"ts\":%d,\"dur\":%d,\"args\":{"
            "\"device\":%d,\"stream\":%d,\"correlation\":%d}},\n",
            cat, name, device, stream, ts, dur, device, stream, launch);
}

static const char *next_name(tt_session *s, const tt_idle_gap *g)
{
    const tt_device_work *w = tt_device_work_get(s, 0);
    return g->next == TT_NONE ? "" : tt_row_name(s->traces[0], w->at[g->next].row);
}

// us: ends of the gap, and its parts in the order of tt_wait_cause
static void check_gap(tt_session *s, const tt_idle_gap *g, int t0, int t1, const char *next, const int (*parts)[8])
{
    int64_t sum = 0;
    CHECK_INT(g->t0, t0 * 1000);
    CHECK_INT(g->t1, t1 * 1000);
    CHECK_STR(next_name(s, g), next);
    for (int k = 0; k < TT_WAIT_COUNT_; k++) {
        CHECK_INT(g->part[k], (*parts)[k] * 1000);
        sum += g->part[k];
        CHECK(g->part[g->cause] > g->part[k] || (g->part[g->cause] == g->part[k] && (int)g->cause <= k));
    }
    CHECK_INT(sum, g->t1 - g->t0);
}
#define PARTS(...) (&(const int[8]){__VA_ARGS__})

static void put_by_hand(made_trace *m)
{
    made_begin(m);
    host(m, "cpu_op", "aten::a", 1, 0, 30, 0);
    host(m, "cuda_runtime", "cudaLaunchKernel", 1, 5, 5, 1);
    work(m, "kernel", "a", 0, 7, 12, 8, 1);
    // the host loads data, runs Python, waits, runs an operator and launches
    host(m, "cpu_op", "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", 1, 30, 20, 0);
    host(m, "user_annotation", "forward", 1, 50, 60, 0); // encloses the cause of the wait
    host(m, "cuda_runtime", "cudaStreamSynchronize", 1, 60, 10, 0);
    host(m, "cpu_op", "aten::b", 1, 75, 25, 0);
    host(m, "cuda_runtime", "cudaLaunchKernel", 1, 90, 5, 2);
    work(m, "kernel", "b", 0, 7, 97, 13, 2);
    host(m, "cuda_runtime", "cudaLaunchKernel", 1, 98, 1, 3); // launched in time
    work(m, "kernel", "c", 0, 7, 112, 8, 3);
    work(m, "kernel", "lost", 0, 7, 125, 5, 99);
    host(m, "cuda_runtime", "cudaLaunchKernel", 1, 121, 10, 4); // between launch and start lies far too long a time
    work(m, "kernel", "late", 0, 7, 300, 10, 4);
    work(m, "kernel", "early", 0, 7, 320, 5, 5); // starts before its launch, so the clocks disagree
    host(m, "cuda_runtime", "cudaLaunchKernel", 1, 330, 10, 5);
    host(m, "cuda_runtime", "cudaGraphLaunch", 1, 341, 9, 6); // the gap inside a graph is the graph's own
    work(m, "kernel", "g1", 0, 7, 355, 5, 6);
    work(m, "kernel", "g2", 0, 7, 362, 3, 6);
    work(m, "gpu_memcpy", "touching", 0, 8, 365, 5, 6);
    work(m, "kernel", "point", 0, 8, 375, 0, 6); // work without duration is work
    work(m, "kernel", "g3", 0, 7, 380, 5, 6);
    // three start at once: the first known launch ends the gap
    work(m, "kernel", "x1", 0, 7, 400, 5, 98);
    host(m, "cuda_runtime", "cudaLaunchKernel", 1, 389, 2, 8);
    work(m, "kernel", "x2", 0, 8, 400, 5, 8);
    host(m, "cuda_runtime", "cudaLaunchKernel", 2, 387, 6, 9);
    work(m, "kernel", "x3", 0, 9, 400, 5, 9);
    host(m, "cpu_op", "aten::other", 2, 386, 2, 0);
}

static void test_by_hand(void)
{
    made_trace m;
    put_by_hand(&m);
    tt_session *s = made_load(&m);
    const tt_idle_gaps *l = tt_idle_gaps_get(s, 0);
    const tt_idle_gap *g = l->at.at;
    CHECK_INT(l->first.n, 2);
    if (!CHECK(l->at.n == 10)) return;
    // order: input, sync, runtime, operator, between, launch, queue, unknown
    check_gap(s, &g[0], 20, 97, "b", PARTS(20, 10, 5, 25, 15, 2, 0, 0));
    check_gap(s, &g[1], 110, 112, "c", PARTS(0, 0, 0, 0, 0, 0, 2, 0));
    check_gap(s, &g[2], 120, 125, "lost", PARTS(0, 0, 0, 0, 0, 0, 0, 5));
    check_gap(s, &g[3], 130, 300, "late", PARTS(0, 0, 1, 0, 0, 100, 69, 0));
    check_gap(s, &g[4], 310, 320, "early", PARTS(0, 0, 0, 0, 10, 0, 0, 0));
    check_gap(s, &g[5], 325, 355, "g1", PARTS(0, 0, 19, 0, 6, 5, 0, 0));
    check_gap(s, &g[6], 360, 362, "g2", PARTS(0, 0, 0, 0, 0, 0, 2, 0));
    check_gap(s, &g[7], 370, 375, "point", PARTS(0, 0, 0, 0, 0, 0, 5, 0));
    check_gap(s, &g[8], 375, 380, "g3", PARTS(0, 0, 0, 0, 0, 0, 5, 0));
    check_gap(s, &g[9], 385, 400, "x3", PARTS(0, 0, 6, 1, 1, 7, 0, 0));
    CHECK(g[2].track == TT_NONE);
    CHECK(g[9].track != TT_NONE && g[9].track != g[0].track);
    CHECK(g[0].op == TT_NONE); // Python is in the middle: an annotation is no operator
    tt_session_free(s);
}

// The operator in the middle of the host's part counts, not the one in the middle of the gap.
static void test_operator(void)
{
    made_trace m;
    made_begin(&m);
    host(&m, "cpu_op", "aten::outer", 1, 0, 60, 0);
    host(&m, "cpu_op", "aten::inner", 1, 18, 8, 0);
    host(&m, "cuda_runtime", "cudaLaunchKernel", 1, 1, 2, 1);
    host(&m, "cuda_runtime", "cudaLaunchKernel", 1, 28, 2, 2);
    work(&m, "kernel", "a", 0, 7, 5, 5, 1);
    work(&m, "kernel", "b", 0, 7, 120, 5, 2); // host's part: 10 to 30
    host(&m, "cpu_op", "aten::later", 1, 64, 4, 0);
    tt_session *s = made_load(&m);
    const tt_idle_gaps *l = tt_idle_gaps_get(s, 0);
    if (CHECK(l->at.n == 1) && CHECK(l->at.at[0].op != TT_NONE))
        CHECK_STR(tt_row_name(s->traces[0], l->at.at[0].op), "aten::inner");
    CHECK_INT(tt_idle_host_ns(&l->at.at[0]), 20000);
    tt_session_free(s);
}

/* ---- random traces, checked by the definition for each microsecond ---- */

enum { LENGTH = 1200, THREADS = 2, DEVICES = 2, STREAMS = 2, WORKS = 40 };

typedef struct model {
    int host[THREADS][LENGTH]; // tt_wait_cause of each microsecond
    struct {
        int thread, start, end;
    } launch[WORKS];
    struct {
        int device, start, end, launch; // launch: index of the launch, -1 = not recorded
    } work[WORKS];
    int n;
} model;

static void cover(int *of, int from, int to, int cause)
{
    for (int t = from; t < to && t < LENGTH; t++)
        if (cause < of[t]) of[t] = cause;
}

// A thread runs operators, data loading, calls that wait, calls that launch, and Python, one after another.
static void put_thread(made_trace *m, model *x, int thread)
{
    for (int t = 0; t < LENGTH; t++) x->host[thread][t] = TT_WAIT_BETWEEN;
    for (int t = (int)random_below(5); t < LENGTH - 60;) {
        int dur = 8 + (int)random_below(50), what = (int)random_below(6);
        if (what == 0) {
            host(m, "cpu_op", "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", thread, t, dur, 0);
            cover(x->host[thread], t, t + dur, TT_WAIT_INPUT);
            host(m, "cpu_op", "aten::copy_", thread, t + 1, 3, 0); // inside data loading, so still data loading
        } else if (what == 1) {
            host(m, "cuda_runtime", "cudaDeviceSynchronize", thread, t, dur, 0);
            cover(x->host[thread], t, t + dur, TT_WAIT_SYNC);
        } else if (what < 5) {
            host(m, "cpu_op", "aten::op", thread, t, dur, 0);
            cover(x->host[thread], t, t + dur, TT_WAIT_OPERATOR);
        }
        if (what >= 3 && x->n < WORKS) { // launches also occur outside of operators
            int i = x->n++, from = t + 1 + (int)random_below(3), to = from + 1 + (int)random_below(4);
            host(m, "cuda_runtime", "cudaLaunchKernel", thread, from, to - from, i + 1);
            cover(x->host[thread], from, to, TT_WAIT_RUNTIME);
            x->launch[i].thread = thread, x->launch[i].start = from, x->launch[i].end = to;
        }
        t += dur + (int)random_below(4) * (int)random_below(30);
    }
}

static void put_work(made_trace *m, model *x)
{
    static const char *const cats[] = {"kernel", "kernel", "gpu_memcpy", "gpu_memset"};
    int free_at[DEVICES][STREAMS] = {{0}};
    for (int i = 0; i < x->n; i++) {
        int device = (int)random_below(DEVICES), stream = (int)random_below(STREAMS);
        int start = x->launch[i].start + (int)random_below(12) - 3; // the clocks may disagree
        if (random_below(8) == 0) start += 90 + (int)random_below(60);
        if (start < free_at[device][stream]) start = free_at[device][stream] + (int)random_below(3);
        int dur = (int)random_below(5) ? (int)random_below(60) : 0;
        bool lost = random_below(8) == 0;
        char name[16];
        snprintf(name, sizeof name, i % 5 ? "w%d" : "nccl%d", i);
        work(m, cats[random_below(4)], name, device, stream, start, dur, lost ? 1000 + i : i + 1);
        x->work[i].device = device, x->work[i].start = start, x->work[i].end = start + dur;
        x->work[i].launch = lost ? -1 : i;
        free_at[device][stream] = start + dur;
    }
}

// Work that ends the gap at t: work with a known launch first, then the earlier launch, then the place in the file.
static int next_at(const model *x, int device, int t)
{
    int best = -1;
    for (int i = 0; i < x->n; i++) {
        if (x->work[i].device != device || x->work[i].start != t) continue;
        bool known = x->work[i].launch >= 0, had = best >= 0 && x->work[best].launch >= 0;
        if (best < 0 || (known && !had) || (known && had && x->launch[i].start < x->launch[best].start)) best = i;
    }
    return best;
}

// Find the gap around microsecond t of a device within the window; false = the device works.
static bool gap_around(const model *x, int device, int t, int from, int to, int *g0, int *g1)
{
    *g0 = from, *g1 = to;
    for (int i = 0; i < x->n; i++) {
        if (x->work[i].device != device) continue;
        if (x->work[i].start <= t && x->work[i].end > t) return false;
        if (x->work[i].end <= t && x->work[i].end > *g0) *g0 = x->work[i].end;
        if (x->work[i].start > t && x->work[i].start < *g1) *g1 = x->work[i].start;
    }
    return true;
}

static int cause_at(const model *x, int device, int t, int g0, int g1)
{
    int next = next_at(x, device, g1);
    if (x->work[next].launch < 0) return TT_WAIT_UNKNOWN;
    int le = x->launch[x->work[next].launch].end, h = le < g1 ? le : g1;
    if (le <= g0) return TT_WAIT_QUEUE;
    if (t < h) return x->host[x->launch[x->work[next].launch].thread][t];
    return t - h < TT_LAUNCH_NS / 1000 ? TT_WAIT_LAUNCH : TT_WAIT_QUEUE;
}

// The thread that launched the last work of the device, -1 = unknown.
static int last_thread(const model *x, int device)
{
    int last = -1;
    for (int i = 0; i < x->n; i++)
        if (x->work[i].device == device && (last < 0 || x->work[i].end > x->work[last].end ||
                                            (x->work[i].end == x->work[last].end && x->work[last].launch < 0)))
            last = i;
    return last < 0 || x->work[last].launch < 0 ? -1 : x->launch[x->work[last].launch].thread;
}

// us of each cause in [from, to) on a device, for an account that begins at `begin`. Idle time after the last work is
// charged to a thread of the host; -1 = the thread that launched that work.
static void expected(const model *x, int device, int from, int to, int begin, int thread, int64_t part[TT_WAIT_COUNT_])
{
    int first = LENGTH * 4, last = -1, g0, g1;
    for (int i = 0; i < x->n; i++) {
        if (x->work[i].device != device) continue;
        if (x->work[i].start < first) first = x->work[i].start;
        if (x->work[i].end > last) last = x->work[i].end;
    }
    if (thread < 0) thread = last_thread(x, device);
    for (int t = from; t < to; t++) {
        if (last < 0 || !gap_around(x, device, t, t < first ? begin : -1, LENGTH * 4, &g0, &g1)) continue;
        int cause = thread < 0 ? TT_WAIT_UNKNOWN : x->host[thread][t < LENGTH ? t : LENGTH - 1];
        if (t < last) cause = cause_at(x, device, t, g0, g1);
        if (t < first && (cause == TT_WAIT_QUEUE || cause == TT_WAIT_SYNC)) cause = TT_WAIT_UNKNOWN;
        part[cause] += 1000;
    }
}

static bool same_parts(const int64_t *got, const int64_t *want)
{
    return memcmp(got, want, sizeof(int64_t) * TT_WAIT_COUNT_) == 0;
}

// Returns the number of wrong values for a window.
static int check_window(tt_session *s, const model *x, int from, int to, uint32_t thread)
{
    const tt_device_work *w = tt_device_work_get(s, 0);
    tt_idle_gaps l = tt_idle_gaps_in(
        s, 0, &(tt_idle_window){(int64_t)from * 1000, (int64_t)to * 1000, (int64_t)from * 1000, thread});
    int wrong = 0;
    for (uint32_t i = 0; i < w->n_devices; i++) {
        int64_t want[TT_WAIT_COUNT_] = {0}, got[TT_WAIT_COUNT_] = {0}, sum = 0;
        tt_gpu_time time = {0};
        expected(x, (int)w->devices[i].id, from, to, from, 0, want);
        for (uint32_t k = l.first.at[i]; k < l.first.at[i + 1]; k++) {
            const tt_idle_gap *g = &l.at.at[k];
            int64_t of_gap = 0;
            for (int c = 0; c < TT_WAIT_COUNT_; c++) got[c] += g->part[c], of_gap += g->part[c];
            wrong += of_gap != g->t1 - g->t0 || of_gap <= 0 || g->device != i;
            sum += of_gap;
        }
        wrong += !same_parts(got, want);
        tt_gpu_time_in(s, 0, i, (int64_t)from * 1000, (int64_t)to * 1000, &time);
        wrong += time.idle != sum || time.total != (int64_t)(to - from) * 1000;
        wrong += time.computation + time.communication_exposed + time.copy_exposed + time.idle != time.total;
        memset(want, 0, sizeof want), memset(got, 0, sizeof got);
        expected(x, (int)w->devices[i].id, from, to, 0, -1, want); // for a picture: causes over the whole account
        tt_idle_parts_in(s, 0, i, (int64_t)from * 1000, (int64_t)to * 1000, got);
        wrong += !same_parts(got, want);
    }
    tt_idle_gaps_free(&l);
    return wrong;
}

static uint32_t thread_track(const tt_trace *s, const char *tid)
{
    for (uint32_t i = 0; i < s->n_tracks; i++)
        if (s->tracks[i].kind == TT_TRACK_THREAD && !strcmp(tt_str(&s->strings, s->tracks[i].tid), tid)) return i;
    return TT_NONE;
}

static void test_random(void)
{
    for (int round = 0; round < 60; round++) {
        made_trace m;
        static model x;
        x.n = 0;
        made_begin(&m);
        host(&m, "cpu_op", "aten::begin", 9, 0, 1, 0); // begins the axis
        for (int i = 0; i < THREADS; i++) put_thread(&m, &x, i);
        put_work(&m, &x);
        tt_session *s = made_load(&m);
        uint32_t thread = thread_track(s->traces[0], "0");
        int end = (int)(s->traces[0]->end / 1000), wrong = check_window(s, &x, 0, end, thread);
        for (int i = 0; i < 20; i++) {
            int from = (int)random_below((uint32_t)end), to = from + 1 + (int)random_below((uint32_t)(end - from));
            wrong += check_window(s, &x, from, to, thread);
        }
        tt_session_free(s);
        if (!CHECK(!wrong)) fprintf(stderr, "    round %d: %d wrong\n", round, wrong);
    }
}

enum { MANY = 9000 };

// More gaps than one task takes and than one stored sum covers; each gap is 9 us long, and every third launch is not
// recorded.
static void test_many(void)
{
    made_trace m;
    int wrong = 0;
    made_begin(&m);
    for (int i = 0; i < MANY; i++) host(&m, "cuda_runtime", "cudaGraphLaunch", 1, i, 1, i + 1);
    for (int i = 0; i < MANY; i++) {
        work(&m, "kernel", "k", 0, 7, MANY + i * 10, 1, i % 3 ? i + 1 : MANY * 9 + i);
        if (i % 2) work(&m, "kernel", "k", 1, 7, MANY + i * 10, 1, i + 1);
    }
    tt_session *s = made_load(&m);
    CHECK_INT(tt_idle_gaps_get(s, 0)->at.n, MANY - 1 + MANY / 2 - 1);
    for (int round = 0; round < 300; round++) {
        int from = (int)random_below(MANY * 10), to = from + (int)random_below(MANY * 10 - (uint64_t)from);
        int64_t got[2][TT_WAIT_COUNT_] = {{0}}, queue[2] = {0}, unknown = 0;
        for (int i = 1; i < MANY; i++) { // the gap before work i of device 0; device 1 has every second gap
            int t0 = i * 10 - 9 > from ? i * 10 - 9 : from, t1 = i * 10 < to ? i * 10 : to;
            int wide0 = i * 10 - 19 > from ? i * 10 - 19 : from;
            if (t0 < t1) *(i % 3 ? &queue[0] : &unknown) += (t1 - t0) * 1000;
            if (i % 2 && i > 1 && wide0 < t1) queue[1] += (t1 - wide0) * 1000;
        }
        for (uint32_t i = 0; i < 2; i++)
            tt_idle_parts_in(s, 0, i, (int64_t)(MANY + from) * 1000, (int64_t)(MANY + to) * 1000, got[i]);
        wrong += got[0][TT_WAIT_QUEUE] != queue[0] || got[0][TT_WAIT_UNKNOWN] != unknown;
        wrong += got[1][TT_WAIT_QUEUE] != queue[1];
    }
    CHECK_INT(wrong, 0);
    tt_session_free(s);
}

/* ---- tables ---- */

static int64_t number(const tt_table *t, uint32_t row, const char *key)
{
    return tt_table_cell(t, row, (uint32_t)tt_table_column(t, key)).i;
}

static const char *text(const tt_table *t, uint32_t row, const char *key)
{
    return tt_table_cell(t, row, (uint32_t)tt_table_column(t, key)).s;
}

static const tt_table *table(tt_session *s, const char *id, const char *group, const tt_scope *scope)
{
    const tt_table_desc *d = tt_table_find(id);
    tt_options o = {.group = (uint8_t)(group ? tt_table_group(d, group) : 0)};
    return tt_table_get(s, d, scope, &o);
}

// Idle time of gpu_time equals the sum of its causes, row by row, or step by step where the tables are by step.
static void check_agree(tt_session *s, const tt_scope *scope, const char *time_by, const char *causes_by)
{
    const tt_table *time = table(s, "gpu_time", time_by, scope), *causes = table(s, "idle_causes", causes_by, scope);
    CHECK(time->n_rows > 0);
    for (uint32_t r = 0; r < time->n_rows; r++) {
        int64_t sum = 0;
        double pct = 0;
        for (uint32_t c = 0; c < causes->n_rows; c++) {
            bool step = !strcmp(time_by, "step");
            if (strcmp(text(causes, c, "device"), text(time, r, "device")) != 0) continue;
            if (step && strcmp(text(causes, c, "step"), text(time, r, "step")) != 0) continue;
            sum += number(causes, c, "idle_ns");
            pct += tt_table_cell(causes, c, (uint32_t)tt_table_column(causes, "pct")).d;
        }
        CHECK_INT(sum, number(time, r, "idle_ns"));
        CHECK(!sum || (pct > 99.999 && pct < 100.001));
    }
}

static void put_steps(made_trace *m)
{
    made_begin(m);
    for (int i = 0; i < 3; i++) {
        char name[32];
        snprintf(name, sizeof name, "ProfilerStep#%d", i + 4);
        host(m, "user_annotation", name, 1, i * 100, 100, 0);
        host(m, "cpu_op", "aten::op", 1, i * 100 + 10, 40, 0);
        host(m, "cuda_runtime", "cudaLaunchKernel", 1, i * 100 + 20, 5, i + 1);
        work(m, "kernel", "k", 0, 7, i * 110 + 30, 50, i + 1);
        work(m, "kernel", "nccl", 1, 7, i * 110 + 30, 20, i + 1);
    }
    work(m, "gpu_memcpy", "copy", 1, 8, 60, 20, 77);
}

// A picture shows the idle time of the steps whole, from the beginning of the first step to the end of the last, each
// instant once. Times are us: the steps last from 0 to 300; GPU 0 works in 30-80, 140-190 and 250-300; GPU 1 ends at
// 270.
static void test_lanes(void)
{
    made_trace m;
    put_steps(&m);
    tt_session *s = made_load(&m);
    static const int64_t gaps[2][4][2] = {{{0, 30}, {80, 140}, {190, 250}}, {{0, 30}, {50, 60}, {80, 140}, {160, 250}}};
    static const int64_t idle[2] = {150000, 220000};
    tt_idle_gaps whole = tt_idle_gaps_in(s, 0, &(tt_idle_window){0, 300000, 0, TT_NONE});
    for (uint32_t d = 0; d < 2; d++) {
        tt_idle_lane l = tt_idle_lane_of(s, 0, d);
        int64_t part[TT_WAIT_COUNT_] = {0}, table_part[TT_WAIT_COUNT_] = {0}, sum = 0;
        CHECK_INT(l.n, d ? 5 : 3);
        for (uint32_t i = 0; i < l.n && i < 4; i++) {
            CHECK_INT(tt_idle_lane_at(&l, i)->t0, gaps[d][i][0] * 1000);
            CHECK_INT(tt_idle_lane_at(&l, i)->t1, gaps[d][i][1] * 1000);
            CHECK_INT(tt_idle_lane_after(&l, gaps[d][i][0] * 1000), i);
        }
        CHECK_INT(tt_idle_lane_after(&l, 300000), l.n);
        CHECK(l.head && !!l.tail == !!d);
        if (l.tail) CHECK(l.tail->t0 == 270000 && l.tail->t1 == 300000);
        tt_idle_parts_in(s, 0, d, 0, 300000, part);
        for (uint32_t i = whole.first.at[d]; i < whole.first.at[d + 1]; i++)
            for (int k = 0; k < TT_WAIT_COUNT_; k++) table_part[k] += whole.at.at[i].part[k];
        for (int k = 0; k < TT_WAIT_COUNT_; k++) sum += part[k];
        CHECK_INT(sum, idle[d]);
        CHECK(same_parts(part, table_part));
    }
    tt_idle_gaps_free(&whole);
    tt_session_free(s);
}

static void test_tables(void)
{
    made_trace m;
    put_steps(&m);
    tt_session *s = made_load(&m);
    tt_scope steps = tt_scope_all, range = tt_scope_all;
    steps.has_steps = true;
    steps.step_first = steps.step_last = 5;
    range.has_range = true;
    range.t0 = 5000, range.t1 = 295000;
    check_agree(s, &tt_scope_all, "device", "device");
    check_agree(s, &tt_scope_all, "device", "operator");
    check_agree(s, &tt_scope_all, "step", "step");
    check_agree(s, &steps, "device", "device");
    check_agree(s, &steps, "step", "step");
    check_agree(s, &range, "device", "device");
    check_agree(s, &range, "device", "operator");

    // step 5 lasts from 100 to 200; its kernel runs from 140 to 190 and is launched until 125
    const tt_table *t = table(s, "gpu_gaps", NULL, &steps);
    CHECK_INT(t->n_rows, 4); // each device has a gap before and after its work
    for (uint32_t r = 0; r < t->n_rows; r++) {
        bool before = number(t, r, "start_at_ns") == 100000;
        if (strcmp(text(t, r, "device"), "GPU0") != 0) continue;
        CHECK_INT(number(t, r, "duration_ns"), before ? 40000 : 10000);
        CHECK_INT(number(t, r, "host_ns"), before ? 25000 : 10000);
        CHECK_INT(number(t, r, "launch_ns"), before ? 15000 : 0);
        CHECK_STR(text(t, r, "cause"), before ? "launch" : "between");
        CHECK_STR(text(t, r, "step"), before ? "5" : "6");
    }
    t = table(s, "gpu_time", "device", &range);
    CHECK_INT(number(t, 0, "total_ns"), 290000);
    CHECK_INT(number(t, 0, "computation_ns"), 50000 + 50000 + 45000);
    CHECK_INT(number(t, 1, "communication_exposed_ns"), 60000);
    CHECK_INT(number(t, 1, "copy_exposed_ns"), 20000);
    tt_session_free(s);
}

// Computation hides communication, and communication hides copies. A kernel that reduces across devices itself is
// communication, too.
static void test_classes(void)
{
    made_trace m;
    made_begin(&m);
    host(&m, "cpu_op", "aten::op", 1, 0, 1, 0);
    work(&m, "kernel", "ncclDevKernel_AllReduce", 0, 7, 0, 40, 51);
    work(&m, "kernel", "gemm", 0, 8, 30, 20, 52);                       // hides 10 of the collective
    work(&m, "gpu_memcpy", "Memcpy HtoD", 0, 9, 20, 50, 53);            // exposed from 50 to 60
    work(&m, "kernel", "multimem_all_reduce_kernel", 0, 10, 60, 5, 54); // exposed communication
    work(&m, "gpu_memset", "Memset", 0, 9, 80, 5, 55);                  // idle from 70 to 80
    work(&m, "kernel", "cross_device_reduce_1stage", 0, 10, 90, 10, 56);
    tt_session *s = made_load(&m);
    const tt_table *t = table(s, "gpu_time", "device", &tt_scope_all);
    CHECK_INT(t->n_rows, 1);
    CHECK_INT(number(t, 0, "total_ns"), 100000);
    CHECK_INT(number(t, 0, "computation_ns"), 20000);
    CHECK_INT(number(t, 0, "communication_exposed_ns"), 45000);
    CHECK_INT(number(t, 0, "communication_ns"), 55000);
    CHECK_INT(number(t, 0, "overlap_ns"), 10000);
    CHECK_INT(number(t, 0, "copy_exposed_ns"), 20000);
    CHECK_INT(number(t, 0, "copy_ns"), 55000);
    CHECK_INT(number(t, 0, "idle_ns"), 15000);
    CHECK_INT(number(t, 0, "busy_ns"), 85000);
    tt_session_free(s);
}

static const tt_table *device_table(tt_session *s, const char *id)
{
    tt_options o = {.device_window = true};
    return tt_table_get(s, tt_table_find(id), &tt_scope_all, &o);
}

typedef struct stream_row {
    const char *stream, *cause;
    int us, gaps;
} stream_row;

static void check_streams(const tt_table *t, const stream_row *want, uint32_t n)
{
    CHECK_INT(t->n_rows, n);
    for (uint32_t r = 0; r < t->n_rows && r < n; r++) {
        CHECK_STR(text(t, r, "stream"), want[r].stream);
        CHECK_STR(text(t, r, "cause"), want[r].cause);
        CHECK_INT(number(t, r, "idle_ns"), want[r].us * 1000);
        CHECK_INT(number(t, r, "gaps"), want[r].gaps);
    }
}

// A shorter gap after longer work on the same stream; the gaps of the whole device differ. The account, 0 to 210,
// begins and ends with a gap of each stream.
static void test_streams(void)
{
    made_trace m;
    made_begin(&m);
    host(&m, "cuda_runtime", "cudaLaunchKernel", 1, 0, 5, 1);
    host(&m, "cuda_runtime", "cudaLaunchKernel", 1, 6, 5, 2);
    host(&m, "cuda_runtime", "cudaLaunchKernel", 1, 150, 5, 3);
    work(&m, "kernel", "long", 0, 7, 10, 90, 1);
    work(&m, "kernel", "inside", 0, 7, 20, 10, 2);
    work(&m, "kernel", "after", 0, 7, 120, 10, 2); // starts 20 us after the long work
    work(&m, "kernel", "other", 0, 8, 100, 100, 2);
    work(&m, "kernel", "late", 0, 7, 160, 10, 3);
    work(&m, "kernel", "lost", 0, 7, 200, 10, 55); // idle for 30 us: no kernel_wait
    tt_session *s = made_load(&m);
    static const stream_row device[] = {{"7", "host_wait", 30, 1}, {"7", "kernel_wait", 20, 1}, {"7", "other", 30, 1}};
    static const stream_row account[] = {{"7", "host_wait", 30, 1},
                                         {"7", "kernel_wait", 10 + 20, 2}, // launched as the account begins
                                         {"7", "other", 30, 1},
                                         {"8", "host_wait", 100, 1},
                                         {"8", "other", 10, 1}};
    check_streams(device_table(s, "stream_idle"), device, 3);
    check_streams(table(s, "stream_idle", NULL, &tt_scope_all), account, 5);
    CHECK_INT(table(s, "gpu_gaps", NULL, &tt_scope_all)->n_rows, 1);
    CHECK_INT(device_table(s, "gpu_gaps")->n_rows, 0);
    CHECK(device_table(s, "gpu_gaps")->note != NULL);
    tt_session_free(s);
}

// Before the first work of a device its queue and the cause of a blocking call are unknown. Long queues stay unknown
// until the device has worked for a millisecond, unless another device works meanwhile. After its last work the host
// is charged.
static void check_edges(bool other_works)
{
    made_trace m;
    made_begin(&m);
    host(&m, "cpu_op", "aten::begin", 1, 0, 1, 0);
    host(&m, "cuda_runtime", "cudaDeviceSynchronize", 1, 100, 200, 0);
    for (int i = 0; i < 4; i++) host(&m, "cuda_runtime", "cudaLaunchKernel", 1, 300 + 20 * i, 10, i + 1);
    work(&m, "kernel", "a", 0, 7, 2000, 100, 1);
    work(&m, "kernel", "b", 0, 7, 4000, 50, 2);
    work(&m, "kernel", "c", 0, 7, 4500, 1500, 3);
    work(&m, "kernel", "d", 0, 7, 8000, 10, 4);
    if (other_works) work(&m, "kernel", "e", 1, 7, 3000, 10, 99);
    host(&m, "cpu_op", "aten::end", 1, 8500, 100, 0);
    tt_session *s = made_load(&m);
    tt_idle_gaps l = tt_idle_gaps_in(s, 0, &(tt_idle_window){0, 8600000, 0, TT_NONE});
    const tt_idle_gap *g = l.at.at;
    if (CHECK(l.first.at[1] == 5)) {
        // order: input, sync, runtime, operator, between, launch, queue, unknown
        check_gap(s, &g[0], 0, 2000, "a", PARTS(0, 0, 10, 1, 99, 100, 0, 200 + 1590));
        check_gap(s, &g[1], 2100, 4000, "b",
                  other_works ? PARTS(0, 0, 0, 0, 0, 0, 1900, 0) : PARTS(0, 0, 0, 0, 0, 0, 0, 1900));
        check_gap(s, &g[2], 4050, 4500, "c", PARTS(0, 0, 0, 0, 0, 0, 450, 0));  // a short queue
        check_gap(s, &g[3], 6000, 8000, "d", PARTS(0, 0, 0, 0, 0, 0, 2000, 0)); // after 1650 us of work
        check_gap(s, &g[4], 8010, 8600, "", PARTS(0, 0, 0, 100, 490, 0, 0, 0));
        CHECK(g[0].edge == TT_EDGE_LEADING && g[3].edge == TT_EDGE_NONE && g[4].edge == TT_EDGE_TRAILING);
        CHECK(g[1].edge == (other_works ? TT_EDGE_NONE : TT_EDGE_EARLY));
    }
    // the rules for a part of the gaps are those for the whole
    tt_idle_gaps part = tt_idle_gaps_in(s, 0, &(tt_idle_window){3900000, 3950000, 3900000, TT_NONE});
    if (CHECK(part.first.at[1] == 1))
        check_gap(s, part.at.at, 3900, 3950, "b",
                  other_works ? PARTS(0, 0, 0, 0, 0, 0, 50, 0) : PARTS(0, 0, 0, 0, 0, 0, 0, 50));
    tt_idle_gaps_free(&part);
    tt_idle_gaps_free(&l);
    tt_session_free(s);
}

// Intervals of each cause, as evidence needs them, are as long as the parts say.
static void test_stretches(void)
{
    made_trace m;
    put_by_hand(&m);
    tt_session *s = made_load(&m);
    tt_idle_gaps l = tt_idle_gaps_in(s, 0, &(tt_idle_window){0, 420000, 0, TT_NONE});
    for (size_t i = 0; i < l.at.n; i++)
        for (int k = 0; k < TT_WAIT_COUNT_; k++) {
            tt_ivs own = {0};
            tt_idle_stretches(s, 0, &l.at.at[i], 0, 1u << k, &own);
            CHECK_INT(tt_ivs_length(&own), l.at.at[i].part[k]);
            for (size_t n = 0; n < own.n; n++) CHECK(own.at[n].t0 >= l.at.at[i].t0 && own.at[n].t1 <= l.at.at[i].t1);
            tt_vec_free(&own);
        }
    tt_ivs host_only = {0}; // 20-97: input until 50, Python from 50 and 70, a wait 60-70, an operator from 75
    tt_idle_stretches(s, 0, &l.at.at[1], 0, 1u << TT_WAIT_BETWEEN, &host_only);
    if (CHECK(host_only.n == 2)) {
        CHECK(host_only.at[0].t0 == 50000 && host_only.at[0].t1 == 60000);
        CHECK(host_only.at[1].t0 == 70000 && host_only.at[1].t1 == 75000);
    }
    tt_vec_free(&host_only);
    tt_idle_gaps_free(&l);
    tt_session_free(s);
}

static void test_nothing(void)
{
    made_trace m;
    made_begin(&m);
    host(&m, "cpu_op", "aten::op", 1, 0, 5, 0);
    tt_session *s = made_load(&m);
    static const char *const ids[] = {"gpu_time", "idle_causes", "gpu_gaps", "stream_idle"};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        const tt_table *t = table(s, ids[i], NULL, &tt_scope_all);
        CHECK_INT(t->n_rows, 0);
        CHECK(t->note && strstr(t->note, "No GPU activity"));
    }
    tt_session_free(s);
}

int main(void)
{
    temp_begin();
    test_by_hand();
    test_operator();
    test_random();
    test_many();
    test_lanes();
    test_tables();
    test_classes();
    test_streams();
    check_edges(false);
    check_edges(true);
    test_stretches();
    test_nothing();
    temp_end();
    return check_done();
}
