/* model/trace/call_stack.h - the call stack of a recorded host call: a text recorded with it, or the Python frames
 * that are slices around it. */
#ifndef TT_MODEL_TRACE_CALL_STACK_H
#define TT_MODEL_TRACE_CALL_STACK_H

#include "model/trace/trace.h"

#define TT_PYTHON_FRAMES (1u << TT_KIND_PYTHON | 1u << TT_KIND_MODULE) /* kinds of slices that are Python frames */

/* Most frames of a stack made of slices: the innermost ones, followed by "...". Endless recursion must not make an
 * endless text for each of its calls. */
enum { TT_STACK_FRAMES = 128 };
#define TT_STACK_CUT ";..."

/* The stack text that was recorded with the call ("Call stack": innermost frame first, joined by ";"); 0 = none. */
tt_sid tt_call_stack_recorded(const tt_trace *s, tt_row r);
/* Whether the stack of a call, recorded or made of slices, is this text, whole or cut at TT_STACK_FRAMES. */
bool tt_call_stack_is(const tt_trace *s, uint32_t track, tt_row r, const char *text);

#endif
