/* Matching the workers and steps of two runs. */
#include <stdlib.h>

#include "model/tables/compare/matching.h"
#include "tests/unit/two_runs.h"

/* Write a worker with steps of these lengths (us), one after another, numbered from `number` on. */
static void worker(made_run *m, const char *name, int rank, int number, int n, const double *us)
{
    double at = 0;
    run_worker(m, name, rank);
    run_slice(m, "cpu_op", "aten::mm", 0, 1);
    for (int i = 0; i < n; i++) {
        run_step(m, number + i, at, us[i]);
        at += us[i];
    }
}

static const double even[] = {1000, 1000, 1000, 1000, 1000, 1000};

/* Make a run of workers with one step each. */
static tt_session *workers(int n, const char *const *names, const int *ranks)
{
    made_run m = {0};
    for (int i = 0; i < n; i++) worker(&m, names[i], ranks[i], 1, 1, even);
    return run_load(&m);
}

static tt_matching match(tt_session *base, const tt_session *now)
{
    tt_comparison c = TT_COMPARISON_DEFAULT;
    c.base = base;
    return tt_matching_make(now, &tt_scope_all, &c);
}

/* "a=b c=d | only in the base | only in the new run" */
static void check_pairs(int n_base, const char *const *base, const int *base_ranks, int n_now, const char *const *now,
                        const int *now_ranks, const char *want)
{
    tt_session *s[] = {workers(n_base, base, base_ranks), workers(n_now, now, now_ranks)};
    tt_matching m = match(s[0], s[1]);
    char *text;
    size_t len;
    FILE *f = open_memstream(&text, &len);
    for (size_t i = 0; i < m.workers.n; i++)
        fprintf(f, "%s=%s ", m.workers.at[i].name[TT_BASE], m.workers.at[i].name[TT_NEW]);
    for (int side = 0; side < TT_SIDES; side++) {
        fputs("|", f);
        for (size_t i = 0; i < m.unmatched[side].n; i++) fprintf(f, " %s", m.unmatched[side].at[i]);
        fputs(side ? "" : " ", f);
    }
    fclose(f);
    CHECK_STR(text, want);
    free(text);
    tt_matching_free(&m);
    for (int side = 0; side < TT_SIDES; side++) tt_session_free(s[side]);
}

#define LIST(...) ((const char *const[]){__VA_ARGS__})
#define RANKS(...) ((const int[]){__VA_ARGS__})

static void pairs(void)
{
    /* ranks decide, whatever the names */
    check_pairs(2, LIST("a", "b"), RANKS(0, 1), 2, LIST("a", "b"), RANKS(1, 0), "a=b b=a | |");
    /* workers whose rank the other run lacks are left out */
    check_pairs(2, LIST("a", "b"), RANKS(0, 1), 2, LIST("x", "y"), RANKS(1, 2), "b=x | a | y");
    /* one side has no ranks: names decide */
    check_pairs(2, LIST("a", "b"), RANKS(0, 1), 2, LIST("b", "c"), RANKS(-1, -1), "b=b | a | c");
    /* one worker of a side has no rank: names decide for all workers */
    check_pairs(2, LIST("a", "b"), RANKS(0, 1), 2, LIST("a", "b"), RANKS(1, -1), "a=a b=b | |");
    /* two workers of one rank: ranks cannot decide */
    check_pairs(2, LIST("a", "b"), RANKS(0, 0), 2, LIST("b", "a"), RANKS(0, 1), "a=a b=b | |");
    /* no common name: the order decides */
    check_pairs(2, LIST("a", "b"), RANKS(-1, -1), 3, LIST("x", "y", "z"), RANKS(-1, -1, -1), "a=x b=y | | z");
    /* no common rank, but one worker on each side: they match, as a rank may have moved */
    check_pairs(1, LIST("a"), RANKS(0), 1, LIST("x"), RANKS(5), "a=x | |");
}

static void steps_meet_by_order(void)
{
    made_run a = {0}, b = {0};
    worker(&a, "w", -1, 5, 3, (double[]){1000, 1100, 1200});
    worker(&b, "w", -1, 100, 4, (double[]){900, 800, 700, 600});
    tt_session *base = run_load(&a), *now = run_load(&b);
    tt_matching m = match(base, now);
    CHECK(m.per_step);
    CHECK_INT(m.n_samples[TT_BASE], 3);
    CHECK_INT(m.n_samples[TT_NEW], 4);
    CHECK_INT(tt_matching_step_ns(&m, TT_BASE, 1), 1100000);
    CHECK_INT(tt_matching_step_ns(&m, TT_NEW, 3), 600000);
    CHECK_INT(now->traces[0]->steps[m.workers.at[0].samples[TT_NEW][0].step].number, 100);
    tt_matching_free(&m);
    tt_comparison c = TT_COMPARISON_DEFAULT;
    c.base = base;
    c.base_scope.has_steps = true; /* base steps 6 and 7 */
    c.base_scope.step_first = 6;
    c.base_scope.step_last = 7;
    c.skip = 1; /* without the first step in scope */
    m = tt_matching_make(now, &tt_scope_all, &c);
    CHECK_INT(m.n_samples[TT_BASE], 1);
    CHECK_INT(m.n_samples[TT_NEW], 3);
    CHECK_INT(tt_matching_step_ns(&m, TT_BASE, 0), 1200000);
    CHECK_INT(tt_matching_step_ns(&m, TT_NEW, 0), 800000);
    tt_matching_free(&m);
    c.skip = 9; /* more steps than the run has */
    m = tt_matching_make(now, &tt_scope_all, &c);
    CHECK(!m.per_step);
    CHECK_INT(m.n_samples[TT_BASE], 0);
    tt_matching_free(&m);
    c.skip = 0;
    c.per_run = true;
    m = tt_matching_make(now, &tt_scope_all, &c);
    CHECK(!m.per_step);
    CHECK_INT(m.n_samples[TT_NEW], 4);
    tt_matching_free(&m);
    tt_session_free(base);
    tt_session_free(now);
}

/* A sample is a step of all workers: there are as many as the worker with the fewest steps has, and each is as long as
 * the longest of its steps. */
static void fewest_steps_count(void)
{
    made_run a = {0}, b = {0};
    worker(&a, "w0", 0, 1, 3, (double[]){1000, 1000, 1000});
    worker(&a, "w1", 1, 2, 2, (double[]){1500, 700});
    worker(&b, "w0", 0, 1, 1, even);
    worker(&b, "w1", 1, 1, 0, even); /* a worker without steps */
    tt_session *base = run_load(&a), *now = run_load(&b);
    tt_matching m = match(base, now);
    CHECK_INT(m.n_samples[TT_BASE], 2);
    CHECK_INT(tt_matching_step_ns(&m, TT_BASE, 0), 1500000);
    CHECK_INT(tt_matching_step_ns(&m, TT_BASE, 1), 1000000);
    CHECK_INT(m.n_samples[TT_NEW], 0);
    CHECK(!m.per_step);
    tt_matching_free(&m);
    tt_session_free(base);
    tt_session_free(now);
}

/* The spans of a worker follow one another; skip leaves out the first step of all spans together. */
static void spans(void)
{
    made_run a = {0};
    worker(&a, "w.1", -1, 1, 2, (double[]){1000, 1100});
    worker(&a, "w.2", -1, 1, 2, (double[]){1200, 1300});
    tt_session *s = run_load(&a);
    tt_comparison c = TT_COMPARISON_DEFAULT;
    c.base = s;
    c.skip = 1;
    tt_matching m = tt_matching_make(s, &tt_scope_all, &c);
    CHECK_INT(s->n_traces, 2);
    CHECK_INT(m.workers.n, 1);
    CHECK_INT(m.n_samples[TT_BASE], 3);
    CHECK_INT(tt_matching_trace(&m, TT_BASE, 0, 0), 0);
    CHECK_INT(tt_matching_trace(&m, TT_BASE, 0, 1), 1);
    CHECK_INT(tt_matching_trace(&m, TT_BASE, 0, 2), TT_NONE);
    for (uint32_t i = 0; i < 3; i++) CHECK_INT(tt_matching_step_ns(&m, TT_NEW, i), 1100000 + 100000 * (int64_t)i);
    tt_matching_free(&m);
    c.base_scope.span = 1; /* the second span against all spans */
    m = tt_matching_make(s, &tt_scope_all, &c);
    CHECK_INT(m.n_samples[TT_BASE], 1);
    CHECK_INT(tt_matching_trace(&m, TT_BASE, 0, 0), 1);
    tt_matching_free(&m);
    tt_session_free(s);
}

static bool slow(int n, const double *us)
{
    made_run a = {0};
    worker(&a, "w", -1, 1, n, us);
    tt_session *s = run_load(&a);
    tt_matching m = match(s, s);
    bool first = m.slow_first[TT_BASE];
    CHECK_INT(m.slow_first[TT_NEW], first);
    tt_matching_free(&m);
    tt_session_free(s);
    return first;
}

static void warm_up(void)
{
    CHECK(slow(3, (double[]){1501, 1000, 1000}));
    CHECK(!slow(3, (double[]){1500, 1000, 1000})); /* not more than 1.5 times the usual */
    CHECK(!slow(3, (double[]){1000, 2000, 1000}));
    CHECK(!slow(2, (double[]){9000, 1000})); /* with two steps no length is usual */
}

/* Compare one step of a run with another step of it. */
static void parts_of_one_run(void)
{
    made_run a = {0};
    worker(&a, "w", -1, 1, 3, (double[]){1000, 1100, 1200});
    tt_session *s = run_load(&a);
    tt_scope third = tt_scope_all;
    third.has_steps = true;
    third.step_first = third.step_last = 3;
    tt_comparison c = TT_COMPARISON_DEFAULT;
    c.base = s;
    c.base_scope.has_steps = true;
    c.base_scope.step_first = c.base_scope.step_last = 1;
    tt_matching m = tt_matching_make(s, &third, &c);
    CHECK(m.per_step);
    CHECK_INT(m.n_samples[TT_BASE] + m.n_samples[TT_NEW], 2);
    CHECK_INT(tt_matching_step_ns(&m, TT_NEW, 0) - tt_matching_step_ns(&m, TT_BASE, 0), 200000);
    tt_matching_free(&m);
    tt_session_free(s);
}

int main(void)
{
    temp_begin();
    pairs();
    steps_meet_by_order();
    fewest_steps_count();
    spans();
    warm_up();
    parts_of_one_run();
    temp_end();
    return check_done();
}
