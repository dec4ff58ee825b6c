/* The JSON text of an event, made from its record, and of facts about the whole: see spool.h. Keys and categories
 * are those of Kineto's traces. */
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/bisect.h"
#include "parser/recording/reader_internal.h"

typedef struct text_source {
    tt_text_source base;
    tt_text_source *raw;
    tt_spool_facts f;
} text_source;

typedef TT_VEC(char) text;

/* ---- JSON ---- */

static void put(text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void put(text *t, const char *fmt, ...)
{
    va_list ap;
    tt_vec_reserve(t, t->n + 512);
    va_start(ap, fmt);
    int n = vsnprintf(t->at + t->n, t->cap - t->n, fmt, ap);
    va_end(ap);
    if (n > 0) t->n += (size_t)n < t->cap - t->n ? (size_t)n : t->cap - t->n - 1;
}

/* A character that may change what a terminal does or how text is read (see model/base/text_safety.h); its code
 * point, and its bytes in *n. */
static unsigned control(const unsigned char *p, size_t *n)
{
    *n = 2;
    if (p[0] == 0xC0) return 0; /* the two bytes that stand for a NUL: see jsonstr.h */
    if (p[0] == 0xC2 && p[1] < 0xA0) return p[1];
    if (p[0] == 0xD8 && p[1] == 0x9C) return 0x061C;
    *n = 3;
    unsigned c = p[0] == 0xE2 && (p[1] & 0xFE) == 0x80 ? 0x2000u + (p[1] & 1u) * 64 + (p[2] & 63u) : 0;
    if (c == 0x200E || c == 0x200F || (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069)) return c;
    *n = 1;
    return p[0] < 0x20 || p[0] == 0x7F ? p[0] : UINT_MAX;
}

/* s: UTF-8, as the reader of the file has made it. */
static void put_string(text *t, const char *s)
{
    size_t used;
    tt_vec_reserve(t, t->n + 6 * strlen(s) + 3);
    t->at[t->n++] = '"';
    for (; *s; s += used) {
        unsigned c = control((const unsigned char *)s, &used);
        if (c != UINT_MAX) {
            t->n += (size_t)snprintf(t->at + t->n, 7, "\\u%04x", c);
            continue;
        }
        if (*s == '"' || *s == '\\') t->at[t->n++] = '\\';
        t->at[t->n++] = *s;
    }
    t->at[t->n++] = '"';
}

static void put_us(text *t, const char *key, int64_t ns, const char *sep)
{
    uint64_t u = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;
    put(t, "%s\"%s\": %s%" PRIu64 ".%03u", sep, key, ns < 0 ? "-" : "", u / 1000, (unsigned)(u % 1000));
}

/* {"ph": "X", "cat": ..., "name": ..., "pid": ..., "tid": ..., "ts": ..., "dur": ..., "args": { */
static void begin(text *t, char phase, const char *cat, const char *name)
{
    put(t, "{\"ph\": \"%c\", \"cat\": \"%s\", \"name\": ", phase, cat);
    put_string(t, name);
}

static void slice(const text_source *s, text *t, int64_t start, int64_t end)
{
    put_us(t, "ts", start - s->f.base, ", ");
    put_us(t, "dur", end < start ? 0 : end - start, ", ");
    put(t, ", \"args\": {");
}

static void own_pid(const text_source *s, text *t)
{
    const char *quote = strcmp(s->f.pid, TT_SPOOL_NO_PID) ? "" : "\"";
    put(t, ", \"pid\": %s%s%s", quote, s->f.pid, quote);
}

static void on_thread(const text_source *s, text *t, uint32_t tid)
{
    own_pid(s, t);
    put(t, ", \"tid\": %" PRIu32, tid);
}

static void on_stream(text *t, uint32_t device, uint32_t stream)
{
    put(t, ", \"pid\": %" PRIu32 ", \"tid\": %" PRId64, device, tt_spool_stream(stream));
}

static void place_args(text *t, uint32_t device, uint32_t context, uint32_t stream, uint32_t correlation)
{
    put(t, "\"device\": %" PRIu32 ", \"context\": %" PRIu32 ", \"stream\": %" PRId64 ", \"correlation\": %" PRIu32,
        device, context, tt_spool_stream(stream), correlation);
}

static void graph_args(text *t, uint32_t graph, uint64_t node)
{
    if (graph) put(t, ", \"graph id\": %" PRIu32, graph);
    if (node) put(t, ", \"graph node id\": %" PRIu64, node);
}

static uint64_t launcher_of(const text_source *s, uint32_t correlation)
{
    size_t lo = 0, hi = s->f.launchers.n;
    TT_BISECT(lo, hi, i, s->f.launchers.at[i].correlation < correlation);
    return lo < s->f.launchers.n && s->f.launchers.at[lo].correlation == correlation ? s->f.launchers.at[lo].external
                                                                                     : 0;
}

/* Work has the id of the range that its call was made in. */
static void external_arg(const text_source *s, text *t, uint32_t correlation)
{
    uint64_t id = launcher_of(s, correlation);
    if (id) put(t, "\"External id\": %" PRIu64 ", ", id);
}

static void put_range(const text_source *s, text *t, const tt_spool_range *r, uint64_t offset)
{
    begin(t, 'X', tt_spool_category(r->cat), tt_spool_string(&s->f, r->h.a));
    on_thread(s, t, r->tid);
    slice(s, t, r->start, r->h.type == TT_SPOOL_OPEN ? s->f.end : r->end);
    put(t, "\"External id\": %" PRIu64 ", \"Record function id\": 0, \"Ev Idx\": %" PRIu64,
        r->external ? r->external : tt_spool_external(offset), offset / 8);
    if (r->seq) {
        uint32_t forward = tt_spool_forward_thread(&s->f, r->seq);
        put(t, ", \"Sequence number\": %" PRIu32, r->seq - 1);
        if (forward && forward != r->tid) put(t, ", \"Fwd thread id\": %" PRIu32, forward);
    }
    const char *shapes = tt_spool_string(&s->f, r->shapes);
    if (*shapes == '[') {
        tt_vec_reserve(t, t->n + strlen(shapes) + 64);
        t->n += (size_t)snprintf(t->at + t->n, strlen(shapes) + 64, ", \"Input Dims\": %s", shapes);
    }
    if (r->flags & TT_SPOOL_ASYNC) put(t, ", \"start/end pair\": true");
    if (r->flags & TT_SPOOL_FORCED) put(t, ", \"end was lost\": true");
    put(t, "}}");
}

static void put_api(const text_source *s, text *t, const tt_spool_api *a)
{
    begin(t, 'X', a->kind == TT_SPOOL_API_DRIVER ? "cuda_driver" : "cuda_runtime", tt_spool_string(&s->f, a->h.a));
    on_thread(s, t, a->tid);
    slice(s, t, a->start, a->end);
    external_arg(s, t, a->correlation);
    put(t, "\"cbid\": %" PRIu32 ", \"correlation\": %" PRIu32, a->cbid, a->correlation);
    if (a->status) put(t, ", \"status\": %u", a->status);
    put(t, "}}");
}

static void put_number(text *t, const char *key, double v)
{
    if (v == v) put(t, ", \"%s\": %.4f", key, v);
}

static void put_kernel(const text_source *s, text *t, const tt_spool_kernel *k)
{
    tt_spool_launch l = tt_spool_launch_of(&s->f, k);
    begin(t, 'X', "kernel", tt_spool_kernel_name(&s->f, k->h.a));
    on_stream(t, k->device, k->stream);
    slice(s, t, k->start, k->end);
    external_arg(s, t, k->correlation);
    if (k->queued) {
        put_us(t, "queued", k->queued - s->f.base, "");
        put_us(t, "queued to start (us)", k->start - k->queued, ", ");
    } else {
        put(t, "\"queued\": 0");
    }
    if (tt_spool_submitted(k)) {
        put_us(t, "submitted", tt_spool_submitted(k) - s->f.base, ", ");
        put_us(t, "submitted to start (us)", k->start - tt_spool_submitted(k), ", ");
    }
    put(t, ", ");
    place_args(t, k->device, k->context, k->stream, k->correlation);
    put(t, ", \"registers per thread\": %" PRIu32 ", \"shared memory\": %" PRIu64, k->registers,
        (uint64_t)k->shared_static + k->shared_dynamic);
    put_number(t, "blocks per SM", l.blocks_per_sm);
    put_number(t, "warps per SM", l.warps_per_sm);
    put(t, ", \"grid\": [%" PRId32 ", %" PRId32 ", %" PRId32 "], \"block\": [%" PRId32 ", %" PRId32 ", %" PRId32 "]",
        k->grid[0], k->grid[1], k->grid[2], k->block[0], k->block[1], k->block[2]);
    put_number(t, "est. achieved occupancy %", l.occupancy_pct);
    graph_args(t, k->graph, k->graph_node);
    if (k->channel) put(t, ", \"channel\": %" PRIu32, k->channel);
    tt_spool_coll c = tt_spool_coll_of(tt_spool_kernel_name(&s->f, k->h.a));
    if (*c.name) put(t, ", \"Collective name\": \"%s\"", c.name);
    if (*c.dtype) put(t, ", \"dtype\": \"%s\"", c.dtype);
    put(t, "}}");
}

static void put_copy(const text_source *s, text *t, const tt_spool_copy *c)
{
    char name[96];
    bool set = c->h.type == TT_SPOOL_SET;
    if (set) {
        begin(t, 'X', "gpu_memset", tt_spool_set_name(c, name, sizeof name));
    } else {
        begin(t, 'X', "gpu_memcpy", tt_spool_copy_name(c, name, sizeof name));
    }
    on_stream(t, c->device, c->stream);
    slice(s, t, c->start, c->end);
    external_arg(s, t, c->h.a);
    place_args(t, c->device, c->context, c->stream, c->h.a);
    put(t, ", \"bytes\": %" PRIu64, c->bytes);
    if (set) put(t, ", \"value\": %" PRIu32, c->value);
    if (c->peer_from != UINT32_MAX && !set) {
        put(t, ", \"fromDevice\": %" PRIu32 ", \"inDevice\": %" PRIu32 ", \"toDevice\": %" PRIu32, c->peer_from,
            c->device, c->peer_to);
    }
    if (c->end > c->start) put_number(t, "memory bandwidth (GB/s)", (double)c->bytes / (double)(c->end - c->start));
    graph_args(t, c->graph, c->graph_node);
    put(t, "}}");
}

static void put_sync(const text_source *s, text *t, const tt_spool_sync *y)
{
    begin(t, 'X', "cuda_sync", tt_spool_sync_name(y->kind));
    on_stream(t, y->device, y->stream);
    slice(s, t, y->start, y->end);
    external_arg(s, t, y->h.a);
    put(t, "\"cuda_sync_kind\": \"%s\", ", tt_spool_sync_name(y->kind));
    place_args(t, y->device, y->context, y->stream, y->h.a);
    if (y->kind == 1 || y->kind == 2) {
        const tt_spool_event *e = tt_spool_waited_for(&s->f, y);
        put(t,
            ", \"wait_on_stream\": %" PRId64 ", \"wait_on_cuda_event_record_corr_id\": %" PRId64
            ", \"wait_on_cuda_event_id\": %" PRIu32,
            e ? tt_spool_stream(e->stream) : -1, e ? (int64_t)e->h.a : -1, y->event);
    }
    put(t, "}}");
}

static void put_event(const text_source *s, text *t, const tt_spool_event *e)
{
    begin(t, 'X', "cuda_event", TT_SPOOL_EVENT_NAME);
    on_stream(t, e->device, e->stream);
    slice(s, t, e->ts, e->ts);
    place_args(t, e->device, e->context, e->stream, e->h.a);
    put(t, ", \"event_id\": %" PRIu32 ", \"cuda_sync_id\": %" PRIu64 "}}", e->event, e->recording);
}

static void put_shade(const text_source *s, text *t, const tt_spool_gpu_range *h)
{
    begin(t, 'X', "gpu_user_annotation", tt_str(&s->f.text, h->name));
    on_stream(t, h->device, h->stream);
    slice(s, t, h->start, h->end);
    if (h->external) put(t, "\"External id\": %" PRIu64, h->external);
    put(t, "}}");
}

static void put_arrow(const text_source *s, text *t, const tt_spool_forward *f, bool end)
{
    begin(t, end ? 'f' : 's', TT_SPOOL_ARROW_NAME, TT_SPOOL_ARROW_NAME);
    put(t, ", \"id\": %" PRIu32, f->seq);
    on_thread(s, t, end ? f->to : f->tid);
    put_us(t, "ts", (end ? f->backward : f->start) - s->f.base, ", ");
    put(t, end ? ", \"bp\": \"e\"}" : "}");
}

static void put_graph(const text_source *s, text *t, const tt_spool_graph *g)
{
    char name[40];
    begin(t, 'X', "kernel", tt_spool_graph_name(g->graph, name, sizeof name));
    on_stream(t, g->device, g->stream);
    slice(s, t, g->start, g->end);
    external_arg(s, t, g->h.a);
    place_args(t, g->device, g->context, g->stream, g->h.a);
    graph_args(t, g->graph, 0);
    put(t, "}}");
}

static void put_overhead(const text_source *s, text *t, const tt_spool_overhead *o)
{
    begin(t, 'X', "overhead", tt_spool_overhead_name(o->h.a));
    put(t, ", \"pid\": -1, \"tid\": 0");
    slice(s, t, o->start, o->end);
    if (o->tid) put(t, "\"thread\": %" PRIu32, o->tid);
    if (o->correlation) put(t, "%s\"correlation of the call\": %" PRIu32, o->tid ? ", " : "", o->correlation);
    put(t, "}}");
}

static void put_memory(const text_source *s, text *t, const tt_spool_memory *m)
{
    bool host = m->device == UINT32_MAX;
    begin(t, 'i', "cpu_instant_event", "[memory]");
    on_thread(s, t, m->tid);
    put_us(t, "ts", m->ts - s->f.base, ", ");
    put(t,
        ", \"s\": \"t\", \"args\": {\"Addr\": %" PRIu64 ", \"Bytes\": %" PRId64
        ", \"Device Type\": %d, \"Device Id\": %d, \"Total Allocated\": %" PRId64,
        m->addr, m->bytes, host ? 0 : 1, host ? -1 : (int)m->device, m->allocated);
    if (!host) put(t, ", \"Total Reserved\": %" PRId64, m->held);
    if (m->correlation) put(t, ", \"correlation\": %" PRIu32, m->correlation);
    if (m->pool) {
        put(t, ", \"pool\": %" PRIu64 ", \"pool bytes\": %" PRIu64 ", \"pool bytes used\": %" PRIu64, m->pool,
            m->pool_size, m->pool_used);
    }
    put(t, "}}");
}

static void put_pool(const text_source *s, text *t, const tt_spool_pool *p)
{
    begin(t, 'i', "memory_pool", tt_spool_pool_name(p->h.a));
    on_thread(s, t, p->tid);
    put_us(t, "ts", p->ts - s->f.base, ", ");
    put(t,
        ", \"s\": \"t\", \"args\": {\"device\": %" PRIu32 ", \"pool\": %" PRIu64 ", \"pool bytes\": %" PRIu64
        ", \"pool bytes used\": %" PRIu64 ", \"release threshold\": %" PRIu64,
        p->device, p->addr, p->size, p->used, p->threshold);
    if (p->h.a == TT_SPOOL_POOL_TRIMMED) put(t, ", \"bytes to keep\": %" PRIu64, p->keep);
    if (p->imported) put(t, ", \"imported\": true");
    if (p->correlation) put(t, ", \"correlation\": %" PRIu32, p->correlation);
    put(t, "}}");
}

/* Why memory moved, or how it was accessed, by CUPTI's numbers. */
static const char *unified_cause(const tt_spool_unified *u)
{
    static const char *const moved[] = {NULL, "user", "coherence", "prefetch", "eviction", "access counters"};
    static const char *const access[] = {NULL, "read", "write", "atomic", "prefetch"};
    static const char *const mapped[] = {NULL, "coherence", "thrashing", "policy", "out of memory", "eviction"};
    switch (u->h.a) {
    case TT_SPOOL_UM_HTOD:
    case TT_SPOOL_UM_DTOH:
    case TT_SPOOL_UM_DTOD: return u->flags < sizeof moved / sizeof *moved ? moved[u->flags] : NULL;
    case TT_SPOOL_UM_CPU_FAULT:
    case TT_SPOOL_UM_GPU_FAULT: return u->flags < sizeof access / sizeof *access ? access[u->flags] : NULL;
    case TT_SPOOL_UM_REMOTE_MAP: return u->flags < sizeof mapped / sizeof *mapped ? mapped[u->flags] : NULL;
    default: return NULL;
    }
}

static void put_unified(const text_source *s, text *t, const tt_spool_unified *u)
{
    int64_t device = tt_spool_unified_device(u);
    bool moment = tt_spool_unified_is_moment(u), fault = u->h.a == TT_SPOOL_UM_GPU_FAULT;
    const char *cause = unified_cause(u);
    begin(t, moment ? 'i' : 'X', "unified_memory", tt_spool_unified_name(u->h.a));
    if (device < 0) own_pid(s, t);
    if (device >= 0) put(t, ", \"pid\": %" PRId64, device);
    put(t, ", \"tid\": %" PRId64, TT_SPOOL_UNIFIED_ROW + u->h.a);
    if (moment) {
        put_us(t, "ts", u->start - s->f.base, ", ");
        put(t, ", \"s\": \"t\", \"args\": {");
    } else {
        slice(s, t, u->start, u->end);
    }
    put(t, "\"address\": %" PRIu64, u->address);
    if (u->h.a == TT_SPOOL_UM_CPU_FAULT) {
        put(t, ", \"program counter\": %" PRIu64, u->value);
    } else if (u->h.a != TT_SPOOL_UM_THROTTLING) {
        put(t, ", \"%s\": %" PRIu64, fault ? "faults" : "bytes", u->value);
    }
    if (u->h.a == TT_SPOOL_UM_DTOD) put(t, ", \"fromDevice\": %" PRIu32 ", \"toDevice\": %" PRIu32, u->src, u->dst);
    if (u->h.a == TT_SPOOL_UM_THRASHING) put(t, ", \"devices, a bit each\": %" PRIu32, u->src);
    if (cause) put(t, ", \"%s\": \"%s\"", fault || u->h.a == TT_SPOOL_UM_CPU_FAULT ? "access" : "cause", cause);
    if (!moment && !fault && u->end > u->start && u->value)
        put_number(t, "memory bandwidth (GB/s)", (double)u->value / (double)(u->end - u->start));
    put(t, "}}");
}

static void put_mark(const text_source *s, text *t, const tt_spool_mark *m)
{
    begin(t, 'i', tt_spool_category(m->cat), tt_spool_string(&s->f, m->h.a));
    on_thread(s, t, m->tid);
    put_us(t, "ts", m->ts - s->f.base, ", ");
    put(t, ", \"s\": \"t\", \"args\": {}}");
}

static void put_counter(const text_source *s, text *t, const tt_spool_counter *c)
{
    put(t, "{\"ph\": \"C\", \"name\": ");
    put_string(t, tt_spool_string(&s->f, c->h.a));
    if (c->device < 0) {
        own_pid(s, t);
    } else {
        put(t, ", \"pid\": %" PRId32, c->device);
    }
    put_us(t, "ts", c->ts - s->f.base, ", ");
    put(t, ", \"args\": {");
    put_string(t, tt_spool_string(&s->f, c->key));
    put(t, ": %.17g}}", c->value);
}

static void put_record(const text_source *s, text *t, const tt_spool_rec *r, uint64_t offset)
{
    const void *p = r;
    switch (r->type) {
    case TT_SPOOL_RANGE:
    case TT_SPOOL_OPEN: put_range(s, t, p, offset); break;
    case TT_SPOOL_MARK: put_mark(s, t, p); break;
    case TT_SPOOL_COUNTER: put_counter(s, t, p); break;
    case TT_SPOOL_API: put_api(s, t, p); break;
    case TT_SPOOL_KERNEL: put_kernel(s, t, p); break;
    case TT_SPOOL_COPY:
    case TT_SPOOL_SET: put_copy(s, t, p); break;
    case TT_SPOOL_SYNC: put_sync(s, t, p); break;
    case TT_SPOOL_OVERHEAD: put_overhead(s, t, p); break;
    case TT_SPOOL_MEMORY: put_memory(s, t, p); break;
    case TT_SPOOL_GRAPH: put_graph(s, t, p); break;
    case TT_SPOOL_EVENT: put_event(s, t, p); break;
    case TT_SPOOL_POOL: put_pool(s, t, p); break;
    case TT_SPOOL_UNIFIED: put_unified(s, t, p); break;
    default: break;
    }
}

/* ---- facts about the whole ---- */

char *tt_spool_devices_json(const tt_spool_facts *f)
{
    text t = {0};
    for (size_t i = 0; i < f->devices.n; i++) {
        const tt_spool_device *d = &f->devices.at[i];
        char name[256];
        size_t n = 0;
        for (const char *p = tt_spool_string(f, d->h.a); *p && n + 5 < sizeof name; p++) {
            if (*p != '"' && *p != '\\' && (unsigned char)*p >= 0x20) name[n++] = *p;
            while (n + 2 < sizeof name && (p[1] & 0xC0) == 0x80) name[n++] = *++p; /* whole characters */
        }
        name[n] = 0;
        put(&t,
            "%s{\"id\": %" PRIu32 ", \"name\": \"%s\", \"totalGlobalMem\": %" PRIu64 ", \"computeMajor\": %" PRIu32
            ", \"computeMinor\": %" PRIu32,
            i ? ", " : "[", d->id, name, d->memory_bytes, d->major, d->minor);
        put(&t,
            ", \"maxThreadsPerBlock\": %" PRIu32 ", \"maxThreadsPerMultiprocessor\": %" PRIu64
            ", \"regsPerBlock\": %" PRIu32 ", \"warpSize\": %" PRIu32 ", \"sharedMemPerBlock\": %" PRIu32
            ", \"numSms\": %" PRIu32 ", \"regsPerMultiprocessor\": %" PRIu32,
            d->threads_per_block, (uint64_t)d->warps_per_sm * d->warp_size, d->regs_per_block, d->warp_size,
            d->shared_per_block, d->sms, d->regs_per_sm);
        if (d->shared_optin) put(&t, ", \"sharedMemPerBlockOptin\": %" PRIu32, d->shared_optin);
        put(&t, ", \"sharedMemPerMultiprocessor\": %" PRIu32 "}%s", d->shared_per_sm, i + 1 == f->devices.n ? "]" : "");
    }
    return t.at;
}

char *tt_spool_recording_json(const spool *s)
{
    static const char *const keys[] = {
#define X(id, key, meaning) key,
        TT_SPOOL_CAUSES(X)
#undef X
    };
    enum { WINDOWS_MOST = 1000 };
    text t = {0};
    const char *sep = "";
    put(&t, "{\"version\": \"%s\", \"clean_exit\": %s, \"drops\": {", s->version, s->ended ? "true" : "false");
    for (int i = 0; i < TT_SPOOL_DROP_COUNT_; i++) {
        if (!s->drops[i]) continue;
        put(&t, "%s\"%s\": %" PRIu64, sep, keys[i], s->drops[i]);
        sep = ", ";
    }
    put(&t, "}, \"windows\": [");
    for (size_t i = 0; i < s->windows.n && i < WINDOWS_MOST; i++) {
        const window *w = &s->windows.at[i];
        int64_t end = w->t1 < s->f.end ? w->t1 : s->f.end;
        put(&t, "%s[%.3f, %.3f]", i ? ", " : "", (double)(w->t0 - s->f.base) / 1e3, (double)(end - s->f.base) / 1e3);
    }
    put(&t, "], \"overhead_us\": %.3f}", (double)s->overhead / 1e3);
    return t.at;
}

/* ---- the source ---- */

/* A read at the place of a record gives its text, cut at cap. */
static int64_t read_text(tt_text_source *self, uint64_t offset, char *out, size_t cap)
{
    text_source *s = (text_source *)self;
    union {
        tt_spool_rec h;
        uint64_t align[64];
        char bytes[512];
    } r = {0}; /* a record that the file cuts off ends with zeros */
    text t = {0};
    int64_t n;
    if (offset >= TT_SPOOL_ARROW) {
        uint64_t at = (offset - TT_SPOOL_ARROW) / 2;
        if (at >= s->f.forwards.n) return 0;
        put_arrow(s, &t, &s->f.forwards.at[at], (offset - TT_SPOOL_ARROW) % 2);
    } else if (offset >= TT_SPOOL_GPU_RANGE) {
        if (offset - TT_SPOOL_GPU_RANGE >= s->f.shades.n) return 0;
        put_shade(s, &t, &s->f.shades.at[offset - TT_SPOOL_GPU_RANGE]);
    } else {
        n = s->raw->read(s->raw, offset, r.bytes, sizeof r.bytes);
        if (n < 0) return n;
        size_t least = n >= (int64_t)sizeof r.h ? tt_spool_least(r.h.type) : 0;
        if (!least || (size_t)n < least || r.h.size < least) return 0;
        put_record(s, &t, &r.h, offset);
    }
    if (t.n > cap) t.n = cap;
    n = (int64_t)t.n;
    if (n) memcpy(out, t.at, t.n);
    tt_vec_free(&t);
    return n;
}

static void close_text(tt_text_source *self)
{
    text_source *s = (text_source *)self;
    s->raw->close(s->raw);
    tt_spool_facts_free(&s->f);
    free(s);
}

tt_text_source *tt_spool_text_new(tt_text_source *raw, tt_spool_facts *facts)
{
    text_source *s = tt_malloc(sizeof *s);
    *s = (text_source){.base = {.read = read_text, .close = close_text, .single = true}, .raw = raw, .f = *facts};
    *facts = (tt_spool_facts){0};
    return &s->base;
}
