/* The critical path and its replay. Whatever the times, the segments tile the window and the path visits no work
 * twice; if a kernel on the path takes longer the window grows by as much; shortening nothing changes nothing;
 * shortening work saves at most the time taken away. */
#include <stdlib.h>

#include "model/tables/idle/idle_gaps.h"
#include "model/tables/path/critical_path.h"
#include "model/tables/path/path_inputs.h"
#include "model/tables/path/replay.h"
#include "model/tables/table_util.h"
#include "parser/load.h"
#include "tests/unit/check.h"
#include "tests/unit/random.h"
#include "tests/unit/tempdir.h"

#define US 1000

typedef tt_text events; /* text of a trace being written */

static void put(events *e, const char *cat, const char *name, int pid, int tid, int64_t ts, int64_t dur,
                const char *args)
{
    char line[512];
    int n = snprintf(line, sizeof line,
                     "{\"ph\":\"X\",\"cat\":\"%s\",\"name\":\"%s\",\"pid\":%d,\"tid\":%d,\"ts\":%" PRId64
                     ",\"dur\":%" PRId64 ",\"args\":{%s}},\n",
                     cat, name, pid, tid, ts, dur, args);
    tt_text_put(e, line, (size_t)n);
}

static void host(events *e, const char *cat, const char *name, int tid, int64_t ts, int64_t dur, int correlation)
{
    char args[64] = "";
    if (correlation) snprintf(args, sizeof args, "\"correlation\":%d", correlation);
    put(e, cat, name, 100, tid, ts, dur, args);
}

static void device(events *e, const char *cat, const char *name, int gpu, int stream, int64_t ts, int64_t dur,
                   int correlation, const char *more)
{
    char args[256];
    snprintf(args, sizeof args, "\"device\":%d,\"stream\":%d,\"correlation\":%d%s", gpu, stream, correlation, more);
    put(e, cat, name, gpu, stream, ts, dur, args);
}

/* Load the trace of the events and free them. */
static tt_session *load(events *e)
{
    events text = {0};
    tt_load_options o = {.threads = 1};
    tt_err err = {0};
    const char *begin = "{\"schemaVersion\":1,\"deviceProperties\":[],\"traceEvents\":[\n";
    tt_text_put(&text, begin, strlen(begin));
    tt_text_put(&text, e->at, e->n);
    tt_text_put(&text, "{}]}\n", 5);
    const char *path = temp_file("worker0.pt.trace.json", text.at, text.n);
    tt_session *s = tt_load_finish(tt_load_start(&path, 1, &o), NULL, &err);
    if (!s) fprintf(stderr, "%s\n", err.message);
    tt_vec_free(&text);
    tt_vec_free(e);
    return s;
}

static int64_t time_of(const tt_path *p, unsigned category)
{
    int64_t sum = 0;
    for (size_t i = 0; i < p->at.n; i++)
        if (p->at.at[i].category == category) sum += p->at.at[i].t1 - p->at.at[i].t0;
    return sum;
}

/* Whether the segments tile the window except for holes of the account, `holes` ns in all. */
static bool tiles_with(const tt_path *p, int64_t holes)
{
    int64_t t = p->t0, sum = 0;
    for (size_t i = 0; i < p->at.n; i++) {
        const tt_path_segment *g = &p->at.at[i];
        if (g->t0 < t || (g->t0 > t && !holes) || g->t1 <= g->t0) return false;
        t = g->t1;
        sum += g->t1 - g->t0;
    }
    return t == p->t1 && sum == p->ns && sum + holes == p->t1 - p->t0;
}

static bool tiles(const tt_path *p) { return tiles_with(p, 0); }

static bool visits_once(const tt_trace *s, const tt_path *p)
{
    uint8_t *seen = tt_calloc(s->n + (size_t)1, 1);
    bool once = true;
    for (size_t i = 0; i < p->at.n; i++) {
        const tt_path_segment *g = &p->at.at[i];
        if (g->category < TT_WAIT_COUNT_) continue;
        once = once && !seen[g->row];
        seen[g->row] = 1;
    }
    free(seen);
    return once;
}

/* ---- for any times ---- */

static int64_t below(uint64_t n) { return (int64_t)random_below(n); }

static void random_host(events *e, int threads, int *correlation)
{
    static const char *const calls[] = {
        "cudaLaunchKernel",    "cudaMemcpyAsync", "cudaDeviceSynchronize", "cudaStreamSynchronize", "cudaEventRecord",
        "cudaStreamWaitEvent", "cudaMemcpy",      "cudaEventSynchronize",  "cuLaunchKernel"};
    for (int t = 1; t <= threads; t++) {
        for (int64_t at = below(50); at < 900;) {
            int64_t len = below(60);
            host(e, "cpu_op", below(2) ? "aten::a" : "aten::b", t, at, len, 0);
            for (int64_t in = at; in < at + len; in += 1 + below(20)) {
                unsigned call = (unsigned)below(sizeof calls / sizeof *calls);
                host(e, call == 8 ? "cuda_driver" : "cuda_runtime", calls[call], t, in, below(12), ++*correlation);
            }
            if (!below(4)) host(e, "python_function", "train.py(7): step", t, at, len + below(30), 0);
            at += len + below(30); /* gaps may be 0, and slices may cross */
        }
    }
}

static void random_devices(events *e, int streams, int correlations)
{
    static const char *const kernels[] = {"gemm", "add", "ncclDevKernel_AllReduce_Sum", "softmax"};
    for (int c = 1; c <= correlations; c++) {
        int gpu = (int)below(2), stream = 7 + (int)below((uint64_t)streams);
        char more[200] = "";
        switch (below(8)) {
        case 0:
            snprintf(more, sizeof more, ",\"wait_on_stream\":%d,\"wait_on_cuda_event_record_corr_id\":%d",
                     7 + (int)below((uint64_t)streams), (int)below((uint64_t)correlations));
            device(e, "cuda_sync", below(2) ? "Stream Wait Event" : "Event Sync", gpu, stream, below(1000), 1, c, more);
            break;
        case 1:
            device(e, "cuda_sync", below(2) ? "Stream Sync" : "Context Sync", gpu, stream, below(1000), 1, c, "");
            break;
        case 2: break; /* a call without device work */
        case 3:
            device(e, "gpu_memcpy", "Memcpy DtoH (Device -> Pageable)", gpu, stream, below(1000), below(30), c, "");
            break;
        default:
            device(e, "kernel", kernels[below(4)], gpu, stream, below(1000), below(40), below(9) ? c : 0, "");
            break;
        }
    }
}

static void replay(const tt_session *s, const tt_path *p, const tt_replay_change *const *changes, size_t n,
                   tt_replay_result *out)
{
    tt_replay_list *list = tt_replay_list_make(s, 0, p);
    tt_replay_run(list, changes, n, out);
    tt_replay_list_free(list);
}

static tt_replay_result replay_one(const tt_session *s, const tt_path *p, const tt_replay_change *c)
{
    tt_replay_result one;
    replay(s, p, &c, 1, &one);
    return one;
}

/* Naming each work of a class has the effect of naming the class; a call that takes no time removes at most its
 * duration. */
static void check_named_parts(const tt_session *s, const tt_path *p)
{
    const tt_device_work *w = tt_device_work_get(s, 0);
    TT_VEC(tt_replay_work) works = {0};
    tt_replay_change of_class = tt_replay_change_none(), named = tt_replay_change_none();
    of_class.category[TT_PATH_COMMUNICATION] = TT_REPLAY_WHOLE / 3;
    for (uint32_t i = 0; i < w->n; i++)
        if (w->at[i].of_class == TT_WORK_COMMUNICATION) *tt_vec_push(&works) = (tt_replay_work){i, TT_REPLAY_WHOLE / 3};
    named.works = works.at;
    named.n_works = works.n;
    tt_replay_result a = replay_one(s, p, &of_class), b = replay_one(s, p, &named);
    CHECK(a.saved == b.saved && a.removed == b.removed);
    tt_vec_free(&works);
    tt_replay_change call = tt_replay_change_none();
    for (size_t i = 0; i < p->at.n && call.call == TT_NONE; i++)
        if (p->at.at[i].category == TT_WAIT_RUNTIME) call.call = p->at.at[i].row;
    tt_replay_result gone = replay_one(s, p, &call);
    CHECK(gone.saved >= 0 && gone.saved <= gone.removed);
    CHECK(call.call == TT_NONE ? !gone.removed : gone.removed > 0 && gone.removed <= s->traces[0]->dur[call.call]);
}

static void check_replay(const tt_session *s, const tt_path *p)
{
    const tt_trace *t = s->traces[0];
    uint8_t *classes = tt_calloc(t->strings.text.n, 1);
    tt_replay_change c = tt_replay_change_none();
    c.work_class = c.host_class = classes;
    tt_replay_result none = replay_one(s, p, &c);
    CHECK_INT(none.saved, 0);
    CHECK_INT(none.removed, 0);
    check_named_parts(s, p);
    for (unsigned k = 0; k < TT_PATH_COUNT_; k++) {
        tt_replay_change whole = c, halved = c;
        const tt_replay_change *const changes[] = {&halved, &whole, &c};
        tt_replay_result side_by_side[3];
        halved.category[k] = TT_REPLAY_WHOLE / 2;
        c.category[k] = TT_REPLAY_WHOLE / 2;
        tt_replay_result half = replay_one(s, p, &c);
        c.category[k] = 0;
        tt_replay_result all = replay_one(s, p, &c);
        replay(s, p, changes, 3, side_by_side); /* no lane depends on another */
        CHECK(side_by_side[0].saved == half.saved && side_by_side[0].removed == half.removed);
        CHECK(side_by_side[1].saved == 0 && side_by_side[1].removed == 0);
        CHECK(side_by_side[2].saved == all.saved && side_by_side[2].removed == all.removed);
        c.category[k] = TT_REPLAY_WHOLE;
        CHECK(half.saved >= 0 && half.saved <= half.removed && half.saved <= all.saved);
        CHECK(all.saved <= all.removed && all.saved <= p->t1 - p->t0);
    }
    for (size_t i = 0; i < t->strings.text.n; i++) classes[i] = 1 + i % 5;
    for (int i = 1; i < 6; i++) {
        c.factor[i] = 0;
        tt_replay_result named = replay_one(s, p, &c);
        CHECK(named.saved >= 0 && named.saved <= named.removed);
    }
    free(classes);
}

/* Time that idle_causes does not know is no queue, and before any device has worked no blocking call is known. */
static void unknown_is_no_queue(const tt_session *s, const tt_path *p)
{
    const tt_device_work *w = tt_device_work_get(s, 0);
    int64_t first = INT64_MAX;
    for (uint32_t i = 0; i < w->n_devices; i++) first = w->devices[i].start < first ? w->devices[i].start : first;
    for (size_t i = 0; i < p->at.n; i++) {
        const tt_path_segment *g = &p->at.at[i];
        if (g->category == TT_WAIT_SYNC) CHECK(!w->n || g->t0 >= first);
        if (g->category != TT_WAIT_QUEUE) continue;
        const tt_work *x = &w->at[w->of_activity[tt_row_dev(s->traces[0], g->row) - s->traces[0]->dev]];
        const tt_idle_window at = {g->t0, g->t1, p->account.time.at[0].t0, p->account.host};
        tt_idle_gaps gaps = tt_idle_gaps_in(s, 0, &at);
        uint32_t device = w->streams[x->stream].device;
        CHECK(x->launch != TT_NONE);
        for (uint32_t k = gaps.first.at[device]; k < gaps.first.at[device + 1]; k++)
            CHECK_INT(gaps.at.at[k].part[TT_WAIT_UNKNOWN], 0);
        tt_idle_gaps_free(&gaps);
    }
}

static void random_traces_tile(void)
{
    uint64_t segments = 0, inferred = 0, of[TT_PATH_COUNT_] = {0};
    for (int round = 0; round < 60; round++) {
        events e = {0};
        int correlation = 0;
        if (round % 3) host(&e, "user_annotation", "ProfilerStep#1", 1, 0, 400, 0);
        if (round % 3) host(&e, "user_annotation", "ProfilerStep#2", 1, 400, 500, 0);
        if (round % 7) random_host(&e, 1 + round % 4, &correlation);
        random_devices(&e, 1 + round % 3, correlation ? correlation : round);
        tt_session *s = load(&e);
        tt_scope scope = tt_scope_all;
        for (int part = 0; part < 3; part++) {
            scope.has_steps = part == 1 && round % 3;
            scope.step_first = scope.step_last = 2;
            scope.has_range = part == 2;
            scope.t0 = below(500) * US;
            scope.t1 = scope.t0 + (1 + below(500)) * US;
            tt_path *p = tt_path_make(s, &scope, 0);
            CHECK(tiles(p));
            CHECK(visits_once(s->traces[0], p));
            for (size_t i = 0; i < p->at.n; i++) {
                segments++;
                inferred += p->at.at[i].inferred;
                of[p->at.at[i].category]++;
            }
            unknown_is_no_queue(s, p);
            check_replay(s, p);
            tt_path_free(p);
        }
        tt_session_free(s);
    }
    CHECK(segments > 1000 && inferred > 10); /* the random traces have enough segments for the test */
    for (unsigned k = 0; k < TT_PATH_COUNT_; k++) CHECK(of[k] > 0 || k == TT_WAIT_INPUT);
}

/* ---- work that takes longer ---- */

/* Launches and kernels one after another, some with a synchronisation. Kernel `longer` takes twice its time and delays
 * all later events by as much. */
static tt_session *chain(int longer, int64_t *more)
{
    events e = {0};
    uint64_t state = 77;
    int64_t shift = 0, at = 10;
    *more = 0;
    for (int i = 0; i < 40; i++) {
        int64_t launch = 2 + (int64_t)(random_next(&state) % 9), wait = (int64_t)(random_next(&state) % 9),
                len = 30 + (int64_t)(random_next(&state) % 90), overlap = (int64_t)(random_next(&state) % 9);
        host(&e, "cuda_runtime", "cudaLaunchKernel", 1, at + shift, launch, 2 * i + 1);
        int64_t start = at + launch + wait;
        int64_t now = i == longer ? 2 * len : len;
        char name[16];
        snprintf(name, sizeof name, "k%d", i);
        device(&e, "kernel", name, 0, 7, start + shift, now, 2 * i + 1, "");
        int64_t sync = at + launch + 1 + overlap;
        host(&e, "cuda_runtime", "cudaDeviceSynchronize", 1, sync + shift, start + now + 3 - sync, 2 * i + 2);
        if (i == longer) *more = len;
        shift += now - len;
        at = start + len + 3 + 5;
    }
    return load(&e);
}

static void longer_kernel_longer_path(void)
{
    int64_t more;
    tt_session *s = chain(-1, &more);
    tt_path *p = tt_path_make(s, &tt_scope_all, 0);
    CHECK(tiles(p));
    for (int i = 0; i < 40; i += 7) {
        tt_session *s2 = chain(i, &more);
        tt_path *q = tt_path_make(s2, &tt_scope_all, 0);
        CHECK(tiles(q));
        CHECK_INT(q->t1 - q->t0, p->t1 - p->t0 + more * US);
        CHECK_INT(time_of(q, TT_PATH_COMPUTATION), time_of(p, TT_PATH_COMPUTATION) + more * US);
        tt_path_free(q);
        tt_session_free(s2);
    }
    tt_path_free(p);
    tt_session_free(s);
}

/* Without a host the path has only work, and time in which the cause of waiting is unknown. */
static void stream_alone(void)
{
    events e = {0};
    int64_t at = 0, busy = 0;
    for (int i = 0; i < 50; i++) {
        int64_t len = 1 + below(30);
        device(&e, "kernel", "k", 0, 7, at, len, 0, "");
        busy += len;
        at += len + below(10);
    }
    tt_session *s = load(&e);
    tt_path *p = tt_path_make(s, &tt_scope_all, 0);
    CHECK(tiles(p));
    CHECK_INT(time_of(p, TT_PATH_COMPUTATION), busy * US);
    CHECK_INT(time_of(p, TT_PATH_COMPUTATION) + time_of(p, TT_WAIT_UNKNOWN), p->t1 - p->t0);
    tt_path_free(p);
    tt_session_free(s);
}

/* Work without duration at one instant, on streams that end and begin there, launched after it ran. */
static void nothing_takes_time(void)
{
    events e = {0};
    host(&e, "cpu_op", "aten::a", 1, 0, 100, 0);
    for (int i = 1; i < 40; i++) {
        host(&e, "cuda_runtime", "cudaLaunchKernel", 1, 60 + i % 3, i % 2, i);
        device(&e, "kernel", "k", 0, 7 + i % 4, 50, 0, i, "");
    }
    device(&e, "kernel", "last", 0, 7, 90, 20, 39, "");
    tt_session *s = load(&e);
    tt_path *p = tt_path_make(s, &tt_scope_all, 0);
    CHECK(tiles(p));
    CHECK(visits_once(s->traces[0], p));
    CHECK_INT(p->t1 - p->t0, 110 * US);
    CHECK_INT(tt_path_at(p, p->t0), 0);
    CHECK_INT(tt_path_at(p, p->t1 - 1), p->at.n - 1);
    CHECK_INT(tt_path_at(p, p->t1), p->at.n);
    tt_path_free(p);
    tt_session_free(s);
}

/* ---- runs ---- */

typedef struct step_time {
    int64_t t0, t1;
} step_time;

/* Each step has one operator, which ends together with its kernel. */
static tt_session *stepped(const step_time *at, size_t n)
{
    events e = {0};
    for (size_t i = 0; i < n; i++) {
        int64_t t0 = at[i].t0, len = at[i].t1 - at[i].t0;
        int number = (int)i + 1;
        char name[32];
        snprintf(name, sizeof name, "ProfilerStep#%d", number);
        host(&e, "user_annotation", name, 1, t0, len, 0);
        host(&e, "cpu_op", "aten::a", 1, t0 + 2, 20, 0);
        host(&e, "cuda_runtime", "cudaLaunchKernel", 1, t0 + 5, 5, number);
        device(&e, "kernel", "k", 0, 7, t0 + 15, len - 15, number, "");
    }
    return load(&e);
}

static int64_t saved_by(const tt_session *s, const tt_scope *scope, unsigned category)
{
    tt_path *p = tt_path_make(s, scope, 0);
    tt_replay_change c = tt_replay_change_none();
    c.category[category] = 0;
    tt_replay_result r = replay_one(s, p, &c);
    tt_path_free(p);
    return r.saved;
}

/* A hole ends a run if it is longer than the shorter of the steps beside it. */
static void hole_ends_run(void)
{
    static const step_time at[] = {{0, 100}, {150, 200}, {251, 350}, {5000, 5100}, {5100, 5230}};
    tt_session *s = stepped(at, COUNT_OF(at));
    tt_path *p = tt_path_make(s, &tt_scope_all, 0);
    CHECK_INT(p->runs.n, 3);
    CHECK_INT(p->ns, (100 + 50 + 99 + 100 + 130) * US);
    CHECK(tiles_with(p, (50 + 51 + 4650) * US));
    CHECK(p->runs.n == 3 && p->runs.at[0].t1 == 200 * US && p->runs.at[1].t0 == 251 * US);
    for (size_t i = 0; i < p->at.n; i++)
        for (size_t k = 1; k < COUNT_OF(at); k++)
            if (at[k - 1].t1 < at[k].t0) CHECK(p->at.at[i].t1 <= at[k - 1].t1 * US || p->at.at[i].t0 >= at[k].t0 * US);
    tt_path_free(p);
    /* runs are independent, so their savings add up */
    for (unsigned k = 0; k < TT_PATH_COUNT_; k++) {
        static const int runs[][2] = {{1, 2}, {3, 3}, {4, 5}};
        int64_t sum = 0;
        for (size_t i = 0; i < COUNT_OF(runs); i++) {
            tt_scope scope = tt_scope_all;
            scope.has_steps = true;
            scope.step_first = runs[i][0];
            scope.step_last = runs[i][1];
            sum += saved_by(s, &scope, k);
        }
        CHECK_INT(saved_by(s, &tt_scope_all, k), sum);
    }
    /* without the last kernel each run ends with its operator */
    CHECK_INT(saved_by(s, &tt_scope_all, TT_PATH_COMPUTATION), (28 + 77 + 108) * US);
    tt_session_free(s);
}

/* ---- unknown causes ---- */

typedef struct part {
    int64_t t0, t1;
    unsigned category;
} part;

static void check_parts(const tt_session *s, const part *want, size_t n)
{
    tt_path *p = tt_path_make(s, &tt_scope_all, 0);
    CHECK_INT(p->at.n, n);
    for (size_t i = 0; i < p->at.n && i < n; i++) {
        CHECK_INT(p->at.at[i].t0, want[i].t0 * US);
        CHECK_INT(p->at.at[i].t1, want[i].t1 * US);
        CHECK_STR(tt_path_name(p->at.at[i].category), tt_path_name(want[i].category));
    }
    tt_path_free(p);
}

/* A call that blocks since before the first work of any device: the file does not tell for what it waits until then. */
static void blocked_before_any_work(void)
{
    static const part want[] = {{0, 100, TT_WAIT_OPERATOR},  {100, 200, TT_WAIT_UNKNOWN},
                                {200, 300, TT_WAIT_SYNC},    {300, 400, TT_WAIT_OPERATOR},
                                {400, 420, TT_WAIT_BETWEEN}, {420, 450, TT_WAIT_OPERATOR}};
    events e = {0};
    host(&e, "cpu_op", "aten::a", 1, 0, 400, 0);
    host(&e, "cuda_runtime", "cudaStreamSynchronize", 1, 100, 200, 5);
    host(&e, "cpu_op", "aten::b", 1, 420, 30, 0);
    device(&e, "kernel", "k", 0, 7, 200, 50, 0, "");
    tt_session *s = load(&e);
    check_parts(s, want, COUNT_OF(want));
    CHECK_INT(saved_by(s, &tt_scope_all, TT_WAIT_SYNC), 100 * US);
    CHECK_INT(saved_by(s, &tt_scope_all, TT_WAIT_UNKNOWN), 100 * US);
    tt_session_free(s);
}

/* Work launched long ago waits although its device has hardly worked yet: the file does not tell for what, unless
 * another device works. */
static void queued_behind_nothing(bool other_works)
{
    const part want[] = {{0, 20, TT_WAIT_BETWEEN},
                         {20, 25, TT_WAIT_RUNTIME},
                         {25, 125, TT_WAIT_LAUNCH},
                         {125, 5000, other_works ? TT_WAIT_QUEUE : TT_WAIT_UNKNOWN},
                         {5000, 5100, TT_PATH_COMPUTATION}};
    events e = {0};
    host(&e, "cuda_runtime", "cudaLaunchKernel", 1, 20, 5, 2);
    device(&e, "kernel", "k", 0, 7, 0, 10, 0, "");
    device(&e, "kernel", "waits", 0, 7, 5000, 100, 2, "");
    if (other_works) device(&e, "kernel", "other", 1, 7, 300, 100, 0, "");
    tt_session *s = load(&e);
    check_parts(s, want, COUNT_OF(want));
    CHECK_INT(saved_by(s, &tt_scope_all, TT_WAIT_QUEUE), other_works ? 4700 * US : 0); /* `other` ends at 400 */
    CHECK_INT(saved_by(s, &tt_scope_all, TT_WAIT_UNKNOWN), other_works ? 0 : 4875 * US);
    tt_session_free(s);
}

/* Host and device have separate clocks: the times of one do not explain the waits of the other. */
static void no_path_across_clocks(void)
{
    events e = {0};
    host(&e, "cpu_op", "aten::a", 1, 0, 400, 0);
    host(&e, "cuda_runtime", "cudaLaunchKernel", 1, 20, 5, 2);
    device(&e, "kernel", "k", 0, 7, 1000000000, 100, 2, "");
    tt_session *s = load(&e);
    tt_path *p = tt_path_make(s, &tt_scope_all, 0);
    CHECK(p->account.clocks_differ && !p->runs.n && !p->at.n && !p->ns);
    CHECK_INT(tt_path_at(p, 0), 0);
    tt_path_free(p);
    CHECK_INT(saved_by(s, &tt_scope_all, TT_WAIT_OPERATOR), 0);
    tt_session_free(s);
}

/* ---- host pieces ---- */

/* a [0, 20) contains b [5, 8); c [15, 30) crosses the end of a. */
static void innermost_is_the_later(void)
{
    static const int64_t at[] = {0, 5, 8, 15, 30, 40, 45};
    static const char *const name[] = {"a", "b", "a", "c", NULL, "d", NULL};
    events e = {0};
    host(&e, "cpu_op", "a", 1, 0, 20, 0);
    host(&e, "cpu_op", "b", 1, 5, 3, 0);
    host(&e, "cpu_op", "c", 1, 15, 15, 0);
    host(&e, "cpu_op", "none", 1, 35, 0, 0);
    host(&e, "cpu_op", "d", 1, 40, 5, 0);
    tt_session *s = load(&e);
    tt_host_pieces h = tt_host_pieces_make(s->traces[0], tt_name_classes_get(s, 0));
    CHECK_INT(h.n_threads, 1);
    CHECK_INT(h.threads[0].at.n, 7);
    for (size_t i = 0; i < h.threads[0].at.n && i < 7; i++) {
        const tt_host_edge *x = &h.threads[0].at.at[i];
        CHECK_INT(x->t, at[i] * US);
        CHECK_STR(x->row == TT_NONE ? NULL : tt_row_name(s->traces[0], x->row), name[i]);
    }
    CHECK_INT(h.pauses.n, 2);
    for (int64_t t = -1; t < 50 * US; t += 500)
        for (uint32_t near = 0; near < 8; near++)
            CHECK_INT(tt_host_edge_near(&h.threads[0], t, near), tt_host_edge_before(&h.threads[0], t));
    tt_host_pieces_free(&h);
    tt_session_free(s);
}

/* ---- waits ---- */

static bool has_piece(const tt_host_pieces *h, tt_row r)
{
    for (uint32_t k = 0; k < h->n_threads; k++)
        for (size_t i = 0; i < h->threads[k].at.n; i++)
            if (h->threads[k].at.at[i].row == r) return true;
    return false;
}

/* Streams that do not run work in order of launch: every wait equals the result of a plain search. */
static void waits_are_the_latest_ends(void)
{
    for (int round = 0; round < 20; round++) {
        events e = {0};
        int correlation = 0;
        random_host(&e, 2, &correlation);
        for (int c = 1; c <= correlation; c++)
            if (below(3)) device(&e, "kernel", "k", (int)below(2), 7 + (int)below(2), below(1000), below(40), c, "");
        tt_session *s = load(&e);
        const tt_trace *t = s->traces[0];
        const tt_path_inputs *in = tt_path_inputs_get(s, 0);
        for (tt_row r = 0; r < t->n; r++) {
            if (!tt_kind_is_launch(tt_row_kind(t, r)) || !tt_call_blocks(tt_row_name(t, r))) continue;
            if (!has_piece(&in->host, r)) continue; /* the call has no duration, or another call covers it */
            int64_t latest = INT64_MIN;
            for (uint32_t i = 0; i < in->work->n; i++) {
                const tt_work *x = &in->work->at[i];
                int64_t given = x->launch == TT_NONE ? x->start : t->start[x->launch];
                if (given <= t->start[r] && x->start < tt_row_end(t, r) && x->end > latest) latest = x->end;
            }
            size_t near = (size_t)below(in->waits.calls.n + 2); /* whatever the starting place of the search */
            uint32_t found = tt_call_waited_for(&in->waits, r, &near);
            CHECK_INT(found == TT_NONE ? INT64_MIN : in->work->at[found].end, latest);
        }
        tt_session_free(s);
    }
}

int main(void)
{
    temp_begin();
    random_traces_tile();
    longer_kernel_longer_path();
    stream_alone();
    nothing_takes_time();
    hole_ends_run();
    blocked_before_any_work();
    queued_behind_nothing(false);
    queued_behind_nothing(true);
    no_path_across_clocks();
    innermost_is_the_later();
    waits_are_the_latest_ends();
    temp_end();
    return check_done();
}
