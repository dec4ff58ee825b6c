/* capture/shared/schedule.h - the steps that are recorded, in PyTorch's and in Paddle's spelling. Pure functions, any
 * thread. */
#ifndef TT_CAPTURE_SHARED_SCHEDULE_H
#define TT_CAPTURE_SHARED_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum tt_schedule_state {
    TT_STEP_CLOSED, /* nothing is traced */
    TT_STEP_READY,  /* warmup: tracers run, their events are dropped */
    TT_STEP_RECORD,
    TT_STEP_RECORD_LAST, /* the last step of a window */
} tt_schedule_state;

typedef struct tt_schedule { /* schedule of steps; record 0: none, everything is recorded */
    int64_t skip_first, skip_first_wait, closed, ready, record, repeat;
} tt_schedule;

/* State of a step, counted from 0. */
tt_schedule_state tt_schedule_at(const tt_schedule *s, int64_t step);
/* True when neither this step nor any later one is recorded. */
bool tt_schedule_over(const tt_schedule *s, int64_t step);
/* Parse "skip_first=10,wait=5,warmup=1,active=3,repeat=2", with Paddle's words closed, ready, record for wait, warmup,
 * active; or "20-30": the steps [20, 30). False with a sentence in why. */
bool tt_schedule_parse(const char *text, tt_schedule *out, char *why, size_t cap);

#endif
