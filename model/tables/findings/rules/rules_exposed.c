/* model/tables/findings/rules/rules_exposed.c - rules about exposed device work: nothing is computed at the same
 * time. */
#include <stdlib.h>
#include <string.h>

#include "model/tables/findings/rules/stragglers.h"

static bool blocks_inside(const tt_trace *s, tt_row op)
{
    const tt_track *t = &s->tracks[tt_row_track(s, op)];
    for (tt_row r = op + 1; r < t->first + t->n && s->start[r] < tt_row_end(s, op); r++)
        if (tt_kind_is_launch(tt_row_kind(s, r)) && tt_call_blocks(tt_row_name(s, r))) return true;
    return false;
}

/* Times when the host waits in an operator that reads a value back, and the blocking call is not in the file. The
 * replay cannot know that the host continues earlier when such work gets shorter. The caller frees. */
static tt_ivs read_backs(const tt_trace *s)
{
    tt_ivs set = {0};
    static const char dense_name[] = "aten::_local_scalar_dense", item_name[] = "aten::item";
    tt_sid dense = tt_strings_find(&s->strings, dense_name, sizeof dense_name - 1);
    tt_sid item = tt_strings_find(&s->strings, item_name, sizeof item_name - 1);
    for (tt_row r = 0; dense != UINT32_MAX && r < s->n; r++) {
        if (s->name[r] != dense && s->name[r] != item) continue;
        if (tt_row_kind(s, r) == TT_KIND_CPU_OP && !blocks_inside(s, r))
            tt_ivs_add(&set, s->start[r], tt_row_end(s, r));
    }
    tt_ivs_normalise(&set);
    return set;
}

/* Whether most of the claim ends in a read-back. */
static bool is_read_back(const tt_finding_context *c, const tt_claim *claim)
{
    int64_t ns = 0;
    tt_ivs set = read_backs(c->s);
    for (size_t i = 0; i < claim->pieces.n; i++) {
        const tt_claim_piece *p = &claim->pieces.at[i];
        if (tt_ivs_length_in(&set, p->t1 - 1, p->t1)) ns += p->ns;
    }
    tt_vec_free(&set);
    return ns * 2 > claim->ns;
}

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
    bool known = !is_read_back(c, x);
    tt_finding_claims(c, row, x);
    if (known) tt_finding_replays(c, row, 1u << category, bound);
    return row;
}

/* Whether most of the claim is waiting for a late worker. */
static bool is_waiting(const tt_finding_context *c, const tt_claim *claim)
{
    if (c->q->session->n_workers < 2 || !tt_straggler_of_run(c->q).worker) return false;
    tt_comm_waits waits = tt_comm_waits_of(c->q);
    tt_ivs set = tt_comm_waits_on(&waits, c->work, claim->device);
    int64_t ns = 0;
    for (size_t i = 0; i < claim->pieces.n; i++)
        ns += tt_ivs_length_in(&set, claim->pieces.at[i].t0, claim->pieces.at[i].t1);
    tt_vec_free(&set);
    tt_vec_free(&waits);
    return ns * 2 >= claim->ns;
}

void tt_find_exposed_communication(tt_finding_context *c)
{
    uint32_t row = add(c, TT_ROOT_COMMUNICATION, "Exposed communication", "communicates",
                       tt_advice_of(c->s->rules)->overlap_communication, TT_PATH_COMMUNICATION);
    if (row != TT_NONE && is_waiting(c, &tt_finding_of(c, row)->claim)) tt_finding_of(c, row)->cause = "straggler";
}

void tt_find_exposed_copy(tt_finding_context *c)
{
    (void)add(c, TT_ROOT_COPY, "Exposed copies", "copies", tt_advice_of(c->s->rules)->overlap_copies, TT_PATH_COPY);
}
