/* model/tables/findings/root_claims.c - see root_claims.h. */
#include "model/tables/findings/root_claims.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/median.h"
#include "model/tables/idle/gpu_time.h"

/* causes of idle time, and the least percentage of the account that a root needs */
static const struct {
    uint32_t causes;
    double more_than;
} idle_roots[] = {
    [TT_ROOT_INPUT] = {1u << TT_WAIT_INPUT, 5},     [TT_ROOT_SYNC] = {1u << TT_WAIT_SYNC, 5},
    [TT_ROOT_HOST] = {TT_FINDING_ON_HOST, 10},      [TT_ROOT_STREAM] = {1u << TT_WAIT_QUEUE, 10},
    [TT_ROOT_UNSEEN] = {1u << TT_WAIT_UNKNOWN, 10},
};
typedef TT_VEC(tt_row) row_list;
#define FIRST_CALL_MORE_THAN 10 /* percentage of the account */

/* ---- is the device's time in the file? ---- */

static int64_t in_account(const tt_finding_context *c, tt_row r)
{
    return tt_ivs_length_in(&c->account.time, c->s->start[r], tt_row_end(c->s, r));
}

/* Count runtime and driver calls in the account that launch, and those with device work. Calls longer than more_than
 * go to *large. */
static void count_launches(tt_finding_context *c, int64_t more_than, row_list *large)
{
    const tt_trace *s = c->s;
    bool is_call[256] = {false}; /* per category */
    for (uint32_t i = 0; i < s->n_cats; i++)
        is_call[i] = s->kind_of[i] == TT_KIND_RUNTIME || s->kind_of[i] == TT_KIND_DRIVER;
    uint8_t *launches = tt_calloc(s->strings.text.n + (size_t)1, 1); /* per name: 1 = launches, 2 = does not */
    uint8_t *linked = tt_calloc(s->n / 8 + (size_t)1, 1);            /* bit set per row */
    for (uint32_t i = 0; i < s->n_links; i++) linked[s->launch_row[i] / 8] |= (uint8_t)(1u << s->launch_row[i] % 8);
    for (tt_row r = 0; r < s->n; r++) {
        if (!is_call[s->cat[r]]) continue;
        if (s->dur[r] > more_than && in_account(c, r) > more_than) *tt_vec_push(large) = r;
        uint8_t *is = &launches[s->name[r]];
        if (!*is) *is = strstr(tt_row_name(s, r), "Launch") ? 1 : 2;
        if (*is != 1 || !tt_ivs_length_in(&c->account.time, s->start[r], s->start[r] + 1)) continue;
        c->launches++;
        c->launched += linked[r / 8] >> r % 8 & 1;
    }
    free(linked);
    free(launches);
    c->device_unseen = c->launches - c->launched > 100 && c->launched * 2 < c->launches;
}

/* ---- the first call ---- */

typedef struct name_calls { /* all calls of a name and kind in the file */
    int64_t first, median;  /* start of the first one; median of their lengths */
} name_calls;

static bool same_call(const tt_trace *s, tt_row a, tt_row b)
{
    return s->name[a] == s->name[b] && tt_row_kind(s, a) == tt_row_kind(s, b);
}

static name_calls calls_like(const tt_trace *s, tt_row call)
{
    TT_VEC(int64_t) of_name = {0};
    name_calls x = {.first = INT64_MAX};
    for (tt_row r = 0; r < s->n; r++) {
        if (!same_call(s, r, call)) continue;
        *tt_vec_push(&of_name) = s->dur[r];
        if (s->start[r] < x.first) x.first = s->start[r];
    }
    x.median = tt_median(of_name.at, of_name.n);
    tt_vec_free(&of_name);
    return x;
}

static int by_name(const void *a, const void *b, void *arg)
{
    const tt_trace *s = arg;
    tt_row x = *(const tt_row *)a, y = *(const tt_row *)b;
    if (s->name[x] != s->name[y]) return s->name[x] < s->name[y] ? -1 : 1;
    if (tt_row_kind(s, x) != tt_row_kind(s, y)) return tt_row_kind(s, x) < tt_row_kind(s, y) ? -1 : 1;
    return (x > y) - (x < y);
}

/* The longest runtime or driver call over 30 % of the account that is a start-up cost: it neither blocks nor copies,
 * and is the first of its name in the file or more than 100 times as long as their median. */
static tt_row find_first_call(const tt_finding_context *c, row_list *large)
{
    const tt_trace *s = c->s;
    int64_t most = 0;
    name_calls calls = {0};
    tt_row found = TT_NONE;
    if (large->n) qsort_r(large->at, large->n, sizeof *large->at, by_name, (void *)(uintptr_t)s);
    for (size_t i = 0; i < large->n; i++) {
        tt_row r = large->at[i];
        const char *name = tt_row_name(s, r);
        int64_t ns = in_account(c, r);
        if (tt_call_blocks(name) || tt_call_copies(name)) continue;
        if (!i || !same_call(s, large->at[i - 1], r)) calls = calls_like(s, r);
        if (s->start[r] > calls.first && s->dur[r] / 100 <= calls.median) continue;
        if (ns < most || (ns == most && r > found)) continue;
        most = ns;
        found = r;
    }
    return found;
}

/* Time of the account within the interval in which the device is idle. */
static int64_t idle_within(const tt_finding_context *c, uint32_t device, tt_iv in)
{
    const tt_work_device *dev = &c->work->devices[device];
    tt_ivs time = tt_account_of_device(&c->account, dev);
    int64_t ns = 0;
    for (size_t i = 0; i < time.n; i++) {
        int64_t t0 = time.at[i].t0 > in.t0 ? time.at[i].t0 : in.t0, t1 = time.at[i].t1 < in.t1 ? time.at[i].t1 : in.t1;
        if (t0 < t1) ns += t1 - t0 - tt_ivs_length_in(&dev->busy, t0, t1);
    }
    tt_vec_free(&time);
    return ns;
}

static void drop_small(tt_finding_context *c, int root, double more_than)
{
    tt_claim *x = &c->roots[root];
    if (x->device != TT_NONE && tt_finding_pct(c, x->device, x->ns) > more_than) return;
    tt_claim_free(x);
    *x = (tt_claim){.device = TT_NONE};
}

/* Claim the idle time inside the call, on the device that has most of it. */
static void claim_first_call(tt_finding_context *c, row_list *large)
{
    tt_row call = c->account.clocks_differ ? TT_NONE : find_first_call(c, large);
    tt_claim *best = &c->roots[TT_ROOT_FIRST_CALL];
    if (call == TT_NONE) return;
    tt_iv at = {c->s->start[call], tt_row_end(c->s, call)};
    uint32_t most = TT_NONE;
    int64_t ns = 0;
    for (uint32_t i = 0; i < c->work->n_devices; i++) {
        int64_t own = idle_within(c, i, at);
        if (tt_claim_rather(&c->source, i, own, most, ns)) ns = own, most = i;
    }
    if (most == TT_NONE) return;
    tt_claim_of_idle of = {most, (1u << TT_WAIT_COUNT_) - 1, TT_EDGES_ALL, &at, NULL, false, true, best};
    tt_claims_of_idle(&c->source, &of, 1);
    drop_small(c, TT_ROOT_FIRST_CALL, FIRST_CALL_MORE_THAN);
    if (best->device != TT_NONE) c->first_call = call;
}

/* ---- idle time by cause ---- */

static void claim_idle(tt_finding_context *c)
{
    tt_claim_of_idle of[TT_ROOT_COUNT_];
    size_t n = 0;
    tt_iv call = {0};
    const tt_claim *first = &c->roots[TT_ROOT_FIRST_CALL];
    if (c->first_call != TT_NONE) call = (tt_iv){c->s->start[c->first_call], tt_row_end(c->s, c->first_call)};
    for (int k = TT_ROOT_INPUT; k <= TT_ROOT_UNSEEN; k++) {
        uint32_t d = tt_claim_idlest(&c->source, c->idle, idle_roots[k].causes);
        int64_t ns = 0;
        for (int w = 0; d != TT_NONE && w < TT_WAIT_COUNT_; w++)
            if (idle_roots[k].causes >> w & 1) ns += c->idle[(size_t)d * TT_WAIT_COUNT_ + (size_t)w];
        if (d == TT_NONE || !(tt_finding_pct(c, d, ns) > idle_roots[k].more_than)) continue;
        bool unseen = k == TT_ROOT_UNSEEN, host = k <= TT_ROOT_HOST;
        uint32_t edges = unseen ? 1u << TT_EDGE_LEADING | 1u << TT_EDGE_EARLY : TT_EDGES_ALL;
        of[n++] = (tt_claim_of_idle){d,    idle_roots[k].causes, edges, NULL, d == first->device ? &call : NULL, unseen,
                                     host, &c->roots[k]};
    }
    if (n) tt_claims_of_idle(&c->source, of, n);
    for (int k = TT_ROOT_INPUT; k <= TT_ROOT_UNSEEN; k++) drop_small(c, k, idle_roots[k].more_than);
}

/* ---- work that nothing hides ---- */

static void claim_exposed(tt_finding_context *c, int root, tt_work_class class, double more_than)
{
    uint32_t most = TT_NONE;
    int64_t ns = 0;
    for (uint32_t i = 0; i < c->work->n_devices; i++) {
        const tt_ivs *set = tt_gpu_time_exposed(c->q->session, c->q->trace, i, class);
        tt_ivs time = tt_account_of_device(&c->account, &c->work->devices[i]);
        int64_t own = 0;
        for (size_t k = 0; k < time.n; k++) own += tt_ivs_length_in(set, time.at[k].t0, time.at[k].t1);
        tt_vec_free(&time);
        if (tt_claim_rather(&c->source, i, own, most, ns)) ns = own, most = i;
    }
    if (most == TT_NONE || !(tt_finding_pct(c, most, ns) > more_than)) return;
    c->roots[root] = tt_claim_of_set(&c->source, most, tt_gpu_time_exposed(c->q->session, c->q->trace, most, class));
}

void tt_root_claims_make(tt_finding_context *c)
{
    row_list large = {0};
    for (int k = 0; k < TT_ROOT_COUNT_; k++) c->roots[k] = (tt_claim){.device = TT_NONE};
    c->idle = tt_claim_idle(&c->source);
    count_launches(c, c->account.ns / 10 * 3, &large);
    claim_first_call(c, &large);
    tt_vec_free(&large);
    claim_idle(c);
    claim_exposed(c, TT_ROOT_COMMUNICATION, TT_WORK_COMMUNICATION, 10);
    claim_exposed(c, TT_ROOT_COPY, TT_WORK_COPY, 5);
}
