/* model/tables/findings/rules/rules_serving.c - rules of table findings about the steps of an engine of LLM serving. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/group_by.h"
#include "model/base/median.h"
#include "model/tables/analysis/graphs/graph_owner.h"
#include "model/tables/cells.h"
#include "model/tables/findings/rules/rules.h"
#include "model/tables/operators/peaks.h"
#include "model/tables/operators/roofline.h"
#include "model/tables/operators/roofline_replays.h"
#include "model/tables/serving/columns.h"
#include "model/tables/serving/engine_steps.h"
#include "model/tables/serving/main_phase.h"
#include "model/tables/serving/request_waits.h"
#include "model/tables/serving/tables.h"

#define BUSY_PCT 80.0        /* a GPU that is busy so much is what limits the steps */
#define COVERED_PCT 50.0     /* share of the GPU time with known FLOP or bytes that allows a verdict */
#define HOST_GAP_PCT 10.0    /* gaps worth a finding, of the time of the steps */
#define PAUSE_PCT 10.0       /* pauses worth a finding, of the time from the first step to the last */
#define UNATTRIBUTED_PCT 5.0 /* device time in graphs without an operator worth a finding */
#define PADDING_PCT 20.0     /* padding of graphs worth a finding */
#define IDLE_PCT 20.0        /* steps without a request worth a finding */

#define ON_HOST                                                                                                        \
    (1u << TT_WAIT_INPUT | 1u << TT_WAIT_SYNC | 1u << TT_WAIT_RUNTIME | 1u << TT_WAIT_OPERATOR | 1u << TT_WAIT_BETWEEN)

/* The phase that the verdict is about. */
typedef struct main_phase {
    const tt_engine_steps *steps;
    tt_table *serving; /* owned */
    uint32_t row;      /* its row in serving; TT_NONE: no complete step */
    const char *name;
    double busy_pct; /* NaN: no device work */
} main_phase;

static double real(const main_phase *p, uint32_t column) { return tt_cell_d(p->serving, p->row, column); }
static int64_t whole(const main_phase *p, uint32_t column) { return tt_cell_i(p->serving, p->row, column); }

/* Whether the step counts for the phase: complete, and in scope. */
static bool counts(const tt_finding_context *c, const main_phase *p, const tt_engine_step *step)
{
    return step->complete && !strcmp(tt_phase_word(step->said.phase), p->name) && tt_query_has(c->q, step->host_start);
}

/* Busy share of steps none of which has a time: of the time from their first work to their last, without the time in
 * which the device did what is not in the file. */
static double busy_of_untimed(const tt_finding_context *c, const main_phase *p)
{
    int64_t t0 = INT64_MAX, t1 = INT64_MIN;
    for (uint32_t i = 0; i < p->steps->n; i++) {
        const tt_engine_step *step = &p->steps->at[i];
        if (!counts(c, p, step) || !step->n) continue;
        if (step->device_start < t0) t0 = step->device_start;
        if (step->device_end > t1) t1 = step->device_end;
    }
    int64_t ns = t1 > t0 ? t1 - t0 - c->roots[TT_ROOT_UNSEEN].ns : 0, busy = whole(p, TT_SERVING_BUSY);
    if (ns < busy) ns = busy;
    return ns > 0 ? tt_pct((double)busy, (double)ns) : NAN;
}

static main_phase find_phase(tt_finding_context *c)
{
    main_phase p = {.steps = tt_engine_steps_get(c->q->session, c->q->trace), .row = TT_NONE, .busy_pct = NAN};
    if (!p.steps->n) return p;
    if (!c->serving) c->serving = tt_finding_own_table(c, &tt_table_serving);
    p.serving = c->serving;
    p.row = tt_serving_longest(p.serving);
    if (p.row == TT_NONE) return p;
    p.name = tt_cell_s(p.serving, p.row, TT_SERVING_PHASE);
    if (!c->work->n) return p;
    p.busy_pct = real(&p, TT_SERVING_BUSY_PCT);
    if (isnan(p.busy_pct)) p.busy_pct = busy_of_untimed(c, &p);
    return p;
}

/* ---- what limits the phase ---- */

/* Work of the phase whose FLOP or bytes are known. */
typedef struct roof_cover {
    int64_t all_ns, ns, memory_ns; /* device time of the phase; with a known roof; bound by memory */
    int64_t no_peak_ns;            /* with FLOP or bytes, on a device without known peaks */
    double flops, bytes;
    double peak_flops, peak_bytes; /* FLOP and bytes that the peaks allow in ns */
} roof_cover;

static void cover_row(roof_cover *x, const tt_roofline_work *w, const tt_options *o)
{
    tt_roofline_rate rate = tt_roofline_rate_of(w, o);
    double seconds = (double)w->device_ns / 1e9;
    if (w->flops == TT_UNKNOWN && w->bytes == TT_UNKNOWN) return;
    if (rate.roof_ns == TT_UNKNOWN) {
        x->no_peak_ns += w->device_ns;
        return;
    }
    x->ns += w->device_ns;
    if (!rate.compute_bound) x->memory_ns += w->device_ns;
    if (w->flops != TT_UNKNOWN) x->flops += (double)w->flops;
    if (w->bytes != TT_UNKNOWN) x->bytes += (double)w->bytes;
    if (!isnan(rate.peak_tflops)) x->peak_flops += rate.peak_tflops * 1e12 * seconds;
    x->peak_bytes += rate.peak_gb_per_s * 1e9 * seconds;
}

/* By step of the trace: whether it counts for the phase. Where the steps are the profiler's, all do. The caller
 * frees. */
static bool *steps_of_phase(const tt_finding_context *c, const main_phase *p)
{
    const tt_trace *s = c->s;
    bool *chosen = tt_calloc(s->n_steps + (size_t)1, sizeof *chosen);
    for (uint32_t i = 0, k = 0; i < s->n_steps; i++) {
        while (k < p->steps->n && p->steps->at[k].row != s->steps[i].row) k++;
        chosen[i] = s->steps_source == TT_STEPS_PROFILER || (k < p->steps->n && counts(c, p, &p->steps->at[k]));
    }
    return chosen;
}

static roof_cover cover_phase(const tt_finding_context *c, const main_phase *p)
{
    roof_cover x = {0};
    bool *chosen = steps_of_phase(c, p);
    tt_windows windows = tt_windows_of_steps(c->s, chosen);
    tt_query q = *c->q;
    q.windows = &windows;
    for (uint32_t i = 0; i < c->s->n_dev; i++) {
        tt_row r = c->s->dev[i].row;
        if (tt_kind_is_work(tt_row_kind(c->s, r)) && tt_windows_have_dev(&windows, c->s, &c->s->dev[i]))
            x.all_ns += c->s->dur[r];
    }
    if (tt_roofline_any(c->s)) {
        tt_roofline_rows rows = tt_roofline_rows_make(&q);
        for (size_t i = 0; i < rows.n; i++) cover_row(&x, &rows.at[i].work, &c->q->options);
        tt_vec_free(&rows);
    }
    tt_roofline_replays replays = tt_roofline_replays_make(&q);
    for (size_t i = 0; i < replays.n; i++) cover_row(&x, &replays.at[i].work, &c->q->options);
    tt_vec_free(&replays);
    tt_windows_free(&windows);
    free(chosen);
    return x;
}

/* "2.55 TB/s" of 2.55e12 */
static const char *rate_text(tt_finding_context *c, double per_s, const char *giga, const char *tera)
{
    bool large = per_s >= 999.5e9;
    double v = per_s / (large ? 1e12 : 1e9);
    return tt_arena_printf(&c->t->arena, "%.*f %s", v >= 99.95 ? 0 : v >= 9.995 ? 1 : 2, v, large ? tera : giga);
}

static const char *busy_text(tt_finding_context *c, const main_phase *p)
{
    roof_cover x = cover_phase(c, p);
    double covered = tt_pct((double)x.ns, (double)x.all_ns), seconds = (double)x.ns / 1e9;
    double with_shapes = tt_pct((double)(x.ns + x.no_peak_ns), (double)x.all_ns);
    if (!(with_shapes >= COVERED_PCT))
        return tt_arena_printf(
            &c->t->arena,
            "GPU-bound, %.1f%% busy; cannot tell memory-bound from compute-bound: shapes for only %.1f%% of "
            "the GPU time",
            p->busy_pct, with_shapes);
    if (!(covered >= COVERED_PCT))
        return tt_arena_printf(
            &c->t->arena, "GPU-bound, %.1f%% busy; cannot tell memory-bound from compute-bound: no peak for this GPU",
            p->busy_pct);
    bool memory = x.memory_ns * 2 >= x.ns;
    const char *rate = memory ? rate_text(c, x.bytes / seconds, "GB/s", "TB/s")
                              : rate_text(c, x.flops / seconds, "GFLOP/s", "TFLOP/s");
    return tt_arena_printf(&c->t->arena, "%s-bound: %s, %.1f%% of peak over %.1f%% of the GPU time",
                           memory ? "memory" : "compute", rate,
                           memory ? tt_pct(x.bytes, x.peak_bytes) : tt_pct(x.flops, x.peak_flops), covered);
}

static void add_gap(void *arg, const tt_idle_gap *gap)
{
    int64_t *part = arg;
    for (int k = 0; k < TT_WAIT_COUNT_; k++) part[k] += gap->part[k];
}

/* Sum the idle time of all devices by cause, in the time of the phase's steps. */
static void idle_of_phase(const tt_finding_context *c, const main_phase *p, int64_t part[TT_WAIT_COUNT_])
{
    tt_account time = c->account;
    time.time = (tt_ivs){0};
    for (uint32_t i = 0; i < p->steps->n; i++) {
        const tt_engine_step *step = &p->steps->at[i];
        if (!counts(c, p, step) || !step->n) continue;
        int64_t from = step->time == TT_UNKNOWN ? step->device_start : step->device_end - step->time;
        tt_ivs_add(&time.time, from, step->device_end);
    }
    tt_ivs_normalise(&time.time);
    time.ns = tt_ivs_length(&time.time);
    for (uint32_t d = 0; d < c->work->n_devices; d++)
        tt_idle_visit_device(c->q->session, c->q->trace, &time, d, add_gap, part);
    tt_vec_free(&time.time);
}

static const char *idle_text(tt_finding_context *c, const main_phase *p)
{
    int64_t part[TT_WAIT_COUNT_] = {0}, all = 0, host = 0;
    int most = 0;
    idle_of_phase(c, p, part);
    for (int k = 0; k < TT_WAIT_COUNT_; k++) {
        all += part[k];
        if (ON_HOST >> k & 1) host += part[k];
        if (part[k] > part[most]) most = k;
    }
    double idle = 100 - p->busy_pct;
    if (host * 2 < all)
        return tt_arena_printf(&c->t->arena, "GPU idle %.1f%% of the time, mostly %s", idle, tt_wait_text[most]);
    int64_t gap = whole(p, TT_SERVING_GAP_P50);
    if (gap == TT_UNKNOWN) return tt_arena_printf(&c->t->arena, "CPU-bound: the GPU idles %.1f%% of the time", idle);
    return tt_arena_printf(&c->t->arena, "CPU-bound: the GPU idles %.1f%% of the time, %s between steps", idle,
                           tt_finding_ns(c, gap));
}

/* "Decode: 16 steps of 4.9 requests" */
static const char *subject(tt_finding_context *c, const main_phase *p)
{
    char name[32], requests[48] = "";
    double mean = real(p, TT_SERVING_REQUESTS_MEAN);
    int64_t steps = whole(p, TT_SERVING_STEPS);
    snprintf(name, sizeof name, "%s", p->name);
    name[0] = (char)toupper((unsigned char)name[0]);
    if (!isnan(mean)) {
        double tenths = floor(mean * 10 + 0.5);
        snprintf(requests, sizeof requests, " of %.*f request%s", fmod(tenths, 10) == 0 ? 0 : 1, tenths / 10,
                 tenths == 10 ? "" : "s");
    }
    return tt_arena_printf(&c->t->arena, "%s: %" PRId64 " step%s%s", name, steps, steps == 1 ? "" : "s", requests);
}

static const char *limit_text(tt_finding_context *c, const main_phase *p)
{
    if (isnan(p->busy_pct)) return "no GPU work recorded: cannot tell what limits it";
    return p->busy_pct >= BUSY_PCT ? busy_text(c, p) : idle_text(c, p);
}

/* Where to look for more, and what the GPU was taken for. */
static const char *more_text(tt_finding_context *c)
{
    const char *product = c->s->n_devices ? tt_peaks_taken_for(c->s, &c->s->devices[0]) : NULL;
    return tt_arena_printf(&c->t->arena, "Table serving has all phases, table engine_steps every step%s%s",
                           product ? "; the GPU has no name and is taken for " : "", product ? product : "");
}

void tt_find_serving_phase(tt_finding_context *c)
{
    if (c->s->steps_source == TT_STEPS_INFERRED) return;
    main_phase p = find_phase(c);
    if (p.row != TT_NONE) {
        uint32_t row = tt_finding_add(
            c, "info", tt_arena_printf(&c->t->arena, "%s, %s", subject(c, &p), limit_text(c, &p)), more_text(c));
        tt_set_d(c->t, row, TT_FINDING_VALUE_PCT, p.busy_pct);
    }
}

void tt_find_inferred_steps(tt_finding_context *c)
{
    if (c->s->steps_source != TT_STEPS_INFERRED) return;
    main_phase p = find_phase(c);
    const char *anchor = c->s->steps_anchor ? tt_str(&c->s->strings, c->s->steps_anchor) : "the same graph";
    if (p.row != TT_NONE) {
        uint32_t row = tt_finding_add(
            c, "info",
            tt_arena_printf(&c->t->arena, "%" PRIu32 " iterations, inferred (confidence %.1f%%): %s", p.steps->n,
                            c->s->steps_confidence, limit_text(c, &p)),
            tt_arena_printf(
                &c->t->arena,
                "No range names a step. Each iteration runs %s once and copies to the host after it; record "
                "with the engine's annotations to know its phases, requests and tokens",
                anchor));
        tt_set_d(c->t, row, TT_FINDING_VALUE_PCT, c->s->steps_confidence);
    }
}

/* ---- time between steps ---- */

/* Start of the launch of the step's first work; INT64_MAX: not known. */
static int64_t first_launch(const tt_finding_context *c, const main_phase *p, const tt_engine_step *step)
{
    for (uint32_t k = step->first; k < step->first + step->n; k++) {
        const tt_work *w = &c->work->at[p->steps->work[k]];
        if (w->launch != TT_NONE && w->start >= step->device_end - step->time) return c->s->start[w->launch];
    }
    return INT64_MAX;
}

/* Report gaps that the host makes: the work after the gap is launched when the gap has begun. */
void tt_find_host_gap(tt_finding_context *c)
{
    main_phase p = find_phase(c);
    int64_t ns = 0, time = 0;
    for (uint32_t i = 0; p.row != TT_NONE && i < p.steps->n; i++) {
        const tt_engine_step *step = &p.steps->at[i];
        if (!counts(c, &p, step) || step->time == TT_UNKNOWN || !step->n) continue;
        time += step->time;
        if (step->gap == TT_UNKNOWN) continue;
        int64_t launch = first_launch(c, &p, step);
        if (launch != INT64_MAX && launch > step->device_end - step->time) ns += step->gap;
    }
    double pct = time > 0 ? tt_pct((double)ns, (double)time) : 0;
    if (pct > HOST_GAP_PCT) {
        uint32_t row = tt_finding_add(
            c, pct > 30 ? "high" : "medium",
            tt_arena_printf(&c->t->arena,
                            "The GPU waits for the CPU between %s%ssteps: %.1f%% of their time, median %s",
                            strcmp(p.name, "unknown") ? p.name : "", strcmp(p.name, "unknown") ? " " : "", pct,
                            tt_finding_ns(c, whole(&p, TT_SERVING_GAP_P50))),
            "Overlap scheduling with the GPU's work (async scheduling), do less in Python between steps, capture "
            "graphs "
            "for this batch size");
        tt_set_d(c->t, row, TT_FINDING_VALUE_PCT, pct);
    }
}

/* Whether the stepping thread waits for requests in the middle of a pause before a step. */
static bool waits_before(const tt_finding_context *c, const tt_engine_step *step)
{
    const uint32_t kinds = 1u << TT_KIND_PYTHON | 1u << TT_KIND_ANNOTATION;
    int64_t first = (step->n ? step->device_end : step->host_end) - step->time;
    tt_row at = tt_track_slice_at(c->s, tt_row_track(c->s, step->row), first - step->pause / 2, kinds);
    return at != TT_NONE && tt_waits_for_requests(tt_row_name(c->s, at));
}

void tt_find_engine_pause(tt_finding_context *c)
{
    const tt_engine_steps *e = tt_engine_steps_get(c->q->session, c->q->trace);
    int64_t t0 = INT64_MAX, t1 = INT64_MIN, ns = 0, pauses = 0, waits = 0;
    for (uint32_t i = 0; i < e->n; i++) {
        const tt_engine_step *step = &e->at[i];
        if (!tt_query_has(c->q, step->host_start)) continue;
        int64_t from = step->n ? step->device_start : step->host_start,
                to = step->n ? step->device_end : step->host_end;
        if (from < t0) t0 = from;
        if (to > t1) t1 = to;
        if (!step->pause) continue;
        pauses++;
        ns += step->pause;
        waits += waits_before(c, step);
    }
    double pct = t1 > t0 ? tt_pct((double)ns, (double)(t1 - t0)) : 0;
    if (!(pct > PAUSE_PCT)) return;
    const char *why =
        waits * 2 >= pauses ? "waiting for requests" : "cannot tell whether it waited for requests: no Python stacks";
    uint32_t row = tt_finding_add(
        c, "info",
        tt_arena_printf(&c->t->arena, "The engine runs no step for %s in %" PRId64 " pause%s (%.1f%% of the time): %s",
                        tt_finding_ns(c, ns), pauses, pauses == 1 ? "" : "s", pct, why),
        "Send more requests at once to measure the engine at work; record with Python stacks to see what it waits for");
    tt_set_d(c->t, row, TT_FINDING_VALUE_PCT, pct);
}

/* ---- first steps ---- */

typedef struct first_step {
    uint32_t step;      /* index into the engine steps */
    int64_t ns, middle; /* its time on the GPU or the host, and the median of the others */
    bool host;
} first_step;

static int64_t length_of(const tt_engine_step *p, bool host) { return host ? p->host_end - p->host_start : p->busy; }

/* Compare the first step of a phase and batch with at least four others; false: it takes no longer. */
static bool is_warmup(const tt_finding_context *c, const tt_engine_steps *e, uint32_t first, bool host, first_step *out)
{
    TT_VEC(int64_t) others = {0};
    const tt_engine_step *p = &e->at[first];
    for (uint32_t i = first + 1; i < e->n; i++) {
        const tt_engine_step *x = &e->at[i];
        bool alike = x->said.phase == p->said.phase && x->said.number[TT_STEP_BATCH] == p->said.number[TT_STEP_BATCH];
        if (alike && x->complete && tt_query_has(c->q, x->host_start)) *tt_vec_push(&others) = length_of(x, host);
    }
    *out = (first_step){first, length_of(p, host), others.n >= 4 ? tt_median(others.at, others.n) : 0, host};
    tt_vec_free(&others);
    return out->middle > 0 && 2 * out->ns > 3 * out->middle;
}

/* Whether a module is loaded, or a kernel compiled, while the step runs. */
static bool loads_code(const tt_finding_context *c, const tt_engine_step *p)
{
    for (tt_row r = 0; r < c->s->n; r++) {
        tt_kind k = tt_row_kind(c->s, r);
        if (c->s->start[r] < p->host_start || c->s->start[r] >= p->host_end) continue;
        const char *name = tt_row_name(c->s, r);
        if (tt_kind_is_launch(k) && (strstr(name, "ModuleLoad") || strstr(name, "LibraryLoad"))) return true;
        if (tt_kind_is_python(k) && strstr(name, "triton") && strstr(name, "compile")) return true;
    }
    return false;
}

static void say_warmup(tt_finding_context *c, const tt_engine_steps *e, const first_step *f)
{
    const tt_engine_step *p = &e->at[f->step];
    uint32_t row = tt_finding_add(
        c, "info",
        tt_arena_printf(
            &c->t->arena, "Warm-up: the first %s step takes %.1f times the %s time of the others (%s vs %s)%s",
            tt_phase_word(p->said.phase), (double)f->ns / (double)f->middle, f->host ? "CPU" : "GPU",
            tt_finding_ns(c, f->ns), tt_finding_ns(c, f->middle), loads_code(c, p) ? ": compilation or loading" : ""),
        "Exclude it from comparisons (--steps), or start recording a few steps later");
    tt_set_d(c->t, row, TT_FINDING_VALUE_PCT, tt_pct((double)(f->ns - f->middle), (double)tt_finding_steps(c)));
    tt_set_range(c->q, c->t, row, p->host_start, p->device_end > p->host_end ? p->device_end : p->host_end);
}

void tt_finding_engine_warmup(tt_finding_context *c)
{
    const tt_engine_steps *e = tt_engine_steps_get(c->q->session, c->q->trace);
    tt_groups seen;
    tt_groups_init(&seen);
    for (uint32_t i = 0; i < e->n; i++) {
        const tt_engine_step *p = &e->at[i];
        if (!p->complete || p->said.phase == TT_PHASE_CAPTURE || !tt_query_has(c->q, p->host_start)) continue;
        size_t n = seen.key.n;
        (void)tt_groups_put(&seen, (tt_group_key){.a = p->said.phase, .b = (uint64_t)p->said.number[TT_STEP_BATCH]});
        first_step f;
        if (seen.key.n > n && (is_warmup(c, e, i, false, &f) || is_warmup(c, e, i, true, &f))) say_warmup(c, e, &f);
    }
    tt_groups_free(&seen);
}

/* ---- graphs ---- */

/* Report work of graphs that nothing explains, or only an operator around the whole graph. */
void tt_find_graph_unattributed(tt_finding_context *c)
{
    const tt_graphs *g = tt_graphs_get(c->q->session, c->q->trace);
    int64_t all = 0, unknown = 0;
    if (!g->owner || tt_finding_found(c, "graph_capture") != TT_NONE) return;
    for (uint32_t i = 0; i < c->work->n; i++) {
        const tt_work *w = &c->work->at[i];
        const tt_activity *d = &c->s->dev[c->s->detail[w->row]];
        if (!tt_windows_have_dev(c->q->windows, c->s, d)) continue;
        const tt_graph_owner *owner = tt_graph_owner_of(g, d);
        all += w->end - w->start;
        if (owner && (owner->source == TT_GRAPH_NONE || owner->source == TT_GRAPH_LAUNCH)) unknown += w->end - w->start;
    }
    double pct = all > 0 ? tt_pct((double)unknown, (double)all) : 0;
    if (!(pct > UNATTRIBUTED_PCT)) return;
    uint32_t row = tt_finding_add(
        c, "medium",
        tt_arena_printf(&c->t->arena, "Cannot tell which operators take %.1f%% of the %s time: it is spent in graphs",
                        pct, c->s->rules->device),
        "Record the captures of the graphs (vLLM 0.26: capture_torch_profiler; SGLang, ATOM: capture_traces), a second "
        "profile without graphs (--enforce-eager, --disable-cuda-graph) named *-NoGraph*, or graphs with annotations");
    tt_set_d(c->t, row, TT_FINDING_VALUE_PCT, pct);
}

/* ---- steps that do too little ---- */

void tt_find_graph_padding(tt_finding_context *c)
{
    const tt_engine_steps *e = tt_engine_steps_get(c->q->session, c->q->trace);
    double batch = 0, padding = 0;
    for (uint32_t i = 0; i < e->n; i++) {
        const int64_t *n = e->at[i].said.number;
        int64_t tokens = n[TT_STEP_GENERATION_TOKENS];
        if (e->at[i].said.phase != TT_PHASE_DECODE || n[TT_STEP_BATCH] == TT_STEP_UNSAID || tokens == TT_STEP_UNSAID ||
            !e->at[i].complete || !tt_query_has(c->q, e->at[i].host_start))
            continue;
        batch += (double)n[TT_STEP_BATCH];
        if (tokens < n[TT_STEP_BATCH]) padding += (double)(n[TT_STEP_BATCH] - tokens);
    }
    double pct = batch > 0 ? tt_pct(padding, batch) : 0;
    if (!(pct > PADDING_PCT)) return;
    uint32_t row = tt_finding_add(
        c, "medium",
        tt_arena_printf(&c->t->arena, "Graphs of decode steps are padded: %.1f%% of their batch is empty", pct),
        "Capture graphs for batch sizes between those that exist");
    tt_set_d(c->t, row, TT_FINDING_VALUE_PCT, pct);
}

void tt_find_idle_steps(tt_finding_context *c)
{
    const tt_engine_steps *e = tt_engine_steps_get(c->q->session, c->q->trace);
    int64_t all = 0, idle = 0;
    for (uint32_t i = 0; i < e->n; i++) {
        if (!e->at[i].complete || !e->at[i].n || !tt_query_has(c->q, e->at[i].host_start)) continue;
        all++;
        idle += e->at[i].said.phase == TT_PHASE_IDLE;
    }
    double pct = all ? tt_pct((double)idle, (double)all) : 0;
    if (!(pct > IDLE_PCT)) return;
    uint32_t row = tt_finding_add(
        c, "medium",
        tt_arena_printf(&c->t->arena, "%.1f%% of the steps run without a request (%" PRId64 " of %" PRId64 ")", pct,
                        idle, all),
        "Data-parallel ranks run empty to keep pace with the others: balance requests over them");
    tt_set_d(c->t, row, TT_FINDING_VALUE_PCT, pct);
}
