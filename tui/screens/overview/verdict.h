/* tui/screens/overview/verdict.h - the first line of a run: the row `verdict` of table overview, in the same words
 * on every screen. */
#ifndef TT_TUI_SCREENS_OVERVIEW_VERDICT_H
#define TT_TUI_SCREENS_OVERVIEW_VERDICT_H

#include "model/tables/table.h"
#include "tui/widgets/theme.h"

/* The verdict from the tables overview and findings, "" where either is NULL; owned by the table. The style shows
 * how severe the verdict is. */
const char *tt_verdict_text(const tt_table *overview, const tt_table *findings, tt_style *style);
/* The sign before the verdict on a screen: "!! ", "! " or "". */
const char *tt_verdict_sign(tt_style style);
tt_style tt_severity_style(const char *severity);

/* Shorten a frame "dir/train.py(44): step" to "train.py:44"; "" = the text is no such frame. */
void tt_frame_file_line(const char *frame, char *out, size_t cap);

#endif
