/* tui/commands/sql_prompt.c - the prompt of `tracetty sql`. */
#include <stdlib.h>
#include <string.h>

#include "tui/commands/sql_answers.h"

tt_status tt_sql_prompt(tt_sql_answers *a, tt_err *err)
{
    char line[4096];
    tt_text text = {0};
    while (!a->quit) {
        fputs(text.n ? "...> " : "sql> ", stdout);
        fflush(stdout);
        if (!fgets(line, sizeof line, stdin)) break;
        tt_text_put(&text, line, strlen(line));
        if (text.at[0] != '.' && !tt_sql_complete(text.at)) continue;
        if (tt_sql_answer(a, text.at, err) == TT_OK)
            tt_sql_answers_write(a);
        else
            tt_report(err);
        tt_sql_answers_clear(a);
        text.n = 0;
    }
    tt_vec_free(&text);
    return TT_OK;
}
