/* model/tables/findings/claims/finding_words.c - numbers and names in the sentences of findings. */
#include <string.h>

#include "model/tables/findings/claims/finding.h"

const char *tt_finding_severity(double pct) { return pct > 30 ? "high" : pct > 10 ? "medium" : "info"; }

double tt_finding_pct(const tt_finding_context *c, uint32_t device, int64_t ns)
{
    int64_t all = c->account.ns;
    if (c->account.clocks_differ && device != TT_NONE)
        all = c->work->devices[device].end - c->work->devices[device].start;
    return all > 0 ? 100.0 * (double)ns / (double)all : 0;
}

const char *tt_finding_of_time(const tt_finding_context *c)
{
    return c->account.steps && c->account.kind != TT_ACCOUNT_RECORDING ? "of the step time" : "of the time";
}

const char *tt_finding_device(tt_finding_context *c, uint32_t device)
{
    char shown[TT_TITLE_CAP], rank[32];
    const char *name = tt_device_shown(c->work->devices[device].name, shown);
    if (c->q->session->n_workers < 2) return tt_arena_printf(&c->t->arena, "%s", name);
    return tt_arena_printf(&c->t->arena, "%s of %s", name, tt_rank_name(c->q->session, c->s->worker, rank));
}

const char *tt_finding_ns(tt_finding_context *c, int64_t ns)
{
    static const struct {
        int64_t from;
        double unit;
        const char *name;
    } units[] = {{1000000000, 1e9, "s"}, {1000000, 1e6, "ms"}, {1000, 1e3, "us"}};
    for (size_t i = 0; i < COUNT_OF(units); i++) {
        double v = (double)ns / units[i].unit;
        if (ns >= units[i].from) return tt_arena_printf(&c->t->arena, "%.*f %s", v < 9.9995 ? 3 : 1, v, units[i].name);
    }
    return tt_arena_printf(&c->t->arena, "%lld ns", (long long)ns);
}

const char *tt_finding_time(tt_finding_context *c, const tt_claim *claim, const char *pieces)
{
    uint32_t count;
    int64_t longest = tt_claim_longest(claim, &count);
    const char *all = tt_finding_ns(c, claim->ns);
    if (count < 2) return all;
    return tt_arena_printf(&c->t->arena, "%s in %u %s, longest %s", all, count, pieces, tt_finding_ns(c, longest));
}

int64_t tt_finding_idle_bound(const tt_finding_context *c)
{
    int64_t busiest = 0;
    for (uint32_t i = 0; c->gpu_time && i < c->gpu_time->n_rows; i++) {
        int64_t busy = tt_finding_int(c->gpu_time, i, "busy_ns");
        if (busy > busiest) busiest = busy;
    }
    return c->account.ns > busiest ? c->account.ns - busiest : 0;
}

bool tt_finding_device_known(const tt_finding_context *c)
{
    return !c->device_unseen && tt_finding_found(c, "graph_capture") == TT_NONE;
}

bool tt_finding_launches_known(const tt_finding_context *c)
{
    return c->launched * (uint64_t)10 >= c->launches * (uint64_t)9;
}
