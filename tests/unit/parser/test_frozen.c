/* Frozen recordings that belong together: names of their folders, and groups worked out by hand. */
#include <stdlib.h>

#include "capture/format/dump_name.h"
#include "parser/discover/frozen.h"
#include "tests/unit/check.h"

static void check_names(void)
{
    int64_t at = 0, who = 0;
    CHECK(tt_dump_name_parse("hang-20261128T203000.000Z-37", &at, &who) && at == 1795897800000 && who == 37);
    CHECK(tt_dump_name_parse("hang-20240229T000000.250Z-0", &at, &who) && at == 1709164800250 && who == 0);
    CHECK(tt_dump_name_parse("hang-20000301T235960.000Z-1", &at, &who) && at == 951955200000);
    static const char *const others[] = {"hang",
                                         "hang-",
                                         "hang-20261128T203000.000Z",
                                         "hang-20261128T203000.000Z-",
                                         "hang-20261128T203000.000Z-3x",
                                         "hang-20261128T2030Z-37",
                                         "hang-20261128T203000Z-37",
                                         "hang-20261128T203000.2x0Z-37",
                                         "hang-20261328T203000.000Z-37",
                                         "hang-20261128T243000.000Z-37",
                                         "hang-2026112xT203000.000Z-37",
                                         ".hang-20261128T203000.000Z-37.4",
                                         "rehang-20261128T203000.000Z-37"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) CHECK(!tt_dump_name_parse(others[i], &at, &who));
}

static void check_groups(void)
{
    static const struct {
        const char *place, *joined;
    } cases[] = {
        {"hang-20261128T203000.000Z-0", "hang-20261128T203000.000Z"},
        {"hang-20261128T203029.000Z-1", "hang-20261128T203000.000Z"},
        {"hang-20261128T203029.000Z-1", "hang-20261128T203000.000Z"}, /* another file of that folder */
        {"hang-20261128T203055.000Z-2",
         "hang-20261128T203000.000Z"}, /* soon after the last, though not after the first */
        {"hang-20261128T203056.000Z-0", "hang-20261128T203056.000Z"}, /* rank 0 again */
        {"hang-20261128T203057.000Z-2", "hang-20261128T203056.000Z"},
        {"hang-20261128T203200.000Z-1", NULL}, /* alone: later */
        {"a/hang-20261128T203000.000Z-0", "a/hang-20261128T203000.000Z"},
        {"a/hang-20261128T203001.000Z-1", "a/hang-20261128T203000.000Z"},
        {"b/hang-20261128T203001.000Z-1", NULL}, /* another job's */
        {"c/hang-20261128T203000.900Z-0",
         "c/hang-20261128T203000.900Z"}, /* the first of two triggers within a second */
        {"c/hang-20261128T203001.100Z-1", "c/hang-20261128T203000.900Z"},
        {"c/hang-20261128T203001.200Z-0", "c/hang-20261128T203001.200Z"},
        {"c/hang-20261128T203002.100Z-1", "c/hang-20261128T203001.200Z"},
        {"hang-2026", NULL},
        {"", NULL},
    };
    enum { N = sizeof cases / sizeof *cases };
    const char *places[N];
    char *joined[N] = {0};
    for (size_t i = 0; i < N; i++) places[i] = cases[N - 1 - i].place; /* in any order */
    tt_frozen_join(places, N, joined);
    for (size_t i = 0; i < N; i++) {
        const char *want = cases[N - 1 - i].joined;
        CHECK_STR(joined[i] ? joined[i] : "none", want ? want : "none");
        free(joined[i]);
    }
}

int main(void)
{
    check_names();
    check_groups();
    return check_done();
}
