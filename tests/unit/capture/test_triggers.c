/* Slow steps and stalls: both rules against times worked out by hand. */
#include "capture/shared/slow_step.h"
#include "capture/shared/stall.h"
#include "tests/unit/check.h"

enum { MS = 1000000, LIMIT_S = 30 };
static const int64_t second = 1000000000;

static bool is_slow(tt_slow_steps *s, int64_t ms, uint32_t pct)
{
    int64_t median;
    return tt_slow_step(s, ms * MS, pct, &median);
}

static void check_slow_steps(void)
{
    tt_slow_steps s = {0};
    int64_t median;
    CHECK(!is_slow(&s, 90000, 200)); /* the first step compiles */
    for (int i = 1; i < TT_SLOW_LEAST; i++) CHECK(!is_slow(&s, i < 4 ? 900 : 100, 200));
    CHECK(tt_slow_step_median(&s) == 900 * (int64_t)MS); /* 100 x4, 900 x3, 90000: the upper one of the middle */
    for (int i = 0; i < TT_SLOW_LEAST; i++) CHECK(!is_slow(&s, 100, 200));
    CHECK(!is_slow(&s, 200, 200)); /* twice, and not more */
    CHECK(!tt_slow_step_late(&s, 200 * MS, 200) && tt_slow_step_late(&s, 201 * MS, 200));
    CHECK(!tt_slow_step_late(&s, 90000 * (int64_t)MS, 0));
    CHECK(tt_slow_step(&s, 201 * MS, 200, &median) && median == 100 * (int64_t)MS);
    CHECK(!tt_slow_step_late(&s, 500 * MS, 200)); /* the second in a row would not be told */
    CHECK(!is_slow(&s, 500, 200));
    CHECK(!is_slow(&s, 100, 200));
    CHECK(is_slow(&s, 500, 200));
    CHECK(!is_slow(&s, 100, 200) && !is_slow(&s, 100000, 0)); /* 0: never */
}

static void check_window(void)
{
    tt_slow_steps s = {0};
    for (int i = 0; i < 1000; i++) CHECK(!is_slow(&s, 100, 150));
    /* the steps become slower for good: that is told once, and is usual when it fills half of the window */
    for (int i = 0; i < TT_SLOW_WINDOW; i++) CHECK(is_slow(&s, 200, 150) == !i);
    CHECK(tt_slow_step_median(&s) == 200 * (int64_t)MS);
    CHECK(!is_slow(&s, 290, 150));
    CHECK(is_slow(&s, 301, 150));
}

/* Look ten times a second for s seconds; the number of stalls told, and the kind of the last one. */
static int stalls(tt_stall *s, tt_stall_facts *f, int seconds, tt_stall_kind *kind)
{
    int n = 0;
    for (int i = 0; i < 10 * seconds; i++) {
        f->now += second / 10;
        tt_stall_kind k = tt_stall_look(s, f, LIMIT_S * second);
        n += k != TT_STALL_NONE;
        if (k != TT_STALL_NONE) *kind = k;
    }
    return n;
}

static void check_device(void)
{
    tt_stall s = {0};
    tt_stall_facts f = {.now = 5 * second};
    tt_stall_kind kind = TT_STALL_NONE;
    CHECK(stalls(&s, &f, 3600, &kind) == 0); /* idle */
    f.done = 1000;
    CHECK(stalls(&s, &f, 3600, &kind) == 0); /* idle after work */
    f.due = 12;
    CHECK(stalls(&s, &f, LIMIT_S - 1, &kind) == 0);
    CHECK(stalls(&s, &f, 2, &kind) == 1 && kind == TT_STALL_DEVICE);
    f.due = 13; /* more work is launched, none completes: the same stall */
    CHECK(stalls(&s, &f, 3600, &kind) == 0);
    f.done++;
    CHECK(stalls(&s, &f, LIMIT_S - 1, &kind) == 0);
    CHECK(stalls(&s, &f, 2, &kind) == 1);
    for (int i = 0; i < 100; i++) { /* slow work that completes */
        f.done++;
        CHECK(stalls(&s, &f, LIMIT_S - 1, &kind) == 0);
    }
}

static void check_steps(void)
{
    tt_stall s = {0};
    tt_stall_facts f = {.now = 5 * second, .step_ns = second};
    tt_stall_kind kind = TT_STALL_NONE;
    CHECK(stalls(&s, &f, 3600, &kind) == 0); /* a program without steps */
    for (int i = 0; i < 100; i++) {
        f.steps++;
        CHECK(stalls(&s, &f, LIMIT_S - 1, &kind) == 0);
    }
    CHECK(stalls(&s, &f, 2, &kind) == 1 && kind == TT_STALL_STEP);
    CHECK(stalls(&s, &f, 24 * 3600, &kind) == 0); /* the steps have ended: once */
    f.due = 1;                                    /* work after the last step is a stall of its own */
    CHECK(stalls(&s, &f, LIMIT_S + 1, &kind) == 1 && kind == TT_STALL_DEVICE);
    f.steps++;
    f.due = 0;
    CHECK(stalls(&s, &f, LIMIT_S + 1, &kind) == 1 && kind == TT_STALL_STEP);
    f.steps++;
    f.step_ns = 20 * second; /* long steps: three of them */
    CHECK(stalls(&s, &f, 59, &kind) == 0);
    CHECK(stalls(&s, &f, 2, &kind) == 1);
}

static void check_one_stall(void)
{
    tt_stall s = {0};
    tt_stall_facts f = {.now = 5 * second, .step_ns = second, .steps = 7};
    tt_stall_kind kind = TT_STALL_NONE;
    CHECK(stalls(&s, &f, 1, &kind) == 0);
    f.due = 3; /* work hangs a second after the step began, which is late first */
    CHECK(stalls(&s, &f, 3600, &kind) == 1 && kind == TT_STALL_STEP);
    f.due = 0;
    f.steps++;
    CHECK(stalls(&s, &f, 1, &kind) == 0);
    f.due = 3;
    f.steps++; /* both at once */
    CHECK(stalls(&s, &f, 3600, &kind) == 1 && kind == TT_STALL_DEVICE);
}

static void check_stopped(void)
{
    tt_stall s = {0};
    tt_stall_facts f = {.now = 5 * second, .due = 3, .steps = 7};
    tt_stall_kind kind = TT_STALL_NONE;
    CHECK(stalls(&s, &f, LIMIT_S - 5, &kind) == 0);
    f.now += 3600 * second; /* the program stood still: an hour counts as a second */
    CHECK(stalls(&s, &f, 2, &kind) == 0);
    CHECK(stalls(&s, &f, 3, &kind) == 1);
    tt_stall never = {0};
    for (int i = 0; i < 1000; i++) {
        f.now += second;
        CHECK(tt_stall_look(&never, &f, 0) == TT_STALL_NONE);
    }
}

int main(void)
{
    check_slow_steps();
    check_window();
    check_device();
    check_steps();
    check_one_stall();
    check_stopped();
    return check_done();
}
