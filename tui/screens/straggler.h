/* tui/screens/straggler.h - the rank that the others wait for in collectives, and why it is late.
 *
 * The tables comm_ranks and comm_waits say who waits for whom. The reason is the part of step_breakdown that takes
 * longest beyond the median of the other ranks in the same step. Waiting itself is no reason, so communication is
 * left out. */
#ifndef TT_TUI_SCREENS_STRAGGLER_H
#define TT_TUI_SCREENS_STRAGGLER_H

#include "model/tables/table.h"

typedef struct tt_straggler {
    const tt_table *ranks; /* the table comm_ranks */
    uint32_t row;          /* row of `ranks`; TT_NONE: nobody waits, or most collectives are inconclusive */
    const char *worker;    /* worker of the straggler; owned by the table */
    /* caused: ns that the others waited for the straggler; once: the most of that in one collective */
    int64_t caused, once;
    int64_t longest;     /* the longest wait of one rank in one collective */
    int64_t last, calls; /* last: collectives in which the straggler came last; calls: all of its collectives */
    char step[24];       /* the step in which the others waited most for the straggler; "" = the trace has no steps */
    int part;            /* the reason: an index into tt_step_parts_shown; -1: unknown */
    int64_t part_more;   /* ns that this part takes longer than the median of the others */
    int64_t *waited;     /* by row of `ranks`: how long the rank waited for the straggler */
    uint32_t doubtful, n_calls; /* doubtful: collectives whose last rank is unknown; n_calls: all collectives */
} tt_straggler;

/* Find the straggler in tables of all ranks; any may be NULL or empty. O(rows log ranks). Free with
 * tt_straggler_free(). */
tt_straggler tt_straggler_of(const tt_table *comm_ranks, const tt_table *comm_waits, const tt_table *breakdown);
void tt_straggler_free(tt_straggler *s);
/* The reason in words: "in step 4 its DataLoader takes 31.5 ms longer than the median rank's"; "" = unknown. */
void tt_straggler_why(const tt_straggler *s, char *out, size_t cap);

#endif
