/* Merging the sorted runs of a track, against a plain sort of all its slices. */
#include "model/build/passes/merge_runs.h"

#include <stdlib.h>
#include <string.h>

#include "tests/unit/check.h"

enum { MOST_BLOCKS = 40, MOST_IN_BLOCK = 50, MOST_CUTS = 5 };

static uint32_t seed = 7;
static uint32_t rnd(uint32_t n)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % n;
}

static int order(const void *a, const void *b)
{
    const tt_rec *x = *(const tt_rec *const *)a, *y = *(const tt_rec *const *)b;
    if (x->ts != y->ts) return x->ts < y->ts ? -1 : 1;
    if (x->dur != y->dur) return x->dur > y->dur ? -1 : 1;
    return x->text_cat < y->text_cat ? -1 : x->text_cat > y->text_cat;
}

/* Fill blocks with slices in order of time with few steps back (calm) or anywhere (wild). */
static size_t fill(tt_rec_block *blocks[], uint32_t n, bool wild)
{
    size_t all = 0;
    int64_t ts = 0;
    for (uint32_t b = 0; b < n; b++) {
        uint32_t k = rnd(MOST_IN_BLOCK + 1);
        blocks[b] = tt_calloc(1, sizeof *blocks[b] + k * sizeof(tt_rec));
        blocks[b]->n = blocks[b]->cap = k;
        for (uint32_t i = 0; i < k; i++) {
            if (wild) {
                ts = rnd(300);
            } else {
                ts = rnd(60) ? ts + rnd(3) : ts / 2;
            }
            blocks[b]->at[i] = (tt_rec){.ts = ts, .dur = rnd(3), .text_cat = (uint64_t)(++all) << 8};
        }
    }
    return all;
}

static void test_against_sort(uint32_t n, bool wild, uint32_t n_cuts)
{
    tt_rec_block *blocks[MOST_BLOCKS];
    size_t all = fill(blocks, n, wild), at = 0, out = 0, wrong = 0;
    const tt_rec **sorted = tt_malloc((all + 1) * sizeof *sorted);
    for (uint32_t b = 0; b < n; b++) {
        for (uint32_t i = 0; i < blocks[b]->n; i++) sorted[at++] = &blocks[b]->at[i];
    }
    qsort(sorted, all, sizeof *sorted, order);
    tt_merge m;
    tt_stretch p;
    tt_run_list parts[MOST_CUTS + 1] = {0};
    int64_t cut[MOST_CUTS];
    for (uint32_t c = 0; c < n_cuts; c++) cut[c] = (int64_t)(c + 1) * (wild ? 300 : 200) / (n_cuts + 1);
    for (uint32_t b = 0; b < n; b += 7) { /* search as several threads would */
        tt_runs_find(parts, (const tt_rec_block *const *)blocks, b, b + 7 < n ? b + 7 : n, cut, n_cuts);
    }
    for (uint32_t c = 0; c <= n_cuts; c++) {
        tt_merge_begin(&m, (const tt_rec_block *const *)blocks, parts[c]);
        while (tt_merge_next(&m, &p)) {
            for (uint32_t i = 0; i < p.n && out < all; i++, out++) {
                const tt_rec *r = &blocks[p.block]->at[p.from + i];
                wrong += r != sorted[out] || (c && r->ts < cut[c - 1]) || (c < n_cuts && r->ts >= cut[c]);
            }
        }
        tt_merge_free(&m);
    }
    CHECK_INT(out, all);
    CHECK_INT(wrong, 0);
    for (uint32_t b = 0; b < n; b++) free(blocks[b]);
    free(sorted);
}

/* Slices in order are delivered in one stretch a block. */
static void test_in_order(void)
{
    tt_rec_block *blocks[2];
    for (uint32_t b = 0; b < 2; b++) {
        blocks[b] = tt_calloc(1, sizeof *blocks[b] + 3 * sizeof(tt_rec));
        blocks[b]->n = 3;
        for (uint32_t i = 0; i < 3; i++) blocks[b]->at[i] = (tt_rec){.ts = b * 3 + i};
    }
    tt_merge m;
    tt_stretch p;
    tt_run_list runs = {0};
    tt_runs_find(&runs, (const tt_rec_block *const *)blocks, 0, 2, NULL, 0);
    tt_merge_begin(&m, (const tt_rec_block *const *)blocks, runs);
    CHECK_INT(m.chains.n, 1);
    CHECK(tt_merge_next(&m, &p) && p.block == 0 && p.from == 0 && p.n == 3);
    CHECK(tt_merge_next(&m, &p) && p.block == 1 && p.from == 0 && p.n == 3);
    CHECK(!tt_merge_next(&m, &p));
    tt_merge_free(&m);
    for (uint32_t b = 0; b < 2; b++) free(blocks[b]);
}

/* ---- the order of ends ---- */

struct tree {
    tt_rec_block *blocks[200];
    uint32_t n;
    int64_t now;
    uint64_t offset;
    unsigned late; /* slices of 100 that are written some places too late */
};

static void put(struct tree *t, int64_t start)
{
    tt_rec_block *b = t->blocks[t->n - 1];
    if (b->n == b->cap) {
        b = t->blocks[t->n++] = tt_calloc(1, sizeof *b + MOST_IN_BLOCK * sizeof(tt_rec));
        b->cap = MOST_IN_BLOCK;
    }
    b->at[b->n++] = (tt_rec){.ts = start, .dur = t->now - start, .text_cat = ++t->offset << 8};
    uint32_t back = rnd(100) < t->late && b->n > 4 ? rnd(4) : 0;
    for (uint32_t i = b->n - 1; back; back--, i--) {
        tt_rec r = b->at[i];
        b->at[i] = b->at[i - 1];
        b->at[i - 1] = r;
    }
}

/* Write a slice after all slices that it encloses. */
static void put_tree(struct tree *t, int depth)
{
    int64_t start = t->now;
    t->now += rnd(3) + !t->late; /* among slices with one start the longest comes first */
    for (uint32_t i = rnd(4); depth && i; i--) put_tree(t, depth - 1);
    t->now += rnd(3);
    put(t, start);
}

/* Such a file is a single chain that is delivered in order; slices out of place add chains. */
static void test_ends(unsigned late)
{
    struct tree t = {.n = 1, .late = late};
    t.blocks[0] = tt_calloc(1, sizeof *t.blocks[0] + MOST_IN_BLOCK * sizeof(tt_rec));
    t.blocks[0]->cap = MOST_IN_BLOCK;
    while (t.n < 100) put_tree(&t, 4);
    tt_merge m;
    tt_stretch p;
    tt_run_list runs = {0};
    tt_runs_find(&runs, (const tt_rec_block *const *)t.blocks, 0, t.n, NULL, 0);
    CHECK(runs.n > 200);
    tt_merge_begin(&m, (const tt_rec_block *const *)t.blocks, runs);
    if (late)
        CHECK(m.chains.n > 1);
    else
        CHECK_INT(m.chains.n, 1);
    const tt_rec *last = NULL;
    size_t wrong = 0, all = 0;
    while (tt_merge_next(&m, &p)) {
        for (uint32_t i = 0; i < p.n; i++, all++) {
            const tt_rec *r = &t.blocks[p.block]->at[p.from + i];
            wrong += last && order(&last, &r) >= 0;
            last = r;
        }
    }
    CHECK_INT(wrong, 0);
    CHECK_INT(all, t.offset);
    tt_merge_free(&m);
    for (uint32_t b = 0; b < t.n; b++) free(t.blocks[b]);
}

int main(void)
{
    for (uint32_t n = 0; n <= MOST_BLOCKS; n++) {
        test_against_sort(n, false, n % (MOST_CUTS + 1));
        test_against_sort(n, true, n % (MOST_CUTS + 1));
    }
    test_in_order();
    for (unsigned i = 0; i < 20; i++) test_ends(i);
    return check_done();
}
