/* tui/commands/cmd_summary.c - `tracetty summary`: load traces, print the tables asked for. */
#include <string.h>

#include "tui/answers/folder_runs.h"
#include "tui/answers/print_tables.h"
#include "tui/answers/run_conditions.h"
#include "tui/app/dump/digest.h"
#include "tui/app/explore.h"
#include "tui/args/open_session.h"
#include "tui/commands/commands.h"
#include "tui/output/paddle.h"

enum { HELD = 1 }; /* exit status when a condition of --fail-on held, or a rank is missing under --require-all */

/* An option asks for tables rather than for the run as a whole. */
static bool about_tables(const tt_cli *cli)
{
    static const tt_option options[] = {TT_OPT_TABLE,  TT_OPT_GROUP_BY,     TT_OPT_SORT, TT_OPT_LIMIT,
                                        TT_OPT_FILTER, TT_OPT_FILTER_REGEX, TT_OPT_UNIT};
    bool any = false;
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) any = any || cli->value[options[i]];
    return any;
}

/* Begin the output with the first lines: verdict, account of the time, findings. The table of findings would repeat
 * them. */
static void begin_with_run(tt_print *p)
{
    size_t n = 0;
    p->document.about_run = true;
    for (size_t i = 0; i < p->sel.tables.n; i++)
        if (strcmp(p->sel.tables.at[i]->id, "findings") != 0) p->sel.tables.at[n++] = p->sel.tables.at[i];
    p->sel.tables.n = n;
}

/* Table `runs` is asked for, and the path is a folder of runs rather than one run. */
static bool about_folder(const tt_print *p)
{
    bool any = false;
    for (size_t i = 0; i < p->sel.tables.n; i++) any |= !strcmp(p->sel.tables.at[i]->id, "runs");
    return any && p->cli->n_args == 1 && !p->cli->value[TT_OPT_RUN];
}

/* Load all runs or workers that the tables need. */
static tt_status load(tt_print *p, tt_folder_runs *runs, tt_err *err)
{
    const tt_cli *cli = p->cli;
    bool all = false;
    for (size_t i = 0; i < p->sel.tables.n; i++) all |= tt_table_reads_all(p->sel.tables.at[i]);
    if (about_folder(p)) {
        TT_TRY(tt_folder_runs_load(cli, &p->sel.scope, p->sel.tables.n == 1, runs, &p->session, err));
        p->sel.options.runs = runs->at;
        p->sel.options.n_runs = runs->n;
        return TT_OK;
    }
    if (all && cli->value[TT_OPT_WORKER] && cli->n_args) return tt_open_chosen(cli, &p->session, &p->whole, err);
    return tt_open_session(cli, true, &p->session, err);
}

static tt_status run(tt_print *p, tt_folder_runs *runs, bool *held, tt_err *err)
{
    const tt_cli *cli = p->cli;
    TT_TRY(tt_run_conditions_check(cli, err));
    TT_TRY(tt_select_parse(cli, &p->sel, err));
    if (p->sel.paddle) TT_TRY(tt_paddle_check(&p->sel, err));
    TT_TRY(load(p, runs, err));
    TT_TRY(tt_select_tables(cli, p->session, &p->sel, err));
    TT_TRY(tt_select_check(p->session, &p->sel.scope, err));
    if (p->sel.paddle) {
        uint32_t limit = cli->value[TT_OPT_LIMIT] ? (uint32_t)p->sel.limit : 0;
        return tt_out_paddle(stdout, p->session, &p->sel, limit, err) ? TT_OK : TT_ERR_USAGE;
    }
    if (p->sel.format == TT_OUT_MARKDOWN && !about_tables(cli)) {
        const char *more = cli->n_args > 1 ? " and more" : "";
        tt_arena a = {0};
        tt_out_digest(stdout, p->session, &p->sel.scope, tt_arena_printf(&a, "%s%s", cli->args[0], more));
        tt_arena_free(&a);
        return TT_OK;
    }
    if (p->sel.format == TT_OUT_TEXT && !about_tables(cli)) begin_with_run(p);
    TT_TRY(tt_print_add(p, err));
    tt_print_write(p);
    return tt_run_conditions_judge(cli, p->session, &p->sel.scope, held, err);
}

/* Refuse options of pictures without --screen. */
static tt_status check_screen(const tt_cli *cli, tt_err *err)
{
    static const tt_option of_screens[] = {TT_OPT_SIZE, TT_OPT_KEYS, TT_OPT_THEME, TT_OPT_UNICODE};
    for (size_t i = 0; i < sizeof of_screens / sizeof *of_screens; i++) {
        const char *name = tt_option_infos[of_screens[i]].name;
        if (cli->command == TT_CMD_SUMMARY && cli->value[of_screens[i]])
            return tt_fail(err, TT_ERR_USAGE, -1, "--%s needs --screen NAME", name);
    }
    return TT_OK;
}

int tt_cmd_summary(const tt_cli *cli)
{
    tt_print p = {.cli = cli, .document = {.paths = cli->args, .n_paths = cli->n_args}};
    tt_folder_runs runs = {0};
    tt_err err;
    if (cli->command == TT_CMD_SUMMARY && cli->value[TT_OPT_SCREEN]) return tt_explore_print(cli);
    if (check_screen(cli, &err) != TT_OK) return tt_report(&err);
    bool held = false;
    int status = run(&p, &runs, &held, &err) == TT_OK ? tt_finish_output() : tt_report(&err);
    if (!status && held) status = HELD;
    tt_print_free(&p);
    tt_session_free(p.session);
    tt_session_free(p.whole);
    tt_folder_runs_free(&runs);
    return status;
}
