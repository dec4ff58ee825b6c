/* model/tables/idle/idle_scope.c - see idle_scope.h. */
#include "model/tables/idle/idle_scope.h"

#include <stdlib.h>

#include "model/tables/steps/step_breakdown.h"

tt_ivs tt_idle_time(const tt_query *q, const tt_account *a, const tt_work_device *device)
{
    tt_ivs set = {0};
    if (!q->options.device_window) return tt_account_of_device(a, device);
    if (device->end > device->start) tt_ivs_add(&set, device->start, device->end);
    return set;
}

tt_step_windows tt_idle_steps(const tt_query *q, const tt_account *a)
{
    const tt_trace *s = tt_query_trace(q);
    tt_step_windows l = {0};
    for (uint32_t i = 0; i < s->n_steps; i++) {
        const tt_step *p = &s->steps[i];
        if (p->row != TT_NONE && tt_step_shown(q, p)) *tt_vec_push(&l) = (tt_step_window){p, {p->start, p->end}};
        if (p->row == TT_NONE && a->time.n)
            *tt_vec_push(&l) = (tt_step_window){p, {a->time.at[0].t0, a->time.at[a->time.n - 1].t1}};
    }
    return l;
}

typedef struct visit_of { /* the visit of a step, or of no step */
    tt_idle_visit *visit;
    void *arg;
    const tt_step *step;
} visit_of;

static void visit_gap(void *arg, const tt_idle_gap *g)
{
    const visit_of *v = arg;
    v->visit(v->arg, v->step, g);
}

static void visit_steps(const tt_query *q, const tt_account *a, tt_idle_visit *visit, void *arg)
{
    const tt_trace *s = tt_query_trace(q);
    tt_step_windows l = tt_idle_steps(q, a);
    for (size_t i = 0; i < l.n; i++) {
        const tt_step_window *w = &l.at[i];
        uint32_t host = w->step->row != TT_NONE ? tt_row_track(s, w->step->row) : a->host;
        tt_idle_window window = {w->at.t0, w->at.t1, a->time.n ? a->time.at[0].t0 : w->at.t0, host};
        visit_of v = {visit, arg, w->step};
        for (uint32_t d = 0; d < tt_device_work_get(q->session, q->trace)->n_devices; d++)
            tt_idle_gaps_visit(q->session, q->trace, d, &window, visit_gap, &v);
    }
    tt_vec_free(&l);
}

static void visit_plain(const tt_query *q, tt_idle_visit *visit, void *arg)
{
    const tt_idle_gaps *gaps = tt_idle_gaps_get(q->session, q->trace);
    for (size_t i = 0; i < gaps->at.n; i++) {
        tt_idle_gap g = tt_idle_gap_plain(q->session, q->trace, &gaps->at.at[i]);
        visit(arg, NULL, &g);
    }
}

void tt_idle_visit_device(const tt_session *s, uint32_t trace, const tt_account *a, uint32_t device,
                          tt_idle_gap_visit *visit, void *arg)
{
    tt_ivs time = tt_account_of_device(a, &tt_device_work_get(s, trace)->devices[device]);
    for (size_t i = 0; i < time.n; i++)
        tt_idle_gaps_visit(s, trace, device, &(tt_idle_window){time.at[i].t0, time.at[i].t1, time.at[0].t0, a->host},
                           visit, arg);
    tt_vec_free(&time);
}

void tt_idle_visit_scope(const tt_query *q, bool by_step, tt_idle_visit *visit, void *arg)
{
    if (q->options.device_window) {
        visit_plain(q, visit, arg);
        return;
    }
    tt_account a = tt_account_make(q->session, q->scope, q->trace);
    visit_of v = {visit, arg, NULL};
    if (by_step)
        visit_steps(q, &a, visit, arg);
    else
        for (uint32_t i = 0; i < tt_device_work_get(q->session, q->trace)->n_devices; i++)
            tt_idle_visit_device(q->session, q->trace, &a, i, visit_gap, &v);
    tt_account_free(&a);
}

const char *tt_idle_note(const tt_query *q, tt_table *t)
{
    if (tt_device_work_get(q->session, q->trace)->n) return NULL;
    tt_note_advice(t, "No GPU activity", tt_advice_of(tt_query_trace(q)->rules)->record_device);
    return t->note;
}
