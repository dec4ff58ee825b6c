/* tui/timeline/rows/short_name.h - names of slices cut to a few columns, so that the telling part stays. */
#ifndef TT_TUI_TIMELINE_ROWS_SHORT_NAME_H
#define TT_TUI_TIMELINE_ROWS_SHORT_NAME_H

#include "model/trace/trace.h"
#include "tui/widgets/canvas.h"

/* The name of a slice cut to w columns; out is terminated. Returns its width. */
int tt_timeline_short_name(char *out, size_t cap, tt_kind kind, const char *name, int w, bool ascii);

#endif
