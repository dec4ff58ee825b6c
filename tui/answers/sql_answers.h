/* tui/answers/sql_answers.h - answers statements and dot commands with tables. */
#ifndef TT_TUI_ANSWERS_SQL_ANSWERS_H
#define TT_TUI_ANSWERS_SQL_ANSWERS_H

#include "tui/answers/print_tables.h"
#include "tui/sql/sql.h"

typedef struct tt_sql_answers {
    tt_print print; /* its session is the one to ask */
    tt_sql *sql;
    tt_sql_limits limits;
    TT_VEC(tt_table *) tables; /* tables that are not written yet; owned */
    uint64_t streamed;         /* results that were written row by row (CSV) */
    bool quit;                 /* .quit was given */
    bool only_tables; /* refuse commands without a table, because the output must be a document and nothing else */
} tt_sql_answers;

/* Read the limits of a query from --timeout and --max-memory. TT_ERR_USAGE: an invalid time. */
tt_status tt_sql_limits_parse(const tt_cli *cli, tt_sql_limits *out, tt_err *err);
/* Run all statements of the text and keep their tables. After an error the tables before it are kept. In CSV format
 * a single result is written at once, row by row. */
tt_status tt_sql_answer(tt_sql_answers *a, const char *text, tt_err *err);
/* Print the tables in the format of `print`; then forget them. */
void tt_sql_answers_write(tt_sql_answers *a);
void tt_sql_answers_clear(tt_sql_answers *a);

/* Ask and answer on the terminal until .quit or the end of input. In sql_prompt.c. */
tt_status tt_sql_prompt(tt_sql_answers *a, tt_err *err);

/* The dot commands, for help and completion; name NULL ends the list. */
typedef struct tt_sql_command {
    const char *name, *args, *help;
} tt_sql_command;
extern const tt_sql_command tt_sql_commands[];

#endif
