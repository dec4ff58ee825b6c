/* model/tables/analysis/graphs/eager_operators.h - the operator under which a kernel is launched outside of graphs. */
#ifndef TT_MODEL_TABLES_ANALYSIS_GRAPHS_EAGER_OPERATORS_H
#define TT_MODEL_TABLES_ANALYSIS_GRAPHS_EAGER_OPERATORS_H

#include "model/trace/session.h"

/* Kinds of slices that are operators. */
#define TT_OPERATOR_KINDS (1u << TT_KIND_CPU_OP | 1u << TT_KIND_PYTHON_OP | 1u << TT_KIND_COMMUNICATION)

/* The operator that launched the work or call: what the links say, unless that is a range in a trace that has
 * operators. TT_NONE. */
tt_row tt_operator_or_none(const tt_trace *s, tt_row linked);

/* By name of a kernel of the trace: the operator under which all of its work outside of graphs was launched, in all
 * traces of the worker and in the keys; NULL = there is none, or several. The caller frees the list; the texts live as
 * long as the session. */
const char **tt_eager_operators(const tt_session *s, uint32_t trace);

#endif
