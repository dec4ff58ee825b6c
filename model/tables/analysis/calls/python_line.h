/* model/tables/analysis/calls/python_line.h - the line of the program at a time of a host thread.
 *
 * Profilers write Python functions as slices named "train.py(31): step", or the whole call stack into an operator.
 * Most frames belong to libraries; a person can change the innermost frame of the program itself. */
#ifndef TT_MODEL_TABLES_ANALYSIS_CALLS_PYTHON_LINE_H
#define TT_MODEL_TABLES_ANALYSIS_CALLS_PYTHON_LINE_H

#include "model/trace/trace.h"

/* Whether "file(line): function" is a frame of the program: not built in, and not in an installed package, the
 * framework or Python's own modules. */
bool tt_python_is_user(const char *frame);

/* First frame of the program in a call stack with the innermost frame first, separated by semicolons. False: none. */
bool tt_python_line_of_stack(const char *stack, char *out, size_t cap);

/* Innermost frame of the program around t (trace time) on a host track, "train.py(31): step": from Python functions,
 * else from the call stack of the innermost operator that has one. False: unknown, out is "". O(depth + log slices). */
bool tt_python_line_on(const tt_trace *s, uint32_t track, int64_t t, char *out, size_t cap);

/* Remembers answers for callers who ask at many times: each slice's surroundings are walked once, however deep.
 * Zero-initialise. */
typedef struct tt_line_memo {
    tt_row *python, *op; /* per row: 2 + the row at or above it with the answer; 1 = no answer; 0 = not asked yet */
    tt_row *last_frame;  /* for tt_track_slice_at_with() */
} tt_line_memo;
void tt_line_memo_free(tt_line_memo *m);

/* Like tt_python_line_on(); on a thread without Python, such as that of the backward pass, the line of the thread of
 * the step around t. track TT_NONE: only the line of the step's thread. False: unknown, out is "". */
bool tt_python_line_at(const tt_trace *s, uint32_t track, int64_t t, char *out, size_t cap);
/* tt_python_line_at() with remembered answers; memo may be NULL. */
bool tt_python_line_with(const tt_trace *s, tt_line_memo *memo, uint32_t track, int64_t t, char *out, size_t cap);
/* The line of the step's thread alone, unless that thread is `track`; with remembered answers. */
bool tt_python_line_of_step(const tt_trace *s, tt_line_memo *memo, uint32_t track, int64_t t, char *out, size_t cap);
/* tt_python_line_on() with remembered answers. */
bool tt_python_line_on_with(const tt_trace *s, tt_line_memo *memo, uint32_t track, int64_t t, char *out, size_t cap);

/* The line that called a slice of any kind; for device work the line that launched it. */
bool tt_python_line_of_slice(const tt_trace *s, tt_row r, char *out, size_t cap);

/* "GPT > Block > MLP": classes of the modules around t on a host track, outermost first, at most 16. False: none,
 * out is "". memo may be NULL. */
bool tt_module_path_at(const tt_trace *s, tt_line_memo *memo, uint32_t track, int64_t t, char *out, size_t cap);

#endif
