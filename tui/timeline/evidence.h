/* tui/timeline/evidence.h - the evidence of a finding: only the rows of its cause and those that say why the device
 * waits, zoomed to it, with what caused it as what n and N walk through.
 *
 * Folds, pins and hidden rows stay as they are underneath, and everything else that a person set up (window, cursor,
 * marks, matches) is kept, so that ending it brings all of that back. */
#ifndef TT_TUI_TIMELINE_EVIDENCE_H
#define TT_TUI_TIMELINE_EVIDENCE_H

#include "tui/timeline/timeline.h"

typedef struct tt_evidence tt_evidence;

/* Show where an origin (a slice, or a stretch of time of a trace) is, on these rows alone. Evidence that is shown
 * already is replaced, and what was there before the first comes back at the end. False: it has no place. */
bool tt_evidence_begin(tt_timeline *t, const tt_drilldown *o);
/* The same for gaps of devices: at[show] is shown, n and N walk through all of them. */
bool tt_evidence_gaps(tt_timeline *t, const tt_hit_range *at, size_t n, size_t show);
/* Show range i of those that n and N walk through, on the rows of its own cause where only such are shown. */
void tt_evidence_step(tt_timeline *t, size_t i);
/* Everything is as it was before. Nothing when no evidence is shown. */
void tt_evidence_end(tt_timeline *t);
/* All rows again, but the window stays; tt_evidence_end() still brings back the rest. */
void tt_evidence_all_rows(tt_timeline *t);
void tt_evidence_free(tt_evidence *e); /* NULL is fine */

/* Rows are left out. */
bool tt_evidence_limits(const tt_timeline *t);
/* The slices of a trace count as matches. */
static inline bool tt_evidence_matches(const tt_timeline *t, uint32_t trace)
{
    return t->evidence_trace == TT_NONE || t->evidence_trace == trace;
}

/* ---- for rows.c ---- */
/* Append the lines that are shown, in order; false: no rows are left out. */
bool tt_evidence_lines(tt_timeline *t);
/* A jump leads to a row that is left out: it is shown from now on. */
void tt_evidence_add(tt_timeline *t, uint32_t node, uint32_t depth);

#endif
