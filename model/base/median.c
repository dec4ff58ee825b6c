/* model/base/median.c - quickselect: only the part that contains the median is divided further. Values that defeat
 * the choice of the pivot are sorted instead. */
#include "model/base/median.h"

#include "model/base/sort_by.h"

static void swap(int64_t *a, int64_t *b)
{
    int64_t x = *a;
    *a = *b;
    *b = x;
}

/* Median of the first, the middle and the last value: the pivot. */
static int64_t pivot_of(const int64_t *v, size_t lo, size_t hi)
{
    int64_t a = v[lo], b = v[lo + (hi - lo) / 2], c = v[hi];
    if (a > b) swap(&a, &b);
    return c < a ? a : c < b ? c : b;
}

/* Move the k-th smallest value to index k, smaller values before it, larger values after it. */
static void select_kth(int64_t *v, size_t n, size_t k)
{
    size_t lo = 0, hi = n - 1;
    for (int turns = 0; lo < hi; turns++) {
        if (turns == 96) { /* halving the range takes at most 64 turns unless the pivots are bad */
            TT_SORT_UP(v + lo, hi - lo + 1);
            return;
        }
        int64_t pivot = pivot_of(v, lo, hi);
        size_t i = lo, j = hi;
        for (;; i++, j--) {
            while (v[i] < pivot) i++;
            while (v[j] > pivot) j--;
            if (i >= j) break;
            swap(&v[i], &v[j]);
        }
        if (k <= j && j < hi) {
            hi = j;
        } else if (k > j) {
            lo = j + 1;
        } else { /* the pivot is the largest value and stands alone at the end */
            if (k == hi) return;
            hi--;
        }
    }
}

int64_t tt_median(int64_t *v, size_t n)
{
    size_t k = n / 2;
    select_kth(v, n, k);
    if (n % 2) return v[k];
    int64_t below = v[0];
    for (size_t i = 1; i < k; i++)
        if (v[i] > below) below = v[i];
    return tt_middle(below, v[k]);
}
