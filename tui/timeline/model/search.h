/* tui/timeline/model/search.h - slices whose names match, which drawing highlights and n and N step through. */
#ifndef TT_TUI_TIMELINE_MODEL_SEARCH_H
#define TT_TUI_TIMELINE_MODEL_SEARCH_H

#include "tui/timeline/model/timeline.h"

/* Highlight the slices whose name, or whole text, contains text (exact: whose name is it); NULL or "" = none.
 * O(slices) when it changes. */
void tt_timeline_match(tt_timeline *t, const char *text, bool exact);
void tt_timeline_rematch(tt_timeline *t); /* look again, after the filter or the view has changed */
/* Whether the slice's name matches, or the text that its name begins; while there is a search. Any thread. */
bool tt_timeline_matches(const tt_timeline *t, uint32_t trace, tt_row r);
/* The next match by time (dir > 0 after the cursor, < 0 before it, 0 at or after it); wraps. Row TT_NONE = no match. */
tt_slice_ref tt_timeline_next_match(tt_timeline *t, int dir, bool *wrapped);
/* Place of the selected slice among all matches by time, from 1; 0 = it does not match. O(tracks log slices). */
uint64_t tt_timeline_hit_place(const tt_timeline *t);

typedef struct tt_lane_hits { /* the matches of a lane, by time */
    const tt_row *at;
    size_t n;
} tt_lane_hits;
/* depth TT_NONE: the matches of the track. O(matches of the track) the first time. */
tt_lane_hits tt_timeline_hits_of(tt_timeline *t, uint32_t trace, uint32_t track, uint32_t depth);
/* A match begins in trace time [a, b). *next: where the search begins, 0 at first; for calls with ascending a. */
bool tt_timeline_hit_in(const tt_trace *s, const tt_lane_hits *h, size_t *next, int64_t a, int64_t b);

#endif
