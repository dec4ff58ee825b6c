/* model/tables/idle/gap_detail.h - one gap of a device as a person asks about it: where the host was meanwhile, down
 * to the line of the program, and what helps against the gap. */
#ifndef TT_MODEL_TABLES_IDLE_GAP_DETAIL_H
#define TT_MODEL_TABLES_IDLE_GAP_DETAIL_H

#include "model/tables/idle/idle_gaps.h"

typedef struct tt_gap_detail {
    uint32_t trace;
    tt_idle_gap gap;
    const char *thread;  /* thread that launches the next work; NULL = not known. The trace owns all texts */
    const char *op;      /* operator or data loader's range in the middle of the host's part; NULL */
    const char *next;    /* name of the work that ends the gap; NULL */
    tt_row launch;       /* launch of that work; TT_NONE = not known */
    int64_t launch_wait; /* time from the beginning of the launch to the work; TT_UNKNOWN */
    char line[256];      /* line of the program at that time: "train.py(31): step"; "" = not known (python_line.h) */
    int64_t step;        /* number of the step that the gap lies in; TT_UNKNOWN */
} tt_gap_detail;

/* Index of a device by its name ("GPU0"); TT_NONE. */
uint32_t tt_gap_device(const tt_session *s, uint32_t trace, const char *name);

/* The longest gap of a device inside [t0, t1), trace time, with the causes of that part of it. False: there is none.
 * O(log gaps + depth), once the gaps are known. */
bool tt_gap_detail_of(const tt_session *s, uint32_t trace, uint32_t device, int64_t t0, int64_t t1, tt_gap_detail *out);

/* What helps against a cause, in the words of the trace's framework; NULL: nothing helps in general. */
const char *tt_gap_advice(const tt_trace *s, tt_wait_cause cause);

#endif
