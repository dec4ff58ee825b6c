/* tui/timeline/screen/work.h - jobs of a timeline on the worker thread: its indices, and the values of derived rows.
 * The screen that shows the timeline owns both. All calls are made on the drawing thread. */
#ifndef TT_TUI_TIMELINE_SCREEN_WORK_H
#define TT_TUI_TIMELINE_SCREEN_WORK_H

#include "tui/screen/host.h"
#include "tui/timeline/model/timeline.h"

typedef struct tt_timeline_work tt_timeline_work;

/* Have the indices built, then pick the slice at the cursor. The session outlives all jobs. */
tt_timeline_work *tt_timeline_work_begin(tt_host *a, tt_timeline *t);
/* Let a job build the indices: until then rows of large tracks are empty. Without this call the first query of an
 * index builds it. */
void tt_timeline_work_expect(tt_timeline *t);
/* Start jobs for the data that rows in view need (derived.h), and for the indices of a view that has changed. */
void tt_timeline_work_derive(tt_timeline_work *w);
/* Call before the timeline is freed: stops the building of indices and waits for its end. NULL is fine. */
void tt_timeline_work_end(tt_timeline_work *w);

#endif
