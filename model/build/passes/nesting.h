/* model/build/passes/nesting.h - parent and display row of slices that arrive in order of (start, -duration).
 *
 * The parent has meaning: the innermost earlier slice of the layer that contains the slice wholly. Python frames are
 * a separate layer: frames and the operators inside them are recorded by different clocks and cross sometimes, and
 * an operator must not lose its parent operator by that. The display row is for drawing: rows of a lane nest; a
 * crossing slice goes to a further lane. */
#ifndef TT_MODEL_BUILD_PASSES_NESTING_H
#define TT_MODEL_BUILD_PASSES_NESTING_H

#include "model/trace/trace.h"

enum { TT_NEST_LANES = 64 }; /* the last lane takes all slices that fit no other */

typedef struct tt_nest_open {
    int64_t end;
    tt_row row;
} tt_nest_open;
typedef TT_VEC(tt_nest_open) tt_nest_stack;

typedef struct tt_nest {
    int64_t tolerance; /* largest overlap that counts as rounding of the file's clock, not crossing, ns */
    tt_nest_stack layer[2];
    tt_nest_stack lane[TT_NEST_LANES];
    uint32_t lane_depths[TT_NEST_LANES]; /* display rows of each lane */
    uint32_t lanes;
    TT_VEC(struct tt_nest_moved {
        tt_row row;
        uint32_t lane;
    })
    moved; /* slices on further lanes; their depth counts from the lane's first row */
} tt_nest;

void tt_nest_begin(tt_nest *n, int64_t resolution_ns);
/* Add the next slice; sets *parent and *depth. */
void tt_nest_push(tt_nest *n, tt_row row, int64_t start, int64_t end, bool python, tt_row *parent, uint16_t *depth);
/* Put the further lanes below the first: adds to depth[] of the moved slices. Returns the number of display rows. */
uint32_t tt_nest_end(tt_nest *n, uint16_t *depth);
void tt_nest_free(tt_nest *n);

#endif
