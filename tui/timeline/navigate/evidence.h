/* tui/timeline/navigate/evidence.h - the evidence of a finding: the timeline shows only the rows of its cause and of
 * the waiting device, zoomed to the evidence, and steps through its pieces.
 *
 * A finding that claims time of a device has these rows: the idle row of the device, the work that it claims, the
 * threads that are charged, unfolded, and the critical path if it is known. As many lanes as fit the screen are shown.
 * Folds, pins and hidden rows are not touched, and window, cursor, marks and matches are kept, so that the end of the
 * evidence brings all of that back. */
#ifndef TT_TUI_TIMELINE_NAVIGATE_EVIDENCE_H
#define TT_TUI_TIMELINE_NAVIGATE_EVIDENCE_H

#include "tui/timeline/model/timeline.h"
#include "tui/timeline/navigate/pieces.h"

typedef struct tt_evidence tt_evidence;

/* Keep the state of the timeline and show the window of an origin (a slice, or a time of a trace), with all rows, while
 * the evidence is computed. False: the origin has no place. */
bool tt_evidence_expect(tt_timeline *t, const tt_drilldown *o);
/* Show the evidence on its rows. Idle times are known (derived.h). pieces: pieces of the finding, owned by the
 * timeline from now on, NULL = it has none; the longest piece in the window is selected. Evidence that was shown
 * before is replaced; the state before the first evidence returns at the end. */
bool tt_evidence_begin(tt_timeline *t, const tt_drilldown *o, tt_pieces *pieces);
/* To the next piece (dir > 0) or the one before, zoomed so that it can be read; false = there are no pieces. */
bool tt_evidence_next_piece(tt_timeline *t, int dir, bool *wrapped);
/* A person moved the cursor: show the piece at the cursor, else the next piece. */
void tt_evidence_piece_here(tt_timeline *t);
/* All pieces, NULL = there are none; *at: the shown one. */
const tt_pieces *tt_evidence_all_pieces(const tt_timeline *t, size_t *at);
/* Show gaps of devices as evidence: at[show] first, n and N walk through all of them. */
bool tt_evidence_gaps(tt_timeline *t, const tt_hit_range *at, size_t n, size_t show);
/* Show range i of those that n and N walk through; if rows are limited, the rows of its cause. */
void tt_evidence_step(tt_timeline *t, size_t i);
/* Bring back the state before. Does nothing when no evidence is shown. */
void tt_evidence_end(tt_timeline *t);
/* Show all rows again in the same window; tt_evidence_end() still brings back the rest. */
void tt_evidence_all_rows(tt_timeline *t);

#endif
