/* tui/app/question.h - files that a person names in the explorer: a question comes before a file is replaced or written
 * through, and inputs are refused. A question holds the command that asked it, and runs the command again when the
 * answer is yes: the command looks everything up anew, as a preview may have given way to the whole trace meanwhile. */
#ifndef TT_TUI_APP_QUESTION_H
#define TT_TUI_APP_QUESTION_H

#include "tui/widgets/canvas.h"
#include "tui/widgets/input.h"

typedef struct tt_app tt_app;

/* tt_host_ops.may_write */
bool tt_app_may_write(tt_app *a, const char *verb, const char *path, unsigned *how);
/* Give the open question the key. False = the key is one that works everywhere. */
bool tt_app_question_key(tt_app *a, tt_key k);
void tt_app_question_draw(const tt_app *a, tt_canvas *c, int y);

#endif
