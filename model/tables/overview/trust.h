/* model/tables/overview/trust.h - whether a recording can be trusted: one check per kind of doubt, each with a
 * verdict, the numbers behind it, and the results that it affects.
 *
 * Checks judge whole recordings, whatever the scope. A check that cannot apply to a trace (step checks without
 * steps) is left out. Table `trust` and the mark in the explorer's header show this list. */
#ifndef TT_MODEL_TABLES_OVERVIEW_TRUST_H
#define TT_MODEL_TABLES_OVERVIEW_TRUST_H

#include "model/tables/table.h"

typedef enum tt_trust_level {
    TT_TRUST_OK,
    TT_TRUST_WARN, /* some numbers are off, or mean something unexpected */
    TT_TRUST_BAD,  /* data that totals need is missing */
} tt_trust_level;
extern const char *const tt_trust_level_name[]; /* "ok", "warn", "bad" */

typedef struct tt_trust_check {
    const char *check;    /* name of the check, two or three words */
    const char *brief;    /* the doubt in a few words: "30% of GPU events have no launch"; NULL = ok */
    const char *evidence; /* one sentence with the numbers; contains raw trace text: sanitise before printing */
    const char *affects;  /* affected results; NULL = none */
    tt_trust_level verdict;
    tt_drilldown drilldown; /* place of the first occurrence; NONE */
} tt_trust_check;

typedef struct tt_trust {
    TT_VEC(tt_trust_check) checks; /* checks, the worst verdict first, within each the most important first */
    uint32_t doubts;               /* number of checks that are not ok */
    tt_arena arena;                /* holds the texts */
} tt_trust;

/* The checks of the traces of the scope's worker and span. One pass over the slices of each, n log n in its steps;
 * rank clocks need one pass over the collectives. The caller frees. Thread-safe. */
tt_trust tt_trust_make(const tt_session *s, const tt_scope *scope);
void tt_trust_free(tt_trust *t);

#endif
