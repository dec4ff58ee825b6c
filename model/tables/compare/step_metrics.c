/* model/tables/compare/step_metrics.c - see step_metrics.h. */
#include "model/tables/compare/step_metrics.h"

#include <stdlib.h>

#include "model/tables/idle/gpu_time.h"
#include "model/tables/steps/account.h"

const char *const tt_metric_name[TT_METRIC_COUNT_] = {
    "step", "computation", "communication_exposed", "copy_exposed", "idle", "host", "peak_memory",
};

/* ---- places of the samples ---- */

uint32_t tt_sample_count(const tt_matching *m, int side) { return m->per_step ? m->n_samples[side] : m->workers.n > 0; }

static void places_in_scope(const tt_matching *m, int side, uint32_t trace, tt_places *out)
{
    tt_account a = tt_account_make(m->of[side], &m->scope[side], trace);
    for (size_t i = 0; i < a.time.n; i++)
        *tt_vec_push(out) = (tt_place){trace, a.time.at[i].t0, a.time.at[i].t1, a.time.at[0].t0, a.host};
    tt_account_free(&a);
}

/* Append the place of a sample on a worker; several for a whole run, one for a step. */
static void sample_places(const tt_matching *m, int side, uint32_t worker, uint32_t sample, tt_places *out)
{
    uint32_t trace;
    if (m->per_step) {
        tt_step_sample at = m->workers.at[worker].samples[side][sample];
        const tt_trace *t = m->of[side]->traces[at.trace];
        const tt_step *step = &t->steps[at.step];
        *tt_vec_push(out) = (tt_place){at.trace, step->start, step->end, at.account_start, tt_row_track(t, step->row)};
        return;
    }
    for (uint32_t i = 0; (trace = tt_matching_trace(m, side, worker, i)) != TT_NONE; i++)
        places_in_scope(m, side, trace, out);
}

static int64_t length_of(const tt_places *l, size_t first)
{
    int64_t ns = 0;
    for (size_t i = first; i < l->n; i++) ns += l->at[i].t1 - l->at[i].t0;
    return ns;
}

uint32_t tt_sample_longest(const tt_matching *m, int side, uint32_t sample, tt_places *out)
{
    size_t first = out->n;
    uint32_t longest = 0;
    int64_t most = -1;
    for (uint32_t w = 0; w < m->workers.n; w++, out->n = first) {
        sample_places(m, side, w, sample, out);
        int64_t ns = length_of(out, first);
        if (ns <= most) continue;
        most = ns;
        longest = w;
    }
    if (m->workers.n) sample_places(m, side, longest, sample, out);
    return longest;
}

/* ---- numbers ---- */

typedef struct measure {
    const tt_matching *m;
    int side;
    const tt_memory_curves *curves;
    bool host_memory;
    tt_places places; /* places of the current sample and worker */
} measure;

static void add(int64_t *to, int64_t v) { *to = *to == TT_UNKNOWN || v == TT_UNKNOWN ? TT_UNKNOWN : *to + v; }

/* Add the means over the devices of a trace; unknown where no device worked. */
static void add_device_time(const measure *x, const tt_place *p, int64_t of[TT_METRIC_COUNT_])
{
    const tt_session *s = x->m->of[x->side];
    uint32_t n = tt_device_work_get(s, p->trace)->n_devices;
    tt_gpu_time sum = {0};
    for (uint32_t i = 0; i < n; i++) tt_gpu_time_in(s, p->trace, i, p->t0, p->t1, &sum);
    add(&of[TT_METRIC_COMPUTATION], n ? sum.computation / n : TT_UNKNOWN);
    add(&of[TT_METRIC_COMMUNICATION_EXPOSED], n ? sum.communication_exposed / n : TT_UNKNOWN);
    add(&of[TT_METRIC_COPY_EXPOSED], n ? sum.copy_exposed / n : TT_UNKNOWN);
    add(&of[TT_METRIC_IDLE], n ? sum.idle / n : TT_UNKNOWN);
}

bool tt_series_of_host(const tt_memory_series *s)
{
    return s->type == 0 || s->type == TT_DEVICE_PINNED || (s->type < 0 && s->id < 0);
}

/* Raise the top to the peak that the trace itself states for its whole time. */
static void raise_by_peaks(const measure *x, const tt_memory_series *s, tt_memory_point *top)
{
    const tt_session *session = x->m->of[x->side];
    const tt_trace *t = session->traces[s->trace];
    if (x->m->per_step || x->m->scope[x->side].has_steps || x->m->scope[x->side].has_range) return;
    for (uint32_t i = 0; i < t->n_peaks; i++) {
        const tt_memory_peak *p = &t->peaks[i];
        if (p->device_type != s->type || (s->type && p->device_id != s->id)) continue;
        if (p->allocated > top->allocated)
            *top = (tt_memory_point){p->allocated_at + session->offset_ns[s->trace], p->allocated, p->reserved};
    }
}

/* The highest total of any device during the places. */
static int64_t peak_of(const measure *x, tt_place *at)
{
    int64_t most = TT_UNKNOWN;
    for (uint32_t i = 0; x->curves && i < x->curves->n; i++) {
        const tt_memory_series *s = &x->curves->at[i];
        if (tt_series_of_host(s) != x->host_memory) continue;
        int64_t offset = x->m->of[x->side]->offset_ns[s->trace];
        for (size_t k = 0; k < x->places.n; k++) {
            const tt_place *p = &x->places.at[k];
            if (p->trace != s->trace) continue;
            tt_memory_point top = tt_memory_series_highest(s, p->t0 + offset, p->t1 + offset);
            raise_by_peaks(x, s, &top);
            if (top.allocated == TT_UNKNOWN || top.allocated <= most) continue;
            most = top.allocated;
            *at = (tt_place){s->trace, top.at - offset, top.at - offset + 1, top.at - offset, TT_NONE};
        }
    }
    return most;
}

/* Measure a worker's part of a sample. */
static void measure_worker(measure *x, uint32_t worker, uint32_t sample, tt_step_metrics *out)
{
    *out = (tt_step_metrics){.peak.t0 = TT_UNKNOWN};
    x->places.n = 0;
    sample_places(x->m, x->side, worker, sample, &x->places);
    out->of[TT_METRIC_STEP] = length_of(&x->places, 0);
    for (size_t i = 0; i < x->places.n; i++) add_device_time(x, &x->places.at[i], out->of);
    for (int k = TT_METRIC_COMPUTATION; !x->places.n && k <= TT_METRIC_IDLE; k++) out->of[k] = TT_UNKNOWN;
    out->of[TT_METRIC_PEAK_MEMORY] = peak_of(x, &out->peak);
    if (!x->places.n) return;
    out->longest = x->places.at[0];
    if (x->places.at[x->places.n - 1].trace == out->longest.trace) out->longest.t1 = x->places.at[x->places.n - 1].t1;
}

static void measure_sample(measure *x, uint32_t sample, tt_step_metrics *out)
{
    int64_t n = (int64_t)x->m->workers.n, busy = 0, peak = TT_UNKNOWN;
    *out = (tt_step_metrics){.peak.t0 = TT_UNKNOWN};
    for (uint32_t w = 0; w < x->m->workers.n; w++) {
        tt_step_metrics of;
        int64_t most = out->of[TT_METRIC_STEP];
        measure_worker(x, w, sample, &of);
        for (int k = TT_METRIC_COMPUTATION; k < TT_METRIC_COUNT_; k++) add(&out->of[k], of.of[k]);
        add(&busy, of.of[TT_METRIC_IDLE] == TT_UNKNOWN ? TT_UNKNOWN : of.of[TT_METRIC_STEP] - of.of[TT_METRIC_IDLE]);
        if (!w || of.of[TT_METRIC_STEP] > most) {
            out->of[TT_METRIC_STEP] = of.of[TT_METRIC_STEP];
            out->longest = of.longest;
        }
        if (of.of[TT_METRIC_PEAK_MEMORY] > peak) {
            peak = of.of[TT_METRIC_PEAK_MEMORY];
            out->peak = of.peak;
        }
    }
    for (int k = TT_METRIC_COMPUTATION; k < TT_METRIC_COUNT_; k++)
        if (out->of[k] != TT_UNKNOWN) out->of[k] /= n;
    out->of[TT_METRIC_HOST] = busy == TT_UNKNOWN ? TT_UNKNOWN : out->of[TT_METRIC_STEP] - busy / n;
    if (x->m->per_step && x->m->of_completion) out->of[TT_METRIC_STEP] = tt_matching_step_ns(x->m, x->side, sample);
}

tt_step_metrics *tt_step_metrics_make(const tt_matching *m, int side, const tt_memory_curves *curves, bool host_memory)
{
    measure x = {.m = m, .side = side, .curves = curves, .host_memory = host_memory};
    uint32_t n = tt_sample_count(m, side);
    tt_step_metrics *out = tt_calloc(n + (size_t)1, sizeof *out);
    for (uint32_t i = 0; i < n; i++) measure_sample(&x, i, &out[i]);
    tt_vec_free(&x.places);
    return out;
}
