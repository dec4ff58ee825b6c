/* tests/gpu/probe.c - answers of the real libcupti, call by call, in the order of the recorder's calls: before CUDA is
 * initialised, and after cuInit(). probe LIBCUPTI; prints "phase function code milliseconds". Builds without CUDA
 * headers. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "capture/cuda/cupti_calls.h"

static cu_functions f;

static double ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

#define CALL(phase, name, ...)                                                                                         \
    do {                                                                                                               \
        double at_ = ms();                                                                                             \
        if (f.name) {                                                                                                  \
            int e_ = f.name(__VA_ARGS__);                                                                              \
            printf("%s %s %d %.3f\n", phase, #name, e_, ms() - at_);                                                   \
        } else {                                                                                                       \
            printf("%s %s absent\n", phase, #name);                                                                    \
        }                                                                                                              \
    } while (0)

static void request(uint8_t **out, size_t *size, size_t *most)
{
    *out = aligned_alloc(64, 1 << 20);
    *size = *out ? 1 << 20 : 0;
    *most = 0;
}

static void complete(void *context, uint32_t stream, uint8_t *data, size_t size, size_t valid)
{
    (void)context, (void)stream, (void)size, (void)valid;
    free(data);
}

static void callback(void *data, int domain, uint32_t cbid, const void *info)
{
    (void)data, (void)info;
    printf("callback %d %u\n", domain, cbid);
}

static uint64_t clock_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void kinds(const char *phase, int on)
{
#define X(id, number)                                                                                                  \
    printf("%s: ", #id);                                                                                               \
    if (on) {                                                                                                          \
        CALL(phase, ActivityEnable, number);                                                                           \
    } else {                                                                                                           \
        CALL(phase, ActivityDisable, number);                                                                          \
    }
    CU_KINDS(X)
#undef X
}

int main(int argc, char **argv)
{
    void *lib = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL, *subscriber = NULL, *at;
    void (*none)(void *, int, uint32_t, const void *) = callback;
    const char *name = NULL;
    uint32_t version = 0;
    size_t dropped = 0, size = sizeof(size_t), limit = 20;
    char holder[CU_HOLDER] = "";
    cu_subscriber params = {sizeof params, "tracetty's probe", holder, sizeof holder};
    cu_unified_config unified = {CU_UNIFIED_SCOPE, 1, 0, 1};
    if (!lib) return fprintf(stderr, "probe: %s\n", argc > 1 ? dlerror() : "which libcupti?"), 1;
#define X(required, id, parameters) *(void **)&f.id = dlsym(lib, "cupti" #id);
    CU_FUNCTIONS(X)
#undef X
    memcpy(&at, &none, sizeof at);
    CALL("early", GetVersion, &version);
    printf("version %u\n", version);
    if (f.Subscribe_v2) {
        CALL("early", Subscribe_v2, &subscriber, at, NULL, &params);
        printf("holder %s\n", holder);
    } else {
        CALL("early", Subscribe, &subscriber, at, NULL);
    }
    CALL("early", SetThreadIdType, CU_THREAD_ID_SYSTEM);
    CALL("early", ActivitySetAttribute, CU_ATTR_DEVICE_BUFFER_POOL_LIMIT, &size, &limit);
    CALL("early", ActivityEnableLatencyTimestamps, 1);
    CALL("early", ActivityConfigureUnifiedMemoryCounter, &unified, 1);
    CALL("early", EnableCallback, 1, subscriber, CU_DOMAIN_RESOURCE, CU_CBID_CONTEXT_CREATED);
    CALL("early", ActivityRegisterTimestampCallback, clock_ns);
    CALL("early", ActivityRegisterCallbacks, request, complete);
    kinds("early", 1);
    CALL("early", ActivityEnableRuntimeApi, 17, 0);
    CALL("early", ActivityEnableDriverApi, 307, 1);
    CALL("early", ActivityEnableCudaEventDeviceTimestamps, 1);
    CALL("early", ActivityFlushPeriod, 1000);
    CALL("early", GetCallbackName, CU_DOMAIN_RUNTIME, 211, &name);
    printf("name %s\n", name ? name : "none");
    void *cuda = dlopen("libcuda.so.1", RTLD_NOW);
    int (*init)(unsigned) = NULL;
    if (cuda) *(void **)&init = dlsym(cuda, "cuInit");
    printf("cuInit %d\n", init ? init(0) : -1);
    CALL("late", ActivityConfigureUnifiedMemoryCounter, &unified, 1);
    void *context = NULL;
    int (*retain)(void **, int) = NULL;
    if (cuda) *(void **)&retain = dlsym(cuda, "cuDevicePrimaryCtxRetain");
    printf("cuDevicePrimaryCtxRetain %d\n", retain ? retain(&context, 0) : -1);
    kinds("late", 0);
    kinds("again", 1);
    CALL("late", ActivityGetNumDroppedRecords, NULL, 0, &dropped);
    CALL("late", ActivityFlushAll, 0);
    CALL("late", ActivityFlushAll, CU_FLUSH_FORCED);
    CALL("late", Unsubscribe, subscriber);
    return 0;
}
