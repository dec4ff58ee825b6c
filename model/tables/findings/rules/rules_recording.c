/* model/tables/findings/rules/rules_recording.c - rules of table findings about the recording itself: missing
 * events. */
#include "model/keys/graph_capture.h"
#include "model/tables/findings/rules/rules.h"

#include <inttypes.h>

/* Report launches that mostly lack device work: it was lost, or the launches belong to a graph capture. */
static void say_unseen(tt_finding_context *c)
{
    if (!c->device_unseen || tt_captures_all(c->s)) return;
    uint32_t row = tt_finding_add(
        c, "high",
        tt_arena_printf(&c->t->arena,
                        "Most of the %s's work is not in the file: %u of %u launches have none, so its time cannot be "
                        "judged",
                        c->s->rules->device, c->launches - c->launched, c->launches),
        "Record again, until after the device has finished (synchronise before the profiler stops), with fewer steps");
    tt_set_d(c->t, row, TT_FINDING_VALUE_PCT, 100.0 * (double)(c->launches - c->launched) / (double)c->launches);
}

/* Report events that the recorder dropped: all other numbers are too small. */
void tt_find_events_lost(tt_finding_context *c)
{
    uint64_t lost = c->s->problems.of[TT_PROBLEM_RECORDER_DROPS].count;
    if (!lost) {
        say_unseen(c);
        return;
    }
    double share = tt_pct((double)lost, (double)lost + (double)c->s->n);
    const char *title =
        tt_arena_printf(&c->t->arena, "Profiler dropped %" PRIu64 " events (%.2g%%): %s", lost, share,
                        share < 1 ? "some times are slightly underestimated" : "times are underestimated");
    uint32_t row = tt_finding_add(c, share < 1 ? "info" : "high", title,
                                  "Record fewer steps (--steps) or raise --buffers, --buffer-size, --max-spool; "
                                  "see Problems for what was lost");
    tt_set_d(c->t, row, TT_FINDING_VALUE_PCT, share);
}

/* Report what the profiler left out, as stated in the trace. */
void tt_find_truncated_by_producer(tt_finding_context *c)
{
    const char *what = tt_trace_meta(c->s, "truncated_by_producer");
    if (!what || !*what) return;
    tt_finding_add(c, "medium", tt_arena_printf(&c->t->arena, "The profiler cut this trace: %s", what),
                   "Later events are missing here; tables of other files may have them. Record fewer steps");
}
