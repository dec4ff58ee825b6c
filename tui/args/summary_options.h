/* tui/args/summary_options.h - what `summary` was asked for: tables, scope, order and filter, checked against what
 * exists. */
#ifndef TT_TUI_ARGS_SUMMARY_OPTIONS_H
#define TT_TUI_ARGS_SUMMARY_OPTIONS_H

#include "tui/args/cli.h"

typedef struct tt_select {
    TT_VEC(const tt_table_desc *) tables;
    bool all, asked;   /* --table all; --table given */
    bool paddle;       /* --style paddle */
    bool no_op_detail; /* --op-detail off */
    bool alike;        /* --style tables */
    tt_out_format format;
    const char *group; /* key, NULL = each table's first */
    char sort_key[64]; /* "" = each table's own order */
    int sort_dir;      /* 1 up, -1 down, 0 by the type of the column */
    int64_t limit;     /* 0 = all */
    const char *filter;
    bool regex, thread_sep;
    tt_unit unit;
    tt_scope scope; /* steps and range; worker and span were chosen when loading */
    tt_options options;
    TT_VEC(tt_what_if) what_if; /* what options.what_if refers to */
} tt_select;

/* Read cli's options; messages name the option, the value and what is allowed. tt_select_free() also after an error. */
tt_status tt_select_parse(const tt_cli *cli, tt_select *out, tt_err *err);
/* Rows of a table in this format unless --limit says otherwise; 0 = all. */
int64_t tt_select_limit(tt_out_format f);
/* How tables are to be written, and nothing of which: format, unit and limit alone. */
tt_status tt_select_output(const tt_cli *cli, tt_select *out, tt_err *err);
/* Again when it is loaded: now also the tables that the session's traces brought. session NULL: the built-in ones. */
tt_status tt_select_tables(const tt_cli *cli, const tt_session *session, tt_select *out, tt_err *err);
/* Steps and range alone, for the explorer. */
tt_status tt_select_scope(const tt_cli *cli, tt_scope *out, tt_err *err);
/* The same from any two options that mean steps and a range. */
tt_status tt_scope_parse(const tt_cli *cli, tt_option steps, tt_option range, tt_scope *out, tt_err *err);
/* What a scope asks for that the session does not have: steps, or a time outside of it; says what there is instead.
 * TT_OK = it is there. */
tt_status tt_scope_missing(const tt_session *s, const tt_scope *scope, tt_err *err);
/* The same for commands; the message names the option. Steps and times that no trace has are an error, as an empty
 * result would look like one of the program. */
tt_status tt_select_check(const tt_session *s, const tt_scope *scope, tt_err *err);
/* A word more for a message, without doubles: "name, shape, stack". */
void tt_word_add(char *list, size_t cap, const char *word);
void tt_select_free(tt_select *s);

#endif
