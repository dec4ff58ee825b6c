/* model/index/clip_to_window.h - slices that touch windows of the time axis, cut to them.
 *
 * Tables count a slice by its start; this serves questions about the use of a window's time. */
#ifndef TT_MODEL_INDEX_CLIP_TO_WINDOW_H
#define TT_MODEL_INDEX_CLIP_TO_WINDOW_H

#include "model/trace/session.h"

typedef struct tt_clipped {
    tt_row row;
    uint32_t track;
    int64_t t0, t1; /* the part in the window, trace time; t0 == t1: a slice without duration */
    bool again;     /* an earlier window had another part of the slice */
} tt_clipped;

/* Visit the slices of one track (TT_ALL: of every track) that touch a window: by track, by window, by row; so the
 * parts of a track ascend by t0. A slice without duration belongs to the window of its start. Windows are ascending
 * and disjoint. O(log slices) per track and window, plus the visits; the first call makes one pass over the trace. */
void tt_clipped_walk(const tt_session *s, uint32_t trace, const tt_windows *w, int64_t track,
                     void (*visit)(void *arg, const tt_clipped *part), void *arg);
/* Length of the windows inside the recording. */
int64_t tt_clipped_length(const tt_trace *s, const tt_windows *w);

#endif
