/* Natural merge sort of slices: see sort.h. */
#include "model/sort.h"

#include <stdlib.h>
#include <string.h>

static bool before(const tt_rec *a, const tt_rec *b)
{
    if (a->ts != b->ts) return a->ts < b->ts;
    if (a->dur != b->dur) return a->dur > b->dur;
    return a->text_cat < b->text_cat;
}

struct sorter {
    const tt_rec_block *const *blocks;
    uint32_t *at, *tmp;
};

static bool place_before(const struct sorter *s, uint32_t a, uint32_t b)
{
    return before(tt_place_rec(s->blocks, a), tt_place_rec(s->blocks, b));
}

/* First index in [lo, hi) whose slice is not before `key`. */
static uint32_t lower(const struct sorter *s, uint32_t lo, uint32_t hi, uint32_t key)
{
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (place_before(s, s->at[mid], key)) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo;
}

/* Merge the neighbours [a, m) and [m, e). What is in place already at either end is left alone. */
static void merge(struct sorter *s, uint32_t a, uint32_t m, uint32_t e)
{
    if (!place_before(s, s->at[m], s->at[m - 1])) return;
    a = lower(s, a, m, s->at[m]);
    e = lower(s, m, e, s->at[m - 1]);
    uint32_t n = m - a, i = 0, k = m, out = a;
    memcpy(s->tmp, s->at + a, n * sizeof *s->at);
    const tt_rec *l = tt_place_rec(s->blocks, s->tmp[0]), *r = tt_place_rec(s->blocks, s->at[k]);
    for (;;) {
        if (before(r, l)) {
            s->at[out++] = s->at[k++];
            if (k == e) break;
            r = tt_place_rec(s->blocks, s->at[k]);
        } else {
            s->at[out++] = s->tmp[i++];
            if (i == n) return;
            l = tt_place_rec(s->blocks, s->tmp[i]);
        }
    }
    memcpy(s->at + out, s->tmp + i, (n - i) * sizeof *s->at);
}

void tt_sort_places(const tt_rec_block *const *blocks, uint32_t *places, uint32_t n)
{
    struct sorter s = {.blocks = blocks, .at = places};
    TT_VEC(uint32_t) run = {0}; /* starts of runs, and n */
    const tt_rec *last = NULL;
    for (uint32_t i = 0; i < n; i++) {
        const tt_rec *r = tt_place_rec(blocks, places[i]);
        if (!last || before(r, last)) *tt_vec_push(&run) = i;
        last = r;
    }
    size_t runs = run.n;
    *tt_vec_push(&run) = n;
    if (runs > 1) s.tmp = tt_malloc(n * sizeof *s.tmp);
    while (runs > 1) {
        size_t kept = 0;
        for (size_t i = 0; i < runs; i += 2) {
            if (i + 1 < runs) merge(&s, run.at[i], run.at[i + 1], run.at[i + 2]);
            run.at[kept++] = run.at[i];
        }
        run.at[kept] = n;
        runs = kept;
    }
    free(s.tmp);
    tt_vec_free(&run);
}

/* ---- items of any size ---- */

struct items {
    char *at, *tmp;
    size_t item;
    int (*order)(const void *, const void *);
};

static char *item_at(const struct items *s, size_t i) { return s->at + i * s->item; }

/* First index in [lo, hi) whose item is not before (strict: behind) the key. */
static size_t bound(const struct items *s, size_t lo, size_t hi, const char *key, bool strict)
{
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        int c = s->order(item_at(s, mid), key);
        if (c < 0 || (strict && !c)) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo;
}

static void merge_items(struct items *s, size_t a, size_t m, size_t e)
{
    if (s->order(item_at(s, m - 1), item_at(s, m)) <= 0) return;
    a = bound(s, a, m, item_at(s, m), true);
    e = bound(s, m, e, item_at(s, m - 1), false);
    memcpy(s->tmp, item_at(s, a), (m - a) * s->item);
    const char *l = s->tmp, *l_end = s->tmp + (m - a) * s->item, *r = item_at(s, m), *r_end = item_at(s, e);
    char *out = item_at(s, a);
    while (l < l_end && r < r_end) {
        const char **from = s->order(r, l) < 0 ? &r : &l;
        memcpy(out, *from, s->item);
        *from += s->item;
        out += s->item;
    }
    memcpy(out, l, (size_t)(l_end - l));
}

void tt_sort_runs(void *at, size_t n, size_t item, int (*order)(const void *, const void *))
{
    struct items s = {.at = at, .item = item, .order = order};
    TT_VEC(size_t) run = {0};
    for (size_t i = 0; i < n; i++) {
        if (!i || order(item_at(&s, i - 1), item_at(&s, i)) > 0) *tt_vec_push(&run) = i;
    }
    size_t runs = run.n;
    *tt_vec_push(&run) = n;
    if (runs > 1) s.tmp = tt_malloc(n * item);
    while (runs > 1) {
        size_t kept = 0;
        for (size_t i = 0; i < runs; i += 2) {
            if (i + 1 < runs) merge_items(&s, run.at[i], run.at[i + 1], run.at[i + 2]);
            run.at[kept++] = run.at[i];
        }
        run.at[kept] = n;
        runs = kept;
    }
    free(s.tmp);
    tt_vec_free(&run);
}
