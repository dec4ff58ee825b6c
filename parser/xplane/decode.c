/* parser/xplane/decode.c - turns events into slices. Each thread builds names and launch shapes once per kind of event.
 * See decode.h. */
#include "parser/xplane/decode.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void tt_xp_decoder_init(tt_xp_decoder *d, const tt_xp_space *x)
{
    *d = (tt_xp_decoder){.x = x, .plane = TT_XP_NONE};
    tt_builder_init(&d->b);
    tt_strings_init(&d->shape_keys);
    *tt_vec_push(&d->shapes) = 0;
    d->b.sub_us = true;
    tt_vec_reserve(&d->tracks, x->lines.n + 1);
    d->tracks.n = x->lines.n;
    memset(d->tracks.at, 0, (x->lines.n + 1) * sizeof *d->tracks.at);
}

void tt_xp_decoder_free(tt_xp_decoder *d)
{
    tt_strings_free(&d->shape_keys);
    tt_vec_free(&d->tracks);
    tt_vec_free(&d->shapes);
    tt_vec_free(&d->name);
    tt_vec_free(&d->key);
    tt_vec_free(&d->memory);
    free(d->names);
}

uint32_t tt_xp_decoder_track(tt_xp_decoder *d, uint32_t line)
{
    if (!d->tracks.at[line]) {
        const tt_xp_line *l = &d->x->lines.at[line];
        const char *pid = tt_str(&d->x->text, d->x->planes.at[l->plane].pid), *tid = tt_str(&d->x->text, l->tid);
        d->tracks.at[line] = 1 + tt_build_track_of(&d->b, pid, strlen(pid), tid, strlen(tid));
    }
    return d->tracks.at[line] - 1;
}

static uint8_t category(tt_xp_decoder *d, tt_xp_class c)
{
    if (!d->cats[c]) {
        const char *name = tt_xp_class_category(c);
        d->cats[c] = 1 + tt_build_category(&d->b, tt_build_name(&d->b, name, strlen(name)), tt_xp_class_kind(c));
    }
    return (uint8_t)(d->cats[c] - 1);
}

/* Name of an event, by kind and class; steps also have their number. */
static uint32_t event_name(tt_xp_decoder *d, const tt_xp_line *l, const tt_xp_event *e, tt_xp_class c)
{
    const tt_xp_plane *p = &d->x->planes.at[l->plane];
    if (d->plane != l->plane) {
        free(d->names);
        d->names = tt_calloc(p->kinds.n * TT_XP_CLASSES_ + 1, sizeof *d->names);
        d->plane = l->plane;
    }
    size_t slot = e->kind ? (size_t)(e->kind - p->kinds.at) * TT_XP_CLASSES_ + c : 0;
    bool kept = e->kind && c != TT_XP_C_STEP;
    if (kept && d->names[slot]) return d->names[slot] - 1;
    tt_xp_event_name(d->x, e, c, &d->name);
    uint32_t name = tt_build_name(&d->b, d->name.at ? d->name.at : "", d->name.n);
    if (kept) d->names[slot] = name + 1;
    return name;
}

/* ---- work of a device ---- */

static uint32_t triple(tt_xp_decoder *d, const int64_t v[3])
{
    char text[80];
    if (v[0] == TT_UNKNOWN) return 0;
    int n = snprintf(text, sizeof text, "[%" PRId64 ", %" PRId64 ", %" PRId64 "]", v[0], v[1], v[2]);
    return tt_build_text(&d->b, text, (size_t)n);
}

static uint32_t text_id(tt_xp_decoder *d, const char *at, size_t n) { return n ? tt_build_text(&d->b, at, n) : 0; }

static uint32_t new_shape(tt_xp_decoder *d, const tt_xp_line *l, const tt_xp_event *e)
{
    const tt_xp_kind *k = e->kind;
    const char *category = k ? tt_str(&d->x->text, k->category) : "";
    tt_xp_launch launch = tt_xp_launch_of(e->kernel_details);
    tt_launch_shape s = {.grid = triple(d, launch.grid),
                         .block = triple(d, launch.block),
                         .type = text_id(d, category, strlen(category)),
                         .op = text_id(d, e->op.at, e->op.n),
                         .program = text_id(d, e->module.at, e->module.n),
                         .registers = launch.registers,
                         .shared_bytes = launch.shared_bytes,
                         .flops = e->flops > 0 ? e->flops : 0,
                         .bytes = e->accessed > 0 ? e->accessed : 0,
                         .blocks_per_sm = __builtin_nan(""),
                         .warps_per_sm = __builtin_nan(""),
                         .occupancy_pct = launch.occupancy_pct};
    if (!s.op && l->track == TT_XP_OPS) s.op = text_id(d, d->name.at, d->name.n);
    return tt_build_shape(&d->b, &s);
}

static uint32_t shape(tt_xp_decoder *d, const tt_xp_line *l, const tt_xp_event *e)
{
    d->key.n = 0;
    const void *kind = e->kind;
    tt_text_put(&d->key, (const char *)&kind, sizeof kind);
    tt_text_put(&d->key, (const char *)&e->metadata, sizeof e->metadata); /* identifies a kind without a name */
    tt_text_put(&d->key, (const char *)&e->flops, sizeof e->flops);
    tt_text_put(&d->key, (const char *)&e->accessed, sizeof e->accessed);
    const tt_xp_text parts[] = {e->kernel_details, e->op, e->module};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        tt_text_put(&d->key, (const char *)&parts[i].n, sizeof parts[i].n);
        if (parts[i].n) tt_text_put(&d->key, parts[i].at, parts[i].n);
    }
    uint32_t at = tt_strings_put(&d->shape_keys, d->key.at, d->key.n);
    if (at == d->shapes.n) {
        tt_xp_event_name(d->x, e, TT_XP_C_KERNEL, &d->name);
        *tt_vec_push(&d->shapes) = new_shape(d, l, e);
    }
    return d->shapes.at[at];
}

static void give_device(tt_xp_decoder *d, const tt_xp_line *l, const tt_xp_event *e, tt_xp_class c, tt_slice_in *in)
{
    tt_device_in device = {.device = d->x->planes.at[l->plane].device, .stream = l->stream, .bytes = TT_UNKNOWN};
    if (c == TT_XP_C_KERNEL) device.shape = shape(d, l, e);
    if (c == TT_XP_C_MEMCPY) device.bytes = tt_xp_size_of(e->memcpy_details);
    if (c == TT_XP_C_MEMSET) device.bytes = tt_xp_size_of(e->memset_details);
    tt_build_device(&d->b, in, &device);
}

/* ---- memory ---- */

static void give_memory(tt_xp_decoder *d, const tt_xp_event *e, uint32_t line, int64_t ts, uint64_t at)
{
    tt_xp_memory m = {.record = {.ts = ts,
                                 .text = at,
                                 .addr = e->address == TT_UNKNOWN ? 0 : (uint64_t)e->address,
                                 .bytes = e->bytes == TT_UNKNOWN || e->bytes < 0 ? 0 : e->bytes,
                                 .allocated = e->allocated,
                                 .reserved = TT_UNKNOWN, /* bytes_reserved is something else */
                                 .track = line},
                      .release = tt_xp_event_releases(d->x, e)};
    tt_xp_event_place(e, &m.record.device_type, &m.record.device_id);
    if (m.release) m.record.bytes = -m.record.bytes;
    *tt_vec_push(&d->memory) = m;
}

static int record_order(const void *a, const void *b)
{
    const tt_memory_record *x = &((const tt_xp_memory *)a)->record, *y = &((const tt_xp_memory *)b)->record;
    if (x->device_type != y->device_type) return x->device_type < y->device_type ? -1 : 1;
    if (x->device_id != y->device_id) return x->device_id < y->device_id ? -1 : 1;
    if (x->addr != y->addr) return x->addr < y->addr ? -1 : 1;
    if (x->ts != y->ts) return x->ts < y->ts ? -1 : 1;
    return (x->text > y->text) - (x->text < y->text);
}

/* Give each release without a size the size last allocated at its address. */
static void find_sizes(tt_xp_memory *m, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        const tt_memory_record *before = &m[i - 1].record;
        tt_memory_record *r = &m[i].record;
        bool same = before->device_type == r->device_type && before->device_id == r->device_id;
        if (m[i].release && !r->bytes && r->addr && same && before->addr == r->addr && !m[i - 1].release)
            r->bytes = -before->bytes;
    }
}

void tt_xp_give_memory(tt_xp_decoder *all, uint32_t n)
{
    TT_VEC(tt_xp_memory) m = {0};
    for (uint32_t i = 0; i < n; i++) {
        tt_vec_reserve(&m, m.n + all[i].memory.n + 1);
        if (all[i].memory.n) memcpy(m.at + m.n, all[i].memory.at, all[i].memory.n * sizeof *m.at);
        m.n += all[i].memory.n;
    }
    if (m.n) qsort(m.at, m.n, sizeof *m.at, record_order);
    find_sizes(m.at, m.n);
    for (size_t i = 0; i < m.n; i++) {
        tt_memory_record *r = &m.at[i].record;
        r->track = tt_xp_decoder_track(&all[0], r->track);
        tt_build_memory(&all[0].b, r);
    }
    tt_vec_free(&m);
}

/* ---- events ---- */

static void decode_event(tt_xp_decoder *d, const tt_xp_line *l, uint32_t line, const tt_pb_field *f, uint64_t at)
{
    tt_xp_event e;
    int64_t start, end, dur;
    tt_xp_event_read(d->x, &d->x->planes.at[l->plane], f->bytes, f->len, &e);
    if (e.damaged) {
        tt_problem_add(&d->b.problems, TT_PROBLEM_MALFORMED_EVENT, (int64_t)at, "", 0);
        return;
    }
    tt_xp_class c = tt_xp_event_class(d->x, l, &e);
    uint32_t name = event_name(d, l, &e, c);
    const char *text = tt_str(&d->b.names, name);
    if (!tt_xp_event_span(l, &e, &start, &end)) start = end = INT64_MAX; /* too late: reported */
    if (!tt_build_span(&d->b, at, text, strlen(text), start, end, &dur)) return;
    if (c == TT_XP_C_MEMORY) {
        give_memory(d, &e, line, start, at);
        return;
    }
    tt_slice_in in = {.offset = at,
                      .ts = start,
                      .dur = dur,
                      .track = tt_xp_decoder_track(d, line),
                      .name = name,
                      .cat = category(d, c),
                      .correlation = tt_kind_is_launch(tt_xp_class_kind(c)) || tt_kind_is_work(tt_xp_class_kind(c))
                                         ? tt_build_id(&d->b, e.correlation)
                                         : 0};
    if (tt_kind_is_device(tt_xp_class_kind(c))) {
        give_device(d, l, &e, c, &in);
    } else {
        tt_build_slice(&d->b, &in);
    }
}

void tt_xp_decode(tt_xp_decoder *d, const tt_xp_line *l, uint32_t line, const char *bytes, size_t len, uint64_t at)
{
    tt_pb m = tt_pb_of(bytes, len);
    tt_pb_field f;
    for (const char *tag = m.p; tt_pb_next(&m, &f); tag = m.p) {
        if (f.number == TT_XLINE_EVENT && f.bytes) decode_event(d, l, line, &f, at + (uint64_t)(tag - bytes));
    }
    if (m.bad) tt_problem_add(&d->b.problems, TT_PROBLEM_MALFORMED_EVENT, (int64_t)at, "", 0);
}
