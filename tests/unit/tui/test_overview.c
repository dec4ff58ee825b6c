/* The Overview against traces whose shares are worked out by hand: three steps of 1000 us each, one device. What the
 * bar says is of the time from the device's first work to its last, adds up to 100.0%, and the verdict names what holds
 * the run back. */
#include <stdlib.h>

#include "tests/unit/picture.h"
#include "tests/unit/two_runs.h"
#include "tui/screens/overview.h"
#include "tui/screens/verdict.h"

enum { N_STEPS = 3, STEP = 1000 };

static void begin(made_run *m)
{
    *m = (made_run){0};
    run_worker(m, "w", -1);
    for (int k = 0; k < N_STEPS; k++) run_step(m, k + 1, k * STEP, STEP);
}

static const overview *shown(tt_app *a, made_run *m)
{
    tt_app_set_session(a, run_load(m));
    picture_of(a, 45, 160);
    return a->screens[tt_app_index(a, &tt_screen_overview)].state;
}

/* Tenths of a percent of a part of the bar; -1 = it has no such part. Parts that wait: idle. */
static int permille(const overview *o, const char *title, bool idle)
{
    for (int i = 0; i < o->shares.n; i++)
        if (!strcmp(o->shares.at[i].title, title) && o->shares.at[i].idle == idle) return o->shares.at[i].permille;
    return -1;
}

static void adds_up(const overview *o)
{
    int sum = 0;
    int64_t ns = 0;
    for (int i = 0; i < o->shares.n; i++) sum += o->shares.at[i].permille, ns += o->shares.at[i].ns;
    CHECK_INT(sum, 1000);
    CHECK_INT(ns, o->shares.ns);
}

static void says(tt_app *a, const overview *o, const char *want)
{
    char text[400];
    (void)o;
    tt_verdict_of((tt_session *)(uintptr_t)tt_app_session(a), &tt_scope_all, text, sizeof text);
    if (!CHECK(strstr(text, want))) fprintf(stderr, "    %s\n", text);
}

/* From 620 to 2980 the device runs 3 times 360 us; of its two gaps of 640 us the loop waits 595 for data. */
static void input_bound(void)
{
    made_run m;
    begin(&m);
    for (int k = 0; k < N_STEPS; k++) {
        run_slice(&m, "user_annotation", "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", k * STEP + 5,
                  595);
        run_kernel(&m, "sgemm", k * STEP + 605, k * STEP + 620, 360);
    }
    tt_app *a = tt_app_new(false);
    const overview *o = shown(a, &m);
    adds_up(o);
    CHECK(o->shares.device);
    CHECK_INT(permille(o, "compute", false), 458); /* 1080 / 2360 */
    CHECK_INT(o->shares.mean_step, STEP * 1000);
    CHECK_INT(permille(o, "input", true), 504); /* 1190 / 2360 */
    says(a, o, "Input-bound:");
    tt_app_free(a);
}

/* From 20 to 2960: 3 times 380 us of compute, and 560 of a collective with nothing beside it. */
static void comm_bound(void)
{
    made_run m;
    begin(&m);
    for (int k = 0; k < N_STEPS; k++) {
        run_kernel(&m, "sgemm", k * STEP + 5, k * STEP + 20, 380);
        run_kernel(&m, "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclComm*)", k * STEP + 10, k * STEP + 400, 560);
    }
    tt_app *a = tt_app_new(false);
    const overview *o = shown(a, &m);
    adds_up(o);
    CHECK_INT(permille(o, "compute", false), 388);       /* 1140 / 2940 */
    CHECK_INT(permille(o, "exposed comm.", false), 571); /* 1680 / 2940 */
    says(a, o, "xposed communication");
    tt_app_free(a);
}

/* An operator keeps the host busy for 690 us before each launch: twice between the device's first work and its last. */
static void host_bound(void)
{
    made_run m;
    begin(&m);
    for (int k = 0; k < N_STEPS; k++) {
        run_slice(&m, "cpu_op", "aten::slow", k * STEP + 10, 690);
        run_kernel(&m, "sgemm", k * STEP + 705, k * STEP + 720, 260);
    }
    tt_app *a = tt_app_new(false);
    const overview *o = shown(a, &m);
    adds_up(o);
    CHECK_INT(permille(o, "compute", false), 345);                                           /* 780 / 2260 */
    CHECK(permille(o, "CPU", true) >= 1380 * 1000 / 2260 && permille(o, "CPU", true) < 655); /* gaps: 1480 / 2260 */
    says(a, o, "CPU-bound:");
    tt_app_free(a);
}

/* The device has work for all but 30 of 1000 us, and the host waits for it. */
static void nothing_found(void)
{
    made_run m;
    begin(&m);
    for (int k = 0; k < N_STEPS; k++) {
        run_kernel(&m, "sgemm", k * STEP + 5, k * STEP + 20, 970);
        run_slice(&m, "cuda_runtime", "cudaDeviceSynchronize", k * STEP + 7, 985);
    }
    tt_app *a = tt_app_new(false);
    const overview *o = shown(a, &m);
    adds_up(o);
    CHECK_INT(permille(o, "compute", false), 980); /* 2910 / 2970 */
    says(a, o, "No findings. GPU busy 98.0%, largest idle cause ");
    tt_app_free(a);
}

/* No device was recorded: the bar is of the steps, and says nothing about devices. */
static void host_only(void)
{
    made_run m;
    begin(&m);
    for (int k = 0; k < N_STEPS; k++) run_slice(&m, "cpu_op", "aten::add", k * STEP + 100, 333);
    tt_app *a = tt_app_new(false);
    const overview *o = shown(a, &m);
    adds_up(o);
    CHECK(!o->shares.device);
    CHECK_INT(permille(o, "CPU", false), 333);
    CHECK_INT(permille(o, "Other", false), 667);
    says(a, o, "No findings");
    tt_app_free(a);
}

/* Thirds: tenths of a percent that are cut add up all the same, each is at most one off. */
static void thirds(void)
{
    made_run m;
    begin(&m);
    for (int k = 0; k < N_STEPS; k++) {
        run_kernel(&m, "sgemm", k * STEP + 1, k * STEP + 2, 331 + k);
        run_kernel(&m, "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclComm*)", k * STEP + 1, k * STEP + 401, 333 - k);
    }
    tt_app *a = tt_app_new(false);
    const overview *o = shown(a, &m);
    adds_up(o);
    for (int i = 0; i < o->shares.n; i++) {
        double exact = 1000.0 * (double)o->shares.at[i].ns / (double)o->shares.ns;
        CHECK(o->shares.at[i].permille > exact - 1 && o->shares.at[i].permille < exact + 1);
    }
    tt_app_free(a);
}

int main(void)
{
    temp_begin();
    input_bound();
    comm_bound();
    host_bound();
    nothing_found();
    host_only();
    thirds();
    temp_end();
    return check_done();
}
