/* tui/args/open_session.h - loading for the commands that print: wait, warn, hand the session over. */
#ifndef TT_TUI_ARGS_OPEN_SESSION_H
#define TT_TUI_ARGS_OPEN_SESSION_H

#include "parser/load.h"
#include "tui/args/cli.h"

/* Options of loading from the command line; TT_ERR_USAGE for a bad --threads. */
tt_status tt_open_options(const tt_cli *cli, tt_load_options *out, tt_err *err);
/* Load cli's paths. Warnings about skipped files go to stderr, and, with `damage`, one line for each damaged input. */
tt_status tt_open_session(const tt_cli *cli, bool damage, tt_session **out, tt_err *err);
/* Likewise with --worker, for what is computed from all workers: *whole has them all, *out the chosen one alone. The
 * caller frees both, also after an error. */
tt_status tt_open_chosen(const tt_cli *cli, tt_session **out, tt_session **whole, tt_err *err);

#endif
