/* tui/app/runs/run_scan.h - the runs below a folder, searched and then looked into by a thread of its own.
 *
 * The search names the runs; after it the newest small ones are read one after the other for what only their content
 * tells. The list is complete from the end of the search on, facts appear in it later. The drawing thread looks at it
 * between tt_run_scan_lock() and tt_run_scan_unlock(), which wait for nothing. */
#ifndef TT_TUI_APP_RUNS_RUN_SCAN_H
#define TT_TUI_APP_RUNS_RUN_SCAN_H

#include "model/tables/verdict/runs.h"
#include "parser/discover/search.h"
#include "parser/load.h"

/* A run that takes more bytes, or is not among the newest, is not read to be described. */
#define TT_RUN_SMALL ((uint64_t)24 << 20)
enum { TT_RUNS_READ = 200 };

typedef struct tt_run_line {
    const tt_search_run *run;
    const char *name; /* name of the run, as --run has it; raw bytes */
    bool read;        /* its content was looked at; else of facts the workers alone may be known, by names */
    bool failed;      /* it was, and cannot be read: the verdict says why */
    tt_run_row facts; /* its row in table runs; texts are the scan's */
} tt_run_line;

typedef struct tt_run_lines {
    tt_run_line *at; /* newest first */
    size_t n;
    bool searching, reading; /* the search, and the reading of facts, are not finished */
    const char *stopped;     /* as in tt_search */
    uint32_t closed, led_out;
} tt_run_lines;

typedef struct tt_run_scan tt_run_scan;

/* notify(arg) is called from the thread when there is more to see. threaded false: everything is there on return. */
tt_run_scan *tt_run_scan_start(const char *root, const tt_load_options *how, bool threaded, void (*notify)(void *),
                               void *arg);
const tt_run_lines *tt_run_scan_lock(tt_run_scan *s);
void tt_run_scan_unlock(tt_run_scan *s);
/* Stop the search and free the list, without waiting; NULL is fine. */
void tt_run_scan_stop(tt_run_scan *s);

#endif
