/* tui/answers/run_conditions.h - what makes `summary` end with status 1: conditions of --fail-on about one run, and
 * --require-all. */
#ifndef TT_TUI_ANSWERS_RUN_CONDITIONS_H
#define TT_TUI_ANSWERS_RUN_CONDITIONS_H

#include "tui/args/cli.h"

/* Check the values of --fail-on, before anything is loaded. TT_ERR_USAGE: one of them is no condition. */
tt_status tt_run_conditions_check(const tt_cli *cli, tt_err *err);
/* Judge the conditions; those that hold are said on stderr. *held: whether one holds. TT_ERR_USAGE: a condition is
 * about dumps of a flight recorder, and the session has none. */
tt_status tt_run_conditions_judge(const tt_cli *cli, const tt_session *s, const tt_scope *scope, bool *held,
                                  tt_err *err);

#endif
