/* tui/args/open_session.h - loading traces for the commands that print tables. */
#ifndef TT_TUI_ARGS_OPEN_SESSION_H
#define TT_TUI_ARGS_OPEN_SESSION_H

#include <signal.h>

#include "parser/load.h"
#include "tui/args/cli.h"

/* Read the load options from the command line; TT_ERR_USAGE for a bad --threads. With --nsys-export, signals that
 * end the program stay pending until tt_signals_again(). */
tt_status tt_open_options(const tt_cli *cli, tt_load_options *out, tt_err *err);
/* Finish a load like tt_load_finish(). With --nsys-export, a signal that ends the program first cancels the load, so
 * that nsys leaves no half-written export. */
tt_session *tt_finish_load(tt_load *load, const tt_load_options *o, char **warnings, tt_err *err);
/* Unblock the signals again after the last load with these options; a pending signal ends the program here. */
/* All signals that end the program, except ignored ones (nohup ignores SIGHUP). */
void tt_ending_signals(sigset_t *out);
void tt_signals_again(const tt_load_options *o);
typedef struct tt_open_spec {
    const char *const *paths;
    uint32_t n_paths;
    const tt_load_options *load;
    const char *worker_option, *span_option; /* options that chose worker and span, for messages */
    const char *side;                        /* "BASE" or "NEW" in a comparison, for messages; else NULL */
    bool damage;                             /* print one line on stderr for each damaged input */
} tt_open_spec;
/* Load the traces. Warnings about skipped files go to stderr. */
tt_status tt_open(const tt_open_spec *spec, tt_session **out, tt_err *err);
/* Like tt_open(), for a load that was started before; the load is freed. The caller calls tt_signals_again(). */
tt_status tt_open_started(const tt_open_spec *spec, tt_load *load, tt_session **out, tt_err *err);
/* TT_ERR_USAGE when cli has no path. */
tt_status tt_needs_path(const tt_cli *cli, tt_err *err);
/* Load the paths of cli. Warnings about skipped files go to stderr; with `damage`, also one line for each damaged
 * input. */
tt_status tt_open_session(const tt_cli *cli, bool damage, tt_session **out, tt_err *err);
/* Like tt_open_session(), for --worker with tables over all workers: *whole has all workers, *out only the chosen
 * one. The caller frees both, also after an error. */
tt_status tt_open_chosen(const tt_cli *cli, tt_session **out, tt_session **whole, tt_err *err);

#endif
