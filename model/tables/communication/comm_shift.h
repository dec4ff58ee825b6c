/* model/tables/communication/comm_shift.h - the shift by which the collectives of one worker fit those of another. */
#ifndef TT_MODEL_TABLES_COMMUNICATION_COMM_SHIFT_H
#define TT_MODEL_TABLES_COMMUNICATION_COMM_SHIFT_H

#include "model/tables/communication/comm_clock.h"

typedef struct tt_shift_view { /* what is known */
    const tt_session *s;
    const tt_comm_visit *visits;
    tt_comm_clock *clocks; /* by trace */
} tt_shift_view;

typedef struct tt_shift_list { /* calls of one worker, by start: indices of visits */
    const uint32_t *at;
    uint32_t n;
} tt_shift_list;

typedef struct tt_shift {
    int64_t by; /* call i of the first list is call i + by of the second */
    bool sure;  /* more than two pairs, a known clock or lists of one length speak for it */
} tt_shift;

/* The shift with the smallest spread of the differences of ends, or the smallest difference where the clocks of both
 * are known. At least half of the shorter list overlaps. Shifts that are as good: more overlap, then ends that are
 * nearer. Time is linear in the lengths: every shift is tried on some of its pairs, the best few on all. */
tt_shift tt_best_shift(const tt_shift_view *view, tt_shift_list a, tt_shift_list b);

#endif
