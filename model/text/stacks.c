/* model/text/stacks.c - see stacks.h. */
#include "model/text/stacks.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void tt_stacks_fill(tt_stacks *s, tt_frame *frames, uint32_t n_frames, const tt_strings *lists)
{
    *s = (tt_stacks){.frames = frames, .n_frames = n_frames, .n = (uint32_t)lists->text.n};
    s->first = tt_calloc(s->n + (size_t)1, sizeof *s->first);
    for (uint32_t i = 0; i < s->n; i++) s->first[i + 1] = s->first[i] + lists->len.at[i] / (uint32_t)sizeof *s->frame;
    s->frame = tt_calloc(s->first[s->n] + (size_t)1, sizeof *s->frame);
    for (uint32_t i = 0; i < s->n; i++) memcpy(s->frame + s->first[i], tt_str(lists, i), lists->len.at[i]);
}

void tt_stacks_free(tt_stacks *s)
{
    free(s->frames);
    free(s->frame);
    free(s->first);
}

size_t tt_stacks_bytes(const tt_stacks *s)
{
    size_t in_stacks = s->first ? s->first[s->n] : 0;
    return s->n_frames * sizeof *s->frames + (s->n + (size_t)1) * sizeof *s->first + in_stacks * sizeof *s->frame;
}

int tt_frame_text(const tt_frame *f, const tt_strings *strings, char *out, size_t cap)
{
    int most = cap < INT_MAX ? (int)cap : INT_MAX;
    return snprintf(out, cap, "%.*s(%lld): %.*s", most, tt_str(strings, f->file), (long long)f->line, most,
                    tt_str(strings, f->function));
}

const char *tt_stack_text(const tt_stacks *s, const tt_strings *strings, uint32_t stack, size_t most, tt_arena *a)
{
    uint32_t from = s->first[stack], to = s->first[stack + 1];
    tt_text text = {0};
    if (from == to) return NULL;
    tt_vec_reserve(&text, most + 8);
    for (uint32_t i = from; i < to; i++) {
        size_t room = most - text.n;
        int n = tt_frame_text(&s->frames[s->frame[i]], strings, text.at + text.n, room);
        if (n < 0 || (size_t)n + 1 >= room) {
            memcpy(text.at + text.n, "...", 4);
            text.n += 3;
            break;
        }
        text.n += (size_t)n;
        if (i + 1 < to) text.at[text.n++] = ';';
    }
    const char *kept = tt_arena_strndup(a, text.at, text.n);
    tt_vec_free(&text);
    return kept;
}

size_t tt_stack_text_most(const tt_stacks *s)
{
    const size_t all = (size_t)256 << 20, most = (size_t)64 << 10, least = (size_t)1 << 10;
    size_t each = all / s->n;
    return each > most ? most : each < least ? least : each;
}
