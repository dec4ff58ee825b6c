/* tui/screens/overview/verdict.h - the first line of a run: the row `verdict` of table overview, the same wherever
 * it is said. */
#ifndef TT_TUI_SCREENS_VERDICT_H
#define TT_TUI_SCREENS_VERDICT_H

#include "model/tables/table.h"
#include "tui/widgets/theme.h"

/* The sentence of tables overview and findings, "" where either is NULL; the table's. The style says how bad it is. */
const char *tt_verdict_text(const tt_table *overview, const tt_table *findings, tt_style *style);
/* "!! ", "! " or "": what stands before it on a screen. */
const char *tt_verdict_sign(tt_style style);
tt_style tt_severity_style(const char *severity);

/* "dir/train.py(44): step" as "train.py:44"; "" for what is no such frame. */
void tt_frame_file_line(const char *frame, char *out, size_t cap);

#endif
