/* tui/answers/sql_answers.c - runs the statements of a text, and passes their tables to the writers. */
#include "tui/answers/sql_answers.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

const tt_sql_command tt_sql_commands[] = {
    {".tables", "", "list all tables"},
    {".schema", "[TABLE]", "columns of a table, or of all tables of events"},
    {".format", "text|csv|json|markdown", "how results are written"},
    {".help", "", "list these commands and the functions"},
    {".quit", "", "quit, also Ctrl-D"},
    {NULL, NULL, NULL},
};

static const struct {
    const char *call, *help;
} functions[] = {
    {"arg(id, 'key')", "argument of the slice with this id, read again from the file"},
    {"overlap(start1, end1, start2, end2)", "ns that two intervals have in common"},
    {"covered(start, duration)", "aggregate: ns in which at least one of the intervals runs"},
    {"median(x)", "aggregate: the value in the middle"},
    {"percentile(x, p)", "aggregate: p from 0 to 100, between two values on the line"},
};

tt_status tt_sql_limits_parse(const tt_cli *cli, tt_sql_limits *out, tt_err *err)
{
    const char *timeout = cli->value[TT_OPT_TIMEOUT], *memory = cli->value[TT_OPT_MAX_MEMORY], *end;
    *out = (tt_sql_limits){.time_ns = TT_SQL_SECONDS * INT64_C(1000000000),
                           .memory_option = tt_option_infos[TT_OPT_MAX_MEMORY].name,
                           .time_option = tt_option_infos[TT_OPT_TIMEOUT].name};
    if (timeout && (!tt_parse_time(timeout, &end, 1000000000, &out->time_ns) || *end || out->time_ns < 0))
        return tt_fail(err, TT_ERR_USAGE, -1, "--timeout: '%s' is no time; as 10, 500ms, 0 = never", timeout);
    /* an invalid --max-memory is reported by the load */
    if (memory && !tt_parse_size(memory, &out->memory)) out->memory = 0;
    return TT_OK;
}

static void put_help(void)
{
    printf("Statements of SQL end with ';'. Times are ns. Commands:\n");
    for (const tt_sql_command *c = tt_sql_commands; c->name; c++)
        printf("  %s%s%-*s  %s\n", c->name, *c->args ? " " : "", (int)(30 - strlen(c->name) - (*c->args != 0)), c->args,
               c->help);
    printf("Functions beside those of SQLite:\n");
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        printf("  %-36s  %s\n", functions[i].call, functions[i].help);
}

static tt_status set_format(tt_sql_answers *a, const char *name, tt_err *err)
{
    for (int i = 0; tt_out_format_names[i]; i++) {
        if (strcmp(name, tt_out_format_names[i]) != 0) continue;
        a->print.sel.format = (tt_out_format)i;
        if (!a->print.cli->value[TT_OPT_LIMIT]) a->print.sel.limit = tt_select_limit(a->print.sel.format);
        return TT_OK;
    }
    return tt_fail(err, TT_ERR_USAGE, -1, ".format: '%s' is not one of text, csv, json, markdown", name);
}

/* Run a command of n bytes that begins with a dot. */
static tt_status run_command(tt_sql_answers *a, const char *line, size_t n, tt_err *err)
{
    char word[24] = "", arg[200] = "";
    size_t at = strcspn(line, " \t\r\n;");
    if (at > n) at = n;
    snprintf(word, sizeof word, "%.*s", (int)at, line);
    at += strspn(line + at, " \t");
    for (size_t to = 0; at < n && !isspace((unsigned char)line[at]) && line[at] != ';' && to + 1 < sizeof arg; at++)
        arg[to++] = line[at];
    tt_table *t = NULL;
    if (!strcmp(word, ".tables")) {
        t = tt_sql_tables(a->sql);
    } else if (!strcmp(word, ".schema")) {
        TT_TRY(tt_sql_schema(a->sql, arg, &t, err));
    } else if (a->only_tables) {
        return tt_fail(err, TT_ERR_USAGE, -1, "'%s' gives no table: statements, .tables or .schema [TABLE]", word);
    } else if (!strcmp(word, ".format")) {
        return set_format(a, arg, err);
    } else if (!strcmp(word, ".help")) {
        put_help();
    } else if (!strcmp(word, ".quit") || !strcmp(word, ".exit")) {
        a->quit = true;
    } else {
        return tt_fail(err, TT_ERR_USAGE, -1, "unknown command '%s': .help lists them", word);
    }
    if (t) *tt_vec_push(&a->tables) = t;
    return TT_OK;
}

/* ---- CSV: row by row ---- */

typedef struct csv_rows {
    tt_sql_answers *to;
    const char *rest; /* text after the statement */
    uint64_t n;
    bool several; /* a second table follows: nothing was written */
} csv_rows;

/* Skip blanks, semicolons and comments. */
static const char *behind_blanks(const char *p)
{
    for (;;) {
        p += strspn(p, " \t\r\n;");
        const char *end = !strncmp(p, "--", 2) ? strchr(p, '\n') : !strncmp(p, "/*", 2) ? strstr(p, "*/") : p;
        if (end == p) return p;
        if (!end) return p + strlen(p);
        p = end + (*p == '-' ? 1 : 2);
    }
}

static bool take_row(void *arg, const tt_table *t)
{
    csv_rows *c = arg;
    uint64_t most = c->to->print.sel.limit;
    if (!t->n_rows) {
        c->several = c->to->tables.n || c->to->streamed || *behind_blanks(c->rest);
        if (!c->several) tt_out_csv_header(stdout, t);
        return !c->several && (!most || c->n < most);
    }
    errno = 0;
    tt_out_csv_row(stdout, t, 0);
    c->n++;
    if (ferror(stdout) && errno == EINTR) clearerr(stdout); /* Ctrl-C ends the query, but not the prompt */
    return (!most || c->n < most) && !ferror(stdout);
}

static tt_status stream(tt_sql_answers *a, const char **text, tt_err *err)
{
    csv_rows c = {.to = a};
    tt_status st = tt_sql_stream(a->sql, *text, &c.rest, take_row, &c, err);
    *text = c.rest;
    a->streamed++;
    if (st == TT_OK && c.several)
        return tt_fail(err, TT_ERR_USAGE, -1, "csv holds one table: ask one query, or use --format json");
    return st;
}

tt_status tt_sql_answer(tt_sql_answers *a, const char *text, tt_err *err)
{
    while (!a->quit) {
        tt_table *t = NULL;
        text = behind_blanks(text);
        if (!*text) return TT_OK;
        if (*text == '.') {
            size_t n = strcspn(text, "\n");
            TT_TRY(run_command(a, text, n, err));
            text += n;
        } else if (a->print.sel.format == TT_OUT_CSV) {
            TT_TRY(stream(a, &text, err));
        } else {
            TT_TRY(tt_sql_run(a->sql, text, &text, &t, err));
            if (t) *tt_vec_push(&a->tables) = t;
        }
    }
    return TT_OK;
}

static void add_section(tt_sql_answers *a, const tt_table *t)
{
    uint32_t *rows = tt_calloc((size_t)t->n_rows + 1, sizeof *rows);
    for (uint32_t r = 0; r < t->n_rows; r++) rows[r] = r;
    *tt_vec_push(&a->print.row_lists) = rows;
    tt_section s = {.table = t, .rows = rows, .n_rows = t->n_rows, .n_found = t->n_rows, .sorted = true};
    bool list = strcmp(t->desc->id, "query") != 0; /* lists of tables or columns are short: never cut */
    if (!list && a->print.sel.limit && s.n_rows > a->print.sel.limit) s.n_rows = (uint32_t)a->print.sel.limit;
    *tt_vec_push(&a->print.sections) = s;
}

void tt_sql_answers_write(tt_sql_answers *a)
{
    for (size_t i = 0; i < a->tables.n; i++) add_section(a, a->tables.at[i]);
    if (a->tables.n) tt_print_write(&a->print);
    tt_sql_answers_clear(a);
}

void tt_sql_answers_clear(tt_sql_answers *a)
{
    for (size_t i = 0; i < a->print.row_lists.n; i++) free(a->print.row_lists.at[i]);
    a->print.row_lists.n = a->print.sections.n = 0;
    for (size_t i = 0; i < a->tables.n; i++) tt_table_free(a->tables.at[i]);
    tt_vec_free(&a->tables);
    a->streamed = 0;
}
