/* parser/xplane/text.c - makes the JSON text of an event. See text.h. Keys and categories are those of PyTorch's traces
 * where they mean the same; every stat of the event and of its kind follows under its own name. */
#include "parser/xplane/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parser/json/write.h"
#include "parser/xplane/event.h"

#define EVENT_MOST ((size_t)1 << 20) /* most bytes of an event that are read */

typedef struct text_source {
    tt_text_source base;
    tt_text_source *raw;
    tt_xp_space x;
} text_source;

/* Read the payload of the BYTES field at `at`, as far as it is there; malloc'ed in *buf. */
static bool read_field(const text_source *s, uint64_t at, size_t most, char **buf, tt_pb_field *f)
{
    size_t cap = most < 4096 ? most : 4096;
    for (*buf = tt_malloc(cap);; *buf = tt_realloc(*buf, cap, 1)) {
        int64_t got = s->raw->read(s->raw, at, *buf, cap);
        uint64_t tag, len;
        const char *p = *buf, *e = p + (got > 0 ? got : 0);
        size_t n = tt_pb_varint(p, e, &tag), m = n ? tt_pb_varint(p + n, e, &len) : 0;
        if (!m || (tag & 7) != TT_PB_BYTES) return false;
        size_t there = (size_t)(e - p) - n - m;
        if (len > there && (size_t)got == cap && cap < most) {
            cap = cap * 8 < most ? cap * 8 : most;
            continue;
        }
        *f = (tt_pb_field){.number = (uint32_t)(tag >> 3), .type = TT_PB_BYTES, .bytes = p + n + m};
        f->len = len < there ? (size_t)len : there;
        return true;
    }
}

/* ---- values ---- */

static void put_value(tt_json *j, const tt_xp_value *v)
{
    char text[24];
    switch (v->type) {
    case TT_XSTAT_DOUBLE: tt_json_exact(j, tt_xp_double(v)); break;
    case TT_XSTAT_UINT: tt_json_uint(j, v->value); break;
    case TT_XSTAT_INT: tt_json_int(j, (int64_t)v->value); break;
    case TT_XSTAT_BYTES:
        snprintf(text, sizeof text, "%zu bytes", v->len);
        tt_json_text(j, text);
        break;
    default: tt_json_string(j, v->text, v->text ? v->len : 0);
    }
}

static void put_stat(tt_json *j, const text_source *s, const tt_xp_plane *p, const tt_pb_field *stat)
{
    tt_xp_value v = tt_xp_value_of(&s->x, p, stat);
    uint32_t i = tt_xp_find(&p->stat_ids, v.metadata);
    char made[40];
    snprintf(made, sizeof made, "stat %" PRId64, v.metadata);
    const char *name = i == TT_XP_NONE ? made : tt_str(&s->x.text, p->stats.at[i].name);
    tt_json_key_bytes(j, name, strlen(name));
    put_value(j, &v);
}

static void put_stats(tt_json *j, const text_source *s, const tt_xp_plane *p, const tt_pb_field *message,
                      uint32_t number)
{
    tt_pb m = tt_pb_inside(message);
    tt_pb_field f;
    while (tt_pb_next(&m, &f)) {
        if (f.number == number && f.bytes) put_stat(j, s, p, &f);
    }
}

/* Write the stats of the event's kind, and its name if another one is displayed. */
static void put_kind(tt_json *j, const text_source *s, const tt_xp_plane *p, const tt_xp_kind *k)
{
    char *buf = NULL;
    tt_pb_field entry;
    tt_pb_fields e, m;
    if (k->len && read_field(s, k->at, k->len, &buf, &entry)) {
        (void)tt_pb_collect(tt_pb_inside(&entry), &e);
        (void)tt_pb_collect(tt_pb_inside(&e.at[TT_XENTRY_VALUE]), &m);
        const tt_pb_field *name = &m.at[TT_XMETADATA_NAME];
        if (name->len && m.at[TT_XMETADATA_DISPLAY_NAME].len) {
            tt_json_key(j, "long_name");
            tt_json_string(j, name->bytes, name->len);
        }
        put_stats(j, s, p, &e.at[TT_XENTRY_VALUE], TT_XMETADATA_STAT);
    }
    free(buf);
}

/* ---- the event ---- */

static void put_device(tt_json *j, const tt_xp_plane *p, const tt_xp_line *l, const tt_xp_event *e, tt_xp_class c)
{
    if (p->device >= 0) tt_json_key_int(j, "device", p->device);
    tt_json_key_known(j, "stream", l->stream);
    if (c == TT_XP_C_MEMCPY) tt_json_key_known(j, "bytes", tt_xp_size_of(e->memcpy_details));
    if (c == TT_XP_C_MEMSET) tt_json_key_known(j, "bytes", tt_xp_size_of(e->memset_details));
    tt_xp_launch launch = tt_xp_launch_of(e->kernel_details);
    tt_json_key_known3(j, "grid", launch.grid);
    tt_json_key_known3(j, "block", launch.block);
    tt_json_key_known(j, "registers per thread", launch.registers);
    tt_json_key_known(j, "shared memory", launch.shared_bytes);
    if (!isnan(launch.occupancy_pct)) {
        tt_json_key(j, "est. achieved occupancy %");
        tt_json_exact(j, launch.occupancy_pct);
    }
}

/* Write a memory event as an instant, as PyTorch writes allocations; its stats follow. */
static void put_memory(tt_json *j, const tt_xp_space *x, const tt_xp_event *e)
{
    int16_t type, id;
    tt_xp_event_place(e, &type, &id);
    tt_json_key_int(j, "Device Type", type);
    tt_json_key_int(j, "Device Id", id);
    tt_json_key_known(j, "Addr", e->address);
    if (e->bytes != TT_UNKNOWN)
        tt_json_key_int(j, "Bytes", tt_xp_event_releases(x, e) && e->bytes > 0 ? -e->bytes : e->bytes);
    tt_json_key_known(j, "Total Allocated", e->allocated);
}

static void put_args(tt_json *j, const text_source *s, const tt_xp_line *l, const tt_pb_field *f, const tt_xp_event *e,
                     tt_xp_class c)
{
    const tt_xp_plane *p = &s->x.planes.at[l->plane];
    tt_kind kind = tt_xp_class_kind(c);
    tt_json_key(j, "args");
    tt_json_open(j, '{', true);
    if (tt_kind_is_device(kind)) put_device(j, p, l, e, c);
    if (c == TT_XP_C_MEMORY) put_memory(j, &s->x, e);
    if (e->correlation && (tt_kind_is_work(kind) || tt_kind_is_launch(kind)))
        tt_json_key_uint(j, "correlation", e->correlation);
    put_stats(j, s, p, f, TT_XEVENT_STAT);
    if (e->kind) put_kind(j, s, p, e->kind);
    tt_json_close(j, '}');
}

static void put_event(tt_json *j, const text_source *s, const tt_xp_line *l, const tt_pb_field *f)
{
    const tt_xp_plane *p = &s->x.planes.at[l->plane];
    tt_xp_event e;
    int64_t start = 0, end = 0;
    tt_text name = {0};
    tt_xp_event_read(&s->x, p, f->bytes, f->len, &e);
    tt_xp_class c = tt_xp_event_class(&s->x, l, &e);
    tt_xp_event_name(&s->x, &e, c, &name);
    if (!tt_xp_event_span(l, &e, &start, &end)) start = end = 0;
    tt_json_open(j, '{', true);
    bool memory = c == TT_XP_C_MEMORY;
    tt_json_key_text(j, "ph", memory ? "i" : "X");
    if (memory) tt_json_key_text(j, "s", "t");
    if (!memory) tt_json_key_text(j, "cat", tt_xp_class_category(c));
    tt_json_key(j, "name");
    if (memory) {
        tt_json_text(j, "[memory]");
    } else {
        tt_json_string(j, name.at ? name.at : "", name.n);
    }
    tt_json_key_text(j, "pid", tt_str(&s->x.text, p->pid));
    tt_json_key_text(j, "tid", tt_str(&s->x.text, l->tid));
    tt_json_key_us(j, "ts", start);
    if (!memory) tt_json_key_us(j, "dur", end < start ? 0 : end - start);
    put_args(j, s, l, f, &e, c);
    tt_json_close(j, '}');
    tt_vec_free(&name);
}

/* ---- the source ---- */

/* A read at the place of an event returns its JSON text, cut at cap. */
static int64_t read_text(tt_text_source *self, uint64_t offset, char *out, size_t cap)
{
    text_source *s = (text_source *)self;
    const tt_xp_line *l = tt_xp_line_at(&s->x, offset);
    char *buf = NULL;
    tt_pb_field f;
    tt_text t = {0};
    tt_json j;
    if (cap && s->raw->read(s->raw, offset, out, 1) < 0) return -1; /* fail if the file is gone */
    if (l && read_field(s, offset, EVENT_MOST, &buf, &f) && f.number == TT_XLINE_EVENT) {
        tt_json_init_text(&j, &t);
        put_event(&j, s, l, &f);
    }
    free(buf);
    size_t n = t.n < cap ? t.n : cap;
    if (n) memcpy(out, t.at, n);
    tt_vec_free(&t);
    return (int64_t)n;
}

static void close_text(tt_text_source *self)
{
    text_source *s = (text_source *)self;
    s->raw->close(s->raw);
    tt_xp_space_free(&s->x);
    free(s);
}

tt_text_source *tt_xp_text_new(tt_text_source *raw, tt_xp_space *x)
{
    text_source *s = tt_malloc(sizeof *s);
    *s = (text_source){.base = {.read = read_text, .close = close_text, .single = true}, .raw = raw, .x = *x};
    tt_xp_space_init(x);
    return &s->base;
}
