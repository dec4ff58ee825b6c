/* Counting the problems of an input: see problems.h. */
#include "model/base/problems.h"

#include <string.h>

const char *const tt_problem_key[TT_PROBLEM_COUNT_] = {
#define X(id, key, level, meaning) [TT_PROBLEM_##id] = key,
#include "model/base/problems.def"
#undef X
};
const char *const tt_problem_meaning[TT_PROBLEM_COUNT_] = {
#define X(id, key, level, meaning) [TT_PROBLEM_##id] = meaning,
#include "model/base/problems.def"
#undef X
};
const tt_problem_level tt_problem_level_of[TT_PROBLEM_COUNT_] = {
#define X(id, key, level, meaning) [TT_PROBLEM_##id] = TT_LEVEL_##level,
#include "model/base/problems.def"
#undef X
};

static void keep_first(tt_problem *p, int64_t offset, const char *example, size_t len)
{
    bool first = !p->count || (offset >= 0 && (p->offset < 0 || offset < p->offset));
    if (!first) return;
    if (len >= sizeof p->example) len = sizeof p->example - 1;
    p->offset = offset;
    if (len) memcpy(p->example, example, len);
    p->example[len] = 0;
}

void tt_problem_add(tt_problems *p, tt_problem_kind kind, int64_t offset, const char *example, size_t len)
{
    keep_first(&p->of[kind], offset, example, len);
    p->of[kind].count++;
}

void tt_problem_add_n(tt_problems *p, tt_problem_kind kind, uint64_t n, int64_t offset, const char *example)
{
    if (!n) return;
    keep_first(&p->of[kind], offset, example, example ? strlen(example) : 0);
    p->of[kind].count += n;
}

void tt_problems_merge(tt_problems *into, const tt_problems *from)
{
    for (int k = 0; k < TT_PROBLEM_COUNT_; k++) {
        tt_problem_add_n(into, (tt_problem_kind)k, from->of[k].count, from->of[k].offset, from->of[k].example);
    }
}

int tt_problems_matter(const tt_problems *p)
{
    for (int k = 0; k < TT_PROBLEM_COUNT_; k++) {
        if (p->of[k].count && tt_problem_level_of[k] != TT_LEVEL_NOTE) return 1;
    }
    return 0;
}
