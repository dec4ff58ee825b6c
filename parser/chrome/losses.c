/* What a recorder lost, as problems of the trace: from its own file, and from the member of an export that says it. */
#include "parser/chrome/losses.h"

#include <stdlib.h>
#include <string.h>

void tt_spool_lost(tt_problems *problems, unsigned cause, uint64_t n)
{
    static const char *const texts[] = {
#define X(id, key, meaning) key ": " meaning,
        TT_SPOOL_CAUSES(X)
#undef X
    };
    if (n) tt_problem_add_n(problems, TT_PROBLEM_RECORDER_DROPS, n, -1, texts[cause]);
}

void tt_spool_reported_losses(const char *json, tt_problems *problems)
{
    static const char *const keys[] = {
#define X(id, key, meaning) "\"" key "\":",
        TT_SPOOL_CAUSES(X)
#undef X
    };
    const char *drops = strstr(json, "\"drops\":"), *end = drops ? strchr(drops, '}') : NULL;
    for (unsigned i = 0; end && i < TT_SPOOL_DROP_COUNT_; i++) {
        const char *at = strstr(drops, keys[i]);
        if (at && at < end) tt_spool_lost(problems, i, strtoull(at + strlen(keys[i]), NULL, 10));
    }
    if (strstr(json, "\"clean_exit\": false")) tt_problem_add(problems, TT_PROBLEM_UNCLEAN_END, -1, "", 0);
}
