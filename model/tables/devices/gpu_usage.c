/* model/tables/devices/gpu_usage.c - utilization, SM efficiency and occupancy of each device. */
#include "model/tables/devices/gpu_usage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/interval_set.h"
#include "model/base/run/parallel.h"
#include "model/base/sort.h"
#include "model/base/sort_by.h"
#include "model/tables/analysis/calls/call_tree.h"
#include "model/tables/analysis/device/stages.h"
#include "model/tables/analysis/names/name_class.h"
#include "model/tables/steps/step_breakdown.h"
#include "model/trace/analysis_cache.h"

typedef struct point { /* change of the blocks per SM at a time */
    int64_t t;
    double by;
} point;

typedef struct gather { /* data of one device */
    tt_ivs kernels;
    TT_VEC(point) points;
    double occupied, weight;
} gather;

const tt_device_props *tt_device_props_of(const tt_trace *s, int64_t id)
{
    for (uint32_t i = 0; i < s->n_devices; i++)
        if (s->devices[i].id == id) return &s->devices[i];
    return NULL;
}

static int by_id(const void *a, const void *b)
{
    const tt_gpu *x = a, *y = b;
    return (x->id > y->id) - (x->id < y->id);
}

static int by_time(const void *a, const void *b)
{
    const point *x = a, *y = b;
    return (x->t > y->t) - (x->t < y->t);
}

/* Devices with some work, by id. */
static tt_gpu_list all_gpus(const tt_trace *s)
{
    TT_VEC(int64_t) ids = {0};
    tt_gpu_list list = {0};
    for (uint32_t i = 0; i < s->n_dev; i++) { /* work of one device is adjacent */
        int64_t id = s->dev[i].device;
        if (id < 0 || !tt_kind_is_work(tt_row_kind(s, s->dev[i].row))) continue;
        if (!ids.n || ids.at[ids.n - 1] != id) *tt_vec_push(&ids) = id;
    }
    TT_SORT_UP(ids.at, ids.n);
    for (size_t i = 0; i < ids.n; i++) {
        if (i && ids.at[i - 1] == ids.at[i]) continue;
        *tt_vec_push(&list) = (tt_gpu){
            .id = ids.at[i], .utilization = (double)NAN, .sm_efficiency = (double)NAN, .occupancy = (double)NAN};
    }
    tt_vec_free(&ids);
    return list;
}

static tt_gpu *gpu_of(tt_gpu_list *list, int64_t id)
{
    const tt_gpu wanted = {.id = id};
    return bsearch(&wanted, list->at, list->n, sizeof wanted, by_id);
}

/* Time that a device's numbers refer to, and to which kernels are cut. TT_UTILIZATION_STEPS does not cut, except
 * kernels that outlast the steps so far that utilization would exceed 100 %. */
static tt_ivs time_within(const tt_query *q, int64_t *length)
{
    const tt_trace *s = tt_query_trace(q);
    tt_ivs set = {0};
    int64_t t0 = INT64_MAX, t1 = INT64_MIN;
    for (uint32_t i = 0; i < s->n_steps; i++) {
        const tt_step *p = &s->steps[i];
        if (!tt_step_shown(q, p)) continue;
        if (p->start < t0) t0 = p->start;
        if (p->end > t1) t1 = p->end;
    }
    if (q->scope->has_range && !q->scope->has_steps && q->windows->n) { /* the marked window, cut to the trace */
        t0 = q->windows->at[0].t0 > 0 ? q->windows->at[0].t0 : 0;
        t1 = q->windows->at[0].t1 < s->end ? q->windows->at[0].t1 : s->end;
    } else if (s->rules->utilization == TT_UTILIZATION_STEPS) {
        *length = tt_steps_length(s, q->windows);
        tt_ivs_add(&set, INT64_MIN / 2, INT64_MAX / 2);
        return set;
    }
    if (t0 < t1) tt_ivs_add(&set, t0, t1);
    *length = tt_ivs_length(&set);
    return set;
}

/* Sum over intervals with running sum v > 0 of min(v, 1) * length inside the set. */
static double efficiency(gather *g, const tt_ivs *within, int64_t length)
{
    double v = 0, sum = 0;
    size_t running = 0;
    bool any = false;
    /* stable: a kernel of length 0 rises before it falls */
    tt_sort_runs(g->points.at, g->points.n, sizeof *g->points.at, by_time);
    for (size_t i = 0; i < g->points.n; i++) {
        const point *p = &g->points.at[i];
        if (running && i && p->t > g->points.at[i - 1].t) {
            any = true;
            sum += (v < 1 ? v : 1) * (double)tt_ivs_length_in(within, g->points.at[i - 1].t, p->t);
        }
        v += p->by;
        running += p->by > 0 ? 1 : (size_t)-1;
        if (!running) v = 0; /* drop rounding errors */
    }
    return any && length > 0 ? sum / (double)length : (double)NAN;
}

static void add_kernel(gather *g, const tt_trace *s, const tt_activity *d, const tt_ivs *within)
{
    int64_t t0 = s->start[d->row], t1 = tt_row_end(s, d->row);
    const tt_launch_shape *l = &s->shapes[d->shape];
    tt_ivs_add(&g->kernels, t0, t1);
    if (l->blocks_per_sm > 0) {
        *tt_vec_push(&g->points) = (point){t0, l->blocks_per_sm};
        *tt_vec_push(&g->points) = (point){t1, -l->blocks_per_sm};
    }
    if (l->occupancy_pct >= 0) {
        double inside = (double)tt_ivs_length_in(within, t0, t1);
        g->occupied += l->occupancy_pct * inside;
        g->weight += inside;
    }
}

static int64_t length_in_both(const tt_ivs *a, const tt_ivs *b)
{
    int64_t sum = 0;
    for (size_t i = 0; i < b->n; i++) sum += tt_ivs_length_in(a, b->at[i].t0, b->at[i].t1);
    return sum;
}

static void measure(tt_gpu *gpu, gather *g, const tt_ivs *within, const tt_ivs *steps, int64_t length)
{
    gpu->within = length;
    tt_ivs_normalise(&g->kernels);
    gpu->busy = length_in_both(&g->kernels, within);
    if (gpu->busy > length) {
        gpu->busy = length_in_both(&g->kernels, steps);
        within = steps;
    }
    if (gpu->within > 0) gpu->utilization = (double)gpu->busy / (double)gpu->within;
    gpu->sm_efficiency = efficiency(g, within, gpu->within);
    if (g->weight > 0) gpu->occupancy = g->occupied / g->weight;
}

/* Add a kernel launched directly by an operator: the base of tensor core shares, or by the rules all kernels. */
static void add_tensor(const tt_query *q, const tt_call_tree *tree, const tt_name_classes *names, uint32_t i,
                       tt_gpu *gpu)
{
    const tt_trace *s = tt_query_trace(q);
    const tt_activity *d = &s->dev[i];
    uint32_t node = tree->of_dev[i];
    bool counted = node != TT_NONE && tree->flags[node] & TT_CALL_COUNTED;
    if ((!counted && !s->rules->tensor_time_of_all_kernels) || !tt_windows_have_dev(q->windows, s, d)) return;
    gpu->kernel_ns += s->dur[d->row];
    if (tt_name_class(names, s, d->row) & TT_NAME_TENSOR) gpu->tensor_ns += s->dur[d->row];
}

typedef struct gpu_build {
    const tt_query *q;
    const tt_call_tree *tree;
    tt_gpu_list list;
} gpu_build;

static bool counts(const tt_query *q, const tt_activity *d)
{
    const tt_trace *s = tt_query_trace(q);
    if (tt_row_kind(s, d->row) != TT_KIND_KERNEL || d->device < 0) return false;
    return s->rules->utilization != TT_UTILIZATION_STEPS || tt_windows_have_dev(q->windows, s, d);
}

static void measure_all(gpu_build *b)
{
    const tt_query *q = b->q;
    const tt_trace *s = tt_query_trace(q);
    gather *of = tt_calloc(b->list.n, sizeof *of);
    int64_t length = 0;
    tt_ivs within = time_within(q, &length), steps = tt_steps_union(s, q->windows);
    for (uint32_t i = s->n_devices; i-- > 0;) { /* the first entry of a device counts */
        tt_gpu *gpu = gpu_of(&b->list, s->devices[i].id);
        if (gpu) gpu->props = &s->devices[i];
    }
    for (const tt_activity *d = s->dev; d < s->dev + s->n_dev; d++) {
        if (!counts(q, d)) continue;
        tt_gpu *gpu = gpu_of(&b->list, d->device);
        gpu->has_kernels = true;
        add_kernel(&of[gpu - b->list.at], s, d, &within);
    }
    for (size_t i = 0; i < b->list.n; i++) {
        if (b->list.at[i].has_kernels) measure(&b->list.at[i], &of[i], &within, &steps, length);
        tt_vec_free(&of[i].kernels);
        tt_vec_free(&of[i].points);
    }
    free(of);
    tt_vec_free(&within);
    tt_vec_free(&steps);
}

static void make_part(void *arg, size_t part)
{
    gpu_build *b = arg;
    if (part)
        measure_all(b);
    else
        b->tree = tt_call_tree_get(b->q->session, b->q->trace, TT_TREE_OPS);
}

static tt_gpu_list make(const tt_query *q)
{
    const tt_trace *s = tt_query_trace(q);
    gpu_build b = {.q = q, .list = all_gpus(s)};
    if (!b.list.n) return b.list;
    const tt_name_classes *names = tt_name_classes_get(q->session, q->trace);
    tt_parallel(tt_threads(), 2, make_part, &b);
    for (uint32_t i = 0; i < s->n_dev; i++)
        if (counts(q, &s->dev[i])) add_tensor(q, b.tree, names, i, gpu_of(&b.list, s->dev[i].device));
    return b.list;
}

/* ---- in all of a trace: kept ---- */

static void *build(const tt_session *session, uint32_t trace)
{
    tt_gpu_list *list = tt_calloc(1, sizeof *list);
    tt_windows windows = tt_scope_windows(session, &tt_scope_all, trace);
    *list = make(&(tt_query){.session = session, .scope = &tt_scope_all, .trace = trace, .windows = &windows});
    tt_windows_free(&windows);
    return list;
}

static void release(void *value)
{
    tt_gpu_list *list = value;
    tt_vec_free(list);
    free(list);
}

tt_gpu_list tt_gpus_make(const tt_query *q)
{
    static const tt_analysis_kind kind = {"use of devices", build, release};
    if (!tt_scope_equal(q->scope, &tt_scope_all)) return make(q);
    const tt_gpu_list *all = tt_analysis_get(q->session, q->trace, &kind);
    tt_gpu_list list = {0};
    for (size_t i = 0; i < all->n; i++) *tt_vec_push(&list) = all->at[i];
    return list;
}
