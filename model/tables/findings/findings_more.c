/* model/tables/findings/findings_more.c - rules of table findings that compare: a step with the others, a worker
 * with the others, calls and kernels with what the device has to do meanwhile. */
#include "model/tables/findings/findings.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const part_names[TT_PART_COUNT_] = {
    [TT_TIME_KERNEL] = "kernels",        [TT_TIME_MEMCPY] = "copies",
    [TT_TIME_MEMSET] = "memory sets",    [TT_TIME_COMMUNICATION] = "communication that nothing overlaps",
    [TT_TIME_RUNTIME] = "runtime calls", [TT_TIME_DATALOADER] = "waiting for input",
    [TT_TIME_CPU] = "work on the host",  [TT_PART_OTHER] = "time in which nothing was recorded",
};

static int by_length(const void *a, const void *b)
{
    const tt_step_parts *x = *(const tt_step_parts *const *)a, *y = *(const tt_step_parts *const *)b;
    if (x->total != y->total) return x->total < y->total ? -1 : 1;
    return (x > y) - (x < y);
}

/* A step that takes half as long again as the one in the middle, and what it does meanwhile. */
static void slow_step(tt_finding_context *c)
{
    if (c->steps.n < 3) return;
    const tt_step_parts **order = tt_calloc(c->steps.n, sizeof *order);
    for (size_t i = 0; i < c->steps.n; i++) order[i] = &c->steps.at[i];
    qsort(order, c->steps.n, sizeof *order, by_length);
    const tt_step_parts *middle = order[(c->steps.n - 1) / 2], *slow = order[c->steps.n - 1];
    free(order);
    if (middle->total <= 0 || slow->total < middle->total + middle->total / 2) return;
    int most = 0;
    for (int p = 1; p < TT_PART_COUNT_; p++) {
        if (slow->part[p] - middle->part[p] > slow->part[most] - middle->part[most]) most = p;
    }
    int64_t more = slow->total - middle->total;
    uint32_t row = tt_finding_add(
        c, "slow_step", "medium",
        tt_arena_printf(&c->t->arena, "step %" PRId64 " takes %.1f times as long as the one in the middle: %s",
                        slow->step->number, (double)slow->total / (double)middle->total, part_names[most]),
        "compare it with another one (Steps tab, m on both): by category, kernel or operator");
    tt_set_i(c->t, row, TT_FINDING_SAVING, more);
    tt_set_d(c->t, row, TT_FINDING_VALUE, 100.0 * (double)more / (double)tt_finding_steps(c));
    tt_set_range(c->q, c->t, row, slow->step->start, slow->step->end);
}

/* The first store in scope speaks for all of them where workers are compared. */
static bool is_first(const tt_query *q)
{
    for (uint32_t i = 0; i < q->trace; i++) {
        if (tt_scope_has_store(q->session, q->scope, i)) return false;
    }
    return true;
}

static int64_t cell(const tt_table *t, uint32_t row, const char *key)
{
    int col = tt_table_column(t, key);
    return col < 0 ? TT_UNKNOWN : tt_table_cell(t, row, (uint32_t)col).i;
}

/* Of the call that the worker came last to and that the others waited for most: the longest wait. */
static uint32_t worst_call(const tt_table *waits, const char *worker)
{
    int64_t most = 0, calls = 0;
    uint32_t worst = TT_NONE;
    int col = tt_table_column(waits, "worker");
    for (uint32_t r = 0; r < waits->n_rows; r++) {
        int64_t n = cell(waits, r, "call");
        if (n >= calls) calls = n + 1;
    }
    int64_t *sum = tt_calloc((size_t)calls + 1, sizeof *sum);
    for (uint32_t r = 0; r < waits->n_rows; r++) {
        int64_t waited = cell(waits, r, "waited_ns"); /* unknown: the call is inconclusive */
        if (waited != TT_UNKNOWN) sum[cell(waits, r, "call")] += waited;
    }
    for (uint32_t r = 0; r < waits->n_rows; r++) {
        int64_t n = cell(waits, r, "call");
        if (sum[n] <= most || cell(waits, r, "came_last") != 1 ||
            strcmp(tt_table_cell(waits, r, (uint32_t)col).s, worker) != 0)
            continue;
        most = sum[n];
        worst = r;
    }
    free(sum);
    for (uint32_t r = 0, call = worst; call != TT_NONE && r < waits->n_rows;
         r++) { /* who waited longest in it shows it best */
        if (cell(waits, r, "call") == cell(waits, call, "call") &&
            cell(waits, r, "waited_ns") > cell(waits, worst, "waited_ns"))
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
    for (uint32_t r = 0; r < calls->n_rows; r++) n += cell(calls, r, "conclusive") == 0;
    *of = calls->n_rows;
    tt_table_free(calls);
    return n;
}

/* Nobody is named, and why. */
static void no_straggler(tt_finding_context *c, int64_t doubtful, int64_t of)
{
    uint32_t row = tt_finding_add(c, "straggler", "info",
                                  tt_arena_printf(&c->t->arena,
                                                  "straggler inconclusive: %" PRId64 " of %" PRId64
                                                  " collectives end at different times on different workers",
                                                  doubtful, of),
                                  "the recordings are of other steps, a part of one is missing, or a clock moved: "
                                  "record the same whole steps on every "
                                  "worker");
    tt_set_d(c->t, row, TT_FINDING_VALUE, of ? 100.0 * (double)doubtful / (double)of : 0);
}

/* A worker that the others wait for in collectives. */
static void straggler(tt_finding_context *c)
{
    const tt_session *s = c->q->session;
    tt_options none = {0};
    tt_scope scope = *c->q->scope;
    if (s->n_workers < 2 || !is_first(c->q)) return;
    scope.worker = TT_ALL;
    tt_table *ranks = tt_table_compute(s, tt_table_find("comm_ranks"), &scope, &none);
    uint32_t late = TT_NONE;
    int64_t caused = 0, total = tt_finding_steps(c), of, doubtful = inconclusive_calls(s, &scope, &of);
    for (uint32_t r = 0; r < ranks->n_rows; r++) {
        if (cell(ranks, r, "caused_ns") > caused) caused = cell(ranks, r, "caused_ns"), late = r;
    }
    int64_t each = caused / (s->n_workers - 1); /* of the others, on average */
    if (each > total) each = total;
    bool named = late != TT_NONE && each > total / 50 && doubtful * 2 <= of; /* what most of the calls speak for */
    if (named) {
        const char *worker = tt_table_cell(ranks, late, (uint32_t)tt_table_column(ranks, "worker")).s;
        double v = total > 0 ? 100.0 * (double)each / (double)total : 0;
        uint32_t row = tt_finding_add(
            c, "straggler", v > 20 ? "high" : "medium",
            tt_arena_printf(&c->t->arena, "the other workers wait for %s in %" PRId64 " of %" PRId64 " collectives%s",
                            worker, cell(ranks, late, "last_calls"), cell(ranks, late, "calls"),
                            doubtful ? tt_arena_printf(&c->t->arena, "; %" PRId64 " more are inconclusive", doubtful)
                                     : ""),
            "compare a step of it with the same step of another one (Steps tab, c): its input, its kernels, its "
            "copies");
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

/* Calls of the runtime during which the device has nothing to do. */
static void blocking_calls(tt_finding_context *c)
{
    int64_t ns;
    double v = tt_finding_share(c, TT_TIME_RUNTIME, &ns);
    if (v <= 10) return;
    tt_row longest = TT_NONE;
    int64_t of_longest = 0;
    for (tt_row r = 0; r < c->s->n; r++) {
        tt_kind k = tt_row_kind(c->s, r);
        if ((k != TT_KIND_RUNTIME && k != TT_KIND_DRIVER) || !tt_query_has(c->q, c->s->start[r])) continue;
        if (c->s->start[r] >= c->t0 && c->s->start[r] < c->t1 && c->s->dur[r] > of_longest)
            of_longest = c->s->dur[r], longest = r;
    }
    bool one = longest != TT_NONE && of_longest > ns / 2;
    uint32_t row = tt_finding_add(
        c, "blocking_calls", v > 30 ? "high" : "medium",
        tt_arena_printf(&c->t->arena, "%.1f %% of the step time the host is in runtime calls and the device idle%s%s",
                        v, one ? ": mostly one " : "", one ? tt_row_name(c->s, longest) : ""),
        one ? "look at what is around it: a first call loads modules and allocates, a synchronisation waits, a free "
              "waits for all"
            : "fewer, larger kernels (CUDA graphs, torch.compile, fused optimizers) and no synchronisation inside the "
              "step");
    if (longest != TT_NONE) tt_set_row(c->q, c->t, row, longest);
    tt_set_i(c->t, row, TT_FINDING_SAVING, ns);
    tt_set_d(c->t, row, TT_FINDING_VALUE, v);
}

/* Most kernels are shorter than their launch, and the device idles. */
static void short_kernels(tt_finding_context *c)
{
    enum { SHORT_NS = 5000, LEAST = 100 };
    int64_t all = 0, brief = 0;
    uint32_t first = TT_NONE;
    bool idle = false;
    for (size_t i = 0; i < c->gpus.n; i++) idle |= c->gpus.at[i].has_kernels && c->gpus.at[i].utilization < 0.7;
    for (uint32_t i = 0; i < c->s->n_dev && idle; i++) {
        tt_row r = c->s->dev[i].row;
        if (tt_row_kind(c->s, r) != TT_KIND_KERNEL || !tt_query_has_row(c->q, r)) continue;
        all++;
        if (c->s->dur[r] >= SHORT_NS) continue;
        brief++;
        if (first == TT_NONE) first = i;
    }
    int64_t host = 0; /* neither the device nor the input is what the step waits for */
    for (size_t i = 0; i < c->steps.n; i++) {
        const int64_t *part = c->steps.at[i].part;
        host += part[TT_TIME_RUNTIME] + part[TT_TIME_CPU] + part[TT_PART_OTHER];
    }
    if (all < LEAST || brief * 2 < all || host * 4 < tt_finding_steps(c)) return;
    double v = 100.0 * (double)brief / (double)all;
    uint32_t row =
        tt_finding_add(c, "short_kernels", "medium",
                       tt_arena_printf(&c->t->arena,
                                       "%" PRId64 " of %" PRId64
                                       " kernels are shorter than 5 us and the device idles: launching takes longer",
                                       brief, all),
                       "CUDA graphs, torch.compile, fused or foreach optimizers, larger batches");
    tt_set_d(c->t, row, TT_FINDING_VALUE, v);
    tt_set_row(c->q, c->t, row, c->s->dev[first].row);
}

/* Copies that wait for the host because its memory is not pinned. */
static void pageable_copies(tt_finding_context *c)
{
    int64_t ns = 0, n = 0, total = tt_finding_steps(c);
    tt_row longest = TT_NONE;
    for (uint32_t i = 0; i < c->s->n_dev; i++) {
        tt_row r = c->s->dev[i].row;
        if (tt_row_kind(c->s, r) != TT_KIND_MEMCPY || !tt_query_has_row(c->q, r)) continue;
        if (!strstr(tt_row_name(c->s, r), "Pageable")) continue;
        n++;
        ns += c->s->dur[r];
        if (longest == TT_NONE || c->s->dur[r] > c->s->dur[longest]) longest = r;
    }
    double v = total > 0 ? 100.0 * (double)ns / (double)total : 0;
    if (v <= 1) return;
    uint32_t row = tt_finding_add(
        c, "pageable_copies", v > 10 ? "medium" : "info",
        tt_arena_printf(&c->t->arena, "%" PRId64 " copies from or to pageable memory take %.1f %% of the step time", n,
                        v),
        "pinned memory (DataLoader pin_memory=True) and .to(device, non_blocking=True)");
    tt_set_i(c->t, row, TT_FINDING_SAVING, ns);
    tt_set_d(c->t, row, TT_FINDING_VALUE, v);
    tt_set_row(c->q, c->t, row, longest);
}

void tt_findings_more(tt_finding_context *c)
{
    slow_step(c);
    straggler(c);
    blocking_calls(c);
    short_kernels(c);
    pageable_copies(c);
}
