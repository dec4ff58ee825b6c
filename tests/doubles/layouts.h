/* tests/doubles/layouts.h - the newest structure of each family of CUPTI's records; layouts.def says since which
 * version each member exists. The structures do not come from capture/cuda/cupti_abi.h on purpose: so the tests see an
 * error in either. */
#ifndef TT_TESTS_DOUBLES_LAYOUTS_H
#define TT_TESTS_DOUBLES_LAYOUTS_H

#include <stdint.h>

typedef struct rec_kernel {
    uint32_t kind;
    uint8_t cache, shared_config;
    uint16_t registers;
    uint32_t partitioned[2];
    uint64_t start, end, completed;
    uint32_t device, context, stream;
    int32_t grid[3], block[3], shared_static, shared_dynamic;
    uint32_t local_thread, local_total, correlation;
    int64_t grid_id;
    const char *name;
    void *reserved;
    uint64_t queued, submitted;
    uint8_t launch_type, carveout[2], pad;
    uint32_t shared_executed;
    uint64_t graph_node;
    uint32_t shared_limit, graph;
    void *policy;
    uint32_t channel, channel_type, cluster[3], cluster_policy;
    uint64_t local_total2;
    uint32_t cluster_most, cluster_active;
    uint8_t from_device;
} rec_kernel;

typedef struct rec_copy {
    uint32_t kind;
    uint8_t copy_kind, src_kind, dst_kind, flags;
    uint64_t bytes, start, end;
    uint32_t device, context, stream, correlation, runtime_corr, pad;
    void *reserved;
    uint64_t graph_node;
    uint32_t graph, channel, channel_type, pad2;
    uint64_t count;
} rec_copy;

typedef struct rec_peer {
    uint32_t kind;
    uint8_t copy_kind, src_kind, dst_kind, flags;
    uint64_t bytes, start, end;
    uint32_t device, context, stream, src_device, src_context, dst_device, dst_context, correlation;
    void *reserved;
    uint64_t graph_node;
    uint32_t graph, channel, channel_type;
} rec_peer;

typedef struct rec_set {
    uint32_t kind, value;
    uint64_t bytes, start, end;
    uint32_t device, context, stream, correlation;
    uint16_t flags, memory;
    uint32_t pad;
    void *reserved;
    uint64_t graph_node;
    uint32_t graph, channel, channel_type;
} rec_set;

typedef struct rec_memory {
    uint32_t kind, operation, memory, correlation;
    uint64_t address, bytes, timestamp, pc;
    uint32_t process, device, context, stream;
    const char *name;
    uint32_t async, pad, pool_type, pad2;
    uint64_t pool_address, pool_threshold, pool_size, pool_used;
    const char *source;
} rec_memory;

typedef struct rec_pool {
    uint32_t kind, operation, type, correlation, process, device;
    uint64_t keep, address, size, threshold, timestamp, used;
    uint8_t managed;
} rec_pool;

typedef struct rec_sync {
    uint32_t kind, type;
    uint64_t start, end;
    uint32_t correlation, context, stream, event;
    uint64_t event_sync;
    uint32_t result;
} rec_sync;

typedef struct rec_event {
    uint32_t kind, correlation, context, stream, event, pad, device, pad2;
    void *reserved;
    uint64_t timestamp, event_sync;
} rec_event;

typedef struct rec_overhead {
    uint32_t kind, overhead, object, process, thread, pad;
    uint64_t start, end;
    uint32_t correlation, pad2;
    void *data;
} rec_overhead;

typedef struct rec_device {
    uint32_t kind, flags;
    uint64_t bandwidth, memory;
    uint32_t constant, l2, warp, clock, engines, sms, ipc, warps, blocks, shared_sm, regs_sm, regs_block, shared_block;
    uint32_t threads_block, block_most[3], grid_most[3], major, minor, id, ecc;
    uint8_t uuid[16];
    char *name;
    uint8_t visible, mig, pad[6];
    uint32_t gpu_instance, compute_instance;
    uint8_t mig_uuid[16];
    uint32_t numa_node, numa;
} rec_device;

typedef struct rec_context {
    uint32_t kind, context, device;
    uint16_t api, null_stream;
    uint32_t parent;
    uint8_t green, pad;
    uint16_t sms;
    uint32_t cig;
} rec_context;

typedef struct rec_graph {
    uint32_t kind, correlation;
    uint64_t start, end;
    uint32_t device, graph, context, stream;
    void *reserved;
    uint32_t end_device, end_context;
} rec_graph;

typedef struct rec_api {
    uint32_t kind, cbid;
    uint64_t start, end;
    uint32_t process, thread, correlation, result;
} rec_api;

typedef struct rec_external {
    uint32_t kind, external;
    uint64_t id;
    uint32_t correlation;
} rec_external;

typedef struct rec_stream {
    uint32_t kind, context, stream, priority, flag, correlation;
} rec_stream;

typedef struct rec_environment {
    uint32_t kind, device;
    uint64_t timestamp;
    uint32_t what, value[5]; /* by `what`: clocks, link and reasons; temperature; power and its limit; fan */
} rec_environment;

typedef struct rec_unified {
    uint32_t kind, what;
    uint64_t value, start, end, address;
    uint32_t src, dst, stream, process, flags, pad;
    uint64_t processors[5];
} rec_unified;

#endif
