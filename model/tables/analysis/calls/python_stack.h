/* model/tables/analysis/calls/python_stack.h - the Python frames around host calls.
 *
 * PyTorch up to 1.11 wrote the call stack into each operator ("Call stack"). Since then every frame is a slice of its
 * own, and the stack of a call is what it is nested in: the frames of its thread that hold its start, where one that
 * begins with the call holds it whole. Where a trace has both, the text in the operator counts.
 * Frames are kept as places of a tree, once for each call path, so that a walk over a trace costs O(slices). */
#ifndef TT_MODEL_TABLES_ANALYSIS_PYTHON_STACK_H
#define TT_MODEL_TABLES_ANALYSIS_PYTHON_STACK_H

#include "model/tables/analysis/calls/path_tree.h"
#include "model/trace/call_stack.h"

typedef struct tt_open_frame {
    tt_row row;
    uint32_t place;
} tt_open_frame;

typedef struct tt_python_frames {
    const tt_trace *s;
    tt_path_tree tree;     /* name: string id of the frame */
    TT_VEC(tt_sid) line;   /* by place: the innermost frame of the program at or above it (python_line.h), 0 = none */
    TT_VEC(tt_sid) module; /* by place: likewise the innermost nn.Module, 0 = none */
    TT_VEC(tt_open_frame) open; /* where the walk stands: the frames that are open there */
    tt_row next, end;           /* the next row of the track that is walked, its last one + 1 */
    bool none;                  /* the trace has no such slices */
} tt_python_frames;

void tt_python_frames_init(tt_python_frames *f, const tt_trace *s);
void tt_python_frames_free(tt_python_frames *f);
/* The place of the innermost frame around the slice r, which is no frame itself; TT_NONE. Rows in ascending order cost
 * O(slices) together. */
uint32_t tt_python_frames_at(tt_python_frames *f, tt_row r);

/* The stack of a call as a number: of equal stacks equal, 0 = none. Ids below the number of the trace's strings are
 * texts that were recorded. */
uint32_t tt_call_stack_id(tt_python_frames *f, tt_row r);
uint32_t tt_call_stack_ids(const tt_python_frames *f); /* one more than the highest id so far */
/* The frames of such an id, innermost first, joined by ";", at most `most` of them (0 = all). In the arena, or the
 * trace's own text. Without a limit of its own such a text is cut as call_stack.h says. */
const char *tt_call_stack_text(const tt_python_frames *f, uint32_t id, unsigned most, tt_arena *a);

#endif
