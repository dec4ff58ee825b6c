/* model/tables/steps/step_breakdown.c - tables step_breakdown and execution_summary.
 *
 * Every instant of a step counts for one role: the first of kernel, memcpy, memset, communication, runtime, data
 * loader, CPU that covers it, else other. So the parts add up to the step exactly. */
#include "model/tables/steps/step_breakdown.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/tables/steps/columns.h"

const char *const tt_part_key[TT_PART_COUNT_] = {"kernel",  "memcpy",     "memset",   "communication",
                                                 "runtime", "dataloader", "cpu_exec", "other"};

bool tt_step_shown(const tt_query *q, const tt_step *step)
{
    return step->kept && tt_windows_have_step(q->windows, step);
}

bool tt_part_known(const tt_time_classes *roles, int part)
{
    switch (part) {
    case TT_TIME_KERNEL:
    case TT_TIME_MEMCPY:
    case TT_TIME_MEMSET:
    case TT_TIME_RUNTIME: return roles->has_device;
    case TT_TIME_COMMUNICATION: return roles->has_device || roles->has_communication;
    default: return true;
    }
}

void tt_breakdown_of(const tt_session *s, uint32_t trace, const tt_iv *at, size_t n, tt_step_parts *out)
{
    const tt_time_classes *roles = tt_time_classes_get(s, trace);
    tt_ivs left = {0};
    for (size_t i = 0; i < n; i++) {
        out[i].total = at[i].t1 - at[i].t0;
        tt_ivs_add(&left, at[i].t0, at[i].t1);
    }
    tt_ivs_normalise(&left);
    for (int role = 0; role < TT_TIME_COUNT_; role++) {
        tt_ivs taken = tt_ivs_intersect(&left, &roles->of[role]);
        tt_ivs rest = tt_ivs_subtract(&left, &taken);
        for (size_t i = 0; i < n; i++) out[i].part[role] = tt_ivs_length_in(&taken, at[i].t0, at[i].t1);
        tt_vec_free(&taken);
        tt_vec_free(&left);
        left = rest;
    }
    for (size_t i = 0; i < n; i++) out[i].part[TT_PART_OTHER] = tt_ivs_length_in(&left, at[i].t0, at[i].t1);
    tt_vec_free(&left);
}

tt_breakdown tt_breakdown_make(const tt_query *q)
{
    const tt_trace *s = tt_query_trace(q);
    tt_breakdown b = {0};
    tt_ivs at = {0};
    for (uint32_t i = 0; i < s->n_steps; i++) {
        const tt_step *p = &s->steps[i];
        if (!tt_step_shown(q, p)) continue;
        *tt_vec_push(&b) = (tt_step_parts){.step = p};
        *tt_vec_push(&at) = (tt_iv){p->start, p->end};
    }
    tt_breakdown_of(q->session, q->trace, at.at, at.n, b.at);
    tt_vec_free(&at);
    return b;
}

/* ---- step_breakdown ---- */

#define PRIORITY_HELP " (counts before the parts to its right)"
static const tt_column step_columns[] = {
    [TT_STEP_BREAKDOWN_STEP] =
        COL("step", "Step", STRING, 0, "number of the profiler step; 0 = the whole trace when it has no steps"),
    [TT_STEP_BREAKDOWN_START_AT] =
        COL("start_at_ns", "Start", TIME, 4, "start of the step, moved behind GPU work that a previous step launched"),
    [TT_STEP_BREAKDOWN_TOTAL] =
        COL("total_ns", "Total", DURATION, 0, "length of the step, up to the end of the GPU work that it launched"),
    [TT_STEP_BREAKDOWN_KERNEL] =
        COL("kernel_ns", "Kernel", DURATION, 1, "kernels that are no collectives ran" PRIORITY_HELP),
    [TT_STEP_BREAKDOWN_MEMCPY] = COL("memcpy_ns", "Memcpy", DURATION, 2, "copies ran" PRIORITY_HELP),
    [TT_STEP_BREAKDOWN_MEMSET] = COL("memset_ns", "Memset", DURATION, 3, "memory was set" PRIORITY_HELP),
    [TT_STEP_BREAKDOWN_COMMUNICATION] =
        COL("communication_ns", "Communication", DURATION, 1,
            "collective kernels ran or a library marked a collective on the CPU" PRIORITY_HELP),
    [TT_STEP_BREAKDOWN_RUNTIME] =
        COL("runtime_ns", "Runtime", DURATION, 1, "CPU inside runtime or driver calls" PRIORITY_HELP),
    [TT_STEP_BREAKDOWN_DATALOADER] =
        COL("dataloader_ns", "DataLoader", DURATION, 1, "CPU waited for the DataLoader" PRIORITY_HELP),
    [TT_STEP_BREAKDOWN_CPU_EXEC] =
        COL("cpu_exec_ns", "CPU", DURATION, 1, "CPU inside operators or annotations" PRIORITY_HELP),
    [TT_STEP_BREAKDOWN_OTHER] = COL("other_ns", "Other", DURATION, 1, "none of these was recorded"),
};

static void compute_steps(const tt_query *q, tt_table *t)
{
    const tt_time_classes *roles = tt_time_classes_get(q->session, q->trace);
    tt_breakdown b = tt_breakdown_make(q);
    for (size_t i = 0; i < b.n; i++) {
        const tt_step *p = b.at[i].step;
        uint32_t row = tt_table_add(t);
        tt_set_ref(t, row, TT_STEP_BREAKDOWN_STEP, tt_arena_printf(&t->arena, "%" PRId64, p->number));
        tt_set_i(t, row, TT_STEP_BREAKDOWN_START_AT, tt_at(q, p->start));
        tt_set_i(t, row, TT_STEP_BREAKDOWN_TOTAL, b.at[i].total);
        for (int k = 0; k < TT_PART_COUNT_; k++)
            if (tt_part_known(roles, k)) tt_set_i(t, row, (uint32_t)(TT_STEP_BREAKDOWN_KERNEL + k), b.at[i].part[k]);
        tt_set_range(q, t, row, p->start, p->end);
    }
    if (!t->n_rows)
        t->note = "No complete step in this scope";
    else if (t->n_rows == 1 && b.n && b.at[0].step->row == TT_NONE)
        tt_note_advice(t, "no profiler steps in this trace, so the whole trace is one step",
                       tt_advice_of(tt_query_trace(q)->rules)->mark_steps);
    else if (tt_query_trace(q)->steps_source == TT_STEPS_INFERRED)
        t->note = tt_inferred_note(tt_query_trace(q), t);
    tt_vec_free(&b);
}

const tt_table_desc tt_table_step_breakdown = {
    .id = "step_breakdown",
    .title = "Steps",
    .meaning = "what the time of each step was spent on; each instant counts once",
    .cols = step_columns,
    .n_cols = COUNT_OF(step_columns),
    .flags = TT_TABLE_DEFAULT,
    .compute = compute_steps,
};

/* ---- execution_summary ---- */

static const char *const part_titles[TT_PART_COUNT_] = {
    "Kernel", "Memcpy", "Memset", "Communication", "Runtime", "DataLoader", "CPU Exec", "Other",
};

static const tt_column summary_columns[] = {
    COL("category", "Category", STRING, 0,
        "part of the step; each instant counts for the first category that covers it"),
    COL("mean_ns", "Mean", DURATION, 0, "mean over the complete steps in scope"),
    COL("pct", "%", PERCENT, 0, "share of the average step time"),
};

static void put_mean(const tt_query *q, const tt_breakdown *b, const char *title, int64_t sum, int64_t total,
                     tt_table *t)
{
    uint32_t row = tt_table_add(t);
    tt_stat st = {.n = (int64_t)b->n, .total = sum};
    tt_set_ref(t, row, 0, title);
    tt_set_i(t, row, 1, tt_stat_mean(&st));
    tt_set_d(t, row, 2, total > 0 ? tt_pct((double)sum, (double)total) : 0);
    tt_set_range(q, t, row, b->at[0].step->start, b->at[b->n - 1].step->end);
}

static void compute_summary(const tt_query *q, tt_table *t)
{
    const tt_time_classes *roles = tt_time_classes_get(q->session, q->trace);
    tt_breakdown b = tt_breakdown_make(q);
    int64_t total = 0, part[TT_PART_COUNT_] = {0};
    for (size_t i = 0; i < b.n; i++) {
        total += b.at[i].total;
        for (int k = 0; k < TT_PART_COUNT_; k++) part[k] += b.at[i].part[k];
    }
    if (b.n) put_mean(q, &b, "Average Step Time", total, total, t);
    for (int k = 0; b.n && k < TT_PART_COUNT_; k++)
        if (tt_part_known(roles, k)) put_mean(q, &b, part_titles[k], part[k], total, t);
    if (!b.n) t->note = "No complete step in this scope";
    tt_vec_free(&b);
}

const tt_table_desc tt_table_execution_summary = {
    .id = "execution_summary",
    .title = "Execution summary",
    .meaning = "the average step and what its time was spent on",
    .cols = summary_columns,
    .n_cols = COUNT_OF(summary_columns),
    .flags = TT_TABLE_DEFAULT,
    .compute = compute_summary,
};
