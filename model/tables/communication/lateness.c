/* model/tables/communication/lateness.c - see lateness.h. */
#include "model/tables/communication/lateness.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/median.h"
#include "model/base/sort_by.h"
#include "model/summary/stub.h"
#include "model/trace/analysis_cache.h"

enum {
    NOISE_TIMES = 6,
    LEAST_NS = 5000,
    GROUPS_MOST = 256
}; /* largest number of groups of a worker: the rest count as the last */

typedef struct visit_late {
    uint32_t visit, call;
    int64_t ns; /* in it */
} visit_late;

static bool counts(const tt_comm_pairs *p, const tt_comm_visit *v)
{
    const tt_comm_call *c = &p->calls[v->call];
    return c->workers > 1 && c->conclusive && v->c->ns != TT_UNKNOWN;
}

/* Subtract from the values of each call the usual one over its visits: the median; of two visits the usual one. */
static void take_off_usual(const tt_comm_pairs *p, int64_t *value, bool least_is_usual)
{
    int64_t *of_call = tt_malloc((p->n_visits + (size_t)1) * sizeof *of_call);
    visit_late *l = tt_malloc((p->n_visits + (size_t)1) * sizeof *l);
    size_t n = 0;
    for (uint32_t i = 0; i < p->n_visits; i++)
        if (value[i] != TT_UNKNOWN) l[n++] = (visit_late){i, p->visits[i].call, value[i]};
    TT_SORT_BY(l, n, TT_ASC(visit_late, call), TT_ASC(visit_late, visit));
    for (size_t i = 0, k; i < n; i += k) {
        int64_t least = INT64_MAX, most = INT64_MIN;
        for (k = 0; i + k < n && l[i + k].call == l[i].call; k++) {
            int64_t v = of_call[k] = l[i + k].ns;
            if (v < least) least = v;
            if (v > most) most = v;
        }
        int64_t usual = k > 2 ? tt_median(of_call, k) : least_is_usual ? least : most;
        for (size_t j = i; j < i + k; j++) value[l[j].visit] -= usual;
    }
    free(l);
    free(of_call);
}

/* By visit: lateness against the median worker; TT_UNKNOWN where the visit does not count. */
static int64_t *lateness_of(const tt_comm_pairs *p)
{
    int64_t *late = tt_malloc((p->n_visits + (size_t)1) * sizeof *late);
    for (uint32_t i = 0; i < p->n_visits; i++) late[i] = counts(p, &p->visits[i]) ? p->visits[i].c->ns : TT_UNKNOWN;
    take_off_usual(p, late, false);
    for (uint32_t i = 0; i < p->n_visits; i++)
        if (late[i] != TT_UNKNOWN) late[i] = -late[i];
    return late;
}

/* By visit: extra time since the end of the worker's previous collective, against the median worker; TT_UNKNOWN.
 * Each measured by the worker's own clock. */
static int64_t *delay_of(const tt_session *s, const tt_comm_pairs *p)
{
    int64_t *delay = tt_malloc((p->n_visits + (size_t)1) * sizeof *delay);
    for (uint32_t t = 0; t < s->n_traces; t++) {
        int64_t before = TT_UNKNOWN; /* end of the previous collective */
        for (uint32_t i = p->first[t]; i < p->first[t + 1]; i++) {
            const tt_collective *c = p->visits[i].c;
            bool known = c->ns != TT_UNKNOWN;
            delay[i] = known && before != TT_UNKNOWN && counts(p, &p->visits[i]) ? c->end - c->ns - before : TT_UNKNOWN;
            if (known) before = c->end;
        }
    }
    take_off_usual(p, delay, true);
    return delay;
}

static int64_t limit_of(const int64_t *late, uint32_t n)
{
    int64_t *size = tt_malloc((n + (size_t)1) * sizeof *size);
    size_t k = 0;
    for (uint32_t i = 0; i < n; i++)
        if (late[i] != TT_UNKNOWN) size[k++] = late[i] < 0 ? -late[i] : late[i];
    TT_SORT_UP(size, k);
    int64_t limit = k ? NOISE_TIMES * size[k / 4] : 0;
    free(size);
    return limit > LEAST_NS ? limit : LEAST_NS;
}

typedef struct counting { /* counts of one trace */
    const tt_session *s;
    const tt_comm_pairs *p;
    const int64_t *late, *delay; /* by visit */
    int64_t limit;
    tt_lateness *out;
    uint32_t trace;
    TT_VEC(int64_t) own; /* own lateness, for all groups and then per group */
    TT_VEC(uint32_t) group_of;
} counting;

static uint32_t group_at(counting *c, const char *group)
{
    uint32_t from = c->out->first[c->trace];
    for (uint32_t i = from; i < c->out->of.n; i++)
        if (!strcmp(c->out->of.at[i].group, group) || i - from + 1 == GROUPS_MOST) return i;
    *tt_vec_push(&c->out->of) = (tt_late){.group = group, .first = TT_UNKNOWN, .last = TT_UNKNOWN};
    return (uint32_t)c->out->of.n - 1;
}

static void note_own(const counting *c, const tt_comm_visit *v, tt_late *x)
{
    x->late++;
    if (v->step == TT_NONE) return;
    x->last = c->s->traces[c->trace]->steps[v->step].number;
    if (x->first == TT_UNKNOWN) x->first = x->last;
}

static int64_t median_of(const counting *c, uint32_t group)
{
    int64_t *list = tt_malloc((c->own.n + 1) * sizeof *list), n = 0;
    for (size_t i = 0; i < c->own.n; i++)
        if (group == TT_NONE || c->group_of.at[i] == group) list[n++] = c->own.at[i];
    int64_t median = n ? tt_median(list, (size_t)n) : 0;
    free(list);
    return median;
}

static void count_trace(counting *c)
{
    const tt_comm_pairs *p = c->p;
    tt_late *all = &c->out->all[c->trace];
    for (uint32_t i = p->first[c->trace]; i < p->first[c->trace + 1]; i++) {
        const tt_comm_visit *v = &p->visits[i];
        if (c->late[i] == TT_UNKNOWN) continue;
        uint32_t at = group_at(c, v->c->group);
        tt_late *group = &c->out->of.at[at];
        all->calls++;
        group->calls++;
        bool own = c->delay[i] == TT_UNKNOWN || 2 * c->delay[i] >= c->late[i];
        if (c->late[i] > c->limit && !own) {
            all->passed++;
            group->passed++;
        } else if (c->late[i] > c->limit) {
            note_own(c, v, all);
            note_own(c, v, group);
            /* without the lateness handed on from an earlier collective */
            *tt_vec_push(&c->own) = c->delay[i] == TT_UNKNOWN || c->delay[i] > c->late[i] ? c->late[i] : c->delay[i];
            *tt_vec_push(&c->group_of) = at;
        }
    }
    all->ns = median_of(c, TT_NONE);
    for (uint32_t i = c->out->first[c->trace]; i < c->out->of.n; i++) c->out->of.at[i].ns = median_of(c, i);
    c->own.n = c->group_of.n = 0;
}

static void *build(const tt_session *s, uint32_t trace)
{
    tt_lateness *out = tt_calloc(1, sizeof *out);
    const tt_comm_pairs *p = tt_comm_pairs_get(s, s->traces[trace]->span);
    int64_t *late = lateness_of(p), *delay = delay_of(s, p);
    counting c = {.s = s, .p = p, .late = late, .delay = delay, .out = out};
    out->all = tt_calloc(s->n_traces + 1u, sizeof *out->all);
    out->first = tt_calloc(s->n_traces + 1u, sizeof *out->first);
    c.limit = out->limit = limit_of(late, p->n_visits);
    for (uint32_t i = 0; i < s->n_traces; i++) {
        c.trace = i;
        out->first[i] = (uint32_t)out->of.n;
        out->all[i].first = out->all[i].last = TT_UNKNOWN;
        count_trace(&c);
    }
    out->first[s->n_traces] = (uint32_t)out->of.n;
    tt_vec_free(&c.own);
    tt_vec_free(&c.group_of);
    free(late);
    free(delay);
    return out;
}

static void release(void *value)
{
    tt_lateness *x = value;
    free(x->all);
    free(x->first);
    tt_vec_free(&x->of);
    free(x);
}

const tt_lateness *tt_lateness_get(const tt_session *s, const char *span)
{
    static const tt_analysis_kind kind = {"lateness", build, release};
    uint32_t first = 0; /* the span's first trace keeps it */
    while (strcmp(s->traces[first]->span, span) != 0) first++;
    return tt_analysis_get(s, first, &kind);
}

/* Whether the name denotes a place in the run, "train_rank12", "TP_0", not a machine. */
static bool is_place(const char *name, size_t n)
{
    static const char *const words[] = {"rank", "worker", "TP", "PP", "DP", "EP", "pid", "trace"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t k = strlen(words[i]);
        if (n >= k && !strncmp(name + n - k, words[i], k)) return true;
    }
    return false;
}

const char *tt_host_of(const tt_trace *s, tt_arena *a)
{
    static const char *const facts[] = {"host", "hostname", "host_name"};
    if (tt_summary_of(s)) return tt_summary_source(tt_summary_of(s))->host;
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        const char *v = tt_trace_meta(s, facts[i]);
        if (v && *v) return tt_arena_strndup(a, v, strlen(v));
    }
    size_t n = strlen(s->worker), digits = n;
    while (digits && isdigit((unsigned char)s->worker[digits - 1])) digits--;
    bool pid = n - digits >= 2 && digits > 1 && (s->worker[digits - 1] == '_' || s->worker[digits - 1] == '.');
    return pid && !is_place(s->worker, digits - 1) ? tt_arena_strndup(a, s->worker, digits - 1) : "";
}
