/* model/tables/serving/engine_steps_table.c - table engine_steps: a row for each forward pass of the engine. */
#include <inttypes.h>

#include "model/tables/serving/columns.h"
#include "model/tables/serving/engine_steps.h"
#include "model/tables/table_util.h"

static const tt_column columns[] = {
    [TT_ENGINE_STEPS_STEP] = COL("step", "Step", STRING, 0, "number of the step by the start of its range, from 0"),
    [TT_ENGINE_STEPS_ITERATION] = COL_OPT("iteration", "Iteration", COUNT, 3, "the engine's own number of the step"),
    [TT_ENGINE_STEPS_ENGINE] =
        COL("engine", "Engine", STRING, 3, "engine that names its steps so; capture: a graph is made"),
    [TT_ENGINE_STEPS_PHASE] =
        COL("phase", "Phase", STRING, 0,
            "prefill, decode or both (mixed), draft, diffusion, idle (no request), warmup, capture"),
    [TT_ENGINE_STEPS_NAME] = COL("name", "Name", STRING, 4, "name of the range"),
    [TT_ENGINE_STEPS_START_AT] = COL("start_at_ns", "Start", TIME, 2, "start of the range on the host"),
    [TT_ENGINE_STEPS_HOST] = COL("host_ns", "CPU", DURATION, 1, "length of the range on the host"),
    [TT_ENGINE_STEPS_DEVICE_START_AT] = COL("device_start_at_ns", "GPU start", TIME, 4, "start of its first GPU work"),
    [TT_ENGINE_STEPS_DEVICE_END_AT] = COL("device_end_at_ns", "GPU end", TIME, 4, "end of its last GPU work"),
    [TT_ENGINE_STEPS_BUSY] = COL("busy_ns", "GPU busy", DURATION, 1, "union of its GPU work"),
    [TT_ENGINE_STEPS_GAP] =
        COL("gap_ns", "Gap", DURATION, 1,
            "from the end of the step before to the step's first work after it; unknown for the first "
            "step and after a pause (more than 10 ms and than 5 median steps)"),
    [TT_ENGINE_STEPS_TIME] =
        COL("time_ns", "Time", DURATION, 0,
            "from the completion of the step before to its own, which is what a client sees between "
            "two tokens; after a pause from its first work on"),
    [TT_ENGINE_STEPS_REQUESTS] = COL("requests", "Requests", COUNT, 0, "requests in the batch"),
    [TT_ENGINE_STEPS_CONTEXT_REQUESTS] =
        COL("context_requests", "Prefill requests", COUNT, 2, "requests whose prompt the step reads"),
    [TT_ENGINE_STEPS_GENERATION_REQUESTS] =
        COL("generation_requests", "Decode requests", COUNT, 2, "requests for which the step generates"),
    [TT_ENGINE_STEPS_CONTEXT_TOKENS] = COL("context_tokens", "Prefill tokens", COUNT, 1, "tokens of prompts"),
    [TT_ENGINE_STEPS_GENERATION_TOKENS] = COL("generation_tokens", "Decode tokens", COUNT, 1, "tokens of generation"),
    [TT_ENGINE_STEPS_BATCH] =
        COL_OPT("batch", "Batch", COUNT, 2, "size that the step's graph is padded to, where said"),
    [TT_ENGINE_STEPS_CONTEXT_K_SUM] = COL_OPT("context_k_sum", "Prefill sum k", COUNT, 5,
                                              "sum over prefill requests of the tokens that attention reads"),
    [TT_ENGINE_STEPS_CONTEXT_QQ_SUM] =
        COL_OPT("context_qq_sum", "Prefill sum qq", COUNT, 5, "sum over prefill requests of scheduled tokens squared"),
    [TT_ENGINE_STEPS_CONTEXT_QK_SUM] = COL_OPT("context_qk_sum", "Prefill sum qk", COUNT, 5,
                                               "sum over prefill requests of scheduled tokens times tokens read"),
    [TT_ENGINE_STEPS_GENERATION_K_SUM] = COL_OPT("generation_k_sum", "Decode sum k", COUNT, 5,
                                                 "sum over decode requests of the tokens that attention reads"),
    [TT_ENGINE_STEPS_GENERATION_QQ_SUM] =
        COL_OPT("generation_qq_sum", "Decode sum qq", COUNT, 5, "sum over decode requests of scheduled tokens squared"),
    [TT_ENGINE_STEPS_GENERATION_QK_SUM] = COL_OPT("generation_qk_sum", "Decode sum qk", COUNT, 5,
                                                  "sum over decode requests of scheduled tokens times tokens read"),
    [TT_ENGINE_STEPS_GRAPH_LAUNCHES] = COL("graph_launches", "Graphs", COUNT, 2, "graphs that the step launches"),
    [TT_ENGINE_STEPS_COMPLETE] =
        COL("complete", "Complete", BOOL, 2,
            "at least 90% of its launches have GPU work; no: lost at the end of the recording"),
};

static const uint32_t column_of_number[TT_STEP_NUMBER_COUNT_] = {
    [TT_STEP_ITERATION] = TT_ENGINE_STEPS_ITERATION,
    [TT_STEP_REQUESTS] = TT_ENGINE_STEPS_REQUESTS,
    [TT_STEP_CONTEXT_REQUESTS] = TT_ENGINE_STEPS_CONTEXT_REQUESTS,
    [TT_STEP_GENERATION_REQUESTS] = TT_ENGINE_STEPS_GENERATION_REQUESTS,
    [TT_STEP_CONTEXT_TOKENS] = TT_ENGINE_STEPS_CONTEXT_TOKENS,
    [TT_STEP_GENERATION_TOKENS] = TT_ENGINE_STEPS_GENERATION_TOKENS,
    [TT_STEP_BATCH] = TT_ENGINE_STEPS_BATCH,
    [TT_STEP_CONTEXT_K] = TT_ENGINE_STEPS_CONTEXT_K_SUM,
    [TT_STEP_CONTEXT_QQ] = TT_ENGINE_STEPS_CONTEXT_QQ_SUM,
    [TT_STEP_CONTEXT_QK] = TT_ENGINE_STEPS_CONTEXT_QK_SUM,
    [TT_STEP_GENERATION_K] = TT_ENGINE_STEPS_GENERATION_K_SUM,
    [TT_STEP_GENERATION_QQ] = TT_ENGINE_STEPS_GENERATION_QQ_SUM,
    [TT_STEP_GENERATION_QK] = TT_ENGINE_STEPS_GENERATION_QK_SUM,
};

static void put_device_time(const tt_query *q, const tt_engine_step *p, uint32_t row, tt_table *t)
{
    tt_set_i(t, row, TT_ENGINE_STEPS_BUSY, p->busy);
    if (!p->n) return;
    tt_set_i(t, row, TT_ENGINE_STEPS_DEVICE_START_AT, tt_at(q, p->device_start));
    tt_set_i(t, row, TT_ENGINE_STEPS_DEVICE_END_AT, tt_at(q, p->device_end));
}

static void compute_steps(const tt_query *q, tt_table *t)
{
    const tt_trace *s = tt_query_trace(q);
    const tt_engine_steps *e = tt_engine_steps_get(q->session, q->trace);
    for (uint32_t i = 0; i < e->n; i++) {
        const tt_engine_step *p = &e->at[i];
        if (!tt_query_has(q, p->host_start)) continue;
        uint32_t row = tt_table_add(t);
        tt_set_ref(t, row, TT_ENGINE_STEPS_STEP, tt_arena_printf(&t->arena, "%" PRIu32, i));
        tt_set_ref(t, row, TT_ENGINE_STEPS_ENGINE, tt_engine_word(p->said.engine));
        tt_set_ref(t, row, TT_ENGINE_STEPS_PHASE, tt_phase_word(p->said.phase));
        if (p->said.engine != TT_ENGINE_INFERRED) tt_set_ref(t, row, TT_ENGINE_STEPS_NAME, tt_row_name(s, p->row));
        tt_set_i(t, row, TT_ENGINE_STEPS_START_AT, tt_at(q, p->host_start));
        if (!e->of_device) tt_set_i(t, row, TT_ENGINE_STEPS_HOST, p->host_end - p->host_start);
        if (e->n_work) put_device_time(q, p, row, t);
        tt_set_i(t, row, TT_ENGINE_STEPS_GAP, p->gap);
        tt_set_i(t, row, TT_ENGINE_STEPS_TIME, p->time);
        for (int k = 0; k < TT_STEP_NUMBER_COUNT_; k++)
            if (p->said.number[k] != TT_STEP_UNSAID) tt_set_i(t, row, column_of_number[k], p->said.number[k]);
        tt_set_i(t, row, TT_ENGINE_STEPS_GRAPH_LAUNCHES, p->graph_launches);
        tt_set_i(t, row, TT_ENGINE_STEPS_COMPLETE, p->complete);
        tt_set_row(q, t, row, p->row);
    }
    if (!e->n && !t->n_rows) t->note = tt_engine_steps_missing(s);
    if (s->steps_source == TT_STEPS_INFERRED) t->note = tt_inferred_note(s, t);
}

const tt_table_desc tt_table_engine_steps = {
    .id = "engine_steps",
    .title = "Engine steps",
    .meaning = "forward passes of an engine of LLM serving: phase, requests, tokens, time",
    .cols = columns,
    .n_cols = COUNT_OF(columns),
    .compute = compute_steps,
};
