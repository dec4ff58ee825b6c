/* tui/screens/distributed/cluster_ranks.h - how the ranks of a cluster spend a step, by the table cluster_steps, and
 * the rank that the others wait for. */
#ifndef TT_TUI_SCREENS_DISTRIBUTED_CLUSTER_RANKS_H
#define TT_TUI_SCREENS_DISTRIBUTED_CLUSTER_RANKS_H

#include "model/tables/table.h"
#include "tui/charts/stacked_bar.h"

enum { TT_CLUSTER_PARTS = 5, TT_CLUSTER_TIMES = 3 };
/* Parts of a step in the order of a bar: computing, overlapped, exposed communication, waits for stages, free. */
extern const tt_stack_part tt_cluster_parts[TT_CLUSTER_PARTS];

typedef struct tt_cluster_rank { /* the average step that the rank's profiler stored, else means over the rank's steps
                                    in scope */
    const char *worker;          /* worker of the rank; "" = there is one worker */
    const char *index;
    char name[40]; /* name of the rank, "rank 3" */
    int64_t ns[TT_CLUSTER_PARTS];
    int64_t time[TT_CLUSTER_TIMES]; /* computing, exposed communication, free; TT_UNKNOWN */
    uint32_t stage;                 /* pipeline stage: a rank is compared with the ranks of its stage */
    char slow[80];                  /* why the rank is slow, "computes 12.3 ms (5.1%) longer"; "" = it is not slow */
} tt_cluster_rank;

typedef struct tt_cluster_ranks {
    tt_cluster_rank *ranks; /* ranks in the order of the table */
    uint32_t n;
    bool stored;       /* the ranks have averages that their profiler stored */
    uint32_t worst;    /* the slowest rank; TT_NONE = no rank is slow */
    char verdict[200]; /* the slowest rank in words; "" = no rank is slow */
} tt_cluster_ranks;

/* Read a table, which must outlive the ranks or be replaced by NULL. A rank is slow if a time differs by more than
 * 5% of the mean step between the ranks of a stage, as in finding slow_rank. */
void tt_cluster_ranks_set(tt_cluster_ranks *c, const tt_table *t);
void tt_cluster_ranks_free(tt_cluster_ranks *c);

#endif
