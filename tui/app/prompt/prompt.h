/* tui/app/prompt/prompt.h - the line editor at the bottom of the screen: `/`, `F`, `:`, names of files. */
#ifndef TT_TUI_APP_PROMPT_PROMPT_H
#define TT_TUI_APP_PROMPT_PROMPT_H

#include "tui/screen/actions.h"
#include "tui/widgets/canvas.h"

typedef enum tt_prompt_kind {
    TT_PROMPT_NONE,
    TT_PROMPT_FIND,
    TT_PROMPT_FILTER,
    TT_PROMPT_COMMAND,
    TT_PROMPT_EXPORT,
    TT_PROMPT_ANYWHERE
} tt_prompt_kind;

enum { TT_PROMPT_CAP = 512, TT_PROMPT_HISTORY = 32 };

typedef struct tt_prompt {
    tt_prompt_kind kind; /* NONE = closed */
    char text[TT_PROMPT_CAP];
    size_t n, at; /* bytes, cursor */
    struct tt_history {
        char *line[TT_PROMPT_HISTORY]; /* newest first; owned */
    } history[TT_PROMPT_ANYWHERE + 1];
    int history_at; /* -1 = the line being typed */
} tt_prompt;

typedef enum tt_prompt_result {
    TT_PROMPT_MOVED,
    TT_PROMPT_CHANGED,
    TT_PROMPT_ACCEPT,
    TT_PROMPT_CANCEL,
    TT_PROMPT_COMPLETE
} tt_prompt_result;

void tt_prompt_open(tt_prompt *p, tt_prompt_kind kind, const char *text);
void tt_prompt_set(tt_prompt *p, const char *text); /* cursor to the end */
tt_prompt_result tt_prompt_key(tt_prompt *p, tt_key k);
void tt_prompt_close(tt_prompt *p, bool remember);
/* The newest of its kind; one that is there already moves to the front. */
void tt_prompt_remember(tt_prompt *p, tt_prompt_kind kind, const char *text);
void tt_prompt_free(tt_prompt *p);
/* Draw in one row; moves the terminal's cursor of `screen`, the canvas that owns the cells, whose row y this is. */
void tt_prompt_draw(const tt_prompt *p, tt_canvas *screen, int y);

#endif
