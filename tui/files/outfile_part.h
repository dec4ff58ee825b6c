/* tui/files/outfile_part.h - temporary files and folders that are removed when the program ends, also by a signal. */
#ifndef TT_TUI_FILES_OUTFILE_PART_H
#define TT_TUI_FILES_OUTFILE_PART_H

#include <stdbool.h>
#include <sys/types.h>

typedef struct tt_part {
    int slot;      /* index in the list; -1 = none */
    int dir;       /* descriptor of its folder; owned by the caller, who closes it after tt_part_forget() */
    char name[24]; /* name in that folder; begins with a dot */
} tt_part;

/* Install the signal handlers; call it once, before the first part. From then on a write beyond a limit of the
 * system fails with EFBIG. */
void tt_parts_begin(void);
/* Create a file in the folder, open for writing; -1 with errno. Any thread. */
int tt_part_open(tt_part *p, int dir, mode_t mode);
/* Create a folder in the folder, for plain files and this user only; -1 with errno. Any thread. */
int tt_part_folder(tt_part *p, int dir);
/* Remove a folder with its files, and forget it. */
void tt_part_folder_remove(tt_part *p);
/* Forget a part that was renamed or removed. */
void tt_part_forget(tt_part *p);
/* Remove all parts of this process, and refuse new ones, since the program ends. True if there were any. Async-
 * signal-safe. */
bool tt_parts_remove(void);
void tt_parts_oom(void); /* tt_parts_remove() for tt_mem_set_oom() */

#endif
