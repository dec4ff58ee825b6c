/* tui/answers/run_conditions.c - see run_conditions.h. */
#include "tui/answers/run_conditions.h"

#include <string.h>

#include "model/hang/hang.h"
#include "model/tables/registry/registry.h"

/* Whether the condition holds for the dumps; *why: what makes it hold, in the arena. */
static bool hang_is_likely(const tt_hang *h, const char **why, tt_arena *a)
{
    *why = tt_hang_verdict(h, a);
    return h->n_faults && h->faults[0].certainty != TT_HANG_POSSIBLE;
}

static bool hang_is_possible(const tt_hang *h, const char **why, tt_arena *a)
{
    *why = tt_hang_verdict(h, a);
    return h->n_faults > 0;
}

static bool calls_differ(const tt_hang *h, const char **why, tt_arena *a)
{
    *why = tt_arena_printf(a, "%u calls differ between ranks: table hang_mismatches", h->n_mismatches);
    return h->n_mismatches > 0;
}

static const struct {
    const char *name;
    bool (*holds)(const tt_hang *h, const char **why, tt_arena *a); /* NULL: about any run: it has a finding */
} conditions[] = {
    {"hang", hang_is_likely},
    {"hang=possible", hang_is_possible},
    {"mismatch", calls_differ},
    {"findings", NULL},
};
enum { N_CONDITIONS = sizeof conditions / sizeof *conditions };

static int condition_of(const char *name)
{
    int i = 0;
    while (i < N_CONDITIONS && strcmp(conditions[i].name, name) != 0) i++;
    return i;
}

tt_status tt_run_conditions_check(const tt_cli *cli, tt_err *err)
{
    for (uint32_t i = 0; i < cli->fail_ons.n; i++)
        if (condition_of(cli->fail_ons.at[i]) == N_CONDITIONS)
            return tt_fail(err, TT_ERR_USAGE, -1,
                           "--fail-on: '%s' is not one of hang, hang=possible, mismatch, findings; conditions with a "
                           "limit compare two runs: tracetty diff",
                           cli->fail_ons.at[i]);
    return TT_OK;
}

static tt_status no_dumps(const char *option, const char *value, tt_err *err)
{
    return tt_fail(err, TT_ERR_USAGE, -1, "--%s%s%s: is about dumps of a flight recorder, and the input has none",
                   option, *value ? " " : "", value);
}

/* The title of the first finding; NULL = none. */
static const char *first_finding(const tt_session *s, const tt_scope *scope, uint32_t *n)
{
    const tt_table *t = tt_table_get(s, tt_table_find("findings"), scope, NULL);
    *n = t->n_rows;
    return t->n_rows ? tt_table_cell_of(t, 0, "title", TT_T_STRING).s : NULL;
}

static tt_status judge(const char *name, const tt_session *s, const tt_scope *scope, bool *held, tt_arena *a,
                       tt_err *err)
{
    const tt_hang *h = tt_hang_get(s);
    int i = condition_of(name);
    const char *why = NULL;
    uint32_t n;
    bool holds;
    if (conditions[i].holds) {
        if (!h) return no_dumps("fail-on", name, err);
        holds = conditions[i].holds(h, &why, a);
    } else {
        why = first_finding(s, scope, &n);
        holds = why != NULL;
    }
    if (holds) tt_note("--fail-on: %s holds: %s", name, why);
    *held |= holds;
    return TT_OK;
}

tt_status tt_run_conditions_judge(const tt_cli *cli, const tt_session *s, const tt_scope *scope, bool *held,
                                  tt_err *err)
{
    const tt_hang *h = tt_hang_get(s);
    tt_arena a = {0};
    tt_status st = TT_OK;
    *held = false;
    for (uint32_t i = 0; i < cli->fail_ons.n && st == TT_OK; i++)
        st = judge(cli->fail_ons.at[i], s, scope, held, &a, err);
    if (st == TT_OK && cli->value[TT_OPT_REQUIRE_ALL]) {
        const tt_problem *p = h ? &h->problems.of[TT_PROBLEM_MISSING_RANKS] : NULL;
        if (!h) st = no_dumps("require-all", "", err);
        if (p && p->count) tt_note("--require-all: ranks %s left no dump", p->example);
        *held |= p && p->count;
    }
    tt_arena_free(&a);
    return st;
}
