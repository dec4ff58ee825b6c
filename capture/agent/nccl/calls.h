/* capture/agent/nccl/calls.h - the communicators of this process and their calls that have not ended, as a profiler
 * plugin of NCCL learns of them. Private to the library.
 *
 * NCCL's threads and the program's put in what they see, without locks and memory; the writer thread takes changes out
 * and writes them as TT_SPOOL_COMM and TT_SPOOL_COLL records. The table is bounded: a call without a place is counted
 * as dropped (TT_SPOOL_DROP_CALLS), and in the counters of its communicator.
 * A call ends when all its parts on the device have ended. Where no part tells that (copies by copy engines, kernels on
 * symmetric memory, NCCL before 2.26 inside a node), its end is unseen: TT_SPOOL_CALL_UNSEEN. */
#ifndef TT_CAPTURE_AGENT_NCCL_CALLS_H
#define TT_CAPTURE_AGENT_NCCL_CALLS_H

#include "capture/agent/core/recorder.h"

typedef struct tt_nccl_comm tt_nccl_comm;

typedef struct tt_nccl_task { /* a call as an event describes it; texts may be NULL */
    const char *func, *type, *algorithm, *protocol;
    uint64_t seq, count; /* seq: NCCL's number, UINT64_MAX = not given */
    int other;           /* root of a collective, peer of a send or receive */
    uint32_t channels;   /* parts on the device; 0 = not told */
} tt_nccl_task;

/* ---- NCCL's threads and the program's, inside tt_enter() ---- */

/* A communicator begins. size 0: what follows version is told later. NULL: no room. */
tt_nccl_comm *tt_nccl_comm_begin(tt_recorder *r, uint32_t version);
void tt_nccl_comm_describe(tt_recorder *r, tt_nccl_comm *c, uint64_t hash, const char *name, int nodes, int size,
                           int rank);
void tt_nccl_comm_end(tt_recorder *r, tt_nccl_comm *c);

/* Events. Each returns a handle for tt_nccl_stop() and for the parts, NULL = none; handles of the past are harmless. */
void *tt_nccl_group(void);
/* The program calls a collective, in a group. captured: into a graph, so that it does not run now. */
void *tt_nccl_api(tt_recorder *r, tt_nccl_comm *c, const tt_nccl_task *t, const void *group, bool captured);
/* A collective is enqueued; call: what tt_nccl_api() returned, where that is known to come before. */
void *tt_nccl_coll(tt_recorder *r, tt_nccl_comm *c, const tt_nccl_task *t, const void *call);
void *tt_nccl_p2p(tt_recorder *r, tt_nccl_comm *c, const tt_nccl_task *t);
/* A part of a call begins on the device, or in the network. */
void *tt_nccl_part(const tt_recorder *r, const void *call);
void tt_nccl_stop(const tt_recorder *r, const void *event);

/* ---- the writer thread ---- */

/* Write what has changed. last: this is the last time. */
void tt_nccl_write(tt_recorder *r, int64_t now, bool last);
/* Let the next tt_nccl_write() write all communicators and calls that exist, for a file that begins. */
void tt_nccl_repeat(void);
void tt_nccl_forget(void); /* in a forked child, which has no communicators */

#endif
