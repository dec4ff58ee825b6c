/* model/tables/analysis/calls/python_line.h - the line of the program around a moment of a host thread.
 *
 * Profilers write Python functions as slices named "train.py(31): step", or the whole call stack into an operator. Most
 * frames belong to libraries: what a person can change is the innermost frame of the program itself. */
#ifndef TT_MODEL_TABLES_ANALYSIS_PYTHON_LINE_H
#define TT_MODEL_TABLES_ANALYSIS_PYTHON_LINE_H

#include "model/trace/trace.h"

/* A frame "file(line): function" of the program: neither built in nor of an installed package, of the framework or of
 * Python's own modules. */
bool tt_python_is_user(const char *frame);

/* The first such frame of a call stack, whose frames a semicolon parts, the innermost first. */
bool tt_python_line_of_stack(const char *stack, char *out, size_t cap);

/* The innermost such Python function around t (trace time) on a host track, "train.py(31): step": from Python
 * functions, else from the call stack of the innermost operator that has one. False: neither tells; out is "" then.
 * O(depth + log slices). */
bool tt_python_line_on(const tt_trace *s, uint32_t track, int64_t t, char *out, size_t cap);

/* Answers of tt_python_line_at() for those who ask at many moments: then what is around a slice is walked once, however
 * deep it lies. All zero at first. */
typedef struct tt_line_memo {
    tt_row *python, *op; /* by row: 2 + the row at or above it that tells, 1 = none, 0 = not known yet */
    tt_row *last_frame;  /* see tt_track_slice_at_with() */
} tt_line_memo;
void tt_line_memo_free(tt_line_memo *m);

/* The same; where neither tells (a thread that runs no Python, as that of the backward pass), what the thread of
 * the step around t is in. track TT_NONE: of the step alone. False: nothing is known; out is "" then. */
bool tt_python_line_at(const tt_trace *s, uint32_t track, int64_t t, char *out, size_t cap);
/* Likewise, with what was found before; memo may be NULL. */
bool tt_python_line_with(const tt_trace *s, tt_line_memo *memo, uint32_t track, int64_t t, char *out, size_t cap);
/* Likewise of the thread of the step alone, unless that is `track`. */
bool tt_python_line_of_step(const tt_trace *s, tt_line_memo *memo, uint32_t track, int64_t t, char *out, size_t cap);
/* tt_python_line_on() likewise. */
bool tt_python_line_on_with(const tt_trace *s, tt_line_memo *memo, uint32_t track, int64_t t, char *out, size_t cap);

/* The line that a slice of any kind was called on; of device work where it was launched. */
bool tt_python_line_of_slice(const tt_trace *s, tt_row r, char *out, size_t cap);

/* "GPT > Block > MLP": the classes of the modules around t on a host track, the outermost first, at most 16. False:
 * none; out is "" then. memo: as above, may be NULL. */
bool tt_module_path_at(const tt_trace *s, tt_line_memo *memo, uint32_t track, int64_t t, char *out, size_t cap);

#endif
