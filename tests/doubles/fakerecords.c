/* Writes the records of the tests' libcupti into the recorder's buffers, in the layout of the version that the script
 * names. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "tests/doubles/fakecupti.h"

/* ---- layouts ---- */

static const struct {
    uint32_t kind, from, size;
} layouts[] = {
#define LAYOUT(family, kind, name, from, size) {kind, from, size},
#define MEMBER(family, mine, theirs, from)
#include "tests/doubles/layouts.def"
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
#include "tests/doubles/layouts.def"
#undef LAYOUT
#undef MEMBER
};

enum { OF_THE_FUTURE = 130100, GROWN = 48, DEVICE5 = 26 };

/* Size of a record of this kind; 0 = the version does not know the kind. */
size_t fake_size_of(uint32_t kind)
{
    size_t size = 0;
    if (fake.unknown_kind && kind == fake.unknown_kind) return fake.unknown_size;
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
        if (layouts[i].kind == kind && fake.version >= layouts[i].from) size = layouts[i].size;
    }
    return size && fake.version >= OF_THE_FUTURE ? size + GROWN : size;
}

/* Write the record at `out` in the layout of the version. */
static void lay_out(uint8_t *out, size_t size, unsigned family, const void *record)
{
    memset(out, 0xEE, size);
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        if (members[i].family != family || fake.version < members[i].from) continue;
        memcpy(out + members[i].at, (const uint8_t *)record + members[i].at, members[i].size);
    }
}

/* ---- buffers ---- */

__thread int fake_my_slot;

/* The caller holds the lock. The last FOREIGN slots belong to the client that came before the recorder. */
slot *fake_slot_of_thread(void)
{
    enum { LAST = SLOTS - FOREIGN - 1 };
    if (!fake.per_thread) return &fake.slots[0];
    if (!fake_my_slot) fake_my_slot = ++fake.n_slots < LAST ? fake.n_slots : LAST;
    return &fake.slots[fake_my_slot];
}

/* Forget the unfinished work whose records lie in the buffer: it gets no times any more. */
static void forget_unfinished(const slot *s)
{
    for (unfinished **p = &fake.unfinished; *p;) {
        unfinished *u = *p;
        if (u->at < s->data || u->at >= s->data + s->size) {
            p = &u->next;
            continue;
        }
        *p = u->next;
        free(u);
    }
}

void fake_complete(slot *s, size_t cut)
{
    slot done = *s;
    *s = (slot){0};
    if (!done.data) return;
    if (fake.unfinished) forget_unfinished(&done);
    fake.complete(NULL, 0, done.data, done.size, done.used > cut ? done.used - cut : 0);
}

/* Write the times of work that has ended. */
void fake_end_work(uint64_t now)
{
    for (unfinished **p = &fake.unfinished; *p;) {
        unfinished *u = *p;
        if (u->end > now) {
            p = &u->next;
            continue;
        }
        lay_out(u->at, fake_size_of(u->whole.kind), F_kernel, &u->whole);
        *p = u->next;
        free(u);
    }
}

void fake_return_full(size_t cut, int forced, uint64_t now)
{
    fake_end_work(now);
    for (slot **p = &fake.full; *p;) {
        slot *s = *p;
        if (!forced && s->until > now) {
            p = &s->next;
            continue;
        }
        *p = s->next;
        fake_complete(s, cut);
        free(s);
    }
}

/* The buffer of a thread is full: return it, and those before it, if their work has ended. */
static void full(slot *s)
{
    uint64_t now = fake_now();
    fake_return_full(0, 0, now);
    slot *kept = s->until > now ? malloc(sizeof *kept) : NULL;
    if (!kept) {
        fake_complete(s, 0);
        return;
    }
    *kept = *s;
    kept->next = fake.full;
    fake.full = kept;
    *s = (slot){0};
}

/* Returns the record's place in its buffer, NULL = no buffer. The caller holds the lock. */
static uint8_t *put(const void *record, unsigned family, size_t size, uint64_t until)
{
    size_t most;
    uint8_t *at = NULL;
    slot *s = fake_slot_of_thread();
    if (s->data && s->used + size > s->size) full(s);
    if (!s->data) {
        fake.request(&s->data, &s->size, &most);
        s->used = 0;
        if (s->data && fake.attribute[CU_ATTR_ZEROED_OUT] != 2) memset(s->data, 0, s->size);
        if (s->data && fake_is_foreign(s->data)) fake.reused++;
        if (!s->data && fake.version < CU_VERSION_NULL_BUFFER) abort(); /* old libraries may crash here, too */
    }
    if (s->data) {
        lay_out(at = s->data + s->used, size, family, record);
        s->used += size;
        if (until > s->until) s->until = until;
        fake.emitted[*(const uint32_t *)record]++;
    } else {
        fake.refused++;
        fake.dropped++;
    }
    return at;
}

static void emit_until(const void *record, unsigned family, uint64_t until)
{
    uint32_t kind;
    memcpy(&kind, record, sizeof kind);
    size_t size = fake_size_of(kind);
    if (!size) return;
    pthread_mutex_lock(&fake.lock);
    put(record, family, size, until);
    pthread_mutex_unlock(&fake.lock);
}

/* Emit a kernel that ends later, or never: its record gets its times when it has ended. */
static void emit_unfinished(const rec_kernel *k, uint64_t end)
{
    rec_kernel without = *k;
    size_t size = fake_size_of(k->kind);
    unfinished *u = calloc(1, sizeof *u);
    if (!size || !u) {
        free(u);
        return;
    }
    without.start = without.end = without.completed = 0;
    pthread_mutex_lock(&fake.lock);
    *u = (unfinished){.at = put(&without, F_kernel, size, end), .end = end, .whole = *k, .next = fake.unfinished};
    if (u->at) fake.unfinished = u;
    if (!u->at) free(u);
    pthread_mutex_unlock(&fake.lock);
}

static void emit(const void *record, unsigned family)
{
    uint32_t kind;
    memcpy(&kind, record, sizeof kind);
    if (fake.enabled[kind]) emit_until(record, family, 0);
}

/* ---- records ---- */

uint64_t fake_now(void)
{
    struct timespec t;
    cu_timestamp *clock = fake.clock;
    if (clock) return clock();
    clock_gettime(CLOCK_REALTIME, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static uint32_t tid(void) { return (uint32_t)syscall(SYS_gettid); }

static uint32_t next_corr(void) { return __atomic_add_fetch(&fake.correlation, 1, __ATOMIC_RELAXED); }

static bool is_traced(uint32_t kind, uint32_t cbid)
{
    return fake.enabled[kind] || (kind == CU_KIND_DRIVER && fake.driver_on[cbid]);
}

static void emit_call(bool traced, uint32_t kind, uint32_t cbid, uint32_t correlation, uint64_t start, uint64_t end)
{
    if (fake.external_open && fake.enabled[39]) {
        rec_external e = {.kind = 39,
                          .external = CU_EXTERNAL_CUSTOM0,
                          .id = fake.external[fake.external_open - 1],
                          .correlation = correlation};
        emit(&e, F_external);
    }
    rec_api a = {.kind = kind,
                 .cbid = cbid,
                 .start = start,
                 .end = end,
                 .process = (uint32_t)getpid(),
                 .thread = tid(),
                 .correlation = correlation};
    if (traced) emit_until(&a, F_api, 0);
    while (!fake.fast && fake_now() < end) {} /* spin until the call's end, so that the next call starts later */
}

static void emit_api(uint32_t kind, uint32_t cbid, uint32_t correlation, uint64_t start, uint64_t end)
{
    emit_call(is_traced(kind, cbid), kind, cbid, correlation, start, end);
}

void fake_one_call(uint32_t kind, uint32_t cbid)
{
    uint64_t t = fake_now();
    emit_api(kind, cbid, next_corr(), t, t + 300);
}

static void emit_work(bool traced, uint32_t correlation, uint32_t node, uint64_t start, uint64_t end, int named)
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
                    .correlation = correlation,
                    .name = named ? names[(correlation + node) % 3] : NULL,
                    .queued = fake.latency && start ? start - 1500 : 0,
                    .submitted = fake.latency && start ? start - 700 : 0,
                    .graph_node = node,
                    .graph = node ? 4 : 0,
                    .channel = 3,
                    .channel_type = 1,
                    .cluster = {1, 1, 1},
                    .cluster_most = 8,
                    .from_device = 0};
    if (!traced) return;
    bool never = fake.hangs_at && correlation >= fake.hangs_at; /* that kernel never ends, none behind it begins */
    if (!end || (!never && !fake.ahead_ns)) {
        emit_until(&k, F_kernel, end);
        return;
    }
    k.start += fake.ahead_ns;
    k.end = k.completed = end + fake.ahead_ns;
    emit_unfinished(&k, never ? UINT64_MAX : k.end);
}

static void emit_kernel(uint32_t correlation, uint32_t node, uint64_t start, uint64_t end, int named)
{
    emit_work(fake.enabled[CU_KIND_CONCURRENT_KERNEL], correlation, node, start, end, named);
}

void fake_launch(int how)
{
    /* Read both switches at once: a launch is recorded with its call or not at all, even if a kind is disabled midway.
     */
    bool call = is_traced(CU_KIND_RUNTIME, 211), work = fake.enabled[CU_KIND_CONCURRENT_KERNEL];
    uint64_t t = fake_now();
    uint32_t correlation = next_corr();
    if (how == EARLY) emit_work(work, correlation, 0, t + 2000, t + 3000, 1);
    emit_call(call, CU_KIND_RUNTIME, 211, correlation, t, t + 1500);
    if (how == PLAIN) emit_work(work, correlation, 0, t + 2000, t + 3000, 1);
    if (how == ZERO) emit_work(work, correlation, 0, 0, 0, 1);
}

static void emit_copy(int peer, uint32_t correlation, uint64_t t)
{
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
                      .correlation = correlation};
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
                      .correlation = correlation,
                      .count = 1};
        emit(&m, F_copy);
    }
}

void fake_one_copy(int peer)
{
    uint64_t t = fake_now();
    uint32_t correlation = next_corr();
    emit_api(CU_KIND_RUNTIME, 41, correlation, t, t + 1000);
    emit_copy(peer, correlation, t);
}

static void emit_set(uint32_t correlation, uint64_t t)
{
    rec_set m = {.kind = 2,
                 .value = 170,
                 .bytes = 4096,
                 .start = t + 2000,
                 .end = t + 2500,
                 .context = 1,
                 .stream = 7,
                 .correlation = correlation,
                 .memory = 3};
    emit(&m, F_set);
}

void fake_one_set(void)
{
    uint64_t t = fake_now();
    uint32_t correlation = next_corr();
    emit_api(CU_KIND_RUNTIME, 51, correlation, t, t + 1000);
    emit_set(correlation, t);
}

/* Emit work launched by a call of the driver, as compilers and libraries without the runtime launch it. */
void fake_driver_work(uint32_t cbid, uint32_t kind)
{
    /* read both switches at once, as fake_launch() does */
    bool call = is_traced(CU_KIND_DRIVER, cbid), work = fake.enabled[CU_KIND_CONCURRENT_KERNEL];
    uint64_t t = fake_now();
    uint32_t correlation = next_corr();
    emit_call(call, CU_KIND_DRIVER, cbid, correlation, t, t + 1000);
    if (kind == CU_KIND_CONCURRENT_KERNEL) emit_work(work, correlation, 0, t + 2000, t + 2900, 1);
    if (kind == CU_KIND_MEMCPY || kind == CU_KIND_MEMCPY2) emit_copy(kind == CU_KIND_MEMCPY2, correlation, t);
    if (kind == CU_KIND_MEMSET) emit_set(correlation, t);
}

static void emit_sync(uint32_t type, uint32_t stream, uint32_t event, uint64_t event_sync, uint32_t cbid, uint64_t t)
{
    uint32_t correlation = next_corr();
    emit_api(CU_KIND_RUNTIME, cbid, correlation, t, t + 9000);
    rec_sync y = {.kind = 38,
                  .type = type,
                  .start = t + 10,
                  .end = t + 8900,
                  .correlation = correlation,
                  .context = 1,
                  .stream = stream,
                  .event = event,
                  .event_sync = event_sync};
    emit(&y, F_sync);
}

void fake_one_sync(void) { emit_sync(3, 7, UINT32_MAX, 0, 131, fake_now()); }

/* Record an event in stream 7; stream 9 waits for it, then the host. All calls reuse the same event, as programs do. */
void fake_one_event(int i)
{
    uint64_t t = fake_now();
    uint32_t correlation = next_corr();
    emit_api(CU_KIND_RUNTIME, 135, correlation, t, t + 800);
    rec_event e = {.kind = 36,
                   .correlation = correlation,
                   .context = 1,
                   .stream = 7,
                   .event = 2,
                   .timestamp = fake.event_times ? t + 1000 : 0,
                   .event_sync = 100 + (uint64_t)i};
    emit(&e, F_event);
    emit_sync(2, 9, 2, 100 + (uint64_t)i, 147, fake_now());
    emit_sync(1, UINT32_MAX, 2, 100 + (uint64_t)i, 137, fake_now());
}

void fake_one_memory(int i)
{
    rec_memory m = {.kind = 49,
                    .operation = i & 1 ? CU_MEMORY_RELEASE : CU_MEMORY_ALLOCATION,
                    .memory = CU_MEMORY_DEVICE,
                    .address = 0x7000 + (uint64_t)(i / 2) * 512,
                    .bytes = 1 << 20,
                    .timestamp = fake_now(),
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
                  .timestamp = fake_now(),
                  .used = used};
    emit(&p, F_pool);
}

/* Each allocation takes 1 MiB of a pool that grows by 32 MiB and keeps released memory. */
void fake_pool(int n)
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
                        .timestamp = fake_now(),
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

void fake_one_overhead(void)
{
    uint64_t t = fake_now();
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

void fake_one_graph(void)
{
    uint64_t t = fake_now();
    uint32_t correlation = next_corr();
    emit_api(CU_KIND_RUNTIME, 311, correlation, t, t + 1000);
    rec_graph g = {.kind = 51,
                   .correlation = correlation,
                   .start = t + 2000,
                   .end = t + 92000,
                   .graph = 5,
                   .context = 1,
                   .stream = 11};
    emit(&g, F_graph);
}

void fake_graph_nodes(void)
{
    uint64_t t = fake_now();
    uint32_t correlation = next_corr();
    emit_api(CU_KIND_RUNTIME, 312, correlation, t, t + 1500);
    for (uint32_t node = 1; node <= 3; node++)
        emit_kernel(correlation, node, t + 1600 + 400 * node, t + 1900 + 400 * node, 1);
}

/* CUPTI reads a graph when it is instantiated; it cannot name nodes later if it did not see them then. */
void fake_instantiate(void)
{
    fake_tell(CU_DOMAIN_RESOURCE, CU_CBID_GRAPHEXEC_STARTING, "");
    fake.graph_known = fake.enabled[CU_KIND_CONCURRENT_KERNEL] || fake.version >= CU_VERSION_OLD_GRAPHS;
    fake_tell(CU_DOMAIN_RESOURCE, CU_CBID_GRAPHEXEC_CREATED, "");
}

void fake_replay(void)
{
    uint64_t t = fake_now();
    uint32_t correlation = next_corr();
    emit_api(CU_KIND_RUNTIME, 311, correlation, t, t + 1500);
    for (uint32_t node = 1; node <= 3; node++)
        emit_kernel(correlation, fake.graph_known ? node : 0, t + 1600 + 400 * node, t + 1900 + 400 * node,
                    fake.graph_known);
}

void fake_driver_call(uint32_t cbid) { fake_one_call(CU_KIND_DRIVER, cbid); }

void fake_the_device(void)
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
                    .major = 9,
                    .uuid = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}};
    static char shared[] = "A GPU for tests"; /* all records point to it: "should not be modified" */
    if (getenv("FAKE_MIG")) {                 /* a MIG device: a part of that GPU with its own number */
        d.mig = 1;
        for (int i = 0; i < 16; i++) d.mig_uuid[i] = (uint8_t)(0xA0 + i);
    }
    bool own = fake.version >= DEVICE5 && !fake.shared && fake.enabled[8];
    d.name = own ? strdup(shared) : shared; /* own: the reader of the record frees the name */
    if (own) fake.names[fake.n_names++ % NAMES] = d.name;
    emit(&d, F_device);
}

void fake_the_context(void)
{
    rec_context c = {.kind = 9, .context = 1, .api = 1, .null_stream = 7, .sms = 132};
    emit(&c, F_context);
    fake.driver = 1;
    fake_tell(CU_DOMAIN_RESOURCE, CU_CBID_CONTEXT_CREATED, &c);
}

void fake_the_stream(void)
{
    rec_stream s = {.kind = 37, .context = 1, .stream = 9, .flag = 2};
    emit(&s, F_stream);
}

void fake_one_environment(void)
{
    static const uint32_t values[][5] = {
        {1980, 2619, 5, 16, 4 /* a power cap */}, {64}, {651500, 700000}, {40}}; /* mW */
    for (uint32_t what = 1; what <= 4; what++) {
        rec_environment e = {.kind = 20, .timestamp = fake_now(), .what = what};
        memcpy(e.value, values[what - 1], sizeof e.value);
        emit(&e, F_environment);
    }
}

/* Emit one record of each kind: host to device, device to host, faults of both, thrashing, throttling, remote mapping,
 * device to device. */
void fake_one_unified(void)
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
    uint64_t t = fake_now();
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

void fake_unknown(uint32_t kind, size_t size, int known)
{
    uint32_t record[256] = {kind};
    if (known) fake.unknown_kind = kind;
    fake.unknown_size = size;
    pthread_mutex_lock(&fake.lock);
    slot *s = fake_slot_of_thread();
    if (s->data && s->used + size <= s->size) {
        memcpy(s->data + s->used, record, size);
        s->used += size;
    }
    pthread_mutex_unlock(&fake.lock);
}
