/* tui/pair/pair.h - the timelines of two runs with one window, aligned at a moment of each.
 *
 * The aligned moment of a side is the start of a step (steps are matched by order, tt_matching); without steps the
 * start of the chosen ranges, the first device work, or the beginning of the trace. Times at the same distance from
 * it stand in one column, to the nanosecond. Times of a side are on the common axis of its own session; "offset" is
 * a distance from the aligned moment. Nothing here draws or blocks. One thread. */
#ifndef TT_TUI_PAIR_PAIR_H
#define TT_TUI_PAIR_PAIR_H

#include "model/tables/compare/matching.h"
#include "tui/timeline/model/timeline.h"

typedef enum tt_pair_by { TT_PAIR_BY_STEP, TT_PAIR_BY_RANGE, TT_PAIR_BY_WORK, TT_PAIR_BY_START } tt_pair_by;

typedef struct tt_pair_half {
    tt_timeline *t;
    const char *worker; /* the worker whose tracks are shown, owned by the session; NULL = all workers */
    uint32_t trace;     /* the trace of the aligned step; else the worker's first trace */
    uint32_t sample;    /* BY_STEP: index into the samples of the worker */
    int64_t zero;       /* the aligned moment */
    int64_t length;     /* BY_STEP: the length of the step, ns */
} tt_pair_half;

typedef struct tt_pair {
    tt_matching m;
    tt_pair_half half[TT_SIDES];
    uint32_t worker; /* index into m.workers */
    tt_pair_by by;
    bool short_names; /* calls meet by their short names */
    int focus;        /* the side that keys act on */
} tt_pair;

/* Make a pair aligned at the first samples, with devices in sight. The sessions outlive the pair. O(rows of both
 * timelines). */
tt_pair *tt_pair_new(tt_session *new_run, const tt_scope *scope, const tt_comparison *c);
void tt_pair_free(tt_pair *p); /* NULL is fine */

/* Align at these samples of a matched worker, as far as there are so many; the window keeps its offsets. */
void tt_pair_align(tt_pair *p, uint32_t worker, uint32_t base_sample, uint32_t new_sample);
/* Both sides go to their next (dir > 0) or previous sample; false = one has none. */
bool tt_pair_step(tt_pair *p, int dir);
/* Zoom to the whole aligned step, the longer one of both sides; without steps, to all of both traces. */
void tt_pair_whole_step(tt_pair *p);
/* Give the other half the window and the cursor of the half with the focus. */
void tt_pair_follow(tt_pair *p);
void tt_pair_show_hidden(tt_pair *p, int side); /* tracks of other workers stay hidden */
int64_t tt_pair_offset(const tt_pair *p, int side, int64_t at);
const tt_step *tt_pair_aligned_step(const tt_pair *p, int side); /* NULL = no step is aligned */

/* ---- what of one side is what of the other: slices of one name and kind, in the same sample, by their order. Device
 * work has the order of its launches, which does not depend on how fast a device is. ---- */
typedef struct tt_pair_call {
    tt_slice_ref r; /* the slice, row TT_NONE = none */
    uint32_t place; /* index among the slices of its name and kind in its sample */
    uint32_t n;     /* number of those slices */
    bool in_sample; /* the slice lies in a step that was compared, or there are no steps */
    int64_t offset; /* distance of its start from the start of its sample, ns */
} tt_pair_call;
/* A slice of one side and its counterpart on the other. O(slices of the sample). */
void tt_pair_calls(const tt_pair *p, int side, tt_slice_ref r, tt_pair_call out[TT_SIDES]);
/* The call of a name at an index in the aligned sample; row TT_NONE = none. */
tt_slice_ref tt_pair_call_at(const tt_pair *p, int side, const char *name, tt_kind kind, uint32_t place);

/* Show the slices of a row of a comparison (tt_host_show_both()): at the first sample with slices on both sides,
 * else at the first sample of each side. Returns bits 1 << side of the sides that have slices. O(slices of both). */
unsigned tt_pair_show(tt_pair *p, const tt_scope *scope, const tt_comparison *c, const tt_drilldown at[TT_SIDES]);

#endif
