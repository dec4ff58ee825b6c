/* model/index/clip_to_window.h - the slices that lie in windows of the time axis at least in part, each cut to them.
 *
 * Tables count a slice by its start; this is for questions about a window itself: how much of it was spent in what. */
#ifndef TT_MODEL_INDEX_CLIP_TO_WINDOW_H
#define TT_MODEL_INDEX_CLIP_TO_WINDOW_H

#include "model/trace/session.h"

typedef struct tt_clipped {
    tt_row row;
    uint32_t track;
    int64_t t0, t1; /* the part in the window, trace time; t0 == t1: a slice without duration */
    bool again;     /* an earlier window had a part of it too */
} tt_clipped;

/* Visit the slices of one track (TT_ALL: of every track) that touch a window: track by track, window by window, by
 * row; so the parts of a track come in the order of t0. A slice without duration belongs to the window of its start.
 * Windows are ascending and disjoint. O(log slices) per track and window, plus what is visited; the first call makes
 * one pass over the trace. */
void tt_clipped_walk(const tt_session *s, uint32_t trace, const tt_windows *w, int64_t track,
                     void (*visit)(void *arg, const tt_clipped *part), void *arg);
/* Length of the windows inside the recording. */
int64_t tt_clipped_length(const tt_trace *s, const tt_windows *w);

#endif
