/* tui/timeline/rows/slice_detail.h - the facts about a slice. */
#ifndef TT_TUI_TIMELINE_SLICE_DETAIL_H
#define TT_TUI_TIMELINE_SLICE_DETAIL_H

#include "tui/timeline/model/timeline.h"
#include "tui/timeline/rows/facts.h"

/* Facts of a slice; d stays as it is when it has them already. arguments: read them from the file too, which takes a
 * read of a few kilobytes. */
void tt_detail_make(tt_detail *d, const tt_timeline *t, tt_slice_ref r, tt_unit unit, bool arguments);

#endif
