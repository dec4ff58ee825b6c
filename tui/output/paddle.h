/* tui/output/paddle.h - the summary as Paddle prints it: `summary --style paddle`. */
#ifndef TT_TUI_OUTPUT_PADDLE_H
#define TT_TUI_OUTPUT_PADDLE_H

#include "tui/args/summary_options.h"

/* Print the views of Profiler.summary() that were asked for (sel->tables, all when sel->asked is false), for every
 * worker and span in scope, in Paddle's order and layout, from the tables of the session. limit: rows per view, 0 =
 * all. False when a filter is bad. */
bool tt_out_paddle(FILE *f, tt_session *s, const tt_select *sel, uint32_t limit, tt_err *err);

/* TT_ERR_USAGE when a table was asked for that Paddle has no view of; the message names those that it has. */
tt_status tt_paddle_check(const tt_select *sel, tt_err *err);

#endif
