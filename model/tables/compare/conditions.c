/* model/tables/compare/conditions.c - conditions are judged on the tables of differences, so that they agree with
 * the tables; rows that are summed are summed step by step before the judgement. */
#include "model/tables/compare/conditions.h"
#include "model/tables/compare/tables.h"
#include "model/tables/devices/tables.h"
#include "model/tables/findings/tables.h"
#include "model/tables/operators/tables.h"

#include <stdlib.h>
#include <string.h>

#include "model/tables/cells.h"
#include "model/tables/compare/columns.h"
#include "model/tables/compare/step_metrics.h"
#include "model/tables/findings/claims/columns.h"
#include "model/text/short_name.h"

typedef struct judge {
    tt_session *of[TT_SIDES];
    const tt_comparison *compare;
    const tt_matching *m;
    tt_condition *c;
} judge;

static bool enough_steps(const tt_matching *m)
{
    return m->per_step && m->n_samples[TT_BASE] >= TT_CONDITION_STEPS && m->n_samples[TT_NEW] >= TT_CONDITION_STEPS;
}

/* Judge known values: is the difference more than the limit, and more than noise? */
static void decide(tt_condition *c)
{
    c->delta_pct = c->base > 0 ? 100.0 * (double)c->delta / (double)c->base : NAN;
    bool more = c->percent ? 100.0 * (double)c->delta > c->pct * (double)c->base : c->delta > c->limit;
    bool noise = !c->verdict || !strcmp(c->verdict, "same") || !strcmp(c->verdict, "unclear");
    c->held = c->delta > 0 && more && !(c->noise_known && noise);
}

/* Judge samples, n_samples per side, as rows of tables are judged. */
static tt_change change_of(const judge *j, int64_t *base, int64_t *now, const char **verdict)
{
    tt_change x;
    tt_change_of(base, j->m->n_samples[TT_BASE], now, j->m->n_samples[TT_NEW], j->compare->confidence,
                 j->compare->min_effect, &x);
    tt_change_of_row(&x, tt_matching_median_step(j->m, TT_BASE));
    *verdict = tt_verdict_name[x.verdict];
    return x;
}

/* ---- a row of diff_summary or diff_causes ---- */

static uint32_t row_of(const tt_table *t, const char *key, const char *name)
{
    for (uint32_t r = 0; r < t->n_rows; r++) {
        const char *have = tt_table_cell_of(t, r, key, TT_T_STRING).s;
        if (have && !strcmp(have, name)) return r;
    }
    return TT_NONE;
}

/* Take the values of a row: times, or bytes if it has no times. */
static bool take_values(const tt_table *t, uint32_t row, tt_condition *c)
{
    static const char *const keys[][3] = {{"base_ns", "new_ns", "delta_ns"},
                                          {"base_bytes", "new_bytes", "delta_bytes"}};
    for (int i = 0; i < 2; i++) {
        c->type = i ? TT_T_BYTES : TT_T_DURATION;
        c->base = tt_table_cell_of(t, row, keys[i][0], c->type).i;
        c->now = tt_table_cell_of(t, row, keys[i][1], c->type).i;
        c->delta = tt_table_cell_of(t, row, keys[i][2], c->type).i;
        if (c->base != TT_UNKNOWN || c->now != TT_UNKNOWN) return true;
    }
    return false;
}

/* Verdict of a cause from its samples: the difference itself is one of means, which add up. */
static const char *cause_verdict(const judge *j, const char *cause)
{
    const char *verdict = NULL;
    if (!j->m->per_step) return NULL;
    int64_t *base = tt_cause_samples(j->m, TT_BASE, cause), *now = tt_cause_samples(j->m, TT_NEW, cause);
    if (base && now) change_of(j, base, now, &verdict);
    free(base);
    free(now);
    return verdict;
}

static tt_condition_answer judge_row(judge *j, const tt_table *t, uint32_t row)
{
    tt_condition *c = j->c;
    int verdict = tt_table_column(t, "verdict");
    if (!take_values(t, row, c)) return TT_CONDITION_NO_METRIC;
    if (!c->percent && c->limit_type != c->type) return TT_CONDITION_WRONG_UNIT;
    if (verdict >= 0)
        c->verdict = tt_table_cell(t, row, (uint32_t)verdict).s;
    else
        c->verdict = cause_verdict(j, tt_cell_s(t, row, TT_DIFF_CAUSES_CAUSE));
    c->noise_known = enough_steps(j->m);
    if (c->base != TT_UNKNOWN && c->now != TT_UNKNOWN && c->delta != TT_UNKNOWN) decide(c);
    return TT_CONDITION_JUDGED;
}

static tt_condition_answer judge_named(judge *j, const char *name)
{
    static const struct {
        const tt_table_desc *table;
        const char *key;
    } tables[] = {{&tt_table_diff_summary, "metric"}, {&tt_table_diff_causes, "cause"}};
    tt_options o = {.compare = j->compare};
    for (int i = 0; i < 2; i++) {
        const tt_table *t = tt_table_get(j->of[TT_NEW], tables[i].table, &j->m->scope[TT_NEW], &o);
        uint32_t row = row_of(t, tables[i].key, name);
        if (row != TT_NONE) return judge_row(j, t, row);
    }
    return TT_CONDITION_NO_METRIC;
}

static tt_condition_answer judge_metric(judge *j)
{
    static const char *const also[][2] = {
        {"communication", "communication_exposed"}, {"copy", "copy_exposed"}, {"memory", "peak_memory"}};
    tt_condition_answer answer = judge_named(j, j->c->name);
    for (size_t i = 0; i < sizeof also / sizeof *also && answer == TT_CONDITION_NO_METRIC; i++)
        if (!strcmp(j->c->name, also[i][0])) answer = judge_named(j, also[i][1]);
    return answer;
}

/* ---- sums of rows ---- */

typedef struct sum { /* sum of one side */
    int64_t *samples;
    int64_t total; /* sum over the run */
    bool any;      /* some name contains the text */
} sum;

static bool has_name(const judge *j, const char *name, tt_arena *texts)
{
    if (!name) return false;
    bool kernel = j->c->about == TT_CONDITION_KERNEL, named = kernel || j->c->about == TT_CONDITION_OPERATOR;
    if (j->compare->short_names && named) name = tt_brief_name(texts, name, kernel);
    return strcasestr(name, j->c->name) != NULL;
}

static sum sum_of(const judge *j, int side, const tt_table_desc *d, const char *main_time)
{
    const tt_matching *m = j->m;
    tt_step_sums by_step = {0};
    tt_options o = {0};
    tt_arena texts = {0};
    uint32_t **sample_of = tt_matching_sample_of(m, side), n;
    sum x = {.samples = tt_calloc((size_t)m->n_samples[side] + 1, sizeof *x.samples)};
    tt_table *t = tt_table_compute_by_step(j->of[side], d, &m->scope[side], &o, &by_step);
    for (uint32_t r = 0; r < t->n_rows; r++) {
        const uint32_t *sample = sample_of[tt_step_sums_part(&by_step, r)->trace];
        if (!sample || !has_name(j, tt_table_cell_of(t, r, "name", TT_T_STRING).s, &texts)) continue;
        int64_t total = tt_table_cell_of(t, r, main_time, TT_T_DURATION).i;
        x.any = true;
        if (total != TT_UNKNOWN) x.total += total;
        const tt_step_cell *cells = tt_step_sums_of(&by_step, r, &n);
        for (uint32_t i = 0; i < n; i++) {
            if (sample[cells[i].step] != TT_NONE) x.samples[sample[cells[i].step]] += cells[i].ns;
        }
    }
    for (uint32_t i = 0; i < m->n_samples[side]; i++) x.samples[i] /= (int64_t)m->workers.n;
    for (uint32_t i = 0; i < m->of[side]->n_traces; i++) free(sample_of[i]);
    free(sample_of);
    tt_table_free(t);
    tt_step_sums_free(&by_step);
    tt_arena_free(&texts);
    return x;
}

static tt_condition_answer judge_rows(judge *j)
{
    tt_condition *c = j->c;
    bool kernels = c->about == TT_CONDITION_KERNEL;
    const tt_table_desc *d = kernels ? &tt_table_kernels : &tt_table_operators;
    sum of[TT_SIDES];
    for (int side = 0; side < TT_SIDES; side++) of[side] = sum_of(j, side, d, kernels ? "total_ns" : "host_total_ns");
    bool any = of[TT_BASE].any || of[TT_NEW].any;
    c->type = TT_T_DURATION;
    if (j->m->per_step) {
        tt_change change = change_of(j, of[TT_BASE].samples, of[TT_NEW].samples, &c->verdict);
        c->base = change.base;
        c->now = change.now;
        c->delta = change.delta;
        c->noise_known = enough_steps(j->m);
    } else {
        c->base = of[TT_BASE].total;
        c->now = of[TT_NEW].total;
        c->delta = c->now - c->base;
    }
    for (int side = 0; side < TT_SIDES; side++) free(of[side].samples);
    if (!any) return TT_CONDITION_NO_METRIC;
    if (!c->percent && c->limit_type != c->type) return TT_CONDITION_WRONG_UNIT;
    decide(c);
    return TT_CONDITION_JUDGED;
}

/* ---- findings ---- */

static bool counts(const tt_table *t, uint32_t row)
{
    const char *severity = tt_cell_s(t, row, TT_FINDING_SEVERITY);
    return *severity && strcmp(severity, "info") != 0;
}

static int64_t of_rule(const tt_table *t, const char *id)
{
    int64_t n = 0;
    for (uint32_t r = 0; r < t->n_rows; r++) n += counts(t, r) && !strcmp(tt_cell_s(t, r, TT_FINDING_ID), id);
    return n;
}

static tt_condition_answer judge_findings(judge *j)
{
    tt_condition *c = j->c;
    const tt_table_desc *d = &tt_table_findings;
    const tt_table *t[TT_SIDES];
    tt_options o = {0};
    if (c->percent || c->limit_type != TT_T_COUNT) return TT_CONDITION_WRONG_UNIT;
    for (int side = 0; side < TT_SIDES; side++) t[side] = tt_table_get(j->of[side], d, &j->m->scope[side], &o);
    c->type = TT_T_COUNT;
    c->base = c->now = c->delta = 0;
    for (uint32_t r = 0; r < t[TT_BASE]->n_rows; r++) c->base += counts(t[TT_BASE], r);
    for (uint32_t r = 0; r < t[TT_NEW]->n_rows; r++) {
        const char *id = tt_cell_s(t[TT_NEW], r, TT_FINDING_ID);
        if (!counts(t[TT_NEW], r)) continue;
        c->now++;
        bool first = true; /* count each rule once, at its first row */
        for (uint32_t k = 0; k < r && first; k++)
            first = !counts(t[TT_NEW], k) || strcmp(tt_cell_s(t[TT_NEW], k, TT_FINDING_ID), id) != 0;
        int64_t more = first ? of_rule(t[TT_NEW], id) - of_rule(t[TT_BASE], id) : 0;
        if (more > 0) c->delta += more;
    }
    decide(c);
    return TT_CONDITION_JUDGED;
}

tt_condition_answer tt_condition_judge(tt_session *new_run, const tt_comparison *compare, const tt_matching *m,
                                       tt_condition *c)
{
    judge j = {.of = {compare->base, new_run}, .compare = compare, .m = m, .c = c};
    c->base = c->now = c->delta = TT_UNKNOWN;
    c->delta_pct = NAN;
    c->verdict = NULL;
    c->noise_known = c->held = false;
    switch (c->about) {
    case TT_CONDITION_METRIC: return judge_metric(&j);
    case TT_CONDITION_FINDINGS: return judge_findings(&j);
    default: return judge_rows(&j);
    }
}
