/* tui/app/runs/runs.h - traces and folders beside the open run, to choose the other run of a comparison from. */
#ifndef TT_TUI_APP_RUNS_RUNS_H
#define TT_TUI_APP_RUNS_RUNS_H

#include <stdbool.h>
#include <stdint.h>

#include "model/base/mem.h"

typedef struct tt_run_entry {
    char *name;        /* in its folder, raw bytes; folders end with '/', ".." is the folder above; owned */
    bool folder;       /* to go into */
    uint32_t n_traces; /* folder: traces that lie in it, which makes it a run; file: 1 */
    uint64_t bytes;    /* size of these files */
    int64_t changed;   /* s since 1970: the newest of them */
} tt_run_entry;
typedef TT_VEC(tt_run_entry) tt_run_list;

/* What is in a folder ("" = the current one) that may be a trace or lead to one: the folder above, folders, traces;
 * what changed last comes first. inside: count the traces in folders, else n_traces of those is 0. Free with
 * tt_runs_free(). */
tt_run_list tt_runs_in(const char *folder, bool inside);
void tt_runs_free(tt_run_list *l);
/* The folder that the run at path lies in, with its last '/'; "" = the current one. */
void tt_runs_folder(const char *path, char *out, size_t cap);
/* How long ago, in one unit: "5 minutes". changed: s since 1970. */
void tt_runs_age(char out[32], int64_t changed);

#endif
