/* capture/agent/cupti/cupti_walk.h - reads the records in CUPTI's buffers: of returned buffers, and of those that CUPTI
 * still holds. The writer thread only. Private to the library.
 *
 * CUPTI returns a buffer when all its work has ended. In training the program launches seconds ahead of the GPU, and
 * behind a kernel that hangs no buffer ever returns: a killed program would leave nothing of its last seconds. A forced
 * flush returns them, but that work then never gets times. So the writer reads a buffer that stays out for a second
 * where CUPTI fills it: calls that have returned, and work with times, are written at once; work that has not ended is
 * written as open (TT_SPOOL_WORK_OPEN) and once more when it has ended. When CUPTI returns the buffer, only the rest is
 * written.
 * NVIDIA documents neither when nor in which order CUPTI fills a buffer. Therefore a record in a held buffer counts
 * only when its times are plausible, and pointers in it are read by system calls, so that a wrong one does no harm. A
 * CUPTI that fills its buffers only when it returns them loses nothing by this, and gains nothing. */
#ifndef TT_CAPTURE_AGENT_CUPTI_CUPTI_WALK_H
#define TT_CAPTURE_AGENT_CUPTI_CUPTI_WALK_H

#include "capture/agent/cupti/cupti_buffers.h"
#include "capture/agent/cupti/cupti_records.h"
#include "capture/cuda/cupti_calls.h"

typedef struct tt_cupti_walk {
    const cu_functions *f;
    tt_cupti_records records;
    uint64_t told_kinds; /* unknown kinds already noted, one bit each */
    uint64_t ended;      /* device work that has ended, so far */
} tt_cupti_walk;

/* Write the records of a returned buffer that were not written while CUPTI held it. Work without times is open if
 * CUPTI was forced to return the buffer, else its times are lost. */
void tt_cupti_walk_returned(tt_cupti_walk *w, tt_recorder *r, tt_cupti_buffer *b);
/* At the begin of a ring's segment, which may outlive the earlier ones: write open work of a held buffer once more, and
 * the calls that launched it. */
void tt_cupti_walk_open(tt_cupti_walk *w, tt_recorder *r, tt_cupti_buffer *b);
/* Write what CUPTI has written into a buffer that it holds, except calls that ended after `until` (ns). */
void tt_cupti_walk_held(tt_cupti_walk *w, tt_recorder *r, tt_cupti_buffer *b, int64_t until);

/* Number of records of a held buffer that were written as open work. */
uint32_t tt_cupti_walk_due(const tt_cupti_buffer *b);

#endif
