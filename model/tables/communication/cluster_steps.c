/* model/tables/communication/cluster_steps.c - table cluster_steps: the parts of each step's time, by rank as its
 * profiler wrote them, and by pipeline stage: per column the maximum over the ranks of the stage. */
#include "model/tables/communication/cluster_steps.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/tables/communication/columns.h"
#include "model/tables/imported_rows.h"

enum { MOST_STAGES = 1 << 16 }; /* plausible number of stages: a larger one is an error of the file */

static const tt_column columns[] = {
    [TT_CLUSTER_STEPS_TYPE] =
        COL("type", "Type", STRING, 0, "rank; stage: of a pipeline, the maximum over its ranks column by column"),
    [TT_CLUSTER_STEPS_INDEX] = COL("index", "Index", STRING, 0, "the rank, or the ranks of the stage"),
    [TT_CLUSTER_STEPS_STEP] =
        COL("step", "Step", STRING, 0, "number of the step; average: the mean that the profiler stored"),
    [TT_CLUSTER_STEPS_COMPUTING] =
        COL("computing_ns", "Compute", DURATION, 0,
            "computation ran; where the profiler knows no free time, the step without exposed communication"),
    [TT_CLUSTER_STEPS_NOT_OVERLAPPED] =
        COL("not_overlapped_ns", "Exposed comm.", DURATION, 0, "communication that no computation overlaps"),
    [TT_CLUSTER_STEPS_OVERLAPPED] =
        COL("overlapped_ns", "Overlapped", DURATION, 1, "computation and communication at the same time"),
    [TT_CLUSTER_STEPS_COMMUNICATION] =
        COL("communication_ns", "Communication", DURATION, 1, "communication, overlapped or not"),
    [TT_CLUSTER_STEPS_FREE] = COL("free_ns", "Free", DURATION, 0, "neither computation nor communication"),
    [TT_CLUSTER_STEPS_STAGE] =
        COL("stage_ns", "Stage", DURATION, 1, "the step without the time in which it received from another stage"),
    [TT_CLUSTER_STEPS_BUBBLE] = COL("bubble_ns", "Bubble", DURATION, 1, "receiving from another pipeline stage"),
    [TT_CLUSTER_STEPS_NOT_OVERLAPPED_EXCLUDE_RECEIVE] =
        COL("not_overlapped_exclude_receive_ns", "Exposed, no receive", DURATION, 3,
            "exposed communication without receiving from another stage"),
    [TT_CLUSTER_STEPS_PREPARING] = COL("preparing_ns", "Preparing", DURATION, 2,
                                       "from the start of the step to the first computation or transfer"),
    [TT_CLUSTER_STEPS_COLLECTIVE] =
        COL("collective_ns", "Collective", DURATION, 2, "exposed collectives, within a pipeline stage"),
};

/* ---- ranks and stages ---- */

static int64_t meta_number(const tt_trace *s, const char *key)
{
    const char *text = tt_trace_meta(s, key);
    char *end;
    if (!text) return TT_UNKNOWN;
    errno = 0;
    int64_t v = strtoll(text, &end, 10);
    return end == text || *end || errno ? TT_UNKNOWN : v;
}

bool tt_pipeline_stages(const tt_session *s, int64_t *stages, int64_t *ranks_each)
{
    int64_t n = TT_UNKNOWN, ranks = TT_UNKNOWN;
    for (uint32_t i = 0; i < s->n_traces; i++) {
        const tt_trace *t = s->traces[i];
        int64_t own = meta_number(t, "stage_num"), size = meta_number(t, "rank_size");
        if (size == TT_UNKNOWN && t->world_size > 0) size = t->world_size;
        if (own > n) n = own;
        if (size > ranks) ranks = size;
    }
    if (n < 2 || n > MOST_STAGES || ranks < n || ranks % n) return false;
    *stages = n;
    *ranks_each = ranks / n;
    return true;
}

/* The trace of this rank in a span; TT_NONE = not loaded. */
static uint32_t trace_of_rank(const tt_session *s, const char *span, int64_t rank)
{
    for (uint32_t i = 0; i < s->n_traces; i++) {
        if (s->traces[i]->rank == rank && !strcmp(s->traces[i]->span, span)) return i;
    }
    return TT_NONE;
}

/* ---- rows of stages ---- */

typedef struct stage { /* tables of the ranks of a stage */
    TT_VEC(const tt_imported *) ranks;
    const char *index;
} stage;

/* Find the ranks of a stage. False: a rank is not loaded, or has no steps. */
static bool stage_find(const tt_query *q, int64_t first, int64_t n, stage *out, tt_table *t)
{
    const tt_session *s = q->session;
    const char *index = "";
    for (int64_t rank = first; rank < first + n; rank++) {
        uint32_t trace = trace_of_rank(s, tt_query_trace(q)->span, rank);
        const tt_imported *of = trace == TT_NONE ? NULL : tt_trace_imported(s->traces[trace], "cluster_steps");
        if (!of) return false;
        *tt_vec_push(&out->ranks) = of;
        index = tt_arena_printf(&t->arena, "%s%s%" PRId64, index, *index ? "," : "", rank);
    }
    out->index = index;
    return true;
}

static const char *step_at(const tt_imported *of, uint32_t row, tt_table *t)
{
    const char *step = tt_imported_cell(of, row, "step", TT_T_STRING, t).s;
    return step ? step : "";
}

static uint32_t row_of_step(const tt_imported *of, const char *step, uint32_t guess, tt_table *t)
{
    if (guess < of->n_rows && !strcmp(step_at(of, guess, t), step)) return guess;
    for (uint32_t r = 0; r < of->n_rows; r++) {
        if (!strcmp(step_at(of, r, t), step)) return r;
    }
    return TT_NONE;
}

/* Write the row of a step that all ranks of the stage have. */
static void put_stage_step(const stage *st, uint32_t at, tt_table *t)
{
    const char *step = step_at(st->ranks.at[0], at, t);
    int64_t most[COUNT_OF(columns)];
    for (uint32_t c = TT_CLUSTER_STEPS_COMPUTING; c < COUNT_OF(columns); c++) most[c] = TT_UNKNOWN;
    for (size_t i = 0; i < st->ranks.n; i++) {
        uint32_t r = row_of_step(st->ranks.at[i], step, at, t);
        if (r == TT_NONE) return;
        for (uint32_t c = TT_CLUSTER_STEPS_COMPUTING; c < COUNT_OF(columns); c++) {
            int64_t v = tt_imported_cell(st->ranks.at[i], r, columns[c].key, columns[c].type, t).i;
            if (v > most[c]) most[c] = v;
        }
    }
    uint32_t row = tt_table_add(t);
    tt_clear_lead(t, row);
    tt_set_ref(t, row, TT_CLUSTER_STEPS_TYPE, "stage");
    tt_set_ref(t, row, TT_CLUSTER_STEPS_INDEX, st->index);
    if (*step) tt_set_ref(t, row, TT_CLUSTER_STEPS_STEP, step);
    for (uint32_t c = TT_CLUSTER_STEPS_COMPUTING; c < COUNT_OF(columns); c++) tt_set_i(t, row, c, most[c]);
}

static void put_stages(const tt_query *q, tt_table *t)
{
    int64_t stages, each;
    if (q->scope->worker != TT_ALL || !tt_pipeline_stages(q->session, &stages, &each)) return;
    for (int64_t i = 0; i < stages && each <= q->session->n_traces; i++) {
        stage st = {0};
        if (stage_find(q, i * each, each, &st, t)) {
            for (uint32_t r = 0; r < st.ranks.at[0]->n_rows; r++)
                if (tt_imported_in_scope(q, st.ranks.at[0], r)) put_stage_step(&st, r, t);
        }
        tt_vec_free(&st.ranks);
    }
}

/* Whether the trace is the last of its span in scope: then all ranks are in the table. */
static bool is_last(const tt_query *q)
{
    for (uint32_t i = q->trace + 1; i < q->session->n_traces; i++) {
        if (!strcmp(q->session->traces[i]->span, tt_query_trace(q)->span)) return false;
    }
    return true;
}

static void compute(const tt_query *q, tt_table *t)
{
    tt_imported_take(q, t);
    if (is_last(q)) put_stages(q, t);
}

const tt_table_desc tt_table_cluster_steps = {
    .id = "cluster_steps",
    .title = "Cluster steps",
    .meaning = "computation, communication and free time of each step, by rank and pipeline stage",
    .cols = columns,
    .n_cols = COUNT_OF(columns),
    .flags = TT_TABLE_BROUGHT | TT_TABLE_CALLS,
    .note = "No step times of a cluster. torch_npu: a schedule and profiler_level=ProfilerLevel.Level1 "
            "(step_trace_time.csv); MindSpore up to 2.3: a parallel mode; open the folders of all ranks",
    .compute = compute,
};
