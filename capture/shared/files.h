/* capture/shared/files.h - files of the recorder inside a program that has files of its own. Private to capture/.
 *
 * Two fences keep the program's files safe. One thread does all work on files, with its own table of descriptors where
 * the system has close_range() with CLOSE_RANGE_UNSHARE (Linux 5.9): a program that closes or counts descriptors, or
 * expects the lowest free number, never meets ours. And a descriptor is a high number, kept with device and inode of
 * the opened file: every user checks first that it still is that file. Signals are blocked on the thread: a limit of
 * file size (SIGXFSZ) becomes an error of write().
 *
 * A race remains in a shared table, between the check and the use: only a program that closes our number and opens more
 * than 500 files within that moment can hit it. */
#ifndef TT_CAPTURE_SHARED_FILES_H
#define TT_CAPTURE_SHARED_FILES_H

#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>

typedef struct tt_own { /* a descriptor of the recorder, with the identity of its file */
    int fd;             /* -1: none */
    dev_t dev;
    ino_t ino;
} tt_own;

/* Open as open() with O_CLOEXEC | O_NOFOLLOW, to a high number. 0 or -errno, with o->fd -1. */
int tt_own_open(tt_own *o, const char *path, int flags, mode_t mode);
/* Take over fd and note its file; closed on an error. 0 or -errno. */
int tt_own_take(tt_own *o, int fd);
/* True when the descriptor is open and still refers to the noted file; then *st (may be NULL) is filled in. */
bool tt_own_holds(const tt_own *o, struct stat *st);
/* As tt_own_holds(); a descriptor that the program closed is reopened if the path still leads to the noted file. */
bool tt_own_keeps(tt_own *o, const char *path, int flags, struct stat *st);
/* Close the descriptor if it is still ours; forget it in any case. */
void tt_own_close(tt_own *o);

/* Start the thread that works on files; 0 or errno. Without one, tt_files_run() calls work directly. */
int tt_files_start(void);
/* Run work(arg) on that thread and wait for it. Any thread. */
void tt_files_run(void (*work)(void *arg), void *arg);
void tt_files_stop(void);
void tt_files_forget(void); /* in a forked child: the thread belongs to the parent */

#endif
