/* tui/files/outfile_part.h - temporary files and folders that do not outlive the program: whatever signal ends it,
 * they are removed. */
#ifndef TT_TUI_FILES_OUTFILE_PART_H
#define TT_TUI_FILES_OUTFILE_PART_H

#include <stdbool.h>
#include <sys/types.h>

typedef struct tt_part {
    int slot;      /* -1 = none */
    int dir;       /* descriptor of the folder that it lies in; the caller's, closed after tt_part_forget() */
    char name[24]; /* in that folder; begins with a dot */
} tt_part;

/* Take the signals, before the first of these is made: once is enough. A write beyond a limit of the system is an
 * error from then on (EFBIG). */
void tt_parts_begin(void);
/* A new file in the folder, open for writing; -1 with errno. Any thread. */
int tt_part_open(tt_part *p, int dir, mode_t mode);
/* A new folder in the folder, for files alone and for this user alone; -1 with errno. Any thread. */
int tt_part_folder(tt_part *p, int dir);
/* The folder with the files in it; then it is forgotten. */
void tt_part_folder_remove(tt_part *p);
/* It was renamed or removed: nobody need remove it. */
void tt_part_forget(tt_part *p);
/* Remove those that this process is writing, and make no more: it ends. True when there was one. Async-signal-safe. */
bool tt_parts_remove(void);
void tt_parts_oom(void); /* the same for tt_mem_set_oom() */

#endif
