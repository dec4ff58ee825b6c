/* parser/pickle/frames.h - frames and stacks in the pickles of PyTorch: dictionaries {name, filename, line}, and lists
 * of them, innermost first. Each frame and stack is kept once. */
#ifndef TT_PARSER_PICKLE_FRAMES_H
#define TT_PARSER_PICKLE_FRAMES_H

#include "model/base/group_by.h"
#include "model/text/stacks.h"
#include "parser/pickle/pickle.h"

typedef struct tt_pickle_frames {
    tt_pickle *p;
    unsigned kind;                /* kind of record of a frame */
    tt_sid filename, line, name;  /* the keys of a frame */
    TT_VEC(tt_frame) at;          /* their strings are the pickle's */
    tt_groups ids;                /* frames already kept */
    tt_strings stacks;            /* stacks as lists of frame numbers; id 0 = none */
    TT_VEC(uint32_t) sequence_of; /* stack + 1 by sequence of the pickle; 0 = not converted yet */
} tt_pickle_frames;

/* Frames become records of this kind. Call it before reading. */
void tt_pickle_frames_init(tt_pickle_frames *f, tt_pickle *p, unsigned kind);
void tt_pickle_frames_free(tt_pickle_frames *f);
/* The record of a dictionary with these members (key, value, ...); 0: it is no frame. */
tt_pickle_node tt_pickle_frame(tt_pickle_frames *f, const tt_pickle_cell *members, size_t n);
/* The stack of a list of frames; 0: none. */
uint32_t tt_pickle_stack(tt_pickle_frames *f, tt_pickle_node list);
/* Number of frames of a stack. */
static inline uint32_t tt_pickle_stack_depth(const tt_pickle_frames *f, uint32_t stack)
{
    return f->stacks.len.at[stack] / (uint32_t)sizeof(uint32_t);
}
/* Frame i of a stack; its strings are the pickle's. */
const tt_frame *tt_pickle_stack_frame(const tt_pickle_frames *f, uint32_t stack, uint32_t i);
/* Move all into *out, with strings in `to`; memo as for tt_pickle_moved(). */
void tt_pickle_frames_keep(tt_pickle_frames *f, tt_strings *to, uint32_t *memo, tt_stacks *out);

#endif
