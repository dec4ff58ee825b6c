/* tui/commands/cmd_answer.c - `tracetty answer PATH...`: load once, then answer one request after the other. The
 * Python package starts it. Help does not list it: the protocol may change with each version.
 *
 * A request is a list of texts, each followed by a NUL, and ends with an empty text: "tables"; "sql", QUERY; or
 * "summary" and options of `tracetty summary` about tables. An answer is the exit status of the equivalent command
 * in digits, a line end, the JSON document that the command would have printed (none unless the status is 0) and a
 * NUL, which never occurs in JSON. Messages go to stderr before the answer. The first answer, with source and
 * problems, comes without a request when everything is loaded. The process ends at the end of standard input. */
#include <stdlib.h>
#include <string.h>

#include "tui/answers/sql_answers.h"
#include "tui/args/open_session.h"
#include "tui/commands/commands.h"

/* bytes of a request at most; same limit as for standard input of `tracetty sql` */
enum { REQUEST_MOST = 1 << 20 };

typedef struct answerer {
    const tt_cli *cli;
    tt_session *session, *whole; /* whole: all workers, if --worker was given; else NULL */
    tt_sql_answers sql;          /* its member `sql` is NULL until the first query */
    TT_VEC(tt_select) kept;      /* selections that tables cached by the session point to */
} answerer;

/* ---- requests ---- */

typedef struct request {
    tt_text text; /* the texts of the request, each followed by a NUL */
    TT_VEC(const char *) words;
} request;

/* Read the next request; *more is false at the end of input. TT_ERR_USAGE: the request is too long or incomplete. */
static tt_status read_request(request *r, bool *more, tt_err *err)
{
    int c = -1;
    size_t from = 0;
    r->text.n = r->words.n = 0;
    while (r->text.n < REQUEST_MOST && (c = getchar()) != EOF) {
        if (!c && r->text.n == from) break;
        tt_text_put(&r->text, &(char){(char)c}, 1);
        if (!c) from = r->text.n;
    }
    *more = c != EOF || r->text.n;
    if (!*more) return TT_OK;
    if (c || r->text.n >= REQUEST_MOST)
        return tt_fail(err, TT_ERR_USAGE, -1, "a request is broken off, or longer than %d KiB", REQUEST_MOST >> 10);
    for (size_t at = 0; at < r->text.n; at += strlen(r->text.at + at) + 1) *tt_vec_push(&r->words) = r->text.at + at;
    return TT_OK;
}

static void free_request(request *r)
{
    tt_vec_free(&r->text);
    tt_vec_free(&r->words);
}

/* ---- answers ---- */

static void end_answer(void)
{
    putchar('\0');
    fflush(stdout);
}

/* Start an answer. Only when the document is sure to follow. */
static void begin_answer(int status) { printf("%d\n", status); }

/* Refuse options that are about loading, or that would print something other than a table. */
static tt_status check_request(const answerer *a, const tt_cli *asked, tt_err *err)
{
    static const tt_option loading[] = {TT_OPT_RUN,        TT_OPT_WORKER,      TT_OPT_SPAN,
                                        TT_OPT_THREADS,    TT_OPT_MAX_MEMORY,  TT_OPT_MAX_EVENTS,
                                        TT_OPT_ALL_EVENTS, TT_OPT_NSYS_EXPORT, TT_OPT_GRAPH_KEY};
    static const tt_option others[] = {TT_OPT_SCREEN, TT_OPT_STYLE, TT_OPT_HELP, TT_OPT_VERSION};
    for (size_t i = 0; i < sizeof loading / sizeof *loading; i++) {
        if (!asked->value[loading[i]] || asked->value[loading[i]] == a->cli->value[loading[i]]) continue;
        return tt_fail(err, TT_ERR_USAGE, -1, "--%s is for loading, not for a table", tt_option_infos[loading[i]].name);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (asked->value[others[i]])
            return tt_fail(err, TT_ERR_USAGE, -1, "--%s prints no table", tt_option_infos[others[i]].name);
    }
    if (asked->n_args != a->cli->n_args)
        return tt_fail(err, TT_ERR_USAGE, -1, "'%s' is no option of a table", asked->args[0]);
    return TT_OK;
}

static tt_status print_tables(tt_print *p, tt_err *err)
{
    TT_TRY(tt_select_parse(p->cli, &p->sel, err));
    TT_TRY(tt_select_tables(p->cli, p->session, &p->sel, err));
    TT_TRY(tt_select_check(p->session, &p->sel.scope, err));
    TT_TRY(tt_print_add(p, err));
    begin_answer(TT_OK);
    tt_print_write(p);
    return TT_OK;
}

/* Answer "summary": parse the request as a command line with the paths of this process and JSON as format, and run
 * it. */
static tt_status answer_summary(answerer *a, const request *r, tt_err *err)
{
    const tt_cli *c = a->cli;
    char program[] = "tracetty", format[] = "--format=json", worker_is[] = "--worker", span_is[] = "--span",
         end[] = "--";
    const char *worker = c->value[TT_OPT_WORKER], *span = c->value[TT_OPT_SPAN];
    TT_VEC(char *) argv = {0};
    *tt_vec_push(&argv) = program;
    *tt_vec_push(&argv) = (char *)(uintptr_t)r->words.at[0];
    if (worker) { /* first, so that a --worker in the request comes later and is refused */
        *tt_vec_push(&argv) = worker_is;
        *tt_vec_push(&argv) = (char *)(uintptr_t)worker;
    }
    if (span) {
        *tt_vec_push(&argv) = span_is;
        *tt_vec_push(&argv) = (char *)(uintptr_t)span;
    }
    for (size_t i = 1; i < r->words.n; i++) *tt_vec_push(&argv) = (char *)(uintptr_t)r->words.at[i];
    *tt_vec_push(&argv) = format;
    *tt_vec_push(&argv) = end;
    for (uint32_t i = 0; i < c->n_args; i++) *tt_vec_push(&argv) = (char *)(uintptr_t)c->args[i];

    tt_cli asked;
    tt_print p = {.cli = &asked, .session = a->session, .whole = a->whole};
    tt_status st = tt_cli_parse((int)argv.n, argv.at, &asked, err);
    if (st == TT_OK) st = check_request(a, &asked, err);
    p.document = (tt_document){.paths = asked.args, .n_paths = asked.n_args};
    if (st == TT_OK) st = print_tables(&p, err);
    if (p.sel.options.n_what_if) { /* tables cached by the session point to these options */
        *tt_vec_push(&a->kept) = p.sel;
        p.sel = (tt_select){0};
    }
    tt_print_free(&p);
    tt_cli_free(&asked);
    tt_vec_free(&argv);
    return st;
}

static tt_status answer_sql(answerer *a, const request *r, tt_err *err)
{
    tt_sql_answers *q = &a->sql;
    if (r->words.n != 2) return tt_fail(err, TT_ERR_USAGE, -1, "sql takes a query");
    if (!q->sql) TT_TRY(tt_sql_open(a->session, &q->limits, &q->sql, err));
    q->only_tables = true;
    q->print.sel.format = TT_OUT_JSON;
    TT_TRY(tt_sql_answer(q, r->words.at[1], err));
    if (!q->tables.n) return tt_fail(err, TT_ERR_USAGE, -1, "SQL: there is no query");
    begin_answer(TT_OK);
    tt_sql_answers_write(q);
    return TT_OK;
}

static tt_status answer(answerer *a, const request *r, tt_err *err)
{
    const char *command = r->words.n ? r->words.at[0] : "";
    if (!strcmp(command, tt_commands[TT_CMD_SUMMARY].name)) return answer_summary(a, r, err);
    if (!strcmp(command, tt_commands[TT_CMD_SQL].name)) return answer_sql(a, r, err);
    if (strcmp(command, tt_commands[TT_CMD_TABLES].name) != 0)
        return tt_fail(err, TT_ERR_USAGE, -1, "'%s' is no request: summary, sql or tables", command);
    begin_answer(TT_OK);
    tt_print_catalogue(a->session);
    return TT_OK;
}

static tt_status load(answerer *a, tt_err *err)
{
    TT_TRY(tt_sql_limits_parse(a->cli, &a->sql.limits, err));
    for (uint32_t i = 0; i < a->cli->n_args; i++) {
        if (!strcmp(a->cli->args[i], "-"))
            return tt_fail(err, TT_ERR_USAGE, -1, "standard input cannot be the trace and the requests");
    }
    if (a->cli->value[TT_OPT_WORKER] && a->cli->n_args) return tt_open_chosen(a->cli, &a->session, &a->whole, err);
    return tt_open_session(a->cli, true, &a->session, err);
}

static tt_status run(answerer *a, request *r, tt_err *err)
{
    TT_TRY(load(a, err));
    a->sql.print = (tt_print){.cli = a->cli, .session = a->session};
    a->sql.print.document = (tt_document){.paths = a->cli->args, .n_paths = a->cli->n_args, .session = a->session};
    begin_answer(TT_OK);
    tt_out_json(stdout, &a->sql.print.document);
    end_answer();
    for (bool more; read_request(r, &more, err) == TT_OK;) {
        if (!more) return TT_OK;
        if (answer(a, r, err) != TT_OK) begin_answer(tt_report(err));
        tt_sql_answers_clear(&a->sql); /* drop the results of queries before the failed one */
        end_answer();
    }
    return err->code;
}

int tt_cmd_answer(const tt_cli *cli)
{
    answerer a = {.cli = cli};
    request r = {0};
    tt_err err;
    int status = run(&a, &r, &err) == TT_OK ? tt_finish_output() : tt_report(&err);
    free_request(&r);
    tt_sql_answers_clear(&a.sql);
    tt_sql_close(a.sql.sql);
    tt_print_free(&a.sql.print);
    tt_session_free(a.session);
    tt_session_free(a.whole);
    for (size_t i = 0; i < a.kept.n; i++) tt_select_free(&a.kept.at[i]);
    tt_vec_free(&a.kept);
    return status;
}
