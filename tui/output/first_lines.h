/* tui/output/first_lines.h - what a summary begins with: the first line of the run, the account of the time as a bar
 * with its parts in words, and what was found. Rows of tables overview and findings, as the Overview shows them. */
#ifndef TT_TUI_OUTPUT_FIRST_LINES_H
#define TT_TUI_OUTPUT_FIRST_LINES_H

#include <stdio.h>

#include "model/tables/table.h"

/* The sentence of the row `verdict`; "" = there is none. The table's. */
const char *tt_first_line(const tt_table *overview);
/* Of each worker, at most a few: what time it is, how busy its devices are, the bar, its parts. Plain text; ascii: "us"
 * for "µs". `before` and `after` stand around it; nothing is written where no time is accounted for. */
void tt_first_account(FILE *f, const tt_session *s, const tt_table *overview, bool ascii, const char *before,
                      const char *after);
/* All of it as text for people. color: the first line is bold. */
void tt_first_lines(FILE *f, const tt_session *s, const tt_table *overview, const tt_table *findings, bool color,
                    bool ascii);

#endif
