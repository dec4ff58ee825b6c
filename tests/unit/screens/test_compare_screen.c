/* test_compare_screen.c - the Compare tab: the texts shown for two runs with known differences, and the texts of
 * changed numbers. */
#include <math.h>

#include "tests/unit/made.h"
#include "tests/unit/picture.h"
#include "tui/app/app_api.h"
#include "tui/app/session/app_compare.h"
#include "tui/screens/compare/compare.h"

enum { STEPS = 6, H = 45, W = 160 };

typedef struct run_spec { /* duration of each kernel in us, 0 = the run lacks it */
    const char *file;
    int same, worse, better, added, gone, calls;
} run_spec;

static void kernel(made_trace *m, int *id, int *at, const char *name, int dur)
{
    if (!dur) return;
    fprintf(
        m->f,
        "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaLaunchKernel\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":5,"
        "\"args\":{\"correlation\":%d}},\n"
        "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"%s\",\"pid\":0,\"tid\":7,\"ts\":%d,\"dur\":%d,"
        "\"args\":{\"correlation\":%d,\"device\":0,\"stream\":7}},\n",
        *at, *id, name, *at + 10, dur, *id);
    ++*id;
    *at += dur + 10;
}

/* Each step is 100 us longer than its kernels; the next step begins 1 ms later. */
static const char *write_run(const run_spec *r, char out[256])
{
    made_trace m;
    int id = 1, at = 1000;
    made_begin(&m);
    for (int s = 0; s < STEPS; s++) {
        int from = at;
        kernel(&m, &id, &at, "kernel_same", r->same);
        kernel(&m, &id, &at, "kernel_worse", r->worse + s);
        kernel(&m, &id, &at, "kernel_better", r->better + s);
        kernel(&m, &id, &at, "kernel_added", r->added);
        kernel(&m, &id, &at, "kernel_gone", r->gone);
        for (int k = 0; k < r->calls; k++) kernel(&m, &id, &at, "kernel_often", 20);
        fprintf(m.f,
                "{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"ProfilerStep#%d\",\"pid\":1,\"tid\":1,\"ts\":%d,"
                "\"dur\":%d},\n",
                s + 1, from - 50, at - from + 100);
        at += 1000;
    }
    fputs("{}]}\n", m.f);
    fclose(m.f);
    snprintf(out, 256, "%s", temp_file(r->file, m.text, m.len));
    free(m.text);
    return out;
}

static const run_spec base_run = {"base.pt.trace.json", 500, 1000, 3000, 0, 700, 2};
static const run_spec new_run = {"new.pt.trace.json", 500, 4000, 1000, 900, 0, 6};

static tt_app *open_run(const char *path)
{
    tt_app *a = tt_app_new(false);
    tt_explore_options o = {.paths = &path, .n_paths = 1, .load = {.threads = 1}};
    CHECK(tt_app_begin(a, &o));
    tt_app_set_session(a, load_trace(path));
    picture_of(a, H, W);
    return a;
}

static tt_app *compare(const run_spec *base, const run_spec *now)
{
    char path[2][256], line[300];
    tt_app *a = open_run(write_run(now, path[1]));
    snprintf(line, sizeof line, "diff %s", write_run(base, path[0]));
    tt_app_command(a, line);
    CHECK(tt_host_comparison(&a->host) != NULL);
    CHECK_STR(tt_app_current(a)->ops->tab.name, "compare");
    return a;
}

static const char *press(tt_app *a, const char *keys)
{
    picture_of(a, H, W);
    CHECK(tt_app_keys(a, keys, NULL));
    picture_of(a, H, W); /* the rows appear with the next frame */
    return picture_of(a, H, W);
}

static bool has(const char *picture, const char *text)
{
    bool there = strstr(picture, text) != NULL;
    if (!there) fprintf(stderr, "not in the picture: %s\n%s", text, picture);
    return there;
}

static bool lacks(const char *picture, const char *text)
{
    bool there = strstr(picture, text) != NULL;
    if (there) fprintf(stderr, "in the picture: %s\n%s", text, picture);
    return !there;
}

/* ---- texts ---- */

static void test_texts(void)
{
    char t[TT_TEXT_CAP], r[2 * TT_TEXT_CAP];
    CHECK_STR(tt_compare_brief(t, 76763500, TT_UNIT_AUTO), "76.8 ms");
    CHECK_STR(tt_compare_brief(t, 116910000, TT_UNIT_AUTO), "116.9 ms");
    CHECK_STR(tt_compare_brief(t, 9249000, TT_UNIT_AUTO), "9.25 ms");
    CHECK_STR(tt_compare_brief(t, 999, TT_UNIT_AUTO), "999 ns");
    CHECK_STR(tt_compare_brief(t, 999960, TT_UNIT_AUTO), "1.00 ms");
    CHECK_STR(tt_compare_brief(t, 1500000, TT_UNIT_US), "1500.000 \xc2\xb5s");
    CHECK_STR(tt_compare_signed(t, 40364500, TT_UNIT_AUTO), "+40.4 ms");
    CHECK_STR(tt_compare_signed(t, -2522000, TT_UNIT_AUTO), "-2.52 ms");
    CHECK_STR(tt_compare_signed(t, 0, TT_UNIT_AUTO), "0");
    CHECK_STR(tt_compare_signed_bytes(t, 1024), "+1 KiB");
    CHECK_STR(tt_compare_range(r, 37670000, 75526000, TT_UNIT_AUTO), "+37.7 to +75.5 ms");
    CHECK_STR(tt_compare_range(r, -2500, 75526000, TT_UNIT_AUTO), "-2.50 us to +75.5 ms");
    CHECK_STR(tt_compare_ratio(t, 76763500, 40364500), "+52.6%");
    CHECK_STR(tt_compare_ratio(t, 200, -3), "-1.50%");
    CHECK_STR(tt_compare_ratio(t, 0, 5), "new");
    CHECK_STR(tt_compare_ratio(t, 0, 0), "");
    CHECK_STR(tt_compare_ratio(t, TT_UNKNOWN, 5), "");
    CHECK_STR(tt_compare_p(t, 0.002165), "p 0.002");
    CHECK_STR(tt_compare_p(t, 0.00001), "p < 0.001");
    CHECK_STR(tt_compare_p(t, 1), "p 1.00");
    CHECK_STR(tt_compare_p(t, NAN), "");
}

/* ---- rows ---- */

static void test_rows(void)
{
    static const tt_column columns[] = {{.key = "name", .title = "Name", .type = TT_T_STRING},
                                        {.key = "delta_step_ns", .title = "Diff", .type = TT_T_DURATION},
                                        {.key = "verdict", .title = "Verdict", .type = TT_T_STRING},
                                        {.key = "change", .title = "Change", .type = TT_T_STRING}};
    static const tt_column *const cols[] = {&columns[0], &columns[1], &columns[2], &columns[3]};
    tt_cell cells[] = {
        {.s = "slow"},     {.i = 9},  {.s = "slower"},  {.s = "increased"}, /* */
        {.s = "fast"},     {.i = -9}, {.s = "faster"},  {.s = "unchanged"}, /* */
        {.s = "new"},      {.i = 9},  {.s = "slower"},  {.s = "added"},     /* */
        {.s = "gone"},     {.i = -1}, {.s = "same"},    {.s = "deleted"},   /* */
        {.s = "noise"},    {.i = 1},  {.s = "unclear"}, {.s = "unchanged"}, /* */
        {.s = "identity"}, {.i = 0},  {.s = "unclear"}, {.s = "unchanged"}, /* */
        {.s = "nothing"},  {.i = 1},  {.s = "same"},    {.s = "unchanged"}, /* */
    };
    static const uint32_t want[TT_ROWS_COUNT_] = {5, 7, 2, 1, 1, 1, 1, 0, 2};
    tt_table_desc desc = {.id = "diff_made", .title = "Made", .cols = columns, .n_cols = 4, .flags = TT_TABLE_COMPARE};
    tt_table t = {.desc = &desc, .cols = cols, .n_cols = 4, .n_rows = 7, .cells = cells};
    uint32_t n[TT_ROWS_COUNT_];
    char title[200];
    tt_compare_count(&t, n);
    for (int i = 0; i < TT_ROWS_COUNT_; i++) {
        uint32_t rows = 0;
        for (uint32_t r = 0; r < t.n_rows; r++) rows += tt_compare_row_is(&t, r, i);
        CHECK_INT(n[i], want[i]);
        CHECK_INT(rows, want[i]);
    }
    tt_compare_title("Made", n, TT_ROWS_CHANGED, title, sizeof title);
    CHECK_STR(title, "Made: 2 slower, 1 faster, 1 new, 1 gone, 1 more often, 2 unclear, 2 unchanged (a)");
}

/* ---- the screen ---- */

/* Step s takes 1000 + s us in the base and 4000 + s us in the new run: the medians of 0 to 5 add 2.5 us, and the shift
 * is 3 ms in every step. The step is longer by 3000 - 2000 + 900 - 700 + 4 x 30 (four launches of 20 us more, 10 us
 * apart) + 10 - 10 = 1320 us. */
static void test_two_runs(void)
{
    tt_app *a = compare(&base_run, &new_run);
    const char *p = press(a, "");
    CHECK(has(p, "Base base   New new"));
    CHECK(has(p, "6 steps against 6"));
    CHECK(has(p, "+1.32 ms"));
    CHECK(has(p, "slower"));
    CHECK(has(p, "computation"));
    CHECK(has(p, "kernel_worse"));
    CHECK(has(p, "1.00 ms -> 4.00 ms a step"));
    CHECK(has(p, "+3.00 ms (+299"));
    CHECK(has(p, "1 unchanged (a)"));
    CHECK(lacks(p, "kernel_same"));
    p = press(a, "a");
    CHECK(has(p, "kernel_same"));
    p = press(a, "a f f");
    CHECK(has(p, "only slower"));
    CHECK(has(p, "kernel_worse") && lacks(p, "kernel_better") && lacks(p, "kernel_gone"));
    p = press(a, "f f");
    CHECK(has(p, "only new") && has(p, "kernel_added") && lacks(p, "kernel_worse"));
    CHECK(has(p, "only in the new run"));
    p = press(a, "f");
    CHECK(has(p, "only gone") && has(p, "kernel_gone") && lacks(p, "kernel_added"));
    CHECK(has(p, "only in the base"));
    p = press(a, "f");
    CHECK(has(p, "only more often") && has(p, "kernel_often") && has(p, "calls 12 -> 36"));
    tt_app_free(a);
}

static void test_swap_and_run(void)
{
    tt_app *a = compare(&base_run, &new_run);
    const char *p = press(a, "X");
    CHECK(has(p, "-1.32 ms") && has(p, "faster"));
    CHECK(has(p, "Base new   New base"));
    CHECK(has(p, "4.00 ms -> 1.00 ms a step"));
    p = press(a, "X p");
    CHECK(has(p, "totals, not per step"));
    CHECK(tt_host_comparison(&a->host)->per_run);
    CHECK(has(p, "24.0 ms") || has(p, "24.015 ms")); /* 6 x 4000 us + 0 + 1 + ... + 5 */
    p = press(a, "p m");
    CHECK(has(p, "6 steps against 6"));
    CHECK(!tt_host_comparison(&a->host)->per_run && tt_host_comparison(&a->host)->short_names);
    tt_app_free(a);
}

/* A run compared with itself: the screen says that nothing changed. */
static void test_identity(void)
{
    tt_app *a = compare(&base_run, &base_run);
    const char *p = press(a, "");
    CHECK(lacks(p, "slower") && lacks(p, "faster"));
    CHECK(lacks(p, "kernel_worse"));
    CHECK(has(p, "5 unchanged (a)"));
    CHECK(has(p, "nothing changed: every row is the same in both runs"));
    p = press(a, "a");
    CHECK(has(p, "kernel_worse"));
    tt_app_free(a);
}

/* Two steps of one run use the same tab, with one sample on each side. */
static void test_two_steps(void)
{
    tt_app *a = compare(&base_run, &new_run);
    tt_app_command(a, "diff off");
    CHECK(tt_host_comparison(&a->host) == NULL);
    tt_scope base = tt_scope_all, now = tt_scope_all;
    base.has_steps = now.has_steps = true;
    base.step_first = base.step_last = 2;
    now.step_first = now.step_last = 5;
    tt_app_compare_parts(a, &base, &now);
    const char *p = press(a, "");
    CHECK(has(p, "Base step 2   New step 5"));
    CHECK(has(p, "1 step a side"));
    CHECK(has(p, "unclear"));
    tt_app_free(a);
}

/* Show every table at every size, with the keys that a person uses there; only printable characters are drawn. */
static void test_sizes(void)
{
    static const int sizes[][2] = {{10, 40}, {12, 40}, {14, 57}, {24, 80}, {35, 120}, {66, 250}, {90, 300}};
    tt_app *a = compare(&base_run, &new_run);
    tt_canvas c = {.ascii = true, .mono = true};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        tt_canvas_resize(&c, sizes[i][0], sizes[i][1]);
        tt_app_draw(a, &c);
        for (int pane = 0; pane < 12; pane++) {
            CHECK(tt_app_keys(a, "j o a f v > | Esc", &c));
            tt_app_draw(a, &c);
            for (int k = 0; k < c.w * c.h; k++) CHECK(c.cells[k].ch >= 32 && c.cells[k].ch < 127);
            CHECK(tt_app_keys(
                a, pane < 11 ? "Tab" : "S-Tab S-Tab S-Tab S-Tab S-Tab S-Tab S-Tab S-Tab S-Tab S-Tab S-Tab", &c));
            CHECK_STR(tt_app_current(a)->ops->tab.name, "compare");
        }
    }
    tt_canvas_free(&c);
    tt_app_free(a);
}

static void test_both_timelines(void)
{
    tt_app *a = compare(&base_run, &new_run);
    press(a, "Enter");
    CHECK_STR(tt_app_current(a)->ops->tab.name, "pair");
    press(a, "u K");
    CHECK_STR(tt_app_current(a)->ops->tab.name, "kernel");
    tt_app_free(a);
}

/* Without a comparison there is no tab; asking for it by name tells how to start one. */
static void test_nothing_compared(void)
{
    char path[256];
    tt_app *a = open_run(write_run(&new_run, path));
    CHECK(lacks(picture_of(a, H, W), "Compare"));
    CHECK(tt_app_show_tab(a, "compare"));
    CHECK(has(picture_of(a, H, W), "tracetty diff BASE NEW"));
    tt_app_free(a);
}

int main(void)
{
    temp_begin();
    test_texts();
    test_rows();
    test_two_runs();
    test_swap_and_run();
    test_identity();
    test_two_steps();
    test_sizes();
    test_both_timelines();
    test_nothing_compared();
    temp_end();
    return check_done();
}
