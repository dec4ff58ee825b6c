/* tui/commands/cmd_sql.c - `tracetty sql`: load traces, answer SQL queries in the formats of `summary`. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tui/answers/sql_answers.h"
#include "tui/args/open_session.h"

enum { STDIN_MOST = 1 << 20 };

/* Read all of standard input. Caller frees *text. */
static tt_status read_queries(char **text, tt_err *err)
{
    tt_text t = {0};
    char part[4096];
    size_t n;
    tt_text_put(&t, "", 0);
    while ((n = fread(part, 1, sizeof part, stdin)) > 0 && t.n <= STDIN_MOST) tt_text_put(&t, part, n);
    *text = t.at;
    if (t.n > STDIN_MOST || memchr(t.at, 0, t.n))
        return tt_fail(err, TT_ERR_USAGE, -1, "standard input is no SQL: it has a NUL byte or more than %d KiB",
                       STDIN_MOST >> 10);
    return TT_OK;
}

static tt_status run(tt_sql_answers *a, tt_err *err)
{
    const tt_cli *cli = a->print.cli;
    const char *query = cli->value[TT_OPT_QUERY];
    char *typed = NULL;
    TT_TRY(tt_select_output(cli, &a->print.sel, err));
    TT_TRY(tt_sql_limits_parse(cli, &a->limits, err));
    if (!cli->n_args)
        return tt_fail(err, TT_ERR_USAGE, -1, "sql takes a trace: tracetty sql %s", tt_commands[TT_CMD_SQL].args);
    for (uint32_t i = 0; i < cli->n_args && !query; i++) {
        if (!strcmp(cli->args[i], "-"))
            return tt_fail(err, TT_ERR_USAGE, -1,
                           "standard input cannot be the trace and the queries: give the query with -e QUERY");
    }
    bool prompt = !query && isatty(STDIN_FILENO);
    TT_TRY(tt_open_session(cli, true, &a->print.session, err));
    TT_TRY(tt_sql_open(a->print.session, &a->limits, &a->sql, err));
    if (prompt) return tt_sql_prompt(a, err);
    tt_status st = query ? TT_OK : read_queries(&typed, err);
    if (st == TT_OK) st = tt_sql_answer(a, query ? query : typed, err);
    free(typed);
    if (st == TT_OK) tt_sql_answers_write(a);
    return st;
}

int tt_cmd_sql(const tt_cli *cli)
{
    tt_sql_answers a = {.print = {.cli = cli, .document = {.paths = cli->args, .n_paths = cli->n_args}}};
    tt_err err;
    int status = run(&a, &err) == TT_OK ? tt_finish_output() : tt_report(&err);
    tt_sql_answers_clear(&a);
    tt_sql_close(a.sql);
    tt_print_free(&a.print);
    tt_session_free(a.print.session);
    return status;
}
