/* tui/timeline/navigate/evidence.h - the evidence of a finding: only the rows of its cause and those that say why the
 * device waits, zoomed to it, with its pieces or what caused it as what one walks through.
 *
 * Of a finding that claims time of a device these are the device's row, the rows of the work that it claims, the
 * threads that are charged with it, unfolded, and the critical path where it is known: as many lanes as fit the
 * screen. Folds, pins and hidden rows stay as they are underneath, and everything else that a person set up (window,
 * cursor, marks, matches) is kept, so that ending it brings all of that back. */
#ifndef TT_TUI_TIMELINE_EVIDENCE_H
#define TT_TUI_TIMELINE_EVIDENCE_H

#include "tui/timeline/model/timeline.h"
#include "tui/timeline/navigate/pieces.h"

typedef struct tt_evidence tt_evidence;

/* Keep what is there, and show the window of an origin (a slice, or a stretch of time of a trace) while its evidence
 * is worked out: all rows. False: it has no place. */
bool tt_evidence_expect(tt_timeline *t, const tt_drilldown *o);
/* Show where it is, on these rows alone; why the device waits is known (derived.h). pieces: those of the finding, of
 * which the longest in the window is selected; taken over, NULL = it has none. Evidence that is shown already is
 * replaced, and what was there before the first comes back at the end. */
bool tt_evidence_begin(tt_timeline *t, const tt_drilldown *o, tt_pieces *pieces);
/* The next piece (dir > 0) or the one before, wide enough to be read; false = there are none. */
bool tt_evidence_next_piece(tt_timeline *t, int dir, bool *wrapped);
/* The cursor was put elsewhere: the piece that it is in, or the next one, is the one that is shown. */
void tt_evidence_piece_here(tt_timeline *t);
/* The pieces, NULL = there are none; *at: which is shown. */
const tt_pieces *tt_evidence_all_pieces(const tt_timeline *t, size_t *at);
/* The same for gaps of devices: at[show] is shown, n and N walk through all of them. */
bool tt_evidence_gaps(tt_timeline *t, const tt_hit_range *at, size_t n, size_t show);
/* Show range i of those that n and N walk through, on the rows of its own cause where only such are shown. */
void tt_evidence_step(tt_timeline *t, size_t i);
/* Everything is as it was before. Nothing when no evidence is shown. */
void tt_evidence_end(tt_timeline *t);
/* All rows again, but the window stays; tt_evidence_end() still brings back the rest. */
void tt_evidence_all_rows(tt_timeline *t);
void tt_evidence_free(tt_evidence *e); /* NULL is fine */

#endif
