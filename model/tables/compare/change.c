/* model/tables/compare/change.c - Hodges and Lehmann's shift, and the test of Mann and Whitney, in whole numbers.
 *
 * Differences are never listed: how many of them lie at or below a value is one walk through both sorted sides, so any
 * of them is found by bisection over values. */
#include "model/tables/compare/change.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "model/base/median.h"
#include "model/base/mem.h"
#include "model/base/sort_by.h"

typedef __int128 wide; /* type of differences and sums of two samples */

enum { EXACT = 50 }; /* largest number of samples per side for the exact test */

const char *const tt_verdict_name[TT_VERDICT_COUNT_] = {NULL, "slower", "faster", "same", "unclear"};

/* ---- the distribution of the statistic without a change ---- */

/* Number of the C(m + n, m) orderings with the statistic 0 ... half: coefficients of the Gaussian binomial, one
 * factor (1 - q^(n+i)) / (1 - q^i) after the other. Counts of orderings of n + i things remain after each division,
 * and differences of such counts between the two steps, so no absolute value exceeds C(100, 50) < 2^97. */
static void count_orderings(uint32_t m, uint32_t n, wide *count, uint32_t half)
{
    for (uint32_t v = 0; v <= half; v++) count[v] = v == 0;
    for (uint32_t i = 1; i <= m; i++) {
        for (uint32_t v = half; v >= n + i; v--) count[v] -= count[v - n - i];
        for (uint32_t v = i; v <= half; v++) count[v] += count[v - i];
    }
}

static wide orderings(uint32_t m, uint32_t n) /* C(m + n, m) */
{
    wide c = 1;
    for (uint32_t i = 1; i <= m; i++) c = c * (n + i) / i; /* intermediate values are at most 100 C(100, 50) */
    return c;
}

static void fill_exact(tt_change_test *t, double tail)
{
    uint32_t m = t->n[0], n = t->n[1], half = m * n / 2;
    wide *count = tt_calloc(half + (size_t)1, sizeof *count), below = 0;
    double all = (double)orderings(m, n);
    t->p = tt_calloc(half + (size_t)1, sizeof *t->p);
    count_orderings(m, n, count, half);
    for (uint32_t u = 0; u <= half; u++) {
        below += count[u];
        t->p[u] = fmin(1, 2 * (double)below / all);
        if (200 * (double)below <= tail * all)
            t->k = u + (uint64_t)1; /* exact where the tail is an exact share of the orderings */
    }
    free(count);
}

static double normal_below(double z) { return erfc(-z / sqrt(2)) / 2; }

/* Normal approximation without a tie correction: ties in the samples can only widen the interval. */
static void fill_normal(tt_change_test *t, double tail)
{
    double m = t->n[0], n = t->n[1], middle = m * n / 2, sigma = sqrt(m * n * (m + n + 1) / 12);
    uint64_t lo = 0, hi = (uint64_t)t->n[0] * t->n[1] / 2; /* the largest k with P(U <= k - 1) <= tail */
    while (lo < hi) {
        uint64_t k = hi - (hi - lo) / 2;
        if (200 * normal_below(((double)k - 0.5 - middle) / sigma) <= tail)
            lo = k;
        else
            hi = k - 1;
    }
    t->k = lo;
}

tt_change_test tt_change_test_make(uint32_t n_base, uint32_t n_now, double confidence)
{
    tt_change_test t = {.n = {n_base, n_now}};
    double tail = 100 - confidence; /* percent outside of the interval, both ends together */
    if (!n_base || !n_now) return t;
    if (n_base <= EXACT && n_now <= EXACT)
        fill_exact(&t, tail);
    else
        fill_normal(&t, tail);
    return t;
}

void tt_change_test_free(tt_change_test *t)
{
    free(t->p);
    t->p = NULL;
}

/* ---- differences ---- */

typedef struct sides { /* sorted samples of both sides, neither empty */
    const int64_t *x, *y;
    uint32_t m, n;
} sides;

/* Number of differences y - x that are at most v. */
static uint64_t at_most(const sides *s, wide v)
{
    uint64_t count = 0;
    uint32_t k = 0;
    for (uint32_t i = 0; i < s->m; i++) {
        while (k < s->n && s->y[k] <= v + s->x[i]) k++;
        count += k;
    }
    return count;
}

/* The k-th smallest difference, k from 1, known to be at least `lo`. */
static wide difference(const sides *s, uint64_t k, wide lo)
{
    wide hi = (wide)s->y[s->n - 1] - s->x[0];
    while (lo < hi) {
        wide middle = lo + (hi - lo) / 2;
        if (at_most(s, middle) >= k)
            hi = middle;
        else
            lo = middle + 1;
    }
    return lo;
}

static int64_t narrow(wide v) /* clamp to int64_t: real times never exceed it, only samples at the ends of the range */
{
    return v > INT64_MAX ? INT64_MAX : v <= INT64_MIN ? INT64_MIN + 1 : (int64_t)v;
}

static void find_shift(const sides *s, uint64_t k, tt_change *out)
{
    uint64_t pairs = (uint64_t)s->m * s->n;
    wide least = (wide)s->y[0] - s->x[s->m - 1], low = k ? difference(s, k, least) : least;
    wide a = difference(s, (pairs + 1) / 2, low), b = pairs % 2 ? a : difference(s, pairs / 2 + 1, a);
    out->delta = narrow((a + b) / 2);
    if (!k) return;
    out->low = narrow(low);
    out->high = narrow(difference(s, pairs + 1 - k, b));
}

/* ---- the test ---- */

/* 2 x the number of pairs with y > x, plus the number of pairs with y = x. */
static uint64_t statistic(const sides *s)
{
    uint64_t twice = 0;
    uint32_t less = 0, upto = 0; /* number of x below y, and of x up to y */
    for (uint32_t k = 0; k < s->n; k++) {
        while (less < s->m && s->x[less] < s->y[k]) less++;
        while (upto < s->m && s->x[upto] <= s->y[k]) upto++;
        twice += (uint64_t)less + upto;
    }
    return twice;
}

/* Sum of t^3 - t over all values that occur t > 1 times in both sides together. */
static double ties(const sides *s)
{
    double sum = 0;
    for (uint32_t i = 0, k = 0; i < s->m || k < s->n;) {
        int64_t v = k == s->n || (i < s->m && s->x[i] < s->y[k]) ? s->x[i] : s->y[k];
        double t = 0;
        for (; i < s->m && s->x[i] == v; i++) t++;
        for (; k < s->n && s->y[k] == v; k++) t++;
        sum += t * t * t - t;
    }
    return sum;
}

static double p_of(const tt_change_test *t, const sides *s)
{
    uint64_t pairs = (uint64_t)s->m * s->n, twice = statistic(s), u;
    if (twice > pairs) twice = 2 * pairs - twice;
    u = (twice + 1) / 2;
    if (t->p) return u <= pairs / 2 ? t->p[u] : 1;
    double m = s->m, n = s->n, all = m + n, variance = m * n / 12 * (all + 1 - ties(s) / (all * (all - 1)));
    double off = m * n / 2 - (double)twice / 2 - 0.5;
    return off > 0 && variance > 0 ? fmin(1, 2 * normal_below(-off / sqrt(variance))) : 1;
}

static tt_verdict verdict_of(const tt_change *c, double min_effect)
{
    double effect = min_effect * fabs((double)c->base) / 100, delta = fabs((double)c->delta);
    if (c->low == TT_UNKNOWN) return TT_VERDICT_UNCLEAR;
    if (c->low > 0 && delta >= effect) return TT_VERDICT_SLOWER;
    if (c->high < 0 && delta >= effect) return TT_VERDICT_FASTER;
    return (double)c->low >= -effect && (double)c->high <= effect ? TT_VERDICT_SAME : TT_VERDICT_UNCLEAR;
}

static int64_t sort_and_median(int64_t *v, uint32_t n)
{
    if (!n) return TT_UNKNOWN;
    TT_SORT_UP(v, n);
    return tt_middle(v[(n - 1) / 2], v[n / 2]);
}

void tt_change_judge(const tt_change_test *t, int64_t *base, int64_t *now, double min_effect, tt_change *out)
{
    *out = (tt_change){.delta = TT_UNKNOWN, .low = TT_UNKNOWN, .high = TT_UNKNOWN, .p = NAN};
    out->base = sort_and_median(base, t->n[0]);
    out->now = sort_and_median(now, t->n[1]);
    if (!t->n[0] || !t->n[1]) return;
    sides s = {base, now, t->n[0], t->n[1]};
    find_shift(&s, t->k, out);
    out->p = p_of(t, &s);
    out->verdict = verdict_of(out, min_effect);
}

void tt_change_of(int64_t *base, uint32_t n_base, int64_t *now, uint32_t n_now, double confidence, double min_effect,
                  tt_change *out)
{
    tt_change_test t = tt_change_test_make(n_base, n_now, confidence);
    tt_change_judge(&t, base, now, min_effect, out);
    tt_change_test_free(&t);
}

void tt_change_of_row(tt_change *c, int64_t step)
{
    if (c->verdict == TT_VERDICT_NONE || step == TT_UNKNOWN) return;
    if (fabs((double)c->delta) * 1000 < (double)step) c->verdict = TT_VERDICT_SAME;
}
