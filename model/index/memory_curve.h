/* model/index/memory_curve.h - allocated and reserved memory of each device over time, for plots.
 *
 * A series is a staircase: a value holds from its time until the next one. Times are on the common axis of the session.
 * Built in O(records); questions cost O(log n + columns asked + n / 64). Immutable, so any thread may read. */
#ifndef TT_MODEL_INDEX_MEMORY_CURVE_H
#define TT_MODEL_INDEX_MEMORY_CURVE_H

#include "model/trace/session.h"

typedef struct tt_memory_point {
    int64_t at, allocated, reserved; /* bytes; TT_UNKNOWN where the record gives no total */
} tt_memory_point;

typedef struct tt_memory_series {
    uint32_t trace;
    uint64_t device;  /* device as in tt_memory_device() of model/tables/memory/memory.h */
    int32_t type, id; /* device type and id, as in tt_memory_record */
    char name[32];    /* "GPU0" */
    uint32_t n;
    tt_memory_point *at;    /* by time */
    tt_memory_point *block; /* highest values of every 64 points */
    int64_t peak, peak_at;  /* highest allocated bytes and its time; TT_UNKNOWN without known totals */
    int64_t reserved, end;  /* highest reserved bytes; allocated bytes after the last record */
    int64_t device_bytes;   /* memory size of the device; TT_UNKNOWN */
} tt_memory_series;

typedef struct tt_memory_curves {
    tt_memory_series *at;
    uint32_t n;
    bool records; /* there are memory records, with or without totals */
} tt_memory_curves;

/* One series for each trace and device with totals, accelerators before the CPU. Free with tt_memory_curves_free(). */
tt_memory_curves *tt_memory_curves_new(const tt_session *s);
/* Curves of one trace. Built once and kept; owned by the session. */
const tt_memory_curves *tt_memory_curves_get(const tt_session *s, uint32_t trace);
void tt_memory_curves_free(tt_memory_curves *c); /* NULL is allowed */
/* Highest values that held at some time of [t0, t1); .at is the time of the highest allocated. .allocated is
 * TT_UNKNOWN before the first point. */
tt_memory_point tt_memory_series_highest(const tt_memory_series *s, int64_t t0, int64_t t1);
/* The point that holds at t: the last one at or before it; TT_NONE = t lies before the first. */
uint32_t tt_memory_series_point(const tt_memory_series *s, int64_t t);

#endif
