/* Curves, and queues derived from them, against a look at every sample; medians against sorting. */
#include "model/index/curve.h"

#include <math.h>
#include <stdlib.h>

#include "model/base/median.h"
#include "model/tables/analysis/names/element_type.h"
#include "model/tables/devices/copy_rate.h"
#include "model/tables/launches/queue_length.h"
#include "tests/unit/check.h"
#include "tests/unit/random.h"

enum { MOST = 700, ROUNDS = 300 };

/* Random whole numbers from 0, some samples at equal times; the last sample is 0, as of an empty queue. */
static void fill(tt_curve *c, size_t n, uint64_t high)
{
    int64_t at = (int64_t)random_below(50);
    for (size_t i = 0; i < n; i++) {
        tt_curve_add(c, at, i + 1 < n ? (double)random_below(high) : 0);
        at += (int64_t)random_below(4);
    }
    tt_curve_index(c);
}

static double value_at(const tt_curve *c, int64_t t)
{
    double v = 0;
    for (size_t i = 0; i < c->at.n && c->at.at[i].ts <= t; i++) v = c->at.at[i].value;
    return v;
}

static void test_values(void)
{
    tt_curve c = {0};
    fill(&c, MOST, 1000);
    int64_t end = c.at.at[MOST - 1].ts;
    for (int i = 0; i < ROUNDS; i++) {
        int64_t t0 = (int64_t)random_below((uint64_t)end + 20) - 10, t1 = t0 + 1 + (int64_t)random_below(600);
        double largest = value_at(&c, t0);
        for (size_t k = 0; k < c.at.n; k++) {
            const tt_sample *x = &c.at.at[k];
            if (x->ts >= t0 && x->ts < t1 && x->value > largest) largest = x->value;
        }
        CHECK(tt_curve_value(&c, t0) == value_at(&c, t0));
        CHECK(tt_curve_largest(&c, t0, t1) == largest);
    }
    CHECK(tt_curve_value(&c, -100) == 0);
    CHECK_INT((int64_t)tt_curve_from(&c, end + 1), MOST);
    tt_curve_free(&c);
    tt_curve_index(&c);
    CHECK(tt_curve_largest(&c, 0, 10) == 0);
    tt_curve_free(&c);
}

/* Check the queue nanosecond by nanosecond. */
static void check_queue(const tt_curve *c, int64_t t0, int64_t t1)
{
    tt_queue_stat st = tt_queue_stat_in(c, t0, t1);
    int64_t from = c->at.at[0].ts, until = c->at.at[c->at.n - 1].ts, area = 0, empty = 0, full = 0;
    if (from >= t1 || until < t0) {
        CHECK(st.from == st.until && isnan(st.mean) && !st.longest);
        return;
    }
    if (from < t0) from = t0;
    if (until > t1) until = t1;
    for (int64_t t = from; t < until; t++) {
        int64_t length = (int64_t)value_at(c, t);
        area += length;
        empty += length == 0;
        full += length >= TT_QUEUE_FULL;
    }
    CHECK_INT(st.from, from);
    CHECK_INT(st.until, until);
    CHECK_INT(st.empty, empty);
    CHECK_INT(st.full, full);
    CHECK(from == until ? isnan(st.mean) : st.mean == (double)area / (double)(until - from));
    CHECK_INT(st.longest, (int64_t)tt_curve_largest(c, from, t1));
}

static void test_queue(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        tt_curve c = {0};
        fill(&c, 1 + random_below(60), i % 2 ? 3 : 2 * TT_QUEUE_FULL);
        int64_t t0 = (int64_t)random_below(200) - 20;
        check_queue(&c, t0, t0 + 1 + (int64_t)random_below(100));
        check_queue(&c, INT64_MIN, INT64_MAX);
        tt_curve_free(&c);
    }
    tt_curve none = {0};
    tt_curve_index(&none);
    tt_queue_stat st = tt_queue_stat_in(&none, INT64_MIN, INT64_MAX);
    CHECK(st.from == st.until && isnan(st.mean));
    tt_curve_free(&none);
}

static int by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void check_median(int64_t *v, size_t n)
{
    int64_t sorted[MOST];
    memcpy(sorted, v, n * sizeof *v);
    qsort(sorted, n, sizeof *sorted, by_value);
    CHECK_INT(tt_median(v, n), tt_middle(sorted[(n - 1) / 2], sorted[n / 2]));
}

static void test_median(void)
{
    int64_t v[MOST];
    CHECK_INT(tt_middle(1, 2), 1);
    CHECK_INT(tt_middle(-1, -2), -2);
    CHECK_INT(tt_middle(INT64_MAX, INT64_MAX), INT64_MAX);
    CHECK_INT(tt_middle(INT64_MIN, INT64_MAX), -1);
    for (int i = 0; i < ROUNDS; i++) {
        size_t n = 1 + random_below(MOST);
        for (size_t k = 0; k < n; k++) v[k] = (int64_t)random_below(1 + (uint64_t)i) - i / 2;
        check_median(v, n);
    }
    for (size_t n = 1; n < 40; n++) {
        for (size_t k = 0; k < n; k++) v[k] = (int64_t)k;
        check_median(v, n);
        for (size_t k = 0; k < n; k++) v[k] = -(int64_t)k;
        check_median(v, n);
        for (size_t k = 0; k < n; k++) v[k] = k < n / 2 ? (int64_t)k : (int64_t)(n - k);
        check_median(v, n);
    }
}

static void test_copy_rate(void)
{
    CHECK_INT(tt_copy_bytes_per_s(20000, 20000), 1000000000);
    CHECK_INT(tt_copy_bytes_per_s(2, 3), 666666666);
    CHECK_INT(tt_copy_bytes_per_s(0, 5), 0);
    CHECK_INT(tt_copy_bytes_per_s(100, 0), TT_UNKNOWN);
    CHECK_INT(tt_copy_bytes_per_s(TT_UNKNOWN, 10), TT_UNKNOWN);
    CHECK_INT(tt_copy_bytes_per_s(INT64_MAX, 1), TT_UNKNOWN);
}

static int bytes_of(const char *type) { return tt_element_bytes(type, strlen(type)); }

static void test_element_types(void)
{
    CHECK_INT(bytes_of("float"), 4);
    CHECK_INT(bytes_of("Float"), 4);
    CHECK_INT(bytes_of("c10::BFloat16"), 2);
    CHECK_INT(bytes_of("BFloat16"), 2);
    CHECK_INT(bytes_of("long int"), 8);
    CHECK_INT(bytes_of("c10::Float8_e4m3fn"), 1);
    CHECK_INT(bytes_of("Float8_e5m2"), 1);
    CHECK_INT(bytes_of("c10::complex<float>"), 8);
    CHECK_INT(bytes_of("c10::"), 0);
    CHECK_INT(bytes_of("floats"), 0);
    CHECK_INT(bytes_of("Scalar"), 0);
}

static void test_mean(void)
{
    tt_curve c = {0};
    tt_curve_add(&c, 10, 100);
    tt_curve_add(&c, 20, 0);
    tt_curve_add(&c, 30, 50);
    tt_curve_index(&c);
    CHECK(tt_curve_mean(&c, 0, 40) == 37.5); /* (10 * 100 + 10 * 50) / 40 */
    CHECK(tt_curve_mean(&c, 15, 35) == 37.5);
    CHECK(tt_curve_mean(&c, 0, 10) == 0 && tt_curve_mean(&c, 12, 14) == 100 && tt_curve_mean(&c, 100, 104) == 50);
    tt_curve_free(&c);
    tt_curve many = {0}; /* over several blocks, against the sum of every nanosecond */
    enum { N = 300, STEP = 3 };
    for (int i = 0; i < N; i++) tt_curve_add(&many, i * STEP, i * 7 % 11);
    tt_curve_index(&many);
    for (int a = 0; a < N * STEP; a += 37) {
        for (int b = a + 1; b < N * STEP; b += 101) {
            double sum = 0;
            for (int t = a; t < b; t++) sum += t / STEP * 7 % 11;
            double off = tt_curve_mean(&many, a, b) - sum / (b - a);
            CHECK(off < 1e-9 && off > -1e-9);
        }
    }
    tt_curve_free(&many);
}

int main(void)
{
    test_mean();
    test_values();
    test_queue();
    test_median();
    test_copy_rate();
    test_element_types();
    return check_done();
}
