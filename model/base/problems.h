/* model/base/problems.h - problems of one input, counted by kind, with the offset and an example of the first. */
#ifndef TT_MODEL_BASE_PROBLEMS_H
#define TT_MODEL_BASE_PROBLEMS_H

#include "model/base/mem.h"

#include <stdbool.h>

typedef enum tt_problem_kind {
#define X(id, key, level, meaning) TT_PROBLEM_##id,
#include "model/base/problems.def"
#undef X
    TT_PROBLEM_COUNT_
} tt_problem_kind;

typedef enum tt_problem_level { TT_LEVEL_NOTE, TT_LEVEL_REPAIR, TT_LEVEL_LOSS } tt_problem_level;

typedef struct tt_problem {
    uint64_t count;
    int64_t offset;    /* offset of the first problem in the decompressed text, bytes; -1 = none */
    char example[120]; /* bytes of the input at the first problem: sanitise before printing; "" = none */
} tt_problem;

typedef struct tt_problems {
    tt_problem of[TT_PROBLEM_COUNT_];
} tt_problems;

extern const char *const tt_problem_key[TT_PROBLEM_COUNT_];
extern const char *const tt_problem_meaning[TT_PROBLEM_COUNT_];
extern const tt_problem_level tt_problem_level_of[TT_PROBLEM_COUNT_];

/* Count a problem. The example of the earliest offset is kept, so the result does not depend on the order of
 * threads. */
void tt_problem_add(tt_problems *p, tt_problem_kind kind, int64_t offset, const char *example, size_t len);
void tt_problem_add_n(tt_problems *p, tt_problem_kind kind, uint64_t n, int64_t offset, const char *example);
void tt_problems_merge(tt_problems *into, const tt_problems *from);
/* True when data is missing or was repaired: `check` ends with status 1, and the header shows a mark. */
int tt_problems_matter(const tt_problems *p);

#endif
