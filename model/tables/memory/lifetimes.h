/* model/tables/memory/lifetimes.h - allocations of a memory snapshot: begin, end and stack.
 *
 * Moments are records, not times: several share a microsecond. Memory freed or finally active without an allocation
 * record is older than the first record; for finally active memory the snapshot can still know the stack. The sum
 * alive at a record equals its total, unless the file contradicts itself. */
#ifndef TT_MODEL_TABLES_MEMORY_LIFETIMES_H
#define TT_MODEL_TABLES_MEMORY_LIFETIMES_H

#include "model/tables/table_util.h"
#include "model/trace/snapshot.h"

typedef struct tt_lifetime {
    int64_t bytes;     /* requested size */
    uint32_t from, to; /* records of allocation and free; TT_NONE: before the first record, after the last */
    uint32_t stack;    /* stack of the snapshot; 0 = unknown */
    uint32_t device;   /* device number */
} tt_lifetime;

typedef struct tt_lifetimes {
    TT_VEC(tt_lifetime) at;
} tt_lifetimes;

/* Allocations of a trace's snapshot; empty without one. Built once per trace and kept. */
const tt_lifetimes *tt_lifetimes_get(const tt_session *s, uint32_t trace);
static inline bool tt_lifetime_alive(const tt_lifetime *l, uint32_t record)
{
    return (l->from == TT_NONE || l->from <= record) && (l->to == TT_NONE || l->to > record);
}

#endif
