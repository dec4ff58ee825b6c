/* capture/format/spool_calls.h - records of a spool that come from NCCL's profiler plugin; included by spool.h. */
#ifndef TT_CAPTURE_FORMAT_SPOOL_CALLS_H
#define TT_CAPTURE_FORMAT_SPOOL_CALLS_H

#include "capture/format/spool_device.h"

/* A communicator of NCCL or RCCL. The last record with its number counts. */
typedef struct tt_spool_counts { /* numbers of the last call that was called, has started, has finished; 0 = none */
    uint64_t called, started, finished;
} tt_spool_counts;
typedef struct tt_spool_comm {
    tt_spool_rec h;
    uint64_t hash;           /* NCCL's id of it, equal on all its ranks; 0: not known yet */
    uint32_t name;           /* string; 0: NCCL has no name for it */
    uint32_t version;        /* version of the plugin's interface, 1 to 6 */
    int32_t rank, size;      /* rank: place of this process in it, -1: not known yet; size 0: NCCL does not say */
    int32_t nodes, reserved; /* nodes 0: NCCL does not say */
    int64_t began, ended;    /* ended 0: it exists */
    tt_spool_counts of[3];   /* counts of collectives, of sends and receives, of collectives of graphs */
} tt_spool_comm;

/* A collective, send or receive. The last record with its id counts. Calls of a communicator are numbered from 1,
 * collectives, sends and receives, and collectives of graphs apart from each other: so calls of several ranks are
 * matched without clocks. OPEN: not finished when the record was written; UNSEEN: nothing tells its end. */
enum { TT_SPOOL_CALL_OPEN = 1, TT_SPOOL_CALL_UNSEEN = 2, TT_SPOOL_CALL_PAIR = 4, TT_SPOOL_CALL_CAPTURED = 8 };
typedef struct tt_spool_call {
    tt_spool_rec h;
    uint64_t id;                         /* unique in this process */
    uint64_t seq, nccl_seq;              /* nccl_seq: NCCL's number, among calls of one function; UINT64_MAX: none */
    uint64_t count;                      /* elements */
    int64_t enqueued, started, finished; /* when the host saw it; 0: not known */
    uint32_t comm, tid;
    uint32_t dtype, algorithm, protocol; /* strings */
    int32_t other;                       /* root, or peer of a send or receive */
    uint16_t channels, flags;
    uint32_t reserved;
} tt_spool_call;

#endif
