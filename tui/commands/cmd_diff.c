/* tui/commands/cmd_diff.c - `tracetty diff BASE NEW`: load both runs, say which workers match, print the tables of
 * differences. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/tables/cells.h"
#include "model/tables/compare/columns.h"
#include "model/tables/registry/registry.h"
#include "tui/answers/print_tables.h"
#include "tui/app/explore.h"
#include "tui/args/compare_options.h"
#include "tui/args/fail_on.h"
#include "tui/commands/commands.h"
#include "tui/output/compared.h"

typedef struct diff {
    tt_print print;
    tt_compare_options options;
    tt_session *of[TT_SIDES]; /* both may be the same session */
    tt_matching matching;
    tt_compared compared;
    TT_VEC(tt_condition) conditions;
    bool failed; /* a condition held */
} diff;

enum { HELD = 1 }; /* exit status when a condition of --fail-on held */
static const char *const side_names[] = {"BASE", "NEW"};

/* Print what a person must know about the matching of workers and steps. */
static void say_what_meets(const diff *d)
{
    const tt_matching *m = &d->matching;
    for (int side = 0; side < TT_SIDES; side++) {
        const char *path = d->options.path[side];
        for (size_t i = 0; i < m->unmatched[side].n; i++)
            tt_warn("worker '%s' of %s (%s) has no partner and is left out", m->unmatched[side].at[i], side_names[side],
                    path);
        if (d->options.compare.per_run) continue;
        if (!m->n_samples[side] && !m->summary)
            tt_warn("%s (%s) has no complete steps: totals of the runs are compared", side_names[side], path);
        if (m->slow_first[side] && m->per_step)
            tt_note("the first step of %s (%s) takes more than 1.5 x the median: --skip 1 leaves it out",
                    side_names[side], path);
    }
    if (m->summary && !d->options.compare.per_run)
        tt_note("summaries (.tts) are of whole recordings: totals of the runs are compared");
    if (m->per_step && (m->n_samples[TT_BASE] < 4 || m->n_samples[TT_NEW] < 4))
        tt_note("%u steps against %u are too few to tell a change from noise: record more steps, at least 4 a side",
                m->n_samples[TT_BASE], m->n_samples[TT_NEW]);
}

static const tt_table *table_of(const diff *d, const char *id)
{
    return tt_table_get(d->print.session, tt_table_find(id), &d->print.sel.scope, &d->print.sel.options);
}

static tt_status parse_conditions(diff *d, tt_err *err)
{
    const tt_cli_values *given = &d->print.cli->fail_ons;
    for (uint32_t i = 0; i < given->n; i++)
        TT_TRY(tt_fail_on_parse(given->at[i], &d->print.arena, tt_vec_push(&d->conditions), err));
    return TT_OK;
}

/* Fail for a metric that neither run has; list the metrics that they have. */
static tt_status unknown_metric(const diff *d, const tt_condition *c, tt_err *err)
{
    enum { WORDS = 64 };
    const char *words[WORDS], *where = c->about == TT_CONDITION_KERNEL ? "kernel" : "operator";
    char list[600] = "";
    uint32_t n = 0;
    if (c->about != TT_CONDITION_METRIC)
        return tt_fail(err, TT_ERR_USAGE, -1, "--fail-on: '%s': neither run has a%s %s whose name contains '%s'",
                       c->text, *where == 'o' ? "n" : "", where, c->name);
    const tt_table *metrics = table_of(d, "diff_summary"), *causes = table_of(d, "diff_causes");
    for (uint32_t r = 0; r < metrics->n_rows && n < WORDS; r++)
        words[n++] = tt_cell_s(metrics, r, TT_DIFF_SUMMARY_METRIC);
    for (uint32_t r = 0; r < causes->n_rows && n < WORDS; r++) words[n++] = tt_cell_s(causes, r, TT_DIFF_CAUSES_CAUSE);
    const char *close = tt_closest(c->name, words, n);
    if (close)
        return tt_fail(err, TT_ERR_USAGE, -1, "--fail-on: neither run has a metric '%s'; did you mean '%s'?", c->name,
                       close);
    for (uint32_t i = 0; i < n; i++) tt_word_add(list, sizeof list, words[i]);
    return tt_fail(err, TT_ERR_USAGE, -1,
                   "--fail-on: neither run has a metric '%s'; there are %s, kernel:TEXT, operator:TEXT, findings",
                   c->name, list);
}

static tt_status judge_conditions(diff *d, tt_err *err)
{
    for (size_t i = 0; i < d->conditions.n; i++) {
        tt_condition *c = &d->conditions.at[i];
        switch (tt_condition_judge(d->print.session, &d->options.compare, &d->matching, c)) {
        case TT_CONDITION_NO_METRIC: return unknown_metric(d, c, err);
        case TT_CONDITION_WRONG_UNIT:
            return tt_fail(err, TT_ERR_USAGE, -1, "--fail-on: '%s': the limit is %s, as in %s", c->text,
                           c->type == TT_T_BYTES ? "a percentage or a size" : "a percentage or a time",
                           c->type == TT_T_BYTES ? "5% or 100MiB" : "5% or 2ms");
        case TT_CONDITION_JUDGED: break;
        }
        d->failed = d->failed || c->held;
    }
    return TT_OK;
}

/* Print on stderr, in every format, the conditions that held and those that could not be judged. */
static void say_conditions(const diff *d)
{
    for (size_t i = 0; i < d->conditions.n; i++) {
        const tt_condition *c = &d->conditions.at[i];
        char *values = tt_condition_values(c, d->print.sel.unit);
        if (c->held)
            tt_note("--fail-on: %s holds: %s", c->text, values);
        else if (c->delta == TT_UNKNOWN)
            tt_warn("--fail-on: %s cannot be judged: %s", c->text, values);
        else if (!c->noise_known && c->about != TT_CONDITION_FINDINGS)
            tt_note("--fail-on: %s does not hold: %s", c->text, values);
        free(values);
    }
}

/* Put the caveat about p below the first table that needs it. */
static void remark(diff *d)
{
    static const char text[] = "p and the verdicts take steps as independent; drift and clocks make p too small, and "
                               "nothing is corrected for the number of rows";
    for (size_t i = 0; i < d->print.sections.n && d->matching.per_step; i++) {
        tt_section *s = &d->print.sections.at[i];
        if (strcmp(s->table->desc->id, "diff_summary") != 0 || !s->n_rows) continue;
        s->remark = text;
        return;
    }
}

static tt_status run(diff *d, tt_err *err)
{
    tt_print *p = &d->print;
    TT_TRY(tt_compare_parse(p->cli, &d->options, err));
    TT_TRY(tt_select_parse(p->cli, &p->sel, err));
    TT_TRY(parse_conditions(d, err));
    TT_TRY(tt_compare_open(p->cli, &d->options, d->of, err));
    if (!p->cli->value[TT_OPT_PHASE]) tt_compare_choose_phase(&d->options, d->of);
    tt_comparison *c = &d->options.compare;
    c->base = d->of[TT_BASE];
    p->session = d->of[TT_NEW];
    p->sel.scope = d->options.scope[TT_NEW];
    p->sel.options.compare = c;
    d->matching = tt_matching_make(p->session, &p->sel.scope, c);
    tt_print_compute(p);
    TT_TRY(judge_conditions(d, err));
    d->compared = (tt_compared){
        .base = c->base,
        .base_path = d->options.path[TT_BASE],
        .matching = &d->matching,
        .conditions = d->conditions.at,
        .n_conditions = (uint32_t)d->conditions.n,
        .summary = table_of(d, "diff_summary"),
    };
    p->document = (tt_document){.paths = &d->options.path[TT_NEW], .n_paths = 1, .compared = &d->compared};
    say_what_meets(d);
    TT_TRY(tt_print_add(p, err));
    remark(d);
    tt_print_write(p);
    say_conditions(d);
    return TT_OK;
}

/* An option asks for tables, also on a terminal. */
static bool of_tables(const tt_cli *cli)
{
    return cli->value[TT_OPT_TABLE] || cli->value[TT_OPT_FORMAT] || cli->fail_ons.n;
}

int tt_cmd_diff(const tt_cli *cli)
{
    diff d = {.print = {.cli = cli}};
    tt_err err;
    bool print = cli->value[TT_OPT_SCREEN] && (cli->value[TT_OPT_SIZE] || !isatty(STDOUT_FILENO));
    if (print || (!of_tables(cli) && tt_explore_possible())) {
        if (tt_compare_parse(cli, &d.options, &err) != TT_OK) return tt_report(&err);
        return tt_explore_diff(cli, &d.options, print);
    }
    int status = run(&d, &err) == TT_OK ? tt_finish_output() : tt_report(&err);
    if (status == TT_OK && d.failed) status = HELD;
    tt_vec_free(&d.conditions);
    tt_print_free(&d.print);
    tt_matching_free(&d.matching);
    if (d.of[TT_BASE] != d.of[TT_NEW]) tt_session_free(d.of[TT_BASE]);
    tt_session_free(d.of[TT_NEW]);
    return status;
}
