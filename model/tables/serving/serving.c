/* model/tables/serving/serving.c - table serving: what the steps of each phase take, and what their tokens cost. */
#include <stdlib.h>
#include <string.h>

#include "model/base/sort_by.h"
#include "model/tables/analysis/graphs/graph_owner.h"
#include "model/tables/serving/columns.h"
#include "model/tables/serving/engine_steps.h"
#include "model/tables/table_util.h"

static const tt_column columns[] = {
    [TT_SERVING_PHASE] =
        COL("phase", "Phase", STRING, 0,
            "phase of the steps; pause: waits between steps that are too long for a gap; outside: GPU work "
            "of no step"),
    [TT_SERVING_STEPS] = COL("steps", "Steps", COUNT, 0, "complete steps; of pause: how many"),
    [TT_SERVING_INCOMPLETE] =
        COL("incomplete", "Incomplete", COUNT, 3, "steps whose GPU work is missing; left out of the rest"),
    [TT_SERVING_REQUESTS_MEAN] = COL("requests_mean", "Requests", NUMBER, 0, "mean requests in a step"),
    [TT_SERVING_CONTEXT_TOKENS] = COL("context_tokens", "Prefill tokens", COUNT, 2, "tokens of prompts, summed"),
    [TT_SERVING_GENERATION_TOKENS] =
        COL("generation_tokens", "Decode tokens", COUNT, 2, "tokens of generation, summed"),
    [TT_SERVING_TIME] = COL("time_ns", "Time", DURATION, 1,
                            "from completion to completion, summed over the steps that have it (table engine_steps)"),
    [TT_SERVING_TIME_P50] = COL("time_p50_ns", "Step p50", DURATION, 0, "half of the steps take at most this"),
    [TT_SERVING_TIME_P90] = COL("time_p90_ns", "p90", DURATION, 2, "90% of the steps take at most this"),
    [TT_SERVING_TIME_P99] = COL("time_p99_ns", "p99", DURATION, 1, "99% of the steps take at most this"),
    [TT_SERVING_TOKENS_PER_S] =
        COL("tokens_per_s", "Tokens/s", NUMBER, 0, "tokens of the steps with a time / their time"),
    [TT_SERVING_BUSY] = COL("busy_ns", "GPU busy", DURATION, 3, "union of each step's GPU work, summed"),
    [TT_SERVING_BUSY_PCT] =
        COL("busy_pct", "GPU busy %", PERCENT, 0, "busy time of the steps with a time / their time"),
    [TT_SERVING_GAP] = COL("gap_ns", "Gaps", DURATION, 2, "time between steps without their GPU work, summed"),
    [TT_SERVING_GAP_P50] = COL("gap_p50_ns", "Gap p50", DURATION, 2, "half of the gaps take at most this"),
    [TT_SERVING_COMMUNICATION] =
        COL("communication_ns", "Communication", DURATION, 3, "union of each step's communication, summed"),
    [TT_SERVING_COPY] = COL("copy_ns", "Copies", DURATION, 4, "union of each step's copies and sets, summed"),
    [TT_SERVING_HOST] = COL("host_ns", "CPU", DURATION, 3, "ranges on the host, summed"),
    [TT_SERVING_GRAPH_PCT] = COL("graph_pct", "In graphs", PERCENT, 2, "GPU time of work that graphs launched / all"),
    [TT_SERVING_TOP] = COL("top", "Top operator", STRING, 1,
                           "operator with the most GPU time; (graph): work of graphs that "
                           "nothing in the trace explains"),
    [TT_SERVING_TOP_PCT] = COL("top_pct", "Top %", PERCENT, 2, "its share of the GPU time"),
};

/* ---- sums of a phase ---- */

typedef TT_VEC(int64_t) times;

typedef struct phase_sums {
    int64_t steps, incomplete, requests,
        tokens[2]; /* tokens of context and generation; TT_UNKNOWN in a step: unknown */
    int64_t timed_tokens, timed_busy, busy, host, class_ns[TT_WORK_CLASS_COUNT_], graph_ns, work_ns;
    bool has_requests, has_tokens[2], has_timed_tokens;
    times time, gap;
    /* device time by number of the operator's name, for tt_graph_text(); the last: without an operator; NULL = no
     * work */
    int64_t *operator_ns;
} phase_sums;

static void add_count(int64_t *sum, bool *known, int64_t value)
{
    if (value == TT_STEP_UNSAID || __builtin_add_overflow(*sum, value, sum)) *known = false;
}

static int64_t sum_of(const times *v)
{
    int64_t sum = 0;
    for (size_t i = 0; i < v->n; i++) sum += v->at[i];
    return sum;
}

/* The ceil(p n / 100)-th smallest of n > 0 sorted values. */
static int64_t percentile(const times *v, unsigned p) { return v->at[(p * v->n + 99) / 100 - 1]; }

static void add_work(phase_sums *x, const tt_query *q, const tt_engine_steps *e, const tt_engine_step *p)
{
    const tt_trace *s = tt_query_trace(q);
    const tt_device_work *all = tt_device_work_get(q->session, q->trace);
    const tt_graphs *g = tt_graphs_get(q->session, q->trace);
    uint32_t names = tt_graph_names(g);
    if (!x->operator_ns) x->operator_ns = tt_calloc(names + (size_t)1, sizeof *x->operator_ns);
    for (uint32_t i = p->first; i < p->first + p->n; i++) {
        const tt_work *w = &all->at[e->work[i]];
        const tt_activity *d = &s->dev[s->detail[w->row]];
        int64_t ns = w->end - w->start;
        tt_sid name = tt_work_operator(g, d);
        x->work_ns += ns;
        if (tt_graph_owner_of(g, d)) x->graph_ns += ns;
        x->operator_ns[name == TT_NONE ? names : name] += ns;
    }
}

static void add_step(phase_sums *x, const tt_engine_step *p)
{
    const int64_t *n = p->said.number;
    x->steps++;
    add_count(&x->requests, &x->has_requests, n[TT_STEP_REQUESTS]);
    add_count(&x->tokens[0], &x->has_tokens[0], n[TT_STEP_CONTEXT_TOKENS]);
    add_count(&x->tokens[1], &x->has_tokens[1], n[TT_STEP_GENERATION_TOKENS]);
    x->busy += p->busy;
    x->host += p->host_end - p->host_start;
    for (int c = 0; c < TT_WORK_CLASS_COUNT_; c++) x->class_ns[c] += p->class_ns[c];
    if (p->gap != TT_UNKNOWN) *tt_vec_push(&x->gap) = p->gap;
    if (p->time == TT_UNKNOWN) return;
    *tt_vec_push(&x->time) = p->time;
    x->timed_busy += p->busy;
    add_count(&x->timed_tokens, &x->has_timed_tokens, n[TT_STEP_CONTEXT_TOKENS]);
    add_count(&x->timed_tokens, &x->has_timed_tokens, n[TT_STEP_GENERATION_TOKENS]);
}

/* ---- rows ---- */

static const char *operator_word(const tt_graphs *g, uint32_t name)
{
    return name == tt_graph_names(g) ? "(unattributed)" : tt_graph_text(g, name);
}

/* Set the operator with the most device time, of equal ones the first by name. */
static void put_top(const tt_graphs *g, phase_sums *x, uint32_t row, tt_table *t)
{
    uint32_t best = 0;
    const int64_t *ns = x->operator_ns;
    for (uint32_t i = 1; ns && i <= tt_graph_names(g); i++)
        if (ns[i] > ns[best] || (ns[i] == ns[best] && ns[i] && strcmp(operator_word(g, i), operator_word(g, best)) < 0))
            best = i;
    if (!ns || !ns[best]) return;
    tt_set_ref(t, row, TT_SERVING_TOP, operator_word(g, best));
    tt_set_d(t, row, TT_SERVING_TOP_PCT, tt_pct((double)ns[best], (double)x->work_ns));
    tt_set_d(t, row, TT_SERVING_GRAPH_PCT, tt_pct((double)x->graph_ns, (double)x->work_ns));
}

static void put_times(phase_sums *x, bool has_work, uint32_t row, tt_table *t)
{
    if (x->gap.n) {
        TT_SORT_UP(x->gap.at, x->gap.n);
        tt_set_i(t, row, TT_SERVING_GAP, sum_of(&x->gap));
        tt_set_i(t, row, TT_SERVING_GAP_P50, percentile(&x->gap, 50));
    }
    if (!x->time.n) return;
    int64_t time = sum_of(&x->time);
    TT_SORT_UP(x->time.at, x->time.n);
    tt_set_i(t, row, TT_SERVING_TIME, time);
    tt_set_i(t, row, TT_SERVING_TIME_P50, percentile(&x->time, 50));
    tt_set_i(t, row, TT_SERVING_TIME_P90, percentile(&x->time, 90));
    tt_set_i(t, row, TT_SERVING_TIME_P99, percentile(&x->time, 99));
    if (time <= 0) return;
    if (x->has_timed_tokens) tt_set_d(t, row, TT_SERVING_TOKENS_PER_S, (double)x->timed_tokens * 1e9 / (double)time);
    double busy = tt_pct((double)x->timed_busy, (double)time);
    if (has_work) tt_set_d(t, row, TT_SERVING_BUSY_PCT, busy > 100 ? 100 : busy);
}

static void put_phase(const tt_query *q, tt_phase phase, phase_sums *x, const tt_engine_steps *e, tt_table *t)
{
    uint32_t row = tt_table_add(t);
    tt_set_ref(t, row, TT_SERVING_PHASE, tt_phase_word(phase));
    tt_set_i(t, row, TT_SERVING_STEPS, x->steps);
    tt_set_i(t, row, TT_SERVING_INCOMPLETE, x->incomplete);
    if (!x->steps) return;
    if (x->has_requests) tt_set_d(t, row, TT_SERVING_REQUESTS_MEAN, (double)x->requests / (double)x->steps);
    if (x->has_tokens[0]) tt_set_i(t, row, TT_SERVING_CONTEXT_TOKENS, x->tokens[0]);
    if (x->has_tokens[1]) tt_set_i(t, row, TT_SERVING_GENERATION_TOKENS, x->tokens[1]);
    if (!e->of_device) tt_set_i(t, row, TT_SERVING_HOST, x->host);
    put_times(x, e->n_work > 0, row, t);
    if (!e->n_work) return;
    tt_set_i(t, row, TT_SERVING_BUSY, x->busy);
    tt_set_i(t, row, TT_SERVING_COMMUNICATION, x->class_ns[TT_WORK_COMMUNICATION]);
    tt_set_i(t, row, TT_SERVING_COPY, x->class_ns[TT_WORK_COPY]);
    put_top(tt_graphs_get(q->session, q->trace), x, row, t);
}

static void put_rest(const tt_engine_steps *e, int64_t pauses, int64_t pause_ns, tt_table *t)
{
    if (pauses) {
        uint32_t row = tt_table_add(t);
        tt_set_ref(t, row, TT_SERVING_PHASE, "pause");
        tt_set_i(t, row, TT_SERVING_STEPS, pauses);
        tt_set_i(t, row, TT_SERVING_TIME, pause_ns);
    }
    if (e->outside < e->n_work) {
        uint32_t row = tt_table_add(t);
        tt_set_ref(t, row, TT_SERVING_PHASE, "outside");
        tt_set_i(t, row, TT_SERVING_STEPS, 0);
        tt_set_i(t, row, TT_SERVING_BUSY, e->outside_busy);
    }
}

static void compute_serving(const tt_query *q, tt_table *t)
{
    const tt_trace *s = tt_query_trace(q);
    const tt_engine_steps *e = tt_engine_steps_get(q->session, q->trace);
    phase_sums *of = tt_calloc(TT_PHASE_COUNT_, sizeof *of);
    int64_t pauses = 0, pause_ns = 0;
    for (int p = 0; p < TT_PHASE_COUNT_; p++)
        of[p].has_requests = of[p].has_tokens[0] = of[p].has_tokens[1] = of[p].has_timed_tokens = true;
    for (uint32_t i = 0; i < e->n; i++) {
        const tt_engine_step *p = &e->at[i];
        phase_sums *x = &of[p->said.phase];
        if (!tt_query_has(q, p->host_start)) continue;
        pauses += p->pause > 0;
        pause_ns += p->pause;
        x->incomplete += !p->complete;
        if (!p->complete) continue;
        add_step(x, p);
        if (p->n) add_work(x, q, e, p);
    }
    for (int p = 0; p < TT_PHASE_COUNT_; p++)
        if (of[p].steps || of[p].incomplete) put_phase(q, (tt_phase)p, &of[p], e, t);
    if (e->n) put_rest(e, pauses, pause_ns, t);
    if (!e->n && !t->n_rows) t->note = tt_engine_steps_missing(s);
    if (s->steps_source == TT_STEPS_INFERRED) t->note = tt_inferred_note(s, t);
    for (int p = 0; p < TT_PHASE_COUNT_; p++) {
        tt_vec_free(&of[p].time);
        tt_vec_free(&of[p].gap);
        free(of[p].operator_ns);
    }
    free(of);
}

const tt_table_desc tt_table_serving = {
    .id = "serving",
    .title = "Serving",
    .meaning = "what the steps of each phase of LLM serving take: percentiles, tokens a second, gaps",
    .cols = columns,
    .n_cols = COUNT_OF(columns),
    .compute = compute_serving,
};
