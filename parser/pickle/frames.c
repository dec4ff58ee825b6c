/* parser/pickle/frames.c - see frames.h. */
#include "parser/pickle/frames.h"

#include <stdlib.h>
#include <string.h>

void tt_pickle_frames_init(tt_pickle_frames *f, tt_pickle *p, unsigned kind)
{
    *f = (tt_pickle_frames){.p = p,
                            .kind = kind,
                            .filename = tt_pickle_known(p, "filename"),
                            .line = tt_pickle_known(p, "line"),
                            .name = tt_pickle_known(p, "name")};
    tt_groups_init(&f->ids);
    tt_strings_init(&f->stacks);
}

void tt_pickle_frames_free(tt_pickle_frames *f)
{
    tt_vec_free(&f->at);
    tt_vec_free(&f->sequence_of);
    tt_groups_free(&f->ids);
    tt_strings_free(&f->stacks);
}

static tt_sid text_of(tt_pickle_node n) { return tt_pickle_tag(n) == TT_PICKLE_TEXT ? n & TT_PICKLE_NUMBER : 0; }

tt_pickle_node tt_pickle_frame(tt_pickle_frames *f, const tt_pickle_cell *members, size_t n)
{
    tt_frame x = {0};
    bool is_frame = false;
    for (size_t i = 0; i + 1 < n; i += 2) {
        tt_sid key = text_of(members[i].node);
        const tt_pickle_cell *value = &members[i + 1];
        if (key == f->filename) {
            x.file = text_of(value->node);
            is_frame = true;
        } else if (key == f->name) {
            x.function = text_of(value->node);
        } else if (key == f->line && !tt_pickle_integer(value, &x.line)) {
            x.line = 0;
        }
    }
    if (!is_frame) return 0;
    uint32_t at =
        tt_groups_put(&f->ids, (tt_group_key){.a = (uint64_t)x.file << 32 | x.function, .b = (uint64_t)x.line});
    if (at == f->at.n) *tt_vec_push(&f->at) = x;
    return tt_pickle_make(TT_PICKLE_RECORD + f->kind, at);
}

/* Frame of an item in a list of frames. Nested lists are not followed, so a circle does no harm. */
static tt_pickle_node frame_of(tt_pickle_frames *f, tt_pickle_node n)
{
    tt_pickle_cell cells[TT_PICKLE_MEMBERS];
    n = tt_pickle_resolve(f->p, n);
    uint32_t members = tt_pickle_members(f->p, n, cells);
    tt_pickle_node made = members ? tt_pickle_frame(f, cells, members) : 0;
    return made ? made : n;
}

/* Add a stack; if it is too long, only its innermost frames. */
static uint32_t add_stack(tt_pickle_frames *f, const tt_pickle_node *at, uint32_t n)
{
    enum { DEEPEST = 1024 };
    TT_VEC(uint32_t) frames = {0};
    for (uint32_t i = 0; i < n && i < DEEPEST; i++) {
        tt_pickle_node r = frame_of(f, at[i]);
        if (tt_pickle_is_record(r, f->kind)) *tt_vec_push(&frames) = r & TT_PICKLE_NUMBER;
    }
    uint32_t id = frames.n ? tt_strings_put(&f->stacks, (const char *)frames.at, frames.n * sizeof *frames.at) : 0;
    tt_vec_free(&frames);
    return id;
}

uint32_t tt_pickle_stack(tt_pickle_frames *f, tt_pickle_node list)
{
    const tt_pickle_node *at;
    uint32_t n = tt_pickle_items(f->p, list, &at), sequence = tt_pickle_sequence(f->p, list);
    if (!n) return 0;
    if (sequence == TT_NONE) return add_stack(f, at, n);
    while (f->sequence_of.n <= sequence) *tt_vec_push(&f->sequence_of) = 0;
    if (!f->sequence_of.at[sequence]) {
        uint32_t id = add_stack(f, at, n);
        f->sequence_of.at[sequence] = id + 1;
    }
    return f->sequence_of.at[sequence] - 1;
}

const tt_frame *tt_pickle_stack_frame(const tt_pickle_frames *f, uint32_t stack, uint32_t i)
{
    uint32_t frame;
    memcpy(&frame, tt_str(&f->stacks, stack) + i * sizeof frame, sizeof frame);
    return &f->at.at[frame];
}

void tt_pickle_frames_keep(tt_pickle_frames *f, tt_strings *to, uint32_t *memo, tt_stacks *out)
{
    for (size_t i = 0; i < f->at.n; i++) {
        tt_frame *x = &f->at.at[i];
        x->file = tt_pickle_moved(f->p, x->file, to, memo);
        x->function = tt_pickle_moved(f->p, x->function, to, memo);
    }
    tt_stacks_fill(out, f->at.at, (uint32_t)f->at.n, &f->stacks);
    memset(&f->at, 0, sizeof f->at);
}
