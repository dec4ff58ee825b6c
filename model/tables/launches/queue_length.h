/* model/tables/launches/queue_length.h - number of launched slices that wait on each stream.
 *
 * Device work joins its stream's queue when its launching call begins, or at its own start if that is earlier
 * (clocks differ), and leaves it when it starts. Only work with a known launch counts. At equal times joins come
 * first, so a length is never below 0. The table queue has the same rules. */
#ifndef TT_MODEL_TABLES_LAUNCHES_QUEUE_LENGTH_H
#define TT_MODEL_TABLES_LAUNCHES_QUEUE_LENGTH_H

#include "model/index/curve.h"
#include "model/tables/analysis/device/device_work.h"

/* Capacity of a CUDA stream's queue: a launch into a full queue waits until a work leaves. */
#define TT_QUEUE_FULL 1024

typedef struct tt_queue_lengths {
    tt_curve *of; /* by stream, as in tt_device_work.streams; a sample for each join or leave */
    uint32_t n;
} tt_queue_lengths;

/* Queues of the whole trace. Built once per trace and kept. O(work), plus a sort of nearly sorted items. */
const tt_queue_lengths *tt_queue_lengths_get(const tt_session *s, uint32_t trace);

/* Queues of the work accepted by `takes`, which is called on several threads. The caller frees. */
tt_queue_lengths *tt_queue_lengths_make(const tt_session *s, uint32_t trace,
                                        bool (*takes)(const void *arg, const tt_work *w), const void *arg);
void tt_queue_lengths_free(tt_queue_lengths *q);

typedef struct tt_queue_stat {
    int64_t from, until; /* first join and last leave, cut to the window */
    int64_t longest;     /* largest length */
    double mean;         /* mean over time; NaN for an empty window */
    int64_t empty, full; /* time with length 0, and with TT_QUEUE_FULL or more, ns */
} tt_queue_stat;
/* Statistics in the window [t0, t1). O(log n + samples inside). */
tt_queue_stat tt_queue_stat_in(const tt_curve *length, int64_t t0, int64_t t1);

#endif
