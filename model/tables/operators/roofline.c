/* model/tables/operators/roofline.c - assigns device work to the operators that explain it, and compares their sums
 * with the device's peaks. */
#include "model/tables/operators/roofline.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/base/bisect.h"
#include "model/base/sort.h"
#include "model/tables/analysis/calls/call_tree.h"
#include "model/tables/analysis/graphs/replay_steps.h"
#include "model/tables/analysis/names/name_class.h"
#include "model/tables/analysis/names/step_attention.h"
#include "model/tables/operators/columns.h"
#include "model/tables/operators/replayed_ops.h"
#include "model/tables/operators/roofline_replays.h"
#include "model/tables/table_util.h"
#include "model/trace/analysis_cache.h"

static const tt_column columns[] = {
    [TT_ROOFLINE_NAME] =
        COL("name", "Operator", STRING, 0, "the innermost operator around the work that has a formula"),
    [TT_ROOFLINE_INPUT_SHAPES] = COL("input_shapes", "Input shapes", STRING, 2, "shapes of the inputs as recorded"),
    [TT_ROOFLINE_KIND] = COL("kind", "Kind", STRING, 3, "gemm, conv, attention, norm (also softmax), elementwise"),
    [TT_ROOFLINE_DTYPE] = COL("dtype", "Type", STRING, 2, "type of the inputs; tf32: fp32, multiplied on matrix units"),
    [TT_ROOFLINE_CALLS] = COL("calls", "Calls", COUNT, 1, "calls that launched GPU work, and replays of captured ones"),
    [TT_ROOFLINE_DEVICE] =
        COL("device_ns", "Device", DURATION, 0,
            "union of the GPU work under each call, added over calls; work counts for one operator alone"),
    [TT_ROOFLINE_FLOPS] =
        COL("flops", "FLOP", COUNT, 5, "of all calls, by formula from the shapes: 2MNK of a matrix product"),
    [TT_ROOFLINE_BYTES] = COL("bytes", "Bytes", BYTES, 5, "inputs and result of all calls, each once"),
    [TT_ROOFLINE_INTENSITY] = COL("intensity", "FLOP/B", NUMBER, 2, "FLOPs / bytes"),
    [TT_ROOFLINE_TFLOPS_PER_S] = COL("tflops_per_s", "TFLOP/s", NUMBER, 1, "FLOPs / GPU time"),
    [TT_ROOFLINE_GB_PER_S] = COL("gb_per_s", "GB/s", NUMBER, 3, "bytes / GPU time"),
    [TT_ROOFLINE_PEAK_TFLOPS] =
        COL("peak_tflops", "Peak TFLOP/s", NUMBER, 6,
            "of the device for this type, without sparsity, by its data sheet; --peak-tflops says another"),
    [TT_ROOFLINE_PEAK_GB_PER_S] =
        COL("peak_gb_per_s", "Peak GB/s", NUMBER, 6,
            "bandwidth of the device's memory by its data sheet; --peak-gb-per-s says another"),
    [TT_ROOFLINE_ROOF] =
        COL("roof_ns", "Roof", DURATION, 3, "least time: the longer of FLOPs / peak and bytes / bandwidth"),
    [TT_ROOFLINE_BOUND] = COL("bound", "Bound", STRING, 2, "which of the two is longer: compute or memory"),
    [TT_ROOFLINE_OF_ROOF_PCT] = COL_ABOVE(
        "of_roof_pct", "% of roof", 0,
        "100 x roof / GPU time; above 100 where a cache spares bytes, an algorithm FLOPs (Winograd), or the clock "
        "is above "
        "the data sheet's"),
};

/* ---- the call that device work counts for ---- */

typedef struct share { /* part of a call's device time */
    tt_row row;
    uint32_t activity;
    int64_t t0;
} share;

typedef struct roofline_build {
    const tt_trace *s;
    const tt_call_tree *tree;
    const tt_name_classes *names;
    tt_flops *flops;
    tt_replay_step step; /* step of the last attention */
    TT_VEC(share) shares;
    TT_VEC(tt_roofline_call) calls;
    tt_row *of_dev;
    int64_t device; /* last looked-up device, and its peaks */
    const tt_peaks *peaks;
} roofline_build;

/* What a call computes: attention of an engine step by the sums of the step. */
static tt_op_work work_at(roofline_build *b, tt_row r)
{
    tt_op_work none = {.kind = TT_OP_NONE};
    if (!b->s->n_engine_steps || !tt_is_step_attention(b->s, r)) return tt_op_work_of(b->flops, r);
    tt_replay_step_at(b->s, r, &b->step);
    return b->step.engine ? tt_step_attention_of(b->s, r, &b->step.said) : none;
}

/* The innermost operator with a formula around a node or itself; for an inner operator, the operator it works for.
 * TT_NONE. */
static tt_row explains(roofline_build *b, uint32_t node)
{
    tt_row inner = TT_NONE;
    tt_op_kind kind = TT_OP_NONE;
    for (; node != TT_NONE; node = b->tree->up[node]) {
        tt_row r = b->tree->row[tt_call_tree_owner(b->tree, node)];
        tt_op_work w = work_at(b, r);
        if (!w.kind || (inner != TT_NONE && w.kind != kind)) continue;
        if (!w.inner) return r;
        if (inner == TT_NONE) inner = r;
        kind = w.kind;
    }
    return inner;
}

static int by_call(const void *a, const void *b)
{
    const share *x = a, *y = b;
    if (x->row != y->row) return x->row < y->row ? -1 : 1;
    return (x->t0 > y->t0) - (x->t0 < y->t0);
}

static void share_out(roofline_build *b)
{
    const tt_trace *s = b->s;
    uint32_t last = TT_NONE;
    tt_row row = TT_NONE;
    for (uint32_t i = 0; i < s->n_dev; i++) {
        uint32_t node = b->tree->of_dev[i];
        b->of_dev[i] = TT_NONE;
        if (node == TT_NONE) continue;
        if (node != last) row = explains(b, node); /* kernels of one call are adjacent */
        last = node;
        b->of_dev[i] = row;
        tt_row w = s->dev[i].row;
        if (row != TT_NONE) *tt_vec_push(&b->shares) = (share){row, i, s->start[w]};
    }
    tt_sort_runs(b->shares.at, b->shares.n, sizeof *b->shares.at, by_call);
}

static const tt_peaks *peaks_of(roofline_build *b, int64_t device)
{
    if (device != b->device) b->peaks = tt_peaks_of_device(b->s, device);
    b->device = device;
    return b->peaks;
}

/* Add the call of shares [i, end). */
static void add_call(roofline_build *b, size_t i, size_t end)
{
    const tt_trace *s = b->s;
    tt_op_work work = work_at(b, b->shares.at[i].row);
    tt_roofline_call c = {.row = b->shares.at[i].row};
    const tt_activity *first = &s->dev[b->shares.at[i].activity];
    int64_t until = INT64_MIN;
    bool matrix = false, one = true;
    for (; i < end; i++) {
        const share *x = &b->shares.at[i];
        const tt_activity *d = &s->dev[x->activity];
        int64_t t1 = tt_row_end(s, d->row);
        if (t1 > until) {
            c.work.device_ns += t1 - (x->t0 > until ? x->t0 : until);
            until = t1;
        }
        matrix |= (tt_name_class(b->names, s, d->row) & TT_NAME_TENSOR) != 0;
        one &= d->device == first->device;
    }
    c.work.peaks = one ? peaks_of(b, first->device) : NULL;
    c.work.calls = 1;
    c.work.flops = work.flops;
    c.work.bytes = work.bytes;
    c.work.kind = work.kind;
    c.work.type = tt_peaks_type(c.work.peaks, work.type, matrix);
    if (c.work.device_ns > 0) *tt_vec_push(&b->calls) = c;
}

static void *build(const tt_session *session, uint32_t trace)
{
    tt_roofline_calls *out = tt_calloc(1, sizeof *out);
    roofline_build b = {.s = session->traces[trace], .device = TT_UNKNOWN, .step = TT_REPLAY_NO_STEP};
    if (!tt_roofline_any(b.s)) return out;
    b.tree = tt_call_tree_get(session, trace, TT_TREE_OPS);
    b.names = tt_name_classes_get(session, trace);
    b.flops = tt_flops_new(b.s, TT_FLOPS_ROOFLINE);
    b.of_dev = tt_malloc(b.s->n_dev * sizeof *b.of_dev);
    share_out(&b);
    for (size_t i = 0, end; i < b.shares.n; i = end) {
        for (end = i + 1; end < b.shares.n && b.shares.at[end].row == b.shares.at[i].row; end++) {}
        add_call(&b, i, end);
    }
    out->at = b.calls.at;
    out->of_dev = b.of_dev;
    out->n = (uint32_t)b.calls.n;
    tt_vec_free(&b.shares);
    tt_flops_free(b.flops);
    return out;
}

static void release(void *value)
{
    tt_roofline_calls *c = value;
    free(c->at);
    free(c->of_dev);
    free(c);
}

bool tt_roofline_any(const tt_trace *s)
{
    return s->n_dev > 0 && s->n_op_args > 1 && (s->n_engine_steps > 0 || tt_flops_any(s));
}

const tt_roofline_calls *tt_roofline_get(const tt_session *s, uint32_t trace)
{
    static const tt_analysis_kind kind = {"roofline", build, release};
    return tt_analysis_get(s, trace, &kind);
}

const tt_roofline_call *tt_roofline_of_activity(const tt_roofline_calls *c, uint32_t activity)
{
    tt_row row = c->of_dev ? c->of_dev[activity] : TT_NONE;
    if (row == TT_NONE) return NULL;
    uint32_t lo = 0, hi = c->n;
    TT_BISECT(lo, hi, i, c->at[i].row < row);
    return lo < c->n && c->at[lo].row == row ? &c->at[lo] : NULL;
}

/* ---- rates ---- */

tt_roofline_rate tt_roofline_rate_of(const tt_roofline_work *w, const tt_options *o)
{
    bool moves = w->bytes != TT_UNKNOWN && w->bytes > 0;
    double ns = (double)w->device_ns, flops = w->flops == TT_UNKNOWN ? NAN : (double)w->flops,
           bytes = moves ? (double)w->bytes : NAN;
    tt_roofline_rate r = {.intensity = flops / bytes,
                          .tflops_per_s = flops / ns / 1e3, /* per nanosecond = 10^9 per second */
                          .gb_per_s = bytes / ns,
                          .peak_tflops =
                              o->peak_tflops > 0 ? o->peak_tflops : tt_peaks_tflops(w->peaks, w->kind, w->type),
                          .peak_gb_per_s = o->peak_gb_per_s > 0 ? o->peak_gb_per_s
                                           : w->peaks           ? w->peaks->gb_per_s
                                                                : NAN,
                          .of_roof_pct = NAN,
                          .roof_ns = TT_UNKNOWN};
    double computing = flops / r.peak_tflops / 1e3, moving = bytes / r.peak_gb_per_s;
    if (isnan(computing) || isnan(moving)) return r;
    double roof = computing > moving ? computing : moving;
    r.compute_bound = computing > moving;
    r.roof_ns = roof < 9e18 ? llround(roof) : TT_UNKNOWN;
    r.of_roof_pct = tt_pct(roof, ns);
    return r;
}

/* ---- the table ---- */

void tt_roofline_add(tt_roofline_work *w, const tt_roofline_work *more)
{
    if (w->peaks != more->peaks || w->type != more->type) w->peaks = NULL;
    w->calls += more->calls;
    w->device_ns += more->device_ns;
    w->flops = tt_flops_plus(w->flops, more->flops);
    w->bytes = tt_flops_plus(w->bytes, more->bytes);
}

tt_roofline_rows tt_roofline_rows_make(const tt_query *q)
{
    const tt_trace *s = tt_query_trace(q);
    const tt_roofline_calls *calls = tt_roofline_get(q->session, q->trace);
    tt_row_range rows = tt_query_rows(q);
    tt_roofline_rows out = {0};
    tt_groups groups;
    tt_groups_init(&groups);
    for (uint32_t i = 0; i < calls->n; i++) {
        const tt_roofline_call *c = &calls->at[i];
        if (!tt_row_range_has(rows, c->row) || !tt_query_has(q, s->start[c->row])) continue;
        tt_sid shapes = s->op_args[s->detail[c->row]].shapes;
        uint32_t at = tt_groups_put(&groups, (tt_group_key){s->name[c->row], shapes, c->work.type});
        if (at == out.n)
            *tt_vec_push(&out) = (tt_roofline_row){s->name[c->row], shapes, c->work};
        else
            tt_roofline_add(&out.at[at].work, &c->work);
    }
    tt_groups_free(&groups);
    return out;
}

void tt_roofline_problems(const tt_query *q, tt_problems *out)
{
    const tt_trace *s = tt_query_trace(q);
    tt_roofline_rows rows = tt_roofline_rows_make(q);
    const tt_roofline_row *most = NULL;
    double pct = 100;
    uint64_t n = 0;
    char text[sizeof out->of->example];
    for (size_t i = 0; i < rows.n; i++) {
        const tt_roofline_row *x = &rows.at[i];
        double of_roof = tt_roofline_rate_of(&x->work, &q->options).of_roof_pct; /* NaN: unknown */
        n += of_roof > 100;
        if (of_roof > pct) pct = of_roof, most = x;
    }
    if (most) {
        snprintf(text, sizeof text, "%.0f%%: %.40s %s", pct, tt_str(&s->strings, most->name),
                 tt_list_text(s, most->shapes));
        tt_problem_add_n(out, TT_PROBLEM_PEAK_EXCEEDED, n, -1, text);
    }
    tt_vec_free(&rows);
}

static void put_row(const tt_query *q, const tt_op_texts *texts, const tt_roofline_row *x, tt_table *t)
{
    const tt_roofline_work *w = &x->work;
    uint32_t row = tt_table_add(t);
    const char *name = tt_op_text(texts, x->name);
    tt_drilldown *o = tt_set_slices(q, t, row, 1u << TT_KIND_CPU_OP, name);
    o->shapes = x->shapes ? tt_op_text(texts, x->shapes) : "[]";
    tt_set_ref(t, row, TT_ROOFLINE_NAME, name);
    tt_set_ref(t, row, TT_ROOFLINE_INPUT_SHAPES, o->shapes);
    tt_set_ref(t, row, TT_ROOFLINE_KIND, tt_op_kind_name[w->kind]);
    tt_set_ref(t, row, TT_ROOFLINE_DTYPE, tt_data_type_name[w->type]);
    tt_set_i(t, row, TT_ROOFLINE_CALLS, w->calls);
    tt_set_i(t, row, TT_ROOFLINE_DEVICE, w->device_ns);
    tt_set_i(t, row, TT_ROOFLINE_FLOPS, w->flops);
    tt_set_i(t, row, TT_ROOFLINE_BYTES, w->bytes);
    tt_roofline_rate r = tt_roofline_rate_of(w, &q->options);
    tt_set_d(t, row, TT_ROOFLINE_INTENSITY, r.intensity);
    tt_set_d(t, row, TT_ROOFLINE_TFLOPS_PER_S, r.tflops_per_s);
    tt_set_d(t, row, TT_ROOFLINE_GB_PER_S, r.gb_per_s);
    tt_set_d(t, row, TT_ROOFLINE_PEAK_TFLOPS, r.peak_tflops);
    tt_set_d(t, row, TT_ROOFLINE_PEAK_GB_PER_S, r.peak_gb_per_s);
    tt_set_i(t, row, TT_ROOFLINE_ROOF, r.roof_ns);
    tt_set_d(t, row, TT_ROOFLINE_OF_ROOF_PCT, r.of_roof_pct);
    if (r.roof_ns != TT_UNKNOWN) tt_set_ref(t, row, TT_ROOFLINE_BOUND, r.compute_bound ? "compute" : "memory");
}

/* Add what replays of graphs did to the rows of calls on the host. */
static void add_replays(const tt_query *q, tt_op_texts *texts, tt_roofline_rows *rows)
{
    tt_roofline_replays replays = tt_roofline_replays_make(q);
    tt_groups groups;
    tt_groups_init(&groups);
    for (size_t i = 0; i < rows->n; i++) {
        const tt_roofline_row *x = &rows->at[i];
        tt_groups_put(&groups, (tt_group_key){x->name, x->shapes, x->work.type});
    }
    for (size_t i = 0; i < replays.n; i++) {
        const tt_roofline_replay *x = &replays.at[i];
        tt_sid name = tt_op_texts_put(texts, x->name), shapes = tt_op_texts_put(texts, x->shapes);
        uint32_t at = tt_groups_put(&groups, (tt_group_key){name, shapes, x->work.type});
        if (at == rows->n)
            *tt_vec_push(rows) = (tt_roofline_row){name, shapes, x->work};
        else
            tt_roofline_add(&rows->at[at].work, &x->work);
    }
    tt_groups_free(&groups);
    tt_vec_free(&replays);
}

static void compute(const tt_query *q, tt_table *t)
{
    tt_op_texts texts;
    tt_roofline_rows rows = tt_roofline_rows_make(q);
    tt_op_texts_init(&texts, tt_query_trace(q));
    add_replays(q, &texts, &rows);
    for (size_t i = 0; i < rows.n; i++) put_row(q, &texts, &rows.at[i], t);
    tt_vec_free(&rows);
    tt_op_texts_free(&texts);
    if (!t->n_rows)
        tt_note_advice(t, "no operators with shapes, GPU work and a known formula in this scope",
                       tt_advice_of(tt_query_trace(q)->rules)->record_shapes);
}

const tt_table_desc tt_table_roofline = {
    .id = "roofline",
    .title = "Roofline",
    .meaning = "operators against what the device can compute and move at most",
    .cols = columns,
    .n_cols = COUNT_OF(columns),
    .default_sort = "device_ns",
    .default_desc = true,
    .flags = TT_TABLE_THREADS | TT_TABLE_PEAKS,
    .compute = compute,
};
