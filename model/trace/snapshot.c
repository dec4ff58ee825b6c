/* model/trace/snapshot.c - see snapshot.h. */
#include "model/trace/snapshot.h"

#include <stdlib.h>

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
    tt_stacks_free(&s->stacks);
    free(s);
}

size_t tt_snapshot_bytes(const tt_snapshot *s)
{
    return sizeof *s + s->n_events * sizeof *s->events + s->n_segments * sizeof *s->segments +
           s->n_blocks * sizeof *s->blocks + s->n_ranges * sizeof *s->ranges + s->n_ooms * sizeof *s->ooms +
           s->n_streams * sizeof *s->streams + tt_stacks_bytes(&s->stacks);
}
