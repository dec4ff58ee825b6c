/* model/tables/findings/rules/rules_cluster.c - rules of table findings that compare ranks, pipeline stages and
 * links of a run, from what profilers of accelerators record for each rank.
 *
 * The first trace in scope speaks for its whole span, whichever worker is chosen. Limits are those of MindInsight,
 * for slow_rank those of msprof-analyze. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/group_by.h"
#include "model/tables/communication/cluster_steps.h"
#include "model/tables/findings/rules/rules.h"
#include "model/tables/imported_rows.h"

enum { COMPUTING, EXPOSED, FREE, RECEIVE, COLLECTIVE, N_TIMES };
static const char *const time_keys[N_TIMES] = {"computing_ns", "not_overlapped_ns", "free_ns", "bubble_ns",
                                               "collective_ns"};

typedef struct rank_times { /* times of a rank: means over its steps, or the average that its profiler stored */
    uint32_t trace;
    int64_t rank, stage; /* stage: 0 where the run has no stages */
    tt_stat of[N_TIMES];
} rank_times;

typedef struct cluster {
    TT_VEC(rank_times) ranks;
    int64_t stages, ranks_each; /* 1 stage when nothing says otherwise */
} cluster;

static bool is_average(const tt_imported *of, uint32_t row, tt_table *t)
{
    const char *step = tt_imported_cell(of, row, "step", TT_T_STRING, t).s;
    return step && !strcmp(step, "average");
}

/* Add the times of a rank: only the stored average if it exists and is asked for; else the other rows. */
static void add_times(tt_finding_context *c, const tt_imported *of, bool stored, rank_times *x)
{
    bool any = false;
    for (uint32_t r = 0; r < of->n_rows && !any; r++) any = stored && is_average(of, r, c->t);
    for (uint32_t r = 0; r < of->n_rows; r++) {
        if (is_average(of, r, c->t) != any) continue;
        for (int k = 0; k < N_TIMES; k++) {
            int64_t v = tt_imported_cell(of, r, time_keys[k], TT_T_DURATION, c->t).i;
            if (v != TT_UNKNOWN) tt_stat_add(&x->of[k], v);
        }
    }
}

static bool of_this_span(const tt_finding_context *c, uint32_t trace)
{
    return !strcmp(c->q->session->traces[trace]->span, c->s->span);
}

/* Ranks of the run with times of their steps. The caller frees `ranks`. */
static cluster cluster_find(tt_finding_context *c)
{
    const tt_session *s = c->q->session;
    cluster x = {.stages = 1};
    if (!tt_pipeline_stages(s, &x.stages, &x.ranks_each)) x.stages = 1, x.ranks_each = INT64_MAX;
    for (uint32_t i = 0; i < s->n_traces; i++) {
        const tt_imported *of = tt_trace_imported(s->traces[i], "cluster_steps");
        int64_t rank = s->traces[i]->rank >= 0 ? s->traces[i]->rank : i;
        if (!of || !of_this_span(c, i)) continue;
        rank_times t = {.trace = i, .rank = rank, .stage = rank / x.ranks_each};
        add_times(c, of, true, &t);
        if (t.of[COMPUTING].n && t.of[EXPOSED].n) *tt_vec_push(&x.ranks) = t;
    }
    return x;
}

static int64_t mean_of(const rank_times *r, int k) { return r->of[k].n ? tt_stat_mean(&r->of[k]) : TT_UNKNOWN; }

/* ---- slow_rank ---- */

static const char *const bottlenecks[] =
    {[COMPUTING] = "Computing", [EXPOSED] = "Exposed communication", [FREE] = "Free time"};

typedef struct spread { /* a time over the ranks of one stage */
    const rank_times *most, *least;
    int64_t ns;
    double pct; /* percentage of the mean step */
} spread;

static spread spread_of(const cluster *x, int64_t stage, int k)
{
    spread w = {0};
    int64_t n = 0;
    double step = 0;
    for (size_t i = 0; i < x->ranks.n; i++) {
        const rank_times *r = &x->ranks.at[i];
        if (r->stage != stage) continue;
        n++;
        for (int p = COMPUTING; p <= FREE; p++) step += r->of[p].n ? (double)mean_of(r, p) : 0;
        if (mean_of(r, k) == TT_UNKNOWN) return (spread){0};
        if (!w.most || mean_of(r, k) > mean_of(w.most, k)) w.most = r;
        if (!w.least || mean_of(r, k) < mean_of(w.least, k)) w.least = r;
    }
    if (n < 2 || step <= 0) return (spread){0};
    w.ns = mean_of(w.most, k) - mean_of(w.least, k);
    w.pct = 100.0 * (double)w.ns / (step / (double)n);
    return w;
}

void tt_find_slow_rank(tt_finding_context *c)
{
    if (!tt_query_is_first(c->q)) return;
    cluster x = cluster_find(c);
    for (int k = COMPUTING; k <= FREE; k++) {
        spread worst = {0};
        for (int64_t stage = 0; stage < x.stages && x.ranks.n > 1; stage++) {
            spread w = spread_of(&x, stage, k);
            if (w.pct > worst.pct) worst = w;
        }
        if (worst.pct <= 5) continue;
        uint32_t row = tt_finding_add(
            c, worst.pct > 20 ? "high" : "medium",
            tt_arena_printf(&c->t->arena,
                            "Slow rank: %s differs by %.2f ms (%.1f%% of the step) between ranks: rank %" PRId64
                            " has most, rank %" PRId64 " least",
                            bottlenecks[k], (double)worst.ns / 1e6, worst.pct, worst.most->rank, worst.least->rank),
            k == COMPUTING
                ? "Balance the work: equal batches and shapes on every rank, and check the clock of that device"
            : k == EXPOSED ? "The rank with least communication is last to arrive: compare its compute and "
                             "idle time with the others"
                           : "Compare its CPU activity meanwhile: input, launches, Python; bind its process to "
                             "CPUs near the device");
        tt_set_d(c->t, row, TT_FINDING_VALUE_PCT, worst.pct);
    }
    tt_vec_free(&x.ranks);
}

/* ---- a value a rank, against the mean of the ranks ---- */

typedef struct rank_value {
    int64_t rank;
    double v;
} rank_value;
typedef TT_VEC(rank_value) rank_values;

static double mean_value(const rank_values *l)
{
    double sum = 0;
    for (size_t i = 0; i < l->n; i++) sum += l->at[i].v;
    return l->n ? sum / (double)l->n : 0;
}

static const rank_value *extreme(const rank_values *l, bool largest)
{
    const rank_value *x = NULL;
    for (size_t i = 0; i < l->n; i++)
        if (!x || (largest ? l->at[i].v > x->v : l->at[i].v < x->v)) x = &l->at[i];
    return x;
}

/* Gap in the mean step of a trace; TT_UNKNOWN. */
static int64_t mean_gap(tt_finding_context *c, const tt_trace *s)
{
    const tt_imported *parts = tt_trace_imported(s, "step_trace_summary");
    const tt_imported *steps = tt_trace_imported(s, "step_trace");
    tt_stat gap = {0};
    for (uint32_t r = 0; parts && r < parts->n_rows; r++) {
        const char *part = tt_imported_cell(parts, r, "part", TT_T_STRING, c->t).s;
        if (part && !strcmp(part, "gap")) return tt_imported_cell(parts, r, "mean_ns", TT_T_DURATION, c->t).i;
    }
    for (uint32_t r = 0; steps && r < steps->n_rows; r++) {
        int64_t v = tt_imported_cell(steps, r, "gap_ns", TT_T_DURATION, c->t).i;
        if (v != TT_UNKNOWN) tt_stat_add(&gap, v);
    }
    return gap.n ? tt_stat_mean(&gap) : TT_UNKNOWN;
}

void tt_find_slow_rank_gap(tt_finding_context *c)
{
    const tt_session *s = c->q->session;
    rank_values gaps = {0};
    if (s->n_traces < 2 || !tt_query_is_first(c->q)) return;
    for (uint32_t i = 0; i < s->n_traces; i++) {
        int64_t gap = of_this_span(c, i) ? mean_gap(c, s->traces[i]) : TT_UNKNOWN;
        if (gap != TT_UNKNOWN)
            *tt_vec_push(&gaps) = (rank_value){s->traces[i]->rank >= 0 ? s->traces[i]->rank : i, (double)gap};
    }
    double mean = mean_value(&gaps);
    const rank_value *most = extreme(&gaps, true);
    double excess = mean > 0 ? 100 * (most->v - mean) / mean : 0;
    if (gaps.n > 1 && excess > 20) {
        uint32_t row = tt_finding_add(c, "medium",
                                      tt_arena_printf(&c->t->arena,
                                                      "Slow rank: the step gap of rank %" PRId64
                                                      " is %.1f%% above the mean of the ranks (%.2f ms, mean %.2f ms)",
                                                      most->rank, excess, most->v / 1e6, mean / 1e6),
                                      "Compare its input pipeline with that of another rank: storage, processors, the "
                                      "size of its part of the data");
        tt_set_d(c->t, row, TT_FINDING_VALUE_PCT, excess);
    }
    tt_vec_free(&gaps);
}

/* Values above 0 of a numeric fact, over all traces of the span. */
static rank_values facts(tt_finding_context *c, const char *key)
{
    const tt_session *s = c->q->session;
    rank_values l = {0};
    for (uint32_t i = 0; i < s->n_traces; i++) {
        const char *text = of_this_span(c, i) ? tt_trace_meta(s->traces[i], key) : NULL;
        char *end;
        double v = text ? strtod(text, &end) : 0;
        if (text && end != text && v > 0 && v < 1e300)
            *tt_vec_push(&l) = (rank_value){s->traces[i]->rank >= 0 ? s->traces[i]->rank : i, v};
    }
    return l;
}

void tt_find_slow_rank_flops(tt_finding_context *c)
{
    if (c->q->session->n_traces < 2 || !tt_query_is_first(c->q)) return;
    rank_values speeds = facts(c, "gflops_per_s");
    double mean = mean_value(&speeds);
    const rank_value *least = extreme(&speeds, false);
    double below = mean > 0 ? 100 * (mean - least->v) / mean : 0;
    if (speeds.n > 1 && below > 20) {
        uint32_t row =
            tt_finding_add(c, "medium",
                           tt_arena_printf(&c->t->arena,
                                           "Slow rank: rank %" PRId64
                                           " computes %.1f%% slower than the mean of the ranks (%.4g GFLOP/s, "
                                           "mean %.4g)",
                                           least->rank, below, least->v, mean),
                           "Check the clock, temperature and other users of its device, and that its shapes "
                           "are those of the other ranks");
        tt_set_d(c->t, row, TT_FINDING_VALUE_PCT, below);
    }
    tt_vec_free(&speeds);
}

void tt_find_unbalanced_stages(tt_finding_context *c)
{
    int64_t stages, each;
    if (!tt_query_is_first(c->q) || !tt_pipeline_stages(c->q->session, &stages, &each)) return;
    rank_values flops = facts(c, "flops"), of_stage = {0};
    for (size_t i = 0; i < flops.n; i++) { /* ranks of a stage all compute the same amount: take their mean */
        int64_t stage = flops.at[i].rank / each;
        size_t known = 0, n = 0;
        double sum = 0;
        for (size_t k = 0; k < flops.n; k++)
            if (flops.at[k].rank / each == stage) sum += flops.at[k].v, n++;
        while (known < of_stage.n && of_stage.at[known].rank != stage) known++;
        if (known == of_stage.n) *tt_vec_push(&of_stage) = (rank_value){stage, sum / (double)n};
    }
    double mean = mean_value(&of_stage);
    const rank_value *most = extreme(&of_stage, true);
    double excess = mean > 0 ? 100 * (most->v - mean) / mean : 0;
    if (of_stage.n > 1 && excess > 20) {
        uint32_t row = tt_finding_add(c, excess > 50 ? "high" : "medium",
                                      tt_arena_printf(&c->t->arena,
                                                      "Unbalanced pipeline: stage %" PRId64
                                                      " computes %.1f%% more operations than the mean of the "
                                                      "stages",
                                                      most->rank, excess),
                                      "Move layers from it to the other stages, so that all stages take as long");
        tt_set_d(c->t, row, TT_FINDING_VALUE_PCT, excess);
    }
    tt_vec_free(&flops);
    tt_vec_free(&of_stage);
}

/* ---- shares of communication ---- */

/* Sum of a time over the mean steps of the ranks of a stage (-1 = of all ranks), as a percentage of computation and
 * exposed communication; 0 when no rank knows it. */
static double share(const cluster *x, int64_t stage, int k)
{
    int64_t n = 0;
    double part = 0, all = 0;
    for (size_t i = 0; i < x->ranks.n; i++) {
        const rank_times *r = &x->ranks.at[i];
        if ((stage >= 0 && r->stage != stage) || !r->of[k].n) continue;
        n++;
        part += (double)mean_of(r, k);
        all += (double)mean_of(r, COMPUTING) + (double)mean_of(r, EXPOSED);
    }
    return n && all > 0 ? 100 * part / all : 0;
}

void tt_find_pipeline_between_stages(tt_finding_context *c)
{
    if (!tt_query_is_first(c->q)) return;
    cluster x = cluster_find(c);
    double v = share(&x, -1, RECEIVE);
    if (v > 10) {
        uint32_t row = tt_finding_add(
            c, v > 30 ? "high" : "medium",
            tt_arena_printf(&c->t->arena,
                            "Pipeline bubbles: %.1f%% of the step time is spent receiving from other "
                            "stages",
                            v),
            "Use more micro batches, divide the layers more evenly among the stages, or use fewer stages");
        tt_set_d(c->t, row, TT_FINDING_VALUE_PCT, v);
    }
    tt_vec_free(&x.ranks);
}

void tt_find_communication_in_stage(tt_finding_context *c)
{
    int64_t worst = 0;
    double most = 0;
    if (!tt_query_is_first(c->q)) return;
    cluster x = cluster_find(c);
    for (int64_t stage = 0; stage < x.stages; stage++) {
        double v = share(&x, stage, COLLECTIVE);
        if (v > most) most = v, worst = stage;
    }
    if (most > 10) {
        const char *in = x.stages > 1 ? tt_arena_printf(&c->t->arena, " in pipeline stage %" PRId64, worst) : "";
        uint32_t row =
            tt_finding_add(c, most > 30 ? "high" : "medium",
                           tt_arena_printf(&c->t->arena,
                                           "Exposed collectives: %.1f%% of the step time%s is communication within "
                                           "the stage",
                                           most, in),
                           "Shard less within the stage (operator or tensor parallelism), fuse gradients "
                           "(all_reduce_fusion_config), or overlap them with the backward pass");
        tt_set_d(c->t, row, TT_FINDING_VALUE_PCT, most);
    }
    tt_vec_free(&x.ranks);
}

/* ---- links ---- */

typedef struct link { /* links of one kind, as one rank measured them */
    const char *transport;
    int64_t rank, src, dst;
    double bytes, ns;
} link;

typedef struct link_list {
    TT_VEC(link) at;
    tt_groups groups;
    tt_strings transports;
} link_list;

static void add_links(tt_finding_context *c, const tt_imported *of, link_list *l)
{
    for (uint32_t r = 0; r < of->n_rows; r++) {
        const char *transport = tt_imported_cell(of, r, "transport", TT_T_STRING, c->t).s;
        int64_t rank = tt_imported_cell(of, r, "rank", TT_T_COUNT, c->t).i;
        int64_t src = tt_imported_cell(of, r, "src", TT_T_COUNT, c->t).i;
        int64_t dst = tt_imported_cell(of, r, "dst", TT_T_COUNT, c->t).i;
        int64_t bytes = tt_imported_cell(of, r, "size_bytes", TT_T_BYTES, c->t).i;
        int64_t ns = tt_imported_cell(of, r, "transit_ns", TT_T_DURATION, c->t).i;
        if (!transport || src == TT_UNKNOWN || dst == TT_UNKNOWN || src == dst || bytes < 0 || ns <= 0) continue;
        if (is_average(of, r, c->t)) continue;
        tt_sid id = tt_strings_put(&l->transports, transport, strlen(transport));
        uint64_t ends = (uint64_t)(uint32_t)src << 32 | (uint32_t)dst;
        uint32_t at = tt_groups_put(&l->groups, (tt_group_key){ends, (uint64_t)rank, id});
        if (at == l->at.n) *tt_vec_push(&l->at) = (link){transport, rank, src, dst, 0, 0};
        l->at.at[at].bytes += (double)bytes;
        l->at.at[at].ns += (double)ns;
    }
}

static double speed(const link *x) { return x->bytes / x->ns; } /* bytes per ns = GB/s */

/* The slowest link of a transport, and the mean of its links. */
static const link *slowest(const link_list *l, const char *transport, double *mean)
{
    const link *x = NULL;
    size_t n = 0;
    *mean = 0;
    for (size_t i = 0; i < l->at.n; i++) {
        const link *y = &l->at.at[i];
        if (strcmp(y->transport, transport) != 0) continue;
        *mean += speed(y);
        n++;
        if (!x || speed(y) < speed(x)) x = y;
    }
    *mean /= n ? (double)n : 1;
    return x;
}

static void report_link(tt_finding_context *c, const link *x, double mean)
{
    double below = 100 * (mean - speed(x)) / mean;
    const char *who = x->rank == TT_UNKNOWN || x->rank == x->src || x->rank == x->dst
                          ? ""
                          : tt_arena_printf(&c->t->arena, ", measured by rank %" PRId64, x->rank);
    uint32_t row =
        tt_finding_add(c, "medium",
                       tt_arena_printf(&c->t->arena,
                                       "Slow link: %s from %" PRId64 " to %" PRId64 " has %.2f GB/s, %.1f%% below "
                                       "the mean of its type (%.2f GB/s)%s",
                                       x->transport, x->src, x->dst, speed(x), below, mean, who),
                       "Check this link and what else uses it; small transfers are slow on any link: compare "
                       "the sizes in table cluster_links");
    tt_set_d(c->t, row, TT_FINDING_VALUE_PCT, below);
}

void tt_find_slow_link(tt_finding_context *c)
{
    const tt_session *s = c->q->session;
    link_list l = {0};
    if (!tt_query_is_first(c->q)) return;
    tt_groups_init(&l.groups);
    tt_strings_init(&l.transports);
    for (uint32_t i = 0; i < s->n_traces; i++) {
        const tt_imported *of = of_this_span(c, i) ? tt_trace_imported(s->traces[i], "cluster_links") : NULL;
        if (of) add_links(c, of, &l);
    }
    for (uint32_t k = 1; k < l.transports.text.n; k++) { /* 0 is the empty text */
        double mean;
        const link *x = slowest(&l, tt_str(&l.transports, k), &mean);
        if (x && mean > 0 && speed(x) < 0.8 * mean) report_link(c, x, mean);
    }
    tt_vec_free(&l.at);
    tt_groups_free(&l.groups);
    tt_strings_free(&l.transports);
}
