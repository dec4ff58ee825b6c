/* model/tables/idle/gap_detail.c - see gap_detail.h. */
#include "model/tables/idle/gap_detail.h"

#include <string.h>

#include "model/tables/analysis/calls/python_line.h"
#include "model/trace/rules/advice.h"

uint32_t tt_gap_device(const tt_session *s, uint32_t trace, const char *name)
{
    const tt_device_work *w = tt_device_work_get(s, trace);
    for (uint32_t i = 0; i < w->n_devices; i++) {
        if (!strcmp(w->devices[i].name, name)) return i;
    }
    return TT_NONE;
}

static void describe(const tt_session *s, uint32_t trace, tt_gap_detail *d)
{
    const tt_device_work *w = tt_device_work_get(s, trace);
    const tt_trace *t = s->traces[trace];
    const tt_idle_gap *g = &d->gap;
    const tt_work *next = g->next == TT_NONE ? NULL : &w->at[g->next];
    int64_t host = tt_idle_host_ns(g), middle = g->t0 + (host > 0 ? host : g->t1 - g->t0) / 2;
    uint32_t step = tt_step_at(t, middle);
    if (g->track != TT_NONE) d->thread = tt_str(&t->strings, t->tracks[g->track].name);
    if (g->op != TT_NONE) d->op = tt_row_name(t, g->op);
    if (next) d->next = tt_row_name(t, next->row);
    d->launch = next ? next->launch : TT_NONE;
    d->launch_wait = d->launch == TT_NONE ? TT_UNKNOWN : next->start - t->start[d->launch];
    d->step = step != TT_NONE && t->steps[step].row != TT_NONE ? t->steps[step].number : TT_UNKNOWN;
    tt_python_line_at(t, g->track, middle, d->line, sizeof d->line);
}

bool tt_gap_detail_of(const tt_session *s, uint32_t trace, uint32_t device, int64_t t0, int64_t t1, tt_gap_detail *out)
{
    *out = (tt_gap_detail){.trace = trace, .launch = TT_NONE, .launch_wait = TT_UNKNOWN, .step = TT_UNKNOWN};
    if (!tt_idle_longest_in(s, trace, device, t0, t1, &out->gap)) return false;
    describe(s, trace, out);
    return true;
}

const char *tt_gap_advice(const tt_trace *s, tt_wait_cause cause)
{
    const tt_advice *a = tt_advice_of(s->rules);
    switch (cause) {
    case TT_WAIT_INPUT: return a->load_data;
    case TT_WAIT_RUNTIME: return a->larger_kernels;
    case TT_WAIT_OPERATOR:
    case TT_WAIT_BETWEEN: return a->fewer_launches;
    case TT_WAIT_SYNC: return "read results of the device later or less often, and copy without blocking";
    case TT_WAIT_QUEUE:
        return "let streams wait for less of each other: events at the last moment, work in fewer streams";
    case TT_WAIT_UNKNOWN: return a->record_device;
    case TT_WAIT_LAUNCH:
    default: return NULL;
    }
}
