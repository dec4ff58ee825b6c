/* model/tables/findings/claims/finding.c - see finding.h. */
#include "model/tables/findings/claims/finding.h"

#include <stdlib.h>
#include <string.h>

static const char *const rule_ids[] = {
#define X(id, rank, under) #id,
#include "model/tables/findings/claims/findings.def"
#undef X
};

uint32_t tt_finding_add(tt_finding_context *c, const char *severity, const char *title, const char *detail)
{
    uint32_t row = tt_table_add(c->t);
    *tt_vec_push(&c->of) = (tt_finding){.rule = c->rule, .trace = c->q->trace, .claim = {.device = TT_NONE}};
    if (!c->found[c->rule]) c->found[c->rule] = (uint32_t)c->of.n;
    tt_set_ref(c->t, row, TT_FINDING_ID, c->id);
    tt_set_ref(c->t, row, TT_FINDING_SEVERITY, severity);
    tt_set_ref(c->t, row, TT_FINDING_TITLE, title);
    tt_set_ref(c->t, row, TT_FINDING_DETAIL, detail);
    if (c->t0 < c->t1) {
        tt_set_i(c->t, row, TT_FINDING_START_AT, tt_at(c->q, c->t0));
        tt_set_i(c->t, row, TT_FINDING_END_AT, tt_at(c->q, c->t1));
        tt_set_range(c->q, c->t, row, c->t0, c->t1);
    }
    return row;
}

tt_finding *tt_finding_of(tt_finding_context *c, uint32_t row) { return &c->of.at[row - c->first]; }

/* Pieces are kept. Pieces of idle time are many, and kept for table evidence only; pieces of device work and unseen
 * work are kept for later rules. */
static bool needs_pieces(const tt_finding_context *c, const tt_claim *x)
{
    bool is_work = x->pieces.n && x->pieces.at[0].cause == TT_WAIT_COUNT_;
    return is_work || c->t->options.claims || !strcmp(c->id, "unseen_work");
}

void tt_finding_claims(tt_finding_context *c, uint32_t row, tt_claim *claim)
{
    tt_finding *f = tt_finding_of(c, row);
    uint32_t count;
    int64_t longest = tt_claim_longest(claim, &count);
    tt_iv window = tt_claim_window(claim);
    f->claim = *claim;
    *claim = (tt_claim){.device = TT_NONE};
    if (f->claim.device != TT_NONE) tt_set_ref(c->t, row, TT_FINDING_DEVICE, c->work->devices[f->claim.device].name);
    tt_set_i(c->t, row, TT_FINDING_TIME, f->claim.ns);
    tt_set_i(c->t, row, TT_FINDING_COUNT, count);
    tt_set_i(c->t, row, TT_FINDING_LONGEST, longest);
    if (f->claim.line) tt_set_ref(c->t, row, TT_FINDING_LINE, f->claim.line);
    tt_set_d(c->t, row, TT_FINDING_VALUE_PCT, tt_finding_pct(c, f->claim.device, f->claim.ns));
    if (!needs_pieces(c, &f->claim)) tt_claim_free(&f->claim);
    if (window.t0 >= window.t1) return;
    tt_set_i(c->t, row, TT_FINDING_START_AT, tt_at(c->q, window.t0));
    tt_set_i(c->t, row, TT_FINDING_END_AT, tt_at(c->q, window.t1));
    tt_set_range(c->q, c->t, row, window.t0, window.t1);
    c->t->drilldowns[row].finding = (uint16_t)(f->rule + 1);
}

tt_finding_replay *tt_finding_replays(tt_finding_context *c, uint32_t row, uint32_t categories, int64_t bound)
{
    tt_finding_replay *r = tt_calloc(1, sizeof *r);
    r->change = tt_replay_change_none();
    for (unsigned k = 0; k < TT_PATH_COUNT_; k++)
        if (categories >> k & 1) r->change.category[k] = 0;
    r->bound = bound;
    tt_finding_of(c, row)->replay = r;
    return r;
}

tt_ivs tt_finding_untaken(const tt_finding_context *c, uint32_t device, tt_ivs set)
{
    tt_ivs taken = {0};
    for (size_t i = 0; i < c->of.n; i++) {
        const tt_claim *x = &c->of.at[i].claim;
        for (size_t k = 0; !c->of.at[i].cause && x->device == device && k < x->pieces.n; k++)
            if (x->pieces.at[k].cause == TT_WAIT_COUNT_) tt_ivs_add(&taken, x->pieces.at[k].t0, x->pieces.at[k].t1);
    }
    if (!taken.n) return set;
    tt_ivs_normalise(&taken);
    tt_ivs rest = tt_ivs_subtract(&set, &taken);
    tt_vec_free(&taken);
    tt_vec_free(&set);
    return rest;
}

uint32_t tt_finding_found(const tt_finding_context *c, const char *id)
{
    uint32_t i = 0;
    while (i < TT_RULES && strcmp(rule_ids[i], id) != 0) i++;
    return i < TT_RULES && c->found[i] ? c->first + c->found[i] - 1 : TT_NONE;
}

int64_t tt_finding_steps(const tt_finding_context *c)
{
    int64_t sum = 0;
    for (size_t i = 0; i < c->steps.n; i++) sum += c->steps.at[i].total;
    return sum;
}

double tt_finding_share(const tt_finding_context *c, int part, int64_t *ns)
{
    int64_t total = tt_finding_steps(c);
    *ns = 0;
    for (size_t i = 0; i < c->steps.n; i++) *ns += c->steps.at[i].part[part];
    return total > 0 ? 100.0 * (double)*ns / (double)total : 0;
}

void tt_finding_show_longest(const tt_finding_context *c, uint32_t row, tt_time_class role)
{
    const tt_name_classes *names = tt_name_classes_get(c->q->session, c->q->trace);
    tt_row longest = TT_NONE;
    for (tt_row r = 0; r < c->s->n; r++) {
        if (longest != TT_NONE && c->s->dur[r] <= c->s->dur[longest]) continue;
        if (c->s->start[r] < c->t0 || c->s->start[r] >= c->t1 || !tt_query_has_row(c->q, r)) continue;
        if (tt_role_of(c->s, names, r) == role) longest = r;
    }
    if (longest != TT_NONE) tt_set_row(c->q, c->t, row, longest);
}

tt_table *tt_finding_own_table(const tt_finding_context *c, const tt_table_desc *d)
{
    const tt_session *s = c->q->session;
    tt_scope scope = *c->q->scope;
    tt_options none = {0};
    tt_scope_to_trace(s, c->q->trace, &scope);
    return tt_table_compute(s, d, &scope, &none);
}

tt_table *tt_finding_table(const tt_finding_context *c, const tt_table_desc *d)
{
    return c->s->n_imported ? tt_finding_own_table(c, d) : NULL;
}

int64_t tt_finding_int(const tt_table *t, uint32_t row, const char *key)
{
    return tt_table_cell_of(t, row, key, TT_T_COUNT).i;
}
double tt_finding_real(const tt_table *t, uint32_t row, const char *key)
{
    return tt_table_cell_of(t, row, key, TT_T_NUMBER).d;
}
const char *tt_finding_text(const tt_table *t, uint32_t row, const char *key)
{
    return tt_table_cell_of(t, row, key, TT_T_STRING).s;
}
