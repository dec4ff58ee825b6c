/* model/tables/communication/comm_pairs.c - pairs the collectives of workers: by number, by step, by the best shift;
 * then judges the calls.
 *
 * A class is all collectives of one operation, process group and member list; every worker has a sequence of them.
 * Sequence numbers and complete steps settle the first calls and give the clocks, which help to place the rest:
 * steps in which a worker has fewer calls than most (its recording began or was cut there) and runs outside of
 * steps, each between the settled calls around it. */
#include "model/tables/communication/comm_pairs.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/group_by.h"
#include "model/base/sort_by.h"
#include "model/tables/analysis/device/stages.h"
#include "model/tables/communication/comm_clock.h"
#include "model/tables/communication/comm_shift.h"
#include "model/trace/analysis_cache.h"

typedef struct segment { /* segment: calls of a class that a worker makes in one step */
    int64_t step;
    uint32_t trace, first, n; /* visits in order[] */
    uint32_t model;           /* segment to compare with; the segment itself: settled */
} segment;

typedef struct pairing {
    const tt_session *s;
    tt_comm_pairs *p;
    uint32_t *order;       /* visits by class, then by trace and start ... */
    uint32_t *class_first; /* ... class i: from class_first[i] to class_first[i + 1] */
    uint32_t n_classes;
    TT_VEC(segment) segments;
    uint32_t *at, *at_class; /* by call: its place in the sequence of the class's reference worker, and that class */
    tt_shift_view view;
} pairing;

/* ---- visits and classes ---- */

/* Add the traces of the span, and a visit for each of their collectives. */
static void add_visits(pairing *w, const char *span)
{
    tt_comm_pairs *p = w->p;
    const tt_session *s = w->s;
    TT_VEC(tt_comm_visit) visits = {0};
    p->first = tt_calloc(s->n_traces + 1u, sizeof *p->first);
    for (uint32_t i = 0; i < s->n_traces; i++) {
        p->first[i + 1] = p->first[i];
        if (strcmp(s->traces[i]->span, span) != 0) continue;
        const tt_trace *st = s->traces[i];
        const tt_collectives *list = tt_collectives_get(s, i);
        for (size_t k = 0; k < list->at.n; k++) {
            const tt_collective *c = &list->at.at[k];
            uint32_t step = tt_step_at(st, c->start);
            if (step != TT_NONE && st->steps[step].row == TT_NONE) step = TT_NONE;
            *tt_vec_push(&visits) = (tt_comm_visit){.c = c, .trace = i, .call = TT_NONE, .step = step};
        }
        p->first[i + 1] = (uint32_t)visits.n;
    }
    p->visits = visits.at;
    p->n_visits = (uint32_t)visits.n;
}

/* Intern the operation of a collective, however it is spelt: as marked on the host (nccl:_all_gather_base), in
 * metadata (allgather), in a kernel's name (ncclDevKernel_AllGather_RING_LL). A worker with a lost mark still has
 * the kernel. */
static tt_sid put_operation(tt_strings *texts, const char *name)
{
    static const char *const known[] = {"allreduce", "allgather", "reducescatter", "alltoall", "broadcast"};
    const char *colon = strchr(name, ':');
    char *bare = tt_strdup(colon && colon[1] != ':' ? colon + 1 : name), *to = bare;
    for (const char *p = bare; *p; p++)
        if (*p != '_') *to++ = (char)tolower((unsigned char)*p);
    *to = 0;
    const char *found = bare;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strstr(bare, known[i])) found = known[i];
    tt_sid id = tt_strings_put(texts, found, strlen(found));
    free(bare);
    return id;
}

static void sort_by_class(pairing *w)
{
    tt_comm_pairs *p = w->p;
    tt_strings texts;
    tt_groups classes;
    uint32_t *of = tt_malloc((p->n_visits + (size_t)1) * sizeof *of);
    tt_strings_init(&texts);
    tt_groups_init(&classes);
    for (uint32_t i = 0; i < p->n_visits; i++) {
        const tt_comm_visit *v = &p->visits[i];
        tt_sid name = put_operation(&texts, v->c->name);
        tt_sid group = tt_strings_put(&texts, v->c->group, strlen(v->c->group));
        tt_sid ranks = tt_strings_put(&texts, v->c->ranks, strlen(v->c->ranks));
        of[i] = tt_groups_put(&classes, (tt_group_key){name, group, ranks});
    }
    w->n_classes = (uint32_t)classes.key.n;
    w->class_first = tt_calloc(w->n_classes + (size_t)2, sizeof *w->class_first);
    w->order = tt_malloc((p->n_visits + (size_t)1) * sizeof *w->order);
    for (uint32_t i = 0; i < p->n_visits; i++) w->class_first[of[i] + 2]++;
    for (uint32_t i = 2; i < w->n_classes + 2; i++) w->class_first[i] += w->class_first[i - 1];
    for (uint32_t i = 0; i < p->n_visits; i++) w->order[w->class_first[of[i] + 1]++] = i;
    free(of);
    tt_groups_free(&classes);
    tt_strings_free(&texts);
}

static tt_comm_visit *visit(const pairing *w, uint32_t i) { return &w->p->visits[w->order[i]]; }

/* Number of visits of one worker from place i on, in a class that ends at `end`. */
static uint32_t run_of_trace(const pairing *w, uint32_t i, uint32_t end)
{
    uint32_t n = 1;
    while (i + n < end && visit(w, i + n)->trace == visit(w, i)->trace) n++;
    return n;
}

/* ---- by number, by step ---- */

/* Settle a class whose calls all have a sequence number; coalesced calls share one. */
static bool settle_by_number(pairing *w, uint32_t first, uint32_t end)
{
    tt_groups seen, calls;
    TT_VEC(uint32_t) count = {0};
    for (uint32_t i = first; i < end; i++)
        if (visit(w, i)->c->seq == TT_UNKNOWN) return false;
    tt_groups_init(&seen);
    tt_groups_init(&calls);
    for (uint32_t i = first; i < end; i++) {
        tt_comm_visit *v = visit(w, i);
        uint32_t at = tt_groups_put(&seen, (tt_group_key){(uint64_t)v->c->seq, v->trace, 0});
        while (count.n <= at) *tt_vec_push(&count) = 0;
        v->call = w->p->n_calls + tt_groups_put(&calls, (tt_group_key){(uint64_t)v->c->seq, count.at[at]++, 0});
    }
    w->p->n_calls += (uint32_t)calls.key.n;
    tt_groups_free(&seen);
    tt_groups_free(&calls);
    tt_vec_free(&count);
    return true;
}

/* The most frequent number of calls among n segments; on ties the larger number. */
static uint32_t usual_size(const segment *g, size_t n)
{
    uint32_t *size = tt_malloc(n * sizeof *size), usual = 0;
    size_t most = 0;
    for (size_t i = 0; i < n; i++) size[i] = g[i].n;
    TT_SORT_UP(size, n);
    for (size_t i = 0, same; i < n; i += same) {
        for (same = 1; i + same < n && size[i + same] == size[i];) same++;
        if (same >= most) most = same, usual = size[i];
    }
    free(size);
    return usual;
}

/* Settle n segments of one step, one per worker: match those of the usual size by their index in the step. */
static void settle_step(pairing *w, size_t at, size_t n)
{
    segment *g = &w->segments.at[at];
    uint32_t usual = usual_size(g, n), base = w->p->n_calls;
    size_t model = 0;
    while (g[model].n != usual) model++;
    for (size_t i = 0; i < n; i++) {
        g[i].model = (uint32_t)(at + (g[i].n == usual ? i : model));
        for (uint32_t k = 0; k < g[i].n && g[i].n == usual; k++) visit(w, g[i].first + k)->call = base + k;
    }
    w->p->n_calls += usual;
}

static void settle_by_step(pairing *w, uint32_t first, uint32_t end)
{
    size_t from = w->segments.n;
    for (uint32_t i = first, n; i < end; i += n) {
        const tt_comm_visit *v = visit(w, i);
        n = 1;
        if (v->step == TT_NONE) continue;
        while (i + n < end && visit(w, i + n)->trace == v->trace && visit(w, i + n)->step == v->step) n++;
        int64_t number = w->s->traces[v->trace]->steps[v->step].number;
        *tt_vec_push(&w->segments) = (segment){.step = number, .trace = v->trace, .first = i, .n = n};
    }
    size_t n = w->segments.n - from, kept = from;
    TT_SORT_BY(&w->segments.at[from], n, TT_ASC(segment, step), TT_ASC(segment, first));
    for (size_t i = from; i < from + n; i++) { /* a worker's second range for the step is left to the shifts */
        const segment *x = &w->segments.at[i], *last = kept > from ? &w->segments.at[kept - 1] : NULL;
        if (!last || last->step != x->step || last->trace != x->trace) w->segments.at[kept++] = *x;
    }
    w->segments.n = kept;
    for (size_t i = from, same; i < kept; i += same) {
        for (same = 1; i + same < kept && w->segments.at[i + same].step == w->segments.at[i].step;) same++;
        settle_step(w, i, same);
    }
}

/* ---- by the best shift ---- */

/* Assign the calls of the m visits from place `other` to the n visits from place `mine`, at the best shift; visits
 * without a counterpart stay unassigned. */
static void settle_by_shift(pairing *w, uint32_t mine, uint32_t n, uint32_t other, uint32_t m)
{
    tt_shift shift = tt_best_shift(&w->view, (tt_shift_list){w->order + mine, n}, (tt_shift_list){w->order + other, m});
    for (uint32_t i = 0; i < n; i++) {
        int64_t to = (int64_t)i + shift.by;
        tt_comm_visit *v = visit(w, mine + i);
        if (to < 0 || to >= (int64_t)m) continue;
        v->call = visit(w, other + (uint32_t)to)->call;
        v->doubtful = !shift.sure;
    }
}

static void name_alone(pairing *w, uint32_t first, uint32_t n)
{
    for (uint32_t i = first; i < first + n; i++)
        if (visit(w, i)->call == TT_NONE) visit(w, i)->call = w->p->n_calls++;
}

/* Settle the unsettled calls of a worker in runs between settled calls that the other worker (m calls from place
 * `other`) also has. Without such calls the runs have no place, unless nothing is settled at all. */
static void settle_runs(pairing *w, uint32_t first, uint32_t n, uint32_t other, uint32_t m, uint32_t class)
{
    uint32_t low = 0, run = 0, settled = 0, common = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t call = visit(w, first + i)->call;
        settled += call != TT_NONE;
        common += call != TT_NONE && w->at_class[call] == class;
    }
    if (settled && !common) return;
    for (uint32_t i = 0; i <= n; i++) {
        uint32_t call = i < n ? visit(w, first + i)->call : TT_NONE;
        if (call == TT_NONE && i < n) {
            run++;
            continue;
        }
        bool anchor = i == n || w->at_class[call] == class;
        uint32_t high = i == n ? m : anchor ? w->at[call] : 0;
        if (run && anchor && low < high) settle_by_shift(w, first + i - run, run, other + low, high - low);
        if (anchor && i < n && high + 1 > low) low = high + 1;
        run = 0;
    }
}

/* Settle the remaining calls of a class, by comparison with the worker that has most of its calls. */
static void settle_rest(pairing *w, uint32_t class)
{
    uint32_t first = w->class_first[class], end = w->class_first[class + 1], model = first, m = 0;
    bool rest = false;
    for (uint32_t i = first, n; i < end; i += n) {
        n = run_of_trace(w, i, end);
        if (n > m) model = i, m = n;
        for (uint32_t k = i; k < i + n; k++) rest |= visit(w, k)->call == TT_NONE;
    }
    if (!rest) return;
    name_alone(w, model, m);
    for (uint32_t i = 0; i < m; i++) {
        w->at[visit(w, model + i)->call] = i;
        w->at_class[visit(w, model + i)->call] = class;
    }
    for (uint32_t i = first, n; i < end; i += n) {
        n = run_of_trace(w, i, end);
        if (i != model) settle_runs(w, i, n, model, m, class);
        name_alone(w, i, n);
    }
}

/* ---- all classes ---- */

/* Whether the operation is point to point: other workers cannot wait for it. */
static bool is_point_to_point(const char *name)
{
    const char *colon = strchr(name, ':');
    return colon && (strncmp(colon + 1, "send", 4) == 0 || strncmp(colon + 1, "recv", 4) == 0);
}

static void settle(pairing *w)
{
    tt_comm_pairs *p = w->p;
    bool rest = false;
    for (uint32_t i = 0; i < w->n_classes; i++) {
        uint32_t first = w->class_first[i], end = w->class_first[i + 1];
        if (is_point_to_point(visit(w, first)->c->name))
            name_alone(w, first, end - first);
        else if (!settle_by_number(w, first, end))
            settle_by_step(w, first, end);
    }
    for (uint32_t i = 0; i < p->n_visits; i++) rest |= p->visits[i].call == TT_NONE;
    w->view = (tt_shift_view){.s = w->s, .visits = p->visits};
    if (!rest) return;
    w->view.clocks = tt_comm_clocks(w->s, p->visits, p->n_visits, p->n_calls);
    for (size_t i = 0; i < w->segments.n; i++) {
        const segment *g = &w->segments.at[i], *model = &w->segments.at[g->model];
        if (g != model) settle_by_shift(w, g->first, g->n, model->first, model->n);
    }
    w->at = tt_malloc((p->n_calls + p->n_visits + (size_t)1) * sizeof *w->at);
    w->at_class = tt_malloc((p->n_calls + p->n_visits + (size_t)1) * sizeof *w->at_class);
    for (size_t i = 0; i < p->n_calls + (size_t)p->n_visits; i++) w->at_class[i] = TT_NONE;
    for (uint32_t i = 0; i < w->n_classes; i++) settle_rest(w, i);
    free(w->view.clocks);
    free(w->at);
    free(w->at_class);
}

/* Number calls by first appearance, each with at most one visit per worker: where steps overlap, a shift can assign
 * a call twice. */
static void number_calls(tt_comm_pairs *p)
{
    uint32_t *to = tt_malloc((p->n_calls + (size_t)1) * sizeof *to), n = 0;
    uint32_t *trace = tt_malloc((p->n_calls + (size_t)1) * sizeof *trace); /* trace of the call's last visit */
    for (uint32_t i = 0; i < p->n_calls; i++) to[i] = trace[i] = TT_NONE;
    for (uint32_t i = 0; i < p->n_visits; i++) {
        tt_comm_visit *v = &p->visits[i];
        uint32_t call = v->call;
        bool again = trace[call] == v->trace;
        if (to[call] == TT_NONE || again) v->call = n++;
        if (to[call] == TT_NONE) to[call] = v->call;
        if (!again) v->call = to[call];
        trace[call] = v->trace;
    }
    p->n_calls = n;
    free(to);
    free(trace);
}

/* Find who came last to each call, and whether the ends agree. */
static void judge(const tt_session *s, tt_comm_pairs *p)
{
    typedef struct ends {
        int64_t low, high;
    } ends;
    tt_comm_clock *clock = tt_comm_clocks(s, p->visits, p->n_visits, p->n_calls);
    ends *e = tt_malloc((p->n_calls + (size_t)1) * sizeof *e);
    p->calls = tt_malloc((p->n_calls + (size_t)1) * sizeof *p->calls);
    for (uint32_t i = 0; i < p->n_calls; i++) {
        p->calls[i] = (tt_comm_call){
            .last = TT_NONE, .early = TT_NONE, .conclusive = true, .shortest = INT64_MAX, .least = INT64_MAX};
        e[i] = (ends){INT64_MAX, INT64_MIN};
    }
    for (uint32_t i = 0; i < p->n_visits; i++) {
        const tt_comm_visit *v = &p->visits[i];
        tt_comm_call *c = &p->calls[v->call];
        const tt_comm_visit *early = c->early == TT_NONE ? NULL : &p->visits[c->early];
        int64_t start = v->c->start + s->offset_ns[v->trace], end = tt_comm_end(s, v) - clock[v->trace].offset;
        if (!early || start < early->c->start + s->offset_ns[early->trace]) c->early = i;
        if (v->c->ns == TT_UNKNOWN) continue;
        c->workers++;
        c->conclusive &= !v->doubtful;
        c->total += v->c->ns;
        if (v->c->ns < c->shortest) c->shortest = v->c->ns, c->last = i;
        if (v->c->ns > c->longest) c->longest = v->c->ns;
        if (v->c->total < c->least) c->least = v->c->total;
        if (end < e[v->call].low) e[v->call].low = end;
        if (end > e[v->call].high) e[v->call].high = end;
    }
    for (uint32_t i = 0; i < p->n_calls; i++)
        p->calls[i].conclusive &= p->calls[i].workers < 2 || e[i].high - e[i].low <= p->calls[i].longest;
    free(e);
    p->clocks = clock;
}

static void *build(const tt_session *s, uint32_t trace)
{
    pairing w = {.s = s, .p = tt_calloc(1, sizeof *w.p)};
    add_visits(&w, s->traces[trace]->span);
    sort_by_class(&w);
    settle(&w);
    number_calls(w.p);
    judge(s, w.p);
    free(w.order);
    free(w.class_first);
    tt_vec_free(&w.segments);
    return w.p;
}

static void release(void *value)
{
    tt_comm_pairs *p = value;
    free(p->visits);
    free(p->first);
    free(p->calls);
    free(p->clocks);
    free(p);
}

const tt_comm_pairs *tt_comm_pairs_get(const tt_session *s, const char *span)
{
    static const tt_analysis_kind kind = {"comm_pairs", build, release};
    uint32_t first = 0; /* the span's first trace keeps the pairs */
    while (strcmp(s->traces[first]->span, span) != 0) first++;
    return tt_analysis_get(s, first, &kind);
}
