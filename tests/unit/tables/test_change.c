/* Whether a difference is more than noise: against worked examples, against an enumeration of all orderings, and by
 * relations that hold for any formula. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

#include "model/base/mem.h"
#include "model/tables/compare/change.h"
#include "model/trace/events.h"
#include "tests/unit/check.h"
#include "tests/unit/random.h"

enum { MANY = 64 };

typedef struct sample {
    int64_t v[MANY];
    uint32_t n;
} sample;

static tt_change change_of(const sample *base, const sample *now, double confidence, double min_effect)
{
    sample a = *base, b = *now; /* the function sorts its samples in place */
    tt_change c;
    tt_change_of(a.v, a.n, b.v, b.n, confidence, min_effect, &c);
    return c;
}

static bool near(double a, double b, double by) { return fabs(a - b) <= by; }

static void by_hand(void)
{
    tt_change c = change_of(&(sample){{5, 3, 1, 4, 2}, 5}, &(sample){{15, 11, 13, 12, 14}, 5}, 95, 1);
    CHECK_INT(c.base, 3);
    CHECK_INT(c.now, 13);
    CHECK_INT(c.delta, 10);
    CHECK_INT(c.low, 7);
    CHECK_INT(c.high, 13);
    CHECK(near(c.p, 2.0 / 252, 1e-12));
    CHECK_INT(c.verdict, TT_VERDICT_SLOWER);
    c = change_of(&(sample){{15, 11, 13, 12, 14}, 5}, &(sample){{5, 3, 1, 4, 2}, 5}, 95, 1);
    CHECK_INT(c.verdict, TT_VERDICT_FASTER);
    /* a shift of 10 is less than 80 % of 13, and the interval extends beyond it */
    c = change_of(&(sample){{15, 11, 13, 12, 14}, 5}, &(sample){{5, 3, 1, 4, 2}, 5}, 95, 80);
    CHECK_INT(c.verdict, TT_VERDICT_UNCLEAR);
    c = change_of(&(sample){{15, 11, 13, 12, 14}, 5}, &(sample){{5, 3, 1, 4, 2}, 5}, 95, 100);
    CHECK_INT(c.verdict, TT_VERDICT_SAME);
}

/* 3 against 3 samples have no interval at 95 %, 4 against 4 the extremes, 5 against 5 k = 3, 6 against 6 k = 6; a
 * count of orderings that equals the requested share (1 of 20) qualifies. */
static void places_of_the_interval(void)
{
    static const struct {
        uint32_t m, n;
        double confidence;
        uint64_t k;
    } of[] = {{1, 1, 95, 0}, {3, 3, 95, 0}, {4, 4, 95, 1}, {5, 5, 95, 3},
              {6, 6, 95, 6}, {3, 3, 90, 1}, {2, 2, 60, 1}, {50, 50, 95, 967}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        tt_change_test t = tt_change_test_make(of[i].m, of[i].n, of[i].confidence);
        /* 50 against 50: 1250 + 1/2 - 1.95996 x sqrt(2500 x 101 / 12) = 966.2; the exact count differs by at most one
         * */
        CHECK(of[i].m < 50 ? t.k == of[i].k : llabs((long long)t.k - (long long)of[i].k) <= 1);
        tt_change_test_free(&t);
    }
    tt_change c = change_of(&(sample){{10, 20, 30}, 3}, &(sample){{110, 120, 130}, 3}, 95, 1);
    CHECK(c.low == TT_UNKNOWN && c.high == TT_UNKNOWN && c.delta == 100);
    CHECK_INT(c.verdict, TT_VERDICT_UNCLEAR);
}

static void nothing_to_judge(void)
{
    tt_change c = change_of(&(sample){{1, 2, 3}, 3}, &(sample){{0}, 0}, 95, 1);
    CHECK(c.base == 2 && c.now == TT_UNKNOWN && c.delta == TT_UNKNOWN && c.low == TT_UNKNOWN && isnan(c.p));
    CHECK_INT(c.verdict, TT_VERDICT_NONE);
    c = change_of(&(sample){{0}, 0}, &(sample){{0}, 0}, 95, 1);
    CHECK(c.base == TT_UNKNOWN && c.verdict == TT_VERDICT_NONE);
    /* one step on each side proves nothing, even if both take the same time */
    c = change_of(&(sample){{7}, 1}, &(sample){{7}, 1}, 95, 1);
    CHECK(c.delta == 0 && c.low == TT_UNKNOWN && near(c.p, 1, 0));
    CHECK_INT(c.verdict, TT_VERDICT_UNCLEAR);
    /* all samples are 0: there is no percentage of 0, but the runs are equal */
    c = change_of(&(sample){{0, 0, 0, 0}, 4}, &(sample){{0, 0, 0, 0}, 4}, 95, 1);
    CHECK(c.low == 0 && c.high == 0 && c.verdict == TT_VERDICT_SAME);
    c = change_of(&(sample){{0, 0, 0, 0}, 4}, &(sample){{5, 6, 7, 8}, 4}, 95, 1);
    CHECK(c.low == 5 && c.high == 8 && c.verdict == TT_VERDICT_SLOWER);
    CHECK_STR(tt_verdict_name[TT_VERDICT_SLOWER], "slower");
    CHECK_STR(tt_verdict_name[TT_VERDICT_UNCLEAR], "unclear");
    CHECK(!tt_verdict_name[TT_VERDICT_NONE]);
}

static void parts_of_a_step(void)
{
    tt_change c = {.delta = 999, .verdict = TT_VERDICT_SLOWER};
    tt_change_of_row(&c, TT_UNKNOWN);
    CHECK_INT(c.verdict, TT_VERDICT_SLOWER);
    c.delta = -1000;
    tt_change_of_row(&c, 1000000); /* exactly 0.1 % */
    CHECK_INT(c.verdict, TT_VERDICT_SLOWER);
    c.delta = -999;
    tt_change_of_row(&c, 1000000);
    CHECK_INT(c.verdict, TT_VERDICT_SAME);
    c.verdict = TT_VERDICT_NONE;
    tt_change_of_row(&c, 1000000);
    CHECK_INT(c.verdict, TT_VERDICT_NONE);
}

/* ---- against enumerations ---- */

static int by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Twice the number of pairs with y > x, plus the number of pairs with y = x, by a look at each pair. */
static uint32_t twice_u(const int64_t *x, uint32_t m, const int64_t *y, uint32_t n)
{
    uint32_t twice = 0;
    for (uint32_t i = 0; i < m; i++)
        for (uint32_t k = 0; k < n; k++) twice += y[k] > x[i] ? 2 : y[k] == x[i];
    return twice;
}

/* Of the choices of m from m + n different values, count those with the statistic v for each v, by a look at each
 * choice. */
static uint32_t list_orderings(uint32_t m, uint32_t n, uint32_t *count)
{
    uint32_t all = 0;
    memset(count, 0, (m * n + 1) * sizeof *count);
    for (uint32_t chosen = 0; chosen < 1u << (m + n); chosen++) {
        int64_t x[16], y[16];
        uint32_t a = 0, b = 0;
        if ((uint32_t)__builtin_popcount(chosen) != m) continue;
        for (uint32_t i = 0; i < m + n; i++) {
            if (chosen >> i & 1)
                x[a++] = i;
            else
                y[b++] = i;
        }
        count[twice_u(x, m, y, n) / 2]++;
        all++;
    }
    return all;
}

static void check_listed(const sample *x, const sample *y, double confidence)
{
    uint32_t count[MANY + 1], pairs = x->n * y->n, all = list_orderings(x->n, y->n, count), k = 0, below = 0;
    int64_t d[MANY];
    for (uint32_t i = 0; i < x->n; i++)
        for (uint32_t j = 0; j < y->n; j++) d[i * y->n + j] = y->v[j] - x->v[i];
    qsort(d, pairs, sizeof *d, by_value);
    uint32_t twice = twice_u(x->v, x->n, y->v, y->n), least = twice < 2 * pairs - twice ? twice : 2 * pairs - twice;
    for (uint32_t v = 0; v <= (least + 1) / 2; v++) below += count[v];
    double p = 2.0 * below / all;
    for (uint32_t v = 0, sum = 0; v <= pairs; v++) {
        sum += count[v];
        if (sum * 200.0 > (100 - confidence) * all) break;
        k = v + 1;
    }
    tt_change c = change_of(x, y, confidence, 1);
    int64_t a = d[(pairs - 1) / 2], b = d[pairs / 2];
    CHECK_INT(c.delta, (a + b) / 2);
    CHECK_INT(c.low, k ? d[k - 1] : TT_UNKNOWN);
    CHECK_INT(c.high, k ? d[pairs - k] : TT_UNKNOWN);
    CHECK(near(c.p, p < 1 ? p : 1, 1e-12));
}

/* Up to 6 samples a side, with values from a wide range or from a narrow range that produces ties. */
static void all_orderings(void)
{
    uint64_t seed = 17;
    for (uint32_t m = 1; m <= 6; m++) {
        for (uint32_t n = 1; n <= 6; n++) {
            for (int turn = 0; turn < 12; turn++) {
                sample x = {.n = m}, y = {.n = n};
                uint64_t range = turn % 3 == 0 ? 1000000 : turn % 3 == 1 ? 7 : 2;
                for (uint32_t i = 0; i < m; i++) x.v[i] = (int64_t)(random_next(&seed) % range);
                for (uint32_t i = 0; i < n; i++) y.v[i] = (int64_t)(random_next(&seed) % range) + turn;
                check_listed(&x, &y, turn % 2 ? 95 : 70);
            }
        }
    }
}

/* Split ten steps of one run into 5 and 5 in every way. A verdict of slower or faster is wrong here; at 95 % it may
 * occur for at most 1 of 20 splits, which is 12. By the counts (1 + 1 + 2 of 252 at either end) it occurs for 8. */
static void splits_without_a_change(void)
{
    int wrong = 0, all = 0;
    for (uint32_t chosen = 0; chosen < 1u << 10; chosen++) {
        sample x = {.n = 0}, y = {.n = 0};
        if (__builtin_popcount(chosen) != 5) continue;
        for (uint32_t i = 0; i < 10; i++) {
            sample *to = chosen >> i & 1 ? &x : &y;
            to->v[to->n++] = 1000 + 97 * i + i * i; /* all differences between the samples are different */
        }
        tt_verdict v = change_of(&x, &y, 95, 0).verdict;
        wrong += v == TT_VERDICT_SLOWER || v == TT_VERDICT_FASTER;
        all++;
    }
    CHECK_INT(all, 252);
    CHECK_INT(wrong, 8);
}

/* ---- relations ---- */

static void fill(sample *s, uint32_t n, int64_t from, uint64_t range, uint64_t *seed)
{
    s->n = n;
    for (uint32_t i = 0; i < n; i++) s->v[i] = from + (int64_t)(random_next(seed) % range);
}

static void mirrored(void)
{
    uint64_t seed = 5;
    for (uint32_t i = 0; i < 3000; i++) {
        sample x, y; /* exact, and above 50 samples approximate */
        fill(&x, 1 + (uint32_t)(random_next(&seed) % 60), 1000, 1 + random_next(&seed) % 50, &seed);
        fill(&y, 1 + (uint32_t)(random_next(&seed) % 60), 1001, 1 + random_next(&seed) % 50, &seed);
        tt_change a = change_of(&x, &y, 95, 1), b = change_of(&y, &x, 95, 1);
        CHECK(a.delta == -b.delta && a.base == b.now && a.now == b.base);
        CHECK(near(a.p, b.p, 0));
        CHECK((a.low == TT_UNKNOWN) == (b.low == TT_UNKNOWN));
        if (a.low != TT_UNKNOWN) CHECK(a.low == -b.high && a.high == -b.low);
        if (a.low != TT_UNKNOWN) CHECK(a.low <= a.delta && a.delta <= a.high);
    }
}

/* A higher confidence gives a wider interval; adding a constant to one side moves delta and the interval by that
 * constant. */
static void wider_when_surer(void)
{
    static const double confidence[] = {0.5, 30, 60, 80, 90, 95, 99, 99.9, 99.9999};
    uint64_t seed = 11;
    for (uint32_t i = 0; i < 200; i++) {
        sample x, y;
        fill(&x, 4 + (uint32_t)(random_next(&seed) % 60), 5000, 900, &seed);
        fill(&y, 4 + (uint32_t)(random_next(&seed) % 60), 5000, 900, &seed);
        tt_change before = change_of(&x, &y, confidence[0], 1);
        for (size_t k = 1; k < sizeof confidence / sizeof *confidence; k++) {
            tt_change c = change_of(&x, &y, confidence[k], 1);
            CHECK(c.low == TT_UNKNOWN || (c.low <= before.low && c.high >= before.high));
            if (c.low == TT_UNKNOWN) break;
            before = c;
        }
        tt_change c = change_of(&x, &y, 95, 1);
        for (uint32_t k = 0; k < y.n; k++) y.v[k] += 12346;
        tt_change moved = change_of(&x, &y, 95, 1);
        CHECK(moved.delta - c.delta == 12346 || llabs(moved.delta - c.delta - 12346) == 1); /* rounding */
        if (c.low != TT_UNKNOWN) CHECK(moved.low - c.low == 12346 && moved.high - c.high == 12346);
    }
}

/* The approximation above 50 samples a side continues the exact values below. */
static void approximation(void)
{
    uint64_t seed = 23;
    for (uint32_t i = 0; i < 100; i++) {
        sample x, y;
        fill(&x, 50, 100000, 20000, &seed);
        fill(&y, 50, 100000 + 100 * (int64_t)(i % 60), 20000, &seed);
        tt_change exact = change_of(&x, &y, 95, 1);
        double middle = 1250, sigma = sqrt(2500.0 * 101 / 12), twice = twice_u(x.v, 50, y.v, 50);
        double off = fabs(twice / 2 - middle) - 0.5, p = off > 0 ? erfc(off / sigma / sqrt(2)) : 1;
        CHECK(near(exact.p, p, 0.004)); /* half a count, where ties are rounded up, is 0.4 / sigma = 0.0028 */
        x.v[x.n++] = 110000;            /* one more sample switches to the approximation */
        tt_change c = change_of(&x, &y, 95, 1);
        CHECK(near(c.p, exact.p, 0.05));
        CHECK(llabs(c.delta - exact.delta) < 800 && llabs(c.low - exact.low) < 800 && llabs(c.high - exact.high) < 800);
    }
    tt_change_test a = tt_change_test_make(50, 50, 95), b = tt_change_test_make(51, 51, 95);
    CHECK(a.k < b.k && b.k - a.k < 60); /* 50.5 more for the middle, 3 for the deviation */
    tt_change_test_free(&a);
    tt_change_test_free(&b);
}

/* Samples at the limits of their type, as a damaged file may hold. */
static void extremes(void)
{
    sample x = {{INT64_MIN + 1, INT64_MIN + 1, INT64_MIN + 1, INT64_MIN + 1}, 4};
    sample y = {{INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX}, 4};
    tt_change c = change_of(&x, &y, 95, 1);
    CHECK(c.delta == INT64_MAX && c.low == INT64_MAX && c.verdict == TT_VERDICT_SLOWER);
    c = change_of(&y, &x, 95, 1);
    CHECK(c.delta == -INT64_MAX && c.verdict == TT_VERDICT_FASTER);
}

/* Best of five processor times in ms for comparing n samples with n; the result goes to *c. */
static double timed(int n, tt_change *c)
{
    int64_t *x = tt_calloc((size_t)n, sizeof *x), *y = tt_calloc((size_t)n, sizeof *y);
    uint64_t seed = 3;
    for (int i = 0; i < n; i++) {
        x[i] = 100000000 + (int64_t)(random_next(&seed) % 5000000);
        y[i] = 103000000 + (int64_t)(random_next(&seed) % 5000000);
    }
    double best = 1e9;
    for (int k = 0; k < 5; k++) {
        clock_t t0 = clock();
        tt_change_of(x, n, y, n, 95, 1, c);
        double ms = 1000.0 * (double)(clock() - t0) / CLOCKS_PER_SEC;
        best = ms < best ? ms : best;
    }
    free(x);
    free(y);
    return best;
}

/* 25 million differences are not enumerated: four times the samples take far less than sixteen times as long. The test
 * uses a ratio, because an emulator or a sanitizer slows down all comparisons alike. */
static void thousands_of_steps(void)
{
    tt_change c;
    double quarter = timed(1250, &c), whole = timed(5000, &c);
    printf("1250 against 1250 samples: %.2f ms, 5000 against 5000: %.2f ms\n", quarter, whole);
    CHECK(whole < 9 * quarter);
    CHECK(llabs(c.delta - 3000000) < 100000 && c.low < 3000000 && c.high > 3000000 - 100000);
    CHECK(c.p < 1e-6 && c.verdict == TT_VERDICT_SLOWER);
}

int main(void)
{
    by_hand();
    places_of_the_interval();
    nothing_to_judge();
    parts_of_a_step();
    all_orderings();
    splits_without_a_change();
    mirrored();
    wider_when_surer();
    approximation();
    extremes();
    thousands_of_steps();
    return check_done();
}
