/* model/tables/launches/queue_length.h - how much launched work waits on each stream.
 *
 * A piece of work joins the queue of its stream when the call that launches it begins, or when it starts itself where
 * that is earlier (clocks differ), and leaves it when it starts. Only work whose launch is known. At equal times what
 * joins comes first, so a length is never below 0. The rules are those of the table queue. */
#ifndef TT_MODEL_TABLES_LAUNCHES_QUEUE_LENGTH_H
#define TT_MODEL_TABLES_LAUNCHES_QUEUE_LENGTH_H

#include "model/index/curve.h"
#include "model/tables/analysis/device/device_work.h"

/* A launch into a queue of so many waits until one leaves: what CUDA's streams hold. */
#define TT_QUEUE_FULL 1024

typedef struct tt_queue_lengths {
    tt_curve *of; /* by stream, as in tt_device_work.streams; a sample for each that joins or leaves */
    uint32_t n;
} tt_queue_lengths;

/* Of the whole trace. Built once per trace and kept. O(work), and a sort of what is nearly sorted. */
const tt_queue_lengths *tt_queue_lengths_get(const tt_session *s, uint32_t trace);

/* Of the work that `takes` takes, which is asked on several threads. Caller frees. */
tt_queue_lengths *tt_queue_lengths_make(const tt_session *s, uint32_t trace,
                                        bool (*takes)(const void *arg, const tt_work *w), const void *arg);
void tt_queue_lengths_free(tt_queue_lengths *q);

typedef struct tt_queue_stat {
    int64_t from, until; /* from the first that joins to the last that leaves, as far as it is in the window */
    int64_t longest;     /* largest length */
    double mean;         /* over time; NaN for an empty stretch of time */
    int64_t empty, full; /* ns with the length 0; with TT_QUEUE_FULL or more */
} tt_queue_stat;
/* In the window [t0, t1). O(log n + samples inside). */
tt_queue_stat tt_queue_stat_in(const tt_curve *length, int64_t t0, int64_t t1);

#endif
