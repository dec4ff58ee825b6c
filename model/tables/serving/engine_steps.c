/* model/tables/serving/engine_steps.c - see engine_steps.h. */
#include "model/tables/serving/engine_steps.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/bisect.h"
#include "model/base/median.h"
#include "model/base/sort_by.h"
#include "model/text/call_name.h"
#include "model/trace/analysis_cache.h"

#define LONGEST_GAP INT64_C(10000000) /* ns; a wait is no pause up to this, or up to ... */
#define GAP_STEPS 5                   /* ... as many times the median of the steps' device time */
#define COMPLETE_PCT 90               /* launches of a complete step that have device work, at least */

/* Index of the step whose host range holds t; TT_NONE. O(log steps). */
static uint32_t step_on_host(const tt_engine_steps *e, int64_t t)
{
    uint32_t lo = 0, hi = e->n;
    TT_BISECT(lo, hi, i, e->at[i].host_start <= t);
    return lo && t < e->at[lo - 1].host_end ? lo - 1 : TT_NONE;
}

/* ---- ranges ---- */

static tt_engine_step new_step(tt_row row, int64_t start, int64_t end)
{
    return (tt_engine_step){.row = row,
                            .host_start = start,
                            .host_end = end,
                            .device_start = TT_UNKNOWN,
                            .device_end = TT_UNKNOWN,
                            .gap = TT_UNKNOWN,
                            .time = TT_UNKNOWN,
                            .complete = true};
}

/* Take the steps of the trace: iterations that were inferred, of an unknown engine, or copies of ranges on devices. */
static void list_steps(tt_engine_steps *e, const tt_trace *s)
{
    e->at = tt_calloc(s->n_steps + (size_t)1, sizeof *e->at);
    e->n = s->n_steps;
    for (uint32_t i = 0; i < e->n; i++) {
        const tt_step *p = &s->steps[i];
        e->at[i] = new_step(p->row, p->host_start, p->host_end);
        e->at[i].said = (tt_engine_step_name){.engine = TT_ENGINE_INFERRED, .phase = TT_PHASE_UNKNOWN};
        for (int k = 0; k < TT_STEP_NUMBER_COUNT_; k++) e->at[i].said.number[k] = TT_STEP_UNSAID;
        const char *name = tt_row_name(s, p->row);
        if (e->of_device) (void)tt_engine_step_read(name, strlen(name), &e->at[i].said);
    }
}

static void list_ranges(tt_engine_steps *e, const tt_trace *s)
{
    e->at = tt_calloc(s->n_engine_steps + 1u, sizeof *e->at);
    e->n = s->n_engine_steps;
    for (uint32_t i = 0; i < e->n; i++) {
        tt_row r = s->engine_steps[i];
        e->at[i] = new_step(r, s->start[r], tt_row_end(s, r));
        e->at[i].said = tt_engine_step_of_row(s, r);
    }
}

/* ---- launches ---- */

typedef struct launch_counts {
    uint32_t all, with_work;
} launch_counts;

/* Count the launches of each step on a track. A driver call inside a runtime call is part of the same launch. */
static void count_launches(const tt_trace *s, const tt_track *k, const uint8_t *launches, tt_engine_steps *e,
                           launch_counts *counts)
{
    int64_t end = INT64_MIN;
    uint32_t step = TT_NONE;
    bool worked = false;
    for (tt_row r = k->first; r < k->first + k->n; r++) {
        if (!launches[s->name[r]] || !tt_kind_is_launch(tt_row_kind(s, r))) continue;
        uint32_t works;
        (void)tt_row_launched(s, r, &works);
        bool inner = tt_row_end(s, r) <= end;
        if (!inner) {
            step = step_on_host(e, s->start[r]);
            end = tt_row_end(s, r);
            worked = false;
            if (step == TT_NONE) continue;
            counts[step].all++;
            e->at[step].graph_launches += launches[s->name[r]] == 2;
        }
        if (step != TT_NONE && works && !worked) {
            counts[step].with_work++;
            worked = true;
        }
    }
}

/* Find the steps whose launches lack device work, which was lost at the end of the recording. */
static void find_incomplete(tt_engine_steps *e, const tt_trace *s, bool has_work)
{
    uint8_t *launches = tt_calloc(s->strings.text.n + (size_t)1, 1); /* by name: 1 = kernels, 2 = a graph */
    launch_counts *counts = tt_calloc(e->n + (size_t)1, sizeof *counts);
    for (tt_sid i = 1; i < s->strings.text.n; i++) {
        const char *name = tt_str(&s->strings, i);
        launches[i] = tt_call_launches_graph(name) ? 2 : tt_call_launches_kernel(name);
    }
    for (uint32_t t = 0; t < s->n_tracks; t++)
        if (s->tracks[t].kind == TT_TRACK_THREAD) count_launches(s, &s->tracks[t], launches, e, counts);
    for (uint32_t i = 0; i < e->n && has_work; i++) {
        bool capture = e->at[i].said.phase == TT_PHASE_CAPTURE;
        e->at[i].complete = capture || counts[i].with_work * 100ull >= counts[i].all * (uint64_t)COMPLETE_PCT;
    }
    free(counts);
    free(launches);
}

/* ---- device work ---- */

typedef struct owned_work {
    uint32_t step, work; /* TT_NONE, the last step: nobody's */
    int64_t start;
} owned_work;

static void widen(tt_engine_step *p, const tt_work *w)
{
    if (p->device_start == TT_UNKNOWN || w->start < p->device_start) p->device_start = w->start;
    if (p->device_end == TT_UNKNOWN || w->end > p->device_end) p->device_end = w->end;
}

/* Steps by the start of their device work, to find those that occupy the device at a time. */
typedef struct device_span {
    int64_t start, end, latest; /* latest: latest end of this and the spans before */
    uint32_t step;
} device_span;

static uint32_t list_spans(const tt_engine_steps *e, device_span *list)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < e->n; i++) {
        const tt_engine_step *p = &e->at[i];
        if (p->device_start != TT_UNKNOWN) list[n++] = (device_span){p->device_start, p->device_end, 0, i};
    }
    TT_SORT_BY(list, n, TT_ASC(device_span, start), TT_ASC(device_span, step));
    for (uint32_t i = 0; i < n; i++)
        list[i].latest = i && list[i - 1].latest > list[i].end ? list[i - 1].latest : list[i].end;
    return n;
}

/* The step that occupies the device at t, the last begun on the host if there are several; TT_NONE. */
static uint32_t step_on_device(const device_span *list, uint32_t n, int64_t t)
{
    uint32_t lo = 0, hi = n, step = TT_NONE;
    TT_BISECT(lo, hi, i, list[i].start <= t);
    for (uint32_t i = lo; i-- > 0 && list[i].latest > t;)
        if (t < list[i].end && (step == TT_NONE || list[i].step > step)) step = list[i].step;
    return step;
}

static owned_work *find_owners(tt_engine_steps *e, const tt_trace *s, const tt_device_work *all)
{
    owned_work *list = tt_malloc((all->n + (size_t)1) * sizeof *list);
    device_span *spans = tt_malloc((e->n + (size_t)1) * sizeof *spans);
    for (uint32_t i = 0; i < all->n; i++) {
        const tt_work *w = &all->at[i];
        uint32_t step = e->of_device           ? step_on_host(e, w->start)
                        : w->launch == TT_NONE ? TT_NONE
                                               : step_on_host(e, s->start[w->launch]);
        list[i] = (owned_work){step, i, w->start};
        if (step != TT_NONE) widen(&e->at[step], w);
    }
    uint32_t n = list_spans(e, spans);
    for (uint32_t i = 0; i < all->n; i++)
        if (all->at[i].launch == TT_NONE && !e->of_device) list[i].step = step_on_device(spans, n, all->at[i].start);
    free(spans);
    TT_SORT_BY(list, all->n, TT_ASC(owned_work, step), TT_ASC(owned_work, start), TT_ASC(owned_work, work));
    return list;
}

/* Length of the union of n pieces of work, in the order of their starts; of one class, or of all. */
static int64_t union_of(const tt_device_work *all, const uint32_t *work, uint32_t n, int of_class)
{
    int64_t sum = 0, end = INT64_MIN;
    for (uint32_t i = 0; i < n; i++) {
        const tt_work *w = &all->at[work[i]];
        if (of_class != TT_WORK_CLASS_COUNT_ && w->of_class != (unsigned)of_class) continue;
        int64_t from = w->start > end ? w->start : end;
        if (w->end > from) sum += w->end - from;
        if (w->end > end) end = w->end;
    }
    return sum;
}

static void add_work(tt_engine_steps *e, const tt_trace *s, const tt_device_work *all)
{
    owned_work *list = find_owners(e, s, all);
    e->work = tt_malloc((all->n + (size_t)1) * sizeof *e->work);
    e->n_work = e->outside = all->n;
    for (uint32_t i = 0; i < all->n; i++) {
        e->work[i] = list[i].work;
        if (list[i].step == TT_NONE) {
            if (e->outside == all->n) e->outside = i;
            continue;
        }
        tt_engine_step *p = &e->at[list[i].step];
        if (!p->n++) p->first = i;
        widen(p, &all->at[list[i].work]);
    }
    for (uint32_t i = 0; i < e->n; i++) {
        tt_engine_step *p = &e->at[i];
        p->busy = union_of(all, e->work + p->first, p->n, TT_WORK_CLASS_COUNT_);
        for (int c = 0; c < TT_WORK_CLASS_COUNT_; c++) p->class_ns[c] = union_of(all, e->work + p->first, p->n, c);
    }
    e->outside_busy = union_of(all, e->work + e->outside, e->n_work - e->outside, TT_WORK_CLASS_COUNT_);
    free(list);
}

/* ---- times ---- */

typedef struct completion {
    int64_t end, host_start;
    uint32_t step;
    int64_t first; /* start of its first work that outlasts the step before */
} completion;

/* Earliest start of the step's work that ends after t; its end if there is none. */
static int64_t first_after(const tt_engine_steps *e, const tt_device_work *all, const completion *c, int64_t t)
{
    const tt_engine_step *p = &e->at[c->step];
    if (!p->n) return p->host_end > t ? p->host_start : p->host_end; /* no work in the process */
    for (uint32_t i = 0; i < p->n; i++) {
        const tt_work *w = &all->at[e->work[p->first + i]];
        if (w->end > t) return w->start;
    }
    return c->end;
}

/* Longest wait that is a gap between steps and no pause. */
static int64_t longest_gap(const completion *c, uint32_t n)
{
    int64_t *lengths = tt_malloc((n + (size_t)1) * sizeof *lengths);
    for (uint32_t i = 1; i < n; i++)
        lengths[i - 1] = c[i].end - (c[i].first > c[i - 1].end ? c[i].first : c[i - 1].end);
    int64_t limit = n > 1 ? GAP_STEPS * tt_median(lengths, n - 1) : 0;
    free(lengths);
    return limit > LONGEST_GAP ? limit : LONGEST_GAP;
}

static void find_times(tt_engine_steps *e, const tt_device_work *all)
{
    completion *c = tt_malloc((e->n + (size_t)1) * sizeof *c);
    uint32_t n = 0;
    for (uint32_t i = 0; i < e->n; i++) {
        const tt_engine_step *p = &e->at[i];
        if (p->said.phase == TT_PHASE_CAPTURE || (all->n && !p->n)) continue;
        c[n++] = (completion){all->n ? p->device_end : p->host_end, p->host_start, i, 0};
    }
    TT_SORT_BY(c, n, TT_ASC(completion, end), TT_ASC(completion, host_start));
    for (uint32_t i = 1; i < n; i++) c[i].first = first_after(e, all, &c[i], c[i - 1].end);
    int64_t most = longest_gap(c, n);
    for (uint32_t i = 1; i < n; i++) {
        tt_engine_step *p = &e->at[c[i].step];
        int64_t gap = c[i].first > c[i - 1].end ? c[i].first - c[i - 1].end : 0;
        if (gap <= most) {
            p->gap = gap;
            p->time = c[i].end - c[i - 1].end;
        } else {
            p->pause = gap;
            p->time = c[i].end - c[i].first;
        }
    }
    free(c);
}

/* ---- the analysis ---- */

const char *tt_engine_steps_missing(const tt_trace *s)
{
    static const char *const texts[] = {
        [TT_NO_STEPS_NONE] = "No step of a serving engine is named in this trace",
        [TT_NO_STEPS_NO_WORK] = "cannot tell where steps begin: no device work",
        [TT_NO_STEPS_NO_ENGINE] =
            "cannot tell where steps begin: no graph is launched 4 times and no serving engine is in sight",
        [TT_NO_STEPS_NO_COPIES] = "cannot tell where steps begin: fewer than 4 copies to the host",
        [TT_NO_STEPS_NO_PERIOD] = "cannot tell where steps begin: nothing repeats with a copy to the host in between",
    };
    return texts[s->no_steps];
}

static void *build_steps(const tt_session *session, uint32_t trace)
{
    const tt_trace *s = session->traces[trace];
    tt_engine_steps *e = tt_calloc(1, sizeof *e);
    bool inferred = s->steps_source == TT_STEPS_INFERRED;
    e->of_device = s->steps_source == TT_STEPS_DEVICE;
    if (!s->n_engine_steps && !inferred && !e->of_device) return e;
    const tt_device_work *all = tt_device_work_get(session, trace);
    if (inferred || e->of_device)
        list_steps(e, s);
    else
        list_ranges(e, s);
    if (!e->of_device) find_incomplete(e, s, all->n);
    for (uint32_t i = 0; inferred && i < e->n; i++) e->at[i].complete = s->steps[i].repeated;
    add_work(e, s, all);
    find_times(e, all);
    return e;
}

static void free_steps(void *value)
{
    tt_engine_steps *e = value;
    free(e->at);
    free(e->work);
    free(e);
}

static const tt_analysis_kind engine_steps_kind = {.name = "engine steps", .build = build_steps, .free = free_steps};

const tt_engine_steps *tt_engine_steps_get(const tt_session *s, uint32_t trace)
{
    return tt_analysis_get(s, trace, &engine_steps_kind);
}
