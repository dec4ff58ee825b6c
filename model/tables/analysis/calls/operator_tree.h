/* model/tables/analysis/calls/operator_tree.h - the calls of a trace merged by place: operators under those that called
 * them, then the device work that they launched. What table operator_tree lists and diff_operator_tree compares. */
#ifndef TT_MODEL_TABLES_ANALYSIS_OPERATOR_TREE_H
#define TT_MODEL_TABLES_ANALYSIS_OPERATOR_TREE_H

#include "model/tables/analysis/calls/path_tree.h"
#include "model/tables/table_util.h"

/* Kinds of slices behind a place on the host and of one on a device: bits of tt_drilldown.kinds. */
#define TT_TREE_HOST_KINDS                                                                                             \
    (1u << TT_KIND_CPU_OP | 1u << TT_KIND_OP_INNER | 1u << TT_KIND_PYTHON_OP | 1u << TT_KIND_COMMUNICATION)
#define TT_TREE_DEVICE_KINDS                                                                                           \
    (1u << TT_KIND_KERNEL | 1u << TT_KIND_MEMCPY | 1u << TT_KIND_MEMSET | 1u << TT_KIND_COLLECTIVE)

typedef struct tt_tree_place {
    tt_stat host, dev; /* ns, by call; dev of an operator: device work launched inside, sums of durations. dev.n is how
                          often it was called or ran */
    int64_t host_self; /* ns; as self_time.h has it */
    bool is_device;    /* kernel, copy or set: no call on the host */
} tt_tree_place;

typedef struct tt_operator_tree {
    tt_path_tree places;      /* names are ids of the trace's strings, extra is 1 of device work; in order of first
                                 appearance: parents before children, operators before device work */
    TT_VEC(tt_tree_place) at; /* by place */
    bool has_device;          /* the trace has device work */
} tt_operator_tree;

/* Of a trace, in the windows and on the thread of the query. O(calls); caller frees. */
tt_operator_tree tt_operator_tree_make(const tt_query *q);
void tt_operator_tree_free(tt_operator_tree *o);

#endif
