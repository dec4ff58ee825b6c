/* model/index/bands.h - display rows of slices when the stacks of host threads are folded.
 *
 * A recorded stack is mostly library frames: __call__, wrappers, importlib. Folded, a thread has bands, one below
 * the other: steps and annotations; modules and the program's own Python functions; operators; runtime calls. Within
 * a band a slice lies on the lane below the slice of its band around it, whatever their depths in the whole stack;
 * so slices of a lane do not overlap. Crossing slices lie on further lanes of their band.
 * Hidden, without a lane:
 * - Python functions of libraries, and built-in ones;
 * - nested outermost functions of the program, while each takes nearly all of the thread's time (<module>, main,
 * run):
 *   the innermost stays, or the module that it only calls;
 * - the function that a module consists of: forward, or whatever takes nearly all of it.
 * A stream has two bands: the work, and below it annotations copied from the host (in TT_BAND_RUNTIME). Other tracks
 * have none: their lanes are the recorded depths.
 *
 * Lanes of a track are computed on first use: O(slices), one byte per name and two per slice. Thread-safe. */
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

/* is_user: whether a frame "file(line): function" belongs to the program itself. The trace must outlive the bands. */
tt_bands *tt_bands_new(const tt_trace *s, bool (*is_user)(const char *frame));
void tt_bands_free(tt_bands *b); /* NULL is allowed */
/* Compute the lanes of all tracks on up to `threads` threads. Returns early once *stop (can be NULL) is true. */
void tt_bands_build(tt_bands *b, unsigned threads, const atomic_bool *stop);
bool tt_bands_ready(const tt_bands *b, uint32_t track); /* the lanes of the track are known */
/* Lanes of a track: band i has [first[i], first[i + 1]), up to first[TT_BAND_COUNT_]. NULL = the track has no bands. */
const uint32_t *tt_bands_of(tt_bands *b, uint32_t track);
uint32_t tt_bands_lanes(tt_bands *b, uint32_t track); /* number of lanes; without bands its depths */
/* By row of the trace: only the comparison with TT_LANE_NONE is valid. NULL = not all tracks are computed yet. */
const uint16_t *tt_bands_folded(const tt_bands *b);
/* By row of the trace, for the rows of a track: the lane, or TT_LANE_NONE. */
const uint16_t *tt_bands_lane(tt_bands *b, uint32_t track);
tt_band tt_band_of_kind(tt_kind k);
/* The track is a host thread. So is a track that Kineto wrote under process id 0, which is also the id of the first
 * device: the kinds of its first slices decide. */
bool tt_track_is_host(const tt_trace *s, uint32_t track);

#endif
