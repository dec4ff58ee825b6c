/* model/tables/compare/diff_causes.c - table diff_causes: the parts of the mean step on both sides, which add up.
 *
 * Medians of parts do not add up to the median of the whole; means do. The parts of a step are those of gpu_time,
 * with the idle time divided by wait cause (idle_causes); if a device did nothing on one side, both sides are
 * divided by the roles of step_breakdown instead. With several workers a step is that of the slowest worker, as in
 * the metric step of diff_summary; with several devices their mean. Sums are divided last and rounded down; the
 * remainder goes to the largest part, so that the parts of a side add up to its mean step to the nanosecond, and the
 * differences to the difference of the mean steps. */
#include <stdlib.h>
#include <string.h>

#include "model/tables/compare/columns.h"
#include "model/tables/compare/step_metrics.h"
#include "model/tables/idle/gpu_time.h"
#include "model/tables/idle/idle_gaps.h"
#include "model/tables/steps/step_breakdown.h"

static const tt_column columns[] = {
    [TT_DIFF_CAUSES_CAUSE] =
        COL("cause", "Cause", STRING, 0,
            "computation, communication_exposed, copy_exposed as in gpu_time; the others: idle time by cause as in "
            "idle_causes. Without GPU work on both sides: parts of step_breakdown"),
    [TT_DIFF_CAUSES_BASE] = COL(
        "base_ns", "Base", DURATION, 0,
        "of the mean step of the base (several workers: in each step the one that takes longest); the parts add up to "
        "it"),
    [TT_DIFF_CAUSES_NEW] = COL("new_ns", "New", DURATION, 0, "of the mean step of the new run"),
    [TT_DIFF_CAUSES_DELTA] =
        COL("delta_ns", "Diff", DURATION, 0, "how much more; together the change of the mean step"),
    [TT_DIFF_CAUSES_SHARE_PCT] =
        COL_ABOVE("share_pct", "Share", 0, "share of the change of the mean step; unknown where that is 0"),
};

enum { COMPUTATION, COMMUNICATION, COPY, IDLE, PARTS = IDLE + TT_WAIT_COUNT_ }; /* parts of a step with device work */
_Static_assert((int)PARTS >= (int)TT_PART_COUNT_, "an array of parts holds the roles, too");

typedef __int128 wide; /* sums over steps, scaled by the least common multiple of the device numbers */

typedef struct part { /* part of one side */
    wide sum;
    int64_t mean;
    bool unknown;
    int64_t most; /* largest amount in one step or gap: the row leads there */
    tt_place place;
} part;

typedef struct side {
    const tt_session *s;
    tt_places places;       /* places of all samples: each sample is that of the slowest worker */
    TT_VEC(uint32_t) first; /* by sample, and the end: first of its places */
    part parts[PARTS];
} side;

static const char *part_name(bool device, uint32_t k)
{
    static const char *const of_device[IDLE] = {"computation", "communication_exposed", "copy_exposed"};
    return !device ? tt_part_key[k] : k < IDLE ? of_device[k] : tt_wait_name[k - IDLE];
}

static void find_places(const tt_matching *m, int which, side *x)
{
    x->s = m->of[which];
    *tt_vec_push(&x->first) = 0;
    for (uint32_t i = 0; i < tt_sample_count(m, which); i++) {
        tt_sample_longest(m, which, i, &x->places);
        *tt_vec_push(&x->first) = (uint32_t)x->places.n;
    }
}

static uint32_t devices_of(const side *x, const tt_place *p) { return tt_device_work_get(x->s, p->trace)->n_devices; }

static bool has_devices(const side *x)
{
    for (size_t i = 0; i < x->places.n; i++)
        if (!devices_of(x, &x->places.at[i])) return false;
    return x->places.n > 0;
}

/* ---- sums ---- */

static void raise(part *p, int64_t ns, const tt_place *at)
{
    if (ns <= p->most) return;
    p->most = ns;
    p->place = *at;
}

static int64_t common_multiple(int64_t a, int64_t b)
{
    int64_t x = a, y = b;
    while (y) {
        int64_t rest = x % y;
        x = y;
        y = rest;
    }
    return a / x * b;
}

static void add_device_parts(side *x, const tt_place *p, int64_t weight)
{
    tt_gpu_time time = {0};
    uint32_t n = devices_of(x, p);
    for (uint32_t i = 0; i < n; i++) tt_gpu_time_in(x->s, p->trace, i, p->t0, p->t1, &time);
    const int64_t busy[IDLE] = {time.computation, time.communication_exposed, time.copy_exposed};
    for (int k = 0; k < IDLE; k++) {
        x->parts[k].sum += (wide)busy[k] * weight;
        raise(&x->parts[k], busy[k] / n, p);
    }
    tt_idle_gaps gaps = tt_idle_gaps_in(x->s, p->trace, &(tt_idle_window){p->t0, p->t1, p->from, p->host});
    for (size_t i = 0; i < gaps.at.n; i++) {
        const tt_idle_gap *g = &gaps.at.at[i];
        for (int k = 0; k < TT_WAIT_COUNT_; k++) {
            x->parts[IDLE + k].sum += (wide)g->part[k] * weight;
            raise(&x->parts[IDLE + k], g->part[k], &(tt_place){p->trace, g->t0, g->t1, p->from, TT_NONE});
        }
    }
    tt_idle_gaps_free(&gaps);
}

/* Sum the places, each weighted with common / its number of devices. Returns common. */
static int64_t add_by_device(side *x)
{
    int64_t common = 1;
    for (size_t i = 0; i < x->places.n; i++) common = common_multiple(common, devices_of(x, &x->places.at[i]));
    for (size_t i = 0; i < x->places.n; i++) {
        const tt_place *p = &x->places.at[i];
        add_device_parts(x, p, common / devices_of(x, p));
    }
    return common;
}

/* Sum all places of a trace in one pass. */
static void add_by_role(side *x, uint32_t trace)
{
    const tt_time_classes *roles = tt_time_classes_get(x->s, trace);
    tt_ivs at = {0};
    for (size_t i = 0; i < x->places.n; i++)
        if (x->places.at[i].trace == trace) *tt_vec_push(&at) = (tt_iv){x->places.at[i].t0, x->places.at[i].t1};
    tt_step_parts *of = tt_calloc(at.n + 1, sizeof *of);
    if (at.n) tt_breakdown_of(x->s, trace, at.at, at.n, of);
    for (int k = 0; at.n && k < TT_PART_COUNT_; k++) {
        x->parts[k].unknown |= !tt_part_known(roles, k);
        for (size_t i = 0; i < at.n; i++) {
            x->parts[k].sum += of[i].part[k];
            raise(&x->parts[k], of[i].part[k], &(tt_place){trace, at.at[i].t0, at.at[i].t1, at.at[i].t0, TT_NONE});
        }
    }
    free(of);
    tt_vec_free(&at);
}

static void find_means(side *x, bool device)
{
    wide all = 0, number = x->first.n > 1 ? (wide)(x->first.n - 1) : 1;
    int64_t given = 0;
    part *largest = &x->parts[0];
    if (device)
        number *= add_by_device(x);
    else
        for (uint32_t i = 0; i < x->s->n_traces; i++) add_by_role(x, i);
    for (part *p = x->parts; p < x->parts + PARTS; p++) {
        p->mean = (int64_t)(p->sum / number);
        all += p->sum;
        given += p->mean;
        if (p->sum > largest->sum) largest = p;
    }
    largest->mean += (int64_t)(all / number) - given;
}

/* ---- rows ---- */

typedef struct line {
    const part *of[TT_SIDES];
    int64_t delta;
    uint32_t order;
    const char *name;
} line;

static int by_difference(const void *a, const void *b)
{
    const line *x = a, *y = b;
    int64_t dx = llabs(x->delta), dy = llabs(y->delta);
    if (dx != dy) return dx > dy ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

static void lead_to(const tt_session *s, const part *p, tt_drilldown *o)
{
    if (p->most <= 0) return;
    int64_t offset = s->offset_ns[p->place.trace];
    *o = (tt_drilldown){
        .what = TT_DRILL_RANGE, .trace = p->place.trace, .t0 = p->place.t0 + offset, .t1 = p->place.t1 + offset};
}

static void put_line(const side sides[TT_SIDES], const line *l, int64_t whole, tt_table *t)
{
    uint32_t row = tt_table_add(t);
    bool unknown = false;
    tt_set_ref(t, row, TT_DIFF_CAUSES_CAUSE, l->name);
    for (uint32_t k = 0; k < TT_SIDES; k++) {
        unknown |= l->of[k]->unknown;
        if (!l->of[k]->unknown) tt_set_i(t, row, TT_DIFF_CAUSES_BASE + k, l->of[k]->mean);
    }
    lead_to(sides[TT_BASE].s, l->of[TT_BASE], tt_set_base_drilldown(t, row));
    lead_to(sides[TT_NEW].s, l->of[TT_NEW], tt_set_drilldown(t, row));
    if (unknown) return;
    tt_set_i(t, row, TT_DIFF_CAUSES_DELTA, l->delta);
    if (whole) tt_set_d(t, row, TT_DIFF_CAUSES_SHARE_PCT, 100.0 * (double)l->delta / (double)whole);
}

/* Write the rows; idle causes and roles with no time on either side get none. */
static void put_rows(const side sides[TT_SIDES], bool device, tt_table *t)
{
    line lines[PARTS];
    uint32_t n = 0;
    int64_t whole = 0;
    for (uint32_t k = 0; k < (device ? (uint32_t)PARTS : (uint32_t)TT_PART_COUNT_); k++) {
        const part *b = &sides[TT_BASE].parts[k], *a = &sides[TT_NEW].parts[k];
        bool always = device && k < IDLE;
        if (!always && !b->sum && !a->sum) continue;
        lines[n++] = (line){.of = {b, a}, .delta = a->mean - b->mean, .order = k, .name = part_name(device, k)};
        whole += a->mean - b->mean;
    }
    qsort(lines, n, sizeof *lines, by_difference);
    for (uint32_t i = 0; i < n; i++) put_line(sides, &lines[i], whole, t);
}

static void free_side(side *x)
{
    tt_vec_free(&x->places);
    tt_vec_free(&x->first);
}

/* Find the places of all samples on both sides. False: in some sample of a side no device worked. */
static bool find_sides(const tt_matching *m, side sides[TT_SIDES])
{
    for (int k = 0; k < TT_SIDES; k++) find_places(m, k, &sides[k]);
    return has_devices(&sides[TT_BASE]) && has_devices(&sides[TT_NEW]);
}

int64_t *tt_cause_samples(const tt_matching *m, int which, const char *cause)
{
    side sides[TT_SIDES] = {0}, *x = &sides[which];
    bool device = find_sides(m, sides), known = true;
    uint32_t n = (uint32_t)x->first.n - 1, k = 0, parts = device ? (uint32_t)PARTS : (uint32_t)TT_PART_COUNT_;
    int64_t *samples = tt_calloc((size_t)n + 1, sizeof *samples);
    while (k < parts && strcmp(part_name(device, k), cause) != 0) k++;
    for (uint32_t i = 0; k < parts && i < n; i++) { /* a single sample is its own mean */
        side one = {.s = x->s};
        *tt_vec_push(&one.first) = 0;
        for (uint32_t p = x->first.at[i]; p < x->first.at[i + 1]; p++) *tt_vec_push(&one.places) = x->places.at[p];
        *tt_vec_push(&one.first) = (uint32_t)one.places.n;
        find_means(&one, device);
        samples[i] = one.parts[k].mean;
        known = known && !one.parts[k].unknown;
        free_side(&one);
    }
    for (int i = 0; i < TT_SIDES; i++) free_side(&sides[i]);
    if (k < parts && known) return samples;
    free(samples);
    return NULL;
}

static void compute(const tt_query *q, tt_table *t)
{
    const tt_comparison *c = q->options.compare;
    if (!c) return;
    tt_matching m = tt_matching_make(q->session, q->scope, c);
    side sides[TT_SIDES] = {0};
    bool device = find_sides(&m, sides);
    for (int k = 0; k < TT_SIDES; k++) find_means(&sides[k], device);
    if (sides[TT_BASE].places.n && sides[TT_NEW].places.n)
        put_rows(sides, device, t);
    else
        t->note = "No data of both runs in this scope";
    for (int k = 0; k < TT_SIDES; k++) free_side(&sides[k]);
    tt_matching_free(&m);
}

const tt_table_desc tt_table_diff_causes = {
    .id = "diff_causes",
    .title = "Why it changed",
    .meaning = "the parts of the mean step in two runs: their changes add up to that of the mean step",
    .cols = columns,
    .n_cols = COUNT_OF(columns),
    .flags = TT_TABLE_COMPARE | TT_TABLE_ALL_TRACES,
    .note = TT_NOTHING_TO_COMPARE,
    .compute = compute,
};
