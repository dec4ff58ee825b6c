/* model/build/passes/steps.c - steps: the host ranges ProfilerStep#N, else those of engine steps, extended by the
 * device work launched inside and made disjoint; an incomplete tail of profiler steps is marked. A trace without steps
 * gets one, number 0, around its host operators. */
#include <stdlib.h>
#include <string.h>

#include "model/base/bisect.h"
#include "model/base/sort_by.h"
#include "model/build/passes/finish_internal.h"

struct span {
    int64_t t0, t1;
};

static bool is_digits(const char *p)
{
    if (!*p) return false;
    while (*p >= '0' && *p <= '9') p++;
    return !*p;
}

/* Step number of a name: after the last '#', else after the last blank ("Iteration 3"), or the whole name; -1 =
 * none. */
static int64_t step_number(const char *name)
{
    if (is_digits(name)) return strtoll(name, NULL, 10);
    const char *hash = strrchr(name, '#');
    if (!hash) hash = strrchr(name, ' ');
    return hash && is_digits(hash + 1) ? strtoll(hash + 1, NULL, 10) : -1;
}

static tt_step step_of_row(const tt_trace *s, tt_row r, int64_t number)
{
    return (tt_step){.number = number,
                     .row = r,
                     .start = s->start[r],
                     .end = tt_row_end(s, r),
                     .host_start = s->start[r],
                     .host_end = tt_row_end(s, r),
                     .kept = true};
}

/* A copy on a device of the range of an engine step. */
typedef struct step_copy {
    tt_sid name;
    uint32_t external_id; /* External id of the range; 0 = not said */
    int64_t start, end;
    tt_row row;
} step_copy;

static bool has_copies(const tt_trace *s)
{
    for (uint32_t i = 0; i < s->n_cats; i++)
        if (s->cats[i].kind == TT_KIND_GPU_ANNOTATION) return true;
    return false;
}

/* Make a step of the hull of each range's copies, one a stream. Copies that do not say their range are one step where
 * they overlap. */
static void collect_copies(tt_trace *s)
{
    TT_VEC(step_copy) copies = {0};
    TT_VEC(tt_step) steps = {0};
    tt_engine_step_name said;
    const tt_row n = has_copies(s) ? s->n : 0;
    for (tt_row r = 0; r < n; r++) {
        const char *name = tt_row_name(s, r);
        if (tt_row_kind(s, r) != TT_KIND_GPU_ANNOTATION || !tt_engine_step_read(name, strlen(name), &said)) continue;
        if (said.phase != TT_PHASE_CAPTURE)
            *tt_vec_push(&copies) = (step_copy){s->name[r], s->external_id[r], s->start[r], tt_row_end(s, r), r};
    }
    TT_SORT_BY(copies.at, copies.n, TT_ASC(step_copy, name), TT_ASC(step_copy, external_id), TT_ASC(step_copy, start),
               TT_ASC(step_copy, row));
    for (size_t i = 0; i < copies.n; i++) {
        const step_copy *c = &copies.at[i];
        tt_step *last = i ? &steps.at[steps.n - 1] : NULL;
        bool same = i && c[-1].name == c->name && c[-1].external_id == c->external_id &&
                    (c->external_id || c->start < last->host_end);
        if (!same) {
            const char *name = tt_str(&s->strings, c->name);
            (void)tt_engine_step_read(name, strlen(name), &said);
            last = tt_vec_push(&steps);
            *last = step_of_row(s, c->row, 0);
            last->phases = 1u << said.phase;
        }
        if (c->end > last->host_end) last->end = last->host_end = c->end;
    }
    TT_SORT_BY(steps.at, steps.n, TT_ASC(tt_step, host_start), TT_ASC(tt_step, row));
    for (size_t i = 0; i < steps.n; i++) steps.at[i].number = (int64_t)i;
    if (steps.n) s->steps_source = TT_STEPS_DEVICE;
    s->steps = steps.at;
    s->n_steps = (uint32_t)steps.n;
    tt_vec_free(&copies);
}

/* Make steps of the profiler steps among the rows, else of engine steps; the capture of a graph is no step. asked:
 * only of these; NONE = of any. */
static void collect(tt_trace *s, const tt_row *rows, size_t n, tt_steps_source asked)
{
    bool profiler = asked == TT_STEPS_NONE || asked == TT_STEPS_PROFILER;
    bool engine = asked == TT_STEPS_NONE || asked == TT_STEPS_ENGINE;
    TT_VEC(tt_step) steps = {0};
    for (size_t i = 0; i < n && profiler; i++) {
        if (tt_row_kind(s, rows[i]) != TT_KIND_STEP) continue;
        int64_t said = step_number(tt_row_name(s, rows[i])), number = said >= 0 ? said : (int64_t)steps.n;
        *tt_vec_push(&steps) = step_of_row(s, rows[i], number);
    }
    s->steps_source = steps.n ? TT_STEPS_PROFILER : TT_STEPS_NONE;
    for (uint32_t i = 0; i < s->n_engine_steps && engine && s->steps_source != TT_STEPS_PROFILER; i++) {
        tt_engine_step_name said = tt_engine_step_of_row(s, s->engine_steps[i]);
        if (said.phase == TT_PHASE_CAPTURE) continue;
        *tt_vec_push(&steps) = step_of_row(s, s->engine_steps[i], (int64_t)i);
        steps.at[steps.n - 1].phases = 1u << said.phase;
        s->steps_source = TT_STEPS_ENGINE;
    }
    TT_SORT_BY(steps.at, steps.n, TT_ASC(tt_step, host_start), TT_ASC(tt_step, row));
    s->steps = steps.at;
    s->n_steps = (uint32_t)steps.n;
    if (!steps.n && engine && !s->n_engine_steps) collect_copies(s);
}

/* Divide the time among steps, sorted by start: the latest begun running step has it. */
static void divide_time(tt_trace *s)
{
    TT_VEC(tt_step_span) spans = {0};
    TT_VEC(uint32_t) open = {0};
    int64_t t = INT64_MIN; /* time divided so far */
    for (uint32_t i = 0; i <= s->n_steps; i++) {
        int64_t next = i < s->n_steps ? s->steps[i].host_start : INT64_MAX;
        while (open.n && t < next) {
            uint32_t step = open.at[open.n - 1];
            int64_t end = s->steps[step].host_end < next ? s->steps[step].host_end : next;
            if (t < end) *tt_vec_push(&spans) = (tt_step_span){t, end, step};
            if (t < end) t = end;
            if (s->steps[step].host_end <= t) open.n--;
        }
        t = next;
        if (i < s->n_steps) *tt_vec_push(&open) = i;
    }
    tt_vec_free(&open);
    s->step_spans = spans.at;
    s->n_step_spans = (uint32_t)spans.n;
}

static bool widen(struct span *w, const tt_trace *s, uint32_t kinds)
{
    for (tt_row r = 0; r < s->n; r++) {
        if (!((kinds >> tt_row_kind(s, r)) & 1)) continue;
        if (s->start[r] < w->t0) w->t0 = s->start[r];
        if (tt_row_end(s, r) > w->t1) w->t1 = tt_row_end(s, r);
    }
    return w->t0 <= w->t1;
}

static void single_step(tt_trace *s)
{
    const uint32_t operators = (1u << TT_KIND_CPU_OP) | (1u << TT_KIND_PYTHON_OP) | (1u << TT_KIND_OTHER);
    const uint32_t meta = (1u << TT_KIND_TRACE) | (1u << TT_KIND_OVERHEAD);
    struct span w = {INT64_MAX, INT64_MIN};
    if (!widen(&w, s, operators) && !widen(&w, s, ~meta) && !widen(&w, s, ~0u)) w = (struct span){0, s->end};
    s->steps = tt_malloc(sizeof *s->steps);
    s->steps[0] =
        (tt_step){.row = TT_NONE, .start = w.t0, .end = w.t1, .host_start = w.t0, .host_end = w.t1, .kept = true};
    s->n_steps = 1;
}

/* Index of the first step that ends after t, n_steps if none; most[i] is the latest end of steps 0 to i. */
static uint32_t step_after(const int64_t *most, uint32_t n, int64_t t)
{
    uint32_t lo = 0, hi = n;
    TT_BISECT(lo, hi, i, most[i] <= t);
    return lo;
}

/* Assign every launch that lies wholly inside a host step to it; launches across a border belong to no step. */
static bool match_launches(tt_trace *s, struct span *work, bool *matched)
{
    int64_t *most = tt_malloc(s->n_steps * sizeof *most);
    for (uint32_t i = 0; i < s->n_steps; i++) {
        most[i] = i && most[i - 1] > s->steps[i].host_end ? most[i - 1] : s->steps[i].host_end;
    }
    bool any = false;
    for (uint32_t i = 0; i < s->n_links; i++) {
        tt_row l = s->launch_row[i], r = s->dev[s->launched_activity[i]].row;
        if (!tt_kind_is_work(tt_row_kind(s, r))) continue;
        uint32_t step = step_after(most, s->n_steps, s->start[l]);
        if (step == s->n_steps) continue;
        tt_step *p = &s->steps[step];
        if (s->start[l] < p->host_start || tt_row_end(s, l) > p->host_end) continue;
        if (s->start[r] < work[step].t0) work[step].t0 = s->start[r];
        if (tt_row_end(s, r) > work[step].t1) work[step].t1 = tt_row_end(s, r);
        p->device_work++;
        matched[s->launched_activity[i]] = any = true;
    }
    free(most);
    return any;
}

/* Earliest begin of the first step: after the device work from before it. */
static int64_t end_before_first(const tt_trace *s, const struct span *first, const bool *matched)
{
    int64_t end = s->steps[0].host_start;
    if (first->t0 > first->t1) return end;
    for (uint32_t i = 0; i < s->n_dev; i++) {
        tt_row r = s->dev[i].row;
        if (matched[i] || !tt_kind_is_work(tt_row_kind(s, r))) continue;
        int64_t e = tt_row_end(s, r);
        if (e < first->t0 && e > end) end = e;
    }
    return end;
}

static void extend(tt_trace *s, const struct span *work, int64_t prev)
{
    for (uint32_t i = 0; i < s->n_steps; i++) {
        tt_step *p = &s->steps[i];
        p->start = prev > p->host_start ? prev : p->host_start;
        p->end = p->host_end > work[i].t1 ? p->host_end : work[i].t1;
        if (p->end < p->start) p->end = p->start;
        prev = p->end;
    }
}

/* Mark the tail incomplete: steps after the last one with device work, and that one if it has much less than its
 * predecessor: the recording stopped before their work was done. */
static void drop_tail(tt_trace *s)
{
    uint32_t last = s->n_steps;
    while (last && !s->steps[last - 1].device_work) last--;
    if (!last) return;
    if (last > 1 && 0.8 * s->steps[last - 2].device_work > s->steps[last - 1].device_work) last--;
    for (uint32_t i = last; i < s->n_steps; i++) s->steps[i].kept = false;
}

void tt_finish_steps(tt_finish *fin)
{
    TT_VEC(tt_row) rows = {0};
    for (uint32_t t = 0; t < fin->s->n_tracks; t++)
        for (size_t i = 0; i < fin->rows[t].steps.n; i++) *tt_vec_push(&rows) = fin->rows[t].steps.at[i];
    tt_trace_find_steps(fin->s, rows.at, rows.n);
    tt_vec_free(&rows);
}

/* Lowest correlation id of the launches, ignoring wide ids, which are not ordered. */
static uint32_t first_launch(const tt_trace *s)
{
    uint32_t lowest = TT_WIDE_ID;
    for (uint32_t i = 0; i < s->n_links; i++) {
        uint32_t id = s->correlation[s->launch_row[i]];
        if (id && id < lowest) lowest = id;
    }
    return lowest < TT_WIDE_ID ? lowest : 0;
}

void tt_trace_make_steps(tt_trace *s, const tt_row *rows, size_t n, tt_steps_source asked)
{
    collect(s, rows, n, asked);
    if (!s->n_steps && (asked == TT_STEPS_NONE || asked == TT_STEPS_INFERRED))
        tt_trace_infer_steps(s, asked == TT_STEPS_INFERRED);
    if (!s->n_steps) single_step(s);
    divide_time(s);
    struct span *work = tt_malloc(s->n_steps * sizeof *work);
    bool *matched = tt_calloc(s->n_dev, sizeof *matched);
    for (uint32_t i = 0; i < s->n_steps; i++) work[i] = (struct span){INT64_MAX, INT64_MIN};
    bool linked = match_launches(s, work, matched);
    if (linked && !s->rules->steps_are_host_ranges && !tt_steps_of_devices(s)) {
        extend(s, work, end_before_first(s, &work[0], matched));
        if (s->n_steps > 1 && s->steps_source == TT_STEPS_PROFILER) drop_tail(s);
    }
    free(matched);
    free(work);
}

void tt_trace_find_steps(tt_trace *s, const tt_row *rows, size_t n)
{
    s->first_launch = first_launch(s);
    tt_trace_find_engine_steps(s, rows, n);
    tt_trace_make_steps(s, rows, n, TT_STEPS_NONE);
}
