/* model/tables/findings/claims/claims.c - see claims.h. */
#include "model/tables/findings/claims/claims.h"

#include <stdlib.h>
#include <string.h>

#include "model/tables/findings/claims/claim_lines.h"

void tt_claim_free(tt_claim *c) { tt_vec_free(&c->pieces); }

static void add_piece(tt_claim *c, tt_claim_piece p)
{
    if (p.ns <= 0) return;
    *tt_vec_push(&c->pieces) = p;
    c->ns += p.ns;
}

bool tt_claim_rather(const tt_claim_source *x, uint32_t a, int64_t ns, uint32_t b, int64_t most)
{
    if (ns <= 0 || b == TT_NONE || ns != most) return ns > 0 && (b == TT_NONE || ns > most);
    return strcmp(x->work->devices[a].name, x->work->devices[b].name) < 0;
}

/* ---- idle time ---- */

static void sum_gap(void *arg, const tt_idle_gap *g)
{
    int64_t *sums = arg; /* sums of the device, per cause */
    for (int k = 0; k < TT_WAIT_COUNT_; k++) sums[k] += g->part[k];
}

int64_t *tt_claim_idle(const tt_claim_source *x)
{
    int64_t *sums = tt_calloc(((size_t)x->work->n_devices + 1) * TT_WAIT_COUNT_, sizeof *sums);
    for (uint32_t i = 0; i < x->work->n_devices; i++)
        tt_idle_visit_device(x->session, x->trace, x->account, i, sum_gap, sums + (size_t)i * TT_WAIT_COUNT_);
    return sums;
}

static int64_t sum_of(const int64_t part[TT_WAIT_COUNT_], uint32_t causes)
{
    int64_t ns = 0;
    for (int k = 0; k < TT_WAIT_COUNT_; k++)
        if (causes >> k & 1) ns += part[k];
    return ns;
}

uint32_t tt_claim_idlest(const tt_claim_source *x, const int64_t *idle, uint32_t causes)
{
    uint32_t most = TT_NONE;
    int64_t ns = 0;
    for (uint32_t i = 0; i < x->work->n_devices; i++) {
        int64_t own = sum_of(idle + (size_t)i * TT_WAIT_COUNT_, causes);
        if (tt_claim_rather(x, i, own, most, ns)) most = i, ns = own;
    }
    return most;
}

typedef struct idle_claims { /* claims on one device */
    const tt_claim_source *x;
    const tt_claim_of_idle *of;
    size_t n;
    uint32_t device;
    int64_t from;
    tt_ivs stretches; /* stretches of the gap that is looked at */
    tt_claim_lines **lines;
} idle_claims;

static bool may_claim(const idle_claims *c, const tt_claim_of_idle *of, const tt_idle_gap *g)
{
    if (of->device != c->device || !(of->edges >> g->edge & 1) || !sum_of(g->part, of->causes)) return false;
    if (of->within && (g->t1 <= of->within->t0 || g->t0 >= of->within->t1)) return false;
    return !of->known_launch || (g->next != TT_NONE && c->x->work->at[g->next].launch != TT_NONE);
}

static void cut(tt_ivs *set, const tt_iv *within, const tt_iv *without)
{
    const tt_iv *by = within ? within : without;
    if (!by || !set->n || by->t1 <= set->at[0].t0 || by->t0 >= set->at[set->n - 1].t1) {
        if (within) set->n = 0;
        return;
    }
    const tt_ivs one = {.at = (tt_iv *)(uintptr_t)by, .n = 1, .cap = 1};
    tt_ivs rest = within ? tt_ivs_intersect(set, &one) : tt_ivs_subtract(set, &one);
    tt_vec_free(set);
    *set = rest;
}

/* Add the parts of a gap that the claim has, by cause; returns the largest cause. */
static tt_wait_cause add_parts(idle_claims *c, const tt_claim_of_idle *of, const tt_idle_gap *g)
{
    tt_wait_cause largest = TT_WAIT_COUNT_;
    int64_t most = 0;
    bool is_cut = (of->within || of->without) && c->stretches.n;
    for (int k = 0; k < TT_WAIT_COUNT_; k++) {
        int64_t ns = of->causes >> k & 1 ? g->part[k] : 0;
        if (ns && is_cut) {
            tt_ivs own = {0};
            tt_idle_stretches(c->x->session, c->x->trace, g, c->from, 1u << k, &own);
            cut(&own, of->within, of->without);
            ns = tt_ivs_length(&own);
            tt_vec_free(&own);
        }
        of->claim->part[k] += ns;
        if (ns > most) most = ns, largest = (tt_wait_cause)k;
    }
    return largest;
}

static void claim_gap(void *arg, const tt_idle_gap *g)
{
    idle_claims *c = arg;
    for (size_t i = 0; i < c->n; i++) {
        const tt_claim_of_idle *of = &c->of[i];
        if (!may_claim(c, of, g)) continue;
        c->stretches.n = 0;
        tt_idle_stretches(c->x->session, c->x->trace, g, c->from, of->causes, &c->stretches);
        cut(&c->stretches, of->within, of->without);
        if (!c->stretches.n) continue;
        tt_claim_piece p = {c->stretches.at[0].t0, c->stretches.at[c->stretches.n - 1].t1, tt_ivs_length(&c->stretches),
                            g->track, TT_WAIT_COUNT_};
        p.cause = add_parts(c, of, g);
        add_piece(of->claim, p);
        if (c->lines[i]) tt_claim_lines_add(c->lines[i], g->track, g->op, &c->stretches);
    }
}

void tt_claims_of_idle(const tt_claim_source *x, const tt_claim_of_idle *of, size_t n)
{
    idle_claims c = {.x = x, .of = of, .n = n, .lines = tt_calloc(n + 1, sizeof(tt_claim_lines *))};
    tt_claim_frames *frames = NULL;
    for (size_t i = 0; i < n; i++) {
        *of[i].claim = (tt_claim){.device = of[i].device};
        if (!of[i].with_line || of[i].device == TT_NONE) continue;
        if (!frames) frames = tt_claim_frames_new(x->session, x->trace);
        c.lines[i] = tt_claim_lines_new(frames);
    }
    for (size_t i = 0; i < n; i++) { /* few claims: device by device */
        bool visited = of[i].device == TT_NONE;
        for (size_t k = 0; k < i && !visited; k++) visited = of[k].device == of[i].device;
        if (visited) continue;
        c.device = of[i].device;
        c.from = x->account->time.n ? x->account->time.at[0].t0 : 0;
        tt_idle_visit_device(x->session, x->trace, x->account, c.device, claim_gap, &c);
    }
    for (size_t i = 0; i < n; i++) {
        if (c.lines[i]) of[i].claim->line = tt_claim_lines_most(c.lines[i], of[i].claim->ns, x->arena);
        tt_claim_lines_free(c.lines[i]);
    }
    tt_claim_frames_free(frames);
    tt_vec_free(&c.stretches);
    free(c.lines);
}

/* ---- device work ---- */

tt_claim tt_claim_of_set(const tt_claim_source *x, uint32_t device, const tt_ivs *set)
{
    const tt_work_device *dev = &x->work->devices[device];
    tt_claim c = {.device = device};
    tt_ivs time = tt_account_of_device(x->account, dev), own = tt_ivs_intersect(set, &time);
    for (size_t i = 0; i < own.n; i++)
        add_piece(&c,
                  (tt_claim_piece){own.at[i].t0, own.at[i].t1, own.at[i].t1 - own.at[i].t0, TT_NONE, TT_WAIT_COUNT_});
    tt_vec_free(&time);
    tt_vec_free(&own);
    return c;
}

/* ---- numbers ---- */

int64_t tt_claim_longest(const tt_claim *c, uint32_t *count)
{
    int64_t longest = 0;
    *count = 0;
    for (size_t i = 0; i < c->pieces.n; i++)
        if (c->pieces.at[i].ns > longest) longest = c->pieces.at[i].ns;
    for (size_t i = 0; i < c->pieces.n; i++) *count += c->pieces.at[i].ns >= (longest + 99) / 100;
    return longest;
}

tt_iv tt_claim_window(const tt_claim *c)
{
    const tt_claim_piece *p = c->pieces.at;
    tt_iv best = {0, INT64_MAX};
    int64_t sum = 0;
    for (size_t from = 0, to = 0; from < c->pieces.n; sum -= p[from++].ns) {
        while (to < c->pieces.n && 2 * sum < c->ns) sum += p[to++].ns;
        if (2 * sum < c->ns) break;
        if (p[to - 1].t1 - p[from].t0 < best.t1 - best.t0) best = (tt_iv){p[from].t0, p[to - 1].t1};
    }
    return c->pieces.n ? best : (tt_iv){0, 0};
}
