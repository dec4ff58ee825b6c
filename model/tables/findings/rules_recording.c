/* model/tables/findings/rules_recording.c - rules of table findings about the recording itself: what it lacks. */
#include "model/tables/findings/findings.h"

#include <inttypes.h>

/* What the recorder could not keep makes all other numbers too small. */
void tt_find_events_lost(tt_finding_context *c)
{
    uint64_t lost = c->s->problems.of[TT_PROBLEM_RECORDER_DROPS].count;
    if (!lost) return;
    double share = tt_pct((double)lost, (double)lost + (double)c->s->n);
    const char *title =
        tt_arena_printf(&c->t->arena, "Profiler dropped %" PRIu64 " events (%.2g%%): %s", lost, share,
                        share < 1 ? "some times are slightly underestimated" : "times are underestimated");
    uint32_t row = tt_finding_add(c, share < 1 ? "info" : "high", title,
                                  "Record fewer steps (--steps) or raise --buffers, --buffer-size, --max-spool; "
                                  "see Problems for what was lost");
    tt_set_d(c->t, row, TT_FINDING_VALUE, share);
}

void tt_find_no_gpu_activity(tt_finding_context *c)
{
    bool launches = false, gpu_memory = false;
    if (c->gpus.n || c->s->snapshot) return; /* a memory snapshot holds none */
    for (uint32_t i = 0; i < c->s->n_dev; i++)
        if (tt_kind_is_work(tt_row_kind(c->s, c->s->dev[i].row))) return;
    const char *why = tt_trace_meta(c->s, "recorder") ? tt_trace_meta(c->s, "gpu") : NULL;
    if (why && *why) { /* tracetty's own recorder says what it lacked */
        tt_finding_add(c, "medium", tt_arena_printf(&c->t->arena, "No %s activity recorded", c->s->rules->device), why);
        return;
    }
    for (uint32_t i = 0; i < c->s->n_cats; i++) launches |= tt_kind_is_launch(c->s->cats[i].kind);
    for (uint32_t i = 0; i < c->s->n_memory && !gpu_memory; i++)
        gpu_memory = c->s->memory[i].device_type > 0 && c->s->memory[i].device_type != TT_DEVICE_PINNED;
    if (!launches && !gpu_memory && !c->s->n_devices) return;
    tt_finding_add(
        c, "info",
        tt_arena_printf(&c->t->arena, "No %s activity recorded although a device was available", c->s->rules->device),
        tt_advice_of(c->s->rules)->no_device);
}

/* What the profiler that wrote the trace left out, as the trace says. */
void tt_find_truncated_by_producer(tt_finding_context *c)
{
    const char *what = tt_trace_meta(c->s, "truncated_by_producer");
    if (!what || !*what) return;
    tt_finding_add(c, "medium", tt_arena_printf(&c->t->arena, "The profiler cut this trace: %s", what),
                   "Later events are missing here; tables of other files may have them. Record fewer steps");
}
