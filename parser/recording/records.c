/* parser/recording/records.c - puts the records of a spool into the builder. See reader_internal.h.
 *
 * When only parts of the run were recorded, device work is kept if the call that launched it was: that is known only at
 * the end. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/sort_by.h"
#include "parser/chrome/document.h"
#include "parser/recording/calls.h"

/* ---- strings, tracks, categories ---- */

static uint32_t put_name(spool *s, const char *text) { return tt_build_name(&s->b, text, strlen(text)); }

static uint32_t name_of(spool *s, uint32_t id)
{
    const char *text = tt_spool_string(&s->f, id);
    if (id >= s->f.by_id.n) return put_name(s, text);
    while (s->names.n < s->f.by_id.n) *tt_vec_push(&s->names) = 0;
    if (!s->names.at[id]) s->names.at[id] = 1 + put_name(s, text);
    return s->names.at[id] - 1;
}

static uint32_t thread_track(spool *s, uint32_t tid)
{
    char t[16];
    int n = snprintf(t, sizeof t, "%" PRIu32, tid);
    return tt_build_track_of(&s->b, s->f.pid, strlen(s->f.pid), t, (size_t)n);
}

static uint32_t stream_track(spool *s, uint32_t device, uint32_t stream, bool unfinished)
{
    char p[16], t[24];
    int64_t row = tt_spool_stream(stream) + (unfinished ? TT_SPOOL_UNFINISHED_ROW : 0);
    int n = snprintf(p, sizeof p, "%" PRIu32, device), m = snprintf(t, sizeof t, "%" PRId64, row);
    return tt_build_track_of(&s->b, p, (size_t)n, t, (size_t)m);
}

static uint8_t category(spool *s, const char *cat)
{
    return tt_build_category(&s->b, put_name(s, cat), tt_category_kind(cat, strlen(cat), false));
}

static uint8_t range_category(spool *s, unsigned cat)
{
    if (cat >= TT_SPOOL_CAT_COUNT_) cat = TT_SPOOL_CAT_USER;
    if (!s->cats[cat].have) {
        const char *text = tt_spool_category(cat);
        s->cats[cat].plain = category(s, text);
        s->cats[cat].have = true;
    }
    return s->cats[cat].plain;
}

/* ---- events ---- */

/* Duration of an event; false when its times are invalid, which is reported with its name. */
static bool good_time(spool *s, uint64_t offset, int64_t start, int64_t end, uint32_t name, int64_t *dur)
{
    const char *text = tt_str(&s->b.names, name);
    return tt_build_span(&s->b, offset, text, strlen(text), start, end, dur);
}

/* Whether a moment is valid; reports others. */
static bool good_moment(spool *s, uint64_t offset, int64_t ts, uint32_t name)
{
    int64_t dur;
    return good_time(s, offset, ts, ts, name, &dur);
}

void tt_spool_on_range(spool *s, const tt_spool_range *r, uint64_t offset)
{
    int64_t dur;
    uint32_t name = name_of(s, r->h.a), args = 0;
    int64_t start = tt_spool_range_start(&s->f, r);
    if (!good_time(s, offset, start, r->end, name, &dur)) return;
    const char *shapes = tt_spool_string(&s->f, r->shapes);
    if (*shapes == '[') {
        tt_op_args a = {.shapes = tt_build_text(&s->b, shapes, strlen(shapes))};
        args = tt_build_op_args(&s->b, &a);
    }
    tt_build_slice(&s->b, &(tt_slice_in){.offset = offset,
                                         .ts = start,
                                         .dur = dur,
                                         .track = thread_track(s, r->tid),
                                         .cat = range_category(s, r->cat),
                                         .name = name,
                                         .external_id = tt_build_id(&s->b, r->external),
                                         .args = args});
    if (r->seq) *tt_vec_push(&s->f.forwards) = (tt_spool_forward){.seq = r->seq, .tid = r->tid, .start = start};
    if (r->flags & TT_SPOOL_ASYNC) *tt_vec_push(&s->pairs) = offset;
    if (r->flags & TT_SPOOL_WAS_OPEN) *tt_vec_push(&s->closed) = (range_key){r->start, r->tid};
}

static bool in_window(const spool *s, int64_t t)
{
    for (size_t i = s->windows.n; i-- > 0;) {
        if (t >= s->windows.at[i].t0) return t < s->windows.at[i].t1;
    }
    return false;
}

static void on_api(spool *s, const tt_spool_api *a, uint64_t offset)
{
    int64_t dur;
    uint32_t name = name_of(s, a->h.a);
    if (!good_time(s, offset, a->start, a->end, name, &dur) || (s->windowed && !in_window(s, a->start))) return;
    const char *cat = a->kind == TT_SPOOL_API_DRIVER ? "cuda_driver" : "cuda_runtime";
    tt_build_slice(&s->b, &(tt_slice_in){.offset = offset,
                                         .ts = a->start,
                                         .dur = dur,
                                         .track = thread_track(s, a->tid),
                                         .cat = category(s, cat),
                                         .name = name,
                                         .correlation = tt_build_id(&s->b, a->correlation),
                                         .external_id = tt_build_id(&s->b, a->external)});
    if (s->windowed && a->correlation) *tt_vec_push(&s->correlations) = a->correlation;
    if (a->correlation && a->correlation < s->least_correlation) s->least_correlation = a->correlation;
    /* a ring's head repeats calls whose work is open: the ranges around them count from there */
    if (s->ring.trimmed && a->start < s->f.from) s->f.from = a->start;
}

/* As far as is known now, the work was launched before the first segment of a ring whose earlier ones were deleted. */
static bool launched_before(const spool *s, uint32_t correlation)
{
    return s->ring.trimmed && correlation && correlation < s->least_correlation;
}

void tt_spool_add_device(spool *s, const piece *p, uint64_t offset)
{
    int64_t dur;
    if (!good_time(s, offset, p->start, p->end, p->name, &dur)) return;
    const tt_device_in device = {.device = p->device,
                                 .stream = tt_spool_stream(p->stream),
                                 .bytes = p->bytes,
                                 .shape = p->shape,
                                 .coll = p->coll};
    const tt_slice_in slice = {.offset = offset,
                               .ts = p->start,
                               .dur = dur,
                               .track = stream_track(s, p->device, p->stream, p->unfinished),
                               .cat = category(s, p->cat),
                               .name = p->name,
                               .correlation = tt_build_id(&s->b, p->correlation),
                               .external_id = tt_build_id(&s->b, p->external)};
    s->saw_device_work = true;
    if (s->windowed || p->wait || (!p->unfinished && launched_before(s, p->correlation))) {
        if (p->wait) *tt_vec_push(&s->waits) = *p->wait;
        *tt_vec_push(&s->late) =
            (late){slice, device, p->correlation, p->unfinished, p->wait ? (uint32_t)s->waits.n : 0};
    } else {
        tt_build_device(&s->b, &slice, &device);
    }
}

/* Users read the demangled name; the file has the mangled one. */
static uint32_t kernel_name(spool *s, uint32_t id)
{
    if (id >= s->f.by_id.n) return name_of(s, id);
    while (s->kernels.n <= id) *tt_vec_push(&s->kernels) = 0;
    if (!s->kernels.at[id]) {
        tt_spool_learn_kernel(&s->f, id);
        s->kernels.at[id] = 1 + put_name(s, tt_spool_kernel_name(&s->f, id));
    }
    return s->kernels.at[id] - 1;
}

static uint32_t triple(spool *s, const int32_t v[3])
{
    char t[64];
    int n = snprintf(t, sizeof t, "[%" PRId32 ", %" PRId32 ", %" PRId32 "]", v[0], v[1], v[2]);
    return tt_build_text(&s->b, t, (size_t)n);
}

static uint32_t coll_of(spool *s, const char *kernel)
{
    tt_spool_coll given = tt_spool_coll_of(kernel);
    if (!*given.name) return 0;
    tt_collective_args c = {.name = put_name(s, given.name),
                            .dtype = *given.dtype ? put_name(s, given.dtype) : 0,
                            .in_nelems = TT_UNKNOWN,
                            .out_nelems = TT_UNKNOWN,
                            .group_size = TT_UNKNOWN,
                            .seq = TT_UNKNOWN};
    return tt_build_coll(&s->b, &c);
}

static void on_kernel(spool *s, const tt_spool_kernel *k, uint64_t offset)
{
    tt_spool_launch l = tt_spool_launch_of(&s->f, k);
    tt_launch_shape shape = {.grid = triple(s, k->grid),
                             .block = triple(s, k->block),
                             .graph = k->graph,
                             .node = k->graph_node,
                             .registers = k->registers,
                             .shared_bytes = (int64_t)k->shared_static + k->shared_dynamic,
                             .blocks_per_sm = l.blocks_per_sm,
                             .warps_per_sm = l.warps_per_sm,
                             .occupancy_pct = l.occupancy_pct};
    uint32_t name = kernel_name(s, k->h.a);
    const open_work work = {.key = {k->graph_node, k->correlation, k->h.type},
                            .offset = offset,
                            .device = k->device,
                            .context = k->context,
                            .stream = k->stream,
                            .name = name};
    if (!tt_spool_work_ended(s, &work, k->flags)) return;
    tt_spool_add_device(s,
                        &(piece){.cat = "kernel",
                                 .name = name,
                                 .device = k->device,
                                 .stream = k->stream,
                                 .correlation = k->correlation,
                                 .shape = tt_build_shape(&s->b, &shape),
                                 .coll = coll_of(s, tt_str(&s->b.names, name)),
                                 .start = k->start,
                                 .end = k->end,
                                 .bytes = TT_UNKNOWN},
                        offset);
}

/* Shape of device work that is no kernel, in a graph; 0 = in none. */
static uint32_t graph_shape(spool *s, uint32_t graph, uint64_t node)
{
    const tt_launch_shape shape = {.graph = graph,
                                   .node = node,
                                   .registers = TT_UNKNOWN,
                                   .shared_bytes = TT_UNKNOWN,
                                   .blocks_per_sm = NAN,
                                   .warps_per_sm = NAN,
                                   .occupancy_pct = NAN};
    return graph ? tt_build_shape(&s->b, &shape) : 0;
}

static void on_copy(spool *s, const tt_spool_copy *c, uint64_t offset)
{
    char name[96];
    bool set = c->h.type == TT_SPOOL_SET;
    const char *text = set ? tt_spool_set_name(c, name, sizeof name) : tt_spool_copy_name(c, name, sizeof name);
    const open_work work = {.key = {c->graph_node, c->h.a, c->h.type},
                            .offset = offset,
                            .device = c->device,
                            .context = c->context,
                            .stream = c->stream,
                            .name = put_name(s, text)};
    if (!tt_spool_work_ended(s, &work, c->flags)) return;
    tt_spool_add_device(s,
                        &(piece){.cat = set ? "gpu_memset" : "gpu_memcpy",
                                 .name = work.name,
                                 .device = c->device,
                                 .stream = c->stream,
                                 .correlation = c->h.a,
                                 .shape = graph_shape(s, c->graph, c->graph_node),
                                 .start = c->start,
                                 .end = c->end,
                                 .bytes = c->bytes <= INT64_MAX ? (int64_t)c->bytes : TT_UNKNOWN},
                        offset);
}

static void on_sync(spool *s, const tt_spool_sync *y, uint64_t offset)
{
    tt_spool_add_device(s,
                        &(piece){.cat = "cuda_sync",
                                 .name = put_name(s, tt_spool_sync_name(y->kind)),
                                 .device = y->device,
                                 .stream = y->stream,
                                 .correlation = y->h.a,
                                 .start = y->start,
                                 .end = y->end,
                                 .bytes = TT_UNKNOWN,
                                 .wait = y->kind == 1 || y->kind == 2 ? y : NULL},
                        offset);
}

static void on_graph(spool *s, const tt_spool_graph *g, uint64_t offset)
{
    char name[40];
    const open_work work = {.key = {0, g->h.a, g->h.type},
                            .offset = offset,
                            .device = g->device,
                            .context = g->context,
                            .stream = g->stream,
                            .name = put_name(s, tt_spool_graph_name(g->graph, name, sizeof name))};
    if (!tt_spool_work_ended(s, &work, tt_spool_graph_flags(g))) return;
    tt_spool_add_device(s,
                        &(piece){.cat = "kernel",
                                 .name = work.name,
                                 .device = g->device,
                                 .stream = g->stream,
                                 .correlation = g->h.a,
                                 .shape = graph_shape(s, g->graph, 0),
                                 .start = g->start,
                                 .end = g->end,
                                 .bytes = TT_UNKNOWN},
                        offset);
}

static void on_overhead(spool *s, const tt_spool_overhead *o, uint64_t offset)
{
    int64_t dur;
    uint32_t name = put_name(s, tt_spool_overhead_name(o->h.a));
    if (!good_time(s, offset, o->start, o->end, name, &dur) || (s->windowed && !in_window(s, o->start))) return;
    s->overhead += dur;
    tt_build_slice(&s->b, &(tt_slice_in){.offset = offset,
                                         .ts = o->start,
                                         .dur = dur,
                                         .track = tt_build_track_of(&s->b, "-1", 2, "0", 1),
                                         .cat = category(s, "overhead"),
                                         .name = name});
}

static void on_memory(spool *s, const tt_spool_memory *m, uint64_t offset)
{
    if (!good_moment(s, offset, m->ts, 0)) return;
    bool host = m->device == UINT32_MAX;
    tt_build_memory(&s->b, &(tt_memory_record){.ts = m->ts,
                                               .addr = m->addr,
                                               .bytes = m->bytes,
                                               .allocated = m->allocated,
                                               .reserved = host ? TT_UNKNOWN : m->held,
                                               .text = offset,
                                               .track = thread_track(s, m->tid),
                                               .device_type = host ? 0 : 1,
                                               .device_id = host ? -1 : (int16_t)m->device});
}

static void add_instant(spool *s, int64_t ts, uint64_t offset, uint32_t track, uint32_t name, uint8_t cat)
{
    tt_build_instant(&s->b,
                     &(tt_instant){.ts = ts, .text = offset, .track = track, .name = name, .cat = cat, .scope = 't'});
}

/* Memory pools' events are instants on the thread that names the process. */
static void on_pool(spool *s, const tt_spool_pool *p, uint64_t offset)
{
    uint32_t name = put_name(s, tt_spool_pool_name(p->h.a));
    if (!good_moment(s, offset, p->ts, name)) return;
    add_instant(s, p->ts, offset, thread_track(s, p->tid), name, category(s, "memory_pool"));
}

/* A recording of an event, for later waits; also a slice where the device's time is known. */
static void on_cuda_event(spool *s, const tt_spool_event *e, uint64_t offset)
{
    *tt_vec_push(&s->f.events) = *e;
    if (!e->ts) return;
    tt_spool_add_device(s,
                        &(piece){.cat = "cuda_event",
                                 .name = put_name(s, TT_SPOOL_EVENT_NAME),
                                 .device = e->device,
                                 .stream = e->stream,
                                 .correlation = e->h.a,
                                 .start = e->ts,
                                 .end = e->ts,
                                 .bytes = TT_UNKNOWN},
                        offset);
}

/* Events of unified memory have rows of their own, since they overlap other work. */
static void on_unified(spool *s, const tt_spool_unified *u, uint64_t offset)
{
    int64_t dur, device = tt_spool_unified_device(u);
    uint32_t name = put_name(s, tt_spool_unified_name(u->h.a));
    char p[24], row[24];
    if (!good_time(s, offset, u->start, u->end, name, &dur) || (s->windowed && !in_window(s, u->start))) return;
    snprintf(p, sizeof p, "%" PRId64, device);
    snprintf(row, sizeof row, "%" PRId64, TT_SPOOL_UNIFIED_ROW + u->h.a);
    const char *pid = device < 0 ? s->f.pid : p;
    uint32_t track = tt_build_track_of(&s->b, pid, strlen(pid), row, strlen(row));
    uint8_t cat = category(s, "unified_memory");
    if (tt_spool_unified_is_moment(u)) {
        add_instant(s, u->start, offset, track, name, cat);
        return;
    }
    tt_build_slice(
        &s->b, &(tt_slice_in){.offset = offset, .ts = u->start, .dur = dur, .track = track, .cat = cat, .name = name});
}

static void on_mark(spool *s, const tt_spool_mark *m, uint64_t offset)
{
    uint32_t name = name_of(s, m->h.a);
    if (!good_moment(s, offset, m->ts, name)) return;
    add_instant(s, m->ts, offset, thread_track(s, m->tid), name, range_category(s, m->cat));
}

/* A call stack is a slice without duration on its thread, with the frames as its argument. */
static void on_stack(spool *s, const tt_spool_stack *k, uint64_t offset)
{
    uint32_t name = put_name(s, tt_spool_stack_name(k->h.a));
    if (!good_moment(s, offset, k->ts, name)) return;
    char *text = tt_spool_stack_text(k, k->h.size);
    tt_op_args a = {.stack = put_name(s, text)};
    free(text);
    tt_build_slice(&s->b, &(tt_slice_in){.offset = offset,
                                         .ts = k->ts,
                                         .track = thread_track(s, k->tid),
                                         .cat = category(s, TT_SPOOL_STACK_CATEGORY),
                                         .name = name,
                                         .args = tt_build_op_args(&s->b, &a)});
}

static void on_counter(spool *s, const tt_spool_counter *c, uint64_t offset)
{
    char pid[24];
    uint32_t name = name_of(s, c->h.a);
    if (!good_moment(s, offset, c->ts, name)) return;
    if (c->device >= 0 && s->windowed && !in_window(s, c->ts)) return; /* CUPTI also samples during warmup */
    snprintf(pid, sizeof pid, "%" PRId32, c->device);
    const char *p = c->device < 0 ? s->f.pid : pid, *key = tt_spool_string(&s->f, c->key);
    uint32_t track = tt_build_track_of(&s->b, p, strlen(p), "?", 1);
    if (c->value != c->value || c->value - c->value != 0) {
        tt_problem_add(&s->b.problems, TT_PROBLEM_BAD_NUMBER, (int64_t)offset, key, strlen(key));
        return;
    }
    uint32_t series = tt_build_series(&s->b, track, name, "", 0, key, strlen(key), 0);
    tt_build_counter(&s->b, c->ts);
    tt_build_sample(&s->b, series, c->ts, c->value, 0);
}

static void label(spool *s, uint32_t track, tt_label what, const char *text)
{
    tt_build_label_text(&s->b, track, what, put_name(s, text), 0);
}

static void on_thread(spool *s, const tt_spool_thread *t)
{
    char text[300];
    snprintf(text, sizeof text, "thread %" PRIu32 " (%s)", t->tid, tt_spool_string(&s->f, t->h.a));
    label(s, thread_track(s, t->tid), TT_LABEL_THREAD_NAME, text);
}

static void on_state(spool *s, const tt_spool_state *t)
{
    if (t->h.a) {
        *tt_vec_push(&s->windows) = (window){t->ts, INT64_MAX};
    } else if (s->windows.n) {
        s->windows.at[s->windows.n - 1].t1 = t->ts;
    }
}

static void on_device(spool *s, const void *record)
{
    tt_spool_device whole = {0}, *d = &whole;
    const tt_spool_rec *r = record;
    memcpy(d, record, r->size < sizeof whole ? r->size : sizeof whole);
    for (size_t i = 0; i < s->f.devices.n; i++) {
        if (s->f.devices.at[i].id == d->id) return;
    }
    const char *name = tt_spool_string(&s->f, d->h.a);
    *tt_vec_push(&s->f.devices) = *d;
    *tt_vec_push(&s->h.devices) = (tt_device_props){.id = d->id,
                                                    .name = tt_strings_put(&s->h.strings, name, strlen(name)),
                                                    .memory_bytes = (int64_t)d->memory_bytes,
                                                    .major = d->major,
                                                    .minor = d->minor,
                                                    .sms = d->sms,
                                                    .max_threads_per_sm = (int64_t)d->warps_per_sm * d->warp_size,
                                                    .max_threads_per_block = d->threads_per_block,
                                                    .warp_size = d->warp_size,
                                                    .regs_per_sm = d->regs_per_sm,
                                                    .shared_per_sm = d->shared_per_sm};
}

static void add_arrow_end(spool *s, size_t arrow, bool end)
{
    const tt_spool_forward *f = &s->f.forwards.at[arrow];
    tt_build_flow(&s->b, &(tt_flow){.ts = end ? f->backward : f->start,
                                    .id = tt_build_id(&s->b, f->seq),
                                    .text = TT_SPOOL_ARROW + 2 * arrow + end,
                                    .track = thread_track(s, end ? f->to : f->tid),
                                    .cat = category(s, TT_SPOOL_ARROW_NAME),
                                    .phase = end ? 'f' : 's',
                                    .enclosing = end});
}

/* Pair operators of one sequence number, in order of time: the last one on the first thread is the forward (earlier
 * ones called it, or needed no backward), the first on another thread its backward. */
static void pair_forwards(spool *s)
{
    size_t kept = 0;
    TT_SORT_BY(s->f.forwards.at, s->f.forwards.n, TT_ASC(tt_spool_forward, seq), TT_ASC(tt_spool_forward, start));
    for (size_t i = 0, next; i < s->f.forwards.n; i = next) {
        tt_spool_forward f = s->f.forwards.at[i];
        for (next = i + 1; next < s->f.forwards.n && s->f.forwards.at[next].seq == f.seq; next++) {
            const tt_spool_forward *o = &s->f.forwards.at[next];
            if (f.to) continue;
            if (o->tid == f.tid) f.start = o->start;
            if (o->tid != f.tid) f.to = o->tid, f.backward = o->start;
        }
        s->f.forwards.at[kept++] = f;
    }
    s->f.forwards.n = kept;
    for (size_t i = 0; i < kept; i++) {
        if (!s->f.forwards.at[i].to) continue;
        add_arrow_end(s, i, false);
        add_arrow_end(s, i, true);
    }
}

static void find_event(const spool *s, const tt_spool_sync *wait, tt_device_in *device)
{
    const tt_spool_event *e = tt_spool_waited_for(&s->f, wait);
    if (!e || e->h.a > INT32_MAX) return;
    device->wait_record = e->h.a;
    device->wait_stream = e->stream;
}

/* Device work that was launched before the ring begins is left out, like ranges that ended before. Keep late device
 * work of a windowed recording if its call was in a window, or, without recorded calls, if it began in one. In any
 * recording resolve waits for events. */
void tt_spool_resolve_device_work(spool *s)
{
    TT_SORT_UP(s->correlations.at, s->correlations.n);
    TT_SORT_BY(s->f.events.at, s->f.events.n, TT_ASC(tt_spool_event, event), TT_ASC(tt_spool_event, h.a));
    for (size_t i = 0; i < s->late.n; i++) {
        late *l = &s->late.at[i];
        if (l->wait) find_event(s, &s->waits.at[l->wait - 1], &l->device);
        bool keep = !s->windowed ? true
                    : s->correlations.n
                        ? TT_SORTED_FIND(s->correlations.at, s->correlations.n, l->correlation) < s->correlations.n
                        : in_window(s, l->slice.ts);
        if (s->least_correlation != UINT32_MAX && !l->unfinished) keep = keep && !launched_before(s, l->correlation);
        if (keep) tt_build_device(&s->b, &l->slice, &l->device);
    }
    s->late.n = 0;
    s->windowed = false; /* slices made from here on are kept */
    pair_forwards(s);
}

/* Order of processes: above any pid, and below the offset between workers in a merged export. GPUs as in Kineto's
 * traces. */
enum { GPU_SORT = 5000000, OVERHEAD_SORT = 9000000 };

static void label_process(spool *s, uint32_t track, const char *name, const char *labels, int64_t sort)
{
    label(s, track, TT_LABEL_PROCESS_NAME, name);
    if (labels) label(s, track, TT_LABEL_PROCESS_LABELS, labels);
    tt_build_label_number(&s->b, track, TT_LABEL_PROCESS_SORT, sort, 0);
}

/* Name of a row from its number and its thread or stream. */
static void row_name(const spool *s, uint32_t t, int64_t number, const char *tid, char *out, size_t cap)
{
    if (number > TT_SPOOL_UNFINISHED_ROW) {
        snprintf(out, cap, "stream %" PRId64 ": not finished", number - TT_SPOOL_UNFINISHED_ROW);
        return;
    }
    if (tt_spool_call_row_name(s, number, out, cap)) return;
    if (number > TT_SPOOL_UNIFIED_ROW)
        snprintf(out, cap, "%s", tt_spool_unified_row((uint32_t)(number - TT_SPOOL_UNIFIED_ROW)));
    else
        snprintf(out, cap, tt_build_is_stream(&s->b, t) ? "stream %s" : "thread %s", tid);
}

static void label_track(spool *s, uint32_t t, bool named)
{
    char text[160];
    const char *pid = tt_str(&s->b.names, s->b.tracks.at[t].pid), *tid = tt_str(&s->b.names, s->b.tracks.at[t].tid);
    int64_t process = strtoll(pid, NULL, 10), number = strtoll(tid, NULL, 10);
    bool cpu = !strcmp(pid, s->f.pid), overhead = !strcmp(pid, "-1");
    if (cpu) {
        label_process(s, t, s->process, "CPU", process);
    } else if (overhead) {
        label_process(s, t, "CUPTI Overhead", NULL, OVERHEAD_SORT);
    } else {
        snprintf(text, sizeof text, "GPU %s", pid);
        label_process(s, t, s->process, text, GPU_SORT + process);
    }
    if (!strcmp(tid, "?")) return; /* a track of counters only */
    row_name(s, t, number, tid, text, sizeof text);
    if (!named) label(s, t, TT_LABEL_THREAD_NAME, text);
    tt_build_label_number(&s->b, t, TT_LABEL_THREAD_SORT, number, 0);
}

/* Name the tracks, as the JSON traces do by metadata events. */
void tt_spool_label_tracks(spool *s)
{
    size_t n = s->b.tracks.n;
    bool *named = tt_calloc(n + 1, sizeof *named);
    for (size_t i = 0; i < s->b.labels.n; i++) {
        if (s->b.labels.at[i].what == TT_LABEL_THREAD_NAME) named[s->b.labels.at[i].track] = true;
    }
    for (uint32_t t = 0; t < n; t++) label_track(s, t, named[t]);
    free(named);
}

bool tt_spool_on_event(spool *s, const tt_spool_rec *r, uint64_t offset)
{
    const void *p = r;
    switch (r->type) {
    case TT_SPOOL_RANGE: tt_spool_on_range(s, p, offset); return true;
    case TT_SPOOL_MARK: on_mark(s, p, offset); return true;
    case TT_SPOOL_COUNTER: on_counter(s, p, offset); return true;
    case TT_SPOOL_THREAD: on_thread(s, p); return true;
    case TT_SPOOL_STATE: on_state(s, p); return true;
    case TT_SPOOL_API: on_api(s, p, offset); return true;
    case TT_SPOOL_KERNEL:
        tt_spool_note_kernel(s, p);
        on_kernel(s, p, offset);
        return true;
    case TT_SPOOL_COPY:
    case TT_SPOOL_SET: on_copy(s, p, offset); return true;
    case TT_SPOOL_SYNC: on_sync(s, p, offset); return true;
    case TT_SPOOL_OVERHEAD: on_overhead(s, p, offset); return true;
    case TT_SPOOL_MEMORY: on_memory(s, p, offset); return true;
    case TT_SPOOL_POOL: on_pool(s, p, offset); return true;
    case TT_SPOOL_DEVICE: on_device(s, p); return true;
    case TT_SPOOL_GRAPH: on_graph(s, p, offset); return true;
    case TT_SPOOL_EVENT: on_cuda_event(s, p, offset); return true;
    case TT_SPOOL_UNIFIED: on_unified(s, p, offset); return true;
    case TT_SPOOL_STACK: on_stack(s, p, offset); return true;
    default: return false;
    }
}
