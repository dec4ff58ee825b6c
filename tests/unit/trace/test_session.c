/* tests/unit/trace/test_session.c - order of traces, the common time axis, scopes as windows. */
#include "tests/unit/check.h"
#include "tests/unit/fixture.h"

static tt_session *two_workers(void)
{
    tt_trace *s[4] = {
        fixture_trace("w10", "1", 5000, true),
        fixture_trace("w2", "10", 2000, true),
        fixture_trace("w2", "9", 1000, true),
        fixture_trace("alone", "1", 77, false),
    };
    for (int i = 0; i < 4; i++) {
        fixture_track(s[i], TT_TRACK_THREAD, "main");
        tt_row r = fixture_slice(s[i], TT_KIND_STEP, "ProfilerStep#1", 100, 100, NULL);
        fixture_slice(s[i], TT_KIND_CPU_OP, "op", 150, 500, NULL);
        fixture_step(s[i], 1, 100, 200, r);
        fixture_step(s[i], 2, 200, 300, r);
        fixture_step(s[i], 4, 350, 400, r);
    }
    return tt_session_new(s, 4, NULL);
}

static void test_axis(void)
{
    tt_session *s = two_workers();
    CHECK_STR(s->traces[0]->worker, "alone");
    CHECK_STR(s->traces[1]->span, "9");
    CHECK_STR(s->traces[2]->span, "10");
    CHECK_STR(s->traces[3]->worker, "w10");
    CHECK_INT(s->offset_ns[0], 0);
    CHECK_INT(s->offset_ns[1], 0);
    CHECK_INT(s->offset_ns[2], 1000);
    CHECK_INT(s->offset_ns[3], 4000);
    CHECK_INT(s->end_ns, 4650);
    CHECK_INT(s->n_workers, 3);
    CHECK_INT(s->n_spans, 3);
    CHECK_STR(s->spans[2], "10");
    CHECK_STR(s->run, "");
    CHECK_INT(tt_session_events(s), 8);
    CHECK_INT(tt_session_slices(s), 8);
    fixture_session_free(s);
}

static void test_scope(void)
{
    tt_session *s = two_workers();
    tt_scope scope = tt_scope_all;
    tt_windows w = tt_scope_windows(s, &scope, 3);
    CHECK(w.everything && w.n == 1 && tt_windows_have(&w, INT64_MIN) && tt_windows_have(&w, 1));
    tt_windows_free(&w);

    scope.has_steps = true;
    scope.step_first = 2;
    scope.step_last = 4;
    w = tt_scope_windows(s, &scope, 3);
    CHECK_INT(w.n, 2);
    CHECK(!tt_windows_have(&w, 199) && tt_windows_have(&w, 200) && tt_windows_have(&w, 299) &&
          !tt_windows_have(&w, 300));
    CHECK(tt_windows_have(&w, 350) && !tt_windows_have(&w, 400));
    tt_windows_free(&w);

    scope.step_first = 1; /* adjacent steps make one window */
    w = tt_scope_windows(s, &scope, 3);
    CHECK_INT(w.n, 2);
    CHECK_INT(w.at[0].t0, 100);
    CHECK_INT(w.at[0].t1, 300);
    tt_windows_free(&w);

    scope.has_range = true; /* on the common axis trace 3 begins 4000 later */
    scope.t0 = 4250;
    scope.t1 = INT64_MAX;
    w = tt_scope_windows(s, &scope, 3);
    CHECK_INT(w.n, 2);
    CHECK_INT(w.at[0].t0, 250);
    CHECK(!w.everything);
    tt_windows_free(&w);
    scope.t1 = 4200;
    w = tt_scope_windows(s, &scope, 3);
    CHECK_INT(w.n, 0);
    CHECK(!tt_windows_have(&w, 250));
    tt_windows_free(&w);

    scope = tt_scope_all;
    scope.worker = 1; /* w2 */
    CHECK(!tt_scope_has_trace(s, &scope, 0) && tt_scope_has_trace(s, &scope, 1) && tt_scope_has_trace(s, &scope, 2));
    scope.span = 2; /* "10" */
    CHECK(!tt_scope_has_trace(s, &scope, 1) && tt_scope_has_trace(s, &scope, 2));
    w = tt_scope_windows(s, &scope, 1);
    CHECK_INT(w.n, 0);
    CHECK(!tt_windows_have(&w, 0));
    tt_windows_free(&w);

    int64_t t0, t1; /* span 10 of w2 lasts from 1000 to 1650, both spans of w2 begin at 0 */
    scope.has_range = true;
    scope.t0 = 1650, scope.t1 = 9000;
    CHECK(tt_scope_has_time(s, &scope, &t0, &t1));
    CHECK(t0 == 1000 && t1 == 1650);
    scope.t0 = 1651;
    CHECK(!tt_scope_has_time(s, &scope, &t0, &t1));
    scope.span = TT_ALL;
    CHECK(!tt_scope_has_time(s, &scope, &t0, &t1));
    CHECK(t0 == 0 && t1 == 1650);
    scope.worker = TT_ALL;
    CHECK(tt_scope_has_time(s, &scope, &t0, &t1));
    scope.t0 = -9, scope.t1 = 0;
    CHECK(!tt_scope_has_time(s, &scope, &t0, &t1));
    scope.has_range = false;
    CHECK(tt_scope_has_time(s, &scope, &t0, &t1));
    fixture_session_free(s);
}

static void test_no_steps(void)
{
    tt_trace *st = fixture_trace("w", "1", 0, false);
    fixture_track(st, TT_TRACK_THREAD, "main");
    fixture_slice(st, TT_KIND_CPU_OP, "op", 0, 10, NULL);
    fixture_step(st, 0, 0, 10, TT_NONE); /* the step of a trace without steps */
    tt_session *s = tt_session_new(&st, 1, "run");
    tt_scope scope = tt_scope_all, other = scope;
    scope.has_steps = true;
    tt_windows w = tt_scope_windows(s, &scope, 0);
    CHECK_INT(w.n, 0);
    tt_windows_free(&w);
    CHECK(!tt_scope_equal(&scope, &other));
    other.has_steps = true;
    CHECK(tt_scope_equal(&scope, &other));
    other.t0 = 5; /* t0 has no meaning without has_range */
    CHECK(tt_scope_equal(&scope, &other));
    fixture_session_free(s);
}

int main(void)
{
    test_axis();
    test_scope();
    test_no_steps();
    return check_done();
}
