/* model/tables/findings/findings.c - what an experienced person would notice first, each with the number that says
 * so.
 *
 * The rules are listed in findings.def and live by theme in rules_*.c; this file walks them. Limits are those of
 * TensorBoard's plugin where it has them. saving_ns is an upper bound: the time that would be gone if the cause
 * were. What is shown as the evidence is the longest case: the longest wait, the longest gap. */
#include "model/tables/findings/findings.h"
#include "model/tables/analysis/name_class.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *id;
    void (*find)(tt_finding_context *c);
} rules[] = {
#define X(id) {#id, tt_find_##id},
#include "model/tables/findings/findings.def"
#undef X
};

static const tt_column columns[] = {
    COL("id", "Id", STRING, 2, "name of the rule"),
    COL("severity", "Severity", STRING, 1, "high, medium, or info"),
    COL("title", "Finding", STRING, 0, "what was found"),
    COL("detail", "What to do", STRING, 1, "why, and what helps"),
    COL("value_pct", "Value %", PERCENT, 0,
        "the number the rule looks at: share of the step, utilization, share of kernel time, share of memory"),
    COL("saving_ns", "At most", DURATION, 2, "time in scope that would be gone without the cause, at most"),
    COL("start_at_ns", "Start", TIME, 4, "where it begins"),
    COL("end_at_ns", "End", TIME, 4, "where it ends"),
};

uint32_t tt_finding_add(tt_finding_context *c, const char *severity, const char *title, const char *detail)
{
    uint32_t row = tt_table_add(c->t);
    tt_set_ref(c->t, row, TT_FINDING_ID, c->id);
    tt_set_ref(c->t, row, TT_FINDING_SEVERITY, severity);
    tt_set_ref(c->t, row, TT_FINDING_TITLE, title);
    tt_set_ref(c->t, row, TT_FINDING_DETAIL, detail);
    if (c->t0 < c->t1) {
        tt_set_i(c->t, row, TT_FINDING_START, tt_at(c->q, c->t0));
        tt_set_i(c->t, row, TT_FINDING_END, tt_at(c->q, c->t1));
        tt_set_range(c->q, c->t, row, c->t0, c->t1);
    }
    return row;
}

int64_t tt_finding_steps(const tt_finding_context *c)
{
    int64_t sum = 0;
    for (size_t i = 0; i < c->steps.n; i++) sum += c->steps.at[i].total;
    return sum;
}

double tt_finding_share(const tt_finding_context *c, int part, int64_t *ns)
{
    int64_t total = tt_finding_steps(c);
    *ns = 0;
    for (size_t i = 0; i < c->steps.n; i++) *ns += c->steps.at[i].part[part];
    return total > 0 ? 100.0 * (double)*ns / (double)total : 0;
}

void tt_finding_show_longest(const tt_finding_context *c, uint32_t row, tt_time_class role)
{
    const tt_name_classes *names = tt_name_classes_get(c->q->session, c->q->trace);
    tt_row longest = TT_NONE;
    for (tt_row r = 0; r < c->s->n; r++) {
        if (longest != TT_NONE && c->s->dur[r] <= c->s->dur[longest]) continue;
        if (c->s->start[r] < c->t0 || c->s->start[r] >= c->t1 || !tt_query_has_row(c->q, r)) continue;
        if (tt_role_of(c->s, names, r) == role) longest = r;
    }
    if (longest != TT_NONE) tt_set_row(c->q, c->t, row, longest);
}

tt_table *tt_finding_table(const tt_finding_context *c, const char *id)
{
    const tt_session *s = c->q->session;
    tt_scope scope = *c->q->scope;
    tt_options none = {0};
    if (!c->s->n_imported) return NULL;
    for (uint32_t i = 0; i < s->n_workers; i++)
        if (!strcmp(s->workers[i], c->s->worker)) scope.worker = (int32_t)i;
    for (uint32_t i = 0; i < s->n_spans; i++)
        if (!strcmp(s->spans[i], c->s->span)) scope.span = (int32_t)i;
    return tt_table_compute(s, tt_table_find(id), &scope, &none);
}

static tt_cell cell(const tt_table *t, uint32_t row, const char *key, tt_type type)
{
    int col = tt_table_column(t, key);
    return col < 0 ? tt_cell_none(type) : tt_table_cell(t, row, (uint32_t)col);
}

int64_t tt_finding_int(const tt_table *t, uint32_t row, const char *key) { return cell(t, row, key, TT_T_COUNT).i; }
double tt_finding_real(const tt_table *t, uint32_t row, const char *key) { return cell(t, row, key, TT_T_NUMBER).d; }
const char *tt_finding_text(const tt_table *t, uint32_t row, const char *key)
{
    return cell(t, row, key, TT_T_STRING).s;
}

bool tt_finding_is_first(const tt_query *q)
{
    for (uint32_t i = 0; i < q->trace; i++) {
        if (tt_scope_has_store(q->session, q->scope, i)) return false;
    }
    return true;
}

static void compute(const tt_query *q, tt_table *t)
{
    tt_finding_context c = {.q = q, .s = tt_query_store(q), .t = t};
    c.steps = tt_breakdown_make(q);
    c.gpus = tt_gpus_make(q);
    if (c.steps.n) {
        c.t0 = c.steps.at[0].step->start;
        c.t1 = c.steps.at[c.steps.n - 1].step->end;
    }
    for (size_t i = 0; i < COUNT_OF(rules); i++) {
        c.id = rules[i].id;
        rules[i].find(&c);
    }
    if (!t->n_rows) t->note = "nothing stands out";
    tt_vec_free(&c.steps);
    tt_vec_free(&c.gpus);
}

const tt_table_desc tt_table_findings = {
    .id = "findings",
    .title = "Findings",
    .meaning = "what stands out, and what to do about it",
    .cols = columns,
    .n_cols = COUNT_OF(columns),
    .flags = TT_TABLE_DEFAULT,
    .compute = compute,
};
