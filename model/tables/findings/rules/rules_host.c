/* model/tables/findings/rules/rules_host.c - rules of table findings about waits of the device for the host: input,
 * and runtime calls. */
#include "model/tables/analysis/names/time_class.h"
#include "model/tables/findings/rules/rules.h"

void tt_find_input_bound(tt_finding_context *c)
{
    int64_t ns;
    double v = tt_finding_share(c, TT_TIME_DATALOADER, &ns);
    if (v <= 5) return;
    uint32_t row = tt_finding_add(
        c, v > 20 ? "high" : "medium",
        tt_arena_printf(&c->t->arena, "Input-bound: %.1f%% of the step time waits for the DataLoader", v),
        tt_advice_of(c->s->rules)->load_data);
    tt_finding_show_longest(c, row, TT_TIME_DATALOADER);
    tt_set_d(c->t, row, TT_FINDING_VALUE_PCT, v);
}

/* Time of these calls during which all devices can run work outside of the file; known for a single device only. */
static int64_t while_unseen(const tt_finding_context *c)
{
    const tt_ivs *calls = &tt_time_classes_get(c->q->session, c->q->trace)->of[TT_TIME_RUNTIME];
    uint32_t row = c->work->n_devices == 1 ? tt_finding_found(c, "unseen_work") : TT_NONE;
    int64_t ns = 0;
    if (row == TT_NONE) return 0;
    const tt_claim *x = &c->of.at[row - c->first].claim;
    for (size_t i = 0; i < x->pieces.n; i++)
        for (size_t k = 0; k < c->steps.n; k++) {
            const tt_step *step = c->steps.at[k].step;
            int64_t t0 = x->pieces.at[i].t0 > step->start ? x->pieces.at[i].t0 : step->start;
            int64_t t1 = x->pieces.at[i].t1 < step->end ? x->pieces.at[i].t1 : step->end;
            if (t0 < t1) ns += tt_ivs_length_in(calls, t0, t1);
        }
    return ns;
}

/* The root with most of the calls' time: the first call, or blocking calls. */
static const char *root_of_calls(const tt_finding_context *c, int64_t ns)
{
    static const char *const roots[] = {"first_call", "sync_stall"};
    for (size_t i = 0; i < COUNT_OF(roots); i++) {
        uint32_t row = tt_finding_found(c, roots[i]);
        if (row != TT_NONE && c->of.at[row - c->first].claim.ns * 2 >= ns) return roots[i];
    }
    return NULL;
}

/* Report runtime calls during which the device is idle. */
void tt_find_blocking_calls(tt_finding_context *c)
{
    int64_t ns;
    double v = tt_finding_share(c, TT_TIME_RUNTIME, &ns);
    if (!c->work->n || !tt_finding_device_known(c)) return; /* a device without work is not idle */
    ns -= while_unseen(c);
    v = tt_pct((double)ns, (double)tt_finding_steps(c));
    if (!(v > 10)) return;
    tt_row longest = TT_NONE;
    int64_t of_longest = 0;
    for (tt_row r = 0; r < c->s->n; r++) {
        tt_kind k = tt_row_kind(c->s, r);
        if ((k != TT_KIND_RUNTIME && k != TT_KIND_DRIVER) || !tt_query_has(c->q, c->s->start[r])) continue;
        if (c->s->start[r] >= c->t0 && c->s->start[r] < c->t1 && c->s->dur[r] > of_longest)
            of_longest = c->s->dur[r], longest = r;
    }
    bool one = longest != TT_NONE && of_longest > ns / 2;
    uint32_t row = tt_finding_add(
        c, v > 30 ? "high" : "medium",
        one ? tt_arena_printf(
                  &c->t->arena,
                  "Blocking call: one %s holds the CPU for %.4g ms while the %s is idle (%.1f%% of the step "
                  "time)",
                  tt_row_name(c->s, longest), (double)of_longest / 1e6, c->s->rules->device, v)
            : tt_arena_printf(
                  &c->t->arena,
                  "Blocking calls: %.1f%% of the step time the CPU is in runtime calls while the %s is idle", v,
                  c->s->rules->device),
        one ? "Check for first-call costs (module load, allocation), synchronisation or frees of device memory"
            : tt_arena_printf(&c->t->arena, "Use fewer, larger kernels (%s), do not synchronise inside the step",
                              tt_advice_of(c->s->rules)->larger_kernels));
    tt_finding_of(c, row)->cause = root_of_calls(c, ns);
    if (longest != TT_NONE) tt_set_row(c->q, c->t, row, longest);
    tt_set_d(c->t, row, TT_FINDING_VALUE_PCT, v);
}
