/* A libcupti for tests: the functions that the recorder uses, replaying a script. FAKE_CUPTI names the script; a program runs it with
 * fake_cupti_run(), which prints what was emitted. Records are those of the version that the script names (layouts.def): their length,
 * the members that it fills in, rubbish elsewhere, and the kinds that it knows. Lines of a script:
 *   version N                     before anything else: what GetVersion says
 *   fail FUNCTION CODE            that function fails from now on (first lines: from the beginning)
 *   device | context              the device and the context, of which a subscriber is told that it was created
 *   launch N, copy N, set N, sync N, memory N, overhead N, graph N, peer N, driver N, noisy N
 *   node N                        launches of a graph of three kernels, each with its node
 *   event N                       events recorded in one stream and waited for in another one, and by the host
 *   pool N                        a memory pool: created, N allocations and releases, trimmed, destroyed
 *   stream
 *   environment N                 N times clocks, temperature, power and fan
 *   unified N                     N times each thing that happens to memory that is shared
 *   zero N                        launches whose kernels have no times
 *   early N                       launches whose kernel record comes before that of the call
 *   unknown KIND SIZE N           records of a kind that only this library knows;   invalid: one that not even it knows
 *   drop N                        so many records are reported as dropped
 *   flush                         complete the buffers;   cut N: complete them with N bytes missing
 *   threads T N                   T threads with N launches each
 *   profiler 1, profiler 0        cudaProfilerStart(), cudaProfilerStop()
 *   wait 1 [KIND], wait 0 [KIND]  until a kind is enabled, until it is not; without one: kernels
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
#include "tests/double/layouts.h"

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
    void (*callback)(void *data, int domain, uint32_t cbid, const void *info);
    void *callback_data;
    uint8_t calls[2]; /* cuProfilerStop, cuProfilerStart: asked for */
    uint8_t contexts; /* so are contexts that are created */
    cu_request *request;
    cu_complete *complete;
    cu_timestamp *clock;
    pthread_mutex_t lock;
    slot slots[SLOTS];
    int n_slots;
    uint32_t corr;
    _Atomic size_t dropped;
    size_t emitted[KINDS_MOST], refused, reported;
    uint8_t subscribed, external_open, event_times, latency, driver, unified; /* driver: there is a context */
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

/* ---- layouts ---- */

static const struct {
    uint32_t kind, from, size;
} layouts[] = {
#define LAYOUT(family, kind, name, from, size) {kind, from, size},
#define MEMBER(family, mine, theirs, from)
#include "tests/double/layouts.def"
#undef LAYOUT
#undef MEMBER
};

enum {
    F_kernel,
    F_copy,
    F_peer,
    F_set,
    F_memory,
    F_pool,
    F_sync,
    F_event,
    F_overhead,
    F_device,
    F_context,
    F_graph,
    F_api,
    F_external,
    F_stream,
    F_environment,
    F_unified
};
static const struct {
    uint32_t family, from;
    size_t at, size;
} members[] = {
#define LAYOUT(family, kind, name, from, size)
#define MEMBER(family, mine, theirs, from)                                                                             \
    {F_##family, from, offsetof(rec_##family, mine), sizeof((rec_##family){0}.mine)},
#include "tests/double/layouts.def"
#undef LAYOUT
#undef MEMBER
};

enum { OF_THE_FUTURE = 130100, GROWN = 48 };

/* 0: a kind that this version does not know. */
static size_t size_of(uint32_t kind)
{
    size_t size = 0;
    if (fake.unknown_kind && kind == fake.unknown_kind) return fake.unknown_size;
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
        if (layouts[i].kind == kind && fake.version >= layouts[i].from) size = layouts[i].size;
    }
    return size && fake.version >= OF_THE_FUTURE ? size + GROWN : size;
}

/* The record as this version writes it, at `out`. */
static void lay_out(uint8_t *out, size_t size, unsigned family, const void *record)
{
    memset(out, 0xEE, size);
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        if (members[i].family != family || fake.version < members[i].from) continue;
        memcpy(out + members[i].at, (const uint8_t *)record + members[i].at, members[i].size);
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

static void emit(const void *record, unsigned family)
{
    uint32_t kind;
    memcpy(&kind, record, sizeof kind);
    size_t size = size_of(kind), most;
    if (!fake.enabled[kind] || !size) return;
    pthread_mutex_lock(&fake.lock);
    slot *s = &fake.slots[my_slot];
    if (s->data && s->used + size > s->size) complete(s, 0);
    if (!s->data) {
        fake.request(&s->data, &s->size, &most);
        s->used = 0;
        if (!s->data && fake.version < CU_VERSION_NULL_BUFFER) abort(); /* as the old libraries may */
    }
    if (s->data) {
        lay_out(s->data + s->used, size, family, record);
        s->used += size;
        fake.emitted[kind]++;
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

static uint32_t next_corr(void) { return __atomic_add_fetch(&fake.corr, 1, __ATOMIC_RELAXED); }

static void emit_api(uint32_t kind, uint32_t cbid, uint32_t corr, uint64_t start, uint64_t end)
{
    if (fake.external_open && fake.enabled[39]) {
        rec_external e = {
            .kind = 39, .external = CU_EXTERNAL_CUSTOM0, .id = fake.external[fake.external_open - 1], .corr = corr};
        emit(&e, F_external);
    }
    rec_api a = {.kind = kind,
                 .cbid = cbid,
                 .start = start,
                 .end = end,
                 .process = (uint32_t)getpid(),
                 .thread = tid(),
                 .corr = corr};
    emit(&a, F_api);
    while (now() < end) {} /* a call takes its time: the next one comes after it */
}

static void one_call(uint32_t kind, uint32_t cbid)
{
    uint64_t t = now();
    emit_api(kind, cbid, next_corr(), t, t + 300);
}

static void emit_kernel(uint32_t corr, uint32_t node, uint64_t start, uint64_t end)
{
    static const char *const names[] = {"void gemm<float, 128>(float const*, float*)", "_Z6vecaddPfS_i",
                                        "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)"};
    rec_kernel k = {.kind = 10,
                    .registers = 40,
                    .start = start,
                    .end = end,
                    .completed = end,
                    .context = 1,
                    .stream = 7,
                    .grid = {256, 2, 1},
                    .block = {128, 1, 1},
                    .shared_static = 512,
                    .shared_dynamic = 512,
                    .corr = corr,
                    .name = names[(corr + node) % 3],
                    .queued = fake.latency && start ? start - 1500 : 0,
                    .submitted = fake.latency && start ? start - 700 : 0,
                    .graph_node = node,
                    .graph = node ? 4 : 0,
                    .channel = 3,
                    .channel_type = 1,
                    .cluster = {1, 1, 1},
                    .cluster_most = 8,
                    .from_device = 0};
    emit(&k, F_kernel);
}

enum { PLAIN, ZERO, EARLY };

static void launch(int how)
{
    uint64_t t = now();
    uint32_t corr = next_corr();
    if (how == EARLY) emit_kernel(corr, 0, t + 2000, t + 3000);
    emit_api(CU_KIND_RUNTIME, 211, corr, t, t + 1500);
    if (how == PLAIN) emit_kernel(corr, 0, t + 2000, t + 3000);
    if (how == ZERO) emit_kernel(corr, 0, 0, 0);
}

static void one_copy(int peer)
{
    uint64_t t = now();
    uint32_t corr = next_corr();
    emit_api(CU_KIND_RUNTIME, 41, corr, t, t + 1000);
    if (peer) {
        rec_peer m = {.kind = 22,
                      .copy_kind = 10,
                      .src_kind = 3,
                      .dst_kind = 3,
                      .bytes = 65536,
                      .start = t + 2000,
                      .end = t + 2900,
                      .context = 1,
                      .stream = 7,
                      .dst_device = 1,
                      .corr = corr};
        emit(&m, F_peer);
    } else {
        rec_copy m = {.kind = 1,
                      .copy_kind = 1,
                      .src_kind = 2,
                      .dst_kind = 3,
                      .flags = 1,
                      .bytes = 4096,
                      .start = t + 2000,
                      .end = t + 2900,
                      .context = 1,
                      .stream = 7,
                      .corr = corr,
                      .count = 1};
        emit(&m, F_copy);
    }
}

static void one_set(void)
{
    uint64_t t = now();
    uint32_t corr = next_corr();
    emit_api(CU_KIND_RUNTIME, 51, corr, t, t + 1000);
    rec_set m = {.kind = 2,
                 .value = 170,
                 .bytes = 4096,
                 .start = t + 2000,
                 .end = t + 2500,
                 .context = 1,
                 .stream = 7,
                 .corr = corr,
                 .memory = 3};
    emit(&m, F_set);
}

static void emit_sync(uint32_t type, uint32_t stream, uint32_t event, uint64_t event_sync, uint32_t cbid, uint64_t t)
{
    uint32_t corr = next_corr();
    emit_api(CU_KIND_RUNTIME, cbid, corr, t, t + 9000);
    rec_sync y = {.kind = 38,
                  .type = type,
                  .start = t + 10,
                  .end = t + 8900,
                  .corr = corr,
                  .context = 1,
                  .stream = stream,
                  .event = event,
                  .event_sync = event_sync};
    emit(&y, F_sync);
}

static void one_sync(void) { emit_sync(3, 7, UINT32_MAX, 0, 131, now()); }

/* Recorded in stream 7, stream 9 waits for it, then the host does. The event is used again and again, as programs do. */
static void one_event(int i)
{
    uint64_t t = now();
    uint32_t corr = next_corr();
    emit_api(CU_KIND_RUNTIME, 135, corr, t, t + 800);
    rec_event e = {.kind = 36,
                   .corr = corr,
                   .context = 1,
                   .stream = 7,
                   .event = 2,
                   .timestamp = fake.event_times ? t + 1000 : 0,
                   .event_sync = 100 + (uint64_t)i};
    emit(&e, F_event);
    emit_sync(2, 9, 2, 100 + (uint64_t)i, 147, now());
    emit_sync(1, UINT32_MAX, 2, 100 + (uint64_t)i, 137, now());
}

static void one_memory(int i)
{
    rec_memory m = {.kind = 49,
                    .operation = i & 1 ? CU_MEMORY_RELEASE : CU_MEMORY_ALLOCATION,
                    .memory = CU_MEMORY_DEVICE,
                    .address = 0x7000 + (uint64_t)(i / 2) * 512,
                    .bytes = 1 << 20,
                    .timestamp = now(),
                    .process = (uint32_t)getpid(),
                    .context = 1,
                    .stream = UINT32_MAX};
    emit(&m, F_memory);
}

static void emit_pool(uint32_t operation, uint64_t size, uint64_t used)
{
    rec_pool p = {.kind = 50,
                  .operation = operation,
                  .type = 1,
                  .process = (uint32_t)getpid(),
                  .keep = operation == 3 ? 1 << 20 : 0,
                  .address = 0xAB00,
                  .size = size,
                  .threshold = 4096,
                  .timestamp = now(),
                  .used = used};
    emit(&p, F_pool);
}

/* Each allocation takes 1 MiB of a pool that grows by 32 MiB and keeps what is released. */
static void pool(int n)
{
    emit_pool(1, 0, 0);
    for (int i = 0; i < 2 * n; i++) {
        uint64_t used = (uint64_t)(i < n ? i + 1 : 2 * n - 1 - i) << 20;
        uint64_t grown = (uint64_t)((i < n ? i : n - 1) / 32 + 1) << 25;
        rec_memory m = {.kind = 49,
                        .operation = i < n ? CU_MEMORY_ALLOCATION : CU_MEMORY_RELEASE,
                        .memory = CU_MEMORY_DEVICE,
                        .address = 0x100000 + ((uint64_t)(i % n) << 20),
                        .bytes = 1 << 20,
                        .timestamp = now(),
                        .process = (uint32_t)getpid(),
                        .context = 1,
                        .stream = 7,
                        .async = 1,
                        .pool_type = 1,
                        .pool_address = 0xAB00,
                        .pool_threshold = 4096,
                        .pool_size = grown,
                        .pool_used = used};
        emit(&m, F_memory);
    }
    emit_pool(3, 1 << 20, 0);
    emit_pool(2, 0, 0);
}

static void one_overhead(void)
{
    uint64_t t = now();
    rec_overhead o = {.kind = 17,
                      .overhead = 6 << 16,
                      .object = CU_OBJECT_THREAD,
                      .process = (uint32_t)getpid(),
                      .thread = tid(),
                      .start = t,
                      .end = t + 700};
    if (fake.version >= 22 && fake.enabled[17]) o.data = malloc(16); /* the reader of the record frees it */
    emit(&o, F_overhead);
}

static void one_graph(void)
{
    uint64_t t = now();
    uint32_t corr = next_corr();
    emit_api(CU_KIND_RUNTIME, 311, corr, t, t + 1000);
    rec_graph g = {
        .kind = 51, .corr = corr, .start = t + 2000, .end = t + 92000, .graph = 5, .context = 1, .stream = 11};
    emit(&g, F_graph);
}

static void graph_nodes(void)
{
    uint64_t t = now();
    uint32_t corr = next_corr();
    emit_api(CU_KIND_RUNTIME, 312, corr, t, t + 1500);
    for (uint32_t node = 1; node <= 3; node++) emit_kernel(corr, node, t + 1600 + 400 * node, t + 1900 + 400 * node);
}

static void the_device(void)
{
    rec_device d = {.kind = 8,
                    .bandwidth = 3352320000,
                    .memory = (uint64_t)80 << 30,
                    .constant = 65536,
                    .l2 = 52428800,
                    .warp = 32,
                    .clock = 1980000,
                    .engines = 3,
                    .sms = 132,
                    .warps = 64,
                    .blocks = 32,
                    .shared_sm = 233472,
                    .regs_sm = 65536,
                    .regs_block = 65536,
                    .shared_block = 49152,
                    .threads_block = 1024,
                    .major = 9};
    d.name = fake.enabled[8] ? strdup("A GPU for tests") : NULL; /* the reader of the record frees it */
    emit(&d, F_device);
}

static void the_context(void)
{
    rec_context c = {.kind = 9, .context = 1, .api = 1, .null_stream = 7, .sms = 132};
    emit(&c, F_context);
    fake.driver = 1;
    if (fake.contexts) fake.callback(fake.callback_data, CU_DOMAIN_RESOURCE, CU_CBID_CONTEXT_CREATED, &c);
}

static void the_stream(void)
{
    rec_stream s = {.kind = 37, .context = 1, .stream = 9, .flag = 2};
    emit(&s, F_stream);
}

static void one_environment(void)
{
    static const uint32_t values[][5] = {
        {1980, 2619, 5, 16, 4 /* a power cap */}, {64}, {651500, 700000}, {40}}; /* mW */
    for (uint32_t what = 1; what <= 4; what++) {
        rec_environment e = {.kind = 20, .timestamp = now(), .what = what};
        memcpy(e.value, values[what - 1], sizeof e.value);
        emit(&e, F_environment);
    }
}

/* One of each: host to device, back, faults of both, memory that goes to and fro, its throttling and mapping, between devices. */
static void one_unified(void)
{
    static const struct {
        uint64_t value;
        uint32_t src, dst, flags;
    } what[] = {{2 << 20, UINT32_MAX, 0, 3},
                {65536, 0, UINT32_MAX, 2},
                {0x401234, 0, 0, 2},
                {3, 0, 0, 1},
                {65536, 1, 0, 0},
                {0, 0, 0, 0},
                {4096, 0, 0, 2},
                {1 << 20, 0, 1, 1}};
    uint64_t t = now();
    for (uint32_t i = 0; i < 8 && fake.unified; i++) {
        rec_unified u = {.kind = 25,
                         .what = i + 1,
                         .value = what[i].value,
                         .start = t + 100 * i,
                         .end = i == 2 || i == 4 || i == 6 ? 0 : t + 100 * i + 2000,
                         .address = 0x7f0000000000 + 4096 * i,
                         .src = what[i].src,
                         .dst = what[i].dst,
                         .process = (uint32_t)getpid(),
                         .flags = what[i].flags};
        emit(&u, F_unified);
    }
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
    if (!strcmp(word, "stream")) the_stream();
    if (!strcmp(word, "pool")) pool((int)a);
    if (!strcmp(word, "flush")) flush(0);
    if (!strcmp(word, "cut")) flush((size_t)a);
    if (!strcmp(word, "drop")) fake.dropped += (size_t)a;
    if (!strcmp(word, "threads")) threads((int)a, b);
    if (!strcmp(word, "kill")) raise((int)a);
    if (!strcmp(word, "profiler") && fake.calls[a != 0]) {
        for (uint32_t site = 0; site < 2; site++)
            fake.callback(fake.callback_data, CU_DOMAIN_DRIVER, a ? CU_CBID_PROFILER_START : CU_CBID_PROFILER_STOP,
                          &site);
    }
    if (!strcmp(word, "sleep")) nanosleep(&(struct timespec){a / 1000, a % 1000 * 1000000}, NULL);
    while (!strcmp(word, "wait") && fake.enabled[b ? b : CU_KIND_CONCURRENT_KERNEL] != (a != 0))
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    if (!strcmp(word, "invalid")) unknown(4095, 64, 0);
    for (long i = 0; !strcmp(word, "unknown") && i < c; i++) unknown((uint32_t)a, (size_t)b, 1);
    for (int i = 0; i < a && strcmp(word, "pool") != 0; i++) {
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
        if (!strcmp(word, "node")) graph_nodes();
        if (!strcmp(word, "event")) one_event(i);
        if (!strcmp(word, "environment")) one_environment();
        if (!strcmp(word, "unified")) one_unified();
        if (!strcmp(word, "noisy")) one_call(CU_KIND_RUNTIME, 17);
        if (!strcmp(word, "driver")) one_call(CU_KIND_DRIVER, 307);
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
    memcpy(&fake.callback, &callback, sizeof fake.callback);
    fake.callback_data = data;
    if (fake.subscribed) return CU_ERROR_BUSY;
    fake.subscribed = 1;
    *subscriber = &fake;
    return 0;
}
int cuptiEnableCallback(uint32_t enable, void *subscriber, int domain, uint32_t cbid)
{
    (void)subscriber;
    MAY_FAIL("EnableCallback");
    if (domain == CU_DOMAIN_DRIVER && cbid == CU_CBID_PROFILER_START) fake.calls[1] = enable != 0;
    if (domain == CU_DOMAIN_DRIVER && cbid == CU_CBID_PROFILER_STOP) fake.calls[0] = enable != 0;
    if (domain == CU_DOMAIN_RESOURCE && cbid == CU_CBID_CONTEXT_CREATED) fake.contexts = enable != 0;
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
    fake.request = request;
    fake.complete = done;
    return 0;
}
int cuptiActivityEnable(uint32_t kind)
{
    MAY_FAIL("ActivityEnable");
    if (kind >= KINDS_MOST || !size_of(kind)) return 21; /* CUPTI_ERROR_INVALID_KIND */
    fake.enabled[kind] = 1;
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
int cuptiActivityEnableLatencyTimestamps(uint8_t enable)
{
    fake.latency = enable && !failing("ActivityEnableLatencyTimestamps");
    return failing("ActivityEnableLatencyTimestamps");
}
/* Not before the driver is there, and before the kind is enabled. */
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

#ifndef FAKE_CUPTI_11 /* what CUPTI 11.0 does not have */
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
int cuptiActivityEnableDriverApi(uint32_t cbid, uint8_t enable)
{
    MAY_FAIL("ActivityEnableDriverApi");
    if (cbid == 307) fake.enabled[CU_KIND_DRIVER] = enable;
    return 0;
}
int cuptiActivityEnableCudaEventDeviceTimestamps(uint8_t enable)
{
    fake.event_times = enable;
    return failing("ActivityEnableCudaEventDeviceTimestamps");
}
#endif
