/* The Overview of traces whose shares are computed by hand: three steps of 1000 us each, one device. The bar shows
 * shares of the steps' time that add up to 100.0%, and the first line names the bottleneck. */
#include <stdlib.h>

#include "model/tables/cells.h"
#include "model/tables/verdict/columns.h"
#include "tests/unit/picture.h"
#include "tests/unit/two_runs.h"
#include "tui/app/app_api.h"
#include "tui/app/screen_list.h"
#include "tui/screens/overview/overview.h"
#include "tui/screens/overview/verdict.h"

enum { N_STEPS = 3, STEP = 1000 };

static void begin(made_run *m)
{
    *m = (made_run){0};
    run_worker(m, "w", -1);
    for (int k = 0; k < N_STEPS; k++) run_step(m, k + 1, k * STEP, STEP);
}

static const tt_table *shown(tt_app *a, made_run *m)
{
    tt_app_set_session(a, run_load(m));
    picture_of(a, 45, 160);
    return ((const overview *)a->tabs.screens[tt_app_index(a, &tt_screen_overview)].state)->all.at[OVERVIEW];
}

static bool is(const tt_table *t, uint32_t row, const char *what)
{
    return !strcmp(tt_cell_s(t, row, TT_OVERVIEW_WHAT), what);
}

/* Share of a part of the bar in tenths of a percent; -1 = the bar lacks the part. */
static int permille(const tt_table *t, const char *name)
{
    for (uint32_t r = 0; r < t->n_rows; r++)
        if (is(t, r, "part") && !strcmp(tt_cell_s(t, r, TT_OVERVIEW_NAME), name))
            return (int)(tt_cell_d(t, r, TT_OVERVIEW_PCT) * 10 + 0.5);
    return -1;
}

static void adds_up(const tt_table *t)
{
    int sum = 0;
    int64_t ns = 0;
    for (uint32_t r = 0; r < t->n_rows; r++) {
        if (!is(t, r, "part")) continue;
        sum += (int)(tt_cell_d(t, r, TT_OVERVIEW_PCT) * 10 + 0.5);
        ns += tt_cell_i(t, r, TT_OVERVIEW_TIME);
    }
    CHECK_INT(sum, 1000);
    CHECK_INT(ns, N_STEPS * STEP * 1000);
    CHECK(is(t, 0, "window"));
    CHECK_STR(tt_cell_s(t, 0, TT_OVERVIEW_NAME), "steps");
    CHECK_INT(tt_cell_i(t, 0, TT_OVERVIEW_TIME), ns);
    CHECK_INT(tt_cell_i(t, 0, TT_OVERVIEW_COUNT), N_STEPS);
}

/* Check the first line, word for word. */
static void says(tt_app *a, const char *want)
{
    tt_style style;
    tt_session *s = (tt_session *)(uintptr_t)tt_host_session(&a->host);
    const tt_table *first = tt_table_of(s, &tt_scope_all, "overview");
    const char *text = tt_verdict_text(first, tt_table_of(s, &tt_scope_all, "findings"), &style);
    const char *screen = picture_of(a, 45, 250);
    if (!CHECK(strstr(text, want) && strstr(screen, text))) fprintf(stderr, "    %s\n", text);
}

/* Each step waits 595 us for data; the device works for 360 us. */
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
    const tt_table *t = shown(a, &m);
    adds_up(t);
    CHECK_INT(permille(t, "compute"), 360);     /* 1080 / 3000 */
    CHECK_INT(permille(t, "idle: input"), 595); /* 1785 / 3000 */
    says(a, "Input-bound:");
    tt_app_free(a);
}

/* Each step has 380 us of compute and 560 us of a collective that nothing overlaps. */
static void comm_bound(void)
{
    made_run m;
    begin(&m);
    for (int k = 0; k < N_STEPS; k++) {
        run_kernel(&m, "sgemm", k * STEP + 5, k * STEP + 20, 380);
        run_kernel(&m, "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclComm*)", k * STEP + 10, k * STEP + 400, 560);
    }
    tt_app *a = tt_app_new(false);
    const tt_table *t = shown(a, &m);
    adds_up(t);
    CHECK_INT(permille(t, "compute"), 380);               /* 1140 / 3000 */
    CHECK_INT(permille(t, "exposed communication"), 560); /* 1680 / 3000 */
    says(a, "xposed communication");
    tt_app_free(a);
}

/* An operator occupies the host for 690 us before each launch. */
static void host_bound(void)
{
    made_run m;
    begin(&m);
    for (int k = 0; k < N_STEPS; k++) {
        run_slice(&m, "cpu_op", "aten::slow", k * STEP + 10, 690);
        run_kernel(&m, "sgemm", k * STEP + 705, k * STEP + 720, 260);
    }
    tt_app *a = tt_app_new(false);
    const tt_table *t = shown(a, &m);
    adds_up(t);
    CHECK_INT(permille(t, "compute"), 260);                                    /* 780 / 3000 */
    CHECK(permille(t, "idle: CPU") >= 690 && permille(t, "idle: CPU") <= 740); /* 3 x 690, and time between operators */
    says(a, "CPU-bound:");
    tt_app_free(a);
}

/* The device works for all but 30 of 1000 us while the host waits for it. */
static void nothing_found(void)
{
    made_run m;
    begin(&m);
    for (int k = 0; k < N_STEPS; k++) {
        run_kernel(&m, "sgemm", k * STEP + 5, k * STEP + 20, 970);
        run_slice(&m, "cuda_runtime", "cudaDeviceSynchronize", k * STEP + 7, 985);
    }
    tt_app *a = tt_app_new(false);
    const tt_table *t = shown(a, &m);
    adds_up(t);
    CHECK_INT(permille(t, "compute"), 970); /* 2910 / 3000 */
    says(a, "No findings. GPU 0 is busy 97.0% of the step time; largest idle cause: ");
    tt_app_free(a);
}

/* Without a recorded device the bar shows the steps and mentions no device. */
static void host_only(void)
{
    made_run m;
    begin(&m);
    for (int k = 0; k < N_STEPS; k++) run_slice(&m, "cpu_op", "aten::add", k * STEP + 100, 333);
    tt_app *a = tt_app_new(false);
    const tt_table *t = shown(a, &m);
    adds_up(t);
    CHECK_INT(permille(t, "CPU"), 333);
    CHECK_INT(permille(t, "other"), 667);
    says(a, "CPU-only run: aten::add takes 100.0% of the CPU time");
    tt_app_free(a);
}

/* Three equal parts: shares cut to tenths of a percent still add up, and each is off by at most one. */
static void thirds(void)
{
    made_run m;
    begin(&m);
    for (int k = 0; k < N_STEPS; k++) {
        run_kernel(&m, "sgemm", k * STEP + 1, k * STEP + 2, 331 + k);
        run_kernel(&m, "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclComm*)", k * STEP + 1, k * STEP + 401, 333 - k);
    }
    tt_app *a = tt_app_new(false);
    const tt_table *t = shown(a, &m);
    adds_up(t);
    for (uint32_t r = 0; r < t->n_rows; r++) {
        double exact = 1000.0 * (double)tt_cell_i(t, r, TT_OVERVIEW_TIME) / (N_STEPS * STEP * 1000.0);
        double said = tt_cell_d(t, r, TT_OVERVIEW_PCT) * 10;
        CHECK(!is(t, r, "part") || (said > exact - 1 && said < exact + 1));
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
