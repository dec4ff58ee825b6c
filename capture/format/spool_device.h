/* capture/format/spool_device.h - records of a spool that come from CUPTI; included by spool.h, which defines a record.
 * Numbers of kinds are CUPTI's; corr is the correlation id shared by an API call and the activity that it launched; 0 =
 * unknown or none unless said otherwise. */
#ifndef TT_CAPTURE_FORMAT_SPOOL_DEVICE_H
#define TT_CAPTURE_FORMAT_SPOOL_DEVICE_H

#include <stddef.h>
#include <stdint.h>

typedef struct tt_spool_rec {
    uint16_t type, size;
    uint32_t a;
} tt_spool_rec;

enum { TT_SPOOL_API_RUNTIME = 0, TT_SPOOL_API_DRIVER = 1, TT_SPOOL_API_INTERNAL = 2 };
typedef struct tt_spool_api {
    tt_spool_rec h;
    int64_t start, end;
    uint32_t tid, correlation, cbid;
    uint16_t kind, status;
    uint64_t external; /* external correlation id of the enclosing range; 0 = none */
} tt_spool_api;

typedef struct tt_spool_kernel {
    tt_spool_rec h;
    int64_t start, end, queued; /* queued 0: unknown */
    uint32_t device, context, stream, correlation;
    int32_t grid[3], block[3];
    uint32_t registers, shared_static, shared_dynamic, graph; /* graph 0: none */
    uint64_t graph_node;
    uint32_t channel, flags; /* flags: TT_SPOOL_WORK_ */
    int64_t submitted;       /* only with TT_TRACE_LATENCY, else the record ends before this member; 0: unknown */
} tt_spool_kernel;

/* Flags of device work. OPEN: launched and not ended when the record was written; times that are not known are 0.
 * WAS_OPEN: the record replaces an OPEN one of the same type, correlation and graph node. */
enum { TT_SPOOL_WORK_ASYNC = 1, TT_SPOOL_WORK_OPEN = 2, TT_SPOOL_WORK_WAS_OPEN = 4 };

typedef struct tt_spool_copy {
    tt_spool_rec h;
    int64_t start, end;
    uint64_t bytes;
    uint32_t device, context, stream, graph;
    uint64_t graph_node;
    uint32_t value;                        /* value of a memory set */
    uint32_t peer_from, peer_to;           /* devices of a peer copy, UINT32_MAX for other copies */
    uint8_t copy_kind, src_kind, dst_kind; /* CUPTI's numbers */
    uint8_t flags;                         /* TT_SPOOL_WORK_ */
} tt_spool_copy;

typedef struct tt_spool_sync {
    tt_spool_rec h;
    int64_t start, end;
    uint32_t kind; /* CUPTI's number: 1 event, 2 stream waits for event, 3 stream, 4 context */
    uint32_t device, context, stream, event, reserved;
    uint64_t recording; /* recording of the event that was waited for; 0: unknown */
} tt_spool_sync;

typedef struct tt_spool_event { /* a CUDA event is recorded in a stream */
    tt_spool_rec h;
    int64_t ts;         /* device time, 0: unknown */
    uint64_t recording; /* unique id of the recording, 0: unknown */
    uint32_t device, context, stream, event;
} tt_spool_event;

typedef struct tt_spool_overhead {
    tt_spool_rec h;
    int64_t start, end;
    uint32_t tid; /* 0: no thread */
    uint32_t correlation;
} tt_spool_overhead;

typedef struct tt_spool_memory {
    tt_spool_rec h;
    int64_t ts;
    uint64_t addr;
    int64_t bytes;     /* negative: a free */
    int64_t allocated; /* bytes that the process has allocated on this device after the event */
    uint32_t device;   /* UINT32_MAX: host */
    uint32_t tid, correlation, kind;
    int64_t held;       /* allocated plus the unused memory of pools, for the process on this device */
    uint64_t pool;      /* address of the pool that the memory came from, 0: none */
    uint64_t pool_size; /* bytes that the pool holds and uses after the event, if CUPTI says so */
    uint64_t pool_used;
} tt_spool_memory;

enum { TT_SPOOL_POOL_CREATED = 1, TT_SPOOL_POOL_DESTROYED = 2, TT_SPOOL_POOL_TRIMMED = 3 };
typedef struct tt_spool_pool {
    tt_spool_rec h;
    int64_t ts;
    uint64_t addr, size, used, threshold, keep; /* bytes; used 0: unknown or none; keep: for a trim */
    uint32_t device, correlation, tid, imported;
} tt_spool_pool;

/* Events of memory shared by host and devices; the numbers are CUPTI's. X(id, number, name, name of its row) */
#define TT_SPOOL_UNIFIED_KINDS(X)                                                                                      \
    X(HTOD, 1, "Unified Memory HtoD", "UM HtoD")                                                                       \
    X(DTOH, 2, "Unified Memory DtoH", "UM DtoH")                                                                       \
    X(CPU_FAULT, 3, "CPU Page Fault", "UM CPU faults")                                                                 \
    X(GPU_FAULT, 4, "GPU Page Fault", "UM GPU faults")                                                                 \
    X(THRASHING, 5, "Thrashing", "UM thrashing")                                                                       \
    X(THROTTLING, 6, "Throttling", "UM throttling")                                                                    \
    X(REMOTE_MAP, 7, "Remote Map", "UM remote maps")                                                                   \
    X(DTOD, 8, "Unified Memory DtoD", "UM DtoD")
enum {
#define X(id, number, name, row) TT_SPOOL_UM_##id = number,
    TT_SPOOL_UNIFIED_KINDS(X)
#undef X
};
typedef struct tt_spool_unified {
    tt_spool_rec h;
    int64_t start, end;
    uint64_t value;    /* bytes; CPU fault: address of the instruction; GPU fault: number of faults at the page */
    uint64_t address;  /* address of the memory */
    uint32_t src, dst; /* devices, UINT32_MAX: the host; thrashing: src has a bit for each device */
    uint32_t flags;    /* CUPTI's flags: why memory moved, how it was accessed */
    uint32_t reserved;
} tt_spool_unified;

typedef struct tt_spool_device {
    tt_spool_rec h;
    uint64_t memory_bytes;
    uint32_t id, major, minor, sms, warp_size, threads_per_block, warps_per_sm, blocks_per_sm, regs_per_block,
        regs_per_sm, shared_per_block, shared_per_sm;
    uint32_t shared_optin, reserved; /* bytes a block may ask for; 0: unknown; missing in old files: see
                                        TT_SPOOL_DEVICE_LEAST */
} tt_spool_device;
#define TT_SPOOL_DEVICE_LEAST offsetof(tt_spool_device, shared_optin) /* size in the first version */

typedef struct tt_spool_context {
    tt_spool_rec h;
    uint32_t device, reserved;
} tt_spool_context;

typedef struct tt_spool_graph {
    tt_spool_rec h;
    int64_t start, end;
    uint32_t device, context, stream, graph;
    uint32_t flags, reserved; /* TT_SPOOL_WORK_; missing in old files: see TT_SPOOL_GRAPH_LEAST */
} tt_spool_graph;
#define TT_SPOOL_GRAPH_LEAST offsetof(tt_spool_graph, flags) /* size in the first version */

#endif
