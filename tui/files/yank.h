/* tui/files/yank.h - a file with the copied text, for terminals that drop OSC 52. */
#ifndef TT_TUI_FILES_YANK_H
#define TT_TUI_FILES_YANK_H

#include <stdbool.h>
#include <stddef.h>

/* Write the text to tracetty-yank in $XDG_RUNTIME_DIR, or, if others can enter that, in a private folder tracetty-
 * UID of $TMPDIR or /tmp. Links and files that others put there are neither followed nor written to. path: the file;
 * if false, the path that was in the way. */
bool tt_yank_write(const char *text, char *path, size_t cap);

#endif
