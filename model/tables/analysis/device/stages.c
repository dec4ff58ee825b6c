/* model/tables/analysis/device/stages.c - tables stages and stages_by_step.
 *
 * Stages have categories of their own. Unless the rules of the trace forbid it, names reveal stages too: data loader
 * items; Optimizer.step; for the backward pass autograd's evaluate_function calls, else its nodes and annotations
 * that say backward; for the forward pass annotations that say forward, else the outermost modules. A stage inside a
 * stage is part of the outer one. */
#include "model/tables/analysis/device/stages.h"
#include "model/tables/analysis/device/columns.h"

#include <inttypes.h>
#include <stdlib.h>

#include "model/base/bisect.h"
#include "model/base/interval_set.h"
#include "model/tables/analysis/names/name_class.h"
#include "model/tables/table_util.h"
#include "model/trace/analysis_cache.h"

static const char *const stage_name[TT_STAGE_COUNT_] = {"DataLoader", "Forward", "Backward", "Optimization"};

typedef struct evidence { /* which signs of stages the trace has */
    bool forward_marks, autograd_calls;
} evidence;

static tt_stage stage_of(const tt_trace *s, const tt_name_classes *names, const evidence *e, tt_row r)
{
    unsigned c;
    switch (tt_row_kind(s, r)) {
    case TT_KIND_DATALOADER: return TT_STAGE_DATALOADER;
    case TT_KIND_FORWARD: return TT_STAGE_FORWARD;
    case TT_KIND_BACKWARD: return TT_STAGE_BACKWARD;
    case TT_KIND_OPTIMIZATION: return TT_STAGE_OPTIMIZATION;
    case TT_KIND_MODULE: return e->forward_marks ? TT_STAGE_COUNT_ : TT_STAGE_FORWARD;
    case TT_KIND_CPU_OP:
        c = tt_name_class(names, s, r);
        if (s->rules->stages_by_category_only) return TT_STAGE_COUNT_;
        if (c & TT_NAME_AUTOGRAD || (c & TT_NAME_BACKWARD && !e->autograd_calls)) return TT_STAGE_BACKWARD;
        if (c & TT_NAME_DATALOADER) return TT_STAGE_DATALOADER;
        if (c & TT_NAME_PL_HOOK && c & TT_NAME_FORWARD) return TT_STAGE_FORWARD;
        return c & TT_NAME_OPT_STEP ? TT_STAGE_OPTIMIZATION : TT_STAGE_COUNT_;
    case TT_KIND_ANNOTATION:
        c = tt_name_class(names, s, r);
        if (s->rules->stages_by_category_only) return TT_STAGE_COUNT_;
        if (c & TT_NAME_DATALOADER) return TT_STAGE_DATALOADER;
        if (c & TT_NAME_OPT_STEP) return TT_STAGE_OPTIMIZATION;
        if (c & TT_NAME_BACKWARD) return e->autograd_calls ? TT_STAGE_COUNT_ : TT_STAGE_BACKWARD;
        return c & TT_NAME_FORWARD ? TT_STAGE_FORWARD : TT_STAGE_COUNT_;
    default: return TT_STAGE_COUNT_;
    }
}

static evidence look_for_evidence(const tt_trace *s, const tt_name_classes *names)
{
    evidence e = {false, false};
    for (tt_row r = 0; r < s->n; r++) {
        tt_kind k = tt_row_kind(s, r);
        if (k == TT_KIND_ANNOTATION) e.forward_marks |= (tt_name_class(names, s, r) & TT_NAME_FORWARD) != 0;
        if (k == TT_KIND_CPU_OP)
            e.forward_marks |= (tt_name_class(names, s, r) & (TT_NAME_FORWARD | TT_NAME_PL_HOOK)) ==
                               (TT_NAME_FORWARD | TT_NAME_PL_HOOK);
        if (k == TT_KIND_CPU_OP) e.autograd_calls |= (tt_name_class(names, s, r) & TT_NAME_AUTOGRAD) != 0;
    }
    return e;
}

tt_ivs tt_steps_union(const tt_trace *s, const tt_windows *w)
{
    tt_ivs set = {0};
    for (uint32_t i = 0; i < s->n_steps; i++)
        if (tt_windows_have_step(w, &s->steps[i])) tt_ivs_add(&set, s->steps[i].host_start, s->steps[i].host_end);
    tt_ivs_normalise(&set);
    return set;
}

int64_t tt_steps_length(const tt_trace *s, const tt_windows *w)
{
    tt_ivs set = tt_steps_union(s, w);
    int64_t length = tt_ivs_length(&set);
    tt_vec_free(&set);
    return length;
}

/* The stage call around a slice of the same track: the last call that starts at or before it, if it has not ended. */
static tt_stage_call *call_around(const tt_trace *s, const tt_stages *st, tt_row r)
{
    uint32_t lo = 0, hi = st->n;
    TT_BISECT(lo, hi, i, st->at[i].row <= r);
    if (!lo) return NULL;
    tt_stage_call *c = &st->at[lo - 1];
    return tt_row_track(s, c->row) == tt_row_track(s, r) && s->start[r] < tt_row_end(s, c->row) ? c : NULL;
}

static void *build(const tt_session *session, uint32_t trace)
{
    const tt_trace *s = session->traces[trace];
    const tt_name_classes *names = tt_name_classes_get(session, trace);
    evidence e = look_for_evidence(s, names);
    TT_VEC(tt_stage_call) list = {0};
    tt_stages *st = tt_calloc(1, sizeof *st);
    for (uint32_t t = 0; t < s->n_tracks; t++) {
        if (s->tracks[t].kind == TT_TRACK_STREAM) continue;
        int64_t until = INT64_MIN;
        for (tt_row r = s->tracks[t].first; r < s->tracks[t].first + s->tracks[t].n; r++) {
            tt_stage stage = s->start[r] < until ? TT_STAGE_COUNT_ : stage_of(s, names, &e, r);
            if (stage == TT_STAGE_COUNT_) continue;
            until = tt_row_end(s, r);
            *tt_vec_push(&list) = (tt_stage_call){.row = r, .stage = stage, .step = tt_step_at(s, s->start[r])};
            st->seen[stage] = true;
        }
    }
    st->at = list.at;
    st->n = (uint32_t)list.n;
    st->step_kernel_ns = tt_calloc(s->n_steps + 1u, sizeof *st->step_kernel_ns);
    st->step_calls = tt_calloc(s->n_steps + 1u, sizeof *st->step_calls);
    for (uint32_t i = 0; i < s->n_dev; i++) {
        const tt_activity *d = &s->dev[i];
        if (d->launch == TT_NONE || tt_row_kind(s, d->row) != TT_KIND_KERNEL) continue;
        tt_stage_call *c = call_around(s, st, d->launch);
        if (c) c->kernel_ns += s->dur[d->row];
        uint32_t step = tt_step_at(s, s->start[d->launch]);
        if (step == TT_NONE) continue;
        st->step_kernel_ns[step] += s->dur[d->row];
        st->step_calls[step]++;
    }
    return st;
}

static void release(void *value)
{
    tt_stages *st = value;
    free(st->at);
    free(st->step_kernel_ns);
    free(st->step_calls);
    free(st);
}

const tt_stages *tt_stages_get(const tt_session *s, uint32_t trace)
{
    static const tt_analysis_kind kind = {"stages", build, release};
    return tt_analysis_get(s, trace, &kind);
}

/* Whether device times are known: the trace has device work. */
static bool has_device(const tt_trace *s)
{
    for (uint32_t i = 0; i < s->n_dev; i++)
        if (tt_kind_is_work(tt_row_kind(s, s->dev[i].row))) return true;
    return false;
}

static void no_stages(const tt_query *q, tt_table *t)
{
    tt_note_advice(t, "No steps", tt_advice_of(tt_query_trace(q)->rules)->mark_steps);
}

/* ---- stages ---- */

enum { STEPS = TT_STAGE_COUNT_, LEFT }; /* rows of a step: the stages, the step, the rest */

static const tt_column columns[] = {
    [TT_STAGES_STAGE] =
        COL("stage", "Stage", STRING, 0,
            "ProfileStep: the steps themselves; Others: what is left of them; stages nested in a stage are part of it"),
    [TT_STAGES_CALLS] = COL("calls", "Calls", COUNT, 1, "how often"),
    [TT_STAGES_HOST_TOTAL] = COL("host_total_ns", "CPU total", DURATION, 0,
                                 "CPU time from start to end, summed; Others is negative when threads overlap"),
    [TT_STAGES_HOST_MEAN] = COL("host_mean_ns", "CPU mean", DURATION, 2, "CPU total / calls"),
    [TT_STAGES_HOST_MAX] = COL("host_max_ns", "CPU max", DURATION, 4, "longest"),
    [TT_STAGES_HOST_MIN] = COL("host_min_ns", "CPU min", DURATION, 5, "shortest"),
    [TT_STAGES_HOST_RATIO_PCT] = COL("host_ratio_pct", "CPU %", PERCENT, 1, "share of the time of the steps"),
    [TT_STAGES_DEVICE_TOTAL] = COL("device_total_ns", "GPU total", DURATION, 0,
                                   "kernels launched inside: sum of durations, wherever in time they ran"),
    [TT_STAGES_DEVICE_MEAN] = COL("device_mean_ns", "GPU mean", DURATION, 2, "GPU total / calls"),
    [TT_STAGES_DEVICE_MAX] = COL("device_max_ns", "GPU max", DURATION, 4, "largest of one call"),
    [TT_STAGES_DEVICE_MIN] = COL("device_min_ns", "GPU min", DURATION, 5, "smallest of one call"),
    [TT_STAGES_DEVICE_RATIO_PCT] =
        COL("device_ratio_pct", "GPU %", PERCENT, 1, "share of the kernel time launched by the steps"),
};

typedef struct totals {
    tt_stat host, dev;
} totals;

static void put_stage(const char *name, const totals *x, const totals *steps, int64_t length, bool device, tt_table *t)
{
    uint32_t row = tt_table_add(t);
    tt_set_ref(t, row, TT_STAGES_STAGE, name);
    tt_set_i(t, row, TT_STAGES_CALLS, x->host.n);
    tt_set_stat(t, row, TT_STAGES_HOST_TOTAL, &x->host);
    tt_set_d(t, row, TT_STAGES_HOST_RATIO_PCT, tt_pct((double)x->host.total, (double)length));
    if (!device) return;
    tt_set_stat(t, row, TT_STAGES_DEVICE_TOTAL, &x->dev);
    tt_set_d(t, row, TT_STAGES_DEVICE_RATIO_PCT, tt_pct_of_all((double)x->dev.total, (double)steps->dev.total));
}

/* Add the rows of each step: the step itself, its stages, and the rest of it. */
static void stages_by_step(const tt_query *q, const tt_stages *st)
{
    const tt_trace *s = tt_query_trace(q);
    for (uint32_t i = 0; i < s->n_steps; i++) {
        int64_t ns = s->steps[i].host_end - s->steps[i].host_start;
        if (s->steps[i].row == TT_NONE || !tt_windows_have_step(q->windows, &s->steps[i])) continue;
        tt_step_sums_put(q->sums, STEPS, i, 1, ns);
        tt_step_sums_put(q->sums, LEFT, i, 0, ns);
    }
    for (uint32_t i = 0; i < st->n; i++) {
        const tt_stage_call *c = &st->at[i];
        if (!tt_query_has(q, s->start[c->row]) || !tt_row_range_has(tt_query_rows(q), c->row)) continue;
        tt_step_sums_put(q->sums, c->stage, c->step, 1, s->dur[c->row]);
        tt_step_sums_put(q->sums, LEFT, c->step, 0, -s->dur[c->row]);
    }
}

static void compute_stages(const tt_query *q, tt_table *t)
{
    const tt_trace *s = tt_query_trace(q);
    const tt_stages *st = tt_stages_get(q->session, q->trace);
    tt_row_range rows = tt_query_rows(q);
    totals steps = {0}, stage[TT_STAGE_COUNT_] = {0};
    bool device = has_device(s), real = s->steps[0].row != TT_NONE;
    int64_t length = tt_steps_length(s, q->windows);
    for (uint32_t i = 0; i < s->n_steps; i++) {
        const tt_step *p = &s->steps[i];
        if (!tt_windows_have_step(q->windows, p)) continue;
        tt_stat_add(&steps.host, p->host_end - p->host_start);
        tt_stat_add(&steps.dev, st->step_kernel_ns[i]);
    }
    for (uint32_t i = 0; i < st->n; i++) {
        const tt_stage_call *c = &st->at[i];
        if (!tt_query_has(q, s->start[c->row]) || !tt_row_range_has(rows, c->row)) continue;
        tt_stat_add(&stage[c->stage].host, s->dur[c->row]);
        tt_stat_add(&stage[c->stage].dev, c->kernel_ns);
    }
    int64_t host_left = length, dev_left = steps.dev.total;
    if (q->sums) stages_by_step(q, st);
    if (real && steps.host.n) {
        put_stage("ProfileStep", &steps, &steps, length, device, t);
        tt_step_sums_row(q->sums, t->n_rows - 1, STEPS);
    }
    for (int k = 0; k < TT_STAGE_COUNT_; k++) {
        host_left -= stage[k].host.total;
        dev_left -= stage[k].dev.total;
        if (!stage[k].host.n) continue;
        put_stage(stage_name[k], &stage[k], &steps, length, device, t);
        tt_step_sums_row(q->sums, t->n_rows - 1, (uint32_t)k);
    }
    if (!t->n_rows) {
        no_stages(q, t);
        return;
    }
    uint32_t row = tt_table_add(t);
    tt_step_sums_row(q->sums, row, LEFT);
    tt_set_ref(t, row, TT_STAGES_STAGE, "Others");
    tt_set_i(t, row, TT_STAGES_HOST_TOTAL, host_left);
    tt_set_d(t, row, TT_STAGES_HOST_RATIO_PCT, tt_pct((double)host_left, (double)length));
    if (!device) return;
    tt_set_i(t, row, TT_STAGES_DEVICE_TOTAL, dev_left);
    tt_set_d(t, row, TT_STAGES_DEVICE_RATIO_PCT, tt_pct((double)dev_left, (double)steps.dev.total));
}

const tt_table_desc tt_table_stages = {
    .id = "stages",
    .title = "Stages",
    .meaning = "data loading, forward, backward and optimizer: CPU time and kernels launched",
    .cols = columns,
    .n_cols = COUNT_OF(columns),
    .flags = TT_TABLE_STEP_SUMS,
    .compute = compute_stages,
};

/* ---- stages_by_step ---- */

static const tt_column step_columns[] = {
    COL("step", "Step", STRING, 0, "number of the profiler step"),
    COL("stage", "Stage", STRING, 0, "stage; Others: what is left of the step"),
    COL("host_ns", "CPU", DURATION, 0, "time of the stages that start in the step, summed"),
    COL("device_ns", "Device", DURATION, 0,
        "time with a kernel running that was launched inside: union, wherever in time it ran"),
};

static void put_part(const tt_query *q, const tt_step *p, const char *stage, int64_t host, int64_t dev, bool device,
                     tt_table *t)
{
    uint32_t row = tt_table_add(t);
    tt_set_ref(t, row, 0, tt_arena_printf(&t->arena, "%" PRId64, p->number));
    tt_set_ref(t, row, 1, stage);
    tt_set_i(t, row, 2, host);
    if (device) tt_set_i(t, row, 3, dev);
    tt_set_range(q, t, row, p->host_start, p->host_end);
}

enum { OTHERS = TT_STAGE_COUNT_, CELLS }; /* cells of a step */

/* Kernels launched in each stage of each step, at index step * CELLS + stage. The caller frees the sets and the
 * array. */
static tt_ivs *kernels_by_cell(const tt_trace *s, const tt_stages *st)
{
    tt_ivs *sets = tt_calloc((size_t)s->n_steps * CELLS + 1, sizeof *sets);
    for (uint32_t i = 0; i < s->n_dev; i++) {
        const tt_activity *d = &s->dev[i];
        if (d->launch == TT_NONE || tt_row_kind(s, d->row) != TT_KIND_KERNEL) continue;
        const tt_stage_call *c = call_around(s, st, d->launch);
        uint32_t step = c && c->step != TT_NONE ? c->step : tt_step_at(s, s->start[d->launch]);
        if (step == TT_NONE) continue;
        tt_ivs_add(&sets[(size_t)step * CELLS + (c ? (int)c->stage : OTHERS)], s->start[d->row], tt_row_end(s, d->row));
    }
    for (size_t i = 0; i < (size_t)s->n_steps * CELLS; i++) tt_ivs_normalise(&sets[i]);
    return sets;
}

static void compute_by_step(const tt_query *q, tt_table *t)
{
    const tt_trace *s = tt_query_trace(q);
    const tt_stages *st = tt_stages_get(q->session, q->trace);
    bool device = has_device(s);
    int64_t(*host)[TT_STAGE_COUNT_] = tt_calloc(s->n_steps + 1u, sizeof *host);
    tt_ivs *kernels = kernels_by_cell(s, st);
    for (uint32_t i = 0; i < st->n; i++)
        if (st->at[i].step != TT_NONE) host[st->at[i].step][st->at[i].stage] += s->dur[st->at[i].row];
    for (uint32_t i = 0; i < s->n_steps && (st->n || s->steps[0].row != TT_NONE); i++) {
        const tt_step *p = &s->steps[i];
        const tt_ivs *of = &kernels[(size_t)i * CELLS];
        if (!tt_windows_have_step(q->windows, p)) continue;
        int64_t host_left = p->host_end - p->host_start;
        for (int k = 0; k < TT_STAGE_COUNT_; k++) {
            if (!st->seen[k]) continue;
            put_part(q, p, stage_name[k], host[i][k], tt_ivs_length(&of[k]), device, t);
            host_left -= host[i][k];
        }
        put_part(q, p, "Others", host_left, tt_ivs_length(&of[OTHERS]), device, t);
    }
    if (!t->n_rows) no_stages(q, t);
    for (size_t i = 0; i < (size_t)s->n_steps * CELLS; i++) tt_vec_free(&kernels[i]);
    free(kernels);
    free(host);
}

const tt_table_desc tt_table_stages_by_step = {
    .id = "stages_by_step",
    .title = "Phases by step",
    .meaning = "the stages of each step",
    .cols = step_columns,
    .n_cols = COUNT_OF(step_columns),
    .compute = compute_by_step,
};
