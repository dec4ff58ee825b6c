/* model/tables/analysis/calls/operator_tree.h - the calls of a trace merged by place: operators under their callers,
 * then the device work that they launched. Table operator_tree lists it, diff_operator_tree compares two. */
#ifndef TT_MODEL_TABLES_ANALYSIS_CALLS_OPERATOR_TREE_H
#define TT_MODEL_TABLES_ANALYSIS_CALLS_OPERATOR_TREE_H

#include "model/index/path_tree.h"
#include "model/tables/table_util.h"

/* kinds of slices behind a place on the host, and on the device: bits of tt_drilldown.kinds */
#define TT_TREE_HOST_KINDS                                                                                             \
    (1u << TT_KIND_CPU_OP | 1u << TT_KIND_OP_INNER | 1u << TT_KIND_PYTHON_OP | 1u << TT_KIND_COMMUNICATION)
#define TT_TREE_DEVICE_KINDS                                                                                           \
    (1u << TT_KIND_KERNEL | 1u << TT_KIND_MEMCPY | 1u << TT_KIND_MEMSET | 1u << TT_KIND_COLLECTIVE)

typedef struct tt_tree_place {
    /* ns of each call; dev of an operator: device work launched inside, sums of durations; dev.n: number of calls or
     * runs */
    tt_stat host, dev;
    int64_t host_self; /* self time by self_time.h, ns */
    bool is_device;    /* kernel, copy or set, instead of a call on the host */
} tt_tree_place;

typedef struct tt_operator_tree {
    /* names are ids of the trace's strings, extra is 1 for device work; in order of first appearance: parents before
     * children, operators before device work */
    tt_path_tree places;
    TT_VEC(tt_tree_place) at; /* data of each place */
    bool has_device;          /* the trace has device work */
} tt_operator_tree;

/* Make the tree of the query's trace, in the windows and on the thread of the query. O(calls); the caller frees. */
tt_operator_tree tt_operator_tree_make(const tt_query *q);
void tt_operator_tree_free(tt_operator_tree *o);

#endif
