/* tui/cluster/folder.h - the folder in which a run of `tracetty cluster` works: its small files and its lock.
 *
 * The lock is a flock() on the folder. Every process of the run on this machine inherits its descriptor as number 3
 * (script.h), so the lock holds until the last of them has ended, even if `tracetty cluster` was killed. Processes
 * on other nodes cannot inherit it. Before they begin an input they look for the file cancelled-ID of their own run:
 * so an old run ends there too, and never ends a later one.
 *
 * The file `run` has one line about the run at work: ID PID HOST ENGINE. */
#ifndef TT_TUI_CLUSTER_FOLDER_H
#define TT_TUI_CLUSTER_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

#include "model/base/err.h"

typedef struct tt_cluster_run_id {
    char id[48], host[64], engine[16];
    int pid; /* process id of `tracetty cluster` on that host */
} tt_cluster_run_id;

#define TT_CLUSTER_RUN_FILE "run"
#define TT_CLUSTER_CANCELLED "cancelled-" /* prefix of a file name; the ID follows */

tt_status tt_cluster_folder_write(const char *folder, const char *name, const char *text, size_t n, tt_err *err);
/* Read the beginning of a file. False: the file does not exist. */
bool tt_cluster_folder_read(const char *folder, const char *name, char *out, size_t cap);

/* Create and lock the folder; the caller closes *lock. Waits for processes that a killed run left. TT_ERR_INPUT: a
 * run, or processes of a killed run that do not end, hold the folder; the message names them and the command that
 * ends them. */
tt_status tt_cluster_folder_take(const char *folder, int *lock, tt_err *err);
/* The last run that took the folder; false = there was none. */
bool tt_cluster_folder_run(const char *folder, tt_cluster_run_id *out);
/* Write into the folder that this process is run `id`. */
tt_status tt_cluster_folder_begin(const char *folder, const char *id, const char *engine, tt_err *err);
/* Keep all tasks of the run from beginning another input. */
tt_status tt_cluster_folder_cancel(const char *folder, const char *id, tt_err *err);

#endif
