/* model/tables/operators/replayed_ops.h - operators whose calls were captured, with the work that replays of the graph
 * did in their place. */
#ifndef TT_MODEL_TABLES_OPERATORS_REPLAYED_OPS_H
#define TT_MODEL_TABLES_OPERATORS_REPLAYED_OPS_H

#include "model/tables/analysis/graphs/graph_owner.h"
#include "model/tables/table.h"

typedef struct tt_replayed_op {
    const char *name;      /* lives as long as the session */
    const tt_trace *trace; /* trace of the captured call; NULL = the name is all that is known */
    tt_row row;            /* the call of the operator in that trace */
    int64_t calls;         /* replays of it; 0 when only the name is known */
    int64_t self_ns, total_ns, tensor_self_ns, tensor_total_ns; /* durations of work: its own; with operators inside */
} tt_replayed_op;

typedef struct tt_replayed_ops {
    TT_VEC(tt_replayed_op) at; /* a captured call of an operator each, then names; in order of first works */
} tt_replayed_ops;

/* Numbers of texts of a trace and of the captures of its graphs; equal texts have equal numbers. */
typedef struct tt_op_texts {
    const tt_trace *s;
    tt_strings more;         /* texts that the trace does not have, ... */
    TT_VEC(const char *) at; /* ... and where they live */
} tt_op_texts;
void tt_op_texts_init(tt_op_texts *t, const tt_trace *s);
void tt_op_texts_free(tt_op_texts *t);
tt_sid tt_op_texts_put(tt_op_texts *t, const char *text); /* which lives as long as the session */
const char *tt_op_text(const tt_op_texts *t, tt_sid id);

/* Work of an owner in scope. A replay runs a captured call once, so works counts the replays of the call. */
typedef struct tt_owned_work {
    int64_t ns, tensor_ns, works;
} tt_owned_work;
/* Sums by owner; the caller frees them. NULL: no graph is launched. */
tt_owned_work *tt_owned_work_in(const tt_query *q);

/* Collect the work in scope that belongs to operators because of an annotation, a capture or the kernel's name. */
tt_replayed_ops tt_replayed_ops_in(const tt_query *q);
void tt_replayed_ops_free(tt_replayed_ops *r);
/* Whether the work of a replay belongs to an operator that did not launch the graph. */
static inline bool tt_owned_elsewhere(const tt_graph_owner *o) { return o && o->source != TT_GRAPH_LAUNCH; }

#endif
