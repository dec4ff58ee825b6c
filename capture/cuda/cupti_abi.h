/* capture/cuda/cupti_abi.h - the part of CUPTI's interface that is used, declared here: building needs no CUDA, and one
 * binary serves CUPTI 11.0 to 13.
 *
 * CUPTI's records only grew at their ends, so each structure here is a prefix of every version's; members behind the
 * comment "from version" are read only when the loaded library is that new. tests/capture/abi.sh compares all of it
 * with cupti.h where one is present. Versions: 13 = 11.0, 14 = 11.1, 15 = 11.2, 17 = 11.6 and 11.7, 18 = 11.8, 19 =
 * 12.0, 20 = 12.2, 21 = 12.3, 22 = 12.4, 26 = 12.8, then 130000 = 13.0. */
#ifndef TT_CAPTURE_CUDA_CUPTI_ABI_H
#define TT_CAPTURE_CUDA_CUPTI_ABI_H

#include <stddef.h>
#include <stdint.h>

enum {
    CU_OK = 0,
    CU_ERROR_MAX_LIMIT = 12, /* no more records in the buffer */
    CU_ERROR_EXCLUDED = 14,  /* NOT_COMPATIBLE: a client uses the functions of a subscriber (_v2) */
    CU_ERROR_BUSY = 39,      /* another subscriber exists */
    CU_FLUSH_FORCED = 1,
    CU_CBID_PROFILER_START = 308, /* driver API: called by cudaProfilerStart() */
    CU_CBID_PROFILER_STOP = 309,
    CU_THREAD_ID_SYSTEM = 1,
    CU_EXTERNAL_CUSTOM0 = 3,
    CU_DOMAIN_DRIVER = 1,
    CU_DOMAIN_RUNTIME = 2,
    CU_DOMAIN_RESOURCE = 3,
    CU_CBID_CONTEXT_CREATED = 1,     /* resource domain, as the next two */
    CU_CBID_GRAPHEXEC_STARTING = 17, /* a graph is about to be made executable; it is executable */
    CU_CBID_GRAPHEXEC_CREATED = 18,
    CU_CBID_DRIVER_VERSION = 2, /* driver API: a call that needs no context and changes nothing */
    CU_VERSION_LEAST = 13,
    CU_VERSION_GRAPH = 14, /* graph ids of kernels, copies, sets */
    CU_VERSION_MEMORY = 15,
    CU_VERSION_GRAPH_TRACE = 17, /* CUDA 11.7; 11.6 has the same number, and refuses */
    CU_VERSION_CHANNEL = 17,
    CU_VERSION_MIG = 17, /* the MIG part of a device */
    CU_VERSION_OVERHEAD_CORR = 21,
    CU_VERSION_POOL_USED = 17,
    CU_VERSION_OVERHEAD_DATA = 22,
    CU_VERSION_OLD_GRAPHS = 19,   /* graphs made before kinds were enabled are traced: 12.0 Update 1 */
    CU_VERSION_PER_THREAD = 26,   /* any thread may flush while threads have their own buffers: 12.6 Update 2 */
    CU_VERSION_EVENT_SYNC = 26,   /* the recording of an event that a wait is for; the device's time of it */
    CU_VERSION_CONFIDENTIAL = 20, /* confidential computing in its mode for developer tools (12.2 Update 1) */
    CU_VERSION_MPS = 130000,      /* cooperative kernels under MPS do not hang */
    CU_VERSION_NULL_BUFFER = 27,  /* a request for a buffer may be declined */
    CU_VERSION_SCOPED = 130200,   /* activities of a subscriber (_v2), which exclude those of the process */
    CU_VERSION_OWN_NAME = 130000, /* device names belong to the client: free() them; before Device5 (some 12.x) all
                                     records share one name, and freeing it ends the program */
};

/* X(id, number) */
#define CU_KINDS(X)                                                                                                    \
    X(MEMCPY, 1)                                                                                                       \
    X(MEMSET, 2)                                                                                                       \
    X(DRIVER, 4)                                                                                                       \
    X(RUNTIME, 5)                                                                                                      \
    X(DEVICE, 8)                                                                                                       \
    X(CONTEXT, 9)                                                                                                      \
    X(CONCURRENT_KERNEL, 10)                                                                                           \
    X(OVERHEAD, 17)                                                                                                    \
    X(ENVIRONMENT, 20)                                                                                                 \
    X(MEMCPY2, 22)                                                                                                     \
    X(UNIFIED_MEMORY_COUNTER, 25)                                                                                      \
    X(CUDA_EVENT, 36)                                                                                                  \
    X(STREAM, 37)                                                                                                      \
    X(SYNCHRONIZATION, 38)                                                                                             \
    X(EXTERNAL_CORRELATION, 39)                                                                                        \
    X(INTERNAL_LAUNCH_API, 48)                                                                                         \
    X(MEMORY2, 49)                                                                                                     \
    X(MEMORY_POOL, 50)                                                                                                 \
    X(GRAPH_TRACE, 51)
enum {
#define X(id, number) CU_KIND_##id = number,
    CU_KINDS(X)
#undef X
};

typedef struct cu_kernel { /* CUpti_ActivityKernel4 and later */
    uint32_t kind;
    uint8_t cache_config, shared_config;
    uint16_t registersPerThread;
    uint32_t partitioned[2];
    uint64_t start, end, completed;
    uint32_t deviceId, contextId, streamId;
    int32_t gridX, gridY, gridZ, blockX, blockY, blockZ;
    int32_t staticSharedMemory, dynamicSharedMemory;
    uint32_t localMemoryPerThread, localMemoryTotal, correlationId;
    int64_t gridId;
    const char *name;
    void *reserved;
    uint64_t queued, submitted;
    uint8_t launchType, carveout[7];
    uint64_t graphNodeId;               /* from version 13 */
    uint32_t shmemLimitConfig, graphId; /* graphId from version 14 */
    void *accessPolicy;
    uint32_t channelID; /* from version 17 */
} cu_kernel;

typedef struct cu_memcpy {
    uint32_t kind;
    uint8_t copyKind, srcKind, dstKind, flags;
    uint64_t bytes, start, end;
    uint32_t deviceId, contextId, streamId, correlationId, runtimeCorrelationId, pad;
    void *reserved;
    uint64_t graphNodeId; /* from version 13 */
    uint32_t graphId;     /* from version 14 */
} cu_memcpy;

typedef struct cu_memcpy_peer {
    uint32_t kind;
    uint8_t copyKind, srcKind, dstKind, flags;
    uint64_t bytes, start, end;
    uint32_t deviceId, contextId, streamId, srcDeviceId, srcContextId, dstDeviceId, dstContextId, correlationId;
    void *reserved;
    uint64_t graphNodeId; /* from version 13 */
    uint32_t graphId;     /* from version 14 */
} cu_memcpy_peer;

typedef struct cu_memset {
    uint32_t kind, value;
    uint64_t bytes, start, end;
    uint32_t deviceId, contextId, streamId, correlationId;
    uint16_t flags, memoryKind;
    uint32_t pad;
    void *reserved;
    uint64_t graphNodeId; /* from version 13 */
    uint32_t graphId;     /* from version 14 */
} cu_memset;

typedef struct cu_api {
    uint32_t kind, cbid;
    uint64_t start, end;
    uint32_t processId, threadId, correlationId, returnValue;
} cu_api;

typedef struct cu_sync {
    uint32_t kind, type;
    uint64_t start, end;
    uint32_t correlationId, contextId, streamId, cudaEventId;
    uint64_t cudaEventSyncId; /* from version 26 */
} cu_sync;

typedef struct cu_event {
    uint32_t kind, correlationId, contextId, streamId, eventId, pad;
    uint32_t deviceId, pad2; /* this and the next members from version 26 */
    void *reserved;
    uint64_t deviceTimestamp, cudaEventSyncId;
} cu_event;

typedef struct cu_overhead {
    uint32_t kind, overheadKind, objectKind;
    uint32_t objectId[3]; /* for a thread: process, thread */
    uint64_t start, end;
    uint32_t correlationId, pad; /* from version 21 */
    void *overheadData;          /* from version 22: free() it */
} cu_overhead;
enum { CU_OBJECT_THREAD = 2 };

typedef struct cu_memory {
    uint32_t kind, memoryOperationType, memoryKind, correlationId;
    uint64_t address, bytes, timestamp, PC;
    uint32_t processId, deviceId, contextId, streamId;
    const char *name;
    uint32_t isAsync, pad, poolType, pad2;
    uint64_t poolAddress, poolThreshold, poolSize;
    uint64_t poolUsed; /* from version 17 */
} cu_memory;
enum { CU_MEMORY_ALLOCATION = 1, CU_MEMORY_RELEASE = 2, CU_MEMORY_DEVICE = 3, CU_POOL_LOCAL = 1 };

typedef struct cu_pool {
    uint32_t kind, memoryPoolOperationType, memoryPoolType, correlationId, processId, deviceId;
    uint64_t minBytesToKeep, address, size, releaseThreshold, timestamp;
    uint64_t utilizedSize; /* from version 17 */
} cu_pool;

typedef struct cu_device {
    uint32_t kind, flags;
    uint64_t globalMemoryBandwidth, globalMemorySize;
    uint32_t constantMemorySize, l2CacheSize, numThreadsPerWarp, coreClockRate, numMemcpyEngines, numMultiprocessors;
    uint32_t maxIPC, maxWarpsPerMultiprocessor, maxBlocksPerMultiprocessor, maxSharedMemoryPerMultiprocessor;
    uint32_t maxRegistersPerMultiprocessor, maxRegistersPerBlock, maxSharedMemoryPerBlock, maxThreadsPerBlock;
    uint32_t maxBlockDim[3], maxGridDim[3], computeCapabilityMajor, computeCapabilityMinor, id, eccEnabled;
    uint8_t uuid[16];
    char *name; /* free() it from version CU_VERSION_OWN_NAME on */
    /* this and the next members from CU_VERSION_MIG */
    uint8_t isCudaVisible, isMigEnabled, reserved[6];
    uint32_t gpuInstanceId, computeInstanceId;
    uint8_t migUuid[16];
} cu_device;

typedef struct cu_context {
    uint32_t kind, contextId, deviceId;
} cu_context;

typedef struct cu_external {
    uint32_t kind, externalKind;
    uint64_t externalId;
    uint32_t correlationId;
} cu_external;

typedef struct cu_graph {
    uint32_t kind, correlationId;
    uint64_t start, end;
    uint32_t deviceId, graphId, contextId, streamId;
} cu_graph;

/* Values of environmentKind, which tells the members that follow. */
enum { CU_ENVIRONMENT_SPEED = 1, CU_ENVIRONMENT_TEMPERATURE, CU_ENVIRONMENT_POWER, CU_ENVIRONMENT_COOLING };
typedef struct cu_environment {
    uint32_t kind, deviceId;
    uint64_t timestamp;
    uint32_t environmentKind;
    union {
        struct {
            uint32_t smClock, memoryClock, pcieLinkGen, pcieLinkWidth, clocksThrottleReasons; /* MHz, CU_THROTTLE_ */
        } speed;
        struct {
            uint32_t gpuTemperature; /* degrees C */
        } temperature;
        struct {
            uint32_t power, powerLimit; /* mW */
        } power;
        struct {
            uint32_t fanSpeed; /* % */
        } cooling;
    } data;
} cu_environment;
/* X(id, bit, text for the user); idle does not count as throttling */
#define CU_THROTTLES(X)                                                                                                \
    X(USER_DEFINED_CLOCKS, 2, "set by the user")                                                                       \
    X(SW_POWER_CAP, 4, "power cap")                                                                                    \
    X(HW_SLOWDOWN, 8, "hardware slowdown")

typedef struct cu_unified { /* CUpti_ActivityUnifiedMemoryCounter2 and later */
    uint32_t kind, counterKind;
    uint64_t value, start, end, address;
    uint32_t srcId, dstId, streamId, processId, flags, pad;
} cu_unified;
typedef struct cu_unified_config {
    uint32_t scope, kind, deviceId, enable;
} cu_unified_config;
enum { CU_UNIFIED_SCOPE = 1 /* process, one device: meaningless since CUDA 7.0 */, CU_UNIFIED_KINDS = 8 };

#endif
