/* Schedules: both spellings against steps computed by hand, and refused spellings. */
#include <stdlib.h>

#include "capture/shared/schedule.h"
#include "tests/unit/check.h"

static const char letters[] = "crRL"; /* closed, ready, record, record and save: the states in order */

/* Compare the states of the first steps with `want`, one letter a step. */
static void check_states(const char *spelling, const char *want)
{
    tt_schedule s;
    char why[300] = "", got[128] = "";
    if (!CHECK(tt_schedule_parse(spelling, &s, why, sizeof why))) {
        fprintf(stderr, "    %s: %s\n", spelling, why);
        return;
    }
    for (size_t i = 0; i < strlen(want); i++) got[i] = letters[tt_schedule_at(&s, (int64_t)i)];
    CHECK_STR(got, want);
}

static void check_refused(const char *spelling)
{
    tt_schedule s;
    char why[300] = "";
    CHECK(!tt_schedule_parse(spelling, &s, why, sizeof why));
    CHECK(strstr(why, spelling) != NULL);
}

int main(void)
{
    /* the guide's example: steps 16-18 and 25-27 */
    check_states("skip_first=10,wait=5,warmup=1,active=3,repeat=2", "cccccccccccccccrRRLcccccrRRLcccccccccccccc");
    check_states("skip_first=10,closed=5,ready=1,record=3,repeat=2", "cccccccccccccccrRRLcccccrRRLcccccccccccccc");
    check_states("wait=1,warmup=1,active=2", "crRLcrRLcrRLcrRL"); /* without repeat the cycle goes on for ever */
    check_states("active=1", "LLLLL");
    check_states("active=3,repeat=1", "RRLccc");
    check_states("skip_first=2,skip_first_wait=1,wait=3,warmup=1,active=2,repeat=2", "ccrRLcccrRLccc");
    /* Paddle's tuple */
    check_states("2-10", "crRRRRRRRLcccc");
    check_states("(2, 10)", "crRRRRRRRLcccc");
    check_states("[0,3]", "RRLcccc");
    check_states("1-2", "rLcccc");
    check_states("5-8", "ccccrRRLcccc");
    const char *bad[] = {
        "wait=1",   "active=0", "5-5",       "5-3",   "(5,3)", "active",    "active=",
        "active=x", "aktive=3", "active=3,", "(2,10", "2-10x", "active=-1", "active=99999999999999999999"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) check_refused(bad[i]);
    tt_schedule none = {0};
    CHECK_INT(tt_schedule_at(&none, 7), TT_STEP_RECORD);
    CHECK(!tt_schedule_over(&none, INT64_MAX / 2));
    tt_schedule once = {.record = 2, .repeat = 1};
    CHECK(!tt_schedule_over(&once, 1));
    CHECK(tt_schedule_over(&once, 2));
    return check_done();
}
