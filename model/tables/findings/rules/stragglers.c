/* model/tables/findings/rules/stragglers.c - see stragglers.h. */
#include "model/tables/findings/rules/stragglers.h"
#include "model/tables/communication/tables.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/bisect.h"
#include "model/tables/communication/comm_pairs.h"
#include "model/trace/analysis_cache.h"

/* Wait that the worker caused to each other member of its calls, on average; with process groups these are not all
 * workers. */
static int64_t caused_each(const tt_session *s, const char *worker, const tt_scope *scope, int64_t caused)
{
    int64_t sum = 0, waits = 0, most = 0;
    for (uint32_t t = 0; t < s->n_traces; t++) {
        if (strcmp(s->traces[t]->worker, worker) != 0 || !tt_scope_has_trace(s, scope, t)) continue;
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
    return (int64_t)((double)sum * ((double)caused / (double)waits)); /* scaled to the scope */
}

/* Number of inconclusive collectives; *of: out of how many. */
static int64_t inconclusive_calls(const tt_session *s, const tt_scope *scope, int64_t *of)
{
    int64_t n = 0;
    tt_options none = {0};
    tt_table *calls = tt_table_compute(s, &tt_table_comm_calls, scope, &none);
    for (uint32_t r = 0; r < calls->n_rows; r++) n += tt_finding_int(calls, r, "conclusive") == 0;
    *of = calls->n_rows;
    tt_table_free(calls);
    return n;
}

static const char *own_name(const tt_session *s, const char *worker)
{
    for (uint32_t i = 0; i < s->n_workers; i++)
        if (!strcmp(s->workers[i], worker)) return s->workers[i];
    return NULL;
}

static tt_straggler find(const tt_session *s, const tt_scope *in, uint32_t trace)
{
    tt_straggler x = {0};
    tt_options none = {0};
    tt_scope scope = *in;
    scope.worker = TT_ALL;
    tt_table *ranks = tt_table_compute(s, &tt_table_comm_ranks, &scope, &none);
    tt_account account = tt_account_make(s, in, trace);
    uint32_t late = TT_NONE;
    int64_t caused = 0;
    for (uint32_t r = 0; r < ranks->n_rows; r++)
        if (tt_finding_int(ranks, r, "caused_ns") > caused) caused = tt_finding_int(ranks, r, "caused_ns"), late = r;
    x.doubtful = inconclusive_calls(s, &scope, &x.of);
    const char *worker = late == TT_NONE ? NULL : own_name(s, tt_finding_text(ranks, late, "worker"));
    x.each = worker ? caused_each(s, worker, &scope, caused) : 0;
    if (x.each > account.ns) x.each = account.ns;
    if (worker && x.each > account.ns / 50 && x.doubtful * 2 <= x.of) { /* supported by most of the calls */
        x.worker = worker;
        x.last_calls = tt_finding_int(ranks, late, "last_calls");
        x.calls = tt_finding_int(ranks, late, "calls");
    }
    tt_account_free(&account);
    tt_table_free(ranks);
    return x;
}

static uint32_t first_in_scope(const tt_session *s, const tt_scope *scope)
{
    uint32_t i = 0;
    while (i < s->n_traces && !tt_scope_has_trace(s, scope, i)) i++;
    return i;
}

static void *build(const tt_session *s, uint32_t trace)
{
    tt_straggler *x = tt_malloc(sizeof *x);
    *x = find(s, &tt_scope_all, trace);
    return x;
}

typedef struct last_scope { /* the last scope: all its traces ask for one straggler */
    pthread_mutex_t lock;
    tt_scope scope;
    bool any;
    tt_straggler of;
} last_scope;

static void *build_last(const tt_session *s, uint32_t trace)
{
    last_scope *x = tt_calloc(1, sizeof *x);
    (void)s, (void)trace;
    pthread_mutex_init(&x->lock, NULL);
    return x;
}

static void free_last(void *value)
{
    last_scope *x = value;
    pthread_mutex_destroy(&x->lock);
    free(x);
}

static tt_straggler find_in_scope(const tt_session *s, const tt_scope *scope)
{
    static const tt_analysis_kind kind = {"straggler of a scope", build_last, free_last};
    last_scope *x = (last_scope *)(uintptr_t)tt_analysis_get(s, 0, &kind);
    pthread_mutex_lock(&x->lock);
    if (!x->any || !tt_scope_equal(&x->scope, scope)) x->of = find(s, scope, first_in_scope(s, scope));
    x->scope = *scope;
    x->any = true;
    tt_straggler found = x->of;
    pthread_mutex_unlock(&x->lock);
    return found;
}

tt_straggler tt_straggler_of_run(const tt_query *q)
{
    static const tt_analysis_kind kind = {"straggler", build, free};
    if (q->session->n_workers < 2) return (tt_straggler){0};
    if (!tt_scope_equal(q->scope, &tt_scope_all)) return find_in_scope(q->session, q->scope);
    uint32_t first = first_in_scope(q->session, q->scope);
    return *(const tt_straggler *)tt_analysis_get(q->session, first, &kind);
}

/* ---- waits ---- */

/* Time that a visit waited for the last worker; 0 if unknown. */
static int64_t wait_of(const tt_comm_pairs *p, const tt_comm_visit *v)
{
    const tt_comm_call *c = &p->calls[v->call];
    return v->c->ns == TT_UNKNOWN || !c->conclusive || c->workers < 2 ? 0 : v->c->ns - c->shortest;
}

typedef struct wait_sums {
    int64_t *ns;      /* waits by trace, ns */
    uint32_t longest; /* trace with the longest waits, TT_NONE */
} wait_sums;

static uint32_t longest_in(const tt_session *s, const int64_t *ns, const tt_scope *scope)
{
    uint32_t most = TT_NONE;
    for (uint32_t i = 0; i < s->n_traces; i++)
        if (ns[i] > (most == TT_NONE ? 0 : ns[most]) && tt_scope_has_trace(s, scope, i)) most = i;
    return most;
}

static void *build_sums(const tt_session *s, uint32_t trace)
{
    wait_sums *x = tt_malloc(sizeof *x);
    int64_t *ns = x->ns = tt_calloc(s->n_traces + (size_t)1, sizeof *ns);
    (void)trace;
    for (uint32_t k = 0; k < s->n_spans; k++) {
        const tt_comm_pairs *p = tt_comm_pairs_get(s, s->spans[k]);
        for (uint32_t i = 0; i < p->n_visits; i++) ns[p->visits[i].trace] += wait_of(p, &p->visits[i]);
    }
    x->longest = longest_in(s, ns, &tt_scope_all);
    return x;
}

static void free_sums(void *value)
{
    wait_sums *x = value;
    free(x->ns);
    free(x);
}

uint32_t tt_straggler_longest_waiter(const tt_query *q)
{
    static const tt_analysis_kind kind = {"waits in collectives", build_sums, free_sums};
    const wait_sums *x = tt_analysis_get(q->session, 0, &kind);
    return tt_scope_equal(q->scope, &tt_scope_all) ? x->longest : longest_in(q->session, x->ns, q->scope);
}

typedef struct kernel_wait { /* wait in the longest kernel of a collective */
    int64_t start, length, ns;
} kernel_wait;
typedef TT_VEC(kernel_wait) kernel_waits;

static int by_start(const void *a, const void *b)
{
    const kernel_wait *x = a, *y = b;
    if (x->start != y->start) return x->start < y->start ? -1 : 1;
    return (x->length > y->length) - (x->length < y->length);
}

static void add_wait(kernel_waits *out, const tt_collectives *l, const tt_collective *c, int64_t ns)
{
    for (uint32_t k = c->first; k < c->first + c->n; k++) {
        tt_iv at = l->ranges.at[k];
        if (!l->on_device.at[k] || at.t1 - at.t0 != c->ns) continue;
        *tt_vec_push(out) = (kernel_wait){at.t0, c->ns, ns};
        return;
    }
}

tt_comm_waits tt_comm_waits_of(const tt_query *q)
{
    const tt_device_work *w = tt_device_work_get(q->session, q->trace);
    const tt_comm_pairs *p = tt_comm_pairs_get(q->session, tt_query_trace(q)->span);
    const tt_collectives *l = tt_collectives_get(q->session, q->trace);
    kernel_waits waits = {0};
    tt_comm_waits out = {0};
    for (uint32_t i = p->first[q->trace]; i < p->first[q->trace + 1]; i++) {
        const tt_comm_visit *v = &p->visits[i];
        int64_t ns = wait_of(p, v);
        if (ns > 0) add_wait(&waits, l, v->c, ns);
    }
    if (waits.n) qsort(waits.at, waits.n, sizeof *waits.at, by_start);
    for (uint32_t i = 0; i < w->n && waits.n; i++) {
        const tt_work *x = &w->at[i];
        kernel_wait key = {x->start, x->end - x->start, 0}, *found;
        if (x->of_class != TT_WORK_COMMUNICATION) continue;
        found = bsearch(&key, waits.at, waits.n, sizeof key, by_start);
        if (found) *tt_vec_push(&out) = (tt_comm_wait){i, found->ns};
    }
    tt_vec_free(&waits);
    return out;
}

tt_ivs tt_comm_waits_on(const tt_comm_waits *l, const tt_device_work *w, uint32_t device)
{
    tt_ivs set = {0};
    const tt_work_device *dev = &w->devices[device];
    size_t lo = 0, hi = l->n;
    TT_BISECT(lo, hi, i, l->at[i].work < dev->first);
    for (; lo < l->n && l->at[lo].work < dev->first + dev->n; lo++) {
        int64_t start = w->at[l->at[lo].work].start;
        tt_ivs_add(&set, start, start + l->at[lo].ns);
    }
    tt_ivs_normalise(&set);
    return set;
}
