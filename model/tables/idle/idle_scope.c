/* model/tables/idle/idle_scope.c - see idle_scope.h. */
#include "model/tables/idle/idle_scope.h"

#include <stdlib.h>

#include "model/tables/steps/step_breakdown.h"

/* The window asked for as far as the trace goes. */
static tt_iv time_window(const tt_query *q)
{
    int64_t end = tt_query_store(q)->end;
    return (tt_iv){q->windows->t0 > 0 ? q->windows->t0 : 0, q->windows->t1 < end ? q->windows->t1 : end};
}

static tt_ivs time_asked_for(const tt_query *q)
{
    const tt_trace *s = tt_query_store(q);
    tt_ivs set = {0};
    tt_iv window = time_window(q);
    if (!q->windows->by_step) tt_ivs_add(&set, window.t0, window.t1);
    for (uint32_t i = 0; q->windows->by_step && i < s->n_steps; i++) {
        const tt_step *p = &s->steps[i];
        if (!tt_step_shown(q, p)) continue;
        tt_ivs_add(&set, p->start > window.t0 ? p->start : window.t0, p->end < window.t1 ? p->end : window.t1);
    }
    tt_ivs_normalise(&set);
    return set;
}

tt_ivs tt_idle_time(const tt_query *q, const tt_work_device *device)
{
    if (!q->windows->everything) return time_asked_for(q);
    tt_ivs set = {0};
    if (device->end > device->start) tt_ivs_add(&set, device->start, device->end);
    return set;
}

static void visit_window(const tt_query *q, const tt_step *step, tt_iv w, tt_idle_visit *visit, void *arg)
{
    uint32_t host = step && step->row != TT_NONE ? tt_row_track(tt_query_store(q), step->row) : TT_NONE;
    tt_idle_gaps gaps = tt_idle_gaps_in(q->session, q->trace, w.t0, w.t1, host);
    for (size_t i = 0; i < gaps.at.n; i++) visit(arg, step, &gaps.at.at[i]);
    tt_idle_gaps_free(&gaps);
}

void tt_idle_visit_scope(const tt_query *q, bool by_step, tt_idle_visit *visit, void *arg)
{
    const tt_trace *s = tt_query_store(q);
    if (by_step) {
        for (uint32_t i = 0; i < s->n_steps; i++)
            if (tt_step_shown(q, &s->steps[i]))
                visit_window(q, &s->steps[i], (tt_iv){s->steps[i].start, s->steps[i].end}, visit, arg);
        return;
    }
    if (q->windows->everything) {
        const tt_idle_gaps *gaps = tt_idle_gaps_get(q->session, q->trace);
        for (size_t i = 0; i < gaps->at.n; i++) visit(arg, NULL, &gaps->at.at[i]);
        return;
    }
    tt_ivs time = time_asked_for(q);
    for (size_t i = 0; i < time.n; i++) visit_window(q, NULL, time.at[i], visit, arg);
    tt_vec_free(&time);
}

const char *tt_idle_note(const tt_query *q, tt_table *t)
{
    if (tt_device_work_get(q->session, q->trace)->n) return NULL;
    tt_note_advice(t, "No GPU activity", tt_advice_of(tt_query_store(q)->rules)->record_device);
    return t->note;
}
