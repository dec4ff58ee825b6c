/* model/tables/overview/trust.h - whether a recording can be believed: one check a kind of doubt, each with a verdict,
 * the numbers that it rests on, and what suffers from it.
 *
 * Checks are about whole recordings, whatever steps or times are looked at. A check that cannot apply to a trace (one
 * of steps without steps) is left out. The same list is the table `trust`, and the mark in the explorer's header. */
#ifndef TT_MODEL_TABLES_OVERVIEW_TRUST_H
#define TT_MODEL_TABLES_OVERVIEW_TRUST_H

#include "model/tables/table.h"

typedef enum tt_trust_level {
    TT_TRUST_OK,
    TT_TRUST_WARN, /* some numbers are off, or mean something else than one would think */
    TT_TRUST_BAD,  /* something is missing that totals need */
} tt_trust_level;
extern const char *const tt_trust_level_name[]; /* "ok", "warn", "bad" */

typedef struct tt_trust_check {
    const char *check;    /* two or three words: what is checked */
    const char *brief;    /* of a doubt, in a few words: "30% of GPU events have no launch"; NULL = ok */
    const char *evidence; /* one sentence with its numbers; raw text of the trace in it: sanitise before printing */
    const char *affects;  /* what suffers; NULL = nothing */
    tt_trust_level verdict;
    tt_drilldown drilldown; /* where the first of it is; NONE */
} tt_trust_check;

typedef struct tt_trust {
    TT_VEC(tt_trust_check) checks; /* the worst verdict first, the most important first in each */
    uint32_t doubts;               /* those that are not ok */
    tt_arena arena;                /* of the texts */
} tt_trust;

/* Of the traces of the scope's worker and span. One pass over the slices of each, n log n in its steps; the clocks of
 * ranks take one over their collectives. Caller frees. Thread-safe. */
tt_trust tt_trust_make(const tt_session *s, const tt_scope *scope);
void tt_trust_free(tt_trust *t);

#endif
