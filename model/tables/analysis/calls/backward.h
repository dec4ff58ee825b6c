/* model/tables/analysis/calls/backward.h - from an operator of the backward pass to its forward operator, by flows
 * of the trace (PyTorch: fwdbwd).
 *
 * The thread of the backward pass runs no Python, so this gives the line of the program that its work comes from. */
#ifndef TT_MODEL_TABLES_ANALYSIS_CALLS_BACKWARD_H
#define TT_MODEL_TABLES_ANALYSIS_CALLS_BACKWARD_H

#include "model/tables/analysis/calls/python_line.h"
#include "model/trace/session.h"

/* Forward operator of r, or of the innermost operator around r that has one; TT_NONE. O(depth log flows); the first
 * call for a trace looks at all of its flows. */
tt_row tt_forward_of(const tt_session *s, uint32_t trace, tt_row r);
/* Line of the program that made a call, or that made its forward operator (python_line.h). False: unknown; out is
 * "". */
bool tt_program_line_of(const tt_session *s, uint32_t trace, tt_row call, char *out, size_t cap);
/* Like tt_program_line_of(), when the thread of the call is known to have no line. */
bool tt_program_line_elsewhere(const tt_session *s, uint32_t trace, tt_line_memo *memo, tt_row call, char *out,
                               size_t cap);
/* Like tt_program_line_of(), for callers who ask about many calls; memo may be NULL. */
bool tt_program_line_with(const tt_session *s, uint32_t trace, tt_line_memo *memo, tt_row call, char *out, size_t cap);

#endif
