/* Binary search in a sorted list, from any starting place, against a linear search. */
#include "model/base/bisect.h"

#include <stdint.h>

#include "tests/unit/check.h"

enum { MOST = 70 };

/* Of n places the first `answer` lie before the target: the search finds it from any start and asks no place outside.
 */
static void test_near(uint32_t n, uint32_t answer)
{
    uint32_t wrong = 0, outside = 0;
    for (uint32_t near = 0; near <= n + 3; near++) {
        uint32_t lo, hi;
        TT_BISECT_NEAR(lo, hi, n, near, i, (outside += i >= n, i < answer));
        wrong += lo != answer;
    }
    CHECK_INT(wrong, 0);
    CHECK_INT(outside, 0);
}

static void test_whole(uint32_t n, uint32_t answer)
{
    uint32_t lo = 0, hi = n;
    TT_BISECT(lo, hi, i, i < answer);
    CHECK_INT(lo, answer);
}

/* If the answer is near the start, the search asks few places, however long the list. */
static void test_few_questions(void)
{
    enum { LONG = 1 << 30, FAR = 100 };
    for (uint32_t answer = FAR; answer < LONG - FAR; answer = answer * 2 + 1) {
        for (uint32_t away = 0; away <= FAR; away += 10) {
            uint32_t lo, hi, asked = 0;
            TT_BISECT_NEAR(lo, hi, (uint32_t)LONG, answer - away, i, (asked++, i < answer));
            CHECK_INT(lo, answer);
            CHECK(asked <= 16);
            asked = 0;
            TT_BISECT_NEAR(lo, hi, (uint32_t)LONG, answer + away, i, (asked++, i < answer));
            CHECK_INT(lo, answer);
            CHECK(asked <= 16);
        }
    }
}

int main(void)
{
    for (uint32_t n = 0; n <= MOST; n++) {
        for (uint32_t answer = 0; answer <= n; answer++) {
            test_near(n, answer);
            test_whole(n, answer);
        }
    }
    test_few_questions();
    return check_done();
}
