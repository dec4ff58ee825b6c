/* model/tables/findings/rules_communication.c - rules of table findings about workers: how they communicate, and
 * which one the others wait for. */
#include "model/base/median.h"
#include "model/tables/analysis/name_class.h"
#include "model/tables/analysis/time_class.h"
#include "model/tables/communication/lateness.h"
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
    if (v <= 10 || (!c->work->n && !c->s->n_imported)) return; /* what is exposed only device work tells */
    uint32_t row = tt_finding_add(c, v > 30 ? "high" : "medium",
                                  tt_arena_printf(&c->t->arena, "Exposed communication: %.1f%% of the step time", v),
                                  tt_advice_of(c->s->rules)->overlap_communication);
    tt_finding_show_longest(c, row, TT_TIME_COMMUNICATION);
    tt_set_d(c->t, row, TT_FINDING_VALUE, v);
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

/* What a worker that caused waits in the scope caused to each of those that were in its calls; they are not all workers
 * where process groups are smaller. */
static int64_t caused_each(const tt_session *s, const char *worker, const tt_scope *scope, int64_t caused)
{
    int64_t sum = 0, waits = 0, most = 0;
    for (uint32_t t = 0; t < s->n_traces; t++) {
        if (strcmp(s->traces[t]->worker, worker) != 0 || !tt_scope_has_store(s, scope, t)) continue;
        const tt_comm_pairs *p = tt_comm_pairs_get(s, s->traces[t]->span);
        for (uint32_t i = p->first[t]; i < p->first[t + 1]; i++) {
            const tt_comm_call *c = &p->calls[p->visits[i].call];
            if (c->workers < 2 || !c->conclusive || c->last != i) continue;
            int64_t all = c->total - (int64_t)c->workers * c->shortest;
            if (c->workers > most) most = c->workers;
            sum += all / (c->workers - 1);
            waits += all;
        }
    }
    if (most == s->n_workers || waits <= 0) return caused / (s->n_workers - 1);
    return (int64_t)((double)sum * ((double)caused / (double)waits)); /* of the scope's part */
}

/* ", 296 us later than the median rank in 37 of 80, since step 1": what the worker does by itself; "". */
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

/* ---- all ranks of a machine, one process group ---- */

typedef struct late_rank {
    uint32_t trace;
    const char *host;
    const tt_late *late;
} late_rank;

static int by_host(const void *a, const void *b)
{
    const late_rank *x = a, *y = b;
    int c = strcmp(x->host, y->host);
    return c ? c : (x->trace > y->trace) - (x->trace < y->trace);
}

enum {
    LEAST_CALLS = 4,
    LEAST_SHARE = 200 /* a slow node costs at least this part of the steps */
};
/* Late by itself in a tenth of its calls. */
static bool often_late(const tt_late *x) { return x->late >= LEAST_CALLS && x->late * 10 >= x->calls; }

typedef struct late_ranks { /* of the span, by host */
    late_rank *at;
    uint32_t n;
    tt_arena hosts;
} late_ranks;

static late_ranks late_ranks_of(const tt_finding_context *c)
{
    const tt_session *s = c->q->session;
    late_ranks l = {.at = tt_calloc(s->n_traces + 1u, sizeof *l.at)};
    const tt_lateness *x = tt_lateness_get(s, c->s->span);
    for (uint32_t i = 0; i < s->n_traces; i++)
        if (!strcmp(s->traces[i]->span, c->s->span))
            l.at[l.n++] = (late_rank){i, tt_host_of(s->traces[i], &l.hosts), &x->all[i]};
    qsort(l.at, l.n, sizeof *l.at, by_host);
    return l;
}

static void late_ranks_free(late_ranks *l)
{
    free(l->at);
    tt_arena_free(&l->hosts);
}

/* The k ranks from `at` on are those of one machine: nearly all of them are late, and hardly any of the others. */
static bool is_slow_node(const late_ranks *l, uint32_t at, uint32_t k)
{
    uint32_t here = 0, all = 0;
    for (uint32_t i = 0; i < l->n; i++) {
        bool late = often_late(l->at[i].late);
        all += late;
        here += late && i >= at && i < at + k;
    }
    return *l->at[at].host && k > 1 && l->n > k && here * 4 >= k * 3 && (all - here) * 4 <= l->n - k;
}

static void add_slow_node(tt_finding_context *c, const late_ranks *l, uint32_t at, uint32_t k)
{
    int64_t *ns = tt_malloc(k * sizeof *ns), first = INT64_MAX;
    uint32_t n = 0, late = 0, calls = 0;
    for (uint32_t i = at; i < at + k; i++) {
        const tt_late *x = l->at[i].late;
        if (!x->late) continue;
        ns[n++] = x->ns;
        late += x->late;
        calls += x->calls;
        if (x->first != TT_UNKNOWN && x->first < first) first = x->first;
    }
    int64_t median = n ? tt_median(ns, n) : 0, total = tt_finding_steps(c), each = median * (int64_t)late / k;
    free(ns);
    if (each * LEAST_SHARE < total) return; /* a little behind in a few of them: noise that nobody has to look for */
    const char *since = first == INT64_MAX ? "" : tt_arena_printf(&c->t->arena, ", since step %" PRId64, first);
    uint32_t row = tt_finding_add(
        c, total > 0 && each * 5 > total ? "high" : "medium",
        tt_arena_printf(&c->t->arena,
                        "Slow node: %u of %u ranks of %s arrive %.0f us late, in %.0f%% of their collectives%s", n, k,
                        l->at[at].host, (double)median / 1e3, calls ? 100.0 * late / calls : 0, since),
        "Compare that machine with another one: clocks and temperature of its GPUs, its network card and PCIe links, "
        "other "
        "programs on it");
    if (total > 0) tt_set_d(c->t, row, TT_FINDING_VALUE, each < total ? 100.0 * (double)each / (double)total : 100);
}

void tt_find_slow_node(tt_finding_context *c)
{
    if (c->q->session->n_workers < 2 || !tt_finding_is_first(c->q)) return;
    late_ranks l = late_ranks_of(c);
    for (uint32_t i = 0, k; i < l.n; i += k) {
        for (k = 1; i + k < l.n && !strcmp(l.at[i + k].host, l.at[i].host);) k++;
        if (is_slow_node(&l, i, k)) add_slow_node(c, &l, i, k);
    }
    late_ranks_free(&l);
}

/* Of a worker the only group in which it is late, while it is in others as often and never late; NULL. */
static const tt_late *only_group(const tt_lateness *x, uint32_t trace)
{
    const tt_late *one = NULL;
    bool punctual = false;
    for (uint32_t i = x->first[trace]; i < x->first[trace + 1]; i++) {
        const tt_late *g = &x->of.at[i];
        if (g->late * 2 >= g->calls && g->late >= LEAST_CALLS) {
            if (one) return NULL;
            one = g;
        } else if (g->late * 10 > g->calls) {
            return NULL;
        } else {
            punctual = punctual || g->calls >= LEAST_CALLS;
        }
    }
    return punctual ? one : NULL;
}

static bool on_slow_node(const late_ranks *l, uint32_t trace)
{
    for (uint32_t i = 0, k; i < l->n; i += k) {
        bool mine = false;
        for (k = 0; i + k < l->n && !strcmp(l->at[i + k].host, l->at[i].host); k++) mine |= l->at[i + k].trace == trace;
        if (mine) return is_slow_node(l, i, k);
    }
    return false;
}

/* Late in one process group and in no other: not the rank, the way to its partners there. */
void tt_find_late_in_group(tt_finding_context *c)
{
    const tt_session *s = c->q->session;
    if (s->n_workers < 2 || !tt_finding_is_first(c->q)) return;
    late_ranks l = late_ranks_of(c);
    const tt_lateness *x = tt_lateness_get(s, c->s->span);
    const tt_late *worst = NULL;
    uint32_t trace = 0, found = 0;
    for (uint32_t i = 0; i < s->n_traces; i++) {
        const tt_late *g = strcmp(s->traces[i]->span, c->s->span) ? NULL : only_group(x, i);
        if (!g || on_slow_node(&l, i)) continue;
        found++;
        if (!worst || g->ns * (int64_t)g->late > worst->ns * (int64_t)worst->late) worst = g, trace = i;
    }
    late_ranks_free(&l);
    if (!worst || found * 10 > s->n_traces + 10) return; /* many: that is how the run works */
    char rank[32];
    int64_t total = tt_finding_steps(c), each = worst->ns * (int64_t)worst->late;
    uint32_t row = tt_finding_add(
        c, "medium",
        tt_arena_printf(&c->t->arena, "Slow link: %s arrives %.0f us late in group %s only (%u of %u calls)%s",
                        tt_rank_name(s, s->traces[trace]->worker, rank), (double)worst->ns / 1e3,
                        *worst->group ? worst->group : "without a name", worst->late, worst->calls,
                        found > 1 ? tt_arena_printf(&c->t->arena, "; %u more ranks likewise", found - 1) : ""),
        "What it does for this group alone is slow: the link to its partners there, or the work before these "
        "collectives");
    if (total > 0) tt_set_d(c->t, row, TT_FINDING_VALUE, each < total ? 100.0 * (double)each / (double)total : 100);
}

/* ---- the straggler ---- */

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
    /* of the others, on average */
    int64_t each = late == TT_NONE ? 0 : caused_each(s, tt_finding_text(ranks, late, "worker"), &scope, caused);
    if (each > total) each = total;
    bool named = late != TT_NONE && each > total / 50 && doubtful * 2 <= of; /* what most of the calls speak for */
    if (named) {
        const char *worker = tt_table_cell(ranks, late, (uint32_t)tt_table_column(ranks, "worker")).s;
        char rank[32];
        double v = total > 0 ? 100.0 * (double)each / (double)total : 0;
        uint32_t row = tt_finding_add(
            c, v > 20 ? "high" : "medium",
            tt_arena_printf(
                &c->t->arena, "Straggler: %s is last to arrive in %" PRId64 " of %" PRId64 " collectives%s%s",
                tt_rank_name(s, worker, rank), tt_finding_int(ranks, late, "last_calls"),
                tt_finding_int(ranks, late, "calls"), lateness_text(s, worker, &c->t->arena),
                doubtful ? tt_arena_printf(&c->t->arena, "; %" PRId64 " more are inconclusive", doubtful) : ""),
            "Compare its step with another rank (Steps, c): input, kernels, copies, sync");
        tt_set_d(c->t, row, TT_FINDING_VALUE, v);
        tt_table *waits = tt_table_compute(s, tt_table_find("comm_waits"), &scope, &none);
        uint32_t worst = worst_call(waits, worker);
        if (worst != TT_NONE) {
            tt_drilldown *o = tt_set_origin(c->t, row);
            *o = waits->origins[worst];
            if (!s->traces[o->trace]->summary) o->row = longest_work(s->traces[o->trace], o->row);
        }
        tt_table_free(waits);
    } else if (doubtful) {
        no_straggler(c, doubtful, of);
    }
    tt_table_free(ranks);
}
