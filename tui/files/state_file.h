/* tui/files/state_file.h - files in which the explorer keeps its state between sessions. */
#ifndef TT_TUI_FILES_STATE_FILE_H
#define TT_TUI_FILES_STATE_FILE_H

#include <stdio.h>

#include "tui/files/outfile.h"

/* The folder named by an environment variable; NULL if it is not set. A relative path counts as not set (XDG Base
 * Directory Specification): it would depend on the current folder. */
const char *tt_absolute_folder(const char *variable);
/* Path of tracetty/NAME in the folder named by the variable, else in the home folder. False: both are missing, or
 * the path is too long. */
bool tt_base_path(char *out, size_t cap, const char *variable, const char *below_home, const char *name);
/* Path of a file in $XDG_STATE_HOME/tracetty; make: create its folders. False: there is no such place. */
bool tt_state_path(char *out, size_t cap, const char *name, bool make);
/* Open a state file or a file of settings for reading. It must be a regular file of at most 4 MiB: a FIFO would
 * wait, a device might never end. NULL with errno. */
FILE *tt_state_read(const char *name);
FILE *tt_small_open(const char *path);
/* Replace a file as a whole: the text printed to the stream becomes the file in tt_state_end(). False = not
 * possible. */
typedef struct tt_state_file {
    FILE *f;
    tt_outfile *out;
} tt_state_file;
bool tt_state_begin(tt_state_file *s, const char *name);
bool tt_state_end(tt_state_file *s); /* false: the old file stays */

#endif
