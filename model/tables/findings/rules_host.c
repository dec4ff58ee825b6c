/* model/tables/findings/rules_host.c - rules of table findings about what the device waits for on the host: input,
 * and calls of the runtime. */
#include "model/tables/analysis/time_class.h"
#include "model/tables/findings/findings.h"

void tt_find_input_bound(tt_finding_context *c)
{
    int64_t ns;
    double v = tt_finding_share(c, TT_TIME_DATALOADER, &ns);
    if (v <= 5) return;
    uint32_t row =
        tt_finding_add(c, v > 20 ? "high" : "medium",
                       tt_arena_printf(&c->t->arena, "%.1f %% of the step time is spent waiting for input data", v),
                       tt_advice_of(c->s->rules)->load_data);
    tt_finding_show_longest(c, row, TT_TIME_DATALOADER);
    tt_set_d(c->t, row, TT_FINDING_VALUE, v);
    tt_set_i(c->t, row, TT_FINDING_SAVING, ns);
}

/* Calls of the runtime during which the device has nothing to do. */
void tt_find_blocking_calls(tt_finding_context *c)
{
    int64_t ns;
    double v = tt_finding_share(c, TT_TIME_RUNTIME, &ns);
    if (v <= 10) return;
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
        tt_arena_printf(&c->t->arena, "%.1f %% of the step time the host is in runtime calls and the device idle%s%s",
                        v, one ? ": mostly one " : "", one ? tt_row_name(c->s, longest) : ""),
        one ? "look at what is around it: a first call loads modules and allocates, a synchronisation waits, a free "
              "waits for all"
            : tt_arena_printf(&c->t->arena, "fewer, larger kernels (%s) and no synchronisation inside the step",
                              tt_advice_of(c->s->rules)->larger_kernels));
    if (longest != TT_NONE) tt_set_row(c->q, c->t, row, longest);
    tt_set_i(c->t, row, TT_FINDING_SAVING, ns);
    tt_set_d(c->t, row, TT_FINDING_VALUE, v);
}
