/* tui/args/compare_options.h - what `diff` was asked for beside the tables: two runs, what of each, and how they are
 * compared. */
#ifndef TT_TUI_ARGS_COMPARE_OPTIONS_H
#define TT_TUI_ARGS_COMPARE_OPTIONS_H

#include "model/tables/compare/matching.h"
#include "tui/args/open_session.h"

typedef struct tt_compare_options {
    const char *path[TT_SIDES]; /* the command line's */
    tt_load_options load[TT_SIDES];
    tt_scope scope[TT_SIDES]; /* steps and range; worker and span are chosen when loading */
    tt_comparison compare;    /* with the scope of the base; its session is the caller's to fill in */
} tt_compare_options;

/* Read cli's options. An option of one side (--base-steps) stands above the one of both (--steps). TT_ERR_USAGE with
 * a message that names the option, the value and what is allowed. */
tt_status tt_compare_parse(const tt_cli *cli, tt_compare_options *out, tt_err *err);
/* Load both runs; warnings as tt_open_session() gives them. Both are the same session when the same part of the same
 * file is asked for twice. Also an error: steps or workers that a side does not have. The caller frees both, also
 * after an error. */
tt_status tt_compare_open(const tt_cli *cli, const tt_compare_options *o, tt_session *out[TT_SIDES], tt_err *err);

#endif
