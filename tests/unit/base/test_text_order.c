/* Natural order of names, and endings of names. */
#include "model/text/text_order.h"

#include "tests/unit/check.h"

int main(void)
{
    static const char *const sorted[] = {
        "",        "0",       "00",     "1",        "2",       "10",       "a",
        "a1b1",    "a1b2",    "a01b3",  "a1b10",    "a2",      "rank",     "rank 9",
        "rank 9x", "rank 10", "rank10", "worker02", "worker2", "worker10", "worker18446744073709551616"};
    enum { N = sizeof sorted / sizeof *sorted };
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < N; k++) {
            int c = tt_natural_order(sorted[i], sorted[k]), want = (i > k) - (i < k);
            c = (c > 0) - (c < 0);
            if (!CHECK(c == want)) fprintf(stderr, "    '%s' and '%s'\n", sorted[i], sorted[k]);
        }
    }
    CHECK(tt_ends_with("trace.json.gz", ".gz"));
    CHECK(tt_ends_with(".gz", ".gz") && tt_ends_with("x", ""));
    CHECK(!tt_ends_with("gz", ".gz") && !tt_ends_with("trace.gz ", ".gz"));
    return check_done();
}
