/* model/tables/communication/comm.h - collectives of a trace: operation, size, and their times on host and device. */
#ifndef TT_MODEL_TABLES_COMMUNICATION_COMM_H
#define TT_MODEL_TABLES_COMMUNICATION_COMM_H

#include <stdbool.h>

#include "model/base/interval_set.h"
#include "model/trace/session.h"

typedef struct tt_collective {
    /* "nccl:all_reduce" as marked, else library and operation of the kernel; all texts live as long as the session */
    const char *name;
    const char *group; /* process group, "" = unknown */
    const char *ranks; /* members as the trace writes them, "" = unknown */
    tt_row row;        /* host range, or the kernel when no host range marks it */
    int64_t start;     /* start of the host range, else of the launch, else of the kernel */
    int64_t bytes;     /* bytes of the inputs; TT_UNKNOWN */
    int64_t seq;       /* sequence number in the group; TT_UNKNOWN */
    uint32_t coll;     /* metadata: index into trace->colls, 0 = none */
    uint32_t first, n; /* range in tt_collectives.ranges */
    /* Times for computing waits: from kernels, or from the host range for a library that works on the host. */
    int64_t ns;     /* longest kernel (or host range), ns; TT_UNKNOWN: only the enqueueing is recorded */
    int64_t total;  /* sum of the kernels, else as ns */
    int64_t end;    /* end of the last of them; of the host range where ns is unknown */
    int64_t kernel; /* start of the first kernel; TT_UNKNOWN = no kernel recorded */
} tt_collective;

typedef struct tt_collectives {
    TT_VEC(tt_collective) at; /* collectives by start */
    TT_VEC(tt_iv) ranges;     /* ranges of each collective: its marked host range and kernels, by start */
    TT_VEC(bool) on_device;   /* by range: whether it is on a device */
    tt_arena arena;
} tt_collectives;

/* Built once per trace and kept. Host ranges that only enqueue for a device library are left out if its kernels were
 * recorded. */
const tt_collectives *tt_collectives_get(const tt_session *s, uint32_t trace);

/* Bytes of a collective's inputs, or of its result, from its metadata: elements x type size; TT_UNKNOWN. */
int64_t tt_collective_bytes(const tt_trace *s, uint32_t coll, bool result);
/* Bus factor busbw / algbw of an operation among n ranks; NaN when it depends on an unknown n. *gathers: the size of
 * a call is its result, else its input. */
double tt_comm_bus_factor(const char *operation, int64_t n, bool *gathers);

#endif
