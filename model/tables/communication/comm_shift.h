/* model/tables/communication/comm_shift.h - the shift that fits the collectives of one worker to those of another. */
#ifndef TT_MODEL_TABLES_COMMUNICATION_COMM_SHIFT_H
#define TT_MODEL_TABLES_COMMUNICATION_COMM_SHIFT_H

#include "model/tables/communication/comm_clock.h"

typedef struct tt_shift_view { /* visits and known clocks */
    const tt_session *s;
    const tt_comm_visit *visits;
    tt_comm_clock *clocks; /* clock by trace */
} tt_shift_view;

typedef struct tt_shift_list { /* calls of one worker, by start: indices of visits */
    const uint32_t *at;
    uint32_t n;
} tt_shift_list;

typedef struct tt_shift {
    int64_t by; /* call i of the first list is call i + by of the second */
    bool sure;  /* supported by more than two pairs, known clocks or lists of equal length */
} tt_shift;

/* The shift with the smallest spread of end differences, or the smallest difference if both clocks are known. At
 * least half of the shorter list overlaps. On ties: more overlap, then nearer ends. Linear time: every shift is
 * tested on some of its pairs, the best few on all. */
tt_shift tt_best_shift(const tt_shift_view *view, tt_shift_list a, tt_shift_list b);

#endif
