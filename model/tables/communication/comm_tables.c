/* model/tables/communication/comm_tables.c - tables comm_steps, comm_wait and comm_ops.
 *
 * Waits are found by comparing workers: for each host range and kernel of a collective, the shortest time on any
 * worker is the transfer; the extra time of a worker is waiting for the others. A scope chooses the workers shown;
 * they are compared with all. */
#include "model/tables/communication/columns.h"
#include "model/tables/communication/comm_pairs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/bisect.h"
#include "model/tables/analysis/device/stages.h"
#include "model/tables/analysis/names/name_class.h"
#include "model/tables/communication/comm_brought.h"
#include "model/tables/steps/step_breakdown.h"
#include "model/trace/analysis_cache.h"

static void no_comm(const tt_query *q, tt_table *t)
{
    const tt_session *s = q->session;
    if (t->n_rows || !s->n_traces) return;
    t->note = tt_arena_printf(&t->arena, "No collectives found (%s)", tt_advice_of(s->traces[0]->rules)->collectives);
}

/* ---- comm_steps ---- */

static const tt_column step_columns[] = {
    [TT_COMM_STEPS_WORKER] = COL("worker", "Worker", STRING, 0, "worker"),
    [TT_COMM_STEPS_STEP] = COL("step", "Step", STRING, 0, "number of the profiler step"),
    [TT_COMM_STEPS_COMPUTATION] =
        COL("computation_ns", "Compute", DURATION, 0,
            "kernels that are no collectives ran alone (CPU operators in traces without a device; where a profiler "
            "measured it itself and knows no overlap, all but exposed communication)"),
    [TT_COMM_STEPS_OVERLAP] =
        COL("overlap_ns", "Overlapped comm.", DURATION, 0, "computation and communication at the same time"),
    [TT_COMM_STEPS_COMMUNICATION] =
        COL("communication_ns", "Exposed comm.", DURATION, 0, "communication that no computation overlaps"),
    [TT_COMM_STEPS_OTHER] =
        COL("other_ns", "Idle + CPU", DURATION, 0,
            "neither; the four add up to the step (in Paddle traces negative when GPU work outlasts the step)"),
};

/* By span of the session (last entry: any span): whether a worker communicates. */
static void *find_communication(const tt_session *s, uint32_t trace)
{
    bool *found = tt_calloc(s->n_spans + (size_t)1, sizeof *found);
    (void)trace;
    for (uint32_t i = 0; i < s->n_traces; i++) {
        if (!tt_time_classes_get(s, i)->has_communication) continue;
        for (uint32_t k = 0; k < s->n_spans; k++) found[k] = found[k] || !strcmp(s->spans[k], s->traces[i]->span);
        found[s->n_spans] = true;
    }
    return found;
}

static bool session_communicates(const tt_query *q)
{
    static const tt_analysis_kind kind = {"communication of the session", find_communication, free};
    const bool *found = tt_analysis_get(q->session, 0, &kind);
    return found[q->scope->span == TT_ALL ? q->session->n_spans : (uint32_t)q->scope->span];
}

typedef struct step_time { /* times of a step: lengths of unions, ns */
    int64_t work, comm, both;
} step_time;

static tt_time_class work_role(const tt_time_classes *roles) { return roles->has_work ? TT_TIME_KERNEL : TT_TIME_CPU; }

/* Sum device work by the step that launched it, whenever it ran. */
static void times_by_launch(const tt_query *q, step_time *times)
{
    const tt_trace *s = tt_query_trace(q);
    const tt_name_classes *names = tt_name_classes_get(q->session, q->trace);
    tt_time_class computes = work_role(tt_time_classes_get(q->session, q->trace));
    tt_ivs *sets = tt_calloc(2 * (size_t)s->n_steps + 1, sizeof *sets); /* work and communication of each step */
    for (tt_row r = 0; r < s->n; r++) {
        tt_time_class role = tt_role_of(s, names, r);
        if (role != TT_TIME_COMMUNICATION && role != computes) continue;
        uint32_t step = tt_step_at(s, tt_row_asked_at(s, r));
        if (step != TT_NONE) tt_ivs_add(&sets[2 * (size_t)step + (role != computes)], s->start[r], tt_row_end(s, r));
    }
    for (uint32_t i = 0; i < s->n_steps; i++) {
        tt_ivs *work = &sets[2 * (size_t)i], *comm = work + 1;
        tt_ivs_normalise(work);
        tt_ivs_normalise(comm);
        tt_ivs both = tt_ivs_intersect(work, comm);
        times[i] = (step_time){tt_ivs_length(work), tt_ivs_length(comm), tt_ivs_length(&both)};
        tt_vec_free(work);
        tt_vec_free(comm);
        tt_vec_free(&both);
    }
    free(sets);
}

/* Sum device work that ran inside the step, which lasts to the end of its device work. */
static void times_by_time(const tt_query *q, step_time *times)
{
    const tt_trace *s = tt_query_trace(q);
    const tt_time_classes *roles = tt_time_classes_get(q->session, q->trace);
    const tt_ivs *work = &roles->of[work_role(roles)], *comm = &roles->of[TT_TIME_COMMUNICATION];
    tt_ivs both = tt_ivs_intersect(work, comm);
    for (uint32_t i = 0; i < s->n_steps; i++) {
        int64_t t0 = s->steps[i].start, t1 = s->steps[i].end;
        times[i] = (step_time){tt_ivs_length_in(work, t0, t1), tt_ivs_length_in(comm, t0, t1),
                               tt_ivs_length_in(&both, t0, t1)};
    }
    tt_vec_free(&both);
}

static void put_step(const tt_query *q, const tt_step *p, const step_time *x, tt_table *t)
{
    const tt_trace *s = tt_query_trace(q);
    uint32_t row = tt_table_add(t);
    tt_set_ref(t, row, TT_COMM_STEPS_WORKER, s->worker);
    tt_set_ref(t, row, TT_COMM_STEPS_STEP, tt_arena_printf(&t->arena, "%" PRId64, p->number));
    tt_set_i(t, row, TT_COMM_STEPS_COMPUTATION, x->work - x->both);
    tt_set_i(t, row, TT_COMM_STEPS_OVERLAP, x->both);
    tt_set_i(t, row, TT_COMM_STEPS_COMMUNICATION, x->comm - x->both);
    tt_set_i(t, row, TT_COMM_STEPS_OTHER, p->end - p->start + x->both - x->work - x->comm);
    tt_set_range(q, t, row, p->start, p->end);
}

static void compute_steps(const tt_query *q, tt_table *t)
{
    const tt_trace *s = tt_query_trace(q);
    if (tt_comm_steps_brought(q, t)) return;
    if (!session_communicates(q)) {
        no_comm(q, t);
        return;
    }
    step_time *times = tt_calloc(s->n_steps + 1u, sizeof *times);
    if (s->rules->work_counts_by_launch)
        times_by_launch(q, times);
    else
        times_by_time(q, times);
    for (uint32_t i = 0; i < s->n_steps; i++)
        if (tt_step_shown(q, &s->steps[i])) put_step(q, &s->steps[i], &times[i], t);
    free(times);
}

const tt_table_desc tt_table_comm_steps = {
    .id = "comm_steps",
    .title = "Compute and communication",
    .meaning = "how much communication each step hides behind computation, by worker",
    .cols = step_columns,
    .n_cols = COUNT_OF(step_columns),
    .compute = compute_steps,
};

/* ---- transfer time of each range ---- */

typedef struct worker_ranges { /* ranges of one trace */
    uint32_t trace;
    const tt_collectives *c;
    int64_t *transfer; /* by range: shortest time on any worker; TT_UNKNOWN when no other worker has the range */
} worker_ranges;

typedef struct match {
    TT_VEC(worker_ranges) at; /* traces of one span */
} match;

typedef struct shortest {
    int64_t ns;
    uint32_t workers;
} shortest;

/* Compare the calls of a span's traces: host ranges with host ranges, the k-th kernel with the k-th kernel of the
 * other workers. The caller frees with match_free(). */
static match match_span(const tt_session *s, const char *span)
{
    match m = {0};
    tt_groups groups;
    TT_VEC(shortest) list = {0};
    const tt_comm_pairs *p = tt_comm_pairs_get(s, span);
    tt_groups_init(&groups);
    for (uint32_t i = 0; i < s->n_traces; i++) {
        if (strcmp(s->traces[i]->span, span) != 0) continue;
        const tt_collectives *c = tt_collectives_get(s, i);
        worker_ranges w = {i, c, tt_malloc((c->ranges.n + 1) * sizeof *w.transfer)};
        for (size_t k = 0; k < c->at.n; k++) {
            const tt_collective *x = &c->at.at[k];
            uint32_t call = p->visits[p->first[i] + k].call;
            uint32_t kinds[2] = {0};
            for (uint32_t r = 0; r < x->n; r++) {
                const tt_iv *range = &c->ranges.at[x->first + r];
                bool device = c->on_device.at[x->first + r];
                uint32_t g = tt_groups_put(&groups, (tt_group_key){call, kinds[device]++, device});
                if (g == list.n) *tt_vec_push(&list) = (shortest){INT64_MAX, 0};
                if (range->t1 - range->t0 < list.at[g].ns) list.at[g].ns = range->t1 - range->t0;
                list.at[g].workers++;
                w.transfer[x->first + r] = g; /* temporarily the group */
            }
        }
        *tt_vec_push(&m.at) = w;
    }
    for (size_t w = 0; w < m.at.n; w++) {
        for (size_t i = 0; i < m.at.at[w].c->ranges.n; i++) {
            const shortest *x = &list.at[m.at.at[w].transfer[i]];
            m.at.at[w].transfer[i] = x->workers > 1 ? x->ns : TT_UNKNOWN;
        }
    }
    tt_vec_free(&list);
    tt_groups_free(&groups);
    return m;
}

static void match_free(match *m)
{
    for (size_t i = 0; i < m->at.n; i++) free(m->at.at[i].transfer);
    tt_vec_free(&m->at);
}

/* Add the ranges of a collective, and the last part of each, which is the transfer. */
static void add_ranges(const worker_ranges *w, const tt_collective *n, tt_ivs *all, tt_ivs *transfer, bool *known)
{
    for (uint32_t k = n->first; k < n->first + n->n; k++) {
        tt_iv r = w->c->ranges.at[k];
        tt_ivs_add(all, r.t0, r.t1);
        if (w->transfer[k] == TT_UNKNOWN)
            tt_ivs_add(transfer, r.t0, r.t1);
        else
            tt_ivs_add(transfer, r.t1 - w->transfer[k], r.t1);
        *known |= w->transfer[k] != TT_UNKNOWN;
    }
}

/* query of one trace for a table over all traces */
typedef struct trace_query {
    tt_query q;
    tt_windows windows;
} trace_query;
static void trace_query_open(trace_query *sq, const tt_query *q, uint32_t trace)
{
    sq->q = *q;
    sq->q.trace = trace;
    sq->windows = tt_scope_windows(q->session, q->scope, trace);
    sq->q.windows = &sq->windows;
}

/* ---- comm_wait ---- */

static const tt_column wait_columns[] = {
    [TT_COMM_WAIT_WORKER] = COL("worker", "Worker", STRING, 0, "worker"),
    [TT_COMM_WAIT_STEP] = COL("step", "Step", STRING, 0, "number of the profiler step that the collectives start in"),
    [TT_COMM_WAIT_DATA_TRANSFER] =
        COL("data_transfer_ns", "Transfer", DURATION, 0,
            "time in collectives, as long as the same collective takes on the worker where it is shortest; union"),
    [TT_COMM_WAIT_SYNCHRONIZING] =
        COL("synchronizing_ns", "Wait", DURATION, 0, "the rest of the time in collectives: waiting for other workers"),
};

static void put_wait(const tt_query *q, const worker_ranges *w, const tt_step *p, tt_table *t)
{
    const tt_trace *s = tt_query_trace(q);
    tt_ivs all = {0}, transfer = {0};
    bool known = false;
    size_t first = 0, end = w->c->at.n;
    bool whole = p->row == TT_NONE; /* trace without steps */
    int64_t t0 = whole ? p->start : p->host_start, t1 = whole ? p->end : p->host_end;
    TT_BISECT(first, end, i, w->c->at.at[i].start < t0);
    for (size_t i = first; i < w->c->at.n && w->c->at.at[i].start < t1; i++) {
        int64_t start = w->c->at.at[i].start;
        if (!whole && tt_step_at(s, start) != (uint32_t)(p - s->steps)) continue;
        if (tt_query_has(q, start)) add_ranges(w, &w->c->at.at[i], &all, &transfer, &known);
    }
    tt_ivs_normalise(&all);
    tt_ivs_normalise(&transfer);
    if (known) {
        int64_t moved = tt_ivs_length(&transfer);
        uint32_t row = tt_table_add(t);
        tt_set_ref(t, row, TT_COMM_WAIT_WORKER, s->worker);
        tt_set_ref(t, row, TT_COMM_WAIT_STEP, tt_arena_printf(&t->arena, "%" PRId64, p->number));
        tt_set_i(t, row, TT_COMM_WAIT_DATA_TRANSFER, moved);
        tt_set_i(t, row, TT_COMM_WAIT_SYNCHRONIZING, tt_ivs_length(&all) - moved);
        tt_set_range(q, t, row, p->start, p->end);
    }
    tt_vec_free(&all);
    tt_vec_free(&transfer);
}

static void compute_wait(const tt_query *q, tt_table *t)
{
    for (uint32_t k = 0; k < q->session->n_spans; k++) {
        if (q->scope->span != TT_ALL && q->scope->span != (int32_t)k) continue;
        match m = match_span(q->session, q->session->spans[k]);
        for (size_t w = 0; m.at.n > 1 && w < m.at.n; w++) {
            trace_query sq;
            if (!tt_scope_has_trace(q->session, q->scope, m.at.at[w].trace)) continue;
            trace_query_open(&sq, q, m.at.at[w].trace);
            const tt_trace *s = tt_query_trace(&sq.q);
            for (uint32_t i = 0; i < s->n_steps; i++)
                if (tt_step_shown(&sq.q, &s->steps[i])) put_wait(&sq.q, &m.at.at[w], &s->steps[i], t);
            tt_windows_free(&sq.windows);
        }
        match_free(&m);
    }
    if (!t->n_rows)
        t->note = q->session->n_workers > 1 ? "No collective is shared by two ranks"
                                            : "Open the traces of several ranks together to see who waits";
}

const tt_table_desc tt_table_comm_wait = {
    .id = "comm_wait",
    .title = "Wait in collectives",
    .meaning = "time in collectives, divided into transfer and waiting for other workers",
    .cols = wait_columns,
    .n_cols = COUNT_OF(wait_columns),
    .flags = TT_TABLE_ALL_TRACES,
    .compute = compute_wait,
};

/* ---- comm_ops ---- */

enum { O_WORKER, O_NAME, O_CALLS, O_SIZE, O_LATENCY, O_TRANSFER, O_MEANS };

static const tt_column op_columns[] = {
    COL("worker", "Worker", STRING, 0, "worker"),
    COL("name", "Collective", STRING, 0, "name as its library marks it, else library and operation of the kernel"),
    COL("calls", "Calls", COUNT, 0, "collectives"),
    COL("size_bytes", "Size", BYTES, 0, "bytes of the inputs, where recorded"),
    COL("latency_ns", "Latency", DURATION, 0, "time with such a collective running on CPU or GPU: union"),
    COL("data_transfer_ns", "Transfer", DURATION, 1,
        "as long as the same collective takes on the worker where it is shortest: union; needs several workers. Where "
        "a profiler measured it itself: data moved"),
    COL_SCREEN("mean_size_bytes", "Mean size", BYTES, 2, "size / calls"),
    COL_SCREEN("mean_latency_ns", "Mean latency", DURATION, 2, "latency / calls"),
    COL_SCREEN("mean_transfer_ns", "Mean transfer", DURATION, 3, "transfer / calls"),
};

typedef struct op_stat {
    const char *name;
    tt_row first;
    int64_t calls, bytes;
    bool has_bytes, known;
    tt_ivs all, transfer;
} op_stat;

static void put_ops(const tt_query *q, const worker_ranges *w, tt_table *t)
{
    const tt_trace *s = tt_query_trace(q);
    tt_strings names;
    TT_VEC(op_stat) list = {0};
    tt_strings_init(&names);
    for (size_t i = 0; i < w->c->at.n; i++) {
        const tt_collective *n = &w->c->at.at[i];
        if (!tt_query_has(q, n->start)) continue;
        tt_sid id = tt_strings_put(&names, n->name, strlen(n->name)); /* intern the empty name first, as id 0 */
        while (list.n <= id) *tt_vec_push(&list) = (op_stat){0};
        op_stat *o = &list.at[id];
        if (!o->calls++) o->first = n->row;
        o->name = n->name;
        if (n->bytes != TT_UNKNOWN) {
            o->bytes += n->bytes;
            o->has_bytes = true;
        }
        add_ranges(w, n, &o->all, &o->transfer, &o->known);
    }
    for (size_t i = 0; i < list.n; i++) {
        op_stat *o = &list.at[i];
        if (!o->calls) continue;
        tt_ivs_normalise(&o->all);
        tt_ivs_normalise(&o->transfer);
        uint32_t row = tt_table_add(t);
        tt_set_ref(t, row, O_WORKER, s->worker);
        tt_set_ref(t, row, O_NAME, o->name);
        tt_set_i(t, row, O_CALLS, o->calls);
        if (o->has_bytes) tt_set_i(t, row, O_SIZE, o->bytes);
        tt_set_i(t, row, O_LATENCY, tt_ivs_length(&o->all));
        if (o->known) tt_set_i(t, row, O_TRANSFER, tt_ivs_length(&o->transfer));
        tt_set_slices(q, t, row, 1u << tt_row_kind(s, o->first), tt_row_name(s, o->first));
        tt_vec_free(&o->all);
        tt_vec_free(&o->transfer);
    }
    tt_vec_free(&list);
    tt_strings_free(&names);
}

/* Write the means per call: the columns from O_MEANS on, from the sums from O_SIZE on. */
static void put_means(tt_table *t)
{
    int calls = tt_table_column(t, op_columns[O_CALLS].key);
    for (uint32_t c = O_SIZE; c <= O_TRANSFER; c++) {
        int col = tt_table_column(t, op_columns[c].key);
        for (uint32_t r = 0; r < t->n_rows && calls >= 0 && col >= 0; r++) {
            int64_t n = tt_table_cell(t, r, (uint32_t)calls).i, sum = tt_table_cell(t, r, (uint32_t)col).i;
            if (n > 0 && sum != TT_UNKNOWN) tt_set_i(t, r, O_MEANS + c - O_SIZE, sum / n);
        }
    }
}

static void compute_ops(const tt_query *q, tt_table *t)
{
    for (uint32_t k = 0; k < q->session->n_spans; k++) {
        if (q->scope->span != TT_ALL && q->scope->span != (int32_t)k) continue;
        match m = match_span(q->session, q->session->spans[k]);
        for (size_t w = 0; w < m.at.n; w++) {
            trace_query sq;
            if (!tt_scope_has_trace(q->session, q->scope, m.at.at[w].trace)) continue;
            trace_query_open(&sq, q, m.at.at[w].trace);
            if (!tt_comm_ops_brought(&sq.q, t)) put_ops(&sq.q, &m.at.at[w], t);
            tt_windows_free(&sq.windows);
        }
        match_free(&m);
    }
    if (q->options.places) put_means(t);
    no_comm(q, t);
}

const tt_table_desc tt_table_comm_ops = {
    .id = "comm_ops",
    .title = "Collectives",
    .meaning = "collectives by worker and name: how many, how large, how long",
    .cols = op_columns,
    .n_cols = COUNT_OF(op_columns),
    .flags = TT_TABLE_ALL_TRACES,
    .compute = compute_ops,
};
