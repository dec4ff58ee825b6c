/* tui/screens/distributed/cluster_ranks.h - what the ranks of a cluster do with a step, by the table cluster_steps,
 * and which of them the others wait for. */
#ifndef TT_TUI_SCREENS_CLUSTER_RANKS_H
#define TT_TUI_SCREENS_CLUSTER_RANKS_H

#include "model/tables/table.h"
#include "tui/charts/stacked_bar.h"

enum { TT_CLUSTER_PARTS = 5, TT_CLUSTER_TIMES = 3 };
/* Parts of a step, one after the other: computing, overlapped, exposed communication, waits for stages, free. */
extern const tt_stack_part tt_cluster_parts[TT_CLUSTER_PARTS];

typedef struct tt_cluster_rank { /* the average step that its profiler stored, else means over its steps in scope */
    const char *worker;          /* "" = there is one only */
    const char *index;
    char name[40]; /* "rank 3" */
    int64_t ns[TT_CLUSTER_PARTS];
    int64_t time[TT_CLUSTER_TIMES]; /* computing, exposed communication, free; TT_UNKNOWN */
    uint32_t stage;                 /* ranks are compared with those of the same pipeline stage */
    char slow[80];                  /* "computes 12.3 ms (5.1%) longer"; "" = it is not slow */
} tt_cluster_rank;

typedef struct tt_cluster_ranks {
    tt_cluster_rank *ranks; /* in the order of the table */
    uint32_t n;
    bool stored;       /* they are such averages */
    uint32_t worst;    /* the one that is slow by most; TT_NONE = none is */
    char verdict[200]; /* the same in words; "" = no rank is slow */
} tt_cluster_ranks;

/* Read a table, which must outlive this or be replaced by NULL. Slow: as finding slow_rank, a time differs by more than
 * 5% of the mean step between the ranks of a stage. */
void tt_cluster_ranks_set(tt_cluster_ranks *c, const tt_table *t);
void tt_cluster_ranks_free(tt_cluster_ranks *c);

#endif
