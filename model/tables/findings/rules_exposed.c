/* model/tables/findings/rules_exposed.c - rules about work of a device that nothing hides: it computes nothing
 * meanwhile. */
#include "model/tables/findings/findings.h"

static uint32_t add(tt_finding_context *c, tt_root_claim root, const char *name, const char *does, const char *advice,
                    tt_path_category category)
{
    tt_claim *x = &c->roots[root];
    if (!c->work->n || x->device == TT_NONE || !x->ns) return TT_NONE;
    double v = tt_finding_pct(c, x->device, x->ns);
    int64_t bound = x->ns;
    const char *title = tt_arena_printf(&c->t->arena, "%s: %.1f%% %s %s only %s (%s)", name, v, tt_finding_of_time(c),
                                        tt_finding_device(c, x->device), does, tt_finding_time(c, x, "stretches"));
    uint32_t row = tt_finding_add(c, tt_finding_severity(v), title, advice);
    tt_finding_claims(c, row, x);
    if (c->s->n_links) tt_finding_replays(c, row, 1u << category, bound);
    return row;
}

void tt_find_exposed_communication(tt_finding_context *c)
{
    (void)add(c, TT_ROOT_COMMUNICATION, "Exposed communication", "communicates",
              tt_advice_of(c->s->rules)->overlap_communication, TT_PATH_COMMUNICATION);
}

void tt_find_exposed_copy(tt_finding_context *c)
{
    (void)add(c, TT_ROOT_COPY, "Exposed copies", "copies", tt_advice_of(c->s->rules)->overlap_copies, TT_PATH_COPY);
}
