/* The dense part of the axis: an outlier, recordings far apart, idle time that must not be cut; counts by hand. */
#include <stdlib.h>

#include "model/index/dense.h"
#include "tests/unit/check.h"
#include "tests/unit/fixture.h"

enum { US = 1000 };
static const int64_t MS = 1000000;
static const int64_t DAY = INT64_C(86400000000000);

typedef struct made {
    tt_trace *s;
    tt_session *session;
} made;

static made begin(void)
{
    made m = {.s = fixture_rows("w", "0", 4096)};
    fixture_track(m.s, TT_TRACK_THREAD, "main");
    return m;
}

static void slice(made *m, int64_t at, int64_t dur)
{
    tt_row r = fixture_slice(m->s, TT_KIND_CPU_OP, "op", at, dur, NULL);
    m->s->parent[r] = TT_NONE;
    m->s->end = at + dur > m->s->end ? at + dur : m->s->end;
}

static void run(made *m, int64_t at, int n, int64_t every, int64_t dur)
{
    for (int i = 0; i < n; i++) slice(m, at + i * every, dur);
}

static void part_is(made *m, const char *what, int64_t t0, int64_t t1)
{
    int64_t a = -1, b = -1;
    m->session = tt_session_new(&m->s, 1, "");
    CHECK(tt_dense_part(m->session, &tt_scope_all, 0, m->session->end_ns, &a, &b));
    if (a != t0 || b != t1)
        printf("    %s: %lld to %lld, not %lld to %lld\n", what, (long long)a, (long long)b, (long long)t0,
               (long long)t1);
    CHECK(a == t0 && b == t1);
}

static void test_outlier_far_before(void)
{
    made m = begin();
    slice(&m, 0, 1);
    run(&m, 3 * DAY, 200, MS, MS / 2);
    part_is(&m, "outlier", 3 * DAY, 3 * DAY + 199 * MS + MS / 2);
    tt_beyond b = tt_slices_beyond(m.session, 3 * DAY, 3 * DAY + 200 * MS);
    CHECK(b.before == 1 && b.before_ns == 3 * DAY - 1 && b.after == 0);
    fixture_session_free(m.session);
}

static void test_outlier_not_far_enough(void) /* the other slices take longer than the gap */
{
    made m = begin();
    slice(&m, 0, 1);
    run(&m, 150 * MS, 200, MS, MS / 2);
    part_is(&m, "near", 0, 150 * MS + 199 * MS + MS / 2);
    fixture_session_free(m.session);
}

static void test_few_behind(void)
{
    made m = begin();
    run(&m, 0, 500, MS, MS);
    run(&m, 1100 * MS, 5, MS, US);
    part_is(&m, "few behind", 0, 500 * MS);
    fixture_session_free(m.session);
}

static void test_two_recordings(void) /* the recording with more slices wins, even as the second one */
{
    made m = begin();
    run(&m, 0, 100, MS, MS);
    run(&m, DAY, 120, MS, MS);
    part_is(&m, "two", DAY, DAY + 120 * MS);
    fixture_session_free(m.session);
}

static void test_three_recordings(void)
{
    made m = begin();
    run(&m, 0, 100, MS, MS);
    run(&m, DAY, 110, MS, MS);
    run(&m, 2 * DAY, 90, MS, MS);
    part_is(&m, "three", DAY, DAY + 110 * MS);
    tt_beyond b = tt_slices_beyond(m.session, DAY, DAY + 110 * MS);
    CHECK(b.before == 100 && b.after == 90 && b.after_ns == DAY - 110 * MS && b.before_ns == DAY - 100 * MS);
    fixture_session_free(m.session);
}

static void test_sparse_is_kept(void) /* short work and long waits alternate: the user must see the waits */
{
    made m = begin();
    run(&m, 0, 40, 100 * MS, US);
    part_is(&m, "sparse", 0, 39 * 100 * MS + US);
    fixture_session_free(m.session);
}

static void test_four_slices_are_kept(void) /* four slices are too few to tell which part matters */
{
    made m = begin();
    run(&m, 0, 4, 100 * MS, US);
    part_is(&m, "four", 0, 300 * MS + US);
    fixture_session_free(m.session);
}

static void test_nothing(void)
{
    made m = begin();
    int64_t a = 7, b = 8;
    m.session = tt_session_new(&m.s, 1, "");
    CHECK(!tt_dense_part(m.session, &tt_scope_all, 0, 10, &a, &b) && a == 7 && b == 8);
    fixture_session_free(m.session);
}

int main(void)
{
    test_outlier_far_before();
    test_outlier_not_far_enough();
    test_few_behind();
    test_two_recordings();
    test_three_recordings();
    test_sparse_is_kept();
    test_four_slices_are_kept();
    test_nothing();
    return check_done();
}
