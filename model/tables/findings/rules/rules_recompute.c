/* model/tables/findings/rules/rules_recompute.c - rule of table findings about operators that the backward pass runs
 * again. */
#include <stdlib.h>

#include "model/tables/analysis/calls/recompute.h"
#include "model/tables/findings/rules/rules.h"

/* Time of recomputation on the host threads in scope, ns. */
static int64_t host_time(const tt_finding_context *c, const tt_recompute *x)
{
    int64_t sum = 0;
    tt_ivs scope = {0};
    for (uint32_t i = 0; i < c->q->windows->n; i++)
        tt_ivs_add(&scope, c->q->windows->at[i].t0, c->q->windows->at[i].t1);
    for (uint32_t i = 0; i < x->n_tracks; i++) {
        tt_ivs in = tt_ivs_intersect(&x->of_track[i], &scope);
        sum += tt_ivs_length(&in);
        tt_vec_free(&in);
    }
    tt_vec_free(&scope);
    return sum;
}

/* Union of a device's work in scope: all of it, or only work launched during recomputation. */
static int64_t device_time(const tt_finding_context *c, const tt_recompute *inside, const tt_work_device *dev)
{
    tt_ivs set = {0};
    for (const tt_work *x = c->work->at + dev->first, *end = x + dev->n; x < end; x++) {
        if (!tt_windows_have_dev(c->q->windows, c->s, &c->s->dev[c->s->detail[x->row]])) continue;
        if (inside && (x->launch == TT_NONE || !tt_recompute_has(inside, c->s, x->launch))) continue;
        tt_ivs_add(&set, x->start, x->end);
    }
    tt_ivs_normalise(&set);
    int64_t ns = tt_ivs_length(&set);
    tt_vec_free(&set);
    return ns;
}

void tt_find_recomputation(tt_finding_context *c)
{
    const tt_recompute *x = tt_recompute_get(c->q->session, c->q->trace);
    if (x->longest == TT_NONE) return;
    int64_t host = host_time(c, x), device = 0, busy = 0;
    for (uint32_t i = 0; i < c->work->n_devices; i++) {
        device += device_time(c, x, &c->work->devices[i]);
        busy += device_time(c, NULL, &c->work->devices[i]);
    }
    if (!host) return;
    double share = tt_pct((double)device, (double)busy);
    const char *title =
        tt_arena_printf(&c->t->arena, "Recomputation: forward operators run again in backward, %.2f ms of CPU time",
                        (double)host / 1e6);
    if (device)
        title = tt_arena_printf(&c->t->arena, "%s, %.2f ms of %s time (%.1f%%)", title, (double)device / 1e6,
                                c->s->rules->device, share);
    uint32_t row = tt_finding_add(c, "info", title,
                                  "Activation checkpointing trades time for memory: with memory to spare, "
                                  "checkpoint fewer layers, or only cheap ones");
    tt_set_row(c->q, c->t, row, x->longest);
    if (busy) tt_set_d(c->t, row, TT_FINDING_VALUE_PCT, share);
}
