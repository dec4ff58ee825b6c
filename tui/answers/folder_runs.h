/* tui/answers/folder_runs.h - all runs of a folder: the rows of table `runs` for `summary`. */
#ifndef TT_TUI_ANSWERS_FOLDER_RUNS_H
#define TT_TUI_ANSWERS_FOLDER_RUNS_H

#include "model/tables/verdict/runs.h"
#include "parser/discover/discover.h"
#include "tui/args/cli.h"

typedef struct tt_folder_runs { /* zero-initialise; free with tt_folder_runs_free() */
    tt_run_row *at;             /* newest first; also unreadable runs */
    uint32_t n;
    tt_arena texts;
} tt_folder_runs;

/* Load the runs at cli's only path one after the other, and keep a row for each. *newest: session of the newest
 * readable run, which all other tables are about; owned by the caller. alone: no other table is asked for, so no
 * note names that run. An error if no run can be read. An unreadable run beside readable ones gives a warning on
 * stderr and a row. */
tt_status tt_folder_runs_load(const tt_cli *cli, const tt_scope *scope, bool alone, tt_folder_runs *out,
                              tt_session **newest, tt_err *err);
void tt_folder_runs_free(tt_folder_runs *r);

/* Print the warnings about searched folders on stderr. */
void tt_warn_found(const tt_found_list *found);

#endif
