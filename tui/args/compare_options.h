/* tui/args/compare_options.h - the options of `diff`: two runs, the part of each to compare, and how to compare
 * them. */
#ifndef TT_TUI_ARGS_COMPARE_OPTIONS_H
#define TT_TUI_ARGS_COMPARE_OPTIONS_H

#include "model/tables/compare/matching.h"
#include "tui/args/open_session.h"

typedef struct tt_compare_options {
    const char *path[TT_SIDES]; /* owned by the command line */
    tt_load_options load[TT_SIDES];
    tt_scope scope[TT_SIDES]; /* steps and range of each side; the load chooses worker and span */
    tt_comparison compare;    /* with the scope of BASE; the caller fills in its session */
} tt_compare_options;

/* Read the options of cli. An option of one side (--base-steps) replaces the option of both (--steps). TT_ERR_USAGE:
 * the message names the option, the value and what is allowed. */
tt_status tt_compare_parse(const tt_cli *cli, tt_compare_options *out, tt_err *err);
/* Load both runs; print warnings like tt_open_session(). Both sessions are the same if both sides name the same part
 * of the same file. Steps or workers that a side does not have are an error. The caller frees both sessions, also
 * after an error. */
/* Compare the phase that takes most of BASE where both sides have steps of a serving engine and no part was asked
 * for. */
void tt_compare_choose_phase(tt_compare_options *o, tt_session *const of[TT_SIDES]);
tt_status tt_compare_open(const tt_cli *cli, const tt_compare_options *o, tt_session *out[TT_SIDES], tt_err *err);

#endif
