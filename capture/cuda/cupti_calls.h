/* capture/cuda/cupti_calls.h - the CUPTI functions that are used, looked up by name at load. Functions that are not
 * required are newer than CUDA 11.0, or optional for a recording. */
#ifndef TT_CAPTURE_CUDA_CUPTI_CALLS_H
#define TT_CAPTURE_CUDA_CUPTI_CALLS_H

#include "capture/cuda/cupti_abi.h"

typedef void cu_request(uint8_t **buffer, size_t *size, size_t *most_records);
typedef void cu_complete(void *context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid);
typedef uint64_t cu_timestamp(void);

typedef struct cu_subscriber { /* CUpti_SubscriberParams */
    size_t size;
    const char *name;  /* our name */
    char *holder;      /* out: name of the present subscriber */
    size_t holder_cap; /* at least CU_HOLDER */
} cu_subscriber;
enum { CU_HOLDER = 64 };

/* Attributes of the activity API; their values are of type size_t, except ZEROED_OUT and PER_THREAD (12.3 and later):
 * uint8_t. */
enum {
    CU_ATTR_DEVICE_BUFFER_SIZE = 0,
    CU_ATTR_DEVICE_BUFFER_POOL_LIMIT = 2,
    CU_ATTR_ZEROED_OUT = 5, /* the client gives zeroed buffers; else CUPTI zeroes them on the thread that launches */
    CU_ATTR_DEVICE_BUFFER_PRE_ALLOCATE = 6,
    CU_ATTR_PER_THREAD = 9
};

/* The functions: X(required, name, parameters). */
#define CU_FUNCTIONS(X)                                                                                                \
    X(1, GetVersion, (uint32_t * version))                                                                             \
    X(0, GetResultString, (int result, const char **text))                                                             \
    X(1, Subscribe, (void **subscriber, void *callback, void *data))                                                   \
    X(0, Subscribe_v2, (void **subscriber, void *callback, void *data, cu_subscriber *params))                         \
    X(0, Unsubscribe, (void *subscriber))                                                                              \
    X(0, EnableCallback, (uint32_t enable, void *subscriber, int domain, uint32_t cbid))                               \
    X(0, SetThreadIdType, (int type))                                                                                  \
    X(0, GetCallbackName, (int domain, uint32_t cbid, const char **name))                                              \
    X(0, ActivityRegisterTimestampCallback, (cu_timestamp * f))                                                        \
    X(1, ActivityRegisterCallbacks, (cu_request * request, cu_complete * complete))                                    \
    X(0, ActivitySetAttribute, (int attribute, size_t *size, void *value))                                             \
    X(1, ActivityEnable, (uint32_t kind))                                                                              \
    X(0, ActivityEnableAndDump, (uint32_t kind))                                                                       \
    X(1, ActivityDisable, (uint32_t kind))                                                                             \
    X(1, ActivityFlushAll, (uint32_t flag))                                                                            \
    X(0, ActivityFlushPeriod, (uint32_t ms))                                                                           \
    X(1, ActivityGetNextRecord, (uint8_t * buffer, size_t valid, void **record))                                       \
    X(0, ActivityGetNumDroppedRecords, (void *context, uint32_t stream, size_t *dropped))                              \
    X(0, ActivityEnableRuntimeApi, (uint32_t cbid, uint8_t enable))                                                    \
    X(0, ActivityEnableDriverApi, (uint32_t cbid, uint8_t enable))                                                     \
    X(0, ActivityEnableCudaEventDeviceTimestamps, (uint8_t enable))                                                    \
    X(0, ActivityEnableLatencyTimestamps, (uint8_t enable))                                                            \
    X(0, ActivityConfigureUnifiedMemoryCounter, (cu_unified_config * config, uint32_t count))                          \
    X(0, ActivityPushExternalCorrelationId, (int kind, uint64_t id))                                                   \
    X(0, ActivityPopExternalCorrelationId, (int kind, uint64_t *last))

typedef struct cu_functions {
#define X(required, name, parameters) int(*name) parameters;
    CU_FUNCTIONS(X)
#undef X
} cu_functions;

#endif
