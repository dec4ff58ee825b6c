/* model/base/interval_set.c - interval sets as sorted arrays. Every operation is one merge over its inputs, so the
 * cost is linear once a set is in order; normalising notices input that is already sorted, which is the usual case
 * for rows of a track. */
#include "model/base/interval_set.h"

#include <stdbool.h>
#include <stdlib.h>

#include "model/base/bisect.h"
#include "model/base/sort.h"

void tt_ivs_add(tt_ivs *s, int64_t t0, int64_t t1)
{
    tt_iv *iv = tt_vec_push(s);
    iv->t0 = t0;
    iv->t1 = t1;
}

static int by_start(const void *a, const void *b)
{
    const tt_iv *x = a, *y = b;
    return x->t0 < y->t0 ? -1 : x->t0 > y->t0;
}

bool tt_ivs_extend(tt_ivs *s, int64_t t0, int64_t t1)
{
    tt_iv *last = s->n ? &s->at[s->n - 1] : NULL;
    if (!last || t0 > last->t1) {
        tt_ivs_add(s, t0, t1);
        return true;
    }
    if (t1 > last->t1) last->t1 = t1;
    return false;
}

void tt_ivs_normalise(tt_ivs *s)
{
    bool sorted = true;
    for (size_t i = 1; i < s->n && sorted; i++) sorted = s->at[i - 1].t0 <= s->at[i].t0;
    if (!sorted)
        tt_sort_runs(s->at, s->n, sizeof *s->at, by_start); /* the tracks follow each other: a few sorted runs */
    size_t n = s->n;
    s->n = 0;
    for (size_t i = 0; i < n; i++)
        if (s->at[i].t1 > s->at[i].t0)
            tt_ivs_extend(s, s->at[i].t0, s->at[i].t1); /* writes to an index that was read already */
}

tt_ivs tt_ivs_intersect(const tt_ivs *a, const tt_ivs *b)
{
    tt_ivs out = {0};
    for (size_t i = 0, k = 0; i < a->n && k < b->n;) {
        int64_t t0 = a->at[i].t0 > b->at[k].t0 ? a->at[i].t0 : b->at[k].t0;
        int64_t t1 = a->at[i].t1 < b->at[k].t1 ? a->at[i].t1 : b->at[k].t1;
        if (t0 < t1) tt_ivs_add(&out, t0, t1);
        if (a->at[i].t1 < b->at[k].t1) {
            i++;
        } else {
            k++;
        }
    }
    return out;
}

tt_ivs tt_ivs_subtract(const tt_ivs *a, const tt_ivs *b)
{
    tt_ivs out = {0};
    size_t k = 0;
    for (size_t i = 0; i < a->n; i++) {
        int64_t t0 = a->at[i].t0, t1 = a->at[i].t1;
        while (k < b->n && b->at[k].t1 <= t0) k++;
        /* a member of b may reach into the next member of a: only look ahead here */
        for (size_t m = k; m < b->n && b->at[m].t0 < t1; m++) {
            if (b->at[m].t0 > t0) tt_ivs_add(&out, t0, b->at[m].t0);
            if (b->at[m].t1 > t0) t0 = b->at[m].t1;
            k = m;
        }
        if (t0 < t1) tt_ivs_add(&out, t0, t1);
    }
    return out;
}

tt_ivs tt_ivs_union(const tt_ivs *a, const tt_ivs *b)
{
    tt_ivs out = {0};
    tt_vec_reserve(&out, a->n + b->n);
    for (size_t i = 0, k = 0; i < a->n || k < b->n;) {
        bool from_a = k == b->n || (i < a->n && a->at[i].t0 <= b->at[k].t0);
        tt_iv iv = from_a ? a->at[i++] : b->at[k++];
        if (out.n && iv.t0 <= out.at[out.n - 1].t1) {
            if (iv.t1 > out.at[out.n - 1].t1) out.at[out.n - 1].t1 = iv.t1;
        } else {
            tt_ivs_add(&out, iv.t0, iv.t1);
        }
    }
    return out;
}

tt_ivs tt_ivs_unite(tt_ivs *sets, size_t n)
{
    tt_ivs none = {0};
    while (n > 1) { /* unite pairs, round by round */
        size_t m = 0;
        for (size_t i = 0; i + 1 < n; i += 2) {
            tt_ivs u = tt_ivs_union(&sets[i], &sets[i + 1]);
            tt_vec_free(&sets[i]);
            tt_vec_free(&sets[i + 1]);
            sets[m++] = u;
        }
        if (n % 2) sets[m++] = sets[n - 1];
        n = m;
    }
    return n ? sets[0] : none;
}

int64_t tt_ivs_length(const tt_ivs *s)
{
    int64_t sum = 0;
    for (size_t i = 0; i < s->n; i++) sum += s->at[i].t1 - s->at[i].t0;
    return sum;
}

int64_t tt_ivs_length_in(const tt_ivs *s, int64_t t0, int64_t t1)
{
    size_t lo = 0, hi = s->n; /* find the first member that ends after t0 */
    TT_BISECT(lo, hi, i, s->at[i].t1 <= t0);
    int64_t sum = 0;
    for (; lo < s->n && s->at[lo].t0 < t1; lo++) {
        int64_t from = s->at[lo].t0 > t0 ? s->at[lo].t0 : t0;
        int64_t to = s->at[lo].t1 < t1 ? s->at[lo].t1 : t1;
        sum += to - from;
    }
    return sum;
}
