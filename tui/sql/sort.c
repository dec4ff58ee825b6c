/* tui/sql/sort.c - quickselect, and quicksort that leaves short pieces to the C library. */
#include "tui/sql/sort.h"

#include <stdlib.h>

enum {
    PIECE = 1 << 14, /* intervals that the C library sorts at once */
    STACK = 64,      /* waiting ranges: each is at most half of the one before */
};

static size_t random_below(uint64_t *state, size_t n)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (size_t)((*state >> 20) % n);
}

/* The middle of three numbers. */
static int64_t middle_of(int64_t a, int64_t b, int64_t c)
{
    if (a > b) {
        int64_t swap = a;
        a = b;
        b = swap;
    }
    return c < a ? a : c > b ? b : c;
}

bool tt_sql_select(tt_sql_clock *clock, int64_t *at, size_t n, size_t k)
{
    size_t lo = 0, hi = n; /* index k lies in [lo, hi) */
    uint64_t random = n;
    while (hi - lo > 1) {
        size_t less = lo, more = hi, i = lo, of[3]; /* [lo, less) is less than the pivot, [more, hi) is more */
        if (tt_sql_ends(clock)) return false;
        for (int r = 0; r < 3; r++) of[r] = lo + random_below(&random, hi - lo);
        int64_t pivot = middle_of(at[of[0]], at[of[1]], at[of[2]]);
        while (i < more) {
            int64_t x = at[i];
            if (x < pivot) {
                at[i++] = at[less];
                at[less++] = x;
            } else if (x > pivot) {
                at[i] = at[--more];
                at[more] = x;
            } else {
                i++;
            }
        }
        if (k >= less && k < more) return true;
        if (k < less)
            hi = less;
        else
            lo = more;
    }
    return true;
}

/* A comparator of its own, which is faster than keys: a query may ask for all intervals of a trace. */
static int by_start(const void *a, const void *b)
{
    const tt_iv *x = a, *y = b;
    return (x->t0 > y->t0) - (x->t0 < y->t0);
}

typedef struct range {
    size_t lo, hi;
} range;

/* Divide the range: intervals before `less` start before the pivot, from `more` on behind it, between them with it. */
static range partition(tt_iv *at, range r, uint64_t *random)
{
    int64_t pivot =
        middle_of(at[r.lo + random_below(random, r.hi - r.lo)].t0, at[r.lo + random_below(random, r.hi - r.lo)].t0,
                  at[r.lo + random_below(random, r.hi - r.lo)].t0);
    size_t less = r.lo, more = r.hi, i = r.lo;
    while (i < more) {
        tt_iv x = at[i];
        if (x.t0 < pivot) {
            at[i++] = at[less];
            at[less++] = x;
        } else if (x.t0 > pivot) {
            at[i] = at[--more];
            at[more] = x;
        } else {
            i++;
        }
    }
    return (range){less, more};
}

bool tt_sql_sort_intervals(tt_sql_clock *clock, tt_iv *at, size_t n)
{
    range waiting[STACK], now = {0, n};
    uint64_t random = n;
    int depth = 0;
    for (;;) {
        if (tt_sql_ends(clock)) return false;
        if (now.hi - now.lo <= PIECE) {
            if (now.hi > now.lo) qsort(at + now.lo, now.hi - now.lo, sizeof *at, by_start);
            if (!depth) return true;
            now = waiting[--depth];
            continue;
        }
        range middle = partition(at, now, &random), left = {now.lo, middle.lo}, right = {middle.hi, now.hi};
        bool left_is_longer = left.hi - left.lo > right.hi - right.lo;
        waiting[depth++] = left_is_longer ? left : right;
        now = left_is_longer ? right : left;
    }
}
