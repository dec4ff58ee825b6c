/* capture/agent/nccl/nccl_abi.h - the interface between NCCL (or RCCL) and a profiler plugin, as far as it is used
 * here. Private to the library.
 *
 * NCCL loads the library that NCCL_PROFILER_PLUGIN names and takes the newest of the structures ncclProfiler_v6 to _v1
 * that both know. Version 1 came with NCCL 2.23, 2 with 2.24, 3 with 2.26, 4 with 2.27, 5 with 2.28, 6 with 2.29. A
 * descriptor begins with its kind; what follows the common members depends on kind and version. Building needs no
 * header of NVIDIA. The layouts are those of 64-bit Linux, checked below.
 *
 * What the events tell: a collective or a send begins and ends where the host enqueues it. Its parts on the device,
 * one for each channel, are events of their own, from version 3 on (NCCL_KERNEL_CH); NCCL's proxy thread reports them.
 * Before that only operations of the network are (NCCL_PROXY_OP), and their number is not told. From version 5 on the
 * call of the program is an event, too (NCCL_COLL_API), inside that of its group (NCCL_GROUP_API), which ends when the
 * call returns. */
#ifndef TT_CAPTURE_AGENT_NCCL_NCCL_ABI_H
#define TT_CAPTURE_AGENT_NCCL_NCCL_ABI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Kinds of events, bits of the mask that init() sets. */
enum {
    NCCL_GROUP = 1 << 0,
    NCCL_COLL = 1 << 1,
    NCCL_P2P = 1 << 2,
    NCCL_PROXY_OP = 1 << 3,
    NCCL_KERNEL_CH = 1 << 6,
    NCCL_GROUP_API = 1 << 8,
    NCCL_COLL_API = 1 << 9
};

/* Names of what version 1 gives as numbers. */
#define NCCL_FUNCTIONS                                                                                                 \
    {                                                                                                                  \
        "Broadcast", "Reduce", "AllGather", "ReduceScatter", "AllReduce", "SendRecv", "Send", "Recv"                   \
    }
#define NCCL_TYPES                                                                                                     \
    {                                                                                                                  \
        "ncclInt8", "ncclUint8", "ncclInt32", "ncclUint32", "ncclInt64", "ncclUint64", "ncclFloat16", "ncclFloat32",   \
            "ncclFloat64", "ncclBfloat16"                                                                              \
    }
#define NCCL_ALGORITHMS                                                                                                \
    {                                                                                                                  \
        "TREE", "RING", "COLLNET_DIRECT", "COLLNET_CHAIN", "NVLS", "NVLS_TREE", "PAT"                                  \
    }
#define NCCL_PROTOCOLS                                                                                                 \
    {                                                                                                                  \
        "LL", "LL128", "SIMPLE"                                                                                        \
    }

typedef struct nccl_coll_1 {
    const char *name; /* name of the communicator */
    uint64_t hash, seq;
    uint8_t func;
    const void *send;
    void *recv;
    size_t count;
    int root;
    uint8_t type;
    uint32_t reduction;
    size_t bytes;
    uint8_t channels, warps, algorithm, protocol;
    int collnet, nvls;
} nccl_coll_1;

typedef struct nccl_coll_2 {
    const char *name;
    uint64_t hash, seq;
    const char *func;
    const void *send;
    void *recv;
    size_t count;
    int root;
    const char *type;
    size_t bytes;
    uint8_t channels, warps;
    const char *algorithm, *protocol;
} nccl_coll_2;

typedef struct nccl_coll_3 {
    const char *name;
    uint64_t hash, seq;
    const char *func;
    const void *send;
    void *recv;
    size_t count;
    int root;
    const char *type;
    uint8_t channels, warps;
    const char *algorithm, *protocol;
} nccl_coll_3;

typedef struct nccl_coll_4 { /* versions 5 and 6 append the group of version 4 */
    uint64_t seq;
    const char *func;
    const void *send;
    void *recv;
    size_t count;
    int root;
    const char *type;
    uint8_t channels, warps;
    const char *algorithm, *protocol;
} nccl_coll_4;

typedef struct nccl_p2p_1 {
    const char *name;
    uint64_t hash;
    uint8_t func;
    void *buffer;
    uint8_t type;
    size_t count;
    int peer;
} nccl_p2p_1;

typedef struct nccl_p2p_2 { /* and 3 */
    const char *name;
    uint64_t hash;
    const char *func;
    void *buffer;
    const char *type;
    size_t count;
    int peer;
} nccl_p2p_2;

typedef struct nccl_p2p_4 { /* 5 and 6 append the group of version 4 */
    const char *func;
    void *buffer;
    const char *type;
    size_t count;
    int peer;
    uint8_t channels;
} nccl_p2p_4;

typedef struct nccl_proxy_op { /* in all versions */
    pid_t pid;                 /* process whose events the parent is one of */
    uint8_t channel;
    int peer, steps, chunk, is_send;
} nccl_proxy_op;

typedef struct nccl_coll_api { /* from version 5 on */
    const char *func;
    size_t count;
    const char *type;
    int root;
    void *stream;
    bool captured; /* into a graph of CUDA: it runs when the graph is launched, as often as that is */
} nccl_coll_api;

typedef union nccl_details {
    nccl_coll_1 coll1;
    nccl_coll_2 coll2;
    nccl_coll_3 coll3;
    nccl_coll_4 coll4;
    nccl_p2p_1 p2p1;
    nccl_p2p_2 p2p2;
    nccl_p2p_4 p2p4;
    nccl_proxy_op proxy_op;
    nccl_coll_api coll_api;
} nccl_details;

typedef struct nccl_event_1 { /* versions 1 to 4 */
    uint8_t kind;
    void *parent;
    int rank;
    nccl_details of;
} nccl_event_1;

typedef struct nccl_event_5 { /* versions 5 and 6 */
    uint64_t kind;
    void *parent;
    int rank;
    nccl_details of;
} nccl_event_5;

_Static_assert(offsetof(nccl_event_1, parent) == 8 && offsetof(nccl_event_1, of) == 24, "layout of versions 1 to 4");
_Static_assert(offsetof(nccl_event_5, parent) == 8 && offsetof(nccl_event_5, of) == 24, "layout of versions 5 and 6");
_Static_assert(offsetof(nccl_coll_1, channels) == 80 && offsetof(nccl_coll_1, count) == 48, "collective, version 1");
_Static_assert(offsetof(nccl_coll_2, channels) == 80 && offsetof(nccl_coll_2, protocol) == 96, "version 2");
_Static_assert(offsetof(nccl_coll_3, channels) == 72 && offsetof(nccl_coll_3, protocol) == 88, "version 3");
_Static_assert(offsetof(nccl_coll_4, channels) == 56 && offsetof(nccl_coll_4, protocol) == 72, "versions 4 to 6");
_Static_assert(offsetof(nccl_p2p_1, peer) == 48 && offsetof(nccl_p2p_2, peer) == 48, "send, versions 1 to 3");
_Static_assert(offsetof(nccl_p2p_4, channels) == 36, "send, versions 4 to 6");
_Static_assert(offsetof(nccl_coll_api, captured) == 40, "call of the program");

enum { NCCL_SUCCESS = 0 };

/* The structures: name, init, start of an event, its end, a change of its state, end of the communicator. They differ
 * in what init() gets. log: NCCL's printing function, not used. */
typedef int nccl_start(void *context, void **event, void *descriptor);
typedef int nccl_stop(void *event);
typedef int nccl_change(void *event, int state, void *arguments);
typedef int nccl_finalize(void *context);

typedef struct nccl_profiler_1 { /* and 2, 3 */
    const char *name;
    int (*init)(void **context, int *mask);
    nccl_start *start;
    nccl_stop *stop;
    nccl_change *change;
    nccl_finalize *finalize;
} nccl_profiler_1;

typedef struct nccl_profiler_4 {
    const char *name;
    int (*init)(void **context, int *mask, const char *comm, uint64_t hash, int nodes, int ranks, int rank, void *log);
    nccl_start *start;
    nccl_stop *stop;
    nccl_change *change;
    nccl_finalize *finalize;
} nccl_profiler_4;

typedef struct nccl_profiler_5 { /* and 6 */
    const char *name;
    int (*init)(void **context, uint64_t id, int *mask, const char *comm, int nodes, int ranks, int rank, void *log);
    nccl_start *start;
    nccl_stop *stop;
    nccl_change *change;
    nccl_finalize *finalize;
} nccl_profiler_5;

#endif
