/* tui/commands/cmd_check.c - `tracetty check`: prints every kind of problem with count, offset, an example and its
 * meaning, then the table `trust`. Doubts about the recording do not change the exit status: the file itself is
 * sound. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/tables/overview/trust.h"
#include "model/text/text_safety.h"
#include "parser/discover/discover.h"
#include "tui/answers/folder_runs.h"
#include "tui/args/open_session.h"

static const char *level_name(tt_problem_level l)
{
    return l == TT_LEVEL_NOTE ? "note" : l == TT_LEVEL_REPAIR ? "repaired" : "lost";
}

static void put_problem(int kind, const tt_problem *p)
{
    char example[sizeof p->example * 8];
    printf("  %s (%s): %s\n", tt_problem_key[kind], level_name(tt_problem_level_of[kind]), tt_problem_meaning[kind]);
    printf("      count    %" PRIu64 "\n", p->count);
    if (p->offset >= 0) printf("      first at byte %" PRId64 "\n", p->offset);
    if (!p->example[0]) return;
    tt_sanitize_term(example, sizeof example, p->example, strlen(p->example));
    printf("      example  %s\n", example);
}

static void put_trace(const tt_trace *s)
{
    char path[4096];
    bool any = false;
    tt_sanitize_term(path, sizeof path, s->path, strlen(s->path));
    for (int k = 0; k < TT_PROBLEM_COUNT_; k++) {
        const tt_problem *p = &s->problems.of[k];
        if (!p->count) continue;
        if (!any) printf("%s:\n", path);
        any = true;
        put_problem(k, p);
    }
    if (!any) printf("%s: no problems in %" PRIu64 " events\n", path, s->n_events);
}

static void put_safe(const char *before, const char *text)
{
    char safe[1024];
    tt_sanitize_term(safe, sizeof safe, text, strlen(text));
    printf("%s%s\n", before, safe);
}

/* Print the doubts about the recording with their numbers, the worst first. */
static void put_trust(const tt_session *s)
{
    tt_trust t = tt_trust_make(s, &tt_scope_all);
    for (size_t i = 0; i < t.checks.n && t.checks.at[i].verdict != TT_TRUST_OK; i++) {
        put_safe("trust: ! ", t.checks.at[i].brief);
        put_safe("      evidence ", t.checks.at[i].evidence);
    }
    if (t.checks.n && !t.doubts) puts("trust: OK");
    tt_trust_free(&t);
}

/* Check one run: 1 when its problems matter, the error's status when it cannot be read, else 0. */
static int check_run(const tt_open_spec *spec)
{
    tt_session *s;
    tt_err err;
    bool matter = false;
    if (tt_open(spec, &s, &err) != TT_OK) return tt_report(&err);
    for (uint32_t i = 0; i < s->n_traces; i++) {
        put_trace(s->traces[i]);
        matter = matter || tt_problems_matter(&s->traces[i]->problems);
    }
    put_trust(s);
    tt_session_free(s);
    return matter;
}

/* Check the run asked for, else all runs that were found; returns the worst status. */
static int check_found(const tt_cli *cli, tt_found_list *found, tt_load_options *load)
{
    const tt_open_spec spec = {
        .paths = cli->args, .n_paths = cli->n_args, .load = load, .worker_option = "worker", .span_option = "span"};
    size_t first = 0, n = found->runs.n;
    int worst = 0;
    tt_err err;
    if (load->run && cli->n_args == 1) {
        if (tt_found_choose(found, cli->args[0], load->run, &first, &err) != TT_OK) return tt_report(&err);
        n = first + 1;
    }
    load->found = found;
    for (size_t i = first; i < n; i++) {
        load->found_run = i;
        if (n - first > 1) put_safe(i > first ? "\nrun " : "run ", found->runs.at[i].name);
        int status = check_run(&spec);
        if (status > worst) worst = status;
    }
    return worst;
}

int tt_cmd_check(const tt_cli *cli)
{
    tt_found_list found = {0};
    tt_load_options load;
    tt_err err;
    if (tt_needs_path(cli, &err) != TT_OK || tt_open_options(cli, &load, &err) != TT_OK) return tt_report(&err);
    const tt_discover_how how = {.run = load.run};
    if (tt_discover_as(cli->args, cli->n_args, &how, &found, &err) != TT_OK) return tt_report(&err);
    tt_warn_found(&found);
    int worst = check_found(cli, &found, &load);
    tt_found_free(&found);
    tt_signals_again(&load);
    int status = tt_finish_output();
    return status ? status : worst;
}
