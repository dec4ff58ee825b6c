/* capture/agent/cupti.c - subscription, activity kinds, and the path of the buffers. See cupti.h.
 *
 * A buffer: taken from the pool when CUPTI asks, filled by CUPTI, put on a lock-free stack when it is complete,
 * translated by the writer thread, back into the pool. CUPTI's callbacks do nothing else: they run on its own
 * threads and inside the program's calls. */
#include "capture/agent/cupti.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/agent/cupti_records.h"
#include "capture/agent/recording_state.h"
#include "capture/agent/report_progress.h"
#include "capture/agent/write_records.h"
#include "capture/cuda/cuda_info.h"
#include "capture/cuda/cupti_find.h"

enum { HEAD = 64, SPARE_SIZE = 1 << 16 };

typedef struct buffer { /* lies in front of the memory that CUPTI gets */
    struct buffer *next;
    size_t valid;
    bool spare; /* beyond the limit: its records are only counted */
} buffer;
_Static_assert(sizeof(buffer) <= HEAD, "the header fits");

typedef struct cupti {
    cu_functions f;
    void *subscriber;
    _Atomic bool have; /* set last: the members above are constant from then on */
    _Atomic bool enabled;
    _Atomic bool booting;
    bool late;     /* while it boots */
    bool stopping; /* all records were asked for */
    _Atomic bool external;
    bool contexts;                                           /* the first one will be told */
    _Atomic bool context;                                    /* there was one */
    bool context_told;                                       /* the writer knows */
    enum { UNIFIED_OFF, UNIFIED_LATER, UNIFIED_ON } unified; /* LATER: when there is a context */
    uint32_t version;
    size_t size, most;
    pthread_mutex_t lock; /* guards free, n */
    buffer *free;
    size_t n;
    _Atomic(buffer *) done; /* completed, latest first */
    buffer *taken;          /* the writer's, in order */
    uint64_t told_kinds;    /* a bit each */
    tt_cupti_records records;
} cupti;

static cupti cu = {.lock = PTHREAD_MUTEX_INITIALIZER}; /* CUPTI's callbacks have no argument to carry it */

/* ---- buffers ---- */

static buffer *new_buffer(size_t size)
{
    void *p = NULL;
    return posix_memalign(&p, HEAD, HEAD + size) ? NULL : p;
}

static void on_request(uint8_t **out, size_t *size, size_t *most)
{
    pthread_mutex_lock(&cu.lock);
    buffer *b = cu.free;
    bool fresh = !b && cu.n < cu.most;
    /* libraries before 12.9 may crash when they get none: theirs are small, and come back at once */
    bool spare = !b && !fresh && cu.version < CU_VERSION_NULL_BUFFER;
    if (b) cu.free = b->next;
    cu.n += fresh;
    pthread_mutex_unlock(&cu.lock);
    size_t bytes = spare && cu.size > SPARE_SIZE ? SPARE_SIZE : cu.size;
    if (fresh || spare) b = new_buffer(bytes);
    *most = 0;
    *size = b ? bytes : 0;
    *out = b ? (uint8_t *)b + HEAD : NULL;
    if (b) *b = (buffer){.spare = spare};
    /* CUPTI counts the records that find no buffer, if its version can */
    if (!b && !cu.f.ActivityGetNumDroppedRecords) tt_drop(tt_recorder_get(), TT_SPOOL_DROP_BUFFERS, 1);
}

static void on_complete(void *context, uint32_t stream, uint8_t *data, size_t size, size_t valid)
{
    (void)context, (void)stream, (void)size;
    if (!data) return;
    buffer *b = (buffer *)(void *)(data - HEAD);
    b->valid = valid;
    b->next = atomic_load_explicit(&cu.done, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&cu.done, &b->next, b, memory_order_release, memory_order_relaxed)) {}
    tt_recorder_wake(tt_recorder_get());
}

void tt_cupti_take(void)
{
    buffer *b = atomic_exchange_explicit(&cu.done, NULL, memory_order_acquire), *first = NULL;
    while (b) {
        buffer *next = b->next;
        b->next = first;
        first = b;
        b = next;
    }
    buffer **end = &cu.taken;
    while (*end) end = &(*end)->next;
    *end = first;
}

static void give_back(buffer *b)
{
    if (b->spare) {
        free(b);
        return;
    }
    pthread_mutex_lock(&cu.lock);
    b->next = cu.free;
    cu.free = b;
    pthread_mutex_unlock(&cu.lock);
}

/* Which they are, once each. */
static void tell_of_kind(tt_recorder *r, const void *record)
{
    uint32_t kind;
    memcpy(&kind, record, sizeof kind);
    uint64_t bit = (uint64_t)1 << (kind < 63 ? kind : 63);
    if (!(cu.told_kinds & bit))
        tt_recorder_note("process %u: CUPTI's records of kind %u are not known here and left out", r->pid, kind);
    cu.told_kinds |= bit;
}

static void walk(tt_recorder *r, const buffer *b)
{
    uint8_t *data = (uint8_t *)(uintptr_t)b + HEAD;
    void *record = NULL;
    int e;
    while ((e = cu.f.ActivityGetNextRecord(data, b->valid, &record)) == CU_OK) {
        if (b->spare) {
            tt_drop(r, TT_SPOOL_DROP_BUFFERS, 1);
        } else if (!tt_cupti_record(&cu.records, r, record)) {
            tt_drop(r, TT_SPOOL_DROP_RECORDS, 1);
            tell_of_kind(r, record);
        }
    }
    if (e != CU_ERROR_MAX_LIMIT) { /* unknown kind: its size is unknown, so the rest of the buffer cannot be parsed */
        size_t at = record ? (size_t)((uint8_t *)record - data) : 0;
        tt_drop(r, TT_SPOOL_DROP_BYTES, b->valid > at ? b->valid - at : 0);
    }
}

/* Not in CUPTI's callbacks: it holds locks there. */
static void ask_for_drops(tt_recorder *r)
{
    size_t dropped = 0;
    if (cu.f.ActivityGetNumDroppedRecords && !cu.f.ActivityGetNumDroppedRecords(NULL, 0, &dropped) && dropped)
        tt_drop(r, TT_SPOOL_DROP_CUPTI, dropped);
}

/* CUPTI has one client for its buffers, the last one that registered: a profiler in the program can take them away
 * without notice. */
static void tell_of_theft(tt_recorder *r)
{
    static const char why[] =
        "CUPTI gave no records, though there was a CUDA context: a profiler in the program, as "
        "torch.profiler, may have taken it; --yield-cupti leaves it to that one, --via kineto asks it";
    cu.stopping = false;
    if (!atomic_load(&cu.context) || !atomic_load(&r->wanted_cupti) || cu.records.seen) return;
    if (!(r->set.traces >> TT_TRACE_RUNTIME & 1)) return;
    tt_recorder_note("process %u: %s", r->pid, why);
    tt_write_meta(r, "gpu", "\"CUPTI gave no records: a profiler in the program may have taken it\"");
}

void tt_cupti_translate(tt_recorder *r)
{
    bool any = cu.taken != NULL;
    while (cu.taken) {
        buffer *b = cu.taken;
        cu.taken = b->next;
        walk(r, b);
        give_back(b);
    }
    if (any) ask_for_drops(r);
    if (cu.stopping) tell_of_theft(r);
}

/* ---- enabling ---- */

static const char *result_text(int e)
{
    const char *text = NULL;
    if (cu.f.GetResultString) cu.f.GetResultString(e, &text);
    return text ? text : "";
}

typedef struct kind_of_trace {
    uint32_t kind;
    int trace; /* -1: always */
    const char *what;
} kind_of_trace;
static const kind_of_trace kinds[] = {
    {CU_KIND_DEVICE, -1, "devices"},
    {CU_KIND_CONTEXT, -1, "contexts"},
    {CU_KIND_CONCURRENT_KERNEL, TT_TRACE_KERNEL, "kernels"},
    {CU_KIND_INTERNAL_LAUNCH_API, TT_TRACE_RUNTIME, "internal launches"},
    {CU_KIND_MEMCPY, TT_TRACE_MEMCPY, "copies"},
    {CU_KIND_MEMCPY2, TT_TRACE_MEMCPY, "copies between devices"},
    {CU_KIND_MEMSET, TT_TRACE_MEMSET, "memory sets"},
    {CU_KIND_RUNTIME, TT_TRACE_RUNTIME, "runtime calls"},
    {CU_KIND_DRIVER, TT_TRACE_DRIVER, "driver calls"},
    {CU_KIND_SYNCHRONIZATION, TT_TRACE_SYNC, "synchronisation"},
    {CU_KIND_OVERHEAD, TT_TRACE_OVERHEAD, "overhead"},
    {CU_KIND_MEMORY2, TT_TRACE_MEMORY, "memory"},
    {CU_KIND_MEMORY_POOL, TT_TRACE_MEMPOOL, "memory pools"},
    {CU_KIND_CUDA_EVENT, TT_TRACE_EVENT, "CUDA events"},
    {CU_KIND_GRAPH_TRACE, TT_TRACE_GRAPH, "whole graphs"},
    {CU_KIND_EXTERNAL_CORRELATION, TT_TRACE_EXTERNAL, "external correlation"},
    {CU_KIND_ENVIRONMENT, TT_TRACE_ENV, "clocks and power"},
    {CU_KIND_UNIFIED_MEMORY_COUNTER, TT_TRACE_UM, "unified memory"},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static bool wanted(const tt_recorder *r, const kind_of_trace *k)
{
    if (k->trace == TT_TRACE_UM) return cu.unified == UNIFIED_ON;
    return k->trace < 0 || (r->set.traces >> k->trace & 1);
}

/* Only the launches of the driver API, as compilers call it without the runtime. CUPTI before 12.5 cannot select
 * calls: all of them arrive, and the others are dropped here. */
static void enable_driver_launches(bool on)
{
    size_t n;
    const uint32_t *list = tt_cupti_driver_launches(&n);
    for (size_t i = 0; i < n && cu.f.ActivityEnableDriverApi; i++) cu.f.ActivityEnableDriverApi(list[i], on);
    if (!cu.f.ActivityEnableDriverApi) (on ? cu.f.ActivityEnable : cu.f.ActivityDisable)(CU_KIND_DRIVER);
}

static void quiet_runtime(const tt_recorder *r)
{
    size_t n;
    const uint32_t *list = tt_cupti_noisy(&n);
    for (size_t i = 0; i < n && !r->set.noisy_api && cu.f.ActivityEnableRuntimeApi; i++) {
        cu.f.ActivityEnableRuntimeApi(list[i], 0);
    }
}

/* CUPTI delivers records of devices and contexts when they are created, or on request. */
static int enable(uint32_t kind)
{
    bool ask = cu.late && cu.f.ActivityEnableAndDump && (kind == CU_KIND_DEVICE || kind == CU_KIND_CONTEXT);
    int e = ask ? cu.f.ActivityEnableAndDump(kind) : -1;
    return e ? cu.f.ActivityEnable(kind) : 0;
}

/* False: nothing could be enabled. */
static bool set_kinds(tt_recorder *r, bool on, bool tell)
{
    int good = 0, bad = 0, first = 0;
    const char *what = "";
    for (size_t i = 0; i < KINDS; i++) {
        if (!wanted(r, &kinds[i])) continue;
        int e = on ? enable(kinds[i].kind) : cu.f.ActivityDisable(kinds[i].kind);
        good += !e;
        if (!e) continue;
        if (!bad++) {
            first = e;
            what = kinds[i].what;
        }
    }
    bool runtime = r->set.traces >> TT_TRACE_RUNTIME & 1, all_driver = r->set.traces >> TT_TRACE_DRIVER & 1;
    bool events = r->set.traces >> TT_TRACE_EVENT & 1;
    if (good && runtime && on) quiet_runtime(r);
    if (good && events && cu.f.ActivityEnableCudaEventDeviceTimestamps)
        cu.f.ActivityEnableCudaEventDeviceTimestamps(on);
    if (good && runtime && !all_driver) enable_driver_launches(on);
    if (bad && tell && on) {
        tt_recorder_note("process %u: CUPTI refused %d of %d kinds, first %s: error %d %s", r->pid, bad, bad + good,
                         what, first, result_text(first));
    }
    cu.enabled = on && good;
    atomic_store(&cu.external, cu.enabled && (r->set.traces >> TT_TRACE_EXTERNAL & 1) &&
                                   cu.f.ActivityPushExternalCorrelationId && cu.f.ActivityPopExternalCorrelationId);
    return good;
}

static uint64_t timestamp(void) { return (uint64_t)tt_now(tt_recorder_get()); }

/* Only what was asked for comes: that there is a context, and when the program begins and ends the recording by
 * cudaProfilerStart() and cudaProfilerStop(). */
static void on_call(void *data, int domain, uint32_t cbid, const void *info)
{
    uint32_t site;
    tt_recorder *r = tt_recorder_get();
    (void)data;
    if (domain == CU_DOMAIN_RESOURCE && cbid == CU_CBID_CONTEXT_CREATED) {
        tt_recording_state_begin(r, tt_now(r));
        if (!atomic_exchange(&cu.context, true)) tt_recorder_wake(r);
    }
    if (domain != CU_DOMAIN_DRIVER || !info) return;
    memcpy(&site, info, sizeof site); /* the first member of CUpti_CallbackData: 0 = on the way in */
    if (site) return;
    tt_recording_state_block(r, TT_BLOCK_RANGE, cbid == CU_CBID_PROFILER_STOP, tt_now(r));
    if (cbid == CU_CBID_PROFILER_START) tt_cupti_await(r);
}

static void follow_profiler_calls(tt_recorder *r)
{
    if (strcmp(r->set.capture_range, TT_CAPTURE_CUDA)) return;
    if (!cu.f.EnableCallback || cu.f.EnableCallback(1, cu.subscriber, CU_DOMAIN_DRIVER, CU_CBID_PROFILER_START) ||
        cu.f.EnableCallback(1, cu.subscriber, CU_DOMAIN_DRIVER, CU_CBID_PROFILER_STOP)) {
        tt_recorder_note("process %u: cudaProfilerStart() cannot be followed by this libcupti: nothing is recorded",
                         r->pid);
    }
}

static void note_meta(tt_recorder *r, const char *key, const char *text)
{
    char json[400];
    size_t n = 0;
    json[n++] = '"';
    for (; *text && n + 3 < sizeof json; text++) {
        if (*text == '"' || *text == '\\') json[n++] = '\\';
        json[n++] = (unsigned char)*text < 0x20 ? ' ' : *text;
    }
    json[n++] = '"';
    json[n] = 0;
    tt_queue_meta(r, key, json);
}

/* CUDA is present, but its contexts cannot be observed: start the clock here. */
static void begin_without_context(tt_recorder *r)
{
    if (r->set.clock != TT_CLOCK_CUDA || atomic_load(&r->began)) return;
    tt_recording_state_begin(r, tt_now(r));
    tt_recorder_note("process %u: contexts of CUDA cannot be seen: delay and duration count from the start of CUDA",
                     r->pid);
    note_meta(r, "clock", "from the start of CUDA: its contexts could not be seen");
}

static void follow_contexts(void)
{
    if (cu.f.EnableCallback && !cu.f.EnableCallback(1, cu.subscriber, CU_DOMAIN_RESOURCE, CU_CBID_CONTEXT_CREATED))
        cu.contexts = true;
}

/* Report what is missing to the user, and write it to the trace. */
static void give_up(tt_recorder *r, const char *text)
{
    tt_recorder_note("process %u: no GPU activity: %s", r->pid, text);
    note_meta(r, "gpu", text);
}

static void unified_is_missing(tt_recorder *r, const char *why)
{
    cu.unified = UNIFIED_OFF;
    tt_recorder_note("process %u: unified memory is not recorded: %s", r->pid, why);
    note_meta(r, "unified_memory", why);
}

/* CUPTI must be told what of it is wanted before the kind is enabled, and after the driver has been initialised: we
 * are called while it is, so that may be too early, and is tried once more when there is a context. */
static void set_up_unified(tt_recorder *r, bool last)
{
    static const uint32_t basic = 4; /* the kinds that every device has */
    cu_unified_config want[CU_UNIFIED_KINDS];
    char why[200];
    if (!(r->set.traces >> TT_TRACE_UM & 1) || cu.unified == UNIFIED_ON) return;
    if (!cu.f.ActivityConfigureUnifiedMemoryCounter) {
        unified_is_missing(r, "this libcupti cannot");
        return;
    }
    for (uint32_t i = 0; i < CU_UNIFIED_KINDS; i++)
        want[i] = (cu_unified_config){.scope = CU_UNIFIED_SCOPE, .kind = i + 1, .enable = 1};
    int e = cu.f.ActivityConfigureUnifiedMemoryCounter(want, CU_UNIFIED_KINDS);
    if (e) e = cu.f.ActivityConfigureUnifiedMemoryCounter(want, basic);
    cu.unified = e ? UNIFIED_LATER : UNIFIED_ON;
    if (!e || !last) return;
    snprintf(why, sizeof why, "error %d %s", e, result_text(e));
    unified_is_missing(r, why);
}

static void set_attribute(tt_recorder *r, int attribute, uint64_t value, const char *what)
{
    size_t size = sizeof(size_t), v = (size_t)value;
    int e = cu.f.ActivitySetAttribute ? cu.f.ActivitySetAttribute(attribute, &size, &v) : -1;
    if (!e) return;
    tt_recorder_note("process %u: %s could not be set: error %d %s", r->pid, what, e, e > 0 ? result_text(e) : "");
}

/* What CUPTI takes of the memory of a device. It takes three buffers at once, which must be fewer than there may be. */
static void set_device_buffers(tt_recorder *r)
{
    enum { AT_ONCE = 3 };
    uint32_t most = r->set.device_buffers;
    if (r->set.device_buffer_size)
        set_attribute(r, CU_ATTR_DEVICE_BUFFER_SIZE, r->set.device_buffer_size, "--device-buffer-size");
    if (most && most <= AT_ONCE)
        set_attribute(r, CU_ATTR_DEVICE_BUFFER_PRE_ALLOCATE, most - 1, "what CUPTI takes on the device at first");
    if (most) set_attribute(r, CU_ATTR_DEVICE_BUFFER_POOL_LIMIT, most, "--device-buffer-limit");
}

/* When kernels were queued and submitted. */
static void set_up_latency(tt_recorder *r)
{
    int e = 1;
    if (!(r->set.traces >> TT_TRACE_LATENCY & 1)) return;
    if (cu.f.ActivityEnableLatencyTimestamps) e = cu.f.ActivityEnableLatencyTimestamps(1);
    cu.records.latency = !e;
    if (!e) return;
    tt_recorder_note("process %u: when kernels were queued is not recorded: %s %d %s", r->pid,
                     cu.f.ActivityEnableLatencyTimestamps ? "error" : "this libcupti cannot, error", e, result_text(e));
    note_meta(r, "latency", "refused by CUPTI");
}

static bool subscribe(tt_recorder *r)
{
    char text[300], holder[CU_HOLDER];
    void (*callback)(void *, int, uint32_t, const void *) = on_call;
    void *at;
    memcpy(&at, &callback, sizeof at);
    int e = tt_cupti_subscribe(&cu.f, &cu.subscriber, at, holder);
    if (!e) return true;
    if (e == CU_ERROR_BUSY) {
        snprintf(
            text, sizeof text,
            "another profiler holds CUPTI in this process%s%s (error 39); end it, or record without it (--yield-cupti)",
            *holder ? ": " : "", holder);
        give_up(r, text);
    } else {
        snprintf(text, sizeof text, "cuptiSubscribe failed: error %d %s; is there a GPU and a driver?", e,
                 result_text(e));
        give_up(r, text);
    }
    return false;
}

static void boot(tt_recorder *r)
{
    char place[600], text[700];
    const char *missing = NULL;
    if (cu.have || !(r->set.traces & ~(1u << TT_TRACE_NVTX | 1u << TT_TRACE_CPU | 1u << TT_TRACE_NVML))) return;
    void *lib = tt_cupti_load(r->set.cupti, place, sizeof place);
    if (!lib) {
        give_up(r, r->set.cupti[0] ? "the libcupti that --cupti names cannot be loaded"
                                   : "libcupti was not found; install the CUDA toolkit or the package "
                                     "nvidia-cuda-cupti, or give --cupti PATH");
        return;
    }
    if (!tt_cupti_functions(lib, &cu.f, &missing) || cu.f.GetVersion(&cu.version)) {
        snprintf(text, sizeof text, "%s is no libcupti that can be used: it lacks %s", place,
                 missing ? missing : "a version");
        give_up(r, text);
        return;
    }
    note_meta(r, "cupti_library", place);
    snprintf(text, sizeof text, "%u", cu.version);
    tt_queue_meta(r, "cupti_version", text);
    snprintf(text, sizeof text, "%d", tt_cuda_driver_version());
    if (strcmp(text, "0")) tt_queue_meta(r, "cuda_driver_version", text);
    if (cu.version < CU_VERSION_LEAST) {
        give_up(r, "libcupti is older than CUDA 11.0");
        return;
    }
    if (!subscribe(r)) return;
    cu.size = (size_t)r->set.buffer_size & ~(size_t)63;
    cu.most = r->set.buffers;
    cu.records.version = cu.version;
    cu.records.noisy = r->set.noisy_api;
    cu.records.all_driver = r->set.traces >> TT_TRACE_DRIVER & 1;
    cu.records.callback_name = cu.f.GetCallbackName;
    if (cu.f.SetThreadIdType) cu.f.SetThreadIdType(CU_THREAD_ID_SYSTEM);
    bool own_clock = cu.f.ActivityRegisterTimestampCallback && !cu.f.ActivityRegisterTimestampCallback(timestamp);
    note_meta(r, "gpu_clock", own_clock ? "the recorder's" : "CLOCK_REALTIME");
    int e = cu.f.ActivityRegisterCallbacks(on_request, on_complete);
    if (e) {
        snprintf(text, sizeof text, "cuptiActivityRegisterCallbacks failed: error %d %s", e, result_text(e));
        give_up(r, text);
        if (cu.f.Unsubscribe) cu.f.Unsubscribe(cu.subscriber);
        return;
    }
    set_device_buffers(r);
    set_up_latency(r);
    set_up_unified(r, false);
    /* enabled once before there is a context, even when the schedule wants nothing yet: the first time is the slow
     * one */
    if (!set_kinds(r, true, true)) {
        note_meta(r, "gpu", "CUPTI refused every kind of activity");
        return;
    }
    follow_profiler_calls(r);
    follow_contexts();
    if (cu.unified == UNIFIED_LATER && !cu.contexts)
        unified_is_missing(r, "it can be set up when there is a context, and contexts cannot be seen");
    if (cu.f.ActivityFlushPeriod) cu.f.ActivityFlushPeriod(1000);
    cu.have = true;
    tt_recorder_wake(r);
}

void tt_cupti_boot(tt_recorder *r, bool late)
{
    /* subscribing may initialise CUDA, which loads us once more */
    if (atomic_exchange(&cu.booting, true)) return;
    cu.late = late;
    if (!r->set.yield_cupti) boot(r);
    if (r->set.yield_cupti) note_meta(r, "gpu", "CUPTI is left to the program (--yield-cupti)");
    if (!cu.have) atomic_store(&r->all_gpus, true);
    if (!cu.contexts) begin_without_context(r);
    cu.late = false;
    atomic_store(&cu.booting, false);
}

void tt_cupti_follow(tt_recorder *r)
{
    /* the first context: its record names the device to sample */
    if (cu.have && !cu.context_told && atomic_load(&cu.context)) {
        cu.context_told = true;
        cu.f.ActivityFlushAll(0);
    }
    if (cu.have && cu.unified == UNIFIED_LATER && atomic_load(&cu.context)) {
        set_up_unified(r, true);
        if (cu.unified == UNIFIED_ON && cu.enabled && cu.f.ActivityEnable(CU_KIND_UNIFIED_MEMORY_COUNTER))
            unified_is_missing(r, "its records cannot be enabled");
    }
    bool want = atomic_load(&r->want_cupti);
    if (!cu.have || want == cu.enabled) return;
    if (!want) cu.f.ActivityFlushAll(0);
    set_kinds(r, want, false);
}

void tt_cupti_await(tt_recorder *r)
{
    const struct timespec ms = {0, 1000000};
    for (int i = 0; i < 200 && cu.have && atomic_load(&r->want_cupti) && !cu.enabled; i++) nanosleep(&ms, NULL);
}

void tt_cupti_flush(tt_recorder *r)
{
    (void)r;
    if (cu.have) cu.f.ActivityFlushAll(0);
}

void tt_cupti_stop(tt_recorder *r)
{
    if (!cu.have) return;
    if (cu.unified == UNIFIED_LATER && atomic_load(&cu.context)) set_up_unified(r, true); /* a short program: say why */
    cu.f.ActivityFlushAll(CU_FLUSH_FORCED);
    ask_for_drops(r);
    cu.stopping = true;
    if (cu.enabled) set_kinds(r, false, false);
    if (cu.f.Unsubscribe) cu.f.Unsubscribe(cu.subscriber);
    atomic_store(&cu.external, false);
    cu.have = false;
}

/* In a forked child CUPTI must not be called: its threads are gone. */
void tt_cupti_forget(void)
{
    pthread_mutex_init(&cu.lock, NULL);
    cu.have = cu.enabled = false;
    atomic_store(&cu.external, false);
    atomic_store(&cu.done, NULL);
    cu.taken = NULL;
}

/* ---- external correlation ---- */

bool tt_cupti_push_external(uint64_t id)
{
    if (!atomic_load_explicit(&cu.external, memory_order_relaxed)) return false;
    return !cu.f.ActivityPushExternalCorrelationId(CU_EXTERNAL_CUSTOM0, id);
}

void tt_cupti_pop_external(void)
{
    uint64_t last;
    if (cu.f.ActivityPopExternalCorrelationId) cu.f.ActivityPopExternalCorrelationId(CU_EXTERNAL_CUSTOM0, &last);
}
