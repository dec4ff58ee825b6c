/* tui/timeline/rows/nodes.h - making and freeing a timeline. */
#ifndef TT_TUI_TIMELINE_ROWS_NODES_H
#define TT_TUI_TIMELINE_ROWS_NODES_H

#include "tui/timeline/model/timeline.h"

tt_timeline *tt_timeline_new(tt_session *s); /* the session outlives it */
void tt_timeline_free(tt_timeline *t);       /* NULL is fine */

#endif
