/* Lists of names in two runs: matching rows, values of both sides, and the change of a step; numbers computed by hand.
 * */
#include <math.h>
#include <stdlib.h>

#include "model/tables/registry/registry.h"
#include "model/tables/table.h"
#include "tests/unit/two_runs.h"

#define US 1000

typedef struct compared {
    tt_session *base, *now;
    tt_comparison how;
} compared;

static compared both(made_run *base, made_run *now)
{
    compared c = {run_load(base), run_load(now), TT_COMPARISON_DEFAULT};
    c.how.base = c.base;
    return c;
}

static void free_both(compared *c)
{
    tt_session_free(c->now);
    tt_session_free(c->base);
}

static tt_table *diff(const compared *c, const char *id)
{
    tt_options o = {.compare = &c->how};
    return tt_table_compute(c->now, tt_table_find(id), &tt_scope_all, &o);
}

static tt_cell cell(const tt_table *t, int row, const char *key)
{
    int c = tt_table_column(t, key);
    CHECK(row >= 0 && row < (int)t->n_rows);
    if (row < 0 || row >= (int)t->n_rows || c < 0) return (tt_cell){.i = TT_UNKNOWN};
    return tt_table_cell(t, (uint32_t)row, (uint32_t)c);
}

static int64_t number(const tt_table *t, int row, const char *key) { return cell(t, row, key).i; }

static int row_of(const tt_table *t, const char *name)
{
    int c = tt_table_column(t, "name");
    for (uint32_t r = 0; c >= 0 && r < t->n_rows; r++)
        if (!strcmp(tt_table_cell(t, r, (uint32_t)c).s, name)) return (int)r;
    return -1;
}

/* Check base, new and delta of a column. */
static void triple(const tt_table *t, int row, const char *what, int64_t base, int64_t now, int64_t delta)
{
    char key[64];
    snprintf(key, sizeof key, "base_%s", what);
    CHECK_INT(number(t, row, key), base);
    snprintf(key, sizeof key, "new_%s", what);
    CHECK_INT(number(t, row, key), now);
    snprintf(key, sizeof key, "delta_%s", what);
    CHECK_INT(number(t, row, key), delta);
}

static void calls(const tt_table *t, int row, int64_t base, int64_t now, const char *change)
{
    CHECK_INT(number(t, row, "base_calls"), base);
    CHECK_INT(number(t, row, "new_calls"), now);
    CHECK_STR(cell(t, row, "change").s, change);
}

static void whole_runs(void)
{
    made_run a = {0}, b = {0};
    run_worker(&a, "worker0", -1);
    run_kernel(&a, "both", 1, 10, 10);
    run_kernel(&a, "both", 2, 30, 20);
    run_kernel(&a, "gone", 3, 60, 30);
    run_worker(&b, "worker0", -1);
    run_kernel(&b, "both", 1, 10, 10);
    run_kernel(&b, "both", 2, 30, 10);
    run_kernel(&b, "both", 3, 50, 12);
    run_kernel(&b, "came", 4, 70, 25);
    compared c = both(&a, &b);
    tt_table *t = diff(&c, "diff_kernels");
    CHECK_INT(t->n_rows, 3);
    CHECK_INT(tt_table_known_column(t, "verdict"), -1); /* without steps there is no verdict */
    CHECK_INT(row_of(t, "gone"), 0);                    /* the largest change comes first */
    CHECK_INT(row_of(t, "came"), 1);
    int both_row = row_of(t, "both");
    calls(t, both_row, 2, 3, "increased");
    triple(t, both_row, "total_ns", 30 * US, 32 * US, 2 * US);
    triple(t, both_row, "mean_ns", 15 * US, 10667, -4333);
    triple(t, both_row, "max_ns", 20 * US, 12 * US, -8 * US);
    triple(t, both_row, "min_ns", 10 * US, 10 * US, 0);
    calls(t, 0, 1, 0, "deleted");
    triple(t, 0, "total_ns", 30 * US, 0, -30 * US);
    triple(t, 0, "mean_ns", 30 * US, TT_UNKNOWN, TT_UNKNOWN); /* no call, so no mean */
    calls(t, 1, 0, 1, "added");
    triple(t, 1, "total_ns", 0, 25 * US, 25 * US);
    CHECK_INT(t->base_drilldowns[0].what, TT_DRILL_SLICES);
    CHECK_STR(t->base_drilldowns[0].name, "gone");
    CHECK_INT(t->drilldowns[0].what, TT_DRILL_NONE);
    CHECK_INT(t->base_drilldowns[1].what, TT_DRILL_NONE);
    CHECK_STR(t->drilldowns[1].name, "came");
    CHECK_INT(tt_drilldown_slices(c.base, &tt_scope_all, &t->base_drilldowns[both_row], NULL, 0), 2);
    CHECK_INT(tt_drilldown_slices(c.now, &tt_scope_all, &t->drilldowns[both_row], NULL, 0), 3);
    tt_table_free(t);
    free_both(&c);
}

/* Write n steps of 1000 us; us[i] is the duration of the kernel in step i. */
static void steps_of(made_run *m, int n, const char *name, const double *us)
{
    for (int i = 0; i < n; i++) {
        run_step(m, 10 + i, 1000 * i, 1000);
        run_kernel(m, name, 1000 * i + 10, 1000 * i + 20, us[i]);
    }
}

static void by_step(void)
{
    made_run a = {0}, b = {0};
    run_worker(&a, "worker0", -1);
    steps_of(&a, 4, "k", (double[]){100, 110, 120, 130});
    for (int i = 0; i < 4; i++) run_kernel(&a, "small", 1000 * i + 300, 1000 * i + 310, 1);
    for (int i = 0; i < 4; i++) run_kernel(&a, "edge", 1000 * i + 400, 1000 * i + 410, 1);
    run_kernel(&a, "before", 500, 510, 40);
    run_worker(&b, "worker0", -1);
    steps_of(&b, 5, "k", (double[]){200, 210, 220, 230, 240});
    for (int i = 0; i < 5; i++) run_kernel(&b, "small", 1000 * i + 300, 1000 * i + 310, 1.9); /* below 0.1 % */
    for (int i = 0; i < 5; i++) run_kernel(&b, "edge", 1000 * i + 400, 1000 * i + 410, 2);    /* exactly 0.1 % */
    run_kernel(&b, "after", 9000, 9010, 40);                                                  /* outside of all steps */
    compared c = both(&a, &b);
    tt_table *t = diff(&c, "diff_kernels");
    CHECK_INT(row_of(t, "k"), 0);
    triple(t, 0, "step_ns", 115 * US, 220 * US, 105 * US); /* the middle of 20 differences, 70 to 140 */
    CHECK_INT(number(t, 0, "low_ns"), 80 * US);            /* 4 against 5 samples: k = 2 */
    CHECK_INT(number(t, 0, "high_ns"), 130 * US);
    CHECK(fabs(cell(t, 0, "p_value").d - 2.0 / 126) < 1e-12); /* the last of 9 over 4 orderings, on both sides */
    CHECK_STR(cell(t, 0, "verdict").s, "slower");
    calls(t, 0, 4, 5, "unchanged"); /* one call a step */
    triple(t, 0, "total_ns", 460 * US, 1100 * US, 640 * US);
    int small = row_of(t, "small"), edge = row_of(t, "edge");
    triple(t, small, "step_ns", US, 1900, 900);
    CHECK_STR(cell(t, small, "verdict").s, "same");
    triple(t, edge, "step_ns", US, 2 * US, US);
    CHECK_STR(cell(t, edge, "verdict").s, "slower");
    int before = row_of(t, "before"), after = row_of(t, "after");
    calls(t, before, 1, 0, "deleted");
    triple(t, before, "step_ns", 0, 0, 0); /* in one step of four */
    calls(t, after, 0, 1, "added");
    c.how.per_run = true;
    tt_table *run = diff(&c, "diff_kernels");
    CHECK_INT(number(run, row_of(run, "k"), "base_step_ns"), TT_UNKNOWN);
    calls(run, row_of(run, "k"), 4, 5, "increased");
    c.how.per_run = false;
    c.how.skip = 3; /* remaining steps: one against two */
    tt_table *skipped = diff(&c, "diff_kernels");
    triple(skipped, row_of(skipped, "k"), "step_ns", 130 * US, 235 * US, 105 * US);
    CHECK_INT(number(skipped, row_of(skipped, "k"), "low_ns"), TT_UNKNOWN);
    calls(skipped, row_of(skipped, "k"), 4, 5, "unchanged");
    tt_table_free(skipped);
    tt_table_free(run);
    tt_table_free(t);
    free_both(&c);
}

static void several_workers(void)
{
    made_run a = {0}, b = {0};
    for (int rank = 0; rank < 2; rank++) {
        char name[16];
        snprintf(name, sizeof name, "host%d", rank);
        run_worker(&a, name, rank);
        steps_of(&a, 2, "k", rank ? (double[]){20, 41} : (double[]){10, 30});
        snprintf(name, sizeof name, "node%d", 1 - rank); /* other names and another order: ranks match the workers */
        run_worker(&b, name, 1 - rank);
        steps_of(&b, 2, "k", rank ? (double[]){11, 31} : (double[]){24, 40});
    }
    run_worker(&b, "node9", 9);
    steps_of(&b, 2, "k", (double[]){500, 500}); /* no worker of the other run matches */
    compared c = both(&a, &b);
    tt_table *t = diff(&c, "diff_kernels");
    CHECK_INT(t->n_rows, 1);
    CHECK_INT(tt_table_column(t, "worker"), -1);
    calls(t, 0, 4, 4, "unchanged");
    triple(t, 0, "total_ns", 101 * US, 106 * US, 5 * US);
    triple(t, 0, "mean_ns", 25250, 26500, 1250);
    triple(t, 0, "max_ns", 41 * US, 40 * US, -1 * US);
    triple(t, 0, "min_ns", 10 * US, 11 * US, 1 * US);
    /* samples of the base: 15 and 35.5; of the new run: 17.5 and 35.5 */
    triple(t, 0, "step_ns", 25250, 26500, 1250);
    CHECK_INT(t->drilldowns[0].trace, TT_NONE); /* the slices of all workers */
    CHECK_INT(tt_drilldown_slices(c.base, &tt_scope_all, &t->base_drilldowns[0], NULL, 0), 4);
    tt_table_free(t);
    free_both(&c);
}

static void short_names(void)
{
    made_run a = {0}, b = {0};
    run_worker(&a, "worker0", -1);
    run_kernel(&a, "void gemm<float, 128>(int)", 1, 10, 10);
    run_kernel(&a, "void gemm<half, 64>(int)", 2, 30, 30);
    run_worker(&b, "worker0", -1);
    run_kernel(&b, "void gemm<float, 256>(long)", 1, 10, 25);
    compared c = both(&a, &b);
    tt_table *t = diff(&c, "diff_kernels");
    CHECK_INT(t->n_rows, 3);
    tt_table_free(t);
    c.how.short_names = true;
    t = diff(&c, "diff_kernels");
    CHECK_INT(t->n_rows, 1);
    CHECK_STR(cell(t, 0, "name").s, "gemm");
    calls(t, 0, 2, 1, "decreased");
    triple(t, 0, "total_ns", 40 * US, 25 * US, -15 * US);
    triple(t, 0, "mean_ns", 20 * US, 25 * US, 5 * US);
    triple(t, 0, "max_ns", 30 * US, 25 * US, -5 * US);
    triple(t, 0, "min_ns", 10 * US, 25 * US, 15 * US);
    tt_table_free(t);
    free_both(&c);
}

static void run_orphan(made_run *m, int id, double ts)
{
    fprintf(m->f,
            "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"orphan\",\"pid\":0,\"tid\":7,\"ts\":%.3f,\"dur\":5,"
            "\"args\":{\"device\":0,\"stream\":7,\"correlation\":%d}},\n",
            ts, id);
}

/* A kernel without a recorded launch belongs to the step in which it starts. It belongs to no step if its id is below
 * the ids of all launches, because then it was launched before the recording began. */
static void launched_before_the_recording(void)
{
    made_run a = {.correlation = 100}, b = {.correlation = 100};
    run_worker(&a, "worker0", -1);
    steps_of(&a, 2, "k", (double[]){10, 10});
    run_orphan(&a, 7, 200);
    run_orphan(&a, 0, 300); /* without an id nobody knows */
    run_worker(&b, "worker0", -1);
    steps_of(&b, 2, "k", (double[]){10, 10});
    run_orphan(&b, 150, 200); /* its launch was lost */
    run_orphan(&b, 151, 1300);
    compared c = both(&a, &b);
    tt_table *t = diff(&c, "diff_kernels");
    int row = row_of(t, "orphan");
    CHECK_INT(number(t, row, "base_step_ns"), 2500); /* 5 us in the first of two steps */
    CHECK_INT(number(t, row, "new_step_ns"), 5 * US);
    calls(t, row, 2, 2, "increased"); /* 1 call in 2 steps, 2 calls in 2 */
    tt_table_free(t);
    free_both(&c);
}

/* A side without rows has 0 calls in each row of the other side. A column without values in the existing rows was not
 * recorded: unknown. */
static void nothing_recorded(void)
{
    made_run a = {0}, b = {0};
    run_worker(&a, "worker0", -1);
    run_slice(&a, "cpu_op", "aten::mm", 0, 50);
    run_worker(&b, "worker0", -1);
    run_slice(&b, "cpu_op", "aten::mm", 0, 60);
    run_slice(&b, "cpu_op", "aten::add", 70, 5);
    run_kernel(&b, "k", 10, 20, 10);
    compared c = both(&a, &b);
    tt_table *t = diff(&c, "diff_kernels");
    CHECK_INT(t->n_rows, 1);
    calls(t, 0, 0, 1, "added");
    triple(t, 0, "total_ns", 0, 10 * US, 10 * US);
    triple(t, 0, "mean_ns", TT_UNKNOWN, 10 * US, TT_UNKNOWN);
    tt_table_free(t);
    t = diff(&c, "diff_operators");
    int mm = row_of(t, "aten::mm"), add = row_of(t, "aten::add");
    triple(t, mm, "host_total_ns", 50 * US, 60 * US, 10 * US);
    triple(t, mm, "device_total_ns", TT_UNKNOWN, 10 * US, TT_UNKNOWN);
    calls(t, add, 0, 1, "added");
    triple(t, add, "device_total_ns", TT_UNKNOWN, 0, TT_UNKNOWN);
    tt_table_free(t);
    t = diff(&c, "diff_key_averages"); /* the base has host rows but no device rows */
    calls(t, row_of(t, "aten::add"), 0, 1, "added");
    calls(t, row_of(t, "k"), 0, 1, "added");
    triple(t, row_of(t, "k"), "cuda_total_ns", 0, 10 * US, 10 * US);
    tt_table_free(t);
    free_both(&c);
}

static void nothing_to_compare_with(void)
{
    made_run a = {0};
    run_worker(&a, "worker0", -1);
    run_kernel(&a, "k", 1, 10, 10);
    tt_session *s = run_load(&a);
    for (uint32_t i = 0; i < tt_n_tables; i++) {
        if (!(tt_tables[i]->flags & TT_TABLE_COMPARE)) continue;
        tt_table *t = tt_table_compute(s, tt_tables[i], &tt_scope_all, NULL);
        CHECK_INT(t->n_rows, 0);
        CHECK(t->note && strstr(t->note, "tracetty diff BASE NEW"));
        tt_table_free(t);
    }
    tt_session_free(s);
}

static const tt_column *column(const tt_table_desc *d, const char *before, const char *key)
{
    char name[64];
    snprintf(name, sizeof name, "%s%s", before, key);
    for (uint32_t c = 0; c < d->n_cols; c++)
        if (!strcmp(d->cols[c].key, name)) return &d->cols[c];
    return NULL;
}

/* Every table with rows by step is compared, with all its keys and values, by all its groupings. */
static void columns_of_both(void)
{
    for (uint32_t i = 0; i < tt_n_tables; i++) {
        const tt_table_desc *of = tt_tables[i];
        char id[64];
        snprintf(id, sizeof id, "diff_%s", of->id);
        if (!(of->flags & TT_TABLE_STEP_SUMS)) continue;
        const tt_table_desc *d = tt_table_find(id);
        CHECK(d != NULL);
        if (!d) continue;
        CHECK_INT(!of->groups, !d->groups);
        for (int g = 0; of->groups && (of->groups[g] || d->groups[g]); g++) CHECK_STR(d->groups[g], of->groups[g]);
        bool keys = true;
        uint32_t expected = 2 + 8; /* columns of calls; columns by step */
        for (uint32_t c = 0; c < of->n_cols; c++) {
            const tt_column *x = &of->cols[c];
            if (!strcmp(x->key, "calls") || !strcmp(x->key, "occurrences")) {
                keys = false;
                continue;
            }
            /* a property of all calls or of the name is no key; figures that the compiler states for a kernel depend
             * on the program, not on the run */
            bool stated = !strcmp(of->id, "kernels") && (!strcmp(x->key, "flops") || !strcmp(x->key, "accessed_bytes"));
            bool shared = stated || !strcmp(x->key, "core") || !strcmp(x->key, "type") || !strcmp(x->key, "program") ||
                          !strcmp(x->key, "class");
            bool value = x->type == TT_T_DURATION || x->type == TT_T_BYTES || x->type == TT_T_COUNT;
            if (x->type == TT_T_BOOL || shared || (!keys && !value)) continue;
            expected += keys ? 1 : 3;
            static const char *const before[] = {"", "base_", "new_", "delta_"};
            for (int k = keys ? 0 : 1; k < (keys ? 1 : 4); k++) {
                const tt_column *y = column(d, before[k], x->key);
                CHECK(y != NULL);
                if (!y) continue;
                CHECK_INT(y->type, x->type);
                CHECK_INT(y->in_groups, x->in_groups);
                CHECK_INT(y->optional, x->optional);
            }
        }
        CHECK_INT(d->n_cols, expected);
    }
}

int main(void)
{
    temp_begin();
    whole_runs();
    by_step();
    several_workers();
    short_names();
    launched_before_the_recording();
    nothing_recorded();
    nothing_to_compare_with();
    columns_of_both();
    temp_end();
    return check_done();
}
