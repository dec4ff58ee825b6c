/* model/index/bands.h - the rows in which slices are shown when the stacks of host threads are folded.
 *
 * A stack as it was recorded is mostly frames that nobody wrote: __call__, wrappers, importlib. Folded, a thread has
 * bands, one below the other: steps and annotations; modules and the program's own Python functions; operators; calls
 * of the runtime. In a band a slice lies on the lane below the slice of the same band around it, wherever it was in
 * the whole stack; so slices of a lane do not overlap. Slices that cross lie on further lanes of their band.
 * Not shown, with no lane:
 * - Python functions of libraries, and built-in ones;
 * - the outermost functions of the program, one inside the other, as long as each takes nearly all of the thread's
 *   time (<module>, main, run): the innermost of them stays, or the module that it only calls;
 * - of a module the function that it consists of: forward, or whatever takes nearly all of it.
 * A stream has two bands: the work, and below it the annotations that were copied to it from the host (in
 * TT_BAND_RUNTIME). Other tracks have none: their lanes are the depths as recorded.
 *
 * Lanes of a track are worked out when they are first asked for: O(slices), one byte a name and two a slice.
 * Thread-safe. */
#ifndef TT_MODEL_INDEX_BANDS_H
#define TT_MODEL_INDEX_BANDS_H

#include <stdatomic.h>

#include "model/trace/trace.h"

typedef enum tt_band {
    TT_BAND_STEPS,
    TT_BAND_MODULES,
    TT_BAND_OPERATORS,
    TT_BAND_RUNTIME,
    TT_BAND_COUNT_,
} tt_band;

enum { TT_LANE_NONE = UINT16_MAX };

typedef struct tt_bands tt_bands;

/* is_user: a frame "file(line): function" is of the program itself. The trace must outlive it. */
tt_bands *tt_bands_new(const tt_trace *s, bool (*is_user)(const char *frame));
void tt_bands_free(tt_bands *b); /* NULL is fine */
/* Work out the lanes of all tracks on up to `threads` threads. Returns early once *stop (may be NULL) is true. */
void tt_bands_build(tt_bands *b, unsigned threads, const atomic_bool *stop);
bool tt_bands_ready(const tt_bands *b, uint32_t track); /* the lanes of the track are known */
/* Lanes of a track: band i has [first[i], first[i + 1]), the last of them ends at first[TT_BAND_COUNT_]. NULL = the
 * track has no bands. */
const uint32_t *tt_bands_of(tt_bands *b, uint32_t track);
uint32_t tt_bands_lanes(tt_bands *b, uint32_t track); /* how many; without bands its depths */
/* By row of the trace, for rows of all tracks: only whether it is TT_LANE_NONE. NULL = not all of them are known yet.
 */
const uint16_t *tt_bands_folded(const tt_bands *b);
/* By row of the trace, for the rows of a track: the lane, or TT_LANE_NONE. */
const uint16_t *tt_bands_lane(tt_bands *b, uint32_t track);
tt_band tt_band_of_kind(tt_kind k);
/* A host thread: also one that Kineto wrote under process id 0, which is that of the first device: it begins with what
 * only a host does. */
bool tt_track_is_host(const tt_trace *s, uint32_t track);

#endif
