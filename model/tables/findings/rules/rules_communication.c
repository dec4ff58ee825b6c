/* model/tables/findings/rules/rules_communication.c - rules of table findings about workers: their communication,
 * and the worker that the others wait for. */
#include "model/base/median.h"
#include "model/tables/analysis/names/name_class.h"
#include "model/tables/analysis/names/time_class.h"
#include "model/tables/communication/lateness.h"
#include "model/tables/communication/tables.h"
#include "model/tables/findings/rules/rules.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/sort_by.h"

/* Whether a host name of this class is in scope. */
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
    if (v <= 10 || (!c->work->n && !c->s->n_imported)) return; /* exposure is known only from device work */
    uint32_t row = tt_finding_add(c, v > 30 ? "high" : "medium",
                                  tt_arena_printf(&c->t->arena, "Exposed communication: %.1f%% of the step time", v),
                                  tt_advice_of(c->s->rules)->overlap_communication);
    tt_finding_show_longest(c, row, TT_TIME_COMMUNICATION);
    tt_set_d(c->t, row, TT_FINDING_VALUE_PCT, v);
}

/* Report collectives that end at different times even with aligned clocks: waits are unknown. */
void tt_find_clocks_apart(tt_finding_context *c)
{
    tt_options none = {0};
    tt_scope scope = *c->q->scope;
    if (c->q->session->n_workers < 2 || !tt_query_is_first(c->q)) return;
    scope.worker = TT_ALL;
    tt_table *clocks = tt_table_compute(c->q->session, &tt_table_comm_clock, &scope, &none);
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

/* ---- all ranks of a machine, one process group ---- */

typedef struct late_rank {
    uint32_t trace;
    const char *host;
    const tt_late *late;
} late_rank;

enum {
    LEAST_CALLS = 4,
    LEAST_SHARE = 200 /* smallest part of the steps that a slow node must cost: 1/200 */
};
/* Whether the rank is late by itself in a tenth of its calls. */
static bool often_late(const tt_late *x) { return x->late >= LEAST_CALLS && x->late * 10 >= x->calls; }

typedef struct late_ranks { /* late ranks of the span, by host */
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
    TT_SORT_BY(l.at, l.n, TT_ASC(late_rank, host), TT_ASC(late_rank, trace));
    return l;
}

static void late_ranks_free(late_ranks *l)
{
    free(l->at);
    tt_arena_free(&l->hosts);
}

/* The k ranks from `at` on are one machine; nearly all of them are late, and hardly any others. */
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
    if (each * LEAST_SHARE < total) return; /* small delay in a few calls: noise */
    const char *since = first == INT64_MAX ? "" : tt_arena_printf(&c->t->arena, ", since step %" PRId64, first);
    uint32_t row = tt_finding_add(
        c, total > 0 && each * 5 > total ? "high" : "medium",
        tt_arena_printf(&c->t->arena,
                        "Slow node: %u of %u ranks of %s arrive %.0f us late, in %.0f%% of their collectives%s", n, k,
                        l->at[at].host, (double)median / 1e3, calls ? 100.0 * late / calls : 0, since),
        "Compare that machine with another one: clocks and temperature of its GPUs, its network card and PCIe links, "
        "other "
        "programs on it");
    if (total > 0) tt_set_d(c->t, row, TT_FINDING_VALUE_PCT, each < total ? 100.0 * (double)each / (double)total : 100);
}

void tt_find_slow_node(tt_finding_context *c)
{
    if (c->q->session->n_workers < 2 || !tt_query_is_first(c->q)) return;
    late_ranks l = late_ranks_of(c);
    for (uint32_t i = 0, k; i < l.n; i += k) {
        for (k = 1; i + k < l.n && !strcmp(l.at[i + k].host, l.at[i].host);) k++;
        if (is_slow_node(&l, i, k)) add_slow_node(c, &l, i, k);
    }
    late_ranks_free(&l);
}

/* The only group in which a worker is late, if it is in other groups as often but never late; NULL. */
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

/* Late in one process group only: the path to its partners is slow, not the rank. */
void tt_find_late_in_group(tt_finding_context *c)
{
    const tt_session *s = c->q->session;
    if (s->n_workers < 2 || !tt_query_is_first(c->q)) return;
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
    if (!worst || found * 10 > s->n_traces + 10) return; /* many such workers: normal for this run */
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
    if (total > 0) tt_set_d(c->t, row, TT_FINDING_VALUE_PCT, each < total ? 100.0 * (double)each / (double)total : 100);
}
