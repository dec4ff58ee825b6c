/* tui/answers/sql_answers.h - statements and commands that begin with a dot, answered with tables. */
#ifndef TT_TUI_ANSWERS_SQL_ANSWERS_H
#define TT_TUI_ANSWERS_SQL_ANSWERS_H

#include "tui/answers/print_tables.h"
#include "tui/sql/sql.h"

typedef struct tt_sql_answers {
    tt_print print; /* its session is the one asked */
    tt_sql *sql;
    tt_sql_limits limits;
    TT_VEC(tt_table *) tables; /* owned: not written yet */
    uint64_t streamed;         /* results that were written as they came (CSV) */
    bool quit;                 /* .quit was said */
    bool only_tables; /* commands that give no table are refused: what is written has to be the document alone */
} tt_sql_answers;

/* The limits of a query that the command line states: --timeout, --max-memory. TT_ERR_USAGE: no such time. */
tt_status tt_sql_limits_parse(const tt_cli *cli, tt_sql_limits *out, tt_err *err);
/* Run all statements of the text: their tables are added. After an error those before it are there. As CSV the only
 * one is written at once, row by row. */
tt_status tt_sql_answer(tt_sql_answers *a, const char *text, tt_err *err);
/* The tables to standard output, as print says; then there are none. */
void tt_sql_answers_write(tt_sql_answers *a);
void tt_sql_answers_clear(tt_sql_answers *a);

/* sql_prompt.c: ask and answer on the terminal until .quit or the end of input. */
tt_status tt_sql_prompt(tt_sql_answers *a, tt_err *err);

/* The commands with a dot, for help and completion; name NULL ends the list. */
typedef struct tt_sql_command {
    const char *name, *args, *help;
} tt_sql_command;
extern const tt_sql_command tt_sql_commands[];

#endif
