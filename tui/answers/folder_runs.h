/* tui/answers/folder_runs.h - all runs of a folder in one line each: rows of table `runs` for `summary`. */
#ifndef TT_TUI_ANSWERS_FOLDER_RUNS_H
#define TT_TUI_ANSWERS_FOLDER_RUNS_H

#include "model/tables/verdict/runs.h"
#include "parser/discover/discover.h"
#include "tui/args/cli.h"

typedef struct tt_folder_runs { /* zero-initialise, tt_folder_runs_free() */
    tt_run_row *at;             /* newest first; those that cannot be read too */
    uint32_t n;
    tt_arena texts;
} tt_folder_runs;

/* Load the runs at cli's only path one after the other, each once, and keep what is said of them. *newest: the session
 * of the newest that can be read, as every command takes it; the caller's. alone: nothing else is asked of it, so
 * nobody has to be told which one it is. An error when none can be read; what cannot be read beside others is a warning
 * on stderr and a row. */
tt_status tt_folder_runs_load(const tt_cli *cli, const tt_scope *scope, bool alone, tt_folder_runs *out,
                              tt_session **newest, tt_err *err);
void tt_folder_runs_free(tt_folder_runs *r);

/* What there is to say of folders that were searched, on stderr. */
void tt_warn_found(const tt_found_list *found);

#endif
