/* Sorting lists of sorted runs and merging sorted lists, against qsort(). */
#include "model/base/sort.h"

#include <stdlib.h>

#include "model/base/mem.h"
#include "tests/unit/check.h"

enum { MOST = 400, LISTS = 7 };

struct item {
    uint32_t key, made; /* made: number of the item in order of creation, which tells equal keys apart */
};

static uint32_t seed = 11;
static uint32_t rnd(uint32_t n)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % n;
}

static int by_key(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    return (x->key > y->key) - (x->key < y->key);
}

static int by_key_and_age(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    return by_key(a, b) ? by_key(a, b) : (x->made > y->made) - (x->made < y->made);
}

/* Fill in rising keys with occasional steps back. */
static void fill(struct item *at, size_t n, uint32_t steps_back, uint32_t *made)
{
    uint32_t key = rnd(50);
    for (size_t i = 0; i < n; i++) {
        key = steps_back && !rnd(steps_back) ? key / 2 : key + rnd(2);
        at[i] = (struct item){key, (*made)++};
    }
}

static void test_runs(size_t n, uint32_t steps_back)
{
    struct item got[MOST], want[MOST];
    uint32_t made = 0;
    fill(got, n, steps_back, &made);
    memcpy(want, got, n * sizeof *got);
    tt_sort_runs(got, n, sizeof *got, by_key);
    qsort(want, n, sizeof *want, by_key_and_age); /* a stable sort keeps equal keys in order of creation */
    CHECK(!memcmp(got, want, n * sizeof *got));
}

struct out {
    struct item at[LISTS * MOST];
    size_t n;
    unsigned wrong_list;
    const tt_sorted *lists;
};

static void put(void *arg, const void *item, size_t list)
{
    struct out *o = arg;
    const struct item *from = o->lists[list].at;
    o->wrong_list += (const struct item *)item < from || (const struct item *)item >= from + o->lists[list].n;
    o->at[o->n++] = *(const struct item *)item;
}

static void test_merge(size_t n_lists, uint32_t most)
{
    static struct item at[LISTS][MOST], want[LISTS * MOST];
    static struct out out;
    tt_sorted lists[LISTS];
    uint32_t made = 0;
    size_t n = 0;
    for (size_t i = 0; i < n_lists; i++) {
        size_t len = rnd(most + 1);
        fill(at[i], len, 0, &made);
        memcpy(want + n, at[i], len * sizeof *want);
        lists[i] = (tt_sorted){at[i], len};
        n += len;
    }
    /* among equal keys, items of the earlier list were made earlier */
    qsort(want, n, sizeof *want, by_key_and_age);
    out = (struct out){.lists = lists};
    tt_merge_sorted(lists, n_lists, sizeof(struct item), by_key, put, &out);
    CHECK_INT(out.n, n);
    CHECK_INT(out.wrong_list, 0);
    CHECK(!memcmp(out.at, want, n * sizeof *want));
}

int main(void)
{
    for (uint32_t i = 0; i < 200; i++) {
        test_runs(rnd(MOST), i % 20);
        test_merge(1 + i % LISTS, i % 5 ? MOST : 2);
    }
    return check_done();
}
