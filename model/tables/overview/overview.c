/* model/tables/overview/overview.c - tables event_types, distribution and throughput: Paddle's overview of a run. */
#include "model/base/bisect.h"
#include "model/base/interval_set.h"
#include "model/base/run/parallel.h"
#include "model/tables/analysis/calls/call_order.h"
#include "model/tables/analysis/device/stages.h"
#include "model/tables/analysis/names/name_class.h"
#include "model/tables/overview/columns.h"
#include "model/tables/steps/step_breakdown.h"
#include "model/tables/table_util.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- event_types ---- */

static const tt_column type_columns[] = {
    [TT_EVENT_TYPES_TYPE] =
        COL("type", "Type", STRING, 0,
            "category as the trace spells it; ProfileStep: the profiler steps; Communication: collectives, which their "
            "category counts too"),
    [TT_EVENT_TYPES_SIDE] = COL("side", "Side", STRING, 0, "host or device"),
    [TT_EVENT_TYPES_CALLS] = COL("calls", "Calls", COUNT, 0, "events; of stages the outermost"),
    [TT_EVENT_TYPES_TIME] =
        COL("time_ns", "Time", DURATION, 0,
            "time with such an event on any thread or stream: union; of stages the sum of the outermost"),
    [TT_EVENT_TYPES_RATIO_PCT] = COL("ratio_pct", "%", PERCENT, 0, "share of the time of the steps"),
};

/* types after the at most 255 categories: steps, and communication of host and device on top of its category */
enum { STEP_TYPE = 255, HOST_COMM, DEVICE_COMM, TYPES };

typedef struct type_stat {
    tt_ivs busy;
    int64_t calls, sum;
    bool is_stage;
    tt_kind kind;
    int type;
} type_stat;
typedef TT_VEC(type_stat) type_stats;

static const char *type_name(const tt_trace *s, int type)
{
    if (type == STEP_TYPE) return "ProfileStep";
    return type > STEP_TYPE ? "Communication" : tt_str(&s->strings, s->cats[type].name);
}

static bool is_stage_kind(tt_kind k)
{
    return k == TT_KIND_DATALOADER || k == TT_KIND_FORWARD || k == TT_KIND_BACKWARD || k == TT_KIND_OPTIMIZATION;
}

static void add_slice(type_stat *x, tt_kind kind, int64_t start, int64_t end)
{
    x->calls++;
    x->kind = kind;
    tt_ivs_extend(&x->busy, start, end);
}

/* The category, or the first category of equal spelling on its side: modules have a category of their own. */
static int type_of(const tt_trace *s, int cat)
{
    const tt_category *c = &s->cats[cat];
    for (int i = 0; i < cat; i++)
        if (s->cats[i].name == c->name && tt_kind_is_device(s->cats[i].kind) == tt_kind_is_device(c->kind)) return i;
    return cat;
}

typedef struct types_build {
    const tt_query *q;
    const tt_name_classes *names;
    const int *type_of_cat;
    type_stat *types;
    type_stats *of_track; /* types of each track */
    tt_ivs **sets;        /* by type: busy intervals of each track that has it */
    size_t *n_sets;
} types_build;

/* The statistics of a type on a track. place: by type its index + 1. */
static type_stat *stat_of(type_stats *list, uint16_t *offset, int type)
{
    if (!offset[type]) {
        *tt_vec_push(list) = (type_stat){.type = type};
        offset[type] = (uint16_t)list->n;
    }
    return &list->at[offset[type] - 1];
}

static void add_track(void *arg, size_t task)
{
    const types_build *b = arg;
    const tt_query *q = b->q;
    const tt_trace *s = tt_query_trace(q);
    const tt_track *track = &s->tracks[task];
    type_stats types = {0};
    uint16_t offset[TYPES] = {0};
    for (tt_row r = track->first; r < track->first + track->n; r++) {
        tt_kind k = tt_row_kind(s, r);
        if (!tt_query_has_row(q, r) || is_stage_kind(k) || k == TT_KIND_DERIVED || k == TT_KIND_UNFINISHED) continue;
        int64_t start = s->start[r], end = tt_row_end(s, r);
        int comm = tt_kind_is_device(k) ? DEVICE_COMM : HOST_COMM;
        int type = k == TT_KIND_STEP ? STEP_TYPE : b->type_of_cat[s->cat[r]];
        if (k != TT_KIND_COMMUNICATION) add_slice(stat_of(&types, offset, type), k, start, end);
        if (tt_role_of(s, b->names, r) == TT_TIME_COMMUNICATION)
            add_slice(stat_of(&types, offset, comm), k, start, end);
    }
    b->of_track[task] = types;
}

/* Join one type over all tracks. */
static void join_type(void *arg, size_t type)
{
    const types_build *b = arg;
    for (size_t i = 0; i < b->n_sets[type]; i++) tt_ivs_normalise(&b->sets[type][i]);
    b->types[type].busy = tt_ivs_unite(b->sets[type], b->n_sets[type]);
    free(b->sets[type]);
}

static void join_tracks(types_build *b, uint32_t n)
{
    size_t have[TYPES] = {0};
    tt_ivs *sets[TYPES] = {0};
    for (uint32_t i = 0; i < n; i++)
        for (size_t k = 0; k < b->of_track[i].n; k++) have[b->of_track[i].at[k].type]++;
    for (int type = 0; type < TYPES; type++) {
        if (have[type]) sets[type] = tt_malloc(have[type] * sizeof *sets[type]);
        have[type] = 0;
    }
    for (uint32_t i = 0; i < n; i++) {
        for (size_t k = 0; k < b->of_track[i].n; k++) {
            const type_stat *from = &b->of_track[i].at[k];
            type_stat *x = &b->types[from->type];
            x->calls += from->calls;
            x->kind = from->kind;
            sets[from->type][have[from->type]++] = from->busy;
        }
        tt_vec_free(&b->of_track[i]);
    }
    b->sets = sets;
    b->n_sets = have;
    tt_parallel(tt_threads(), TYPES, join_type, b);
}

static void add_tracks(const tt_query *q, const int *type_of_cat, type_stat *types)
{
    uint32_t n = tt_query_trace(q)->n_tracks;
    types_build b = {
        .q = q, .names = tt_name_classes_get(q->session, q->trace), .type_of_cat = type_of_cat, .types = types};
    b.of_track = tt_calloc(n + (size_t)1, sizeof *b.of_track);
    tt_parallel(tt_threads(), n, add_track, &b);
    join_tracks(&b, n);
    free(b.of_track);
}

static void add_stages(const tt_query *q, type_stat *types)
{
    const tt_trace *s = tt_query_trace(q);
    const tt_stages *st = tt_stages_get(q->session, q->trace);
    for (uint32_t i = 0; i < st->n; i++) {
        tt_row r = st->at[i].row;
        if (!is_stage_kind(tt_row_kind(s, r)) || !tt_query_has(q, s->start[r])) continue;
        type_stat *x = &types[s->cat[r]];
        x->is_stage = true;
        x->kind = tt_row_kind(s, r);
        x->calls++;
        x->sum += s->dur[r];
    }
}

/* By type: when a walk through the calls first meets its device work; UINT64_MAX = never. */
static void first_met(const tt_query *q, const int *type_of_cat, uint64_t first[TYPES])
{
    const tt_trace *s = tt_query_trace(q);
    const tt_call_order *calls = tt_call_order_get(q->session, q->trace);
    /* rank by row; a launch has the rank of its parent; TT_NONE = none */
    uint32_t *rank = tt_calloc(s->n + 1u, sizeof *rank);
    for (uint32_t i = 0; i < calls->n; i++) rank[calls->row[i]] = i;
    for (tt_row r = 0; r < s->n; r++)
        if (tt_kind_is_launch(tt_row_kind(s, r))) rank[r] = s->parent[r] == TT_NONE ? TT_NONE : rank[s->parent[r]];
    for (uint32_t i = 0; i < s->n_dev; i++) {
        const tt_activity *d = &s->dev[i];
        if (d->launch == TT_NONE || rank[d->launch] == TT_NONE) continue;
        uint64_t at = (uint64_t)rank[d->launch] << 32 | d->launch, *to = &first[type_of_cat[s->cat[d->row]]];
        if (at < *to) *to = at;
    }
    free(rank);
}

/* Sort the types as they were computed: steps and the last ones; or device types as the calls meet them, with
 * communication last. */
static void order_types(const tt_query *q, const int *type_of_cat, int order[TYPES])
{
    uint64_t first[TYPES];
    for (int i = 0; i < TYPES; i++) {
        order[i] = TYPES - 1 - i;
        first[i] = UINT64_MAX;
    }
    if (tt_query_trace(q)->rules->tie != TT_TIE_FIRST_CALL) return;
    first_met(q, type_of_cat, first);
    for (int i = 1; i < TYPES; i++) { /* insertion sort: few are out of order */
        for (int k = i; k > 0 && first[order[k]] < first[order[k - 1]]; k--) {
            int swap = order[k];
            order[k] = order[k - 1];
            order[k - 1] = swap;
        }
    }
    for (int i = 0, out = 0, comm = -1; i < TYPES; i++) { /* move communication to the end */
        if (order[i] == DEVICE_COMM) {
            comm = i;
        } else {
            order[out++] = order[i];
        }
        if (i == TYPES - 1 && comm >= 0) order[out] = DEVICE_COMM;
    }
}

/* Length of a set for its share of the steps: cut to the steps only if it exceeds them. */
static int64_t length_for_share(const tt_ivs *set, const tt_ivs *steps)
{
    int64_t length = tt_ivs_length(set);
    if (length <= tt_ivs_length(steps)) return length;
    tt_ivs inside = tt_ivs_intersect(set, steps);
    length = tt_ivs_length(&inside);
    tt_vec_free(&inside);
    return length;
}

static void compute_types(const tt_query *q, tt_table *t)
{
    const tt_trace *s = tt_query_trace(q);
    type_stat *types = tt_calloc(TYPES, sizeof *types);
    tt_ivs steps = tt_steps_union(s, q->windows);
    int64_t length = tt_ivs_length(&steps);
    int type_of_cat[256], order[TYPES];
    for (uint32_t i = 0; i < s->n_cats; i++) type_of_cat[i] = type_of(s, (int)i);
    add_tracks(q, type_of_cat, types);
    add_stages(q, types);
    order_types(q, type_of_cat, order);
    for (int k = 0; k < TYPES; k++) {
        int i = order[k];
        type_stat *x = &types[i];
        if (x->calls) {
            int64_t time = x->is_stage ? x->sum : tt_ivs_length(&x->busy);
            uint32_t row = tt_table_add(t);
            tt_set_ref(t, row, TT_EVENT_TYPES_TYPE, type_name(s, i));
            tt_set_ref(t, row, TT_EVENT_TYPES_SIDE, tt_kind_is_device(x->kind) ? "device" : "host");
            tt_set_i(t, row, TT_EVENT_TYPES_CALLS, x->calls);
            tt_set_i(t, row, TT_EVENT_TYPES_TIME, time);
            int64_t part = tt_kind_is_device(x->kind) ? length_for_share(&x->busy, &steps) : time;
            tt_set_d(t, row, TT_EVENT_TYPES_RATIO_PCT, tt_pct((double)part, (double)length));
            tt_set_slices(q, t, row, 1u << x->kind, NULL);
        }
        tt_vec_free(&x->busy);
    }
    if (!t->n_rows) t->note = "No slices in this scope";
    tt_vec_free(&steps);
    free(types);
}

const tt_table_desc tt_table_event_types = {
    .id = "event_types",
    .title = "Event types",
    .meaning = "how many events of each category there are, and how much of the steps they cover",
    .cols = type_columns,
    .n_cols = COUNT_OF(type_columns),
    .default_sort = "time_ns",
    .default_desc = true,
    .compute = compute_types,
};

/* ---- distribution ---- */

static const tt_column distribution_columns[] = {
    [TT_DISTRIBUTION_NAME] =
        COL("name", "Part", STRING, 0, "ProfileStep, Communication, Computation, and Overlap of the two"),
    [TT_DISTRIBUTION_TOTAL] = COL("total_ns", "Total", DURATION, 0, "time with it on any stream or thread: union"),
    [TT_DISTRIBUTION_RATIO_PCT] =
        COL("ratio_pct", "%", PERCENT, 0, "share of the time of the steps; cut to them where it would exceed them"),
};

static void put_part(tt_table *t, const char *name, const tt_ivs *set, const tt_ivs *steps)
{
    uint32_t row = tt_table_add(t);
    tt_set_ref(t, row, TT_DISTRIBUTION_NAME, name);
    tt_set_i(t, row, TT_DISTRIBUTION_TOTAL, tt_ivs_length(set));
    tt_set_d(t, row, TT_DISTRIBUTION_RATIO_PCT,
             tt_pct((double)length_for_share(set, steps), (double)tt_ivs_length(steps)));
}

static void compute_distribution(const tt_query *q, tt_table *t)
{
    const tt_trace *s = tt_query_trace(q);
    const tt_time_classes *roles = tt_time_classes_get(q->session, q->trace);
    if (!roles->has_communication) {
        t->note = "No communication in this trace";
        return;
    }
    tt_ivs window = {0}, steps_host = {0};
    for (uint32_t i = 0; i < s->n_steps; i++) {
        const tt_step *p = &s->steps[i];
        if (!tt_step_shown(q, p)) continue;
        tt_ivs_add(&window, p->start, p->end);
        tt_ivs_add(&steps_host, p->host_start, p->host_end);
    }
    bool by_launch = s->rules->work_counts_by_launch;
    bool whole = by_launch && q->windows->everything;
    if (whole) tt_ivs_add(&window, INT64_MIN / 2, INT64_MAX / 2);
    tt_ivs_normalise(&window);
    tt_ivs_normalise(&steps_host);
    const tt_ivs *all = by_launch ? &steps_host : &window;
    tt_ivs work = tt_ivs_intersect(&roles->of[roles->has_work ? TT_TIME_KERNEL : TT_TIME_CPU], &window);
    tt_ivs comm = tt_ivs_intersect(&roles->of[TT_TIME_COMMUNICATION], &window);
    tt_ivs both = tt_ivs_intersect(&work, &comm);
    put_part(t, "ProfileStep", all, all);
    put_part(t, "Communication", &comm, all);
    put_part(t, "Computation", &work, all);
    put_part(t, "Overlap", &both, all);
    tt_vec_free(&window);
    tt_vec_free(&steps_host);
    tt_vec_free(&work);
    tt_vec_free(&comm);
    tt_vec_free(&both);
}

const tt_table_desc tt_table_distribution = {
    .id = "distribution",
    .title = "Distribution",
    .meaning = "communication, computation and their overlap, over all steps",
    .cols = distribution_columns,
    .n_cols = COUNT_OF(distribution_columns),
    .compute = compute_distribution,
};

/* ---- throughput ---- */

static const tt_column throughput_columns[] = {
    [TT_THROUGHPUT_NAME] =
        COL("name", "Metric", STRING, 0,
            "reader_cost: waiting for data in a step; batch_cost: a step; ips: instances (or steps) per second"),
    [TT_THROUGHPUT_MEAN] =
        COL_MIXED("mean", "Mean", 0, "mean over the steps in scope; of ips: all instances / all time"),
    [TT_THROUGHPUT_MAX] = COL_MIXED("max", "Max", 0, "of one step"),
    [TT_THROUGHPUT_MIN] = COL_MIXED("min", "Min", 0, "of one step"),
    [TT_THROUGHPUT_UNIT] = COL("unit", "Unit", STRING, 0, "unit of the values"),
    [TT_THROUGHPUT_READER_RATIO_PCT] = COL("reader_ratio_pct", "Reader %", PERCENT, 1, "reader_cost / batch_cost"),
};

static uint32_t put_metric(tt_table *t, const char *name, double mean, double max, double min, const char *unit)
{
    uint32_t row = tt_table_add(t);
    tt_set_ref(t, row, TT_THROUGHPUT_NAME, name);
    tt_set_d(t, row, TT_THROUGHPUT_MEAN, mean);
    tt_set_d(t, row, TT_THROUGHPUT_MAX, max);
    tt_set_d(t, row, TT_THROUGHPUT_MIN, min);
    tt_set_ref(t, row, TT_THROUGHPUT_UNIT, unit);
    return row;
}

/* Samples of a step that ended at `end`, reported by the program through tracetty_step(); -1 = none. */
static double samples_of(const tt_trace *s, const tt_series *told, int64_t start, int64_t end)
{
    uint32_t lo = told->first, hi = told->first + told->n;
    TT_BISECT(lo, hi, i, s->samples[i].ts <= start);
    return lo < told->first + told->n && s->samples[lo].ts <= end ? s->samples[lo].value : -1;
}

static const tt_series *told_samples(const tt_trace *s)
{
    for (uint32_t i = 0; i < s->n_series; i++) {
        if (!strcmp(tt_str(&s->strings, s->series[i].name), "samples in step")) return &s->series[i];
    }
    return NULL;
}

typedef struct rate { /* rate in instances per second */
    double all, ns, max, min;
} rate;

static void add_rate(rate *r, double samples, int64_t ns)
{
    double one = samples * 1e9 / (double)ns;
    if (!r->ns || one > r->max) r->max = one;
    if (!r->ns || one < r->min) r->min = one;
    r->all += samples;
    r->ns += (double)ns;
}

static void compute_throughput(const tt_query *q, tt_table *t)
{
    const tt_trace *s = tt_query_trace(q);
    const tt_stages *st = tt_stages_get(q->session, q->trace);
    int64_t *reader = tt_calloc(s->n_steps + 1u, sizeof *reader);
    tt_stat batch = {0}, read = {0};
    const tt_series *told = q->options.samples_per_step > 0 ? NULL : told_samples(s);
    rate ips = {0};
    for (uint32_t i = 0; i < st->n; i++)
        if (st->at[i].stage == TT_STAGE_DATALOADER && st->at[i].step != TT_NONE)
            reader[st->at[i].step] += s->dur[st->at[i].row];
    for (uint32_t i = 0; i < s->n_steps; i++) {
        const tt_step *p = &s->steps[i];
        if (p->row == TT_NONE || p->host_end <= p->host_start || !tt_windows_have_step(q->windows, p)) continue;
        tt_stat_add(&batch, p->host_end - p->host_start);
        tt_stat_add(&read, reader[i]);
        double samples = told ? samples_of(s, told, p->host_start, p->host_end) : -1;
        if (samples >= 0) add_rate(&ips, samples, p->host_end - p->host_start);
    }
    free(reader);
    if (!batch.n) {
        tt_note_advice(t, "no profiler steps in this trace or scope",
                       tt_advice_of(tt_query_trace(q)->rules)->mark_steps);
        return;
    }
    double n = (double)batch.n, samples = q->options.samples_per_step;
    const char *unit = samples > 0 ? "samples/s" : "steps/s";
    double each = samples > 0 ? samples : 1;
    if (st->seen[TT_STAGE_DATALOADER]) {
        uint32_t row = put_metric(t, "reader_cost", (double)read.total / n / 1e9, (double)read.max / 1e9,
                                  (double)read.min / 1e9, "s");
        tt_set_d(t, row, TT_THROUGHPUT_READER_RATIO_PCT, tt_pct((double)read.total, (double)batch.total));
    }
    put_metric(t, "batch_cost", (double)batch.total / n / 1e9, (double)batch.max / 1e9, (double)batch.min / 1e9, "s");
    if (ips.ns > 0) {
        put_metric(t, "ips", ips.all * 1e9 / ips.ns, ips.max, ips.min, "samples/s");
        return;
    }
    put_metric(t, "ips", each * n * 1e9 / (double)batch.total, each * 1e9 / (double)batch.min,
               each * 1e9 / (double)batch.max, unit);
}

const tt_table_desc tt_table_throughput = {
    .id = "throughput",
    .title = "Throughput",
    .meaning =
        "cost of reading and of a step, and steps or samples per second, from the lengths of the steps on the CPU",
    .cols = throughput_columns,
    .n_cols = COUNT_OF(throughput_columns),
    .compute = compute_throughput,
};
