/* tui/files/state_file.h - files in which the explorer remembers something for the next time. */
#ifndef TT_TUI_FILES_STATE_FILE_H
#define TT_TUI_FILES_STATE_FILE_H

#include <stdio.h>

#include "tui/files/outfile.h"

/* The folder that a variable of the environment names; NULL where it names none. A relative path counts as none, as the
 * XDG Base Directory Specification has it: it would lead to another folder wherever the program is started. */
const char *tt_absolute_folder(const char *variable);
/* Path of tracetty/NAME below the folder of the variable, else below the home folder. False: there is neither, or it is
 * too long. */
bool tt_base_path(char *out, size_t cap, const char *variable, const char *below_home, const char *name);
/* Files of $XDG_STATE_HOME/tracetty. Path of one (make: with the folders around it); false = there is no such place. */
bool tt_state_path(char *out, size_t cap, const char *name, bool make);
/* Open one, or any file of settings, to read: a regular file of at most 4 MiB. NULL with errno: nothing that waits
 * or never ends. */
FILE *tt_state_read(const char *name);
FILE *tt_small_open(const char *path);
/* Write a file as a whole: what is printed to the stream takes the place of the old one in tt_state_end(). False =
 * not possible. */
typedef struct tt_state_file {
    FILE *f;
    tt_outfile *out;
} tt_state_file;
bool tt_state_begin(tt_state_file *s, const char *name);
bool tt_state_end(tt_state_file *s); /* false: the old one stays */

#endif
