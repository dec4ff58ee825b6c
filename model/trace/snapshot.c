/* model/trace/snapshot.c - see snapshot.h. */
#include "model/trace/snapshot.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const tt_snapshot_action_name[TT_SNAPSHOT_ACTIONS_] = {
    "alloc",       "free_requested", "free_completed", "segment_alloc", "segment_free",
    "segment_map", "segment_unmap",  "snapshot",       "oom",           "other"};

void tt_snapshot_free(tt_snapshot *s)
{
    if (!s) return;
    free(s->events);
    free(s->segments);
    free(s->blocks);
    free(s->ranges);
    free(s->ooms);
    free(s->streams);
    free(s->frames);
    free(s->stack_frame);
    free(s->stack_first);
    free(s);
}

size_t tt_snapshot_bytes(const tt_snapshot *s)
{
    return sizeof *s + s->n_events * sizeof *s->events + s->n_segments * sizeof *s->segments +
           s->n_blocks * sizeof *s->blocks + s->n_ranges * sizeof *s->ranges + s->n_ooms * sizeof *s->ooms +
           s->n_streams * sizeof *s->streams + s->n_frames * sizeof *s->frames +
           (s->n_stacks + (size_t)1) * sizeof *s->stack_first + s->stack_first[s->n_stacks] * sizeof *s->stack_frame;
}

int tt_snapshot_frame_text(const tt_snapshot_frame *f, const tt_strings *strings, char *out, size_t cap)
{
    int most = cap < INT_MAX ? (int)cap : INT_MAX;
    return snprintf(out, cap, "%.*s(%lld): %.*s", most, tt_str(strings, f->file), (long long)f->line, most,
                    tt_str(strings, f->function));
}

const char *tt_snapshot_stack_text(const tt_snapshot *s, const tt_strings *strings, uint32_t stack, size_t most,
                                   tt_arena *a)
{
    uint32_t from = s->stack_first[stack], to = s->stack_first[stack + 1];
    tt_text text = {0};
    if (from == to) return NULL;
    tt_vec_reserve(&text, most + 8);
    for (uint32_t i = from; i < to; i++) {
        size_t room = most - text.n;
        int n = tt_snapshot_frame_text(&s->frames[s->stack_frame[i]], strings, text.at + text.n, room);
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

size_t tt_snapshot_stack_most(const tt_snapshot *s)
{
    const size_t all = (size_t)256 << 20, most = (size_t)64 << 10, least = (size_t)1 << 10;
    size_t each = all / s->n_stacks;
    return each > most ? most : each < least ? least : each;
}
