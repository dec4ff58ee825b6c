/* model/tables/memory/lifetimes.h - what a memory snapshot says was allocated, from when to when, by which stack.
 *
 * Moments are records, not times: several share a microsecond. What is freed without an allocation, and what is
 * active at the end without one, is older than the first record; of what is active at the end the snapshot may know
 * the stack all the same. The sum of what is alive at a record is its total, but where the file contradicts itself. */
#ifndef TT_MODEL_TABLES_MEMORY_LIFETIMES_H
#define TT_MODEL_TABLES_MEMORY_LIFETIMES_H

#include "model/tables/table_util.h"
#include "model/trace/snapshot.h"

typedef struct tt_lifetime {
    int64_t bytes;     /* as asked for */
    uint32_t from, to; /* records; TT_NONE: before the first, not in the trace */
    uint32_t stack;    /* of the snapshot; 0 = not known */
    uint32_t device;   /* number */
} tt_lifetime;

typedef struct tt_lifetimes {
    TT_VEC(tt_lifetime) at;
} tt_lifetimes;

/* Of a trace with a snapshot; without one empty. Built once per trace and kept. */
const tt_lifetimes *tt_lifetimes_get(const tt_session *s, uint32_t trace);
static inline bool tt_lifetime_alive(const tt_lifetime *l, uint32_t record)
{
    return (l->from == TT_NONE || l->from <= record) && (l->to == TT_NONE || l->to > record);
}

#endif
