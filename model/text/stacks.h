/* model/text/stacks.h - stacks that a pickle of PyTorch refers to: each frame and each stack is kept once.
 *
 * Strings are the trace's. */
#ifndef TT_MODEL_TEXT_STACKS_H
#define TT_MODEL_TEXT_STACKS_H

#include "model/text/strings.h"

typedef struct tt_frame { /* a function, and the line of it that runs */
    tt_sid file, function;
    int64_t line;
} tt_frame;

typedef struct tt_stacks {
    tt_frame *frames;
    uint32_t n_frames;
    uint32_t *frame; /* frames of all stacks, innermost first: indices into frames */
    uint32_t *first; /* index of each stack's first frame in frame, and the end; stack 0 is empty */
    uint32_t n;
} tt_stacks;

/* Fill with frames, which are taken over, and with stacks: each text of `lists` has indices into frames as its bytes,
 * the first text is empty. */
void tt_stacks_fill(tt_stacks *s, tt_frame *frames, uint32_t n_frames, const tt_strings *lists);
void tt_stacks_free(tt_stacks *s);
size_t tt_stacks_bytes(const tt_stacks *s);
static inline uint32_t tt_stack_depth(const tt_stacks *s, uint32_t stack)
{
    return s->first[stack + 1] - s->first[stack];
}
/* "file(line): function" of a frame into out. Returns the full length, which is cap or more when it was cut. */
int tt_frame_text(const tt_frame *f, const tt_strings *strings, char *out, size_t cap);
/* Frames of a stack joined by ';', innermost first, at most `most` bytes; "..." stands for frames left out (a file
 * may refer to one frame very often). In the arena; NULL for a stack without frames. */
const char *tt_stack_text(const tt_stacks *s, const tt_strings *strings, uint32_t stack, size_t most, tt_arena *a);
/* Longest text of a stack where all stacks are shown. */
size_t tt_stack_text_most(const tt_stacks *s);

#endif
