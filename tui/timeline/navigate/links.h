/* tui/timeline/navigate/links.h - following links of the selected slice. */
#ifndef TT_TUI_TIMELINE_NAVIGATE_LINKS_H
#define TT_TUI_TIMELINE_NAVIGATE_LINKS_H

#include "tui/timeline/model/timeline.h"

/* To the launch (dir < 0) or to the launched work. NULL, or why there is no link. */
const char *tt_timeline_link(tt_timeline *t, int dir);
const char *tt_timeline_fwdbwd(tt_timeline *t); /* to the other end of a forward-backward flow */

#endif
