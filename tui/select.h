/* tui/select.h - what `summary` was asked for: tables, scope, order and filter, checked against what exists. */
#ifndef TT_TUI_SELECT_H
#define TT_TUI_SELECT_H

#include "tui/cli.h"
#include "tui/out.h"

typedef struct tt_select {
    TT_VEC(const tt_table_desc *) tables;
    bool all, asked; /* --table all; --table given */
    bool paddle;     /* --style paddle */
    bool alike;      /* --style tables */
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
} tt_select;

/* Read cli's options; messages name the option, the value and what is allowed. tt_select_free() also after an error. */
tt_status tt_select_parse(const tt_cli *cli, tt_select *out, tt_err *err);
/* Steps and range alone, for the explorer. */
tt_status tt_select_scope(const tt_cli *cli, tt_scope *out, tt_err *err);
void tt_select_free(tt_select *s);

#endif
