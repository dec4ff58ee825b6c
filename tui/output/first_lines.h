/* tui/output/first_lines.h - the beginning of a summary: the verdict, the account of the time as a bar with its
 * parts in words, the findings. Read from tables overview and findings, as on the Overview. */
#ifndef TT_TUI_OUTPUT_FIRST_LINES_H
#define TT_TUI_OUTPUT_FIRST_LINES_H

#include <stdio.h>

#include "model/tables/table.h"

/* The sentence of the row `verdict`, "" = there is none. The text is the table's. */
const char *tt_first_line(const tt_table *overview);
/* Write the account of the first few workers: window of time, busy devices, bar, parts. Plain text; ascii: "us" for
 * "µs". `before` and `after` stand around it. Writes nothing where no time is accounted for. */
void tt_first_account(FILE *f, const tt_session *s, const tt_table *overview, bool ascii, const char *before,
                      const char *after);
/* Write verdict, account and findings as text. color: the first line is bold. */
void tt_first_lines(FILE *f, const tt_session *s, const tt_table *overview, const tt_table *findings, bool color,
                    bool ascii);

#endif
