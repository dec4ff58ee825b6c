/* model/tables/communication/comm.h - collectives of a trace: what was called, how large, and when it occupied host
 * and device. */
#ifndef TT_MODEL_TABLES_COMMUNICATION_COMM_H
#define TT_MODEL_TABLES_COMMUNICATION_COMM_H

#include <stdbool.h>

#include "model/base/interval_set.h"
#include "model/trace/session.h"

typedef struct tt_collective {
    /* "nccl:all_reduce" as marked, else library and operation of the kernel; lives as long as the session, like the
     * others */
    const char *name;
    const char *group; /* process group, "" = unknown */
    const char *ranks; /* its members as the trace writes them, "" = unknown */
    tt_row row;        /* the host range, or the kernel when nothing on the host marks it */
    int64_t start;     /* of the host range, the launch, or failing both the kernel */
    int64_t bytes;     /* of the inputs; TT_UNKNOWN */
    int64_t seq;       /* number of the call in its group; TT_UNKNOWN */
    uint32_t coll;     /* what the trace says of it: index into trace->colls, 0 = nothing */
    uint32_t first, n; /* ranges */
    /* What waits are computed from: the kernels alone, the host's range only for a library that works on the host. */
    int64_t ns;     /* the longest of them; TT_UNKNOWN: only the enqueueing is recorded */
    int64_t total;  /* the kernels added up, else as ns */
    int64_t end;    /* of the last of them; of the host's range where ns is unknown */
    int64_t kernel; /* start of the first kernel; TT_UNKNOWN = none is recorded */
} tt_collective;

typedef struct tt_collectives {
    TT_VEC(tt_collective) at; /* by start */
    TT_VEC(tt_iv) ranges;     /* of each: the marked host range and its kernels, by start */
    TT_VEC(bool) on_device;   /* of each range */
    tt_arena arena;
} tt_collectives;

/* Built once per trace and kept. Host ranges of a device library that only enqueue are left out when its kernels are
 * there. */
const tt_collectives *tt_collectives_get(const tt_session *s, uint32_t trace);

/* Bytes of the inputs of a collective, or of its result, by its metadata: elements x size of the type; TT_UNKNOWN. */
int64_t tt_collective_bytes(const tt_trace *s, uint32_t coll, bool result);
/* What the links carry of a byte of algbw of an operation among n ranks; NaN when that depends on an unknown n. The
 * size of a call is its result where it gathers, else its input. */
double tt_comm_bus_factor(const char *operation, int64_t n, bool *gathers);

#endif
