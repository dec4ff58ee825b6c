/* The recorder's spool files into a store: block by block, and record by record straight into the builder.
 *
 * The first block that is damaged ends the reading: blocks are written one after another, so what is behind it cannot be trusted to be
 * whole. When only parts of the run were recorded, device work is kept if the call that launched it was.                */
#include "parser/spool.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parser/format.h"
#include "parser/jsonstr.h"
#include "parser/walk.h"

typedef struct range_key {
    int64_t start;
    uint32_t tid;
} range_key;

typedef struct open_range {
    range_key key;
    tt_spool_range r;
    uint64_t place;
} open_range;

typedef struct window {
    int64_t t0, t1;
} window;

typedef struct late { /* a piece of device work whose fate is not known yet */
    uint32_t track;
    tt_rec r;
    uint32_t corr;
    bool work;
} late;

typedef struct spool {
    tt_source *source;
    tt_reader_progress *progress;
    const tt_reader_hooks *hooks;
    unsigned char *block;
    size_t cap;
    uint64_t place; /* of the next byte of the file */
    uint32_t seq;   /* of the next block */
    tt_status status;
    tt_err err;
    tt_builder b;
    tt_build_header h;
    tt_spool_facts f;
    TT_VEC(uint32_t) names; /* id in the file -> name in the builder + 1 */
    struct {
        uint8_t plain, step;
        bool have;
    } cats[TT_SPOOL_CAT_COUNT_];
    TT_VEC(open_range) opens;
    TT_VEC(range_key) closed; /* ranges that an OPEN record was written for */
    bool windowed;            /* only parts of the run were recorded */
    TT_VEC(window) windows;
    TT_VEC(uint32_t) corrs; /* of calls that were kept, when windowed */
    TT_VEC(late) late;
    uint64_t drops[TT_SPOOL_DROP_COUNT_];
    uint64_t unknown;
    bool ended;
    char process[128];
    uint64_t told;
} spool;

/* ---- strings, tracks, categories ---- */

static uint32_t name_of(spool *s, uint32_t id)
{
    if (id >= s->f.by_id.n) return 0;
    while (s->names.n < s->f.by_id.n) *tt_vec_push(&s->names) = 0;
    if (!s->names.at[id]) {
        const char *text = tt_str(&s->f.text, s->f.by_id.at[id]);
        s->names.at[id] = 1 + tt_strings_put(&s->b.names, text, s->f.text.len.at[s->f.by_id.at[id]]);
    }
    return s->names.at[id] - 1;
}

static uint32_t put_name(spool *s, const char *text) { return tt_strings_put(&s->b.names, text, strlen(text)); }

static uint32_t thread_track(spool *s, uint32_t tid)
{
    char t[16];
    int n = snprintf(t, sizeof t, "%" PRIu32, tid);
    return tt_build_track_of(&s->b, s->f.pid, strlen(s->f.pid), t, (size_t)n);
}

static uint32_t stream_track(spool *s, uint32_t device, uint32_t stream)
{
    char p[16], t[24];
    int n = snprintf(p, sizeof p, "%" PRIu32, device), m = snprintf(t, sizeof t, "%" PRId64, tt_spool_stream(stream));
    return tt_build_track_of(&s->b, p, (size_t)n, t, (size_t)m);
}

static uint8_t category(spool *s, const char *cat)
{
    return tt_build_category(&s->b, put_name(s, cat), tt_category_kind(cat, strlen(cat), false));
}

static uint8_t range_category(spool *s, unsigned cat, const char *name)
{
    if (cat >= TT_SPOOL_CAT_COUNT_) cat = TT_SPOOL_CAT_USER;
    if (!s->cats[cat].have) {
        const char *text = tt_spool_category(cat);
        s->cats[cat].plain = category(s, text);
        tt_kind kind = s->b.cats[s->cats[cat].plain].kind;
        bool may = kind == TT_KIND_CPU_OP || kind == TT_KIND_ANNOTATION;
        s->cats[cat].step = may ? tt_build_category(&s->b, put_name(s, text), TT_KIND_STEP) : s->cats[cat].plain;
        s->cats[cat].have = true;
    }
    return !strncmp(name, "ProfilerStep#", 13) && strlen(name) > 13 ? s->cats[cat].step : s->cats[cat].plain;
}

/* ---- events ---- */

static bool good_time(spool *s, uint64_t place, int64_t *start, int64_t *end, uint32_t name)
{
    const char *text = tt_str(&s->b.names, name);
    if (*start < -TT_TIME_MAX || *start > TT_TIME_MAX) {
        tt_problem_add(&s->b.problems, TT_PROBLEM_BAD_TIME, (int64_t)place, text, strlen(text));
        return false;
    }
    if (*end < *start || *end > TT_TIME_MAX) {
        tt_problem_add(&s->b.problems, TT_PROBLEM_BAD_DURATION, (int64_t)place, text, strlen(text));
        *end = *start;
    }
    return true;
}

static tt_rec rec_of(int64_t start, int64_t end, uint64_t place, uint8_t cat, uint32_t name, uint32_t side)
{
    return (tt_rec){.ts = start, .dur = end - start, .text_cat = place << 8 | cat, .name = name, .side = side};
}

static void add_slice(spool *s, uint32_t track, tt_rec r)
{
    if (tt_kind_is_device(s->b.cats[r.text_cat & 0xFF].kind)) s->b.tracks.at[track].device_slices++;
    tt_build_time(&s->b, r.ts, r.ts + r.dur);
    *tt_build_slice(&s->b, track) = r;
    s->b.n_events++;
}

static void on_range(spool *s, const tt_spool_range *r, uint64_t place)
{
    int64_t start = r->start, end = r->end;
    uint32_t name = name_of(s, r->h.a), args = 0;
    if (!good_time(s, place, &start, &end, name)) return;
    const char *shapes = tt_spool_string(&s->f, r->shapes);
    if (*shapes == '[') {
        tt_op_args a = {.shapes = tt_strings_put(&s->b.texts, shapes, strlen(shapes))};
        args = tt_build_op_args(&s->b, &a);
    }
    uint8_t cat = range_category(s, r->cat, tt_str(&s->b.names, name));
    tt_rec rec = rec_of(start, end, place, cat, name, args);
    rec.ext = r->external ? tt_build_id(&s->b, r->external) : 0;
    add_slice(s, thread_track(s, r->tid), rec);
    if (r->flags & TT_SPOOL_WAS_OPEN) *tt_vec_push(&s->closed) = (range_key){r->start, r->tid};
}

static bool in_window(const spool *s, int64_t t)
{
    for (size_t i = s->windows.n; i-- > 0;) {
        if (t >= s->windows.at[i].t0) return t < s->windows.at[i].t1;
    }
    return false;
}

static void on_api(spool *s, const tt_spool_api *a, uint64_t place)
{
    int64_t start = a->start, end = a->end;
    uint32_t name = name_of(s, a->h.a);
    if (!good_time(s, place, &start, &end, name) || (s->windowed && !in_window(s, start))) return;
    uint8_t cat = category(s, a->kind == TT_SPOOL_API_DRIVER ? "cuda_driver" : "cuda_runtime");
    tt_rec rec = rec_of(start, end, place, cat, name, TT_NONE);
    rec.corr = tt_build_id(&s->b, a->corr);
    rec.ext = a->external ? tt_build_id(&s->b, a->external) : 0;
    add_slice(s, thread_track(s, a->tid), rec);
    if (s->windowed && a->corr) *tt_vec_push(&s->corrs) = a->corr;
}

/* What the kinds of device work have in common. */
typedef struct piece {
    const char *cat;
    uint32_t name, device, stream, corr, shape;
    int64_t start, end, bytes;
    bool work;
} piece;

static void add_device(spool *s, const piece *p, uint64_t place)
{
    int64_t start = p->start, end = p->end;
    if (!good_time(s, place, &start, &end, p->name)) return;
    *tt_vec_push(&s->b.dev) = (tt_dev){.row = TT_NONE,
                                       .launch = TT_NONE,
                                       .bytes = p->bytes,
                                       .stream = tt_spool_stream(p->stream),
                                       .device = p->device < INT32_MAX ? (int32_t)p->device : -1,
                                       .shape = p->shape};
    tt_rec rec = rec_of(start, end, place, category(s, p->cat), p->name, (uint32_t)s->b.dev.n - 1);
    rec.corr = tt_build_id(&s->b, p->corr);
    uint32_t track = stream_track(s, p->device, p->stream);
    if (s->windowed) {
        *tt_vec_push(&s->late) = (late){track, rec, p->corr, p->work};
    } else {
        add_slice(s, track, rec);
    }
}

static uint32_t triple(spool *s, const int32_t v[3])
{
    char t[64];
    int n = snprintf(t, sizeof t, "[%" PRId32 ", %" PRId32 ", %" PRId32 "]", v[0], v[1], v[2]);
    return tt_strings_put(&s->b.texts, t, (size_t)n);
}

static void on_kernel(spool *s, const tt_spool_kernel *k, uint64_t place)
{
    tt_spool_launch l = tt_spool_launch_of(&s->f, k);
    tt_launch_shape shape;
    memset(&shape, 0, sizeof shape); /* padding too: the bytes are the key */
    shape.grid = triple(s, k->grid);
    shape.block = triple(s, k->block);
    shape.registers = k->registers;
    shape.shared_bytes = (int64_t)k->shared_static + k->shared_dynamic;
    shape.blocks_per_sm = l.blocks_per_sm;
    shape.warps_per_sm = l.warps_per_sm;
    shape.occupancy_pct = l.occupancy_pct;
    add_device(s,
               &(piece){.cat = "kernel",
                        .name = name_of(s, k->h.a),
                        .device = k->device,
                        .stream = k->stream,
                        .corr = k->corr,
                        .shape = tt_build_shape(&s->b, &shape),
                        .start = k->start,
                        .end = k->end,
                        .bytes = TT_UNKNOWN,
                        .work = true},
               place);
}

static void on_copy(spool *s, const tt_spool_copy *c, uint64_t place)
{
    char name[96];
    bool set = c->h.type == TT_SPOOL_SET;
    const char *text = set ? tt_spool_set_name(c, name, sizeof name) : tt_spool_copy_name(c, name, sizeof name);
    add_device(s,
               &(piece){.cat = set ? "gpu_memset" : "gpu_memcpy",
                        .name = put_name(s, text),
                        .device = c->device,
                        .stream = c->stream,
                        .corr = c->h.a,
                        .start = c->start,
                        .end = c->end,
                        .bytes = c->bytes <= INT64_MAX ? (int64_t)c->bytes : TT_UNKNOWN,
                        .work = true},
               place);
}

static void on_sync(spool *s, const tt_spool_sync *y, uint64_t place)
{
    add_device(s,
               &(piece){.cat = "cuda_sync",
                        .name = put_name(s, tt_spool_sync_name(y->kind)),
                        .device = y->device,
                        .stream = y->stream,
                        .corr = y->h.a,
                        .start = y->start,
                        .end = y->end,
                        .bytes = TT_UNKNOWN},
               place);
}

static void on_graph(spool *s, const tt_spool_graph *g, uint64_t place)
{
    char name[40];
    add_device(s,
               &(piece){.cat = "kernel",
                        .name = put_name(s, tt_spool_graph_name(g->graph, name, sizeof name)),
                        .device = g->device,
                        .stream = g->stream,
                        .corr = g->h.a,
                        .start = g->start,
                        .end = g->end,
                        .bytes = TT_UNKNOWN,
                        .work = true},
               place);
}

static void on_overhead(spool *s, const tt_spool_overhead *o, uint64_t place)
{
    int64_t start = o->start, end = o->end;
    uint32_t name = put_name(s, tt_spool_overhead_name(o->h.a));
    if (!good_time(s, place, &start, &end, name) || (s->windowed && !in_window(s, start))) return;
    add_slice(s, tt_build_track_of(&s->b, "-1", 2, "0", 1),
              rec_of(start, end, place, category(s, "overhead"), name, 0));
}

static void on_memory(spool *s, const tt_spool_memory *m, uint64_t place)
{
    int64_t ts = m->ts, end = ts;
    if (!good_time(s, place, &ts, &end, 0)) return;
    bool host = m->device == UINT32_MAX;
    *tt_vec_push(&s->b.memory) = (tt_memory_record){.ts = ts,
                                                    .addr = m->addr,
                                                    .bytes = m->bytes,
                                                    .allocated = m->allocated,
                                                    .reserved = TT_UNKNOWN,
                                                    .text = place,
                                                    .track = thread_track(s, m->tid),
                                                    .device_type = host ? 0 : 1,
                                                    .device_id = host ? -1 : (int16_t)m->device,
                                                    .peak_allocated = TT_UNKNOWN,
                                                    .peak_reserved = TT_UNKNOWN};
    tt_build_time(&s->b, ts, ts);
    s->b.n_events++;
}

static void on_mark(spool *s, const tt_spool_mark *m, uint64_t place)
{
    int64_t ts = m->ts, end = ts;
    uint32_t name = name_of(s, m->h.a);
    if (!good_time(s, place, &ts, &end, name)) return;
    *tt_vec_push(&s->b.instants) = (tt_instant){.ts = ts,
                                                .text = place,
                                                .track = thread_track(s, m->tid),
                                                .name = name,
                                                .cat = range_category(s, m->cat, ""),
                                                .scope = 't'};
    tt_build_time(&s->b, ts, ts);
    s->b.n_events++;
}

static void on_counter(spool *s, const tt_spool_counter *c, uint64_t place)
{
    int64_t ts = c->ts, end = ts;
    char pid[24];
    uint32_t name = name_of(s, c->h.a);
    if (!good_time(s, place, &ts, &end, name)) return;
    snprintf(pid, sizeof pid, "%" PRId32, c->device);
    const char *p = c->device < 0 ? s->f.pid : pid, *key = tt_spool_string(&s->f, c->key);
    uint32_t track = tt_build_track_of(&s->b, p, strlen(p), "?", 1);
    if (c->value != c->value || c->value - c->value != 0) {
        tt_problem_add(&s->b.problems, TT_PROBLEM_BAD_NUMBER, (int64_t)place, key, strlen(key));
        return;
    }
    uint32_t series = tt_build_series(&s->b, track, name, "", 0, key, strlen(key));
    *tt_vec_push(&s->b.samples) = (tt_build_sample){ts, c->value, series};
    tt_build_time(&s->b, ts, ts);
    s->b.n_events++;
}

static void label(spool *s, uint32_t track, int what, const char *text, int64_t number)
{
    tt_build_label *l = tt_vec_push(&s->b.labels);
    *l = (tt_build_label){.track = track, .text = text ? put_name(s, text) : 0, .number = number};
    l->what = what;
}

static void on_thread(spool *s, const tt_spool_thread *t)
{
    char text[300];
    snprintf(text, sizeof text, "thread %" PRIu32 " (%s)", t->tid, tt_spool_string(&s->f, t->h.a));
    label(s, thread_track(s, t->tid), TT_LABEL_THREAD_NAME, text, 0);
}

static void on_state(spool *s, const tt_spool_state *t)
{
    if (t->h.a) {
        *tt_vec_push(&s->windows) = (window){t->ts, INT64_MAX};
    } else if (s->windows.n) {
        s->windows.at[s->windows.n - 1].t1 = t->ts;
    }
}

static void on_device(spool *s, const tt_spool_device *d)
{
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

/* ---- facts ---- */

static void on_string(spool *s, const tt_spool_text *t)
{
    if (t->h.a >= s->f.by_id.n + ((uint32_t)1 << 16)) return; /* ids are dense: this one is damage */
    while (s->f.by_id.n <= t->h.a) *tt_vec_push(&s->f.by_id) = 0;
    char *text = tt_malloc(2 * (size_t)t->len + 1);
    size_t n = 0;
    for (uint32_t i = 0; i < t->len; i++) { /* a string cannot hold a NUL */
        if (!t->text[i]) text[n++] = (char)0xC0;
        text[n++] = t->text[i] ? t->text[i] : (char)0x80;
    }
    s->f.by_id.at[t->h.a] = tt_strings_put(&s->f.text, text, n);
    free(text);
}

static void meta(spool *s, const char *key, const char *value, size_t len)
{
    char *text = tt_malloc(len + 1);
    bool quoted = len >= 2 && value[0] == '"' && value[len - 1] == '"';
    size_t n = len;
    if (quoted) {
        n = tt_json_unescape(value + 1, len - 2, text, NULL);
    } else {
        memcpy(text, value, len);
    }
    text[n] = 0;
    *tt_vec_push(&s->h.meta) =
        (tt_meta){tt_strings_put(&s->h.strings, key, strlen(key)), tt_strings_put(&s->h.strings, text, n)};
    if (!strcmp(key, "pid")) snprintf(s->f.pid, sizeof s->f.pid, "%s", text);
    if (!strcmp(key, "baseTimeNanoseconds")) s->f.base = strtoll(text, NULL, 10);
    if (!strcmp(key, "process")) snprintf(s->process, sizeof s->process, "%s", text);
    if (!strcmp(key, "windowed")) s->windowed = !strcmp(text, "true");
    if (!strcmp(key, "rank")) s->h.rank = strtoll(text, NULL, 10);
    if (!strcmp(key, "world_size")) s->h.world_size = strtoll(text, NULL, 10);
    free(text);
}

static void on_meta(spool *s, const tt_spool_text *t)
{
    size_t key = strnlen(t->text, t->len);
    if (key < t->len) meta(s, t->text, t->text + key + 1, t->len - key - 1);
}

/* ---- the file ---- */

static void on_record(spool *s, const tt_spool_rec *r, uint64_t place)
{
    const void *p = r;
    if (r->type == TT_SPOOL_META || r->type == TT_SPOOL_STRING) {
        if (((const tt_spool_text *)p)->len > r->size - sizeof(tt_spool_text)) return;
    }
    switch (r->type) {
    case TT_SPOOL_META: on_meta(s, p); break;
    case TT_SPOOL_STRING: on_string(s, p); break;
    case TT_SPOOL_RANGE: on_range(s, p, place); break;
    case TT_SPOOL_OPEN: {
        const tt_spool_range *o = p;
        *tt_vec_push(&s->opens) = (open_range){{o->start, o->tid}, *o, place};
        break;
    }
    case TT_SPOOL_MARK: on_mark(s, p, place); break;
    case TT_SPOOL_COUNTER: on_counter(s, p, place); break;
    case TT_SPOOL_THREAD: on_thread(s, p); break;
    case TT_SPOOL_STATE: on_state(s, p); break;
    case TT_SPOOL_API: on_api(s, p, place); break;
    case TT_SPOOL_KERNEL: on_kernel(s, p, place); break;
    case TT_SPOOL_COPY:
    case TT_SPOOL_SET: on_copy(s, p, place); break;
    case TT_SPOOL_SYNC: on_sync(s, p, place); break;
    case TT_SPOOL_OVERHEAD: on_overhead(s, p, place); break;
    case TT_SPOOL_MEMORY: on_memory(s, p, place); break;
    case TT_SPOOL_DEVICE: on_device(s, p); break;
    case TT_SPOOL_GRAPH: on_graph(s, p, place); break;
    case TT_SPOOL_DROPS:
        if (r->a < TT_SPOOL_DROP_COUNT_) s->drops[r->a] = ((const tt_spool_drops *)p)->count;
        break;
    case TT_SPOOL_END: s->ended = true; break;
    case TT_SPOOL_STEP:
    case TT_SPOOL_CLOCK:
    case TT_SPOOL_CONTEXT: break; /* for other tools: nothing here needs them */
    default: s->unknown++;
    }
}

static bool read_fully(spool *s, void *out, size_t n, size_t *got)
{
    *got = 0;
    while (*got < n && s->status == TT_OK) {
        size_t k = 0;
        s->status = tt_source_read(s->source, (char *)out + *got, n - *got, &k, &s->err);
        if (!k) break;
        *got += k;
    }
    atomic_fetch_add_explicit(&s->progress->text_bytes, *got, memory_order_relaxed);
    return *got == n && s->status == TT_OK;
}

static void damaged(spool *s, tt_problem_kind kind, const char *what)
{
    tt_problem_add(&s->h.problems, kind, (int64_t)s->place, what, strlen(what));
}

/* The records of the next block; false at the end. */
static bool next_block(spool *s)
{
    tt_spool_block head;
    size_t got;
    if (!read_fully(s, &head, sizeof head, &got)) {
        if (got) damaged(s, TT_PROBLEM_TRUNCATED, "block header");
        return false;
    }
    bool good = !memcmp(head.magic, TT_SPOOL_MAGIC, 4) && head.len <= TT_SPOOL_BLOCK_MOST && head.len % 8 == 0;
    if (!good || head.seq != s->seq) {
        damaged(s, TT_PROBLEM_MALFORMED_EVENT, "block header");
        return false;
    }
    if (head.len > s->cap) {
        s->cap = head.len;
        s->block = tt_realloc(s->block, s->cap, 1);
    }
    if (!read_fully(s, s->block, head.len, &got)) {
        damaged(s, TT_PROBLEM_TRUNCATED, "block");
        return false;
    }
    if (tt_spool_sum(s->block, head.len) != head.sum) {
        damaged(s, TT_PROBLEM_MALFORMED_EVENT, "block with a wrong checksum");
        return false;
    }
    s->seq++;
    s->place += sizeof head;
    for (size_t at = 0; at + sizeof(tt_spool_rec) <= head.len;) {
        const tt_spool_rec *r = (const void *)(s->block + at);
        if (r->size < sizeof *r || r->size % 8 || r->size > head.len - at || r->size < tt_spool_least(r->type)) {
            damaged(s, TT_PROBLEM_MALFORMED_EVENT, "record");
            return false;
        }
        on_record(s, r, s->place + at);
        at += r->size;
    }
    s->place += head.len;
    return !atomic_load(&s->progress->cancel);
}

static int key_order(const void *a, const void *b)
{
    const range_key *x = a, *y = b;
    if (x->start != y->start) return x->start < y->start ? -1 : 1;
    return x->tid < y->tid ? -1 : x->tid > y->tid;
}

/* Ranges that never ended last until the end of the recording. */
static void close_ranges(spool *s)
{
    s->f.end = s->b.max_ts > s->b.min_ts ? s->b.max_ts : s->b.min_ts;
    for (size_t i = 0; i < s->opens.n; i++) {
        if (s->opens.at[i].key.start > s->f.end || s->f.end == INT64_MAX) s->f.end = s->opens.at[i].key.start;
    }
    if (s->closed.n) qsort(s->closed.at, s->closed.n, sizeof *s->closed.at, key_order);
    if (s->opens.n) qsort(s->opens.at, s->opens.n, sizeof *s->opens.at, key_order); /* the key is the first member */
    for (size_t i = 0; i < s->opens.n; i++) {
        open_range *o = &s->opens.at[i];
        if (i && !key_order(&o->key, &s->opens.at[i - 1].key)) continue;
        if (s->closed.n && bsearch(&o->key, s->closed.at, s->closed.n, sizeof *s->closed.at, key_order)) continue;
        o->r.end = s->f.end;
        on_range(s, &o->r, o->place);
        const char *name = tt_spool_string(&s->f, o->r.h.a);
        tt_problem_add(&s->b.problems, TT_PROBLEM_UNMATCHED_BEGIN, (int64_t)o->place, name, strlen(name));
    }
}

static int id_order(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Device work of a windowed recording: what was launched in a window; where no calls were recorded, what began in one. */
static void settle_late(spool *s)
{
    if (s->corrs.n) qsort(s->corrs.at, s->corrs.n, sizeof *s->corrs.at, id_order);
    for (size_t i = 0; i < s->late.n; i++) {
        const late *l = &s->late.at[i];
        bool keep = s->corrs.n ? bsearch(&l->corr, s->corrs.at, s->corrs.n, sizeof l->corr, id_order) != NULL
                               : in_window(s, l->r.ts);
        if (keep) add_slice(s, l->track, l->r);
    }
}

static void count_losses(spool *s)
{
    static const char *const keys[] = {
#define X(id, key, meaning) key ": " meaning,
        TT_SPOOL_CAUSES(X)
#undef X
    };
    for (int i = 0; i < TT_SPOOL_DROP_COUNT_; i++) {
        if (s->drops[i]) tt_problem_add_n(&s->h.problems, TT_PROBLEM_RECORDER_DROPS, s->drops[i], -1, keys[i]);
    }
    if (s->unknown)
        tt_problem_add_n(&s->h.problems, TT_PROBLEM_UNKNOWN_PHASE, s->unknown, -1, "record of an unknown type");
    if (!s->ended) tt_problem_add(&s->h.problems, TT_PROBLEM_UNCLEAN_END, (int64_t)s->place, "", 0);
}

/* What the JSON traces say in metadata events. */
static void label_tracks(spool *s)
{
    size_t n = s->b.tracks.n;
    for (uint32_t t = 0; t < n; t++) {
        char text[160];
        bool device = s->b.tracks.at[t].device_slices > 0;
        const char *pid = tt_str(&s->b.names, s->b.tracks.at[t].pid), *tid = tt_str(&s->b.names, s->b.tracks.at[t].tid);
        if (device) {
            snprintf(text, sizeof text, "stream %s", tid);
            label(s, t, TT_LABEL_THREAD_NAME, text, 0);
            snprintf(text, sizeof text, "GPU %s", pid);
            label(s, t, TT_LABEL_PROCESS_LABELS, text, 0);
            label(s, t, TT_LABEL_PROCESS_SORT, NULL, 5000000 + strtoll(pid, NULL, 10));
            label(s, t, TT_LABEL_PROCESS_NAME, s->process, 0);
        } else if (!strcmp(pid, s->f.pid)) {
            label(s, t, TT_LABEL_PROCESS_NAME, s->process, 0);
            label(s, t, TT_LABEL_PROCESS_LABELS, "CPU", 0);
        }
    }
}

/* The devices as the JSON traces list them. */
static void device_meta(spool *s)
{
    TT_VEC(char) t = {0};
    for (size_t i = 0; i < s->f.devices.n; i++) {
        const tt_spool_device *d = &s->f.devices.at[i];
        char name[256];
        tt_vec_reserve(&t, t.n + 1024);
        size_t n = 0;
        for (const char *p = tt_spool_string(&s->f, d->h.a); *p && n + 2 < sizeof name; p++) {
            if (*p != '"' && *p != '\\' && (unsigned char)*p >= 0x20) name[n++] = *p;
        }
        name[n] = 0;
        t.n += (size_t)snprintf(
            t.at + t.n, t.cap - t.n,
            "%s{\"id\": %" PRIu32 ", \"name\": \"%s\", \"totalGlobalMem\": %" PRIu64 ", \"computeMajor\": %" PRIu32
            ", \"computeMinor\": %" PRIu32 ", \"maxThreadsPerBlock\": %" PRIu32
            ", \"maxThreadsPerMultiprocessor\": %" PRIu64 ", \"regsPerBlock\": %" PRIu32 ", \"warpSize\": %" PRIu32
            ", \"sharedMemPerBlock\": %" PRIu32 ", \"numSms\": %" PRIu32 ", \"regsPerMultiprocessor\": %" PRIu32
            ", \"sharedMemPerMultiprocessor\": %" PRIu32 "}",
            i ? ", " : "[", d->id, name, d->memory_bytes, d->major, d->minor, d->threads_per_block,
            (uint64_t)d->warps_per_sm * d->warp_size, d->regs_per_block, d->warp_size, d->shared_per_block, d->sms,
            d->regs_per_sm, d->shared_per_sm);
        if (i + 1 == s->f.devices.n) t.at[t.n++] = ']';
    }
    if (t.n) meta(s, "deviceProperties", t.at, t.n);
    tt_vec_free(&t);
}

/* ---- entry points ---- */

static size_t as_is(const char *in, size_t len, char *out)
{
    memcpy(out, in, len);
    return len;
}

static size_t decode(const char *in, size_t len, char *out, bool *bad)
{
    (void)bad;
    return as_is(in, len, out);
}

static void start(spool *s, const tt_reader_names *names)
{
    tt_builder_init(&s->b);
    tt_strings_init(&s->f.text);
    tt_strings_init(&s->h.strings);
    *tt_vec_push(&s->f.by_id) = 0;
    snprintf(s->f.pid, sizeof s->f.pid, "?");
    s->h.path = tt_strdup(names->path);
    s->h.worker = tt_strdup(names->worker);
    s->h.span = tt_strdup(names->span);
    s->h.rank = names->rank;
    s->h.world_size = -1;
    s->h.format = TT_FORMAT_KINETO;
}

static void spool_free(spool *s, bool whole)
{
    if (whole) { /* else the store has it */
        free(s->h.path);
        free(s->h.worker);
        free(s->h.span);
        tt_strings_free(&s->h.strings);
        tt_vec_free(&s->h.meta);
        tt_vec_free(&s->h.devices);
        tt_strings_free(&s->f.text);
        tt_vec_free(&s->f.by_id);
        tt_vec_free(&s->f.devices);
    }
    tt_builder_free(&s->b);
    tt_vec_free(&s->names);
    tt_vec_free(&s->opens);
    tt_vec_free(&s->closed);
    tt_vec_free(&s->windows);
    tt_vec_free(&s->corrs);
    tt_vec_free(&s->late);
    free(s->block);
}

static void read_blocks(spool *s)
{
    while (next_block(s)) {
        atomic_fetch_add_explicit(&s->progress->events, s->b.n_events - s->told, memory_order_relaxed);
        s->told = s->b.n_events;
        if (s->hooks->notify) s->hooks->notify(s->hooks->arg);
    }
}

tt_status tt_read_spool(tt_source *source, const tt_reader_names *names, unsigned threads, tt_reader_progress *progress,
                        const tt_reader_hooks *hooks, tt_store **out, tt_err *err)
{
    spool s = {.source = source, .progress = progress, .hooks = hooks};
    const tt_build_codec codec = {.decode = decode, .tidy = as_is};
    tt_builder *builder = &s.b;
    *out = NULL;
    start(&s, names);
    atomic_store(&progress->phase, "reading");
    read_blocks(&s);
    if (s.status == TT_OK && !s.seq && !atomic_load(&progress->cancel)) {
        s.status = tt_fail(&s.err, TT_ERR_INPUT, 0, "%s: a recording whose first block is damaged; nothing can be read",
                           names->path);
    }
    tt_status status = s.status;
    if (status != TT_OK) {
        if (err) *err = s.err;
        tt_source_close(source);
    } else {
        close_ranges(&s);
        settle_late(&s);
        count_losses(&s);
        label_tracks(&s);
        device_meta(&s);
        s.b.sub_us = true;
        s.h.text_bytes = s.place;
        tt_read_note(source, progress, s.place, &s.h.problems);
        atomic_store(&progress->phase, "sorting and linking");
        *out = tt_build_finish(&builder, 1, &s.h, &codec, true, threads);
        (*out)->text = tt_spool_text_new(tt_source_text(source), &s.f);
    }
    spool_free(&s, status != TT_OK);
    return status;
}

bool tt_spool_sniff(const char *head, size_t len) { return len >= 4 && !memcmp(head, TT_SPOOL_MAGIC, 4); }

bool tt_spool_span(const char *head, size_t len, char *out, size_t cap)
{
    (void)head, (void)len, (void)out, (void)cap; /* the name of the file says it */
    return false;
}
