/* model/tables/analysis/calls/backward.h - from an operator of the backward pass to the forward one that it belongs
 * to, as flows of the trace tie them (PyTorch: fwdbwd). The thread of the backward pass runs no Python, so this is
 * what says which line of the program its work comes from. */
#ifndef TT_MODEL_TABLES_ANALYSIS_BACKWARD_H
#define TT_MODEL_TABLES_ANALYSIS_BACKWARD_H

#include "model/tables/analysis/calls/python_line.h"
#include "model/trace/session.h"

/* The forward operator of r, or of the innermost operator around r that has one; TT_NONE. O(depth log flows); the
 * first call for a trace looks at all its flows. */
tt_row tt_forward_of(const tt_session *s, uint32_t trace, tt_row r);
/* The line of the program that a call is made on (python_line.h), or its forward operator. False: unknown, out "". */
bool tt_program_line_of(const tt_session *s, uint32_t trace, tt_row call, char *out, size_t cap);
/* Likewise, when the thread of the call itself is known not to tell. */
bool tt_program_line_elsewhere(const tt_session *s, uint32_t trace, tt_line_memo *memo, tt_row call, char *out,
                               size_t cap);
/* Likewise for those who ask of many calls. */
bool tt_program_line_with(const tt_session *s, uint32_t trace, tt_line_memo *memo, tt_row call, char *out, size_t cap);

#endif
