/* model/tables/idle/gpu_time.c - table gpu_time: the four parts of each device's time, which add up to that time. */
#include "model/tables/idle/gpu_time.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/run/parallel.h"
#include "model/tables/cells.h"
#include "model/tables/idle/columns.h"
#include "model/tables/idle/idle_scope.h"
#include "model/tables/steps/step_breakdown.h"
#include "model/trace/analysis_cache.h"

/* ---- sets of a device, kept by trace ---- */

typedef struct exposed {
    tt_ivs communication, copy, overlap;
} exposed;

typedef struct exposed_build {
    const tt_device_work *w;
    exposed *devices;
} exposed_build;

typedef struct exposed_list {
    uint32_t n;
    exposed *devices; /* one per device */
} exposed_list;

static void expose(void *arg, size_t device)
{
    const exposed_build *b = arg;
    const tt_ivs *of = b->w->devices[device].of;
    exposed *e = &b->devices[device];
    tt_ivs copy = tt_ivs_subtract(&of[TT_WORK_COPY], &of[TT_WORK_COMPUTATION]);
    e->communication = tt_ivs_subtract(&of[TT_WORK_COMMUNICATION], &of[TT_WORK_COMPUTATION]);
    e->copy = tt_ivs_subtract(&copy, &of[TT_WORK_COMMUNICATION]);
    e->overlap = tt_ivs_intersect(&of[TT_WORK_COMMUNICATION], &of[TT_WORK_COMPUTATION]);
    tt_vec_free(&copy);
}

static void *build(const tt_session *s, uint32_t trace)
{
    const tt_device_work *w = tt_device_work_get(s, trace);
    exposed_list *l = tt_calloc(1, sizeof *l);
    l->n = w->n_devices;
    l->devices = tt_calloc(w->n_devices + (size_t)1, sizeof *l->devices);
    exposed_build b = {w, l->devices};
    tt_parallel(tt_threads(), w->n_devices, expose, &b);
    return l;
}

static void release(void *value)
{
    exposed_list *l = value;
    for (uint32_t i = 0; i < l->n; i++) {
        tt_vec_free(&l->devices[i].communication);
        tt_vec_free(&l->devices[i].copy);
        tt_vec_free(&l->devices[i].overlap);
    }
    free(l->devices);
    free(l);
}

static const exposed *exposed_of(const tt_session *s, uint32_t trace, uint32_t device)
{
    static const tt_analysis_kind kind = {"exposed device time", build, release};
    const exposed_list *l = tt_analysis_get(s, trace, &kind);
    return &l->devices[device];
}

const tt_ivs *tt_gpu_time_exposed(const tt_session *s, uint32_t trace, uint32_t device, tt_work_class of_class)
{
    const exposed *e = exposed_of(s, trace, device);
    return of_class == TT_WORK_COMMUNICATION ? &e->communication : &e->copy;
}

void tt_gpu_time_in(const tt_session *s, uint32_t trace, uint32_t device, int64_t t0, int64_t t1, tt_gpu_time *out)
{
    const tt_work_device *dev = &tt_device_work_get(s, trace)->devices[device];
    const exposed *e = exposed_of(s, trace, device);
    if (t1 <= t0) return;
    out->total += t1 - t0;
    out->computation += tt_ivs_length_in(&dev->of[TT_WORK_COMPUTATION], t0, t1);
    out->communication_exposed += tt_ivs_length_in(&e->communication, t0, t1);
    out->copy_exposed += tt_ivs_length_in(&e->copy, t0, t1);
    out->idle += t1 - t0 - tt_ivs_length_in(&dev->busy, t0, t1);
    out->communication += tt_ivs_length_in(&dev->of[TT_WORK_COMMUNICATION], t0, t1);
    out->copy += tt_ivs_length_in(&dev->of[TT_WORK_COPY], t0, t1);
    out->overlap += tt_ivs_length_in(&e->overlap, t0, t1);
}

uint32_t tt_gpu_time_least_busy(const tt_table *t)
{
    uint32_t least = TT_NONE;
    for (uint32_t r = 0; r < t->n_rows; r++) {
        double v = tt_cell_d(t, r, TT_GPU_TIME_IDLE_PCT);
        double most = least == TT_NONE ? -1 : tt_cell_d(t, least, TT_GPU_TIME_IDLE_PCT);
        bool first = least != TT_NONE &&
                     strcmp(tt_cell_s(t, r, TT_GPU_TIME_DEVICE), tt_cell_s(t, least, TT_GPU_TIME_DEVICE)) < 0;
        if (v > most || (!(v < most) && first)) least = r;
    }
    return least;
}

/* ---- the table ---- */

enum { BY_DEVICE, BY_STEP };

static const char *const groups[] = {"device", "step", NULL};

static const tt_column columns[] = {
    [TT_GPU_TIME_STEP] = COL_G("step", "Step", STRING, 0, 1 << BY_STEP,
                               "number of the profiler step; 0 = the whole trace without steps"),
    [TT_GPU_TIME_DEVICE] = COL("device", "Device", STRING, 0, "device"),
    [TT_GPU_TIME_TOTAL] =
        COL("total_ns", "Total", DURATION, 0,
            "the account of the worker: its complete steps, else the recording; with a time window, that time"),
    [TT_GPU_TIME_COMPUTATION] = COL("computation_ns", "Compute", DURATION, 0, "a kernel that is no collective runs"),
    [TT_GPU_TIME_COMMUNICATION_EXPOSED] =
        COL("communication_exposed_ns", "Exposed comm.", DURATION, 0, "a collective runs, and no computation hides it"),
    [TT_GPU_TIME_COPY_EXPOSED] = COL("copy_exposed_ns", "Exposed copy", DURATION, 1,
                                     "a copy or set runs, and neither computation nor a collective hides it"),
    [TT_GPU_TIME_IDLE] =
        COL("idle_ns", "Idle", DURATION, 0, "nothing runs on any stream of the device: see idle_causes"),
    [TT_GPU_TIME_COMPUTATION_PCT] = COL("computation_pct", "Compute %", PERCENT, 2, "computation / total"),
    [TT_GPU_TIME_COMMUNICATION_EXPOSED_PCT] =
        COL("communication_exposed_pct", "Exposed comm. %", PERCENT, 2, "exposed communication / total"),
    [TT_GPU_TIME_COPY_EXPOSED_PCT] = COL("copy_exposed_pct", "Exposed copy %", PERCENT, 3, "exposed copies / total"),
    [TT_GPU_TIME_IDLE_PCT] = COL("idle_pct", "Idle %", PERCENT, 1, "idle / total"),
    [TT_GPU_TIME_BUSY] = COL("busy_ns", "Busy", DURATION, 4, "something runs: total - idle"),
    [TT_GPU_TIME_COMMUNICATION] =
        COL("communication_ns", "Communication", DURATION, 4, "a collective runs, hidden or not"),
    [TT_GPU_TIME_OVERLAP] = COL("overlap_ns", "Overlap", DURATION, 5, "a collective and computation run at once"),
    [TT_GPU_TIME_OVERLAP_PCT] =
        COL("overlap_pct", "Overlap %", PERCENT, 4, "share of communication that computation hides"),
    [TT_GPU_TIME_COPY] = COL("copy_ns", "Copy", DURATION, 5, "a copy or set runs, hidden or not"),
};

static void put_time(const tt_query *q, const tt_step *step, const tt_work_device *dev, const tt_gpu_time *x, tt_iv at,
                     tt_table *t)
{
    uint32_t row = tt_table_add(t);
    if (step) tt_set_ref(t, row, TT_GPU_TIME_STEP, tt_arena_printf(&t->arena, "%" PRId64, step->number));
    tt_set_ref(t, row, TT_GPU_TIME_DEVICE, dev->name);
    tt_set_i(t, row, TT_GPU_TIME_TOTAL, x->total);
    tt_set_i(t, row, TT_GPU_TIME_COMPUTATION, x->computation);
    tt_set_i(t, row, TT_GPU_TIME_COMMUNICATION_EXPOSED, x->communication_exposed);
    tt_set_i(t, row, TT_GPU_TIME_COPY_EXPOSED, x->copy_exposed);
    tt_set_i(t, row, TT_GPU_TIME_IDLE, x->idle);
    tt_set_d(t, row, TT_GPU_TIME_COMPUTATION_PCT, tt_pct((double)x->computation, (double)x->total));
    tt_set_d(t, row, TT_GPU_TIME_COMMUNICATION_EXPOSED_PCT, tt_pct((double)x->communication_exposed, (double)x->total));
    tt_set_d(t, row, TT_GPU_TIME_COPY_EXPOSED_PCT, tt_pct((double)x->copy_exposed, (double)x->total));
    tt_set_d(t, row, TT_GPU_TIME_IDLE_PCT, tt_pct((double)x->idle, (double)x->total));
    tt_set_i(t, row, TT_GPU_TIME_BUSY, x->total - x->idle);
    tt_set_i(t, row, TT_GPU_TIME_COMMUNICATION, x->communication);
    tt_set_i(t, row, TT_GPU_TIME_OVERLAP, x->overlap);
    tt_set_d(t, row, TT_GPU_TIME_OVERLAP_PCT, tt_pct((double)x->overlap, (double)x->communication));
    tt_set_i(t, row, TT_GPU_TIME_COPY, x->copy);
    tt_set_range(q, t, row, at.t0, at.t1);
}

static void put_steps(const tt_query *q, const tt_account *a, tt_table *t)
{
    const tt_device_work *w = tt_device_work_get(q->session, q->trace);
    tt_step_windows l = tt_idle_steps(q, a);
    for (size_t k = 0; k < l.n; k++)
        for (uint32_t i = 0; i < w->n_devices; i++) {
            tt_gpu_time x = {0};
            tt_gpu_time_in(q->session, q->trace, i, l.at[k].at.t0, l.at[k].at.t1, &x);
            put_time(q, l.at[k].step, &w->devices[i], &x, l.at[k].at, t);
        }
    tt_vec_free(&l);
}

static void put_device(const tt_query *q, const tt_account *a, uint32_t device, tt_table *t)
{
    const tt_work_device *dev = &tt_device_work_get(q->session, q->trace)->devices[device];
    tt_ivs time = tt_idle_time(q, a, dev);
    tt_gpu_time x = {0};
    for (size_t i = 0; i < time.n; i++) tt_gpu_time_in(q->session, q->trace, device, time.at[i].t0, time.at[i].t1, &x);
    if (time.n)
        put_time(q, NULL, dev, &x, (tt_iv){time.at[0].t0, time.at[time.n - 1].t1}, t);
    else if (q->windows->everything) /* no work of the device has a length */
        put_time(q, NULL, dev, &x, (tt_iv){dev->start, dev->end}, t);
    tt_vec_free(&time);
}

static void compute(const tt_query *q, tt_table *t)
{
    uint32_t n = tt_device_work_get(q->session, q->trace)->n_devices;
    tt_account a = tt_account_make(q->session, q->scope, q->trace);
    if (q->options.group == BY_STEP) put_steps(q, &a, t);
    for (uint32_t i = 0; q->options.group == BY_DEVICE && i < n; i++) put_device(q, &a, i, t);
    tt_account_free(&a);
    if (!t->n_rows && !tt_idle_note(q, t)) t->note = "No complete step in this scope";
}

const tt_table_desc tt_table_gpu_time = {
    .id = "gpu_time",
    .title = "Device time",
    .meaning = "what each device spent its time on: the parts add up to the total",
    .cols = columns,
    .n_cols = COUNT_OF(columns),
    .groups = groups,
    .flags = TT_TABLE_WINDOW,
    .compute = compute,
};
