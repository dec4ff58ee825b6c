/* capture/agent/cupti/cupti_records.c - translates CUPTI's records, one function per kind. See cupti_records.h, and
 * cupti_abi.h for the members that a version has. */
#include "capture/agent/cupti/cupti_records.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "capture/agent/core/report_progress.h"
#include "capture/agent/core/write_records.h"
#include "capture/agent/cupti/nvml.h"

#include "capture/cuda/cuda_info.h"

const uint32_t *tt_cupti_noisy(size_t *n)
{
    /* cudaGetDeviceCount, GetLastError, PeekAtLastError, SetDevice, GetDevice, StreamQuery, EventCreate,
     * EventCreateWithFlags, EventDestroy, EventQuery, DeviceGetAttribute, FuncSetAttribute, StreamIsCapturing,
     * StreamGetCaptureInfo (three) */
    static const uint32_t cbids[] = {3, 10, 11, 16, 17, 132, 133, 134, 136, 138, 200, 273, 317, 324, 409, 461};
    *n = sizeof cbids / sizeof *cbids;
    return cbids;
}

const uint32_t *tt_cupti_driver_launches(size_t *n)
{
    static const uint32_t cbids[] = {
#define X(name, cbid) cbid,
#include "capture/cuda/driver_calls.def"
#undef X
    };
    *n = sizeof cbids / sizeof *cbids;
    return cbids;
}

static bool is_in(const uint32_t *list, size_t n, uint32_t cbid)
{
    for (size_t i = 0; i < n; i++) {
        if (list[i] == cbid) return true;
    }
    return false;
}

/* ---- contexts ---- */

static void learn_context(tt_cupti_records *c, uint32_t context, uint32_t device)
{
    for (uint32_t i = 0; i < TT_CONTEXTS; i++) {
        if (c->context[i] == context + 1) {
            c->device_of[i] = device;
            return;
        }
    }
    tt_nvml_use(device);
    uint32_t i = c->next_context++ % TT_CONTEXTS;
    c->context[i] = context + 1;
    c->device_of[i] = device;
}

static uint32_t device_of(const tt_cupti_records *c, uint32_t context)
{
    for (uint32_t i = 0; i < TT_CONTEXTS; i++) {
        if (c->context[i] == context + 1) return c->device_of[i];
    }
    return 0;
}

/* ---- names ---- */

static uint32_t put_name(tt_recorder *r, const char *text, size_t len)
{
    return tt_intern_put(&r->names, NULL, text, len);
}

/* The times are of our clock. Another client of CUPTI can replace the clock; its times mean nothing here. */
static bool of_our_clock(tt_cupti_records *c, tt_recorder *r, uint64_t start, uint64_t end)
{
    bool known = (!start || (start >= c->earliest && start <= c->latest)) && (!end || end <= c->latest);
    if (known) return true;
    c->foreign++;
    tt_drop(r, TT_SPOOL_DROP_CLOCK, 1);
    tt_recorder_note("process %u: a profiler in the program has set CUPTI's clock: records of its times are left out",
                     r->pid);
    return false;
}

/* The record has times: CUPTI gives none when it runs out of device memory. */
static bool has_times(tt_cupti_records *c, tt_recorder *r, uint64_t start, uint64_t end)
{
    if (!of_our_clock(c, r, start, end)) return false;
    if (start && end) return true;
    tt_drop(r, TT_SPOOL_DROP_TIMES, 1);
    return false;
}

/* Whether to write the record of device work, and with which TT_SPOOL_WORK_ flags. */
static bool work_flags(tt_cupti_records *c, tt_recorder *r, uint64_t start, uint64_t end, uint32_t *flags)
{
    bool open = c->work == TT_WORK_OPEN || (c->work != TT_WORK_ENDED && (!start || !end));
    *flags = open ? TT_SPOOL_WORK_OPEN : c->work == TT_WORK_TOLD ? TT_SPOOL_WORK_WAS_OPEN : 0;
    if (open) return c->work != TT_WORK_TOLD && of_our_clock(c, r, start, end); /* told: the earlier record stands */
    return has_times(c, r, start, end);
}

/* Copy a text of this process that may not be readable, through the system; false: it is not. */
static bool copy_text(const tt_recorder *r, const char *text, char *out, size_t cap)
{
    enum { PAGE = 4096 };
    for (size_t n = 0; text && n < cap - 1;) {
        size_t rest = PAGE - (uintptr_t)(text + n) % PAGE, want = rest < cap - 1 - n ? rest : cap - 1 - n;
        const struct iovec to = {out + n, want}, from = {(void *)(uintptr_t)(text + n), want};
        if (process_vm_readv((pid_t)r->pid, &to, 1, &from, 1, 0) != (ssize_t)want) return false;
        if (memchr(out + n, 0, want)) return true;
        n += want;
        out[n] = 0;
    }
    return text != NULL;
}

/* Shorten "cudaLaunchKernel_ptsz_v7000" to cudaLaunchKernel. */
static size_t without_version(const char *name)
{
    size_t n = strlen(name), m = n;
    while (m && name[m - 1] >= '0' && name[m - 1] <= '9') m--;
    if (m < n && m > 2 && name[m - 1] == 'v' && name[m - 2] == '_') n = m - 2;
    if (n > 5 && (!memcmp(name + n - 5, "_ptsz", 5) || !memcmp(name + n - 5, "_ptds", 5))) n -= 5;
    return n;
}

static uint32_t api_name(tt_cupti_records *c, tt_recorder *r, int domain, uint32_t cbid)
{
    const char *name = NULL;
    char made[48];
    uint32_t *memo = cbid < TT_CBIDS ? &c->api_name[domain == CU_DOMAIN_DRIVER][cbid] : NULL;
    if (memo && *memo) return *memo - 1;
    if (!c->callback_name || c->callback_name(domain, cbid, &name) != CU_OK || !name) {
        snprintf(made, sizeof made, "%s call %u", domain == CU_DOMAIN_DRIVER ? "driver" : "runtime", cbid);
        name = made;
    }
    uint32_t id =
        memo ? tt_intern_pin(&r->names, name, without_version(name)) : put_name(r, name, without_version(name));
    if (memo) *memo = id + 1;
    return id;
}

/* ---- kinds ---- */

/* Copy the members common to all GPU activities, whose offsets differ by kind, from m to s. */
#define PUT_WORK(s, m, f)                                                                                              \
    ((s)->start = (int64_t)(m)->start, (s)->end = (int64_t)(m)->end, (s)->device = (m)->deviceId,                      \
     (s)->context = (m)->contextId, (s)->stream = (m)->streamId, (s)->flags = (uint8_t)(f))
#define PUT_GRAPH_NODE(c, s, m)                                                                                        \
    ((s)->graph_node = (m)->graphNodeId, (s)->graph = (c)->version >= CU_VERSION_GRAPH ? (m)->graphId : 0)

static void on_kernel(tt_cupti_records *c, tt_recorder *r, const cu_kernel *k)
{
    uint32_t flags;
    char copy[TT_SPOOL_STRING_MOST + 1];
    learn_context(c, k->contextId, k->deviceId);
    if (!work_flags(c, r, k->start, k->end, &flags)) return;
    const char *text = c->held ? (copy_text(r, k->name, copy, sizeof copy) ? copy : NULL) : k->name;
    if (!text) text = "(unnamed kernel)";
    uint32_t name = put_name(r, text, strlen(text));
    size_t size = c->latency ? sizeof(tt_spool_kernel) : offsetof(tt_spool_kernel, submitted);
    tt_spool_kernel *s = tt_spool_add(&r->spool, TT_SPOOL_KERNEL, size, name);
    if (!s) return;
    PUT_WORK(s, k, flags);
    s->queued = (int64_t)k->queued;
    if (c->latency) s->submitted = (int64_t)k->submitted;
    s->correlation = k->correlationId;
    memcpy(s->grid, &k->gridX, sizeof s->grid);
    memcpy(s->block, &k->blockX, sizeof s->block);
    s->registers = k->registersPerThread;
    s->shared_static = (uint32_t)k->staticSharedMemory;
    s->shared_dynamic = (uint32_t)k->dynamicSharedMemory;
    PUT_GRAPH_NODE(c, s, k);
    if (c->version >= CU_VERSION_CHANNEL) s->channel = k->channelID;
}

static void on_memcpy(tt_cupti_records *c, tt_recorder *r, const cu_memcpy *m)
{
    learn_context(c, m->contextId, m->deviceId);
    uint32_t flags;
    if (!work_flags(c, r, m->start, m->end, &flags)) return;
    tt_spool_copy *s = tt_spool_add(&r->spool, TT_SPOOL_COPY, sizeof *s, m->correlationId);
    if (!s) return;
    PUT_WORK(s, m, flags);
    s->bytes = m->bytes;
    s->copy_kind = m->copyKind;
    s->src_kind = m->srcKind;
    s->dst_kind = m->dstKind;
    s->flags |= m->flags & 1 ? TT_SPOOL_WORK_ASYNC : 0;
    s->peer_from = s->peer_to = UINT32_MAX;
    PUT_GRAPH_NODE(c, s, m);
}

static void on_memcpy_peer(tt_cupti_records *c, tt_recorder *r, const cu_memcpy_peer *m)
{
    uint32_t flags;
    if (!work_flags(c, r, m->start, m->end, &flags)) return;
    tt_spool_copy *s = tt_spool_add(&r->spool, TT_SPOOL_COPY, sizeof *s, m->correlationId);
    if (!s) return;
    PUT_WORK(s, m, flags);
    s->bytes = m->bytes;
    s->copy_kind = m->copyKind;
    s->src_kind = m->srcKind;
    s->dst_kind = m->dstKind;
    s->peer_from = m->srcDeviceId;
    s->peer_to = m->dstDeviceId;
    PUT_GRAPH_NODE(c, s, m);
}

static void on_memset(tt_cupti_records *c, tt_recorder *r, const cu_memset *m)
{
    learn_context(c, m->contextId, m->deviceId);
    uint32_t flags;
    if (!work_flags(c, r, m->start, m->end, &flags)) return;
    tt_spool_copy *s = tt_spool_add(&r->spool, TT_SPOOL_SET, sizeof *s, m->correlationId);
    if (!s) return;
    PUT_WORK(s, m, flags);
    s->bytes = m->bytes;
    s->value = m->value;
    s->dst_kind = (uint8_t)m->memoryKind;
    s->peer_from = s->peer_to = UINT32_MAX;
    PUT_GRAPH_NODE(c, s, m);
}

static void on_api(tt_cupti_records *c, tt_recorder *r, const cu_api *a)
{
    bool driver = a->kind == CU_KIND_DRIVER, internal = a->kind == CU_KIND_INTERNAL_LAUNCH_API;
    size_t n_noisy, n_launches;
    const uint32_t *noisy = tt_cupti_noisy(&n_noisy), *launches = tt_cupti_driver_launches(&n_launches);
    if (a->threadId == c->self || !of_our_clock(c, r, a->start, a->end)) return;
    if (!driver && !internal && !c->noisy && is_in(noisy, n_noisy, a->cbid)) return;
    if (driver && !c->all_driver && !is_in(launches, n_launches, a->cbid)) return;
    uint32_t name = internal ? put_name(r, "cudaLaunchKernel (internal)", 27)
                             : api_name(c, r, driver ? CU_DOMAIN_DRIVER : CU_DOMAIN_RUNTIME, a->cbid);
    if (a->start > c->called) {
        c->called = a->start;
        c->caller = a->threadId;
    }
    tt_spool_api *s = tt_spool_add(&r->spool, TT_SPOOL_API, sizeof *s, name);
    if (!s) return;
    s->start = (int64_t)a->start;
    s->end = (int64_t)a->end;
    s->tid = a->threadId;
    s->correlation = a->correlationId;
    s->cbid = a->cbid;
    s->kind = driver ? TT_SPOOL_API_DRIVER : internal ? TT_SPOOL_API_INTERNAL : TT_SPOOL_API_RUNTIME;
    s->status = (uint16_t)a->returnValue;
    uint32_t at = a->correlationId % TT_EXTERNALS;
    if (c->external[at].correlation == a->correlationId) s->external = c->external[at].id;
}

static void on_sync(tt_cupti_records *c, tt_recorder *r, const cu_sync *y)
{
    if (!of_our_clock(c, r, y->start, y->end)) return;
    tt_spool_sync *s = tt_spool_add(&r->spool, TT_SPOOL_SYNC, sizeof *s, y->correlationId);
    if (!s) return;
    s->start = (int64_t)y->start;
    s->end = (int64_t)y->end;
    s->kind = y->type;
    s->device = device_of(c, y->contextId);
    s->context = y->contextId;
    s->stream = y->streamId;
    s->event = y->cudaEventId;
    if (c->version >= CU_VERSION_EVENT_SYNC) s->recording = y->cudaEventSyncId;
}

static void on_event(const tt_cupti_records *c, tt_recorder *r, const cu_event *e)
{
    tt_spool_event *s = tt_spool_add(&r->spool, TT_SPOOL_EVENT, sizeof *s, e->correlationId);
    if (!s) return;
    s->device = device_of(c, e->contextId);
    s->context = e->contextId;
    s->stream = e->streamId;
    s->event = e->eventId;
    if (c->version < CU_VERSION_EVENT_SYNC) return;
    s->device = e->deviceId;
    s->ts = (int64_t)e->deviceTimestamp;
    s->recording = e->cudaEventSyncId;
}

static void on_overhead(tt_cupti_records *c, tt_recorder *r, cu_overhead *o)
{
    tt_spool_overhead *s = !of_our_clock(c, r, o->start, o->end)
                               ? NULL
                               : tt_spool_add(&r->spool, TT_SPOOL_OVERHEAD, sizeof *s, o->overheadKind);
    if (s) {
        s->start = (int64_t)o->start;
        s->end = (int64_t)o->end;
        if (o->objectKind == CU_OBJECT_THREAD) s->tid = o->objectId[1];
        if (c->version >= CU_VERSION_OVERHEAD_CORR) s->correlation = o->correlationId;
    }
    if (c->version >= CU_VERSION_OVERHEAD_DATA) free(o->overheadData);
}

/* Remember the state of a memory pool. A pool takes memory from the device in large pieces and keeps some of it for
 * later. */
static void learn_pool(tt_cupti_records *c, uint64_t address, uint32_t device, uint64_t size, uint64_t used)
{
    size_t place = TT_POOLS;
    for (size_t i = TT_POOLS; i-- > 0;) {
        if (c->pool[i].address == address) {
            place = i;
            break;
        }
        if (!c->pool[i].address) place = i;
    }
    if (place == TT_POOLS) return; /* too many pools: the memory held by further ones is not counted */
    c->pool[place].address = size ? address : 0;
    c->pool[place].device = device;
    c->pool[place].size = (int64_t)size;
    c->pool[place].used = (int64_t)used;
}

static int64_t kept_in_pools(const tt_cupti_records *c, uint32_t device)
{
    int64_t kept = 0;
    for (size_t i = 0; i < TT_POOLS; i++) {
        if (c->pool[i].address && c->pool[i].device == device && c->pool[i].size > c->pool[i].used)
            kept += c->pool[i].size - c->pool[i].used;
    }
    return kept;
}

static void on_memory(tt_cupti_records *c, tt_recorder *r, const cu_memory *m)
{
    bool device = m->memoryKind == CU_MEMORY_DEVICE, pooled = m->isAsync && m->poolType == CU_POOL_LOCAL;
    bool release = m->memoryOperationType == CU_MEMORY_RELEASE;
    if (!of_our_clock(c, r, m->timestamp, 0)) return;
    int64_t bytes = release ? -(int64_t)m->bytes : (int64_t)m->bytes;
    uint64_t used = pooled && c->version >= CU_VERSION_POOL_USED ? m->poolUsed : 0;
    uint32_t at = device && m->deviceId < TT_DEVICES ? m->deviceId : TT_DEVICES;
    c->allocated[at] += bytes;
    if (pooled && c->version >= CU_VERSION_POOL_USED) learn_pool(c, m->poolAddress, m->deviceId, m->poolSize, used);
    tt_spool_memory *s = tt_spool_add(&r->spool, TT_SPOOL_MEMORY, sizeof *s, 0);
    if (!s) return;
    s->ts = (int64_t)m->timestamp;
    s->addr = m->address;
    s->bytes = bytes;
    s->allocated = c->allocated[at];
    s->held = c->allocated[at] + (device ? kept_in_pools(c, m->deviceId) : 0);
    s->device = device ? m->deviceId : UINT32_MAX;
    s->tid = r->pid;
    s->correlation = m->correlationId;
    s->kind = m->memoryKind;
    if (!pooled) return;
    s->pool = m->poolAddress;
    s->pool_size = m->poolSize;
    s->pool_used = used;
}

static void on_pool(tt_cupti_records *c, tt_recorder *r, const cu_pool *p)
{
    bool over = p->memoryPoolOperationType == TT_SPOOL_POOL_DESTROYED;
    uint64_t used = c->version >= CU_VERSION_POOL_USED ? p->utilizedSize : 0;
    if (p->memoryPoolType == CU_POOL_LOCAL && (over || c->version >= CU_VERSION_POOL_USED))
        learn_pool(c, p->address, p->deviceId, over ? 0 : p->size, used);
    tt_spool_pool *s = tt_spool_add(&r->spool, TT_SPOOL_POOL, sizeof *s, p->memoryPoolOperationType);
    if (!s) return;
    s->ts = (int64_t)p->timestamp;
    s->addr = p->address;
    s->size = p->size;
    s->used = used;
    s->threshold = p->releaseThreshold;
    s->keep = p->minBytesToKeep;
    s->device = p->deviceId;
    s->correlation = p->correlationId;
    s->tid = r->pid;
    s->imported = p->memoryPoolType != CU_POOL_LOCAL;
}

/* Write the version of the runtime once CUDA is initialised; when the recorder is loaded it may not be. */
static void ask_runtime(tt_cupti_records *c, tt_recorder *r)
{
    char text[16];
    if (c->self) return;
    c->self = (uint32_t)syscall(SYS_gettid);
    snprintf(text, sizeof text, "%d", tt_cuda_runtime_version());
    if (strcmp(text, "0")) tt_write_meta(r, "cuda_runtime_version", text);
}

static void on_device(tt_cupti_records *c, tt_recorder *r, cu_device *d)
{
    ask_runtime(c, r);
    bool part = c->version >= CU_VERSION_MIG && d->isMigEnabled;
    tt_nvml_device(d->id, part ? d->migUuid : d->uuid, part);
    const char *text = d->name ? d->name : "GPU";
    uint32_t name = put_name(r, text, strlen(text));
    tt_spool_device *s = tt_spool_add(&r->spool, TT_SPOOL_DEVICE, sizeof *s, name);
    if (s) {
        s->memory_bytes = d->globalMemorySize;
        s->id = d->id;
        s->major = d->computeCapabilityMajor;
        s->minor = d->computeCapabilityMinor;
        s->sms = d->numMultiprocessors;
        s->warp_size = d->numThreadsPerWarp;
        s->threads_per_block = d->maxThreadsPerBlock;
        s->warps_per_sm = d->maxWarpsPerMultiprocessor;
        s->blocks_per_sm = d->maxBlocksPerMultiprocessor;
        s->regs_per_block = d->maxRegistersPerBlock;
        s->regs_per_sm = d->maxRegistersPerMultiprocessor;
        s->shared_per_block = d->maxSharedMemoryPerBlock;
        s->shared_per_sm = d->maxSharedMemoryPerMultiprocessor;
        s->shared_optin = tt_cuda_shared_optin(d->id);
    }
    if (c->version >= CU_VERSION_OWN_NAME) free(d->name);
}

static void on_context(tt_cupti_records *c, tt_recorder *r, const cu_context *x)
{
    learn_context(c, x->contextId, x->deviceId);
    tt_spool_context *s = tt_spool_add(&r->spool, TT_SPOOL_CONTEXT, sizeof *s, x->contextId);
    if (s) s->device = x->deviceId;
}

static void on_graph(tt_cupti_records *c, tt_recorder *r, const cu_graph *g)
{
    learn_context(c, g->contextId, g->deviceId);
    uint32_t flags;
    if (!work_flags(c, r, g->start, g->end, &flags)) return;
    tt_spool_graph *s = tt_spool_add(&r->spool, TT_SPOOL_GRAPH, sizeof *s, g->correlationId);
    if (!s) return;
    PUT_WORK(s, g, flags);
    s->graph = g->graphId;
}

static void on_unified(tt_cupti_records *c, tt_recorder *r, const cu_unified *u)
{
    bool moment = u->counterKind == TT_SPOOL_UM_CPU_FAULT || u->counterKind == TT_SPOOL_UM_THRASHING ||
                  u->counterKind == TT_SPOOL_UM_REMOTE_MAP;
    if (!has_times(c, r, u->start, moment ? u->start : u->end)) return;
    tt_spool_unified *s = tt_spool_add(&r->spool, TT_SPOOL_UNIFIED, sizeof *s, u->counterKind);
    if (!s) return;
    s->start = (int64_t)u->start;
    s->end = (int64_t)(moment ? u->start : u->end);
    s->value = u->value;
    s->address = u->address;
    s->src = u->srcId;
    s->dst = u->dstId;
    s->flags = u->flags;
}

static void put_sample(tt_recorder *r, const cu_environment *e, const char *counter, const char *line, double value)
{
    tt_write_sample(r, (int64_t)e->timestamp, counter, line, (int)e->deviceId, value);
}

/* Write clocks, temperature, power and fan as counters. NVML may record the same quantities: names give the source. */
static void on_environment(tt_cupti_records *c, tt_recorder *r, const cu_environment *e)
{
    if (!has_times(c, r, e->timestamp, e->timestamp)) return;
    switch (e->environmentKind) {
    case CU_ENVIRONMENT_SPEED:
        put_sample(r, e, "GPU clocks MHz (CUPTI)", "SM", e->data.speed.smClock);
        put_sample(r, e, "GPU clocks MHz (CUPTI)", "memory", e->data.speed.memoryClock);
        put_sample(r, e, "PCIe link (CUPTI)", "generation", e->data.speed.pcieLinkGen);
        put_sample(r, e, "PCIe link (CUPTI)", "lanes", e->data.speed.pcieLinkWidth);
#define X(id, bit, text)                                                                                               \
    put_sample(r, e, "GPU clocks held back (CUPTI)", text, (e->data.speed.clocksThrottleReasons & (bit)) != 0);
        CU_THROTTLES(X)
#undef X
        break;
    case CU_ENVIRONMENT_TEMPERATURE:
        put_sample(r, e, "GPU temperature C (CUPTI)", "GPU", e->data.temperature.gpuTemperature);
        break;
    case CU_ENVIRONMENT_POWER:
        put_sample(r, e, "GPU power W (CUPTI)", "draw", e->data.power.power / 1000.0);
        put_sample(r, e, "GPU power W (CUPTI)", "limit", e->data.power.powerLimit / 1000.0);
        break;
    case CU_ENVIRONMENT_COOLING: put_sample(r, e, "GPU fan % (CUPTI)", "speed", e->data.cooling.fanSpeed); break;
    default: tt_drop(r, TT_SPOOL_DROP_RECORDS, 1);
    }
}

bool tt_cupti_work_of(const void *record, tt_cupti_work_facts *out)
{
    uint32_t kind;
    memcpy(&kind, record, sizeof kind);
#define FACTS(type)                                                                                                    \
    (*out = (tt_cupti_work_facts){((const type *)record)->start, ((const type *)record)->end,                          \
                                  ((const type *)record)->correlationId},                                              \
     true)
    switch (kind) {
    case CU_KIND_CONCURRENT_KERNEL: return FACTS(cu_kernel);
    case CU_KIND_MEMCPY: return FACTS(cu_memcpy);
    case CU_KIND_MEMCPY2: return FACTS(cu_memcpy_peer);
    case CU_KIND_MEMSET: return FACTS(cu_memset);
    case CU_KIND_GRAPH_TRACE: return FACTS(cu_graph);
    default: return false;
    }
#undef FACTS
}

/* Recognise and count the call that cupti_watch.c makes. */
static bool is_own_call(tt_cupti_records *c, const cu_api *a)
{
    bool own = a->cbid == CU_CBID_DRIVER_VERSION &&
               (a->threadId == atomic_load(&c->own_threads[0]) || a->threadId == atomic_load(&c->own_threads[1]));
    if (own) atomic_fetch_add(&c->own_calls, 1);
    return own;
}

static bool translate(tt_cupti_records *c, tt_recorder *r, uint32_t kind, void *record)
{
    switch (kind) {
    case CU_KIND_CONCURRENT_KERNEL: on_kernel(c, r, record); return true;
    case CU_KIND_MEMCPY: on_memcpy(c, r, record); return true;
    case CU_KIND_MEMCPY2: on_memcpy_peer(c, r, record); return true;
    case CU_KIND_MEMSET: on_memset(c, r, record); return true;
    case CU_KIND_RUNTIME:
    case CU_KIND_DRIVER:
    case CU_KIND_INTERNAL_LAUNCH_API: on_api(c, r, record); return true;
    case CU_KIND_SYNCHRONIZATION: on_sync(c, r, record); return true;
    case CU_KIND_OVERHEAD: on_overhead(c, r, record); return true;
    case CU_KIND_MEMORY2: on_memory(c, r, record); return true;
    case CU_KIND_MEMORY_POOL: on_pool(c, r, record); return true;
    case CU_KIND_CUDA_EVENT: on_event(c, r, record); return true;
    case CU_KIND_DEVICE: on_device(c, r, record); return true;
    case CU_KIND_CONTEXT: on_context(c, r, record); return true;
    case CU_KIND_GRAPH_TRACE: on_graph(c, r, record); return true;
    case CU_KIND_UNIFIED_MEMORY_COUNTER: on_unified(c, r, record); return true;
    case CU_KIND_ENVIRONMENT: on_environment(c, r, record); return true;
    case CU_KIND_STREAM: return true; /* a stream's record holds nothing but its number */
    case CU_KIND_EXTERNAL_CORRELATION: {
        const cu_external *e = record;
        c->external[e->correlationId % TT_EXTERNALS].correlation = e->correlationId;
        c->external[e->correlationId % TT_EXTERNALS].id = e->externalId;
        return true;
    }
    default: return false;
    }
}

bool tt_cupti_record(tt_cupti_records *c, tt_recorder *r, void *record)
{
    uint32_t kind;
    uint64_t foreign = c->foreign;
    memcpy(&kind, record, sizeof kind);
    if (kind == CU_KIND_DRIVER && is_own_call(c, record)) return true;
    bool known = translate(c, r, kind, record);
    c->seen += kind != CU_KIND_DEVICE && kind != CU_KIND_CONTEXT && c->foreign == foreign;
    return known;
}
