/* tui/app/dump/app_digest.h - `:markdown`: the run as Markdown, in a file. */
#ifndef TT_TUI_APP_DUMP_APP_DIGEST_H
#define TT_TUI_APP_DUMP_APP_DIGEST_H

#include <stdbool.h>

typedef struct tt_app tt_app;

bool tt_app_markdown(tt_app *a, const char *arg); /* false: the argument is wrong */

#endif
