/* tui/app/dump/digest.h - a run in Markdown for a pull request: verdict, where a step goes, findings with what to do,
 * top kernels, environment. */
#ifndef TT_TUI_APP_DUMP_DIGEST_H
#define TT_TUI_APP_DUMP_DIGEST_H

#include <stdio.h>

#include "model/tables/table.h"

/* source: as the person named it, raw. Computes the tables it is made of, which takes as long as they do. Any thread.
 * Errors of writing stay in f. */
void tt_out_digest(FILE *f, tt_session *s, const tt_scope *scope, const char *source);

#endif
