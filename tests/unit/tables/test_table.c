/* tests/unit/tables/test_table.c - the table engine with the test's own tables: columns, cache, threads, order,
 * filter, drilldowns; speed as a ratio. */
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

#include "model/tables/table.h"
#include "tests/unit/check.h"
#include "tests/unit/fixture.h"

enum { NAME, SHAPE, CALLS, TIME, PCT };
static const tt_column columns[] = {
    [NAME] = {.key = "name", .title = "Name", .type = TT_T_STRING},
    [SHAPE] = {.key = "shape", .title = "Shape", .type = TT_T_STRING, .in_groups = 1 << 1},
    [CALLS] = {.key = "calls", .title = "Calls", .type = TT_T_COUNT},
    [TIME] = {.key = "time_ns", .title = "Time", .type = TT_T_DURATION},
    [PCT] = {.key = "x_pct", .title = "X", .type = TT_T_PERCENT},
};
static const char *const groups[] = {"name", "shape", NULL};
static atomic_int computed;

static void compute_slices(const tt_query *q, tt_table *t)
{
    const tt_trace *s = q->session->traces[q->trace];
    atomic_fetch_add(&computed, 1);
    for (uint32_t k = 0; k < s->n_tracks; k++) {
        if (q->scope->thread != TT_ALL && q->scope->thread != k) continue;
        for (tt_row r = s->tracks[k].first; r < s->tracks[k].first + s->tracks[k].n; r++) {
            if (!tt_windows_have(q->windows, s->start[r])) continue;
            uint32_t row = tt_table_add(t);
            tt_set_ref(t, row, NAME, tt_row_name(s, r));
            tt_set_s(t, row, SHAPE, "[1]");
            tt_set_i(t, row, TIME, s->dur[r]);
            tt_drilldown *o = tt_set_drilldown(t, row);
            o->what = TT_DRILL_ROW;
            o->trace = q->trace;
            o->row = r;
        }
    }
}

static const tt_table_desc slices = {.id = "slices",
                                     .title = "Slices",
                                     .cols = columns,
                                     .n_cols = 5,
                                     .groups = groups,
                                     .default_sort = "time_ns",
                                     .default_desc = true,
                                     .flags = TT_TABLE_THREADS,
                                     .compute = compute_slices};

static tt_session *make_session(void)
{
    tt_trace *s[2] = {fixture_trace("a", "1", 0, true), fixture_trace("b", "1", 0, true)};
    for (int i = 0; i < 2; i++) {
        fixture_track(s[i], TT_TRACK_THREAD, "main");
        fixture_slice(s[i], TT_KIND_CPU_OP, "aten::conv2d", 10, 30, "[[2, 3]]");
        fixture_slice(s[i], TT_KIND_CPU_OP, "aten::add", 50, 10, NULL);
        fixture_slice(s[i], TT_KIND_CPU_OP, "aten::conv2d", 70, 20, NULL);
        fixture_track(s[i], TT_TRACK_THREAD, "autograd");
        fixture_slice(s[i], TT_KIND_CPU_OP, "aten::add", 20, 5, NULL);
        fixture_track(s[i], TT_TRACK_STREAM, "stream 7");
        fixture_slice(s[i], TT_KIND_KERNEL, "void conv<float>(int)", 40, 7, NULL);
    }
    return tt_session_new(s, 2, "");
}

static void test_columns_and_cache(void)
{
    tt_session *s = make_session();
    tt_options o = {0};
    tt_scope scope = tt_scope_all;
    const tt_table *t = tt_table_get(s, &slices, &scope, &o);
    CHECK_INT(t->n_rows, 10);
    CHECK_INT(t->n_cols, 5); /* the worker comes first, the shape is hidden */
    CHECK_STR(t->cols[0]->key, "worker");
    CHECK_STR(tt_table_cell(t, 9, 0).s, "b");
    CHECK_INT(tt_table_column(t, "shape"), -1);
    CHECK(tt_cell_unknown(TT_T_COUNT, tt_table_cell(t, 0, (uint32_t)tt_table_column(t, "calls"))));
    CHECK(tt_cell_unknown(TT_T_PERCENT, tt_table_cell(t, 0, (uint32_t)tt_table_column(t, "x_pct"))));
    CHECK_INT(t->drilldowns[9].row, 4);
    int before = computed;
    CHECK(tt_table_get(s, &slices, &scope, &o) == t);
    CHECK_INT(computed, before);

    o.group = 1;
    const tt_table *by_shape = tt_table_get(s, &slices, &scope, &o);
    CHECK(by_shape != t && by_shape->n_cols == 6);
    CHECK_STR(tt_table_cell(by_shape, 0, (uint32_t)tt_table_column(by_shape, "shape")).s, "[1]");
    CHECK_INT(tt_table_group(&slices, "shape"), 1);
    CHECK_INT(tt_table_group(&slices, "stack"), -1);

    o = (tt_options){.thread_sep = true};
    const tt_table *threads = tt_table_get(s, &slices, &scope, &o);
    CHECK_INT(threads->n_rows, 8); /* without streams */
    CHECK_STR(threads->cols[1]->key, "thread");
    CHECK_STR(tt_table_cell(threads, 3, 1).s, "autograd");

    scope.worker = 1;
    scope.has_range = true;
    scope.t0 = 20;
    scope.t1 = 51;
    o = (tt_options){0};
    const tt_table *part = tt_table_get(s, &slices, &scope, &o);
    CHECK_INT(part->n_rows, 3);
    CHECK_STR(tt_table_cell(part, 0, 0).s, "b");
    fixture_session_free(s);
}

typedef struct race {
    tt_session *s;
    const tt_table *got;
} race;

static void *racer(void *arg)
{
    race *r = arg;
    tt_options o = {0};
    tt_scope scope = tt_scope_all;
    for (int i = 0; i < 50; i++) {
        scope.has_range = true;
        scope.t1 = 10 + i;
        tt_table_get(r->s, &slices, &scope, &o);
    }
    scope.t1 = 10;
    r->got = tt_table_get(r->s, &slices, &scope, &o);
    return NULL;
}

static void test_threads(void)
{
    enum { N = 8 };
    tt_session *s = make_session();
    pthread_t threads[N];
    race r[N];
    int before = computed;
    for (int i = 0; i < N; i++) {
        r[i] = (race){s, NULL};
        pthread_create(&threads[i], NULL, racer, &r[i]);
    }
    for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
    for (int i = 1; i < N; i++) CHECK(r[i].got == r[0].got);
    CHECK_INT(computed - before, 50 * 2); /* each table once for each of two traces */
    fixture_session_free(s);
}

/* ---- order and filter of a table filled by hand ---- */

static const tt_column *const all_columns[] = {&columns[0], &columns[1], &columns[2], &columns[3], &columns[4]};

static tt_table *plain_table(uint32_t n)
{
    tt_table *t = calloc(1, sizeof *t);
    t->desc = &slices;
    t->cols = all_columns;
    t->n_cols = 5;
    t->n_rows = n;
    t->cells = calloc((size_t)n * 5, sizeof *t->cells);
    for (size_t i = 0; i < (size_t)n * 5; i++) {
        tt_type type = columns[i % 5].type;
        if (type == TT_T_PERCENT) t->cells[i].d = NAN;
        if (type == TT_T_DURATION || type == TT_T_COUNT) t->cells[i].i = TT_UNKNOWN;
    }
    return t;
}

static void plain_free(tt_table *t)
{
    tt_arena_free(&t->arena);
    free(t->cells);
    free(t);
}

static tt_cell *at(tt_table *t, uint32_t row, uint32_t col) { return &t->cells[(size_t)row * t->n_cols + col]; }

static void expect_order(tt_table *t, int col, bool desc, const char *filter, bool regex, const char *want)
{
    tt_row_order v;
    tt_row_order_spec spec = {.sort_col = col, .desc = desc, .filter = filter, .regex = regex};
    char got[256] = "";
    CHECK_INT(tt_row_order_make(t, &spec, &v, NULL), TT_OK);
    for (uint32_t i = 0; i < v.n; i++)
        snprintf(got + strlen(got), sizeof got - strlen(got), "%s%u", i ? " " : "", v.rows[i]);
    CHECK_STR(got, want);
    tt_row_order_free(&v);
}

static void test_order(void)
{
    tt_table *t = plain_table(7);
    const char *names[] = {"step10", "step9", "Conv2D", "add", NULL, "conv", "add"};
    int64_t times[] = {5, -7, TT_UNKNOWN, 5, 5, INT64_MAX, 0};
    double pcts[] = {0.5, NAN, -1.5, -0.0, 0.0, 1e300, 3};
    for (uint32_t r = 0; r < 7; r++) {
        at(t, r, NAME)->s = names[r];
        at(t, r, TIME)->i = times[r];
        at(t, r, PCT)->d = pcts[r];
    }
    expect_order(t, -1, false, NULL, false, "0 1 2 3 4 5 6");
    expect_order(t, NAME, false, NULL, false,
                 "2 3 6 5 1 0 4"); /* numbers by value, unknown cells last, equal cells in table order */
    expect_order(t, NAME, true, NULL, false, "0 1 5 3 6 2 4");
    expect_order(t, TIME, false, NULL, false, "1 6 4 3 0 5 2");
    expect_order(t, TIME, true, NULL, false, "5 4 3 0 6 1 2"); /* equal cells by name, the empty name first */
    expect_order(t, PCT, false, NULL, false, "2 4 3 0 6 5 1");
    expect_order(t, -1, false, "CONV", false, "2 5");
    expect_order(t, TIME, true, "", false, "5 3 0 6 1 2");
    expect_order(t, -1, false, "^(add|step9)$", true, "1 3 6");
    tt_row_order v;
    tt_err err = {0};
    tt_row_order_spec bad = {.sort_col = -1, .filter = "(", .regex = true};
    CHECK_INT(tt_row_order_make(t, &bad, &v, &err), TT_ERR_USAGE);
    CHECK(strstr(err.message, "regular expression") != NULL);
    at(t, 3, SHAPE)->s = "conv in a shape";
    expect_order(t, -1, false, "conv", false, "2 3 5");
    tt_row_order_spec name_only = {.sort_col = -1, .filter = "conv", .name_only = true};
    CHECK_INT(tt_row_order_make(t, &name_only, &v, NULL), TT_OK);
    CHECK_INT(v.n, 2);
    tt_row_order_free(&v);
    plain_free(t);
}

static double ms_now(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
    return (double)ts.tv_sec * 1e3 + (double)ts.tv_nsec / 1e6;
}

static double timed_view(const tt_table *t, int col, const char *filter)
{
    double best = 1e9;
    for (int i = 0; i < 3; i++) {
        tt_row_order v;
        tt_row_order_spec spec = {.sort_col = col, .desc = true, .filter = filter};
        double t0 = ms_now();
        tt_row_order_make(t, &spec, &v, NULL);
        double t1 = ms_now();
        if (filter || col >= 0) best = t1 - t0 < best ? t1 - t0 : best;
        tt_row_order_free(&v);
    }
    return best;
}

/* Sorting many rows gives the right order, and its cost does not grow with the square of the rows. */
static void test_large(void)
{
    enum { N = 100000 };
    tt_table *t = plain_table(N);
    for (uint32_t r = 0; r < N; r++) {
        uint32_t x = r * 2654435761u;
        at(t, r, NAME)->s = tt_arena_printf(&t->arena,
                                            "void at::native::vectorized_elementwise_kernel<4, "
                                            "at::native::BinaryFunctor<float, %u>, at::detail::Array<char*, %u>>",
                                            x % 977, x >> 12);
        at(t, r, TIME)->i = (int64_t)(x % 5000) - 2500;
    }
    tt_row_order v;
    tt_row_order_spec spec = {.sort_col = TIME, .desc = true};
    tt_row_order_make(t, &spec, &v, NULL);
    bool ordered = v.n == N;
    for (uint32_t i = 1; i < N && ordered; i++) {
        int64_t a = at(t, v.rows[i - 1], TIME)->i, b = at(t, v.rows[i], TIME)->i;
        ordered = a > b || (a == b && v.rows[i - 1] != v.rows[i]);
    }
    CHECK(ordered);
    tt_row_order_free(&v);
    double by_name = timed_view(t, NAME, NULL), by_time = timed_view(t, TIME, NULL),
           filter = timed_view(t, -1, "Array<char*, 9");
    t->n_rows = N / 10;
    double small = timed_view(t, NAME, NULL);
    fprintf(stderr, "%d rows: by name %.1f ms, by time %.1f ms, filter %.1f ms; a tenth by name %.1f ms\n", N, by_name,
            by_time, filter, small);
    CHECK(by_name < 60 * small + 20);
    plain_free(t);
}

static void test_long_texts(void)
{
    enum { LEN = 1 << 20, N = 3 };
    tt_table *t = plain_table(N);
    for (uint32_t r = 0; r < N; r++) { /* names with a long common beginning must not exhaust the stack */
        char *s = tt_arena_alloc(&t->arena, LEN + 2);
        memset(s, 'x', LEN);
        s[LEN] = (char)('c' - r);
        s[LEN + 1] = '\0';
        at(t, r, NAME)->s = s;
    }
    expect_order(t, NAME, false, NULL, false, "2 1 0");
    plain_free(t);
}

static void test_drilldowns(void)
{
    tt_session *s = make_session();
    tt_scope scope = tt_scope_all;
    tt_slice_ref refs[3];
    tt_drilldown o = {.what = TT_DRILL_SLICES, .trace = TT_NONE, .kinds = 1u << TT_KIND_CPU_OP, .name = "aten::add"};
    CHECK_INT(tt_drilldown_slices(s, &scope, &o, refs, 3), 4);
    CHECK(refs[0].trace == 0 && refs[0].row == 3 && refs[1].row == 1 && refs[2].trace == 1); /* sorted by start */
    o.trace = 1;
    CHECK_INT(tt_drilldown_slices(s, &scope, &o, refs, 3), 2);
    o = (tt_drilldown){.what = TT_DRILL_SLICES, .trace = TT_NONE, .name = "aten::conv2d", .shapes = "[[2, 3]]"};
    CHECK_INT(tt_drilldown_slices(s, &scope, &o, refs, 3), 2);
    o.shapes = "[]";
    CHECK_INT(tt_drilldown_slices(s, &scope, &o, refs, 1), 2);
    CHECK_INT(refs[0].row, 2);
    o.name = "not there";
    CHECK_INT(tt_drilldown_slices(s, &scope, &o, NULL, 0), 0);
    scope.has_range = true;
    scope.t0 = 40;
    scope.t1 = 60;
    o = (tt_drilldown){.what = TT_DRILL_SLICES, .trace = TT_NONE};
    CHECK_INT(tt_drilldown_slices(s, &scope, &o, refs, 3), 4);
    scope = tt_scope_all;
    o = (tt_drilldown){.what = TT_DRILL_RANGE, .t0 = 40, .t1 = 60, .kinds = 1u << TT_KIND_KERNEL};
    CHECK_INT(tt_drilldown_slices(s, &scope, &o, refs, 3), 2);
    o = (tt_drilldown){.what = TT_DRILL_ROW, .trace = 1, .row = 2};
    CHECK_INT(tt_drilldown_slices(s, &scope, &o, refs, 3), 1);
    CHECK(refs[0].trace == 1 && refs[0].row == 2);
    fixture_session_free(s);
}

int main(void)
{
    test_columns_and_cache();
    test_threads();
    test_order();
    test_large();
    test_long_texts();
    test_drilldowns();
    return check_done();
}
