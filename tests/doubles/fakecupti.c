/* A libcupti for tests: the functions that the recorder calls, driven by a script. FAKE_CUPTI names the script;
 * FAKE_AHEAD_MS makes the GPU so far behind the program, FAKE_HANG_AFTER makes the kernel with that correlation never
 * end. A program runs it with fake_cupti_run(), which prints the number of emitted records. The script names a version of
 * CUPTI; records have that version's length, members and kinds (layouts.def), and rubbish in all other bytes.
 * Lines of a script:
 *   version N               cuptiGetVersion() answers N; must come first
 *   fail FUNCTION CODE      the function fails from now on; among the first lines: from the beginning
 *   holder NAME             another client has subscribed
 *   shared                  records share the names of devices, whatever the version (first lines)
 *   foreign N               another client came before the recorder and has N buffers out (first lines)
 *   steal                   another client takes over buffers, clock and callbacks
 *   kineto                  the same, as torch.profiler does it: also a forced flush, and no buffers per thread
 *   count                   prints the number of calls that switched kinds since the last such line
 *   clock                   another client takes over the clock alone
 *   scoped before           another client used the functions of a subscriber (_v2) before the recorder (first lines)
 *   scoped now              another client begins to use them
 *   rain MS                 a launch every 100 us; every 100 ms the line "launched N ns T" (CLOCK_MONOTONIC)
 *   rate N                  N blocks of 1000 launches at full speed; prints "launch NS", the median block's cost
 *   hang FUNCTION           the function does not return from now on
 *   device, context         records of the device and the context; the subscriber hears that they were created
 *   launch N, copy N, set N, sync N, memory N, overhead N, graph N, peer N, driver N, noisy N
 *                           N records of that kind
 *   stream                  the record of a stream
 *   node N                  N launches of a graph of three kernels, each with its node
 *   instantiate, replay N   the same graph; without names and nodes if it was instantiated while kernels were off
 *   work CBID KIND          work of that kind, launched by that call of the driver
 *   event N                 events recorded in one stream; another stream and the host wait for them
 *   pool N                  a memory pool: created, N allocations and releases, trimmed, destroyed
 *   environment N           N samples of clocks, temperature, power and fan
 *   unified N               N records of each kind of activity on unified memory
 *   zero N                  N launches whose kernels have no times
 *   early N                 N launches whose kernel record precedes the record of the call
 *   unknown KIND SIZE N     N records of a kind that only this library knows
 *   invalid                 a record of a kind that no library knows
 *   drop N                  the library reports N dropped records
 *   flush                   complete the buffers
 *   cut N                   complete the buffers, each N bytes too short
 *   threads T N             T threads with N launches each
 *   profiler 1, profiler 0  cudaProfilerStart(), cudaProfilerStop()
 *   wait 1 [KIND]           wait until the kind is enabled (kernels by default); wait 0: until it is disabled
 *   sleep MS, kill SIGNAL */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tests/doubles/fakecupti.h"

#define EXPORT __attribute__((visibility("default")))
#define DECLARE(required, name, parameters) EXPORT int cupti##name parameters;
CU_FUNCTIONS(DECLARE)

fake_state fake = {.version = 130001, .lock = PTHREAD_MUTEX_INITIALIZER};

static int failing(const char *name)
{
    if (fake_excludes(name)) return CU_ERROR_EXCLUDED;
    for (int i = 0; i < fake.n_fail; i++) {
        if (!strcmp(fake.fail[i].name, name)) return fake.fail[i].code;
    }
    return 0;
}
static void hanging(const char *name)
{
    const char *hangs = fake.hangs;
    while (hangs && !strcmp(hangs, name)) sleep(1);
}
#define MAY_FAIL(name)                                                                                                 \
    do {                                                                                                               \
        hanging(name);                                                                                                 \
        int code_ = failing(name);                                                                                     \
        if (code_) return code_;                                                                                       \
    } while (0)
#define LOCKED(what) pthread_mutex_##what(&fake.api)

/* ---- the script ---- */

/* Complete the buffers. Unless forced, keep buffers whose work has not ended. */
void fake_flush(size_t cut, int forced)
{
    uint64_t now = fake_now();
    pthread_mutex_lock(&fake.lock);
    fake_return_full(cut, forced, now);
    for (int i = 0; i < SLOTS; i++) {
        if (forced || fake.slots[i].until <= now) fake_complete(&fake.slots[i], cut);
    }
    pthread_mutex_unlock(&fake.lock);
}

/* Call the subscriber, holding the lock that CUPTI holds around callbacks. */
void fake_tell(int domain, uint32_t cbid, const void *info)
{
    if (!fake.calls[domain][cbid]) return;
    pthread_mutex_lock(&fake.api);
    (*fake.callback)(fake.callback_data, domain, cbid, info);
    pthread_mutex_unlock(&fake.api);
}

/* Emit n launches of this thread. */
EXPORT void fake_cupti_launch(int n)
{
    for (int i = 0; i < n && fake.request; i++) fake_launch(PLAIN);
}

static uint64_t monotonic(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void rain(long ms)
{
    uint64_t begin = monotonic(), told = begin;
    for (long n = 1; monotonic() - begin < (uint64_t)ms * 1000000; n++) {
        fake_launch(PLAIN);
        nanosleep(&(struct timespec){0, 50000}, NULL);
        if (monotonic() - told < 100000000) continue;
        told += 100000000;
        printf("launched %ld ns %llu\n", n, (unsigned long long)monotonic());
        fflush(stdout);
    }
}

static int by_size(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void rate(long blocks)
{
    enum { MOST = 4000, LAUNCHES = 1000 };
    static uint64_t took[MOST];
    if (blocks > MOST) blocks = MOST;
    fake.fast = 1;
    for (long b = 0; b < blocks; b++) {
        uint64_t t = monotonic();
        for (int i = 0; i < LAUNCHES; i++) fake_launch(PLAIN);
        took[b] = monotonic() - t;
        nanosleep(&(struct timespec){0, 1000000}, NULL); /* so that the reader keeps up */
    }
    fake.fast = 0;
    qsort(took, (size_t)blocks, sizeof *took, by_size);
    printf("launch %.1f\n", blocks ? (double)took[blocks / 2] / LAUNCHES : 0);
}

static void profiler(int start)
{
    uint64_t t = fake_now();
    for (uint32_t site = 0; site < 2; site++)
        fake_tell(CU_DOMAIN_DRIVER, start ? CU_CBID_PROFILER_START : CU_CBID_PROFILER_STOP, &site);
    long us = (long)((fake_now() - t) / 1000);
    if (start && us > fake.start_us) fake.start_us = us;
}

static void *many(void *n)
{
    for (long i = 0; i < (long)n; i++) fake_launch(PLAIN);
    return NULL;
}

static void threads(int t, long n)
{
    pthread_t id[256];
    if (t > 256) t = 256;
    for (int i = 0; i < t; i++) pthread_create(&id[i], NULL, many, (void *)n);
    for (int i = 0; i < t; i++) pthread_join(id[i], NULL);
}

/* What Kineto does when the program starts torch.profiler. */
static void kineto(void)
{
    uint8_t no = 0;
    size_t n = sizeof no;
    fake_steal();
    cuptiActivityFlushAll(CU_FLUSH_FORCED);
    cuptiActivitySetAttribute(CU_ATTR_PER_THREAD, &n, &no);
}

static void settings(const char *word, const char *line)
{
    char name[48];
    int code;
    unsigned version;
    if (!strcmp(word, "version") && sscanf(line, "%*s %u", &version) == 1) fake.version = version;
    if (!strcmp(word, "shared")) fake.shared = 1;
    if (!strcmp(word, "foreign") && sscanf(line, "%*s %d", &code) == 1) fake_foreign(code);
    if (!strcmp(word, "scoped") && strstr(line, "before")) fake.scoped = 1;
    if (!strcmp(word, "holder")) sscanf(line, "%*s %63[^\n]", fake.holder);
    if (!strcmp(word, "fail") && sscanf(line, "%*s %47s %d", name, &code) == 2 && fake.n_fail < LOADED_FAILS) {
        memcpy(fake.fail[fake.n_fail].name, name, sizeof name);
        fake.fail[fake.n_fail++].code = code;
    }
}

/* Make the named function hang from now on. */
static void hang(const char *line)
{
    static char name[48];
    if (sscanf(line, "%*s %47s", name) == 1) fake.hangs = name;
}

static void run_line(const char *word, const char *line)
{
    long a = 0, b = 0, c = 0;
    sscanf(line, "%*s %ld %ld %ld", &a, &b, &c);
    if (!strcmp(word, "device")) fake_the_device();
    if (!strcmp(word, "context")) fake_the_context();
    if (!strcmp(word, "stream")) fake_the_stream();
    if (!strcmp(word, "steal")) fake_steal();
    if (!strcmp(word, "kineto")) kineto();
    if (!strcmp(word, "count")) {
        printf("COUNT Enable %d Disable %d EnableDriverApi %d\n", atomic_exchange(&fake.n_enable, 0),
               atomic_exchange(&fake.n_disable, 0), atomic_exchange(&fake.n_driver_api, 0));
        fflush(stdout);
    }
    if (!strcmp(word, "clock")) fake_steal_clock();
    if (!strcmp(word, "scoped")) fake.scoped = 1;
    if (!strcmp(word, "rain")) rain(a);
    if (!strcmp(word, "rate")) rate(a);
    if (!strcmp(word, "hang")) hang(line);
    if (!strcmp(word, "pool")) fake_pool((int)a);
    if (!strcmp(word, "flush")) fake_flush(0, 1);
    if (!strcmp(word, "cut")) fake_flush((size_t)a, 1);
    if (!strcmp(word, "drop")) fake.dropped += (size_t)a;
    if (!strcmp(word, "threads")) threads((int)a, b);
    if (!strcmp(word, "kill")) raise((int)a);
    if (!strcmp(word, "profiler")) profiler(a != 0);
    if (!strcmp(word, "instantiate")) fake_instantiate();
    if (!strcmp(word, "work")) fake_driver_work((uint32_t)a, (uint32_t)b);
    if (!strcmp(word, "sleep")) nanosleep(&(struct timespec){a / 1000, a % 1000 * 1000000}, NULL);
    while (!strcmp(word, "wait") && fake.enabled[b ? b : CU_KIND_CONCURRENT_KERNEL] != (a != 0))
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    if (!strcmp(word, "invalid")) fake_unknown(4095, 64, 0);
    for (long i = 0; !strcmp(word, "unknown") && i < c; i++) fake_unknown((uint32_t)a, (size_t)b, 1);
    if (!strcmp(word, "rain") || !strcmp(word, "rate")) return;
    for (int i = 0; i < a && strcmp(word, "pool") != 0 && strcmp(word, "work") != 0; i++) {
        if (!strcmp(word, "launch")) fake_launch(PLAIN);
        if (!strcmp(word, "zero")) fake_launch(ZERO);
        if (!strcmp(word, "early")) fake_launch(EARLY);
        if (!strcmp(word, "copy")) fake_one_copy(0);
        if (!strcmp(word, "peer")) fake_one_copy(1);
        if (!strcmp(word, "set")) fake_one_set();
        if (!strcmp(word, "sync")) fake_one_sync();
        if (!strcmp(word, "memory")) fake_one_memory(i);
        if (!strcmp(word, "overhead")) fake_one_overhead();
        if (!strcmp(word, "graph")) fake_one_graph();
        if (!strcmp(word, "node")) fake_graph_nodes();
        if (!strcmp(word, "replay")) fake_replay();
        if (!strcmp(word, "event")) fake_one_event(i);
        if (!strcmp(word, "environment")) fake_one_environment();
        if (!strcmp(word, "unified")) fake_one_unified();
        if (!strcmp(word, "noisy")) fake_one_call(CU_KIND_RUNTIME, 17);
        if (!strcmp(word, "driver")) fake_one_call(CU_KIND_DRIVER, 307);
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

__attribute__((constructor)) static void begin(void)
{
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&fake.api, &attr);
    pthread_mutexattr_destroy(&attr);
    const char *ahead = getenv("FAKE_AHEAD_MS"), *hang = getenv("FAKE_HANG_AFTER");
    if (ahead) fake.ahead_ns = strtoull(ahead, NULL, 10) * 1000000;
    if (hang) fake.hangs_at = (uint32_t)strtoul(hang, NULL, 10);
    each_line(settings, getenv("FAKE_CUPTI"));
}

EXPORT void fake_cupti_run(void)
{
    if (!fake.request) return;
    each_line(run_line, getenv("FAKE_CUPTI"));
}

/* Run one line of a script; the libcuda of the tests calls this. */
EXPORT void fake_cupti_do(const char *line)
{
    char word[24] = "";
    if (fake.request && sscanf(line, "%23s", word) == 1) run_line(word, line);
}

EXPORT void fake_cupti_report(void)
{
    size_t all = 0;
    pthread_mutex_lock(&fake.lock);
    for (int i = 0; i < KINDS_MOST; i++) all += fake.emitted[i];
    printf("emitted %zu refused %zu kernels %zu\n", all, fake.refused, fake.emitted[CU_KIND_CONCURRENT_KERNEL]);
    pthread_mutex_unlock(&fake.lock);
    for (int i = 0; i < 16; i++) {
        if (fake.attribute[i]) printf("attribute %d %zu\n", i, fake.attribute[i] - 1);
    }
    if (fake.late) printf("attribute 9 came too late\n");
    if (fake.n_foreign) printf("foreign damaged %d reused %d\n", fake_foreign_damaged(), fake.reused);
    if (fake.start_us) printf("profiler start %ld us\n", fake.start_us);
    fflush(stdout);
}

/* The driver's exit handler has run: the library forgets all work and delivers nothing more. */
EXPORT void fake_cupti_gone(void) { fake.gone = 1; }

/* ---- CUPTI ---- */

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
    fake_callback *f;
    memcpy(&f, &callback, sizeof f);
    fake.callback = f;
    fake.callback_data = data;
    if (fake.subscribed || fake.holder[0]) return CU_ERROR_BUSY;
    fake.subscribed = 1;
    *subscriber = &fake;
    return 0;
}
int cuptiEnableCallback(uint32_t enable, void *subscriber, int domain, uint32_t cbid)
{
    (void)subscriber;
    MAY_FAIL("EnableCallback");
    if (domain < 1 || domain > 3 || cbid >= CBIDS) return 1;
    fake.calls[domain][cbid] = enable != 0;
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
                 {2, 135, "cudaEventRecord_v3020"},
                 {2, 137, "cudaEventSynchronize_v3020"},
                 {2, 147, "cudaStreamWaitEvent_v3020"},
                 {2, 311, "cudaGraphLaunch_v10000"},
                 {2, 312, "cudaGraphLaunch_ptsz_v10000"},
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
int cuptiActivityRegisterCallbacks(cu_request *request, cu_complete *done)
{
    MAY_FAIL("ActivityRegisterCallbacks");
    fake.per_thread = fake.attribute[CU_ATTR_PER_THREAD] ? fake.attribute[CU_ATTR_PER_THREAD] == 2
                                                         : fake.version >= 130000;
    fake.request = request;
    fake.complete = done;
    return 0;
}
int cuptiActivityEnable(uint32_t kind)
{
    MAY_FAIL("ActivityEnable");
    fake.n_enable++;
    if (kind >= KINDS_MOST || !fake_size_of(kind)) return 21; /* CUPTI_ERROR_INVALID_KIND */
    LOCKED(lock);
    fake.enabled[kind] = 1;
    LOCKED(unlock);
    return 0;
}
/* Also emits records of devices and contexts that exist already. */
int cuptiActivityEnableAndDump(uint32_t kind)
{
    int e = cuptiActivityEnable(kind);
    if (!e && kind == CU_KIND_DEVICE) fake_the_device();
    if (!e && kind == CU_KIND_CONTEXT) fake_the_context();
    return e;
}
int cuptiActivityDisable(uint32_t kind)
{
    MAY_FAIL("ActivityDisable");
    fake.n_disable++;
    LOCKED(lock);
    if (kind < KINDS_MOST) fake.enabled[kind] = 0;
    LOCKED(unlock);
    return 0;
}
int cuptiActivityFlushAll(uint32_t flag)
{
    MAY_FAIL("ActivityFlushAll");
    if (fake.gone) return 4; /* CUPTI_ERROR_INVALID_CONTEXT */
    LOCKED(lock);
    fake_flush(0, flag == CU_FLUSH_FORCED);
    LOCKED(unlock);
    return 0;
}
int cuptiActivityGetNextRecord(uint8_t *buffer, size_t valid, void **record)
{
    uint8_t *at = *record;
    uint32_t kind;
    if (at) {
        memcpy(&kind, at, sizeof kind);
        at += fake_size_of(kind);
    } else {
        at = buffer;
    }
    if (at + sizeof kind > buffer + valid) return CU_ERROR_MAX_LIMIT;
    memcpy(&kind, at, sizeof kind);
    size_t size = fake_size_of(kind);
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
/* Switching in the middle of a session is documented as undefined. */
static void refuse_per_thread(int want)
{
    int on = 0;
    for (int i = 0; i < KINDS_MOST; i++) on += fake.enabled[i];
    if (!on || want == (fake.per_thread != 0)) return;
    fprintf(stderr, "UNDEFINED: per-thread buffers switched while %d kinds are enabled\n", on);
    abort();
}
int cuptiActivitySetAttribute(int attribute, size_t *size, void *value)
{
    MAY_FAIL("ActivitySetAttribute");
    int byte = attribute == CU_ATTR_PER_THREAD || attribute == CU_ATTR_ZEROED_OUT;
    size_t least = byte ? sizeof(uint8_t) : sizeof(size_t), v = 0;
    if (attribute < 0 || attribute > 9 || (attribute == CU_ATTR_PER_THREAD && fake.version < 21)) return 1;
    if (*size < least) return 28; /* CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT */
    memcpy(&v, value, least);
    if (attribute == CU_ATTR_PER_THREAD && fake.request) refuse_per_thread(v != 0);
    fake.attribute[attribute] = v + 1;
    if (attribute == CU_ATTR_PER_THREAD && fake.request) fake.late = 1;
    return 0;
}
int cuptiActivityEnableLatencyTimestamps(uint8_t enable)
{
    fake.latency = enable && !failing("ActivityEnableLatencyTimestamps");
    return failing("ActivityEnableLatencyTimestamps");
}
/* Valid only after the driver has started and before the kind is enabled. */
int cuptiActivityConfigureUnifiedMemoryCounter(cu_unified_config *config, uint32_t count)
{
    MAY_FAIL("ActivityConfigureUnifiedMemoryCounter");
    if (!fake.driver) return 15; /* CUPTI_ERROR_NOT_INITIALIZED */
    fake.unified = count && config->enable && !fake.enabled[25];
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

#ifndef FAKE_CUPTI_11 /* functions missing in CUPTI 11.0 */
int cuptiSubscribe_v2(void **subscriber, void *callback, void *data, cu_subscriber *params)
{
    MAY_FAIL("Subscribe_v2");
    int e = cuptiSubscribe(subscriber, callback, data);
    if (!e && fake.version >= 130300) fake.scoped = 1;
    if (e == CU_ERROR_BUSY && params->size >= sizeof *params && params->holder_cap >= CU_HOLDER)
        snprintf(params->holder, params->holder_cap, "%s", fake.holder);
    return e;
}
int cuptiActivityRegisterTimestampCallback(cu_timestamp *f)
{
    MAY_FAIL("ActivityRegisterTimestampCallback");
    fake.clock = f;
    return 0;
}
int cuptiActivityFlushPeriod(uint32_t ms)
{
    (void)ms;
    return failing("ActivityFlushPeriod");
}
int cuptiActivityEnableRuntimeApi(uint32_t cbid, uint8_t enable)
{
    (void)cbid, (void)enable;
    return failing("ActivityEnableRuntimeApi");
}
/* Ask the libcuda of the tests to report its calls. */
static void fake_meet_driver(void)
{
    void *lib = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD), *at = lib ? dlsym(lib, "fake_cuda_called") : NULL;
    void (*call)(uint32_t) = fake_driver_call;
    if (at) memcpy(at, &call, sizeof call);
}

int cuptiActivityEnableDriverApi(uint32_t cbid, uint8_t enable)
{
    MAY_FAIL("ActivityEnableDriverApi");
    fake.n_driver_api++;
    if (cbid >= CBIDS) return 1;
    fake.driver_on[cbid] = enable != 0;
    if (enable && cbid == CU_CBID_DRIVER_VERSION) fake_meet_driver();
    return 0;
}
int cuptiActivityEnableCudaEventDeviceTimestamps(uint8_t enable)
{
    fake.event_times = enable;
    return failing("ActivityEnableCudaEventDeviceTimestamps");
}
#endif
