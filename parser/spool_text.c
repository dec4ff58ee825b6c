/* The JSON text of an event, made from its record: see spool.h. Keys and categories are those of Kineto's traces.          */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/search.h"
#include "parser/demangle.h"
#include "parser/spool.h"

typedef struct text_source {
    tt_text_source base;
    tt_text_source *raw;
    tt_spool_facts f;
} text_source;

typedef TT_VEC(char) text;

/* ---- records ---- */

size_t tt_spool_least(unsigned type)
{
    static const uint16_t least[TT_SPOOL_TYPES_] = {
        [TT_SPOOL_META] = sizeof(tt_spool_text),       [TT_SPOOL_STRING] = sizeof(tt_spool_text),
        [TT_SPOOL_RANGE] = sizeof(tt_spool_range),     [TT_SPOOL_OPEN] = sizeof(tt_spool_range),
        [TT_SPOOL_MARK] = sizeof(tt_spool_mark),       [TT_SPOOL_COUNTER] = sizeof(tt_spool_counter),
        [TT_SPOOL_THREAD] = sizeof(tt_spool_thread),   [TT_SPOOL_STEP] = sizeof(tt_spool_step),
        [TT_SPOOL_STATE] = sizeof(tt_spool_state),     [TT_SPOOL_CLOCK] = sizeof(tt_spool_clock),
        [TT_SPOOL_API] = sizeof(tt_spool_api),         [TT_SPOOL_KERNEL] = offsetof(tt_spool_kernel, submitted),
        [TT_SPOOL_COPY] = sizeof(tt_spool_copy),       [TT_SPOOL_SET] = sizeof(tt_spool_copy),
        [TT_SPOOL_SYNC] = sizeof(tt_spool_sync),       [TT_SPOOL_OVERHEAD] = sizeof(tt_spool_overhead),
        [TT_SPOOL_MEMORY] = sizeof(tt_spool_memory),   [TT_SPOOL_DEVICE] = sizeof(tt_spool_device),
        [TT_SPOOL_CONTEXT] = sizeof(tt_spool_context), [TT_SPOOL_GRAPH] = sizeof(tt_spool_graph),
        [TT_SPOOL_DROPS] = sizeof(tt_spool_drops),     [TT_SPOOL_END] = sizeof(tt_spool_end),
        [TT_SPOOL_EVENT] = sizeof(tt_spool_event),     [TT_SPOOL_POOL] = sizeof(tt_spool_pool),
        [TT_SPOOL_UNIFIED] = sizeof(tt_spool_unified)};
    return type < TT_SPOOL_TYPES_ ? least[type] : 0;
}

/* ---- names ---- */

void tt_spool_facts_free(tt_spool_facts *f)
{
    tt_strings_free(&f->text);
    tt_vec_free(&f->by_id);
    tt_vec_free(&f->demangled);
    tt_vec_free(&f->devices);
    tt_vec_free(&f->events);
    tt_vec_free(&f->shades);
    tt_vec_free(&f->launchers);
}

const char *tt_spool_string(const tt_spool_facts *f, uint32_t id)
{
    return id < f->by_id.n ? tt_str(&f->text, f->by_id.at[id]) : "";
}

const char *tt_spool_category(unsigned cat)
{
    static const char *const names[] = {
#define X(id, spelling) spelling,
        TT_SPOOL_CATEGORIES(X)
#undef X
    };
    return names[cat < TT_SPOOL_CAT_COUNT_ ? cat : TT_SPOOL_CAT_USER];
}

static const char *memory_kind(unsigned kind)
{
    static const char *const names[] = {"Unknown", "Pageable", "Pinned",        "Device",
                                        "Array",   "Managed",  "Device Static", "Managed Static"};
    return names[kind < sizeof names / sizeof *names ? kind : 0];
}

const char *tt_spool_copy_name(const tt_spool_copy *c, char *out, size_t cap)
{
    static const char *const names[] = {"Unknown", "HtoD", "DtoH", "HtoA", "AtoH", "AtoA",
                                        "AtoD",    "DtoA", "DtoD", "HtoH", "PtoP"};
    snprintf(out, cap, "Memcpy %s (%s -> %s)", names[c->copy_kind < sizeof names / sizeof *names ? c->copy_kind : 0],
             memory_kind(c->src_kind), memory_kind(c->dst_kind));
    return out;
}

const char *tt_spool_set_name(const tt_spool_copy *c, char *out, size_t cap)
{
    snprintf(out, cap, "Memset (%s)", memory_kind(c->dst_kind));
    return out;
}

const char *tt_spool_sync_name(uint32_t kind)
{
    static const char *const names[] = {"Unknown Sync", "Event Sync", "Stream Wait Event", "Stream Sync",
                                        "Context Sync"};
    return names[kind < sizeof names / sizeof *names ? kind : 0];
}

const char *tt_spool_overhead_name(uint32_t kind)
{
    static const char *const names[] = {"Unknown",
                                        "Activity Buffer Flush",
                                        "Instrumentation",
                                        "Resource",
                                        "Runtime Triggered Module Loading",
                                        "Lazy Function Loading",
                                        "Command Buffer Full",
                                        "Activity Buffer Request",
                                        "UVM Activity Init"};
    if (kind == 1) return "Driver Compiler";
    return names[!(kind & 0xFFFF) && kind >> 16 < sizeof names / sizeof *names ? kind >> 16 : 0];
}

const char *tt_spool_graph_name(uint32_t graph, char *out, size_t cap)
{
    snprintf(out, cap, "CUDA Graph %" PRIu32, graph);
    return out;
}

const char *tt_spool_pool_name(uint32_t operation)
{
    static const char *const names[] = {"Memory Pool", "Memory Pool Created", "Memory Pool Destroyed",
                                        "Memory Pool Trimmed"};
    return names[operation < sizeof names / sizeof *names ? operation : 0];
}

const char *tt_spool_unified_name(uint32_t what)
{
    static const char *const names[] = {
#define X(id, number, name, row) [number] = name,
        TT_SPOOL_UNIFIED_KINDS(X)
#undef X
    };
    return what && what < sizeof names / sizeof *names ? names[what] : "Unified Memory";
}

const char *tt_spool_unified_row(uint32_t what)
{
    static const char *const rows[] = {
#define X(id, number, name, row) [number] = row,
        TT_SPOOL_UNIFIED_KINDS(X)
#undef X
    };
    return what && what < sizeof rows / sizeof *rows ? rows[what] : "UM";
}

bool tt_spool_unified_is_moment(const tt_spool_unified *u)
{
    return u->h.a == TT_SPOOL_UM_CPU_FAULT || u->h.a == TT_SPOOL_UM_THRASHING || u->h.a == TT_SPOOL_UM_REMOTE_MAP;
}

int64_t tt_spool_unified_device(const tt_spool_unified *u)
{
    uint32_t at = u->h.a == TT_SPOOL_UM_HTOD || u->h.a == TT_SPOOL_UM_REMOTE_MAP ? u->dst : u->src;
    if (u->h.a == TT_SPOOL_UM_CPU_FAULT) return -1;
    if (u->h.a == TT_SPOOL_UM_THRASHING) { /* the first of those that fight for it */
        uint32_t mask = u->src;
        for (at = 0; mask && !(mask & 1); mask >>= 1) at++;
    }
    return at <= INT32_MAX ? (int64_t)at : -1;
}

int64_t tt_spool_submitted(const tt_spool_kernel *k) { return k->h.size >= sizeof *k ? k->submitted : 0; }

const char *tt_spool_kernel_name(const tt_spool_facts *f, uint32_t id)
{
    bool known = id < f->demangled.n && f->demangled.at[id];
    return known ? tt_str(&f->text, f->demangled.at[id]) : tt_spool_string(f, id);
}

void tt_spool_learn_kernel(tt_spool_facts *f, uint32_t id)
{
    char *name = tt_demangle(tt_spool_string(f, id), &f->demangle_tries);
    if (!name) return;
    while (f->demangled.n <= id) *tt_vec_push(&f->demangled) = 0;
    f->demangled.at[id] = tt_strings_put(&f->text, name, strlen(name));
    free(name);
}

/* ---- CUDA events ---- */

int tt_spool_event_order(const void *a, const void *b)
{
    const tt_spool_event *x = a, *y = b;
    if (x->event != y->event) return x->event < y->event ? -1 : 1;
    return (x->h.a > y->h.a) - (x->h.a < y->h.a);
}

const tt_spool_event *tt_spool_waited_for(const tt_spool_facts *f, const tt_spool_sync *y)
{
    size_t lo = 0, hi = f->events.n; /* behind the last recording of the event before the call that waits */
    const tt_spool_event *at = f->events.at;
    TT_BISECT(lo, hi, i, at[i].event < y->event || (at[i].event == y->event && at[i].h.a < y->h.a));
    const tt_spool_event *last = lo ? &f->events.at[lo - 1] : NULL;
    if (!last || last->event != y->event) return NULL;
    for (size_t i = lo; y->recording && i-- > 0 && f->events.at[i].event == y->event;) {
        if (f->events.at[i].recording == y->recording) return &f->events.at[i];
    }
    return last;
}

int64_t tt_spool_stream(uint32_t stream) { return stream == UINT32_MAX ? -1 : (int64_t)stream; }

/* ---- occupancy ---- */

static double quantum(double v) { return round(v * 1e4) / 1e4; } /* so that the text gives back the same number */

static uint32_t round_up(uint32_t v, uint32_t to) { return (v + to - 1) / to * to; }

/* Blocks that fit on one multiprocessor by every limit of the hardware; warps of a block in *warps. */
static double blocks_that_fit(const tt_spool_device *d, const tt_spool_kernel *k, double threads, double *warps)
{
    *warps = ceil(threads / d->warp_size);
    double fit = d->blocks_per_sm ? d->blocks_per_sm : HUGE_VAL;
    fit = fmin(fit, floor(d->warps_per_sm / *warps));
    uint32_t per_warp = round_up((k->registers & 0xFFFF) * d->warp_size, 256); /* registers are given out by 256 */
    if (per_warp && d->regs_per_sm) {
        double by_regs = floor(d->regs_per_sm / (double)per_warp / 4) * 4; /* over four schedulers */
        fit = fmin(fit, floor(by_regs / *warps));
    }
    uint64_t shared = (uint64_t)k->shared_static + k->shared_dynamic + (d->major >= 8 ? 1024 : 0);
    if (shared > 1024 && d->shared_per_sm)
        fit = fmin(fit, floor(d->shared_per_sm / (double)((shared + 127) / 128 * 128)));
    return fit;
}

tt_spool_launch tt_spool_launch_of(const tt_spool_facts *f, const tt_spool_kernel *k)
{
    tt_spool_launch l = {NAN, NAN, NAN};
    const tt_spool_device *d = NULL;
    for (size_t i = 0; i < f->devices.n; i++) {
        if (f->devices.at[i].id == k->device) d = &f->devices.at[i];
    }
    double threads = (double)k->block[0] * k->block[1] * k->block[2], warps;
    double blocks = (double)k->grid[0] * k->grid[1] * k->grid[2];
    if (!d || !d->sms || !d->warp_size || d->warp_size > 1024 || !d->warps_per_sm || threads < 1 || blocks < 1)
        return l;
    double fit = blocks_that_fit(d, k, threads, &warps);
    l.blocks_per_sm = quantum(blocks / d->sms);
    l.warps_per_sm = quantum(blocks / d->sms * warps);
    l.occupancy_pct = quantum(fmin(100, 100 * fmin(blocks / d->sms, fit) * warps / d->warps_per_sm));
    return l;
}

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

static void put_string(text *t, const char *s)
{
    tt_vec_reserve(t, t->n + 6 * strlen(s) + 3);
    t->at[t->n++] = '"';
    for (; *s; s++) {
        unsigned char c = (unsigned char)*s;
        if (c == '"' || c == '\\') t->at[t->n++] = '\\';
        if (c < 0x20) {
            t->n += (size_t)snprintf(t->at + t->n, 7, "\\u%04x", c);
        } else {
            t->at[t->n++] = (char)c;
        }
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

static void on_thread(const text_source *s, text *t, uint32_t tid)
{
    put(t, ", \"pid\": %s, \"tid\": %" PRIu32, s->f.pid, tid);
}

static void on_stream(text *t, uint32_t device, uint32_t stream)
{
    put(t, ", \"pid\": %" PRIu32 ", \"tid\": %" PRId64, device, tt_spool_stream(stream));
}

static void place_args(text *t, uint32_t device, uint32_t context, uint32_t stream, uint32_t corr)
{
    put(t, "\"device\": %" PRIu32 ", \"context\": %" PRIu32 ", \"stream\": %" PRId64 ", \"correlation\": %" PRIu32,
        device, context, tt_spool_stream(stream), corr);
}

static void graph_args(text *t, uint32_t graph, uint64_t node)
{
    if (graph) put(t, ", \"graph id\": %" PRIu32, graph);
    if (node) put(t, ", \"graph node id\": %" PRIu64, node);
}

static uint64_t launcher_of(const text_source *s, uint32_t corr)
{
    size_t lo = 0, hi = s->f.launchers.n;
    TT_BISECT(lo, hi, i, s->f.launchers.at[i].corr < corr);
    return lo < s->f.launchers.n && s->f.launchers.at[lo].corr == corr ? s->f.launchers.at[lo].external : 0;
}

/* Work has the id of the range that its call was made in. */
static void external_arg(const text_source *s, text *t, uint32_t corr)
{
    uint64_t id = launcher_of(s, corr);
    if (id) put(t, "\"External id\": %" PRIu64 ", ", id);
}

static void put_range(const text_source *s, text *t, const tt_spool_range *r, uint64_t place)
{
    const char *sep = "";
    begin(t, 'X', tt_spool_category(r->cat), tt_spool_string(&s->f, r->h.a));
    on_thread(s, t, r->tid);
    slice(s, t, r->start, r->h.type == TT_SPOOL_OPEN ? s->f.end : r->end);
    uint64_t id = r->external ? r->external : s->f.launchers.n ? tt_spool_external(place) : 0;
    if (id) put(t, "\"External id\": %" PRIu64 ", \"Record function id\": 0", id), sep = ", ";
    if (r->seq) put(t, "%s\"Sequence number\": %" PRIu32, sep, r->seq - 1), sep = ", ";
    const char *shapes = tt_spool_string(&s->f, r->shapes);
    if (*shapes == '[') {
        tt_vec_reserve(t, t->n + strlen(shapes) + 64);
        t->n += (size_t)snprintf(t->at + t->n, strlen(shapes) + 64, "%s\"Input Dims\": %s", sep, shapes);
        sep = ", ";
    }
    if (r->flags & TT_SPOOL_ASYNC) put(t, "%s\"start/end pair\": true", sep), sep = ", ";
    if (r->flags & TT_SPOOL_FORCED) put(t, "%s\"end was lost\": true", sep);
    put(t, "}}");
}

static void put_api(const text_source *s, text *t, const tt_spool_api *a)
{
    begin(t, 'X', a->kind == TT_SPOOL_API_DRIVER ? "cuda_driver" : "cuda_runtime", tt_spool_string(&s->f, a->h.a));
    on_thread(s, t, a->tid);
    slice(s, t, a->start, a->end);
    external_arg(s, t, a->corr);
    put(t, "\"cbid\": %" PRIu32 ", \"correlation\": %" PRIu32, a->cbid, a->corr);
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
    external_arg(s, t, k->corr);
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
    place_args(t, k->device, k->context, k->stream, k->corr);
    put(t, ", \"registers per thread\": %" PRIu32 ", \"shared memory\": %" PRIu64, k->registers,
        (uint64_t)k->shared_static + k->shared_dynamic);
    put_number(t, "blocks per SM", l.blocks_per_sm);
    put_number(t, "warps per SM", l.warps_per_sm);
    put(t, ", \"grid\": [%" PRId32 ", %" PRId32 ", %" PRId32 "], \"block\": [%" PRId32 ", %" PRId32 ", %" PRId32 "]",
        k->grid[0], k->grid[1], k->grid[2], k->block[0], k->block[1], k->block[2]);
    put_number(t, "est. achieved occupancy %", l.occupancy_pct);
    graph_args(t, k->graph, k->graph_node);
    if (k->channel) put(t, ", \"channel\": %" PRIu32, k->channel);
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
        put(t, ", \"fromDevice\": %" PRIu32 ", \"toDevice\": %" PRIu32, c->peer_from, c->peer_to);
    }
    if (c->end > c->start)
        put_number(t, "memory bandwidth (GB/s)", quantum((double)c->bytes / (double)(c->end - c->start)));
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

static void put_shade(const text_source *s, text *t, const tt_spool_shade *h)
{
    begin(t, 'X', "gpu_user_annotation", tt_str(&s->f.text, h->name));
    on_stream(t, h->device, h->stream);
    slice(s, t, h->start, h->end);
    if (h->external) put(t, "\"External id\": %" PRIu64, h->external);
    put(t, "}}");
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
    if (o->corr) put(t, "%s\"correlation of the call\": %" PRIu32, o->tid ? ", " : "", o->corr);
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
    if (m->corr) put(t, ", \"correlation\": %" PRIu32, m->corr);
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
    if (p->corr) put(t, ", \"correlation\": %" PRIu32, p->corr);
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
    if (device < 0) put(t, ", \"pid\": %s", s->f.pid);
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
        put_number(t, "memory bandwidth (GB/s)", quantum((double)u->value / (double)(u->end - u->start)));
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
        put(t, ", \"pid\": %s", s->f.pid);
    } else {
        put(t, ", \"pid\": %" PRId32, c->device);
    }
    put_us(t, "ts", c->ts - s->f.base, ", ");
    put(t, ", \"args\": {");
    put_string(t, tt_spool_string(&s->f, c->key));
    put(t, ": %.17g}}", c->value);
}

static void put_record(const text_source *s, text *t, const tt_spool_rec *r, uint64_t place)
{
    const void *p = r;
    switch (r->type) {
    case TT_SPOOL_RANGE:
    case TT_SPOOL_OPEN: put_range(s, t, p, place); break;
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
    if (offset >= TT_SPOOL_SHADE) {
        if (offset - TT_SPOOL_SHADE >= s->f.shades.n) return 0;
        put_shade(s, &t, &s->f.shades.at[offset - TT_SPOOL_SHADE]);
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
