/* model/tables/findings/rules_communication.c - rules of table findings about workers: how they communicate, and
 * which one the others wait for. */
#include "model/tables/analysis/name_class.h"
#include "model/tables/analysis/time_class.h"
#include "model/tables/findings/findings.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Is a host name with this class in scope? */
static bool seen(const tt_finding_context *c, const tt_name_classes *names, unsigned name_class)
{
    for (tt_row r = 0; r < c->s->n; r++) {
        tt_kind k = tt_row_kind(c->s, r);
        if ((k == TT_KIND_CPU_OP || k == TT_KIND_ANNOTATION) && tt_name_class(names, c->s, r) & name_class &&
            tt_query_has(c->q, c->s->start[r]))
            return true;
    }
    return false;
}

static bool nccl_used(const tt_finding_context *c, const tt_name_classes *names)
{
    for (uint32_t i = 0; i < c->s->n_dev; i++) {
        const tt_activity *d = &c->s->dev[i];
        if (tt_row_kind(c->s, d->row) == TT_KIND_KERNEL && tt_comm_kernel(names, c->s, d)) return true;
    }
    for (tt_row r = 0; r < c->s->n; r++) {
        tt_kind k = tt_row_kind(c->s, r);
        if (k != TT_KIND_CPU_OP && k != TT_KIND_ANNOTATION) continue;
        if (tt_name_class(names, c->s, r) & TT_NAME_COMM && strncmp(tt_row_name(c->s, r), "nccl:", 5) == 0) return true;
    }
    return false;
}

void tt_find_use_ddp(tt_finding_context *c)
{
    const tt_name_classes *names = tt_name_classes_get(c->q->session, c->q->trace);
    if (c->gpus.n > 1 && seen(c, names, TT_NAME_DP))
        tt_finding_add(c, "medium", "DataParallel is used with several devices",
                       "Use DistributedDataParallel: one process per GPU, communication overlaps with compute");
}

void tt_find_use_nccl(tt_finding_context *c)
{
    const tt_name_classes *names = tt_name_classes_get(c->q->session, c->q->trace);
    bool capable = false;
    if (strcmp(c->s->rules->comm_library, "NCCL") != 0) return;
    for (uint32_t i = 0; i < c->s->n_devices; i++) {
        const tt_device_props *p = &c->s->devices[i];
        capable |= p->major != TT_UNKNOWN && (p->major > 3 || (p->major == 3 && p->minor >= 5));
    }
    if (capable && seen(c, names, TT_NAME_DDP) && !nccl_used(c, names))
        tt_finding_add(c, "medium", "DistributedDataParallel does not communicate through NCCL",
                       "Use the NCCL back end on GPUs: init_process_group(\"nccl\")");
}

void tt_find_communication_bound(tt_finding_context *c)
{
    int64_t ns;
    double v = tt_finding_share(c, TT_TIME_COMMUNICATION, &ns);
    if (v <= 10) return;
    uint32_t row = tt_finding_add(c, v > 30 ? "high" : "medium",
                                  tt_arena_printf(&c->t->arena, "Exposed communication: %.1f%% of the step time", v),
                                  tt_advice_of(c->s->rules)->overlap_communication);
    tt_finding_show_longest(c, row, TT_TIME_COMMUNICATION);
    tt_set_d(c->t, row, TT_FINDING_VALUE, v);
    tt_set_i(c->t, row, TT_FINDING_SAVING, ns);
}

/* Collectives end at different times on the workers, whatever their clocks are set by: waits cannot be told. */
void tt_find_clocks_apart(tt_finding_context *c)
{
    tt_options none = {0};
    tt_scope scope = *c->q->scope;
    if (c->q->session->n_workers < 2 || !tt_finding_is_first(c->q)) return;
    scope.worker = TT_ALL;
    tt_table *clocks = tt_table_compute(c->q->session, tt_table_find("comm_clock"), &scope, &none);
    uint32_t worst = TT_NONE;
    int64_t spread = 0, apart = 0;
    char rank[32];
    for (uint32_t r = 0; r < clocks->n_rows; r++) {
        if (tt_finding_int(clocks, r, "trusted") != 0) continue;
        apart++;
        if (worst == TT_NONE || tt_finding_int(clocks, r, "spread_ns") > spread)
            worst = r, spread = tt_finding_int(clocks, r, "spread_ns");
    }
    if (worst != TT_NONE)
        tt_finding_add(c, "info",
                       tt_arena_printf(&c->t->arena,
                                       "Clock drift: the clock of %s moves by %.1f us "
                                       "against the other ranks between collectives%s",
                                       tt_rank_name(c->q->session, tt_finding_text(clocks, worst, "worker"), rank),
                                       (double)spread / 1e3, apart > 1 ? "; others drift too" : ""),
                       "Waits between ranks (Distributed tab) are estimates: synchronise the clocks of the hosts, and "
                       "record the same steps on every rank");
    tt_table_free(clocks);
}

/* Of the call that the worker came last to and that the others waited for most: the longest wait. */
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
        int64_t waited = tt_finding_int(waits, r, "waited_ns"); /* unknown: the call is inconclusive */
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
         r++) { /* who waited longest in it shows it best */
        if (tt_finding_int(waits, r, "call") == tt_finding_int(waits, call, "call") &&
            tt_finding_int(waits, r, "waited_ns") > tt_finding_int(waits, worst, "waited_ns"))
            worst = r;
    }
    return worst;
}

/* The longest device work that was launched in a host slice; the slice itself when there is none. */
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

/* Collectives of which it cannot be said who came last; *of: of how many. */
static int64_t inconclusive_calls(const tt_session *s, const tt_scope *scope, int64_t *of)
{
    int64_t n = 0;
    tt_options none = {0};
    tt_table *calls = tt_table_compute(s, tt_table_find("comm_calls"), scope, &none);
    for (uint32_t r = 0; r < calls->n_rows; r++) n += tt_finding_int(calls, r, "conclusive") == 0;
    *of = calls->n_rows;
    tt_table_free(calls);
    return n;
}

/* Nobody is named, and why. */
static void no_straggler(tt_finding_context *c, int64_t doubtful, int64_t of)
{
    uint32_t row = tt_finding_add(c, "info",
                                  tt_arena_printf(&c->t->arena,
                                                  "Straggler inconclusive: %" PRId64 " of %" PRId64
                                                  " collectives end at different times on different ranks",
                                                  doubtful, of),
                                  "The traces cover different steps, one is incomplete, or a clock drifted: "
                                  "record the same complete steps on every rank");
    tt_set_d(c->t, row, TT_FINDING_VALUE, of ? 100.0 * (double)doubtful / (double)of : 0);
}

/* A worker that the others wait for in collectives. */
void tt_find_straggler(tt_finding_context *c)
{
    const tt_session *s = c->q->session;
    tt_options none = {0};
    tt_scope scope = *c->q->scope;
    if (s->n_workers < 2 || !tt_finding_is_first(c->q)) return;
    scope.worker = TT_ALL;
    tt_table *ranks = tt_table_compute(s, tt_table_find("comm_ranks"), &scope, &none);
    uint32_t late = TT_NONE;
    int64_t caused = 0, total = tt_finding_steps(c), of, doubtful = inconclusive_calls(s, &scope, &of);
    for (uint32_t r = 0; r < ranks->n_rows; r++) {
        if (tt_finding_int(ranks, r, "caused_ns") > caused) caused = tt_finding_int(ranks, r, "caused_ns"), late = r;
    }
    int64_t each = caused / (s->n_workers - 1); /* of the others, on average */
    if (each > total) each = total;
    bool named = late != TT_NONE && each > total / 50 && doubtful * 2 <= of; /* what most of the calls speak for */
    if (named) {
        const char *worker = tt_table_cell(ranks, late, (uint32_t)tt_table_column(ranks, "worker")).s;
        char rank[32];
        double v = total > 0 ? 100.0 * (double)each / (double)total : 0;
        uint32_t row = tt_finding_add(
            c, v > 20 ? "high" : "medium",
            tt_arena_printf(&c->t->arena, "Straggler: %s is last to arrive in %" PRId64 " of %" PRId64 " collectives%s",
                            tt_rank_name(s, worker, rank), tt_finding_int(ranks, late, "last_calls"),
                            tt_finding_int(ranks, late, "calls"),
                            doubtful ? tt_arena_printf(&c->t->arena, "; %" PRId64 " more are inconclusive", doubtful)
                                     : ""),
            "Compare its step with another rank (Steps, c): input, kernels, copies, sync");
        tt_set_i(c->t, row, TT_FINDING_SAVING, each);
        tt_set_d(c->t, row, TT_FINDING_VALUE, v);
        tt_table *waits = tt_table_compute(s, tt_table_find("comm_waits"), &scope, &none);
        uint32_t worst = worst_call(waits, worker);
        if (worst != TT_NONE) {
            tt_drilldown *o = tt_set_origin(c->t, row);
            *o = waits->origins[worst];
            o->row = longest_work(s->traces[o->trace], o->row);
        }
        tt_table_free(waits);
    } else if (doubtful) {
        no_straggler(c, doubtful, of);
    }
    tt_table_free(ranks);
}
