/* capture/agent/cupti/cupti.c - subscription, activity kinds, and the path of the records. See cupti.h.
 *
 * Two threads of ours call CUPTI: the control thread switches kinds and asks for records once a second, and a last
 * thread asks for the final records. Either may hang if CUPTI does; the writer, which only reads buffers that came
 * back, goes on. Callbacks hand buffers over and note what happened; none of them waits for another thread, as CUPTI
 * holds locks around callbacks. */
#include "capture/agent/cupti/cupti.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "capture/agent/core/recording_state.h"
#include "capture/agent/core/report_progress.h"
#include "capture/agent/core/write_records.h"
#include "capture/agent/cupti/cupti_buffers.h"
#include "capture/agent/cupti/cupti_walk.h"
#include "capture/agent/cupti/cupti_watch.h"
#include "capture/cuda/cuda_info.h"
#include "capture/cuda/cupti_find.h"

/* Intervals, ns. flush_ns: between requests for records. linger_ns: of further requests after the kinds were
 * switched off, as work may end late. graph_ns: for which the kinds of work stay on after the instantiation of a
 * graph. */
static const int64_t flush_ns = 1000000000, linger_ns = 5000000000, graph_ns = 3000000000;

typedef struct cupti {
    cu_functions f;
    void *subscriber;
    _Atomic bool have; /* CUPTI is subscribed; set last: the members above are constant from then on */
    _Atomic bool enabled;
    _Atomic bool booting;
    bool late;    /* CUDA was initialised before the boot */
    bool parents; /* this is a forked child, and its parent had subscribed: CUPTI's threads are not here */
    _Atomic bool external;
    bool contexts;          /* a callback will tell of the first context */
    _Atomic bool context;   /* a context exists */
    _Atomic int64_t graphs; /* time until which a graph keeps the kinds of work on; 0: none does */
    enum { UNIFIED_OFF, UNIFIED_LATER, UNIFIED_ON } unified; /* LATER: set up when a context exists */
    uint32_t version;
    pthread_mutex_t kinds_lock; /* serialises switching of kinds; held while CUPTI is called */
    tt_cupti_buffers buffers;
    tt_cupti_walk walk;
    tt_cupti_watch watch;
    /* used by the writer */
    tt_cupti_buffer *taken;                 /* completed buffers in order */
    int64_t taken_at;                       /* when they were taken */
    uint64_t flushes;                       /* flushes after which held buffers were read */
    tt_cupti_buffer *held[TT_BUFFERS_MOST]; /* list of the buffers that are read */
    /* used by the control thread */
    pthread_mutex_t control_lock; /* guards control_woken and flush_asked */
    pthread_cond_t control_wake;
    bool control_woken, flush_asked;
    _Atomic bool stopping, stopped; /* stopping: all records were asked for; stopped: CUPTI has answered */
    _Atomic bool forced;            /* CUPTI is forced to return buffers with unfinished work, too */
    _Atomic bool awaited_in_vain;   /* the program waited once in vain for CUPTI and waits no more */
    bool context_told;              /* used by the control thread alone */
    int64_t flushed, switched_off;  /* times, ns, used by the control thread */
} cupti;

static cupti cu = {.kinds_lock = PTHREAD_MUTEX_INITIALIZER, /* CUPTI's callbacks have no argument to carry it */
                   .control_lock = PTHREAD_MUTEX_INITIALIZER,
                   .buffers = {.lock = PTHREAD_MUTEX_INITIALIZER},
                   .walk = {.f = &cu.f}};

/* ---- buffers ---- */

static void on_request(uint8_t **out, size_t *size, size_t *most)
{
    /* CUPTI before 12.9 may crash without a buffer */
    int64_t now = tt_now(tt_recorder_get());
    tt_cupti_buffer *b = tt_cupti_buffers_request(&cu.buffers, cu.version < CU_VERSION_NULL_BUFFER, now);
    *most = 0;
    *size = b ? b->size : 0;
    *out = b ? b->data : NULL;
    /* newer versions of CUPTI count the records without a buffer themselves */
    if (!b && !cu.f.ActivityGetNumDroppedRecords) tt_drop(tt_recorder_get(), TT_SPOOL_DROP_BUFFERS, 1);
}

static void on_complete(void *context, uint32_t stream, uint8_t *data, size_t size, size_t valid)
{
    (void)context, (void)stream, (void)size;
    if (data && tt_cupti_buffers_complete(&cu.buffers, data, valid, atomic_load(&cu.forced)))
        tt_recorder_wake(tt_recorder_get());
}

void tt_cupti_take(void)
{
    cu.taken_at = tt_now(tt_recorder_get());
    tt_cupti_buffer **end = &cu.taken;
    while (*end) end = &(*end)->next;
    *end = tt_cupti_buffers_take(&cu.buffers);
}

/* Ask CUPTI for its number of dropped records. Not in callbacks: CUPTI holds locks there. */
static void ask_for_drops(tt_recorder *r)
{
    size_t dropped = 0;
    if (cu.f.ActivityGetNumDroppedRecords && !cu.f.ActivityGetNumDroppedRecords(NULL, 0, &dropped) && dropped)
        tt_drop(r, TT_SPOOL_DROP_CUPTI, dropped);
}

/* After a flush, read the buffers that CUPTI did not return. all: at any time, and those that it got since, too. */
static bool read_held(tt_recorder *r, bool all)
{
    uint64_t flushes = tt_cupti_buffers_flushes(&cu.buffers), seen = cu.walk.records.seen;
    if (!cu.have || (flushes == cu.flushes && !all)) return false;
    cu.flushes = flushes;
    size_t n = tt_cupti_buffers_held(&cu.buffers, all ? UINT64_MAX : flushes, cu.held);
    for (size_t i = 0; i < n; i++) tt_cupti_walk_held(&cu.walk, r, cu.held[i], cu.taken_at);
    return cu.walk.records.seen > seen;
}

void tt_cupti_hold(tt_recorder *r)
{
    cu.taken_at = tt_now(r);
    read_held(r, true);
}

void tt_cupti_open_again(tt_recorder *r)
{
    if (!cu.have) return;
    size_t n = tt_cupti_buffers_held(&cu.buffers, UINT64_MAX, cu.held);
    for (size_t i = 0; i < n; i++) tt_cupti_walk_open(&cu.walk, r, cu.held[i]);
}

void tt_cupti_translate(tt_recorder *r)
{
    int64_t now = tt_now(r);
    bool any = cu.taken != NULL;
    tt_cupti_records *c = &cu.walk.records;
    c->earliest = (uint64_t)(r->started - TT_CLOCK_MARGIN);
    c->latest = (uint64_t)(now + TT_CLOCK_MARGIN);
    while (cu.taken) {
        tt_cupti_buffer *b = cu.taken;
        cu.taken = b->next;
        tt_cupti_walk_returned(&cu.walk, r, b);
        tt_cupti_buffers_give(&cu.buffers, b);
        tt_ring_poll(&r->ring);
    }
    any |= read_held(r, false);
    if (cu.have || cu.stopping) tt_cupti_watch_look(&cu.watch, r, c, any, now);
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

/* Select only the launches of the driver API, as compilers make them without the runtime. CUPTI before 12.5 cannot
 * select calls: all of them arrive, and the others are dropped here. */
static void enable_driver_launches(bool on)
{
    size_t n;
    const uint32_t *list = tt_cupti_driver_launches(&n);
    for (size_t i = 0; i < n && cu.f.ActivityEnableDriverApi; i++) cu.f.ActivityEnableDriverApi(list[i], on);
    if (cu.f.ActivityEnableDriverApi) cu.f.ActivityEnableDriverApi(CU_CBID_DRIVER_VERSION, on); /* see cupti_watch.h */
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

/* Kinds whose records name the nodes of graphs. */
static bool of_graphs(uint32_t kind)
{
    return kind == CU_KIND_CONCURRENT_KERNEL || kind == CU_KIND_MEMCPY || kind == CU_KIND_MEMSET;
}

/* Why kinds or callbacks are refused: another client came first, or between two windows. */
static const char excluded[] = "another profiler in the process uses CUPTI's functions for a subscriber (_v2), which "
                               "exclude those used here (error "
                               "14); end it, or leave CUPTI to it (--yield-cupti)";

/* Enable or disable the kinds. False: nothing could be enabled. Caller holds kinds_lock, except enable_now(). */
static bool set_kinds(tt_recorder *r, bool on, bool tell)
{
    int good = 0, bad = 0, first = 0;
    const char *what = "";
    if (!on) cu.enabled = false; /* cleared first, so that other threads stop to rely on the kinds */
    for (size_t i = 0; i < KINDS; i++) {
        if (!wanted(r, &kinds[i]) || (!on && of_graphs(kinds[i].kind) && atomic_load(&cu.graphs))) continue;
        if (!on && atomic_load(&r->want_cupti)) return set_kinds(r, true, tell); /* wanted again meanwhile */
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
    if (bad && on && first == CU_ERROR_EXCLUDED) {
        tt_recorder_note("process %u: no GPU activity: %s", r->pid, excluded);
    } else if (bad && tell && on) {
        tt_recorder_note("process %u: CUPTI refused %d of %d kinds, first %s: error %d %s", r->pid, bad, bad + good,
                         what, first, result_text(first));
    }
    cu.enabled = on && good;
    atomic_store(&cu.external, cu.enabled && (r->set.traces >> TT_TRACE_EXTERNAL & 1) &&
                                   cu.f.ActivityPushExternalCorrelationId && cu.f.ActivityPopExternalCorrelationId);
    return good;
}

static uint64_t timestamp(void) { return (uint64_t)tt_now(tt_recorder_get()); }

/* Enable the kinds in a callback, on the thread whose next launches are to be recorded; CUPTI allows that. It takes
 * no lock: the control thread may hold the lock while it waits for a lock that CUPTI holds around callbacks.
 * Enabling twice is harmless, and a thread that is switching off sees that the kinds are wanted again. */
static void enable_now(tt_recorder *r)
{
    if (cu.have && !cu.enabled) set_kinds(r, true, false);
}

static void wake_control(bool flush)
{
    pthread_mutex_lock(&cu.control_lock);
    cu.control_woken = true;
    cu.flush_asked |= flush;
    pthread_cond_signal(&cu.control_wake);
    pthread_mutex_unlock(&cu.control_lock);
}

/* CUPTI before 12.0 Update 1 learns names and nodes of a graph only when the graph is instantiated, which programs do
 * before the recorded steps: enable the kinds of work then. As enable_now() it takes no lock. Programs instantiate
 * dozens of graphs in a row, so the kinds stay on for seconds. */
static void on_graph(tt_recorder *r)
{
    bool on = atomic_exchange(&cu.graphs, tt_now(r) + graph_ns) != 0;
    for (size_t i = 0; i < KINDS && !on && !cu.enabled; i++) {
        if (of_graphs(kinds[i].kind) && wanted(r, &kinds[i])) (void)cu.f.ActivityEnable(kinds[i].kind);
    }
}

static void on_resource(tt_recorder *r, uint32_t cbid)
{
    if (cbid == CU_CBID_CONTEXT_CREATED) {
        tt_recording_state_begin(r, tt_now(r));
        if (!atomic_exchange(&cu.context, true)) wake_control(false);
    }
    if (cbid == CU_CBID_GRAPHEXEC_STARTING || cbid == CU_CBID_GRAPHEXEC_CREATED) on_graph(r);
}

/* Callback for the events that were subscribed to: a context exists, a graph is instantiated, or the program begins or
 * ends the recording by cudaProfilerStart() and cudaProfilerStop(). */
static void on_call(void *data, int domain, uint32_t cbid, const void *info)
{
    uint32_t site;
    tt_recorder *r = tt_recorder_get();
    (void)data;
    if (domain == CU_DOMAIN_RESOURCE) on_resource(r, cbid);
    if (domain != CU_DOMAIN_DRIVER || !info) return;
    memcpy(&site, info, sizeof site); /* the first member of CUpti_CallbackData: 0 = entry */
    if (cbid == CU_CBID_PROFILER_STOP && !site) tt_recording_state_block(r, TT_BLOCK_RANGE, true, tt_now(r));
    if (cbid != CU_CBID_PROFILER_START || !site) return;
    tt_recording_state_block(r, TT_BLOCK_RANGE, false, tt_now(r));
    if (atomic_load(&r->want_cupti)) enable_now(r);
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

static void follow_contexts(const tt_recorder *r)
{
    if (!cu.f.EnableCallback) return;
    cu.contexts = !cu.f.EnableCallback(1, cu.subscriber, CU_DOMAIN_RESOURCE, CU_CBID_CONTEXT_CREATED);
    if (cu.version >= CU_VERSION_OLD_GRAPHS || !tt_capture_windowed(&r->set)) return; /* the kinds are on anyway */
    cu.f.EnableCallback(1, cu.subscriber, CU_DOMAIN_RESOURCE, CU_CBID_GRAPHEXEC_STARTING);
    cu.f.EnableCallback(1, cu.subscriber, CU_DOMAIN_RESOURCE, CU_CBID_GRAPHEXEC_CREATED);
}

/* Note what is missing for the user, and write it to the trace. */
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

/* Configure unified memory counters before their kind is enabled and after the driver is initialised. Boot runs during
 * that initialisation, which may be too early: tried once more when a context exists. */
static void set_up_unified(tt_recorder *r, bool last)
{
    static const uint32_t basic = 4; /* unified memory counters that every device has */
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

/* Set an attribute; a refusal is noted with the text `what` (NULL: no note). */
static void set_attribute(tt_recorder *r, int attribute, uint64_t value, const char *what)
{
    size_t size = sizeof(size_t), v = (size_t)value;
    int e = cu.f.ActivitySetAttribute ? cu.f.ActivitySetAttribute(attribute, &size, &v) : -1;
    if (!e || !what) return;
    tt_recorder_note("process %u: %s could not be set: error %d %s", r->pid, what, e, e > 0 ? result_text(e) : "");
}

/* Limit CUPTI's device memory. CUPTI allocates three buffers ahead, and that number must stay below the limit. */
static void set_device_buffers(tt_recorder *r)
{
    enum { AT_ONCE = 3 };
    uint32_t most = r->set.device_buffers;
    if (r->set.device_buffer_size)
        set_attribute(r, CU_ATTR_DEVICE_BUFFER_SIZE, r->set.device_buffer_size, "--device-buffer-size");
    if (most && most <= AT_ONCE)
        set_attribute(r, CU_ATTR_DEVICE_BUFFER_PRE_ALLOCATE, most - 1, "what CUPTI takes on the device at first");
    const char *what = most == TT_DEVICE_BUFFERS ? NULL : "--device-buffer-limit";
    if (most) set_attribute(r, CU_ATTR_DEVICE_BUFFER_POOL_LIMIT, most, what);
}

static void set_switch(int attribute, bool on)
{
    uint8_t value = on;
    size_t size = sizeof value;
    if (cu.f.ActivitySetAttribute) cu.f.ActivitySetAttribute(attribute, &size, &value);
}

/* Give each thread a buffer of its own, so that launches do not wait for each other, where nothing speaks against it:
 * before 12.6 Update 2 a flush by another thread is a race with the thread's records, and Kineto switches to one
 * buffer for all when the program starts torch.profiler, which is undefined after kinds were enabled. CUPTI before
 * 12.3 has no such choice and uses one buffer for all. */
static void set_up_buffers(void)
{
    char path[700];
    bool kineto = tt_loaded_library("libtorch", path, sizeof path) || tt_loaded_library("libkineto", path, sizeof path);
    set_switch(CU_ATTR_PER_THREAD, cu.version >= CU_VERSION_PER_THREAD && !kineto);
    set_switch(CU_ATTR_ZEROED_OUT, true);
}

/* Ask for the times at which kernels were queued and submitted. */
static void set_up_latency(tt_recorder *r)
{
    int e = 1;
    if (!(r->set.traces >> TT_TRACE_LATENCY & 1)) return;
    if (cu.f.ActivityEnableLatencyTimestamps) e = cu.f.ActivityEnableLatencyTimestamps(1);
    cu.walk.records.latency = !e;
    if (!e) return;
    tt_recorder_note("process %u: when kernels were queued is not recorded: %s %d %s", r->pid,
                     cu.f.ActivityEnableLatencyTimestamps ? "error" : "this libcupti cannot, error", e, result_text(e));
    note_meta(r, "latency", "refused by CUPTI");
}

/* ---- control ---- */

/* Start a thread that blocks the program's signals. */
static bool begin_thread(void *(*f)(void *), tt_recorder *r)
{
    sigset_t all, old;
    pthread_t id;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    bool good = !pthread_create(&id, NULL, f, r);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (good) pthread_detach(id);
    return good;
}

/* Make a call whose own record must come back, unless the kinds are being switched. */
static void call_to_be_seen(void)
{
    if (!atomic_load(&cu.context) || pthread_mutex_trylock(&cu.kinds_lock)) return;
    if (cu.enabled) tt_cupti_watch_call(&cu.watch);
    pthread_mutex_unlock(&cu.kinds_lock);
}

/* Ask for completed records, after a call whose record must be among them. */
static void flush(tt_recorder *r)
{
    call_to_be_seen();
    int e = cu.f.ActivityFlushAll(0);
    tt_cupti_buffers_flushed(&cu.buffers);
    ask_for_drops(r);
    tt_cupti_watch_flushed(&cu.watch, !e);
    cu.flushed = tt_now(r);
}

/* The first context exists: its record names the device to sample, and the driver has registered its exit handler. */
static void meet_context(tt_recorder *r)
{
    if (!atomic_load(&cu.context) || cu.context_told) return;
    cu.context_told = true;
    atexit(r->leave);
    flush(r);
}

/* Skipped while another thread switches kinds; a later call, or the end, tries again. */
static void set_up_unified_late(tt_recorder *r)
{
    if (!atomic_load(&cu.context) || pthread_mutex_trylock(&cu.kinds_lock)) return;
    if (cu.unified == UNIFIED_LATER) {
        set_up_unified(r, true);
        if (cu.unified == UNIFIED_ON && cu.enabled && cu.f.ActivityEnable(CU_KIND_UNIFIED_MEMORY_COUNTER))
            unified_is_missing(r, "its records cannot be enabled");
    }
    pthread_mutex_unlock(&cu.kinds_lock);
}

/* The kinds must be switched; false at the end, when nothing is switched any more. */
static bool kinds_differ(const tt_recorder *r, bool *want)
{
    *want = atomic_load(&r->want_cupti);
    return *want != cu.enabled && !atomic_load(&cu.stopping);
}

static void follow_kinds(tt_recorder *r)
{
    bool want;
    if (!kinds_differ(r, &want)) return;
    if (!want) flush(r);
    pthread_mutex_lock(&cu.kinds_lock);
    if (kinds_differ(r, &want)) (void)set_kinds(r, want, false); /* may have changed while waiting */
    pthread_mutex_unlock(&cu.kinds_lock);
    if (!cu.enabled) cu.switched_off = tt_now(r);
}

/* End what on_graph() began. */
static void forget_graphs(tt_recorder *r)
{
    int64_t until = atomic_load(&cu.graphs);
    if (!until || tt_now(r) < until || atomic_load(&cu.stopping)) return;
    pthread_mutex_lock(&cu.kinds_lock);
    bool over = atomic_compare_exchange_strong(&cu.graphs, &until, 0);
    for (size_t i = 0; i < KINDS && over && !cu.enabled; i++) {
        if (of_graphs(kinds[i].kind) && wanted(r, &kinds[i])) (void)cu.f.ActivityDisable(kinds[i].kind);
    }
    pthread_mutex_unlock(&cu.kinds_lock);
}

/* Wait for the next interval or a wake-up. True: a flush was ordered. */
static bool wait_for_more(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    t.tv_nsec += 100000000;
    if (t.tv_nsec >= 1000000000) {
        t.tv_nsec -= 1000000000;
        t.tv_sec++;
    }
    pthread_mutex_lock(&cu.control_lock);
    while (!cu.control_woken && pthread_cond_timedwait(&cu.control_wake, &cu.control_lock, &t) != ETIMEDOUT) {}
    bool asked = cu.flush_asked;
    cu.control_woken = cu.flush_asked = false;
    pthread_mutex_unlock(&cu.control_lock);
    return asked;
}

static void *control(void *arg)
{
    tt_recorder *r = arg;
    bool asked = false;
    prctl(PR_SET_NAME, "tracetty-cupti");
    atomic_store(&cu.walk.records.own_threads[0], (uint32_t)syscall(SYS_gettid));
    while (!atomic_load(&cu.stopping)) {
        meet_context(r);
        set_up_unified_late(r);
        follow_kinds(r);
        forget_graphs(r);
        int64_t now = tt_now(r);
        /* not while CUDA is being initialised */
        bool ready = !cu.contexts || atomic_load(&cu.context);
        bool going = ready && (cu.enabled || now - cu.switched_off < linger_ns);
        if (asked || (going && now - cu.flushed >= flush_ns)) flush(r);
        asked = wait_for_more();
    }
    return NULL;
}

/* ---- boot ---- */

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
    } else {
        snprintf(text, sizeof text, "cuptiSubscribe failed: error %d %s; is there a GPU and a driver?", e,
                 result_text(e));
    }
    give_up(r, text);
    return false;
}

static void boot(tt_recorder *r)
{
    char place[600], text[700];
    const char *missing = NULL;
    if (cu.have || !(r->set.traces & ~(1u << TT_TRACE_NVTX | 1u << TT_TRACE_CPU | 1u << TT_TRACE_NVML))) return;
    if (cu.parents) {
        give_up(r, "the process was forked by one that had begun CUDA, which cannot be used after a fork");
        return;
    }
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
    tt_cupti_buffers_set_up(&cu.buffers, (size_t)r->set.buffer_size, r->set.buffers);
    cu.walk.records.version = cu.version;
    cu.walk.records.noisy = r->set.noisy_api;
    cu.walk.records.all_driver = r->set.traces >> TT_TRACE_DRIVER & 1;
    cu.walk.records.callback_name = cu.f.GetCallbackName;
    if (cu.f.SetThreadIdType) cu.f.SetThreadIdType(CU_THREAD_ID_SYSTEM);
    bool own_clock = cu.f.ActivityRegisterTimestampCallback && !cu.f.ActivityRegisterTimestampCallback(timestamp);
    note_meta(r, "gpu_clock", own_clock ? "the recorder's" : "CLOCK_REALTIME");
    set_up_buffers();
    int e = cu.f.ActivityRegisterCallbacks(on_request, on_complete);
    if (e) {
        snprintf(text, sizeof text, "cuptiActivityRegisterCallbacks failed: error %d %s", e, result_text(e));
        give_up(r, e == CU_ERROR_EXCLUDED ? excluded : text);
        if (cu.f.Unsubscribe) cu.f.Unsubscribe(cu.subscriber);
        return;
    }
    set_device_buffers(r);
    set_up_latency(r);
    set_up_unified(r, false);
    /* enable the kinds once before a context exists, even if the schedule wants nothing yet: the first time is slow */
    pthread_mutex_lock(&cu.kinds_lock);
    bool some = set_kinds(r, true, true);
    pthread_mutex_unlock(&cu.kinds_lock);
    if (!some) {
        note_meta(r, "gpu", "CUPTI refused every kind of activity");
        return;
    }
    follow_profiler_calls(r);
    follow_contexts(r);
    if (cu.unified == UNIFIED_LATER && !cu.contexts)
        unified_is_missing(r, "it can be set up when there is a context, and contexts cannot be seen");
    if (cu.f.ActivityFlushPeriod) cu.f.ActivityFlushPeriod(1000);
    cu.have = true;
    if (!begin_thread(control, r)) {
        cu.have = false;
        give_up(r, "no thread for CUPTI");
    }
}

void tt_cupti_boot(tt_recorder *r, bool late)
{
    /* subscribing may initialise CUDA, which loads this library once more */
    if (atomic_exchange(&cu.booting, true)) return;
    if (!cu.have) {
        pthread_condattr_t attr;
        pthread_condattr_init(&attr);
        pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
        pthread_cond_init(&cu.control_wake, &attr);
        pthread_condattr_destroy(&attr);
    }
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
    if (cu.have && atomic_load(&r->want_cupti) != cu.enabled) wake_control(false);
}

void tt_cupti_await(tt_recorder *r)
{
    enum { PATIENCE_MS = 200 };
    const struct timespec ms = {0, 1000000};
    if (!cu.have || cu.enabled || !atomic_load(&r->want_cupti) || atomic_load(&cu.awaited_in_vain)) return;
    wake_control(false);
    int i = 0;
    for (; i < PATIENCE_MS && cu.have && atomic_load(&r->want_cupti) && !cu.enabled; i++) nanosleep(&ms, NULL);
    if (i == PATIENCE_MS) atomic_store(&cu.awaited_in_vain, true); /* CUPTI hangs: do not wait again */
}

void tt_cupti_flush(tt_recorder *r)
{
    (void)r;
    wake_control(true);
}

void tt_cupti_progress(uint64_t *due, uint64_t *done)
{
    *due = 0;
    *done = cu.walk.ended;
    size_t n = cu.have ? tt_cupti_buffers_held(&cu.buffers, UINT64_MAX, cu.held) : 0;
    for (size_t i = 0; i < n; i++) *due += tt_cupti_walk_due(cu.held[i]);
}

uint32_t tt_cupti_caller(void) { return cu.walk.records.caller; }

/* Ask for the last records on a thread of its own: the control thread may hang inside CUPTI. Nothing is disabled: CUPTI
 * may hang in that, too, and the process ends anyway. */
static void *last_flush(void *arg)
{
    tt_recorder *r = arg;
    prctl(PR_SET_NAME, "tracetty-cupti");
    atomic_store(&cu.walk.records.own_threads[1], (uint32_t)syscall(SYS_gettid));
    set_up_unified_late(r); /* a short program may not have got to it: note the reason */
    call_to_be_seen();
    cu.f.ActivityFlushAll(0); /* what has ended, so that work without times in what follows is known to be open */
    atomic_store(&cu.forced, true);
    int e = cu.f.ActivityFlushAll(CU_FLUSH_FORCED);
    if (e)
        tt_recorder_note("process %u: CUPTI refused to give the last records: error %d %s", r->pid, e, result_text(e));
    ask_for_drops(r);
    tt_cupti_watch_flushed(&cu.watch, !e);
    atomic_store(&cu.stopped, true);
    return NULL;
}

void tt_cupti_stop(tt_recorder *r)
{
    if (!cu.have || atomic_exchange(&cu.stopping, true)) return;
    atomic_store(&cu.external, false);
    wake_control(false);
    if (!begin_thread(last_flush, r)) last_flush(r);
}

bool tt_cupti_stopped(void) { return !atomic_load(&cu.stopping) || atomic_load(&cu.stopped); }

void tt_cupti_end(tt_recorder *r)
{
    if (!atomic_load(&cu.stopping)) return;
    if (!atomic_load(&cu.stopped)) {
        read_held(r, true);
        tt_recorder_note("process %u: CUPTI did not come back with the last records: what it holds was read", r->pid);
    }
    tt_cupti_watch_end(&cu.watch, r, &cu.walk.records, atomic_load(&cu.context) && atomic_load(&cu.stopped));
    cu.have = false;
}

void tt_cupti_forget(void)
{
    pthread_mutex_init(&cu.kinds_lock, NULL);
    pthread_mutex_init(&cu.control_lock, NULL);
    tt_cupti_buffers_forget(&cu.buffers);
    cu.parents = cu.parents || cu.subscriber;
    cu.have = cu.enabled = cu.contexts = cu.context_told = false;
    atomic_store(&cu.booting, false);
    atomic_store(&cu.context, false);
    atomic_store(&cu.graphs, 0);
    atomic_store(&cu.stopping, false);
    atomic_store(&cu.stopped, false);
    atomic_store(&cu.external, false);
    atomic_store(&cu.awaited_in_vain, false);
    cu.unified = UNIFIED_OFF;
    cu.taken = NULL;
    cu.walk.told_kinds = 0;
    atomic_store(&cu.forced, false);
    cu.watch = (tt_cupti_watch){0};
}

/* ---- external correlation ---- */

bool tt_cupti_push_external(uint64_t id)
{
    if (!atomic_load_explicit(&cu.external, memory_order_acquire)) return false; /* acquire: cu.f was set before */
    return !cu.f.ActivityPushExternalCorrelationId(CU_EXTERNAL_CUSTOM0, id);
}

void tt_cupti_pop_external(void)
{
    uint64_t last;
    if (cu.f.ActivityPopExternalCorrelationId) cu.f.ActivityPopExternalCorrelationId(CU_EXTERNAL_CUSTOM0, &last);
}
