/* tui/args/summary_options.h - the options of `summary`: tables, scope, order and filter, checked against the tables
 * and columns that exist. */
#ifndef TT_TUI_ARGS_SUMMARY_OPTIONS_H
#define TT_TUI_ARGS_SUMMARY_OPTIONS_H

#include "tui/args/cli.h"

typedef struct tt_select {
    TT_VEC(const tt_table_desc *) tables;
    bool all, asked;   /* --table all; --table given */
    bool paddle;       /* --style paddle */
    bool no_op_detail; /* --op-detail off */
    bool alike;        /* --style tables: key_averages looks like the other tables */
    tt_out_format format;
    const char *group; /* key of the grouping; NULL = the first grouping of each table */
    char sort_key[64]; /* key of the column to sort by; "" = each table's own order */
    int sort_dir;      /* 1 ascending, -1 descending, 0 = by the type of the column */
    int64_t limit;     /* rows; 0 = all */
    const char *filter;
    bool regex, thread_sep;
    tt_unit unit;
    tt_scope scope; /* steps and range; the load chose worker and span */
    tt_options options;
    TT_VEC(tt_what_if) what_if; /* what options.what_if points to */
} tt_select;

/* Read the options of cli; messages name the option, the value and what is allowed. Call tt_select_free() also after
 * an error. */
tt_status tt_select_parse(const tt_cli *cli, tt_select *out, tt_err *err);
/* Default of --limit in this format; 0 = all rows. */
int64_t tt_select_limit(tt_out_format f);
/* Read format, unit and limit only, for output without a choice of tables. */
tt_status tt_select_output(const tt_cli *cli, tt_select *out, tt_err *err);
/* Read the options about tables again after loading, since the traces of the session may bring tables. session NULL:
 * built-in tables only. */
tt_status tt_select_tables(const tt_cli *cli, const tt_session *session, tt_select *out, tt_err *err);
/* Read --steps and --range only, for the explorer. */
tt_status tt_select_scope(const tt_cli *cli, tt_scope *out, tt_err *err);
/* Read a scope from two options: one for steps, one for a time range. */
tt_status tt_scope_parse(const tt_cli *cli, tt_option steps, tt_option range, tt_scope *out, tt_err *err);
/* Fail if the session lacks the steps or the time range of the scope; the message says what it has instead. */
tt_status tt_scope_missing(const tt_session *s, const tt_scope *scope, tt_err *err);
/* Like tt_scope_missing(), with the name of the option in the message. An error, because an empty table would look
 * like a fault of the program. */
tt_status tt_select_check(const tt_session *s, const tt_scope *scope, tt_err *err);
/* Append a word to a list in a message, unless the list has it: "name, shape, stack". */
void tt_word_add(char *list, size_t cap, const char *word);
void tt_select_free(tt_select *s);

#endif
