/* model/trace/call_stack.h - the call stack that a host call was recorded in: a text of its own, or Python frames that
 * are slices around it. */
#ifndef TT_MODEL_TRACE_CALL_STACK_H
#define TT_MODEL_TRACE_CALL_STACK_H

#include "model/trace/trace.h"

#define TT_PYTHON_FRAMES (1u << TT_KIND_PYTHON | 1u << TT_KIND_MODULE) /* kinds of slices that are frames */

/* Endless recursion does not make endless texts, one for each of its calls: of the frames that are slices a stack has
 * the innermost ones, and ends with this where there are more. */
enum { TT_STACK_FRAMES = 128 };
#define TT_STACK_CUT ";..."

/* The text that was recorded with the call ("Call stack": innermost first, joined by ";"), 0 = none. */
tt_sid tt_call_stack_recorded(const tt_trace *s, tt_row r);
/* Whether the stack of a call, recorded or nested, is this text, whole or cut as above. */
bool tt_call_stack_is(const tt_trace *s, uint32_t track, tt_row r, const char *text);

#endif
