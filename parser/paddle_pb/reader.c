/* parser/paddle_pb/reader.c - loads Paddle's protobuf dump: exact nanoseconds, and no text to repair.
 *
 * The dump is read as a stream: the buffer holds one node of the host tree at a time (a host event with its runtime
 * calls, device work and memory events). Node numbers are not used: nesting by time gives the same tree. Of a truncated
 * dump every complete node before the cut is kept. */
#include "parser/paddle_pb/node.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/build/finish/finish.h"
#include "parser/chrome/paddle_dialect.h"
#include "parser/paddle_pb/reader.h"
#include "parser/protobuf/stream.h"

struct dump {
    tt_pb_stream s;
    const tt_reader_hooks *hooks;
    uint64_t told; /* events reported to progress */
    tt_builder b;
    tt_build_header h;
    TT_VEC(uint64_t) named;       /* ids of threads with a name */
    TT_VEC(uint32_t) names;       /* their names, in b.names */
    tt_text extra, devices, text; /* JSON of ExtraInfo and of deviceProperties; scratch */
    tt_json extra_json, devices_json;
    uint16_t cats[32]; /* local category + 1 by type */
};

/* ---- the stream ---- */

static void report_progress(void *arg, size_t bytes)
{
    struct dump *d = arg;
    atomic_fetch_add_explicit(&d->s.progress->text_bytes, bytes, memory_order_relaxed);
    atomic_fetch_add_explicit(&d->s.progress->events, d->b.n_events - d->told, memory_order_relaxed);
    d->told = d->b.n_events;
    if (d->hooks->notify) d->hooks->notify(d->hooks->arg);
}

static uint64_t offset(const struct dump *d) { return tt_pb_stream_at(&d->s); }

/* ---- events ---- */

static uint8_t category(struct dump *d, uint64_t type)
{
    uint32_t slot = type < 31 ? (uint32_t)type : 31;
    if (!d->cats[slot]) {
        const char *name = tt_paddle_type(type);
        size_t len = name ? strlen(name) : 0;
        uint32_t id = tt_build_name(&d->b, name ? name : "", len);
        d->cats[slot] = 1 + tt_build_category(&d->b, id, name ? tt_category_kind(name, len, true) : TT_KIND_OTHER);
    }
    return (uint8_t)(d->cats[slot] - 1);
}

static uint32_t track(struct dump *d, uint64_t pid, uint64_t tid)
{
    char p[24], t[24];
    int n = snprintf(p, sizeof p, "%" PRIu64, pid), m = snprintf(t, sizeof t, "%" PRIu64, tid);
    return tt_build_track_of(&d->b, p, (size_t)n, t, (size_t)m);
}

/* A time of the dump in ns; too large a time becomes INT64_MAX. */
static int64_t time_of(uint64_t ns) { return ns < INT64_MAX ? (int64_t)ns : INT64_MAX; }

struct slice {
    uint64_t offset, type, start, end, pid, tid, correlation;
    tt_pb_field name;
    uint32_t args;
    const tt_device_in *device; /* NULL: a host event */
};

static void add_slice(struct dump *d, const struct slice *s)
{
    const char *name = s->name.bytes ? s->name.bytes : "";
    int64_t start = time_of(s->start), dur;
    if (!tt_build_span(&d->b, s->offset, name, s->name.len, start, time_of(s->end), &dur)) return;
    const tt_slice_in in = {.offset = s->offset,
                            .ts = start,
                            .dur = dur,
                            .cat = category(d, s->type),
                            .track = track(d, s->pid, s->tid),
                            .name = tt_build_name(&d->b, name, s->name.len),
                            .correlation = tt_build_id(&d->b, s->correlation),
                            .args = s->args};
    if (s->device) {
        tt_build_device(&d->b, &in, s->device);
    } else {
        tt_build_slice(&d->b, &in);
    }
}

static int64_t small(uint64_t v) { return v < (uint64_t)INT32_MAX ? (int64_t)v : TT_UNKNOWN; }

static uint32_t put_text(struct dump *d, const char *text, size_t len) { return tt_build_text(&d->b, text, len); }

static uint32_t triple(struct dump *d, const tt_pb_fields *k, int first)
{
    char text[80];
    int n = snprintf(text, sizeof text, "[%" PRIu64 ", %" PRIu64 ", %" PRIu64 "]", k->at[first].value,
                     k->at[first + 1].value, k->at[first + 2].value);
    return put_text(d, text, (size_t)n);
}

static uint32_t launch_shape(struct dump *d, const tt_pb_field *kernel)
{
    tt_pb_fields k;
    tt_pb m = tt_pb_inside(kernel);
    tt_pb_field f;
    if (!kernel->bytes) return 0;
    (void)tt_pb_collect(m, &k);
    tt_launch_shape s = {.grid = triple(d, &k, 4),
                         .block = triple(d, &k, 1),
                         .registers = small(k.at[9].value),
                         .shared_bytes = small(k.at[7].value + k.at[8].value),
                         .blocks_per_sm = k.have >> 15 & 1 ? tt_pb_float(&k.at[15]) : __builtin_nan(""),
                         .warps_per_sm = __builtin_nan(""),
                         .occupancy_pct = __builtin_nan("")};
    while (tt_pb_next(&m, &f)) {
        if (f.number == 16) s.warps_per_sm = tt_pb_float(&f);
        if (f.number == 17) s.occupancy_pct = 100 * tt_pb_float(&f);
    }
    return tt_build_shape(&d->b, &s);
}

static void device_event(struct dump *d, const tt_pb_field *event, uint64_t at)
{
    tt_pb_fields f, detail;
    (void)tt_pb_collect(tt_pb_inside(event), &f);
    int64_t bytes = TT_UNKNOWN;
    for (int i = 10; i <= 11; i++) { /* for copies and memory sets */
        if (!f.at[i].bytes) continue;
        (void)tt_pb_collect(tt_pb_inside(&f.at[i]), &detail);
        bytes = detail.at[1].value <= (uint64_t)INT64_MAX ? (int64_t)detail.at[1].value : TT_UNKNOWN;
    }
    const tt_device_in device = {.device = (int64_t)f.at[5].value,
                                 .stream = small(f.at[7].value),
                                 .bytes = bytes,
                                 .shape = launch_shape(d, &f.at[9])};
    add_slice(d, &(struct slice){.offset = at,
                                 .name = f.at[1],
                                 .type = f.at[2].value,
                                 .start = f.at[3].value,
                                 .end = f.at[4].value,
                                 .pid = f.at[5].value,
                                 .tid = f.at[7].value,
                                 .correlation = f.at[8].value,
                                 .device = &device});
}

enum { TYPE_CUDA_RUNTIME = 3, TYPE_KERNEL = 4, TYPE_MEMSET = 6, TYPE_USER_DEFINED = 7 };

static void malformed(struct dump *d, uint64_t at)
{
    tt_problem_add(&d->b.problems, TT_PROBLEM_MALFORMED_EVENT, (int64_t)at, "", 0);
}

/* Read a runtime call and the device work it launched. at: place of the node's tag; body_at: place of its first
 * byte. */
static void runtime_node(struct dump *d, const tt_pb_field *node, uint64_t at, uint64_t body_at)
{
    tt_pb m = tt_pb_inside(node);
    tt_pb_field f;
    for (const char *tag = m.p; tt_pb_next(&m, &f); tag = m.p) {
        uint64_t here = body_at + (uint64_t)(tag - node->bytes);
        tt_pb_fields e;
        if (!f.bytes) continue;
        (void)tt_pb_collect(tt_pb_inside(&f), &e);
        if (f.number == 1) {
            add_slice(d, &(struct slice){.offset = at,
                                         .name = e.at[1],
                                         .type = TYPE_CUDA_RUNTIME,
                                         .start = e.at[2].value,
                                         .end = e.at[3].value,
                                         .pid = e.at[4].value,
                                         .tid = e.at[5].value,
                                         .correlation = e.at[6].value});
        } else if (f.number == TT_RUNTIME_DEVICE && e.at[1].bytes) {
            tt_pb_fields type;
            (void)tt_pb_collect(tt_pb_inside(&e.at[1]), &type);
            if (type.at[2].value >= TYPE_KERNEL && type.at[2].value <= TYPE_MEMSET) {
                device_event(d, &e.at[1], here);
            } else {
                malformed(d, here);
            }
        }
    }
    if (m.bad) malformed(d, at);
}

static void memory_event(struct dump *d, const tt_pb_field *node, uint64_t at)
{
    tt_pb_fields outer, m;
    (void)tt_pb_collect(tt_pb_inside(node), &outer);
    if (!outer.at[1].bytes || !tt_pb_collect(tt_pb_inside(&outer.at[1]), &m)) {
        malformed(d, at);
        return;
    }
    int64_t ts = time_of(m.at[1].value), dur;
    if (!tt_build_span(&d->b, at, "", 0, ts, ts, &dur)) return;
    tt_memory_record r = {.ts = ts,
                          .addr = m.at[3].value,
                          .bytes = (int64_t)m.at[6].value,
                          .allocated = (int64_t)m.at[8].value,
                          .reserved = (int64_t)m.at[9].value,
                          .text = at,
                          .track = track(d, m.at[4].value, m.at[5].value),
                          .pool = m.at[2].value >= 2};
    tt_paddle_place(m.at[7].bytes ? m.at[7].bytes : "", m.at[7].len, &r.device_type, &r.device_id);
    tt_build_memory(&d->b, &r);
    tt_build_peak(&d->b, &r, (int64_t)m.at[10].value, (int64_t)m.at[11].value);
}

static uint32_t op_args(struct dump *d, const tt_pb_field *supplement)
{
    tt_pb_fields outer, s;
    tt_op_args a = {0};
    tt_json j;
    if (!supplement->bytes) return 0;
    (void)tt_pb_collect(tt_pb_inside(supplement), &outer);
    (void)tt_pb_collect(tt_pb_inside(&outer.at[1]), &s);
    if (s.at[5].len) {
        d->text.n = 0;
        tt_json_init_text(&j, &d->text);
        tt_pb_shapes(&s.at[5], &j);
        a.shapes = put_text(d, d->text.at, d->text.n);
    }
    if (s.at[6].len) {
        d->text.n = 0;
        tt_json_init_text(&j, &d->text);
        tt_pb_types(&s.at[6], &j);
        a.types = put_text(d, d->text.at, d->text.n);
    }
    if (s.at[7].len) { /* replace quotes as the JSON traces of a run do */
        d->text.n = 0;
        tt_text_put(&d->text, s.at[7].bytes, s.at[7].len);
        for (size_t i = 0; i < d->text.n; i++) d->text.at[i] = d->text.at[i] == '"' ? '\'' : d->text.at[i];
        a.stack = tt_build_name(&d->b, d->text.at, d->text.n);
    }
    return a.shapes || a.types || a.stack ? tt_build_op_args(&d->b, &a) : 0;
}

static void host_event(struct dump *d, const tt_pb_fields *node, uint64_t at)
{
    tt_pb_fields e;
    if (!node->at[TT_PB_NODE_EVENT].bytes || !tt_pb_collect(tt_pb_inside(&node->at[TT_PB_NODE_EVENT]), &e)) {
        malformed(d, at);
        return;
    }
    bool root = (int64_t)node->at[TT_PB_NODE_PARENT].value == -1 && !e.at[3].value && e.at[4].value == UINT64_MAX;
    if (root) return; /* the root only holds the tree together */
    uint64_t type = e.have >> 2 & 1 ? e.at[2].value : TYPE_USER_DEFINED;
    tt_kind kind = d->b.cats[category(d, type)].kind;
    if (tt_kind_is_device(kind)) {
        malformed(d, at);
        return;
    }
    add_slice(d, &(struct slice){.offset = at,
                                 .name = e.at[1],
                                 .type = type,
                                 .start = e.at[3].value,
                                 .end = e.at[4].value,
                                 .pid = e.at[5].value,
                                 .tid = e.at[6].value,
                                 .args = op_args(d, &node->at[TT_PB_NODE_SUPPLEMENT])});
}

/* Read a host event and all nodes under it. */
static void host_node(struct dump *d, const tt_pb_field *node, uint64_t at, uint64_t body_at)
{
    tt_pb_fields all;
    tt_pb m = tt_pb_inside(node);
    tt_pb_field f;
    (void)tt_pb_collect(m, &all);
    host_event(d, &all, at);
    for (const char *tag = m.p; tt_pb_next(&m, &f); tag = m.p) {
        uint64_t here = body_at + (uint64_t)(tag - node->bytes);
        size_t head = (size_t)(f.bytes ? f.bytes - tag : 0);
        if (!f.bytes) continue;
        if (f.number == TT_PB_NODE_RUNTIME) runtime_node(d, &f, here, here + head);
        if (f.number == TT_PB_NODE_MEMORY) memory_event(d, &f, here);
    }
    if (m.bad) malformed(d, at);
}

/* ---- the file ---- */

static void thread_tree(struct dump *d, uint64_t left)
{
    tt_pb_field f;
    while (left && !d->s.stop) {
        uint64_t at = offset(d);
        if (!tt_pb_stream_next(&d->s, &left, &f)) return;
        if (f.type != TT_PB_BYTES) continue; /* skip the thread's id: every event has it */
        uint64_t body_at = offset(d);
        if (!tt_pb_stream_take(&d->s, &left, &f)) return;
        if (f.number == TT_THREAD_NODE) host_node(d, &f, at, body_at);
    }
}

/* Read an entry such as "Process Cpu Utilization": "0.98", or a thread's number with its name. */
static void extra_info(struct dump *d, const tt_pb_field *entry)
{
    tt_pb_fields e;
    (void)tt_pb_collect(tt_pb_inside(entry), &e);
    if (!e.at[1].bytes || !e.at[2].bytes) return;
    char *key = tt_strndup(e.at[1].bytes, e.at[1].len), *end;
    uint64_t thread = strtoull(key, &end, 10);
    if (*key && !*end) {
        char *label = NULL;
        int n = asprintf(&label, "thread %s:%.*s", key, (int)(e.at[2].len < 4096 ? e.at[2].len : 4096), e.at[2].bytes);
        *tt_vec_push(&d->named) = thread;
        *tt_vec_push(&d->names) = n > 0 ? tt_build_name(&d->b, label, (size_t)n) : 0;
        free(label);
    }
    free(key);
    tt_json *j = &d->extra_json;
    if (!d->extra.n) {
        tt_json_init_text(j, &d->extra);
        tt_json_open(j, '{', true);
    }
    tt_json_key_bytes(j, e.at[1].bytes, e.at[1].len);
    tt_json_string(j, e.at[2].bytes, e.at[2].len);
}

/* Append a device's properties in the form of the JSON traces. */
static void device_text(struct dump *d, const tt_pb_fields *p)
{
    static const char *const keys[] = {NULL,
                                       "id",
                                       "name",
                                       "totalGlobalMem",
                                       "computeMajor",
                                       "computeMinor",
                                       "maxThreadsPerBlock",
                                       "maxThreadsPerMultiprocessor",
                                       "regsPerBlock",
                                       "regsPerMultiprocessor",
                                       "warpSize",
                                       "sharedMemPerBlock",
                                       "sharedMemPerMultiprocessor",
                                       "smCount",
                                       "sharedMemPerBlockOptin"};
    tt_json *j = &d->devices_json;
    if (!d->devices.n) {
        tt_json_init_text(j, &d->devices);
        tt_json_open(j, '[', true);
    }
    tt_json_open(j, '{', true);
    for (size_t i = 1; i < sizeof keys / sizeof *keys; i++) {
        if (!(p->have >> i & 1)) continue;
        tt_json_key(j, keys[i]);
        if (i == 2) {
            tt_json_string(j, p->at[i].bytes ? p->at[i].bytes : "", p->at[i].len);
        } else {
            tt_json_uint(j, p->at[i].value);
        }
    }
    tt_json_close(j, '}');
}

static void device_properties(struct dump *d, const tt_pb_field *message)
{
    tt_pb_fields p;
    (void)tt_pb_collect(tt_pb_inside(message), &p);
    int64_t v[TT_PB_FIELDS];
    device_text(d, &p);
    for (int i = 0; i < TT_PB_FIELDS; i++) {
        bool known = p.have >> i & 1 && p.at[i].value <= (uint64_t)INT64_MAX;
        v[i] = known ? (int64_t)p.at[i].value : TT_UNKNOWN;
    }
    *tt_vec_push(&d->h.devices) =
        (tt_device_props){.id = v[1] == TT_UNKNOWN ? 0 : v[1],
                          .name = tt_strings_put(&d->h.strings, p.at[2].bytes ? p.at[2].bytes : "", p.at[2].len),
                          .memory_bytes = v[3],
                          .major = v[4],
                          .minor = v[5],
                          .max_threads_per_block = v[6],
                          .max_threads_per_sm = v[7],
                          .regs_per_sm = v[9],
                          .warp_size = v[10],
                          .shared_per_sm = v[12],
                          .sms = v[13]};
}

static void read_dump(struct dump *d)
{
    uint64_t left = UINT64_MAX;
    tt_pb_field f;
    char number[24];
    while (tt_pb_stream_next(&d->s, &left, &f)) {
        if (f.number == TT_TREES_THREAD && f.type == TT_PB_BYTES) {
            thread_tree(d, f.len);
        } else if (f.type == TT_PB_BYTES) {
            if (!tt_pb_stream_take(&d->s, &left, &f)) return;
            if (f.number == TT_TREES_VERSION) tt_build_meta(&d->h, "schemaVersion", f.bytes, f.len);
            if (f.number == TT_TREES_EXTRA) extra_info(d, &f);
            if (f.number == TT_TREES_DEVICE) device_properties(d, &f);
        } else if (f.number == TT_TREES_SPAN) {
            int n = snprintf(number, sizeof number, "%" PRIu64, f.value);
            tt_build_meta(&d->h, "span_indx", number, (size_t)n);
            free(d->h.span);
            d->h.span = tt_strdup(number);
        }
    }
}

/* ---- metadata events of the JSON traces ---- */

static uint32_t name_of(struct dump *d, const char *form, uint32_t id)
{
    char text[64];
    int n = snprintf(text, sizeof text, "%s %s", form, tt_str(&d->b.names, id));
    return tt_build_name(&d->b, text, (size_t)n);
}

static void label_tracks(struct dump *d)
{
    for (uint32_t t = 0; t < d->b.tracks.n; t++) {
        const tt_build_track *tr = &d->b.tracks.at[t];
        bool device = tt_build_is_stream(&d->b, t);
        uint32_t pid = tr->pid, tid = tr->tid;
        int64_t p = (int64_t)strtoull(tt_str(&d->b.names, pid), NULL, 10);
        uint64_t thread = strtoull(tt_str(&d->b.names, tid), NULL, 10);
        tt_build_label_text(&d->b, t, TT_LABEL_PROCESS_NAME, name_of(d, device ? "Device" : "Process", pid), 0);
        tt_build_label_number(&d->b, t, TT_LABEL_PROCESS_SORT, device ? p + 0x10000000 : p, 0);
        tt_build_label_number(&d->b, t, TT_LABEL_THREAD_SORT, (int64_t)(device ? thread : 2 * thread + 1), 0);
        if (device) tt_build_label_text(&d->b, t, TT_LABEL_THREAD_NAME, name_of(d, "stream", tid), 0);
        for (size_t i = 0; !device && i < d->named.n; i++) {
            if (d->named.at[i] == thread) tt_build_label_text(&d->b, t, TT_LABEL_THREAD_NAME, d->names.at[i], 0);
        }
    }
}

/* ---- entry points ---- */

static void dump_free(struct dump *d, bool whole)
{
    if (whole) tt_build_header_free(&d->h); /* otherwise the trace owns it */
    tt_builder_free(&d->b);
    tt_vec_free(&d->named);
    tt_vec_free(&d->names);
    tt_vec_free(&d->extra);
    tt_vec_free(&d->devices);
    tt_vec_free(&d->text);
    tt_pb_stream_free(&d->s);
}

tt_status tt_read_paddle_pb(tt_input *in, const tt_reader_names *names, unsigned threads, tt_reader_progress *progress,
                            const tt_reader_hooks *hooks, tt_trace **out, tt_err *err)
{
    tt_source *source;
    *out = NULL;
    TT_TRY(tt_input_open(in, TT_INPUT_FILE, &source, err));
    struct dump d = {.hooks = hooks};
    tt_builder *builder = &d.b;
    tt_builder_init(&d.b);
    tt_pb_stream_init(&d.s, source, progress);
    d.s.told = report_progress, d.s.arg = &d, d.s.problems = &d.b.problems;
    tt_build_header_init(&d.h, &tt_rules_paddle, names->path, names->worker, names->span, names->rank);
    d.h.format = names->format;
    atomic_store(&progress->phase, "reading");
    read_dump(&d);
    tt_status status = d.s.status;
    if (status != TT_OK && err) *err = d.s.err;
    if (status == TT_OK && !d.b.n_events && !atomic_load(&progress->cancel)) {
        status = tt_fail(err, TT_ERR_INPUT, 0, "%s: a Paddle dump without events; nothing was recorded", names->path);
    }
    if (status == TT_OK) {
        if (d.devices.n) tt_json_close(&d.devices_json, ']');
        if (d.devices.n) tt_build_meta(&d.h, "deviceProperties", d.devices.at, d.devices.n);
        if (d.extra.n) tt_json_close(&d.extra_json, '}');
        if (d.extra.n) tt_build_meta(&d.h, "ExtraInfo", d.extra.at, d.extra.n);
        label_tracks(&d);
        d.b.sub_us = true;
        d.h.text_bytes = d.s.base + d.s.n;
        tt_read_note(source, progress, d.h.text_bytes, &d.h.problems);
        atomic_store(&progress->phase, "sorting and linking");
        *out = tt_build_finish(&builder, 1, &d.h, &tt_build_plain, true, threads);
        (*out)->text = tt_input_text(in, source);
    }
    dump_free(&d, status != TT_OK);
    return status;
}

/* Recognise a version like "1.0.2" followed by another field of the message. */
bool tt_paddle_pb_sniff(const char *head, size_t len)
{
    size_t n = len > 2 && head[0] == 0x0A ? (unsigned char)head[1] : 0;
    if (n < 3 || n > 16 || len < n + 2 || head[3] != '.') return false;
    for (size_t i = 2; i < n + 2; i++) {
        if (head[i] != '.' && (head[i] < '0' || head[i] > '9')) return false;
    }
    return len == n + 2 || memchr("\x10\x1A\x22\x2A", head[n + 2], 4);
}

bool tt_paddle_pb_span(const char *head, size_t len, char *out, size_t cap)
{
    tt_pb m = tt_pb_of(head, len);
    tt_pb_field f;
    while (tt_pb_next(&m, &f) && f.number != TT_TREES_THREAD) {
        if (f.number == TT_TREES_SPAN) return snprintf(out, cap, "%" PRIu64, f.value) < (int)cap;
    }
    return false;
}
