/* model/tables/findings/rules/rules_straggler.c - rule of table findings about a worker that the others wait for in
 * collectives. The worker that waits longest reports it and claims its waits. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/tables/communication/lateness.h"
#include "model/tables/communication/tables.h"
#include "model/tables/findings/rules/stragglers.h"

/* The longest wait, among the calls where the worker came last. */
static uint32_t worst_call(const tt_table *waits, const char *worker)
{
    int64_t most = 0, calls = 0;
    uint32_t worst = TT_NONE;
    int col = tt_table_column(waits, "worker");
    for (uint32_t r = 0; r < waits->n_rows; r++) {
        int64_t n = tt_finding_int(waits, r, "call");
        if (n >= calls) calls = n + 1;
    }
    int64_t *sum = tt_calloc((size_t)calls + 1, sizeof *sum);
    for (uint32_t r = 0; r < waits->n_rows; r++) {
        int64_t waited = tt_finding_int(waits, r, "waited_ns"); /* unknown wait: the call is inconclusive */
        if (waited != TT_UNKNOWN) sum[tt_finding_int(waits, r, "call")] += waited;
    }
    for (uint32_t r = 0; r < waits->n_rows; r++) {
        int64_t n = tt_finding_int(waits, r, "call");
        if (sum[n] <= most || tt_finding_int(waits, r, "came_last") != 1 ||
            strcmp(tt_table_cell(waits, r, (uint32_t)col).s, worker) != 0)
            continue;
        most = sum[n];
        worst = r;
    }
    free(sum);
    for (uint32_t r = 0, call = worst; call != TT_NONE && r < waits->n_rows;
         r++) { /* the longest waiter of the call shows it best */
        if (tt_finding_int(waits, r, "call") == tt_finding_int(waits, call, "call") &&
            tt_finding_int(waits, r, "waited_ns") > tt_finding_int(waits, worst, "waited_ns"))
            worst = r;
    }
    return worst;
}

/* The longest device work launched in a host slice; the slice itself if there is none. */
static tt_row longest_work(const tt_trace *s, tt_row host)
{
    tt_row longest = host;
    for (uint32_t i = 0; i < s->n_dev; i++) {
        tt_row launch = s->dev[i].launch, r = s->dev[i].row;
        if (launch == TT_NONE || tt_row_track(s, launch) != tt_row_track(s, host)) continue;
        if (s->start[launch] < s->start[host] || tt_row_end(s, launch) > tt_row_end(s, host)) continue;
        if (s->dur[r] > s->dur[longest]) longest = r;
    }
    return longest;
}

/* Report that no straggler can be named, and why. */
static void no_straggler(tt_finding_context *c, int64_t doubtful, int64_t of)
{
    uint32_t row = tt_finding_add(c, "info",
                                  tt_arena_printf(&c->t->arena,
                                                  "Straggler inconclusive: %" PRId64 " of %" PRId64
                                                  " collectives end at different times on different ranks",
                                                  doubtful, of),
                                  "The traces cover different steps, one is incomplete, or a clock drifted: "
                                  "record the same complete steps on every rank");
    tt_set_d(c->t, row, TT_FINDING_VALUE_PCT, of ? 100.0 * (double)doubtful / (double)of : 0);
}

/* ", 296 us later than the median rank in 37 of 80, since step 1": the worker's own lateness; "". */
static const char *lateness_text(const tt_session *s, const char *worker, tt_arena *a)
{
    for (uint32_t t = 0; t < s->n_traces; t++) {
        if (strcmp(s->traces[t]->worker, worker) != 0) continue;
        const tt_late *x = &tt_lateness_get(s, s->traces[t]->span)->all[t];
        if (!x->late) continue;
        const char *since = x->first == TT_UNKNOWN ? "" : tt_arena_printf(a, ", since step %" PRId64, x->first);
        bool fine = x->ns < 1000000;
        return tt_arena_printf(a, ", %.*f %s later than the median rank in %u of %u%s", fine ? 0 : 2,
                               (double)x->ns / (fine ? 1e3 : 1e6), fine ? "us" : "ms", x->late, x->calls, since);
    }
    return "";
}

/* Claim the waits of the trace's longest waiting device, except time claimed by a root. */
static tt_claim claim_waits(tt_finding_context *c, const tt_comm_waits *waits)
{
    tt_claim most = {.device = TT_NONE};
    for (uint32_t d = 0; d < c->work->n_devices; d++) {
        tt_ivs set = tt_comm_waits_on(waits, c->work, d);
        if (!set.n) continue;
        set = tt_finding_untaken(c, d, set);
        tt_claim own = tt_claim_of_set(&c->source, d, &set);
        bool more = tt_claim_rather(&c->source, d, own.ns, most.device, most.ns);
        tt_vec_free(&set);
        tt_claim_free(more ? &most : &own);
        if (more) most = own;
    }
    return most;
}

/* Replay without these waits: each kernel takes only the rest of its time. */
static void replay_without(tt_finding_context *c, uint32_t row, const tt_comm_waits *waits, int64_t bound)
{
    tt_finding_replay *r = tt_finding_replays(c, row, 0, bound);
    r->works = tt_malloc((waits->n + 1) * sizeof *r->works);
    for (size_t i = 0; i < waits->n; i++) {
        const tt_work *x = &c->work->at[waits->at[i].work];
        double left = 1 - (double)waits->at[i].ns / (double)(x->end - x->start);
        r->works[i] = (tt_replay_work){waits->at[i].work, (uint32_t)(left * (double)TT_REPLAY_WHOLE)};
    }
    r->change.works = r->works;
    r->change.n_works = waits->n;
}

/* Evidence without recorded kernels: the wait of the worst call. */
static void show_worst(tt_finding_context *c, uint32_t row, const char *worker)
{
    tt_options none = {0};
    tt_scope scope = *c->q->scope;
    scope.worker = TT_ALL;
    tt_table *waits = tt_table_compute(c->q->session, &tt_table_comm_waits, &scope, &none);
    uint32_t worst = worst_call(waits, worker);
    if (worst != TT_NONE) {
        tt_drilldown *o = tt_set_drilldown(c->t, row);
        *o = waits->drilldowns[worst];
        if (!c->q->session->traces[o->trace]->summary) o->row = longest_work(c->q->session->traces[o->trace], o->row);
    }
    tt_table_free(waits);
}

void tt_find_straggler(tt_finding_context *c)
{
    const tt_session *s = c->q->session;
    if (s->n_workers < 2) return;
    tt_straggler x = tt_straggler_of_run(c->q);
    if (!x.worker) {
        if (x.doubtful && tt_query_is_first(c->q)) no_straggler(c, x.doubtful, x.of);
        return;
    }
    uint32_t waiter = tt_straggler_longest_waiter(c->q);
    if (waiter == TT_NONE ? !tt_query_is_first(c->q) : waiter != c->q->trace) return;
    char rank[32];
    tt_arena *a = &c->t->arena;
    double v = c->account.ns > 0 ? 100.0 * (double)x.each / (double)c->account.ns : 0;
    tt_comm_waits waits = c->work->n ? tt_comm_waits_of(c->q) : (tt_comm_waits){0};
    tt_claim claim = claim_waits(c, &waits);
    const char *title =
        tt_arena_printf(a, "Straggler: %s is last to arrive in %" PRId64 " of %" PRId64 " collectives%s%s",
                        tt_rank_name(s, x.worker, rank), x.last_calls, x.calls, lateness_text(s, x.worker, a),
                        x.doubtful ? tt_arena_printf(a, "; %" PRId64 " more are inconclusive", x.doubtful) : "");
    if (claim.ns)
        title = tt_arena_printf(a, "%s; %s waits %.1f%% %s for it (%s)", title, tt_finding_device(c, claim.device),
                                tt_finding_pct(c, claim.device, claim.ns), tt_finding_of_time(c),
                                tt_finding_time(c, &claim, "waits"));
    uint32_t row = tt_finding_add(c, v > 20 ? "high" : "medium", title,
                                  "Compare its step with another rank (Steps, c): input, kernels, copies, sync");
    if (claim.ns) {
        int64_t bound = claim.ns;
        tt_finding_claims(c, row, &claim);
        replay_without(c, row, &waits, bound);
    } else {
        tt_set_d(c->t, row, TT_FINDING_VALUE_PCT, v);
        show_worst(c, row, x.worker);
    }
    tt_vec_free(&waits);
}
