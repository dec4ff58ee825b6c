/* parser/chrome/losses.c - reports a recorder's losses as problems of the trace: from its spool, and from a member of
 * an export. */
#include "parser/chrome/losses.h"

#include <stdlib.h>
#include <string.h>

#include "model/text/json_text.h"

void tt_spool_lost(tt_problems *problems, unsigned cause, uint64_t n)
{
    static const char *const texts[] = {
#define X(id, key, meaning) key ": " meaning,
        TT_SPOOL_CAUSES(X)
#undef X
    };
    if (n) tt_problem_add_n(problems, TT_PROBLEM_RECORDER_DROPS, n, -1, texts[cause]);
}

void tt_spool_taken(tt_problems *problems, const char *since)
{
    static const char what[] = "CUPTI gave no records from then on";
    if (strtoll(since, NULL, 10) > 0) tt_problem_add(problems, TT_PROBLEM_RECORDER_TAKEN, -1, what, sizeof what - 1);
}

void tt_spool_reported_losses(const char *json, tt_problems *problems)
{
    static const char *const keys[] = {
#define X(id, key, meaning) key,
        TT_SPOOL_CAUSES(X)
#undef X
    };
    const char *end = json + strlen(json);
    tt_json_member drops, m;
    bool any = tt_json_find(json, end, "drops", &drops);
    for (unsigned i = 0; any && i < TT_SPOOL_DROP_COUNT_; i++) {
        if (tt_json_find(drops.value, drops.value + drops.value_n, keys[i], &m))
            tt_spool_lost(problems, i, strtoull(m.value, NULL, 10));
    }
    if (tt_json_find(json, end, "clean_exit", &m) && m.value_n && *m.value == 'f')
        tt_problem_add(problems, TT_PROBLEM_UNCLEAN_END, -1, "", 0);
}
