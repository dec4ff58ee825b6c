/* tui/screens/straggler.h - the rank that the others wait for in collectives, and why it is late.
 *
 * Who waits for whom is what tables comm_ranks and comm_waits say; why is its step against the same step of the other
 * ranks: the part of step_breakdown that takes longest beyond the median of the others. Waiting itself is no reason, so
 * communication is not looked at. */
#ifndef TT_TUI_SCREENS_STRAGGLER_H
#define TT_TUI_SCREENS_STRAGGLER_H

#include "model/tables/table.h"

typedef struct tt_straggler {
    const tt_table *ranks;      /* comm_ranks */
    uint32_t row;               /* of ranks; TT_NONE: nobody waits, or most collectives are inconclusive */
    const char *worker;         /* the table's */
    int64_t caused, once;       /* ns that the others waited for it; of that, for one collective */
    int64_t longest;            /* of one rank in one collective */
    int64_t last, calls;        /* collectives in which it was last to arrive, of so many */
    char step[24];              /* in which the others waited for it most; "" = the trace has no steps */
    int part;                   /* of tt_step_parts_shown: why; -1: nothing tells */
    int64_t part_more;          /* ns that this takes longer than on the median of the others */
    int64_t *waited;            /* by row of ranks: what that rank waited for this one */
    uint32_t doubtful, n_calls; /* collectives of which nobody can say who was last, of all */
} tt_straggler;

/* Tables of all ranks; any may be NULL or empty. O(rows log ranks). Free with tt_straggler_free(). */
tt_straggler tt_straggler_of(const tt_table *comm_ranks, const tt_table *comm_waits, const tt_table *breakdown);
void tt_straggler_free(tt_straggler *s);
/* "in step 4 its DataLoader takes 31.5 ms longer than the median rank's"; "" = nothing tells. */
void tt_straggler_why(const tt_straggler *s, char *out, size_t cap);

#endif
