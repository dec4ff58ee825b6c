/* tui/timeline/screen/work.h - what a timeline needs from the worker thread: its indices, and what its rows without
 * records show. Whoever shows the timeline owns both; all calls are made on the drawing thread. */
#ifndef TT_TUI_TIMELINE_WORK_H
#define TT_TUI_TIMELINE_WORK_H

#include "tui/screen/app.h"
#include "tui/timeline/model/timeline.h"

typedef struct tt_timeline_work tt_timeline_work;

/* Have the indices built; the slice at the cursor is picked when they are there. The session outlives all jobs. */
tt_timeline_work *tt_timeline_work_begin(tt_app *a, tt_timeline *t);
/* It will be begun: until the indices are there rows of large tracks are empty, and nothing that is asked of the
 * timeline builds them. Without this whoever asks first does. */
void tt_timeline_work_expect(tt_timeline *t);
/* Have worked out what the rows in view need (derived.h), and built the indices of the view where it has changed. */
void tt_timeline_work_derive(tt_timeline_work *w);
/* Before the timeline goes: waits for the building of its indices, which stops early. NULL is fine. */
void tt_timeline_work_end(tt_timeline_work *w);

#endif
