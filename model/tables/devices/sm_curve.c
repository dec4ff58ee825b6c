/* model/tables/devices/sm_curve.c - changes of device work and of blocks per SM at starts and ends of kernels. */
#include "model/tables/devices/sm_curve.h"

#include <stdlib.h>

#include "model/base/sort.h"
#include "model/trace/analysis_cache.h"

typedef struct change {
    int64_t at;
    double by; /* blocks per SM */
} change;

static int by_time(const void *a, const void *b)
{
    const change *x = a, *y = b;
    return (x->at > y->at) - (x->at < y->at);
}

static void make(const tt_trace *s, const tt_device_work *work, uint32_t device, tt_curve *out)
{
    const tt_work_device *d = &work->devices[device];
    TT_VEC(change) all = {0};
    for (const tt_work *w = work->at + d->first, *end = w + d->n; w < end; w++) {
        if (tt_row_kind(s, w->row) != TT_KIND_KERNEL) continue;
        double blocks = s->shapes[s->dev[s->detail[w->row]].shape].blocks_per_sm;
        if (!(blocks > 0)) continue;
        *tt_vec_push(&all) = (change){w->start, blocks};
        *tt_vec_push(&all) = (change){w->end, -blocks};
    }
    tt_sort_runs(all.at, all.n, sizeof *all.at, by_time);
    double sum = 0, before = 0;
    size_t running = 0;
    for (size_t i = 0; i < all.n; i++) {
        sum += all.at[i].by;
        running += all.at[i].by > 0 ? 1 : (size_t)-1;
        if (!running) sum = 0; /* drop rounding errors */
        double now = sum < 1 ? 100 * sum : 100;
        if ((i + 1 < all.n && all.at[i + 1].at == all.at[i].at) || now == before) continue;
        tt_curve_add(out, all.at[i].at, now);
        before = now;
    }
    tt_curve_index(out);
    tt_vec_free(&all);
}

static tt_sm_curves *one_a_device(const tt_device_work *work)
{
    tt_sm_curves *c = tt_calloc(1, sizeof *c);
    c->n = work->n_devices;
    c->of = tt_calloc(c->n + (size_t)1, sizeof *c->of);
    return c;
}

static void *build(const tt_session *s, uint32_t trace)
{
    const tt_device_work *work = tt_device_work_get(s, trace);
    tt_sm_curves *c = one_a_device(work);
    for (uint32_t i = 0; i < c->n; i++) make(s->traces[trace], work, i, &c->of[i]);
    return c;
}

static void *build_busy(const tt_session *s, uint32_t trace)
{
    const tt_device_work *work = tt_device_work_get(s, trace);
    tt_sm_curves *c = one_a_device(work);
    for (uint32_t i = 0; i < c->n; i++) {
        const tt_ivs *busy = &work->devices[i].busy;
        tt_vec_reserve(&c->of[i].at, 2 * busy->n);
        for (size_t k = 0; k < busy->n; k++) {
            tt_curve_add(&c->of[i], busy->at[k].t0, 100);
            tt_curve_add(&c->of[i], busy->at[k].t1, 0);
        }
        tt_curve_index(&c->of[i]);
    }
    return c;
}

static void release(void *curves)
{
    tt_sm_curves *c = curves;
    for (uint32_t i = 0; i < c->n; i++) tt_curve_free(&c->of[i]);
    free(c->of);
    free(c);
}

const tt_sm_curves *tt_sm_curves_get(const tt_session *s, uint32_t trace)
{
    static const tt_analysis_kind kind = {"SM efficiency", build, release};
    return tt_analysis_get(s, trace, &kind);
}

const tt_sm_curves *tt_busy_curves_get(const tt_session *s, uint32_t trace)
{
    static const tt_analysis_kind kind = {"busy devices", build_busy, release};
    return tt_analysis_get(s, trace, &kind);
}
