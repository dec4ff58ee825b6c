/* tui/app/prompt/editor.h - the person's editor, and the source file of a frame on this machine. A path of a trace
 * is not to be trusted: it must name a regular file and has no control characters; the editor gets it as an absolute
 * path (model/base/run/program.h). */
#ifndef TT_TUI_APP_PROMPT_EDITOR_H
#define TT_TUI_APP_PROMPT_EDITOR_H

#include <stdbool.h>
#include <stddef.h>

#include "model/base/run/program.h"

enum { TT_EDIT_PATH = 4096, TT_EDIT_ARGS = 32, TT_EDIT_MAPS = 8 };

/* Prefixes of source paths that lie elsewhere on this machine. */
typedef struct tt_source_maps {
    char old[TT_EDIT_MAPS][256], now[TT_EDIT_MAPS][256];
    int n;
} tt_source_maps;

/* An editor to run. program and arguments point into text. */
typedef struct tt_edit_command {
    char text[2 * TT_EDIT_PATH];
    const char *program;
    tt_argument arguments[TT_EDIT_ARGS];
    size_t n_arguments;
} tt_edit_command;

/* "OLD=NEW"; the newest of equal OLD counts. False: no such form, or too many. */
bool tt_source_map(tt_source_maps *m, const char *text);
/* The file of a frame, where it is on this machine: as mapped; as it is; below `folder` (of the trace); among the
 * packages of $VIRTUAL_ENV. False: not found, `out` is the path that was looked for (safe to show). */
bool tt_source_find(const tt_source_maps *m, const char *frame, const char *folder, char *out, size_t cap, long *line);
/* Make the command that opens a file in `editor`, a command line: blanks separate its arguments, quotes hold an
 * argument with blanks together. False: the command does not fit. */
bool tt_edit_command_make(tt_edit_command *c, const char *editor, const char *path, long line);
/* $VISUAL, else $EDITOR, else vi. */
const char *tt_editor(void);

#endif
