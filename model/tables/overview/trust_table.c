/* model/tables/overview/trust_table.c - collects the checks of a recording, and fills table trust. */
#include "model/tables/overview/trust.h"

#include <stdlib.h>
#include <string.h>

#include "model/tables/overview/trust_checks.h"
#include "model/tables/table_util.h"

const char *const tt_trust_level_name[] = {"ok", "warn", "bad"};

static void add_up(tt_trust_facts *all, const tt_trust_facts *f)
{
    all->work += f->work;
    all->orphans += f->orphans;
    all->early += f->early;
    all->zero += f->zero;
    all->brief += f->brief;
    all->work_ns += f->work_ns;
    all->outside_ns += f->outside_ns;
    all->calls += f->calls;
    all->lost_calls += f->lost_calls;
    all->host_calls |= f->host_calls;
    all->occupancy_ns += f->occupancy_ns;
    all->occupancy_zero_ns += f->occupancy_zero_ns;
    all->steps += f->steps;
    all->cut_steps += f->cut_steps;
}

/* Move checks of this verdict to the front, keeping their order. */
static void worst_first(tt_trust *t)
{
    tt_trust_check *in = tt_malloc((t->checks.n + 1) * sizeof *in);
    size_t n = 0;
    if (t->checks.n) memcpy(in, t->checks.at, t->checks.n * sizeof *in);
    for (int v = TT_TRUST_BAD; v >= TT_TRUST_OK; v--) {
        for (size_t i = 0; i < t->checks.n; i++) {
            if ((int)in[i].verdict == v) t->checks.at[n++] = in[i];
        }
    }
    free(in);
}

tt_trust tt_trust_make(const tt_session *s, const tt_scope *scope)
{
    static void (*const check[])(tt_trust_context *) = {
#define X(name) tt_trust_check_##name,
#include "model/tables/overview/trust.def"
#undef X
    };
    tt_trust out = {0};
    tt_trust_context c = {.s = s, .scope = scope, .out = &out};
    c.traces = tt_malloc((s->n_traces + (size_t)1) * sizeof *c.traces);
    c.of = tt_malloc((s->n_traces + (size_t)1) * sizeof *c.of);
    for (uint32_t i = 0; i < s->n_traces; i++) {
        if (!tt_scope_has_trace(s, scope, i)) continue;
        c.traces[c.n_traces] = i;
        c.of[c.n_traces] = tt_trust_count(s->traces[i]);
        add_up(&c.all, &c.of[c.n_traces++]);
    }
    for (size_t i = 0; c.n_traces && i < sizeof check / sizeof *check; i++) check[i](&c);
    worst_first(&out);
    for (size_t i = 0; i < out.checks.n; i++) out.doubts += out.checks.at[i].verdict != TT_TRUST_OK;
    free(c.traces);
    free(c.of);
    return out;
}

void tt_trust_free(tt_trust *t)
{
    tt_vec_free(&t->checks);
    tt_arena_free(&t->arena);
}

/* ---- the table ---- */

enum { CHECK, VERDICT, EVIDENCE, AFFECTS };

static const tt_column columns[] = {
    COL("check", "Check", STRING, 0, "what is checked; a check that cannot apply to the trace is left out"),
    COL("verdict", "Verdict", STRING, 0,
        "ok; warn: some numbers are off or mean something else; bad: something is missing that totals need"),
    COL("evidence", "Evidence", STRING, 0, "the numbers that the verdict rests on"),
    COL("affects", "Affects", STRING, 1, "numbers and screens that suffer from it"),
};

static void compute(const tt_query *q, tt_table *t)
{
    tt_trust trust = tt_trust_make(q->session, q->scope);
    for (size_t i = 0; i < trust.checks.n; i++) {
        const tt_trust_check *k = &trust.checks.at[i];
        uint32_t row = tt_table_add(t);
        tt_set_ref(t, row, CHECK, k->check);
        tt_set_ref(t, row, VERDICT, tt_trust_level_name[k->verdict]);
        tt_set_s(t, row, EVIDENCE, k->evidence);
        tt_set_s(t, row, AFFECTS, k->affects);
        if (k->drilldown.what != TT_DRILL_NONE) *tt_set_drilldown(t, row) = k->drilldown;
    }
    tt_trust_free(&trust);
}

const tt_table_desc tt_table_trust = {
    .id = "trust",
    .title = "Trust",
    .meaning = "whether the recording can be believed: what was lost, cut, rounded or slowed down by recording it",
    .cols = columns,
    .n_cols = COUNT_OF(columns),
    .flags = TT_TABLE_ALL_TRACES,
    .compute = compute,
};
