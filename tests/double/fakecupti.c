/* A libcupti for tests: the functions that the recorder uses, replaying a script. FAKE_CUPTI names the script; a program runs it with
 * fake_cupti_run(), which prints what was emitted. Records have the sizes of the version that the script names, and what a version does not
 * have is filled with rubbish. Lines of a script:
 *   version N                     before anything else: what GetVersion says
 *   fail FUNCTION CODE            that function fails from now on (first lines: from the beginning)
 *   device | context              the device and the context
 *   launch N, copy N, set N, sync N, memory N, overhead N, graph N, peer N, driver N, noisy N
 *   zero N                        launches whose kernels have no times
 *   early N                       launches whose kernel record comes before that of the call
 *   unknown KIND SIZE N           records of a kind that only this library knows;   invalid: one that not even it knows
 *   drop N                        so many records are reported as dropped
 *   flush                         complete the buffers;   cut N: complete them with N bytes missing
 *   threads T N                   T threads with N launches each
 *   sleep MS, kill SIGNAL                                                                                                */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "capture/cupti_abi.h"

#define EXPORT __attribute__((visibility("default")))
enum { KINDS_MOST = 64, SLOTS = 32, LOADED_FAILS = 16 };

typedef struct slot {
    uint8_t *data;
    size_t size, used;
} slot;

static struct {
    uint32_t version;
    _Atomic uint8_t enabled[KINDS_MOST];
    uint32_t unknown_kind;
    size_t unknown_size;
    struct {
        char name[48];
        int code;
    } fail[LOADED_FAILS];
    int n_fail;
    cu_request *request;
    cu_complete *complete;
    cu_timestamp *clock;
    pthread_mutex_t lock;
    slot slots[SLOTS];
    int n_slots;
    uint32_t corr;
    _Atomic size_t dropped;
    size_t emitted[KINDS_MOST], refused, reported;
    uint8_t subscribed, external_open;
    uint64_t external[64];
} fake = {.version = 130001, .lock = PTHREAD_MUTEX_INITIALIZER};

static int failing(const char *name)
{
    for (int i = 0; i < fake.n_fail; i++) {
        if (!strcmp(fake.fail[i].name, name)) return fake.fail[i].code;
    }
    return 0;
}
#define MAY_FAIL(name)                                                                                                 \
    do {                                                                                                               \
        int code_ = failing(name);                                                                                     \
        if (code_) return code_;                                                                                       \
    } while (0)

/* ---- sizes ---- */

static size_t by_version(const uint32_t (*table)[2])
{
    size_t size = 0;
    for (; table[0][1]; table++) {
        if (fake.version >= table[0][0]) size = table[0][1];
    }
    return size;
}

static size_t size_of(uint32_t kind)
{
    static const uint32_t kernel[][2] = {{13, 160}, {15, 168},     {17, 176},     {18, 200},
                                         {19, 208}, {130000, 216}, {900000, 264}, {0, 0}};
    static const uint32_t copy[][2] = {{13, 72}, {14, 80}, {17, 88}, {26, 96}, {900000, 120}, {0, 0}};
    static const uint32_t peer[][2] = {{13, 80}, {14, 88}, {17, 96}, {900000, 128}, {0, 0}};
    static const uint32_t set[][2] = {{13, 72}, {14, 80}, {17, 88}, {900000, 104}, {0, 0}};
    static const uint32_t sync[][2] = {{13, 40}, {26, 56}, {0, 0}};
    static const uint32_t overhead[][2] = {{13, 40}, {20, 48}, {22, 56}, {0, 0}};
    static const uint32_t memory[][2] = {{13, 112}, {16, 120}, {130000, 128}, {0, 0}};
    static const uint32_t device[][2] = {{13, 160}, {19, 176}, {130000, 184}, {0, 0}};
    static const uint32_t context[][2] = {{13, 24}, {22, 32}, {0, 0}};
    static const uint32_t graph[][2] = {{13, 48}, {130000, 56}, {0, 0}};
    if (fake.unknown_kind && kind == fake.unknown_kind) return fake.unknown_size;
    switch (kind) {
    case CU_KIND_CONCURRENT_KERNEL: return by_version(kernel);
    case CU_KIND_MEMCPY: return by_version(copy);
    case CU_KIND_MEMCPY2: return by_version(peer);
    case CU_KIND_MEMSET: return by_version(set);
    case CU_KIND_SYNCHRONIZATION: return by_version(sync);
    case CU_KIND_OVERHEAD: return by_version(overhead);
    case CU_KIND_MEMORY2: return by_version(memory);
    case CU_KIND_DEVICE: return by_version(device);
    case CU_KIND_CONTEXT: return by_version(context);
    case CU_KIND_GRAPH_TRACE: return by_version(graph);
    case CU_KIND_RUNTIME:
    case CU_KIND_DRIVER:
    case CU_KIND_INTERNAL_LAUNCH_API: return sizeof(cu_api);
    case CU_KIND_EXTERNAL_CORRELATION: return 24;
    default: return 0;
    }
}

/* ---- buffers ---- */

static __thread int my_slot;

static slot *slot_of_thread(void)
{
    if (!my_slot) {
        pthread_mutex_lock(&fake.lock);
        my_slot = ++fake.n_slots < SLOTS ? fake.n_slots : SLOTS - 1;
        pthread_mutex_unlock(&fake.lock);
    }
    return &fake.slots[my_slot];
}

static void complete(slot *s, size_t cut)
{
    slot done = *s;
    *s = (slot){0};
    if (done.data) fake.complete(NULL, 0, done.data, done.size, done.used > cut ? done.used - cut : 0);
}

static void emit(const void *record, uint32_t kind, size_t prefix)
{
    size_t size = size_of(kind), most;
    if (kind < KINDS_MOST && !fake.enabled[kind]) return;
    pthread_mutex_lock(&fake.lock);
    slot *s = &fake.slots[my_slot];
    if (s->data && s->used + size > s->size) complete(s, 0);
    if (!s->data) {
        fake.request(&s->data, &s->size, &most);
        s->used = 0;
        if (!s->data && fake.version < CU_VERSION_NULL_BUFFER) abort(); /* as the old libraries may */
    }
    if (s->data) {
        memset(s->data + s->used, 0xEE, size);
        memcpy(s->data + s->used, record, prefix < size ? prefix : size);
        s->used += size;
        fake.emitted[kind < KINDS_MOST ? kind : 0]++;
    } else {
        fake.refused++;
        fake.dropped++;
    }
    pthread_mutex_unlock(&fake.lock);
}

/* ---- records ---- */

static uint64_t now(void)
{
    struct timespec t;
    if (fake.clock) return fake.clock();
    clock_gettime(CLOCK_REALTIME, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static uint32_t tid(void) { return (uint32_t)syscall(SYS_gettid); }

static void emit_api(uint32_t kind, uint32_t cbid, uint32_t corr, uint64_t start, uint64_t end)
{
    if (fake.external_open && fake.enabled[CU_KIND_EXTERNAL_CORRELATION]) {
        cu_external e = {.kind = CU_KIND_EXTERNAL_CORRELATION,
                         .externalKind = CU_EXTERNAL_CUSTOM0,
                         .externalId = fake.external[fake.external_open - 1],
                         .correlationId = corr};
        emit(&e, e.kind, sizeof e);
    }
    cu_api a = {.kind = kind,
                .cbid = cbid,
                .start = start,
                .end = end,
                .processId = (uint32_t)getpid(),
                .threadId = tid(),
                .correlationId = corr};
    emit(&a, kind, sizeof a);
}

static void emit_kernel(uint32_t corr, uint64_t start, uint64_t end)
{
    static const char *const names[] = {"void gemm<float, 128>(float const*, float*)", "_Z6vecaddPfS_i",
                                        "ncclDevKernel_AllReduce"};
    cu_kernel k = {.kind = CU_KIND_CONCURRENT_KERNEL,
                   .registersPerThread = 40,
                   .start = start,
                   .end = end,
                   .contextId = 1,
                   .streamId = 7,
                   .gridX = 256,
                   .gridY = 1,
                   .gridZ = 1,
                   .blockX = 128,
                   .blockY = 1,
                   .blockZ = 1,
                   .dynamicSharedMemory = 1024,
                   .correlationId = corr,
                   .name = names[corr % 3]};
    size_t prefix = fake.version < 14   ? offsetof(cu_kernel, graphId)
                    : fake.version < 17 ? offsetof(cu_kernel, channelID)
                                        : sizeof k;
    emit(&k, k.kind, prefix);
}

enum { PLAIN, ZERO, EARLY };

static void launch(int how)
{
    uint64_t t = now();
    uint32_t corr = __atomic_add_fetch(&fake.corr, 1, __ATOMIC_RELAXED);
    if (how == EARLY) emit_kernel(corr, t + 2000, t + 7000);
    emit_api(CU_KIND_RUNTIME, 211, corr, t, t + 1500);
    if (how == PLAIN) emit_kernel(corr, t + 2000, t + 7000);
    if (how == ZERO) emit_kernel(corr, 0, 0);
}

static void one_copy(int peer)
{
    uint64_t t = now();
    uint32_t corr = __atomic_add_fetch(&fake.corr, 1, __ATOMIC_RELAXED);
    emit_api(CU_KIND_RUNTIME, 41, corr, t, t + 1000);
    if (peer) {
        cu_memcpy_peer m = {.kind = CU_KIND_MEMCPY2,
                            .copyKind = 10,
                            .srcKind = 3,
                            .dstKind = 3,
                            .bytes = 65536,
                            .start = t + 1000,
                            .end = t + 3000,
                            .contextId = 1,
                            .streamId = 7,
                            .dstDeviceId = 1,
                            .correlationId = corr};
        emit(&m, m.kind, fake.version < 14 ? offsetof(cu_memcpy_peer, graphId) : sizeof m);
    } else {
        cu_memcpy m = {.kind = CU_KIND_MEMCPY,
                       .copyKind = 1,
                       .srcKind = 2,
                       .dstKind = 3,
                       .flags = 1,
                       .bytes = 4096,
                       .start = t + 1000,
                       .end = t + 3000,
                       .contextId = 1,
                       .streamId = 7,
                       .correlationId = corr};
        emit(&m, m.kind, fake.version < 14 ? offsetof(cu_memcpy, graphId) : sizeof m);
    }
}

static void one_set(void)
{
    uint64_t t = now();
    uint32_t corr = __atomic_add_fetch(&fake.corr, 1, __ATOMIC_RELAXED);
    emit_api(CU_KIND_RUNTIME, 51, corr, t, t + 1000);
    cu_memset m = {.kind = CU_KIND_MEMSET,
                   .bytes = 4096,
                   .start = t + 1000,
                   .end = t + 1500,
                   .contextId = 1,
                   .streamId = 7,
                   .correlationId = corr,
                   .memoryKind = 3};
    emit(&m, m.kind, fake.version < 14 ? offsetof(cu_memset, graphId) : sizeof m);
}

static void one_sync(void)
{
    uint64_t t = now();
    uint32_t corr = __atomic_add_fetch(&fake.corr, 1, __ATOMIC_RELAXED);
    emit_api(CU_KIND_RUNTIME, 131, corr, t, t + 9000);
    cu_sync y = {.kind = CU_KIND_SYNCHRONIZATION,
                 .type = 3,
                 .start = t + 10,
                 .end = t + 8900,
                 .correlationId = corr,
                 .contextId = 1,
                 .streamId = 7};
    emit(&y, y.kind, sizeof y);
}

static void one_memory(int i)
{
    cu_memory m = {.kind = CU_KIND_MEMORY2,
                   .memoryOperationType = i & 1 ? CU_MEMORY_RELEASE : CU_MEMORY_ALLOCATION,
                   .memoryKind = CU_MEMORY_DEVICE,
                   .address = 0x7000 + (uint64_t)(i / 2) * 512,
                   .bytes = 1 << 20,
                   .timestamp = now()};
    emit(&m, m.kind, sizeof m);
}

static void one_overhead(void)
{
    uint64_t t = now();
    cu_overhead o = {
        .kind = CU_KIND_OVERHEAD, .overheadKind = 6 << 16, .objectKind = CU_OBJECT_THREAD, .start = t, .end = t + 700};
    o.objectId[1] = tid();
    if (fake.version >= CU_VERSION_OVERHEAD_DATA) o.overheadData = fake.enabled[CU_KIND_OVERHEAD] ? malloc(16) : NULL;
    emit(&o, o.kind, fake.version < 20 ? offsetof(cu_overhead, correlationId) : sizeof o);
}

static void one_graph(void)
{
    uint64_t t = now();
    uint32_t corr = __atomic_add_fetch(&fake.corr, 1, __ATOMIC_RELAXED);
    emit_api(CU_KIND_RUNTIME, 311, corr, t, t + 1000);
    cu_graph g = {.kind = CU_KIND_GRAPH_TRACE,
                  .correlationId = corr,
                  .start = t + 1000,
                  .end = t + 90000,
                  .graphId = 5,
                  .contextId = 1,
                  .streamId = 7};
    emit(&g, g.kind, sizeof g);
}

static void the_device(void)
{
    cu_device d = {.kind = CU_KIND_DEVICE,
                   .globalMemorySize = (uint64_t)80 << 30,
                   .numThreadsPerWarp = 32,
                   .numMultiprocessors = 132,
                   .maxWarpsPerMultiprocessor = 64,
                   .maxBlocksPerMultiprocessor = 32,
                   .maxSharedMemoryPerMultiprocessor = 233472,
                   .maxRegistersPerMultiprocessor = 65536,
                   .maxRegistersPerBlock = 65536,
                   .maxSharedMemoryPerBlock = 49152,
                   .maxThreadsPerBlock = 1024,
                   .computeCapabilityMajor = 9};
    d.name = fake.enabled[CU_KIND_DEVICE] ? strdup("A GPU for tests") : NULL;
    emit(&d, d.kind, sizeof d);
}

static void the_context(void)
{
    cu_context c = {.kind = CU_KIND_CONTEXT, .contextId = 1};
    emit(&c, c.kind, sizeof c);
}

static void unknown(uint32_t kind, size_t size, int known)
{
    uint32_t record[256] = {kind};
    if (known) fake.unknown_kind = kind;
    fake.unknown_size = size;
    pthread_mutex_lock(&fake.lock);
    slot *s = &fake.slots[my_slot];
    if (s->data && s->used + size <= s->size) {
        memcpy(s->data + s->used, record, size);
        s->used += size;
    }
    pthread_mutex_unlock(&fake.lock);
}

/* ---- the script ---- */

static void flush(size_t cut)
{
    pthread_mutex_lock(&fake.lock);
    for (int i = 0; i < SLOTS; i++) complete(&fake.slots[i], cut);
    pthread_mutex_unlock(&fake.lock);
}

static void *many(void *n)
{
    slot_of_thread();
    for (long i = 0; i < (long)n; i++) launch(PLAIN);
    return NULL;
}

static void threads(int t, long n)
{
    pthread_t id[16];
    if (t > 16) t = 16;
    for (int i = 0; i < t; i++) pthread_create(&id[i], NULL, many, (void *)n);
    for (int i = 0; i < t; i++) pthread_join(id[i], NULL);
}

static void settings(const char *word, const char *line)
{
    char name[48];
    int code;
    unsigned version;
    if (!strcmp(word, "version") && sscanf(line, "%*s %u", &version) == 1) fake.version = version;
    if (!strcmp(word, "fail") && sscanf(line, "%*s %47s %d", name, &code) == 2 && fake.n_fail < LOADED_FAILS) {
        memcpy(fake.fail[fake.n_fail].name, name, sizeof name);
        fake.fail[fake.n_fail++].code = code;
    }
}

static void run_line(const char *word, const char *line)
{
    long a = 0, b = 0, c = 0;
    sscanf(line, "%*s %ld %ld %ld", &a, &b, &c);
    if (!strcmp(word, "device")) the_device();
    if (!strcmp(word, "context")) the_context();
    if (!strcmp(word, "flush")) flush(0);
    if (!strcmp(word, "cut")) flush((size_t)a);
    if (!strcmp(word, "drop")) fake.dropped += (size_t)a;
    if (!strcmp(word, "threads")) threads((int)a, b);
    if (!strcmp(word, "kill")) raise((int)a);
    if (!strcmp(word, "sleep")) nanosleep(&(struct timespec){a / 1000, a % 1000 * 1000000}, NULL);
    if (!strcmp(word, "invalid")) unknown(4095, 64, 0);
    for (long i = 0; !strcmp(word, "unknown") && i < c; i++) unknown((uint32_t)a, (size_t)b, 1);
    for (int i = 0; i < a; i++) {
        if (!strcmp(word, "launch")) launch(PLAIN);
        if (!strcmp(word, "zero")) launch(ZERO);
        if (!strcmp(word, "early")) launch(EARLY);
        if (!strcmp(word, "copy")) one_copy(0);
        if (!strcmp(word, "peer")) one_copy(1);
        if (!strcmp(word, "set")) one_set();
        if (!strcmp(word, "sync")) one_sync();
        if (!strcmp(word, "memory")) one_memory(i);
        if (!strcmp(word, "overhead")) one_overhead();
        if (!strcmp(word, "graph")) one_graph();
        if (!strcmp(word, "noisy")) emit_api(CU_KIND_RUNTIME, 17, ++fake.corr, now(), now());
        if (!strcmp(word, "driver")) emit_api(CU_KIND_DRIVER, 307, ++fake.corr, now(), now());
    }
}

static void each_line(void (*f)(const char *word, const char *line), const char *path)
{
    char line[256], word[64];
    FILE *in = path ? fopen(path, "r") : NULL;
    while (in && fgets(line, sizeof line, in)) {
        if (sscanf(line, "%63s", word) == 1 && *word != '#') f(word, line);
    }
    if (in) fclose(in);
}

__attribute__((constructor)) static void begin(void) { each_line(settings, getenv("FAKE_CUPTI")); }

EXPORT void fake_cupti_run(void)
{
    slot_of_thread();
    if (!fake.request) return;
    each_line(run_line, getenv("FAKE_CUPTI"));
}

EXPORT void fake_cupti_report(void)
{
    size_t all = 0;
    for (int i = 0; i < KINDS_MOST; i++) all += fake.emitted[i];
    printf("emitted %zu refused %zu kernels %zu\n", all, fake.refused, fake.emitted[CU_KIND_CONCURRENT_KERNEL]);
    fflush(stdout);
}

/* ---- CUPTI ---- */

#define DECLARE(required, name, parameters) EXPORT int cupti##name parameters;
CU_FUNCTIONS(DECLARE)

int cuptiGetVersion(uint32_t *version)
{
    *version = fake.version;
    return failing("GetVersion");
}
int cuptiGetResultString(int result, const char **text)
{
    *text = result ? "CUPTI_ERROR_OF_THE_TEST" : "CUPTI_SUCCESS";
    return 0;
}
int cuptiSubscribe(void **subscriber, void *callback, void *data)
{
    MAY_FAIL("Subscribe");
    (void)callback, (void)data;
    if (fake.subscribed) return CU_ERROR_BUSY;
    fake.subscribed = 1;
    *subscriber = &fake;
    return 0;
}
int cuptiUnsubscribe(void *subscriber)
{
    (void)subscriber;
    fake.subscribed = 0;
    return 0;
}
int cuptiSetThreadIdType(int type) { return type == CU_THREAD_ID_SYSTEM ? failing("SetThreadIdType") : 1; }
int cuptiGetCallbackName(int domain, uint32_t cbid, const char **name)
{
    static const struct {
        int domain;
        uint32_t cbid;
        const char *name;
    } names[] = {{2, 211, "cudaLaunchKernel_v7000"},
                 {2, 41, "cudaMemcpyAsync_v3020"},
                 {2, 51, "cudaMemsetAsync_v3020"},
                 {2, 17, "cudaGetDevice_v3020"},
                 {2, 131, "cudaStreamSynchronize_v3020"},
                 {2, 311, "cudaGraphLaunch_ptsz_v10000"},
                 {1, 307, "cuLaunchKernel"}};
    MAY_FAIL("GetCallbackName");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (names[i].domain == domain && names[i].cbid == cbid) {
            *name = names[i].name;
            return 0;
        }
    }
    return 1;
}
int cuptiActivityRegisterTimestampCallback(cu_timestamp *f)
{
    MAY_FAIL("ActivityRegisterTimestampCallback");
    fake.clock = f;
    return 0;
}
int cuptiActivityRegisterCallbacks(cu_request *request, cu_complete *done)
{
    MAY_FAIL("ActivityRegisterCallbacks");
    fake.request = request;
    fake.complete = done;
    return 0;
}
int cuptiActivityEnable(uint32_t kind)
{
    MAY_FAIL("ActivityEnable");
    if (kind < KINDS_MOST) fake.enabled[kind] = 1;
    return 0;
}
int cuptiActivityDisable(uint32_t kind)
{
    MAY_FAIL("ActivityDisable");
    if (kind < KINDS_MOST) fake.enabled[kind] = 0;
    return 0;
}
int cuptiActivityFlushAll(uint32_t flag)
{
    (void)flag;
    MAY_FAIL("ActivityFlushAll");
    flush(0);
    return 0;
}
int cuptiActivityFlushPeriod(uint32_t ms)
{
    (void)ms;
    return failing("ActivityFlushPeriod");
}
int cuptiActivityGetNextRecord(uint8_t *buffer, size_t valid, void **record)
{
    uint8_t *at = *record;
    uint32_t kind;
    if (at) {
        memcpy(&kind, at, sizeof kind);
        at += size_of(kind);
    } else {
        at = buffer;
    }
    if (at + sizeof kind > buffer + valid) return CU_ERROR_MAX_LIMIT;
    memcpy(&kind, at, sizeof kind);
    size_t size = size_of(kind);
    if (!size) return 21; /* CUPTI_ERROR_INVALID_KIND */
    if (at + size > buffer + valid) return CU_ERROR_MAX_LIMIT;
    *record = at;
    return 0;
}
int cuptiActivityGetNumDroppedRecords(void *context, uint32_t stream, size_t *dropped)
{
    (void)context, (void)stream;
    *dropped = atomic_exchange(&fake.dropped, 0);
    return 0;
}
int cuptiActivityEnableRuntimeApi(uint32_t cbid, uint8_t enable)
{
    (void)cbid, (void)enable;
    return failing("ActivityEnableRuntimeApi");
}
int cuptiActivityEnableDriverApi(uint32_t cbid, uint8_t enable)
{
    MAY_FAIL("ActivityEnableDriverApi");
    if (cbid == 307) fake.enabled[CU_KIND_DRIVER] = enable;
    return 0;
}
int cuptiActivityPushExternalCorrelationId(int kind, uint64_t id)
{
    (void)kind;
    if (fake.external_open < 64) fake.external[fake.external_open++] = id;
    return 0;
}
int cuptiActivityPopExternalCorrelationId(int kind, uint64_t *last)
{
    (void)kind;
    *last = fake.external_open ? fake.external[--fake.external_open] : 0;
    return 0;
}
