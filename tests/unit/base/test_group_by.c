/* Groups number their keys: equal keys get the same number, in order of first appearance, whatever hint comes along. */
#include "model/base/group_by.h"

#include <stdlib.h>

#include "tests/unit/check.h"

enum { KEYS = 500, PUTS = 20000, HINTS = 40 };

static uint32_t seed = 3;
static uint32_t rnd(uint32_t n)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % n;
}

/* Some of these keys differ in one word only. */
static tt_group_key key(uint32_t k)
{
    return (tt_group_key){.a = k % 7, .b = (uint64_t)(k / 7 % 11) << 40, .c = UINT64_MAX - k / 77};
}

/* hints: number of hints that random keys share; 0 = each key has its own hint, which is never wrong. */
static void test_put_like(uint32_t hints)
{
    uint32_t *first = tt_calloc(KEYS, sizeof *first), *hint = tt_calloc(KEYS, sizeof *hint), seen = 0, wrong = 0;
    tt_groups plain, like;
    tt_groups_init(&plain);
    tt_groups_init(&like);
    for (uint32_t i = 0; i < PUTS; i++) {
        uint32_t k = rnd(1 + rnd(KEYS)), at = hints ? rnd(hints) : k;
        uint32_t a = tt_groups_put(&plain, key(k)), b = tt_groups_put_like(&like, key(k), &hint[at]);
        if (!first[k]) first[k] = ++seen;
        wrong += a != first[k] - 1 || b != a;
    }
    CHECK_INT(wrong, 0);
    CHECK_INT(plain.key.n, seen);
    CHECK_INT(like.key.n, seen);
    for (uint32_t k = 0; k < KEYS; k++) {
        if (!first[k]) continue;
        tt_group_key kept = like.key.at[first[k] - 1], want = key(k);
        CHECK(kept.a == want.a && kept.b == want.b && kept.c == want.c);
    }
    tt_groups_free(&plain);
    tt_groups_free(&like);
    free(first);
    free(hint);
}

int main(void)
{
    for (uint32_t hints = 0; hints <= HINTS; hints += 8) test_put_like(hints);
    return check_done();
}
