/* tests/unit/tables/test_interval.c - interval algebra against bit maps, on random sets. */
#include <stdbool.h>
#include <stdlib.h>

#include "model/base/interval_set.h"
#include "tests/unit/check.h"
#include "tests/unit/random.h"

enum { SPAN = 64, ROUNDS = 3000 };

static uint32_t rnd(uint32_t n) { return (uint32_t)(random_next(&random_state_) >> 11) % n; }

/* bit t is set if t lies in the set */
static tt_ivs random_set(uint64_t *bits)
{
    tt_ivs s = {0};
    *bits = 0;
    for (uint32_t i = 0, n = rnd(8); i < n; i++) {
        int t0 = (int)rnd(SPAN), t1 = t0 + (int)rnd(12) - 2; /* some intervals are empty, some run backwards */
        tt_ivs_add(&s, t0, t1 > SPAN ? SPAN : t1);
        for (int t = t0; t < t1 && t < SPAN; t++) *bits |= (uint64_t)1 << t;
    }
    tt_ivs_normalise(&s);
    return s;
}

static bool equals(const tt_ivs *s, uint64_t bits)
{
    uint64_t have = 0;
    for (size_t i = 0; i < s->n; i++) {
        if (s->at[i].t0 >= s->at[i].t1 || (i && s->at[i].t0 <= s->at[i - 1].t1)) return false;
        for (int64_t t = s->at[i].t0; t < s->at[i].t1; t++) have |= (uint64_t)1 << t;
    }
    return have == bits;
}

int main(void)
{
    bool ok[6] = {true, true, true, true, true, true};
    for (int r = 0; r < ROUNDS; r++) {
        uint64_t x, y;
        tt_ivs a = random_set(&x), b = random_set(&y);
        tt_ivs both = tt_ivs_intersect(&a, &b), minus = tt_ivs_subtract(&a, &b), any = tt_ivs_union(&a, &b);
        ok[0] &= equals(&a, x) && equals(&b, y);
        ok[1] &= equals(&both, x & y);
        ok[2] &= equals(&minus, x & ~y);
        ok[3] &= equals(&any, x | y);
        ok[4] &= tt_ivs_length(&a) == __builtin_popcountll(x);
        int t0 = (int)rnd(SPAN), t1 = (int)rnd(SPAN);
        uint64_t window = 0;
        for (int t = t0; t < t1; t++) window |= (uint64_t)1 << t;
        ok[5] &= t0 >= t1 || tt_ivs_length_in(&a, t0, t1) == __builtin_popcountll(x & window);
        tt_vec_free(&a), tt_vec_free(&b), tt_vec_free(&both), tt_vec_free(&minus), tt_vec_free(&any);
    }
    CHECK(ok[0]);
    CHECK(ok[1]);
    CHECK(ok[2]);
    CHECK(ok[3]);
    CHECK(ok[4]);
    CHECK(ok[5]);

    tt_ivs edge = {0};
    tt_ivs_add(&edge, INT64_MIN, -5);
    tt_ivs_add(&edge, 3, INT64_MAX);
    tt_ivs_normalise(&edge);
    CHECK_INT(edge.n, 2);
    CHECK_INT(tt_ivs_length_in(&edge, -10, 10), 12);
    tt_vec_free(&edge);
    return check_done();
}
