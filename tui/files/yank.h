/* tui/files/yank.h - the file beside the clipboard, for terminals that drop OSC 52. */
#ifndef TT_TUI_FILES_YANK_H
#define TT_TUI_FILES_YANK_H

#include <stdbool.h>
#include <stddef.h>

/* Write the text to tracetty-yank in $XDG_RUNTIME_DIR, or where that is not ours alone in a private folder
 * tracetty-UID of $TMPDIR or /tmp. What others put in the way is neither followed nor written to. path: where it is;
 * false: what was in the way. */
bool tt_yank_write(const char *text, char *path, size_t cap);

#endif
