/* test_pair.c - both timelines of a comparison: they stay aligned to the nanosecond; rows and slices of one side find
 * their partner on the other; runs with different steps, rows and workers; terminals of any size. */
#include "tests/unit/check.h"
#include "tests/unit/made.h"
#include "tests/unit/picture.h"
#include "tui/app/app_api.h"
#include "tui/app/jobs.h"
#include "tui/app/screen_list.h"
#include "tui/app/session/app_compare.h"
#include "tui/pair/screen.h"
#include "tui/timeline/draw/draw.h"
#include "tui/timeline/model/axis.h"
#include "tui/timeline/navigate/select.h"

#include <poll.h>
#include <stdlib.h>

/* A run with steps numbered from `first`, beginning at `at` us and `every` us apart. Each step has an operator at +10
 * us that launches, 10 us apart, `calls` kernels "gemm" of `len` us, which run at +100, +200, ... */
typedef struct made_run {
    int first, steps, at, every, calls, len;
    const char *extra; /* name of a kernel at +700 us of each step, NULL = none */
    bool host_only;
} made_run;

static tt_session *run_of(const made_run *r)
{
    made_trace m;
    int id = 1;
    made_begin(&m);
    for (int i = 0; i < (r->steps ? r->steps : 1); i++) {
        int t = r->at + i * r->every;
        if (r->steps)
            fprintf(m.f,
                    "{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"ProfilerStep#%d\",\"pid\":1,\"tid\":1,"
                    "\"ts\":%d,\"dur\":%d},\n",
                    r->first + i, t, r->every - 10);
        fprintf(m.f,
                "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::mm\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":80},\n",
                t + 10);
        for (int k = 0; k < r->calls + (r->extra != NULL) && !r->host_only; k++, id++) {
            bool extra = k == r->calls;
            fprintf(m.f,
                    "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaLaunchKernel\",\"pid\":1,\"tid\":1,"
                    "\"ts\":%d,\"dur\":5,\"args\":{\"correlation\":%d}},\n",
                    t + 12 + 10 * k, id);
            fprintf(m.f,
                    "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"%s\",\"pid\":0,\"tid\":7,\"ts\":%d,\"dur\":%d,"
                    "\"args\":{\"correlation\":%d,\"device\":0,\"stream\":7}},\n",
                    extra ? r->extra : "gemm", t + (extra ? 700 : 100 * (k + 1)), r->len, id);
        }
    }
    return made_load(&m);
}

/* Start the explorer with the new run, compared with the base. */
static tt_app *begin(const made_run *base, const made_run *now)
{
    tt_app *a = tt_app_new(false);
    a->display.no_state = true;
    a->base = run_of(base);
    tt_app_set_session(a, run_of(now));
    a->host.comparison = TT_COMPARISON_DEFAULT;
    a->host.comparison.base = a->base;
    a->host.comparison.serial = 1;
    return a;
}

static tt_pair *pair_of(tt_app *a) { return tt_pair_screen_of(&a->tabs.screens[tt_app_index(a, &tt_screen_pair)])->p; }
static const char *picture(tt_app *a) { return picture_of(a, 30, 110); }
static bool shows(tt_app *a, const char *text) { return strstr(picture(a), text) != NULL; }

static const made_run old_run = {.first = 1, .steps = 3, .at = 1000, .every = 1000, .calls = 3, .len = 30};
static const made_run new_run =
    {.first = 21, .steps = 2, .at = 5500, .every = 1200, .calls = 3, .len = 40, .extra = "relu"};

/* Times at the same distance from the aligned point share a column in both halves, wherever the window is. */
static void check_aligned(const tt_pair *p)
{
    const tt_pair_half *base = &p->half[TT_BASE], *now = &p->half[TT_NEW];
    CHECK_INT(base->t->t0 - base->zero, now->t->t0 - now->zero);
    CHECK_INT(base->t->t1 - base->zero, now->t->t1 - now->zero);
    CHECK_INT(base->t->at - base->zero, now->t->at - now->zero);
    CHECK_INT(base->t->cols, now->t->cols);
    int differ = 0;
    for (int64_t by = -2000001; by < 4000000; by += 7919)
        differ += tt_timeline_col(base->t, base->zero + by) != tt_timeline_col(now->t, now->zero + by);
    CHECK_INT(differ, 0);
}

static void test_aligned(void)
{
    tt_app *a = begin(&old_run, &new_run);
    CHECK(tt_app_show_tab(a, "pair"));
    picture(a);
    tt_pair *p = pair_of(a);
    const tt_trace *s = p->m.of[TT_NEW]->traces[0];
    CHECK_INT(p->half[TT_BASE].zero, 0); /* each trace begins with its first step */
    CHECK_INT(p->half[TT_NEW].zero, 0);
    CHECK_INT(p->half[TT_NEW].length, 1190000);
    CHECK_INT(s->steps[0].number, 21);
    CHECK(shows(a, "aligned at step 1 / step 21"));
    CHECK(shows(a, "step 1  990 us") && shows(a, "step 21  1.190 ms  (+200 us, +20.2%)"));
    static const char *const keys[] = {"w", "w", "d", "d", "s", "a",   "(",    ")",     "}", "}",
                                       "l", "{", "0", "f", "f", "Z",   ">",    "w",     "d", "Tab",
                                       "w", "a", "l", "f", "<", "End", "Home", "S-Tab", ")", ")"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        CHECK(tt_app_keys(a, keys[i], NULL));
        picture(a);
        check_aligned(p);
    }
    tt_app_free(a);
}

static void test_steps(void)
{
    tt_app *a = begin(&old_run, &new_run);
    tt_app_show_tab(a, "pair");
    picture(a);
    tt_pair *p = pair_of(a);
    CHECK(tt_app_keys(a, ">", NULL));
    CHECK(shows(a, "aligned at step 2 / step 22"));
    CHECK_INT(p->half[TT_BASE].zero, 1000000);
    CHECK_INT(p->half[TT_NEW].zero, 1200000);
    CHECK(tt_app_keys(a, ">", NULL)); /* the new run lacks a third step */
    CHECK(shows(a, "the last: aligned at step 2 / step 22"));
    CHECK(tt_app_keys(a, "< <", NULL));
    CHECK(shows(a, "the first: aligned at step 1 / step 21"));
    tt_app_free(a);
}

/* Kernels match by the order of their launches; the numbers in the pane are computed by hand. */
static void test_calls(void)
{
    tt_app *a = begin(&old_run, &new_run);
    tt_app_show_tab(a, "pair");
    picture(a);
    tt_pair *p = pair_of(a);
    CHECK(tt_app_keys(a, "> g", NULL));
    tt_timeline *t = p->half[TT_NEW].t, *b = p->half[TT_BASE].t;
    const tt_trace *s = p->m.of[TT_NEW]->traces[0], *of_base = p->m.of[TT_BASE]->traces[0];
    tt_row second = TT_NONE;
    for (uint32_t i = 0, n = 0; i < s->n_dev; i++) /* the second gemm of step 22 begins at 1200 + 200 us */
        if (!strcmp(tt_row_name(s, s->dev[i].row), "gemm") && s->start[s->dev[i].row] > 1200000 && ++n == 2)
            second = s->dev[i].row;
    CHECK(second != TT_NONE);
    tt_timeline_select(t, (tt_slice_ref){0, second}, true);
    CHECK(tt_app_keys(a, "f", NULL));
    picture(a);
    CHECK(tt_timeline_has_sel(b));
    CHECK_INT(of_base->start[b->sel.row], 1200000); /* step 2 begins at 1000 us, its second gemm 200 us later */
    CHECK(shows(a, "2 of 3") && shows(a, "+200 us") && shows(a, "+10 us (+33.3%)"));
    CHECK(tt_app_keys(a, "<", NULL)); /* the same call one step earlier */
    picture(a);
    CHECK_INT(s->start[t->sel.row], 200000);
    CHECK_INT(of_base->start[b->sel.row], 200000);
    CHECK(tt_app_keys(a, "Tab . Tab", NULL)); /* the next call of the base, then back: the new run followed */
    picture(a);
    CHECK_INT(of_base->start[b->sel.row], 300000);
    CHECK_INT(s->start[t->sel.row], 300000);
    CHECK(tt_app_keys(a, ".", NULL)); /* only the new run has relu */
    CHECK(shows(a, "no call of this name there"));
    CHECK(!tt_timeline_has_sel(b));
    char *text = tt_focus_copy(tt_screen_focus(tt_app_current(a)), false);
    CHECK(text && strstr(text, "relu\tbase\tnew"));
    free(text);
    tt_app_free(a);
}

static tt_drilldown kernels(const char *name)
{
    return (tt_drilldown){.what = TT_DRILL_SLICES, .trace = TT_NONE, .kinds = 1u << TT_KIND_KERNEL, .name = name};
}

static void test_show(void)
{
    const made_run late = {.first = 1, .steps = 3, .at = 0, .every = 1000, .calls = 3, .len = 30};
    tt_app *a = begin(&late, &new_run);
    tt_drilldown at[TT_SIDES] = {kernels("gemm"), kernels("gemm")};
    CHECK(tt_host_show_both(&a->host, at));
    tt_pair *p = pair_of(a);
    CHECK(shows(a, "aligned at step 1 / step 21"));
    CHECK_STR(p->half[TT_BASE].t->search.pattern, "gemm");
    CHECK_INT(p->half[TT_NEW].t->search.n_hits, 6);
    CHECK_INT(p->half[TT_BASE].t->search.n_hits, 9);
    check_aligned(p);
    at[TT_BASE] = (tt_drilldown){0}; /* the base has no such slice */
    at[TT_NEW] = kernels("relu");
    CHECK(tt_host_show_both(&a->host, at));
    CHECK(strstr(a->status, "nothing of it in the base"));
    CHECK_INT(pair_of(a)->focus, TT_NEW);
    at[TT_NEW] = (tt_drilldown){0};
    CHECK(!tt_host_show_both(&a->host, at));
    at[TT_BASE] = kernels("gemm");
    CHECK(tt_host_show_both(&a->host, at));
    CHECK_INT(pair_of(a)->focus, TT_BASE);
    at[TT_BASE] = (tt_drilldown){.what = TT_DRILL_ROW, .row = p->m.of[TT_BASE]->traces[0]->dev[8].row}; /* in step 3 */
    at[TT_NEW] = (tt_drilldown){.what = TT_DRILL_ROW, .row = p->m.of[TT_NEW]->traces[0]->dev[0].row};
    CHECK(tt_host_show_both(&a->host, at));
    CHECK(shows(a, "aligned at step 3 / step 21"));
    at[TT_BASE] = (tt_drilldown){.what = TT_DRILL_RANGE, .t0 = 1100000, .t1 = 1300000};
    at[TT_NEW] = (tt_drilldown){.what = TT_DRILL_RANGE, .t0 = 1300000, .t1 = 1700000};
    CHECK(tt_host_show_both(&a->host, at));
    CHECK(shows(a, "Interval") && shows(a, "aligned at step 2 / step 22"));
    CHECK(shows(a, "200 us") && shows(a, "400 us"));
    CHECK(tt_app_jump_back(a) && tt_app_jump_back(a));
    check_aligned(pair_of(a));
    tt_app_compare_off(a);
    CHECK(!tt_host_show_both(&a->host, at));
    CHECK(shows(a, "o comparison"));
    tt_app_free(a);
}

/* An interval marks the same offsets on both sides. */
static void test_marks(void)
{
    tt_app *a = begin(&old_run, &new_run);
    tt_app_show_tab(a, "pair");
    picture(a);
    tt_pair *p = pair_of(a);
    CHECK(tt_app_keys(a, "> m l m", NULL));
    for (int side = 0; side < TT_SIDES; side++) CHECK(p->half[side].t->mark_b != TT_UNKNOWN);
    CHECK_INT(tt_pair_offset(p, TT_BASE, p->half[TT_BASE].t->mark_a),
              tt_pair_offset(p, TT_NEW, p->half[TT_NEW].t->mark_a));
    CHECK_INT(tt_pair_offset(p, TT_BASE, p->half[TT_BASE].t->mark_b),
              tt_pair_offset(p, TT_NEW, p->half[TT_NEW].t->mark_b));
    CHECK(shows(a, "Interval"));
    CHECK(tt_app_keys(a, "M", NULL));
    CHECK_INT(p->half[TT_BASE].t->mark_a, TT_UNKNOWN);
    CHECK(tt_app_keys(a, "*", NULL));
    CHECK_STR(p->half[TT_BASE].t->search.pattern, p->half[TT_NEW].t->search.pattern);
    CHECK(tt_app_keys(a, "Esc", NULL));
    CHECK(!p->half[TT_BASE].t->search.pattern);
    tt_app_free(a);
}

static void test_without_steps(void)
{
    const made_run work = {.at = 300, .calls = 2, .len = 30}, slow = {.at = 900, .calls = 2, .len = 50};
    const made_run host = {.at = 100, .host_only = true};
    tt_app *a = begin(&work, &slow);
    tt_app_show_tab(a, "pair");
    CHECK(shows(a, "aligned at the first GPU work"));
    tt_pair *p = pair_of(a);
    CHECK_INT(p->half[TT_NEW].zero, 90000); /* the operator begins 90 us before the first kernel */
    CHECK(shows(a, "+20 us (+66.7%)"));     /* calls match over the whole of both traces */
    check_aligned(p);
    CHECK(tt_app_keys(a, "> Z", NULL));
    check_aligned(p);
    tt_app_free(a);
    a = begin(&host, &slow);
    tt_app_show_tab(a, "pair");
    CHECK(shows(a, "aligned at the beginning"));
    check_aligned(pair_of(a));
    tt_app_free(a);
    a = begin(&old_run, &slow); /* only one side has steps */
    tt_app_show_tab(a, "pair");
    CHECK(shows(a, "aligned at the first GPU work"));
    tt_app_free(a);
}

/* Two parts of one run make two timelines of one session. */
static void test_one_run(void)
{
    tt_app *a = tt_app_new(false);
    a->display.no_state = true;
    tt_app_set_session(a, run_of(&old_run));
    a->host.comparison = TT_COMPARISON_DEFAULT;
    a->host.comparison.base = a->host.session;
    a->host.comparison.serial = 1;
    a->host.comparison.base_scope.has_steps = true;
    a->host.comparison.base_scope.step_first = a->host.comparison.base_scope.step_last = 1;
    a->host.scope.has_steps = true;
    a->host.scope.step_first = a->host.scope.step_last = 3;
    tt_app_show_tab(a, "pair");
    CHECK(shows(a, "aligned at step 1 / step 3"));
    check_aligned(pair_of(a));
    tt_app_free(a);
}

static void test_replaced(void)
{
    const made_run more = {.first = 21, .steps = 4, .at = 5500, .every = 1200, .calls = 3, .len = 40};
    tt_app *a = begin(&old_run, &new_run);
    tt_app_show_tab(a, "pair");
    picture(a);
    CHECK(tt_app_keys(a, "> w w d", NULL));
    tt_pair *p = pair_of(a);
    int64_t t0 = tt_pair_offset(p, TT_NEW, p->half[TT_NEW].t->t0);
    tt_app_offer_session(a, run_of(&more), true);
    CHECK(shows(a, "aligned at step 2 / step 22"));
    CHECK_INT(tt_pair_offset(pair_of(a), TT_NEW, pair_of(a)->half[TT_NEW].t->t0), t0);
    check_aligned(pair_of(a));
    CHECK(tt_app_keys(a, ">", NULL));
    CHECK(shows(a, "aligned at step 3 / step 23"));
    tt_app_free(a);
}

/* On request names of two versions match by their short names; each side highlights its own name. */
static void test_short_names(void)
{
    const made_run before = {
        .first = 1, .steps = 2, .at = 0, .every = 1000, .len = 30, .extra = "void relu<float, 4>(int)"};
    const made_run after = {
        .first = 1, .steps = 2, .at = 0, .every = 1000, .len = 50, .extra = "void relu<float, 8>(long)"};
    for (int brief = 0; brief < 2; brief++) {
        tt_app *a = begin(&before, &after);
        a->host.comparison.short_names = brief;
        CHECK(tt_app_show_tab(a, "pair"));
        CHECK(shows(a, "+20 us (+66.7%)") == brief);
        CHECK(tt_app_keys(a, "*", NULL));
        const tt_pair *p = pair_of(a);
        CHECK_STR(p->half[TT_NEW].t->search.pattern, "void relu<float, 8>(long)");
        if (brief) CHECK_STR(p->half[TT_BASE].t->search.pattern, "void relu<float, 4>(int)");
        tt_app_free(a);
    }
}

/* With a worker thread: it builds the indices, and the pair may be closed before they are ready. */
static void test_worker(void)
{
    for (int wait = 0; wait < 2; wait++) {
        tt_app *a = tt_app_new(true);
        a->display.no_state = true;
        a->base = run_of(&old_run);
        tt_app_set_session(a, run_of(&new_run));
        a->host.comparison = TT_COMPARISON_DEFAULT;
        a->host.comparison.base = a->base;
        a->host.comparison.serial = 1;
        CHECK(tt_app_show_tab(a, "pair"));
        picture(a);
        for (int i = 0; wait && tt_jobs_busy(a->jobs) && i < 10000; i++) {
            struct pollfd p = {.fd = tt_jobs_fd(a->jobs), .events = POLLIN};
            poll(&p, 1, 1000);
            tt_jobs_poll(a->jobs);
        }
        CHECK(tt_app_keys(a, "> w Tab d", NULL));
        picture(a);
        check_aligned(pair_of(a));
        tt_app_compare_off(a);
        CHECK(shows(a, "o comparison"));
        tt_app_free(a);
    }
}

/* A click moves the cursor of both halves and gives the keys to its half. */
static void test_mouse(void)
{
    tt_app *a = begin(&old_run, &new_run);
    tt_app_show_tab(a, "pair");
    picture(a);
    tt_pair *p = pair_of(a);
    const tt_pair_screen *x = tt_pair_screen_of(tt_app_current(a));
    const tt_timeline_plan *plan = &x->plan[TT_BASE];
    for (int row = 0; row < plan->rows; row++) { /* the screen begins two lines below the top of the terminal */
        tt_mouse m = {.what = TT_MOUSE_PRESS, .y = 2 + plan->rows_y + row, .x = plan->label_w + 20};
        tt_app_key(a, TT_KEY_MOUSE, &m);
        CHECK_INT(p->focus, TT_BASE);
        check_aligned(p);
    }
    CHECK_INT(tt_timeline_col(p->half[TT_NEW].t, p->half[TT_NEW].t->at), 20);
    tt_mouse m = {.what = TT_MOUSE_PRESS, .y = 2 + x->plan[TT_NEW].rows_y, .x = plan->label_w + 30};
    tt_app_key(a, TT_KEY_MOUSE, &m);
    CHECK_INT(p->focus, TT_NEW);
    CHECK_INT(tt_timeline_col(p->half[TT_BASE].t, p->half[TT_BASE].t->at), 30);
    int64_t span = p->half[TT_NEW].t->t1 - p->half[TT_NEW].t->t0;
    m = (tt_mouse){.what = TT_MOUSE_WHEEL, .wheel = -1, .y = 2 + plan->ruler_y, .x = plan->label_w + 30};
    tt_app_key(a, TT_KEY_MOUSE, &m);
    CHECK(p->half[TT_NEW].t->t1 - p->half[TT_NEW].t->t0 < span);
    check_aligned(p);
    tt_app_free(a);
}

static void test_sizes(void)
{
    tt_app *a = begin(&old_run, &new_run);
    static const int sizes[][2] = {{6, 20}, {1, 1}, {5, 8}, {7, 30}, {8, 200}, {24, 80}, {100, 300}, {14, 12}};
    tt_app_show_tab(a, "pair");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        tt_canvas c = {.ascii = i % 2 == 0, .mono = i % 3 == 0};
        tt_canvas_resize(&c, sizes[i][0], sizes[i][1]);
        CHECK(tt_app_keys(a, "j k Tab c c > w l m l m Z < M G g Enter q", &c));
        tt_app_show_tab(a, "pair");
        tt_app_draw(a, &c);
        check_aligned(pair_of(a));
        tt_canvas_free(&c);
        a->want.quit = false;
    }
    tt_app_free(a);
    a = begin(&old_run, &new_run);
    tt_app_show_tab(a, "pair"); /* both devices are visible on the smallest usual terminal */
    const char *text = picture_of(a, 24, 80), *first = strstr(text, "stream 7");
    CHECK(first && strstr(first + 1, "stream 7"));
    tt_app_free(a);
}

int main(void)
{
    temp_begin();
    test_aligned();
    test_steps();
    test_calls();
    test_show();
    test_marks();
    test_without_steps();
    test_one_run();
    test_replaced();
    test_short_names();
    test_worker();
    test_mouse();
    test_sizes();
    return check_done();
}
