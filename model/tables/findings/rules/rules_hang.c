/* model/tables/findings/rules/rules_hang.c - rules about dumps of flight recorders: a finding for each fault, and for
 * ranks without a dump. The first dump of the session speaks for all. */
#include <stdlib.h>

#include "model/hang/hang.h"
#include "model/tables/findings/rules/rules.h"

static const char *const severity_of[] =
    {[TT_HANG_CERTAIN] = "high", [TT_HANG_LIKELY] = "medium", [TT_HANG_POSSIBLE] = "info"};

static void find_kind(tt_finding_context *c, tt_hang_kind kind)
{
    const tt_hang *h = c->s->flight ? tt_hang_get(c->q->session) : NULL;
    for (uint32_t i = 0; h && i < h->n_faults; i++) {
        const tt_hang_fault *f = &h->faults[i];
        if (f->kind != kind) continue;
        uint32_t row = tt_finding_add(c, severity_of[f->certainty], tt_hang_fault_text(h, f, &c->t->arena),
                                      tt_hang_advice(h, f, &c->t->arena));
        tt_clear_lead(c->t, row);
        tt_set_d(c->t, row, TT_FINDING_VALUE_PCT, tt_pct(f->waiting, h->n_ranks));
        if (f->since == TT_UNKNOWN) continue;
        int64_t zero = tt_trace_is_dump(c->s) ? h->first : c->s->origin_ns;
        tt_set_i(c->t, row, TT_FINDING_START_AT, f->since - zero);
        tt_set_i(c->t, row, TT_FINDING_END_AT, h->last - zero);
    }
}

void tt_find_hang_mismatch(tt_finding_context *c) { find_kind(c, TT_HANG_MISMATCH); }
void tt_find_hang_deadlock(tt_finding_context *c) { find_kind(c, TT_HANG_DEADLOCK); }
void tt_find_hang_no_dump(tt_finding_context *c) { find_kind(c, TT_HANG_NO_DUMP); }
void tt_find_hang_device(tt_finding_context *c) { find_kind(c, TT_HANG_DEVICE); }
void tt_find_hang_host(tt_finding_context *c) { find_kind(c, TT_HANG_HOST); }
void tt_find_hang_collective(tt_finding_context *c) { find_kind(c, TT_HANG_COLLECTIVE); }
void tt_find_hang_late(tt_finding_context *c) { find_kind(c, TT_HANG_LATE); }

void tt_find_missing_ranks(tt_finding_context *c)
{
    const tt_hang *h = c->s->flight ? tt_hang_get(c->q->session) : NULL;
    const tt_problem *p = h ? &h->problems.of[TT_PROBLEM_MISSING_RANKS] : NULL;
    if (!p || !p->count) return;
    bool one = p->count == 1;
    uint32_t row =
        tt_finding_add(c, "info", tt_arena_printf(&c->t->arena, "Rank%s %s left no dump", one ? "" : "s", p->example),
                       "Collect the dumps of all ranks: whether these crashed or only their files are "
                       "missing, the others cannot tell");
    tt_clear_lead(c->t, row);
    tt_set_d(c->t, row, TT_FINDING_VALUE_PCT, tt_pct((double)p->count, h->n_ranks));
}
