/* model/base/problems.h - counted problems of one input, a kind each, with the first offset and an example. */
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
    int64_t offset;    /* of the first one, bytes in the decompressed text; -1 = none */
    char example[120]; /* of the first one; raw input bytes: sanitise before printing; "" = none */
} tt_problem;

typedef struct tt_problems {
    tt_problem of[TT_PROBLEM_COUNT_];
} tt_problems;

extern const char *const tt_problem_key[TT_PROBLEM_COUNT_];
extern const char *const tt_problem_meaning[TT_PROBLEM_COUNT_];
extern const tt_problem_level tt_problem_level_of[TT_PROBLEM_COUNT_];

/* Count one; the earliest offset keeps its example, so the result does not depend on the order of threads. */
void tt_problem_add(tt_problems *p, tt_problem_kind kind, int64_t offset, const char *example, size_t len);
void tt_problem_add_n(tt_problems *p, tt_problem_kind kind, uint64_t n, int64_t offset, const char *example);
void tt_problems_merge(tt_problems *into, const tt_problems *from);
/* True when something is missing or was repaired: `check` says 1, the header carries a mark. */
int tt_problems_matter(const tt_problems *p);

#endif
