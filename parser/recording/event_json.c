/* parser/recording/event_json.c - makes the JSON text of an event from its record, and of facts of the recording. See
 * facts.h. Keys and categories are those of Kineto's traces. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/bisect.h"
#include "parser/json/write.h"
#include "parser/recording/reader_internal.h"

typedef struct text_source {
    tt_text_source base;
    tt_text_source *raw;
    tt_spool_facts f;
} text_source;

/* Begin an event: {"ph": "X", "cat": ..., "name": ..., "pid": ..., "tid": ..., "ts": ..., "dur": ..., "args": { */
static void begin(tt_json *j, const char *phase, const char *cat, const char *name)
{
    tt_json_open(j, '{', true);
    tt_json_key_text(j, "ph", phase);
    if (cat) tt_json_key_text(j, "cat", cat);
    tt_json_key_text(j, "name", name);
}

static void begin_args(tt_json *j)
{
    tt_json_key(j, "args");
    tt_json_open(j, '{', true);
}

static void slice(const text_source *s, tt_json *j, int64_t start, int64_t end)
{
    tt_json_key_us(j, "ts", start - s->f.base);
    tt_json_key_us(j, "dur", end < start ? 0 : end - start);
    begin_args(j);
}

static void moment(const text_source *s, tt_json *j, int64_t ts)
{
    tt_json_key_us(j, "ts", ts - s->f.base);
    tt_json_key_text(j, "s", "t");
    begin_args(j);
}

static void own_pid(const text_source *s, tt_json *j)
{
    tt_json_key(j, "pid");
    if (strcmp(s->f.pid, TT_SPOOL_NO_PID)) {
        tt_json_raw(j, s->f.pid, strlen(s->f.pid));
    } else {
        tt_json_text(j, s->f.pid);
    }
}

static void on_thread(const text_source *s, tt_json *j, uint32_t tid)
{
    own_pid(s, j);
    tt_json_key_uint(j, "tid", tid);
}

static void on_stream(tt_json *j, uint32_t device, uint32_t stream)
{
    tt_json_key_uint(j, "pid", device);
    tt_json_key_int(j, "tid", tt_spool_stream(stream));
}

/* The slice of work that never ended, NULL = it has ended. */
static const tt_spool_unfinished *unfinished(const text_source *s, uint64_t offset, unsigned flags)
{
    size_t n = flags & TT_SPOOL_WORK_OPEN ? s->f.unfinished.n : 0, lo = 0, hi = n;
    TT_BISECT(lo, hi, i, s->f.unfinished.at[i].offset < offset);
    return lo < n && s->f.unfinished.at[lo].offset == offset ? &s->f.unfinished.at[lo] : NULL;
}

typedef struct work {
    const char *cat, *name;
    uint64_t offset;
    int64_t start, end;
    uint32_t device, stream;
    unsigned flags; /* TT_SPOOL_WORK_ */
} work;

/* Write what all device work has, up to its arguments. */
static void begin_work(const text_source *s, tt_json *j, const work *w)
{
    const tt_spool_unfinished *u = unfinished(s, w->offset, w->flags);
    begin(j, "X", u ? TT_SPOOL_UNFINISHED : w->cat, w->name);
    tt_json_key_uint(j, "pid", w->device);
    tt_json_key_int(j, "tid", tt_spool_stream(w->stream) + (u ? TT_SPOOL_UNFINISHED_ROW : 0));
    slice(s, j, u ? u->start : w->start, u ? u->end : w->end);
}

static void place_args(tt_json *j, uint32_t device, uint32_t context, uint32_t stream, uint32_t correlation)
{
    tt_json_key_uint(j, "device", device);
    tt_json_key_uint(j, "context", context);
    tt_json_key_int(j, "stream", tt_spool_stream(stream));
    tt_json_key_uint(j, "correlation", correlation);
}

static void key_if(tt_json *j, const char *key, uint64_t v)
{
    if (v) tt_json_key_uint(j, key, v);
}

static void key_true(tt_json *j, const char *key, bool is)
{
    if (!is) return;
    tt_json_key(j, key);
    tt_json_bool(j, true);
}

static void graph_args(tt_json *j, uint32_t graph, uint64_t node)
{
    key_if(j, "graph id", graph);
    key_if(j, "graph node id", node);
}

static uint64_t launcher_of(const text_source *s, uint32_t correlation)
{
    size_t lo = 0, hi = s->f.launchers.n;
    TT_BISECT(lo, hi, i, s->f.launchers.at[i].correlation < correlation);
    return lo < s->f.launchers.n && s->f.launchers.at[lo].correlation == correlation ? s->f.launchers.at[lo].external
                                                                                     : 0;
}

/* Write the id of the range around the call that launched the work. */
static void external_arg(const text_source *s, tt_json *j, uint32_t correlation)
{
    uint64_t id = launcher_of(s, correlation);
    key_if(j, "External id", id);
}

static void put_range(const text_source *s, tt_json *j, const tt_spool_range *r, uint64_t offset)
{
    begin(j, "X", tt_spool_category(r->cat), tt_spool_string(&s->f, r->h.a));
    on_thread(s, j, r->tid);
    slice(s, j, tt_spool_range_start(&s->f, r), r->h.type == TT_SPOOL_OPEN ? s->f.end : r->end);
    tt_json_key_uint(j, "External id", r->external ? r->external : tt_spool_external(offset));
    tt_json_key_int(j, "Record function id", 0);
    tt_json_key_uint(j, "Ev Idx", offset / 8);
    if (r->seq) {
        uint32_t forward = tt_spool_forward_thread(&s->f, r->seq);
        tt_json_key_uint(j, "Sequence number", r->seq - 1);
        if (forward && forward != r->tid) tt_json_key_uint(j, "Fwd thread id", forward);
    }
    const char *shapes = tt_spool_string(&s->f, r->shapes);
    if (*shapes == '[') {
        tt_json_key(j, "Input Dims");
        tt_json_raw(j, shapes, strlen(shapes));
    }
    key_true(j, "start/end pair", r->flags & TT_SPOOL_ASYNC);
    key_true(j, "end was lost", r->flags & TT_SPOOL_FORCED);
}

static void put_api(const text_source *s, tt_json *j, const tt_spool_api *a)
{
    begin(j, "X", a->kind == TT_SPOOL_API_DRIVER ? "cuda_driver" : "cuda_runtime", tt_spool_string(&s->f, a->h.a));
    on_thread(s, j, a->tid);
    slice(s, j, a->start, a->end);
    external_arg(s, j, a->correlation);
    tt_json_key_uint(j, "cbid", a->cbid);
    tt_json_key_uint(j, "correlation", a->correlation);
    key_if(j, "status", a->status);
}

static void put_number(tt_json *j, const char *key, double v)
{
    if (!isfinite(v)) return;
    tt_json_key(j, key);
    tt_json_number(j, "%.4f", v);
}

static void put_triple(tt_json *j, const char *key, const int32_t v[3])
{
    tt_json_key(j, key);
    tt_json_open(j, '[', true);
    for (int i = 0; i < 3; i++) tt_json_int(j, v[i]);
    tt_json_close(j, ']');
}

static void put_kernel(const text_source *s, tt_json *j, const tt_spool_kernel *k, uint64_t offset)
{
    tt_spool_launch l = tt_spool_launch_of(&s->f, k);
    begin_work(s, j,
               &(work){.cat = "kernel",
                       .name = tt_spool_kernel_name(&s->f, k->h.a),
                       .offset = offset,
                       .start = k->start,
                       .end = k->end,
                       .device = k->device,
                       .stream = k->stream,
                       .flags = k->flags});
    external_arg(s, j, k->correlation);
    if (k->queued) {
        tt_json_key_us(j, "queued", k->queued - s->f.base);
        tt_json_key_us(j, "queued to start (us)", k->start - k->queued);
    } else {
        tt_json_key_int(j, "queued", 0);
    }
    if (tt_spool_submitted(k)) {
        tt_json_key_us(j, "submitted", tt_spool_submitted(k) - s->f.base);
        tt_json_key_us(j, "submitted to start (us)", k->start - tt_spool_submitted(k));
    }
    place_args(j, k->device, k->context, k->stream, k->correlation);
    tt_json_key_uint(j, "registers per thread", k->registers);
    tt_json_key_uint(j, "shared memory", (uint64_t)k->shared_static + k->shared_dynamic);
    put_number(j, "blocks per SM", l.blocks_per_sm);
    put_number(j, "warps per SM", l.warps_per_sm);
    put_triple(j, "grid", k->grid);
    put_triple(j, "block", k->block);
    put_number(j, "est. achieved occupancy %", l.occupancy_pct);
    graph_args(j, k->graph, k->graph_node);
    key_if(j, "channel", k->channel);
    tt_spool_coll c = tt_spool_coll_of(tt_spool_kernel_name(&s->f, k->h.a));
    if (*c.name) tt_json_key_text(j, "Collective name", c.name);
    if (*c.dtype) tt_json_key_text(j, "dtype", c.dtype);
}

static void put_copy(const text_source *s, tt_json *j, const tt_spool_copy *c, uint64_t offset)
{
    char name[96];
    bool set = c->h.type == TT_SPOOL_SET;
    begin_work(s, j,
               &(work){.cat = set ? "gpu_memset" : "gpu_memcpy",
                       .name = (set ? tt_spool_set_name : tt_spool_copy_name)(c, name, sizeof name),
                       .offset = offset,
                       .start = c->start,
                       .end = c->end,
                       .device = c->device,
                       .stream = c->stream,
                       .flags = c->flags});
    external_arg(s, j, c->h.a);
    place_args(j, c->device, c->context, c->stream, c->h.a);
    tt_json_key_uint(j, "bytes", c->bytes);
    if (set) tt_json_key_uint(j, "value", c->value);
    if (c->peer_from != UINT32_MAX && !set) {
        tt_json_key_uint(j, "fromDevice", c->peer_from);
        tt_json_key_uint(j, "inDevice", c->device);
        tt_json_key_uint(j, "toDevice", c->peer_to);
    }
    if (c->end > c->start) put_number(j, "memory bandwidth (GB/s)", (double)c->bytes / (double)(c->end - c->start));
    graph_args(j, c->graph, c->graph_node);
}

static void put_sync(const text_source *s, tt_json *j, const tt_spool_sync *y)
{
    begin(j, "X", "cuda_sync", tt_spool_sync_name(y->kind));
    on_stream(j, y->device, y->stream);
    slice(s, j, y->start, y->end);
    external_arg(s, j, y->h.a);
    tt_json_key_text(j, "cuda_sync_kind", tt_spool_sync_name(y->kind));
    place_args(j, y->device, y->context, y->stream, y->h.a);
    if (y->kind == 1 || y->kind == 2) {
        const tt_spool_event *e = tt_spool_waited_for(&s->f, y);
        tt_json_key_int(j, "wait_on_stream", e ? tt_spool_stream(e->stream) : -1);
        tt_json_key_int(j, "wait_on_cuda_event_record_corr_id", e ? (int64_t)e->h.a : -1);
        tt_json_key_uint(j, "wait_on_cuda_event_id", y->event);
    }
}

static void put_event(const text_source *s, tt_json *j, const tt_spool_event *e)
{
    begin(j, "X", "cuda_event", TT_SPOOL_EVENT_NAME);
    on_stream(j, e->device, e->stream);
    slice(s, j, e->ts, e->ts);
    place_args(j, e->device, e->context, e->stream, e->h.a);
    tt_json_key_uint(j, "event_id", e->event);
    tt_json_key_uint(j, "cuda_sync_id", e->recording);
}

static void put_shade(const text_source *s, tt_json *j, const tt_spool_gpu_range *h)
{
    begin(j, "X", "gpu_user_annotation", tt_str(&s->f.text, h->name));
    on_stream(j, h->device, h->stream);
    slice(s, j, h->start, h->end);
    key_if(j, "External id", h->external);
}

static void put_arrow(const text_source *s, tt_json *j, const tt_spool_forward *f, bool end)
{
    begin(j, end ? "f" : "s", TT_SPOOL_ARROW_NAME, TT_SPOOL_ARROW_NAME);
    tt_json_key_uint(j, "id", f->seq);
    on_thread(s, j, end ? f->to : f->tid);
    tt_json_key_us(j, "ts", (end ? f->backward : f->start) - s->f.base);
    if (end) tt_json_key_text(j, "bp", "e");
}

static void key_name(const text_source *s, tt_json *j, const char *key, uint32_t id)
{
    if (id) tt_json_key_text(j, key, tt_spool_string(&s->f, id));
}

static void put_call(const text_source *s, tt_json *j, const tt_spool_call_slice *x)
{
    const tt_spool_call *c = &x->call;
    const tt_spool_comm *comm = tt_spool_comm_of(&s->f, c->comm);
    char hash[24];
    bool pair = c->flags & TT_SPOOL_CALL_PAIR;
    begin(j, "X", TT_SPOOL_CALL_CATEGORY, tt_spool_string(&s->f, c->h.a));
    own_pid(s, j);
    tt_json_key_int(j, "tid", x->row);
    slice(s, j, x->start, x->end);
    tt_json_key_uint(j, "seq", c->seq);
    if (c->nccl_seq != UINT64_MAX) tt_json_key_uint(j, "NCCL's seq", c->nccl_seq);
    tt_json_key_uint(j, "communicator", c->comm);
    if (comm && comm->hash) {
        snprintf(hash, sizeof hash, "%" PRIx64, comm->hash);
        tt_json_key_text(j, "communicator id", hash);
    }
    if (comm) key_name(s, j, "communicator name", comm->name);
    if (comm && comm->size > 0) tt_json_key_int(j, "ranks", comm->size);
    if (comm && comm->rank >= 0) tt_json_key_int(j, "rank in it", comm->rank);
    tt_json_key_uint(j, "count", c->count);
    key_name(s, j, "type", c->dtype);
    key_name(s, j, "algorithm", c->algorithm);
    key_name(s, j, "protocol", c->protocol);
    key_if(j, "channels", c->channels);
    tt_json_key_int(j, pair ? "peer" : "root", c->other);
    tt_json_key_uint(j, "thread", c->tid);
    tt_json_key_us(j, "enqueued_us", c->enqueued - s->f.base);
    if (c->started) tt_json_key_us(j, "started_us", c->started - s->f.base);
    if (c->finished) tt_json_key_us(j, "finished_us", c->finished - s->f.base);
    key_true(j, "from a graph", c->flags & TT_SPOOL_CALL_CAPTURED);
    key_true(j, "open", c->flags & TT_SPOOL_CALL_OPEN);
    key_true(j, "end not seen", c->flags & TT_SPOOL_CALL_UNSEEN);
    tt_json_key_text(j, "times", "when NCCL's proxy thread saw it");
}

static void put_graph(const text_source *s, tt_json *j, const tt_spool_graph *g, uint64_t offset)
{
    char name[40];
    begin_work(s, j,
               &(work){.cat = "kernel",
                       .name = tt_spool_graph_name(g->graph, name, sizeof name),
                       .offset = offset,
                       .start = g->start,
                       .end = g->end,
                       .device = g->device,
                       .stream = g->stream,
                       .flags = tt_spool_graph_flags(g)});
    external_arg(s, j, g->h.a);
    place_args(j, g->device, g->context, g->stream, g->h.a);
    graph_args(j, g->graph, 0);
}

static void put_overhead(const text_source *s, tt_json *j, const tt_spool_overhead *o)
{
    begin(j, "X", "overhead", tt_spool_overhead_name(o->h.a));
    tt_json_key_int(j, "pid", -1);
    tt_json_key_int(j, "tid", 0);
    slice(s, j, o->start, o->end);
    key_if(j, "thread", o->tid);
    key_if(j, "correlation of the call", o->correlation);
}

static void put_memory(const text_source *s, tt_json *j, const tt_spool_memory *m)
{
    bool host = m->device == UINT32_MAX;
    begin(j, "i", "cpu_instant_event", "[memory]");
    on_thread(s, j, m->tid);
    moment(s, j, m->ts);
    tt_json_key_uint(j, "Addr", m->addr);
    tt_json_key_int(j, "Bytes", m->bytes);
    tt_json_key_int(j, "Device Type", host ? 0 : 1);
    tt_json_key_int(j, "Device Id", host ? -1 : (int)m->device);
    tt_json_key_int(j, "Total Allocated", m->allocated);
    if (!host) tt_json_key_int(j, "Total Reserved", m->held);
    key_if(j, "correlation", m->correlation);
    if (m->pool) {
        tt_json_key_uint(j, "pool", m->pool);
        tt_json_key_uint(j, "pool bytes", m->pool_size);
        tt_json_key_uint(j, "pool bytes used", m->pool_used);
    }
}

static void put_pool(const text_source *s, tt_json *j, const tt_spool_pool *p)
{
    begin(j, "i", "memory_pool", tt_spool_pool_name(p->h.a));
    on_thread(s, j, p->tid);
    moment(s, j, p->ts);
    tt_json_key_uint(j, "device", p->device);
    tt_json_key_uint(j, "pool", p->addr);
    tt_json_key_uint(j, "pool bytes", p->size);
    tt_json_key_uint(j, "pool bytes used", p->used);
    tt_json_key_uint(j, "release threshold", p->threshold);
    if (p->h.a == TT_SPOOL_POOL_TRIMMED) tt_json_key_uint(j, "bytes to keep", p->keep);
    key_true(j, "imported", p->imported);
    key_if(j, "correlation", p->correlation);
}

/* Text of the reason why memory moved, or of the kind of access, by CUPTI's numbers. */
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

static void put_unified(const text_source *s, tt_json *j, const tt_spool_unified *u)
{
    int64_t device = tt_spool_unified_device(u);
    bool instant = tt_spool_unified_is_moment(u), fault = u->h.a == TT_SPOOL_UM_GPU_FAULT;
    const char *cause = unified_cause(u);
    begin(j, instant ? "i" : "X", "unified_memory", tt_spool_unified_name(u->h.a));
    if (device < 0) own_pid(s, j);
    if (device >= 0) tt_json_key_int(j, "pid", device);
    tt_json_key_int(j, "tid", TT_SPOOL_UNIFIED_ROW + u->h.a);
    if (instant) {
        moment(s, j, u->start);
    } else {
        slice(s, j, u->start, u->end);
    }
    tt_json_key_uint(j, "address", u->address);
    if (u->h.a == TT_SPOOL_UM_CPU_FAULT) {
        tt_json_key_uint(j, "program counter", u->value);
    } else if (u->h.a != TT_SPOOL_UM_THROTTLING) {
        tt_json_key_uint(j, fault ? "faults" : "bytes", u->value);
    }
    if (u->h.a == TT_SPOOL_UM_DTOD) {
        tt_json_key_uint(j, "fromDevice", u->src);
        tt_json_key_uint(j, "toDevice", u->dst);
    }
    if (u->h.a == TT_SPOOL_UM_THRASHING) tt_json_key_uint(j, "devices, a bit each", u->src);
    if (cause) tt_json_key_text(j, fault || u->h.a == TT_SPOOL_UM_CPU_FAULT ? "access" : "cause", cause);
    if (!instant && !fault && u->end > u->start && u->value)
        put_number(j, "memory bandwidth (GB/s)", (double)u->value / (double)(u->end - u->start));
}

/* The record, of which only the beginning was read, is read again as a whole. */
static void put_stack(const text_source *s, tt_json *j, const tt_spool_stack *k, uint64_t offset)
{
    tt_spool_stack *whole = tt_calloc(1, k->h.size + sizeof *whole);
    int64_t n = s->raw->read(s->raw, offset, (char *)whole, k->h.size);
    char *text = tt_spool_stack_text(whole, n > 0 ? (size_t)n : 0);
    begin(j, "X", TT_SPOOL_STACK_CATEGORY, tt_spool_stack_name(k->h.a));
    on_thread(s, j, k->tid);
    slice(s, j, k->ts, k->ts);
    tt_json_key_text(j, "Call stack", text);
    free(text);
    free(whole);
}

static void put_mark(const text_source *s, tt_json *j, const tt_spool_mark *m)
{
    begin(j, "i", tt_spool_category(m->cat), tt_spool_string(&s->f, m->h.a));
    on_thread(s, j, m->tid);
    moment(s, j, m->ts);
}

static void put_counter(const text_source *s, tt_json *j, const tt_spool_counter *c)
{
    begin(j, "C", NULL, tt_spool_string(&s->f, c->h.a));
    if (c->device < 0) {
        own_pid(s, j);
    } else {
        tt_json_key_int(j, "pid", c->device);
    }
    tt_json_key_us(j, "ts", c->ts - s->f.base);
    begin_args(j);
    tt_json_key(j, tt_spool_string(&s->f, c->key));
    tt_json_number(j, "%.17g", c->value);
}

static void put_record(const text_source *s, tt_json *j, const tt_spool_rec *r, uint64_t offset)
{
    const void *p = r;
    switch (r->type) {
    case TT_SPOOL_RANGE:
    case TT_SPOOL_OPEN: put_range(s, j, p, offset); break;
    case TT_SPOOL_MARK: put_mark(s, j, p); break;
    case TT_SPOOL_COUNTER: put_counter(s, j, p); break;
    case TT_SPOOL_API: put_api(s, j, p); break;
    case TT_SPOOL_KERNEL: put_kernel(s, j, p, offset); break;
    case TT_SPOOL_COPY:
    case TT_SPOOL_SET: put_copy(s, j, p, offset); break;
    case TT_SPOOL_SYNC: put_sync(s, j, p); break;
    case TT_SPOOL_OVERHEAD: put_overhead(s, j, p); break;
    case TT_SPOOL_MEMORY: put_memory(s, j, p); break;
    case TT_SPOOL_GRAPH: put_graph(s, j, p, offset); break;
    case TT_SPOOL_EVENT: put_event(s, j, p); break;
    case TT_SPOOL_POOL: put_pool(s, j, p); break;
    case TT_SPOOL_UNIFIED: put_unified(s, j, p); break;
    case TT_SPOOL_STACK: put_stack(s, j, p, offset); break;
    default: break;
    }
}

/* ---- facts of the recording ---- */

char *tt_spool_devices_json(const tt_spool_facts *f)
{
    tt_text text = {0};
    tt_json j;
    if (!f->devices.n) return NULL;
    tt_json_init_text(&j, &text);
    tt_json_open(&j, '[', true);
    for (size_t i = 0; i < f->devices.n; i++) {
        const tt_spool_device *d = &f->devices.at[i];
        tt_json_open(&j, '{', true);
        tt_json_key_uint(&j, "id", d->id);
        tt_json_key_text(&j, "name", tt_spool_string(f, d->h.a));
        tt_json_key_uint(&j, "totalGlobalMem", d->memory_bytes);
        tt_json_key_uint(&j, "computeMajor", d->major);
        tt_json_key_uint(&j, "computeMinor", d->minor);
        tt_json_key_uint(&j, "maxThreadsPerBlock", d->threads_per_block);
        tt_json_key_uint(&j, "maxThreadsPerMultiprocessor", (uint64_t)d->warps_per_sm * d->warp_size);
        tt_json_key_uint(&j, "regsPerBlock", d->regs_per_block);
        tt_json_key_uint(&j, "warpSize", d->warp_size);
        tt_json_key_uint(&j, "sharedMemPerBlock", d->shared_per_block);
        tt_json_key_uint(&j, "numSms", d->sms);
        tt_json_key_uint(&j, "regsPerMultiprocessor", d->regs_per_sm);
        key_if(&j, "sharedMemPerBlockOptin", d->shared_optin);
        tt_json_key_uint(&j, "sharedMemPerMultiprocessor", d->shared_per_sm);
        tt_json_close(&j, '}');
    }
    tt_json_close(&j, ']');
    return text.at;
}

static void put_windows(const spool *s, tt_json *j)
{
    enum { WINDOWS_MOST = 1000 };
    tt_json_key(j, "windows");
    tt_json_open(j, '[', true);
    for (size_t i = 0; i < s->windows.n && i < WINDOWS_MOST; i++) {
        const window *w = &s->windows.at[i];
        int64_t end = w->t1 < s->f.end ? w->t1 : s->f.end;
        tt_json_open(j, '[', true);
        tt_json_us(j, w->t0 - s->f.base);
        tt_json_us(j, end - s->f.base);
        tt_json_close(j, ']');
    }
    tt_json_close(j, ']');
}

char *tt_spool_recording_json(const spool *s)
{
    static const char *const keys[] = {
#define X(id, key, meaning) key,
        TT_SPOOL_CAUSES(X)
#undef X
    };
    tt_text text = {0};
    tt_json j;
    tt_json_init_text(&j, &text);
    tt_json_open(&j, '{', true);
    tt_json_key_text(&j, "version", s->version);
    tt_json_key(&j, "clean_exit");
    tt_json_bool(&j, s->ended);
    tt_json_key(&j, "drops");
    tt_json_open(&j, '{', true);
    for (int i = 0; i < TT_SPOOL_DROP_COUNT_; i++) key_if(&j, keys[i], s->drops[i]);
    tt_json_close(&j, '}');
    put_windows(s, &j);
    tt_json_key_us(&j, "overhead_us", s->overhead);
    tt_json_close(&j, '}');
    return text.at;
}

/* ---- the source ---- */

/* A read at the place of a record returns its JSON text, cut at cap. */
static int64_t read_text(tt_text_source *self, uint64_t offset, char *out, size_t cap)
{
    text_source *s = (text_source *)self;
    union {
        tt_spool_rec h;
        uint64_t align[64];
        char bytes[512];
    } r = {0}; /* zeros follow a truncated record */
    tt_text t = {0};
    tt_json j;
    int64_t n;
    tt_json_init_text(&j, &t);
    if (offset >= TT_SPOOL_CALL) {
        if (offset - TT_SPOOL_CALL >= s->f.calls.n) return 0;
        put_call(s, &j, &s->f.calls.at[offset - TT_SPOOL_CALL]);
    } else if (offset >= TT_SPOOL_ARROW) {
        uint64_t at = (offset - TT_SPOOL_ARROW) / 2;
        if (at >= s->f.forwards.n) return 0;
        put_arrow(s, &j, &s->f.forwards.at[at], (offset - TT_SPOOL_ARROW) % 2);
    } else if (offset >= TT_SPOOL_GPU_RANGE) {
        if (offset - TT_SPOOL_GPU_RANGE >= s->f.shades.n) return 0;
        put_shade(s, &j, &s->f.shades.at[offset - TT_SPOOL_GPU_RANGE]);
    } else {
        n = s->raw->read(s->raw, offset, r.bytes, sizeof r.bytes);
        if (n < 0) return n;
        size_t least = n >= (int64_t)sizeof r.h ? tt_spool_least(r.h.type) : 0;
        if (!least || (size_t)n < least || r.h.size < least) return 0;
        put_record(s, &j, &r.h, offset);
    }
    while (j.depth) tt_json_close(&j, '}'); /* closes args and the event */
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
