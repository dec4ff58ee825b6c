/* tui/app/prompt/completion.h - completion of the command line. */
#ifndef TT_TUI_APP_PROMPT_COMPLETION_H
#define TT_TUI_APP_PROMPT_COMPLETION_H

typedef struct tt_app tt_app;

void tt_app_complete(tt_app *a);   /* Complete the word at the cursor: the Tab key of the prompt. */
void tt_app_candidates(tt_app *a); /* List in tt_app.candidates what the word can become. */

#endif
