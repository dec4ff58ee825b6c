/* tui/timeline/navigate/bookmarks.h - places of the timeline with a name. */
#ifndef TT_TUI_TIMELINE_NAVIGATE_BOOKMARKS_H
#define TT_TUI_TIMELINE_NAVIGATE_BOOKMARKS_H

#include "tui/timeline/model/timeline.h"

/* Set a bookmark at the selection, else at the cursor, or move the bookmark of that name. "": the next free number. */
const tt_bookmark *tt_timeline_bookmark(tt_timeline *t, const char *name);
void tt_timeline_put_bookmark(tt_timeline *t, const tt_bookmark *b); /* a copy */
const tt_bookmark *tt_timeline_find_bookmark(const tt_timeline *t, const char *name);
bool tt_timeline_remove_bookmark(tt_timeline *t, const char *name);
void tt_timeline_goto(tt_timeline *t, const tt_bookmark *b); /* show its window, its line and its slice */

#endif
