/* tui/args/open_session.h - loading for the commands that print: wait, warn, hand the session over. */
#ifndef TT_TUI_ARGS_OPEN_SESSION_H
#define TT_TUI_ARGS_OPEN_SESSION_H

#include <signal.h>

#include "parser/load.h"
#include "tui/args/cli.h"

/* Options of loading from the command line; TT_ERR_USAGE for a bad --threads. With --nsys-export, signals that end the
 * program wait from here to tt_signals_again(). */
tt_status tt_open_options(const tt_cli *cli, tt_load_options *out, tt_err *err);
/* tt_load_finish(). While nsys may be at work (--nsys-export), a signal that ends the program cancels the load first,
 * so that nothing is left of the export. */
tt_session *tt_finish_load(tt_load *load, const tt_load_options *o, char **warnings, tt_err *err);
/* No load of these options is left that has to be cancelled: a signal that came meanwhile ends the program here. */
/* The signals that end the program and are not ignored, as nohup ignores SIGHUP. */
void tt_ending_signals(sigset_t *out);
void tt_signals_again(const tt_load_options *o);
typedef struct tt_open_spec {
    const char *const *paths;
    uint32_t n_paths;
    const tt_load_options *load;
    const char *worker_option, *span_option; /* names of the options that chose them, for messages */
    const char *side;                        /* "BASE", "NEW": of a comparison, for messages; NULL */
    bool damage;                             /* one line on stderr for each damaged input */
} tt_open_spec;
/* Load. Warnings about skipped files go to stderr. */
tt_status tt_open(const tt_open_spec *spec, tt_session **out, tt_err *err);
/* The same of a load that was started for it, which is over and freed then; tt_signals_again() is left to the caller.
 */
tt_status tt_open_started(const tt_open_spec *spec, tt_load *load, tt_session **out, tt_err *err);
/* TT_ERR_USAGE when cli has no path. */
tt_status tt_needs_path(const tt_cli *cli, tt_err *err);
/* Load cli's paths. Warnings about skipped files go to stderr, and, with `damage`, one line for each damaged input. */
tt_status tt_open_session(const tt_cli *cli, bool damage, tt_session **out, tt_err *err);
/* Likewise with --worker, for what is computed from all workers: *whole has them all, *out the chosen one alone. The
 * caller frees both, also after an error. */
tt_status tt_open_chosen(const tt_cli *cli, tt_session **out, tt_session **whole, tt_err *err);

#endif
