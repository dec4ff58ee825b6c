/* Natural merge sort: see sort.h. */
#include "model/base/sort.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/bisect.h"
#include "model/base/mem.h"

struct items {
    char *at, *tmp;
    size_t item;
    int (*order)(const void *, const void *); /* NULL = order_with */
    int (*order_with)(const void *, const void *, void *);
    void *arg; /* for order_with */
};

static int compare(const struct items *s, const void *a, const void *b)
{
    return s->order ? s->order(a, b) : s->order_with(a, b, s->arg);
}

static char *item_at(const struct items *s, size_t i) { return s->at + i * s->item; }

/* First index in [lo, hi) whose item is not before the key; with strict = 1 whose item is behind it. */
static size_t bound(const struct items *s, size_t lo, size_t hi, const char *key, bool strict)
{
    TT_BISECT(lo, hi, i, compare(s, item_at(s, i), key) < strict);
    return lo;
}

static void merge_items(struct items *s, size_t a, size_t m, size_t e)
{
    if (compare(s, item_at(s, m - 1), item_at(s, m)) <= 0) return;
    a = bound(s, a, m, item_at(s, m), true);
    e = bound(s, m, e, item_at(s, m - 1), false);
    memcpy(s->tmp, item_at(s, a), (m - a) * s->item);
    const char *l = s->tmp, *l_end = s->tmp + (m - a) * s->item, *r = item_at(s, m), *r_end = item_at(s, e);
    char *out = item_at(s, a);
    while (l < l_end && r < r_end) {
        const char **from = compare(s, r, l) < 0 ? &r : &l;
        memcpy(out, *from, s->item);
        *from += s->item;
        out += s->item;
    }
    memcpy(out, l, (size_t)(l_end - l));
}

/* Index of the first item from `i` on that begins a run; n = no more. */
static size_t next_run(const struct items *s, size_t i, size_t n)
{
    while (++i < n && compare(s, item_at(s, i - 1), item_at(s, i)) <= 0) {}
    return i;
}

static void sort(struct items *s, size_t n)
{
    TT_VEC(size_t) run = {0};
    size_t second = next_run(s, 0, n);
    if (second >= n) return; /* sorted */
    *tt_vec_push(&run) = 0;
    for (size_t i = second; i < n; i = next_run(s, i, n)) *tt_vec_push(&run) = i;
    size_t runs = run.n;
    *tt_vec_push(&run) = n;
    s->tmp = tt_malloc(n * s->item);
    while (runs > 1) {
        size_t kept = 0;
        for (size_t i = 0; i < runs; i += 2) {
            if (i + 1 < runs) merge_items(s, run.at[i], run.at[i + 1], run.at[i + 2]);
            run.at[kept++] = run.at[i];
        }
        run.at[kept] = n;
        runs = kept;
    }
    free(s->tmp);
    tt_vec_free(&run);
}

void tt_sort_runs(void *at, size_t n, size_t item, int (*order)(const void *, const void *))
{
    sort(&(struct items){.at = at, .item = item, .order = order}, n);
}

void tt_sort_runs_with(void *at, size_t n, size_t item, int (*order)(const void *, const void *, void *), void *arg)
{
    sort(&(struct items){.at = at, .item = item, .order_with = order, .arg = arg}, n);
}

struct heads { /* lists that are being merged */
    const char **at, **end;
    size_t n;
    int (*order)(const void *, const void *);
};

/* Index of the list whose head comes first, leaving out list `but`; n when all are empty. */
static size_t first_head(const struct heads *h, size_t but)
{
    size_t best = h->n;
    for (size_t i = 0; i < h->n; i++) {
        if (i == but || h->at[i] == h->end[i]) continue;
        if (best == h->n || h->order(h->at[i], h->at[best]) < 0) best = i;
    }
    return best;
}

void tt_merge_sorted(const tt_sorted *lists, size_t n_lists, size_t item, int (*order)(const void *, const void *),
                     void (*put)(void *arg, const void *item, size_t list), void *arg)
{
    struct heads h = {.at = tt_malloc(2 * n_lists * sizeof *h.at), .n = n_lists, .order = order};
    h.end = h.at + n_lists;
    for (size_t i = 0; i < n_lists; i++) {
        h.at[i] = lists[i].at;
        h.end[i] = lists[i].n ? h.at[i] + lists[i].n * item : h.at[i]; /* an empty list may be NULL */
    }
    for (size_t a; (a = first_head(&h, n_lists)) < n_lists;) {
        size_t b = first_head(&h, a);
        do {
            put(arg, h.at[a], a);
            h.at[a] += item;
        } while (h.at[a] < h.end[a] &&
                 (b == n_lists || order(h.at[a], h.at[b]) + (int)(a > b) <= 0)); /* ties: list order */
    }
    free(h.at);
}
