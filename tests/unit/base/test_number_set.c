/* A set gives each number an index in order of first appearance, as a linear search does; numbers that would all hash
 * to one place do not make it slow. */
#include "model/base/number_set.h"

#include <time.h>

#include "tests/unit/check.h"

static uint64_t state = 5;
static uint64_t rnd(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return state >> 20;
}

/* Few different numbers, so that most come several times. */
static void test_indices(uint64_t first, uint64_t step, uint64_t n)
{
    tt_number_set set = {0};
    uint64_t seen[300];
    size_t n_seen = 0, wrong = 0;
    for (int i = 0; i < 5000; i++) {
        uint64_t number = first + rnd() % n * step;
        size_t at = 0;
        while (at < n_seen && seen[at] != number) at++;
        if (at == n_seen) seen[n_seen++] = number;
        wrong += tt_number_set_put(&set, number) != at;
    }
    CHECK_INT(wrong, 0);
    CHECK_INT(set.at.n, n_seen);
    for (size_t i = 0; i < n_seen; i++) CHECK(set.at.at[i] == seen[i]);
    tt_number_set_free(&set);
    CHECK_INT(set.at.n, 0);
}

/* Many numbers in steps of any power of two. */
static void test_steps(void)
{
    enum { MANY = 1 << 17 };
    clock_t start = clock();
    for (unsigned bits = 0; bits < 48; bits += 3) {
        tt_number_set set = {0};
        size_t wrong = 0;
        for (uint64_t i = 0; i < MANY; i++) wrong += tt_number_set_put(&set, i << bits) != i;
        for (uint64_t i = 0; i < MANY; i++) wrong += tt_number_set_put(&set, i << bits) != i;
        CHECK_INT(wrong, 0);
        tt_number_set_free(&set);
    }
    CHECK(clock() - start < 20 * CLOCKS_PER_SEC); /* with all numbers in one place this would take hours */
}

int main(void)
{
    test_indices(0, 1, 300);
    test_indices(UINT64_C(0x80000000), 1, 300);
    test_indices(UINT64_MAX - 299 * 64, 64, 300);
    test_indices(7, UINT64_C(1) << 40, 200);
    test_steps();
    return check_done();
}
