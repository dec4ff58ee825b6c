/* model/tables/analysis/calls/python_stack.h - the Python frames around host calls.
 *
 * PyTorch up to 1.11 wrote the call stack into each operator ("Call stack"). Since then every frame is a slice, and
 * the stack of a call is made of the frames of its thread that hold the start of the call; a frame that begins with
 * the call must hold it whole. Where a trace has both, the text in the operator counts. Frames are places of a tree,
 * one for each call path, so that a walk over a trace costs O(slices). */
#ifndef TT_MODEL_TABLES_ANALYSIS_CALLS_PYTHON_STACK_H
#define TT_MODEL_TABLES_ANALYSIS_CALLS_PYTHON_STACK_H

#include "model/index/path_tree.h"
#include "model/trace/call_stack.h"

typedef struct tt_open_frame {
    tt_row row;
    uint32_t place;
} tt_open_frame;

typedef struct tt_python_frames {
    const tt_trace *s;
    tt_path_tree tree;     /* names are string ids of frames */
    TT_VEC(tt_sid) line;   /* per place the innermost frame of the program at or above it (python_line.h); 0 = none */
    TT_VEC(tt_sid) module; /* per place the innermost nn.Module at or above it; 0 = none */
    TT_VEC(tt_open_frame) open; /* frames that are open where the walk stands */
    tt_row next, end;           /* next row of the track that is walked, and the end of the track */
    bool none;                  /* the trace has no frames that are slices */
} tt_python_frames;

void tt_python_frames_init(tt_python_frames *f, const tt_trace *s);
void tt_python_frames_free(tt_python_frames *f);
/* Place of the innermost frame around slice r, which is no frame itself; TT_NONE. Rows in ascending order cost
 * O(slices) together. */
uint32_t tt_python_frames_at(tt_python_frames *f, tt_row r);

/* Number of a call's stack: equal stacks have equal numbers, 0 = no stack. Numbers below the number of the trace's
 * strings are recorded texts. */
uint32_t tt_call_stack_id(tt_python_frames *f, tt_row r);
uint32_t tt_call_stack_ids(const tt_python_frames *f); /* One more than the highest number so far. */
/* Frames of a stack's number, innermost first, joined by ";", at most `most` of them (0 = as call_stack.h cuts). In
 * the arena, or the trace's own text. */
const char *tt_call_stack_text(const tt_python_frames *f, uint32_t id, unsigned most, tt_arena *a);

#endif
