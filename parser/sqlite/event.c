/* parser/sqlite/event.c - puts events of a database into a builder. See event.h. */
#include "parser/sqlite/event.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parser/recording/facts.h"

const tt_db_category tt_db_operators = {.name = "cpu_op", .kind = TT_KIND_CPU_OP};

void tt_db_event_init(tt_db_event *e)
{
    e->phase = TT_DB_NOTHING;
    e->cat = 0;
    e->track = (tt_db_track){0};
    e->name_id = TT_NONE;
    e->name = "";
    e->name_len = 0;
    e->prefix = NULL;
    e->start = e->end = e->bytes = TT_UNKNOWN;
    e->correlation = e->wait_record = e->address = 0;
    e->is_kernel = false;
    e->node = e->original = 0;
    e->wait_stream = TT_UNKNOWN;
    e->value = NAN;
    e->series = "";
    e->recorded = NULL;
}

tt_db_name tt_db_event_name(const tt_db_format *f, const void *self, const tt_db_event *e, tt_text *room)
{
    tt_db_name n = {.text = e->name, .len = e->name_len, .cat = &f->categories[e->cat]};
    size_t before = 0;
    if (e->name_id != TT_NONE) n.text = f->name(self, e->name_id, &n.len);
    if (e->prefix) {
        room->n = 0;
        tt_text_put(room, e->prefix, strlen(e->prefix));
        tt_text_put(room, ":", 1);
        before = room->n;
        tt_text_put(room, n.text, n.len);
        n.text = room->at;
        n.len = room->n;
    }
    n.whole = n.len;
    if (n.cat->operators && tt_range_text_read(n.text + before, n.len - before, &n.args)) {
        n.len = before + n.args.name_len;
        if (n.args.is_operator) n.cat = n.cat->operators;
    }
    return n;
}

void tt_db_sink_init(tt_db_sink *s, const tt_db_format *f, const void *self)
{
    *s = (tt_db_sink){.format = f, .self = self};
    tt_builder_init(&s->b);
    tt_strings_init(&s->track_keys);
    tt_strings_init(&s->launch_keys);
    *tt_vec_push(&s->tracks) = 0; /* track of key 0, "" */
    *tt_vec_push(&s->launches) = 0;
    for (uint32_t i = 0; i < f->n_categories && i < sizeof s->cats; i++) {
        const tt_db_category *c = &f->categories[i];
        s->cats[i] = tt_build_category(&s->b, tt_build_name(&s->b, c->name, strlen(c->name)), c->kind);
    }
}

void tt_db_sink_free(tt_db_sink *s)
{
    tt_strings_free(&s->track_keys);
    tt_strings_free(&s->launch_keys);
    tt_vec_free(&s->tracks);
    tt_vec_free(&s->launches);
    tt_vec_free(&s->names);
    tt_vec_free(&s->spellings);
    tt_arena_free(&s->spelt);
    tt_vec_free(&s->open);
    tt_vec_free(&s->open_at);
    tt_vec_free(&s->room);
}

/* ---- ids ---- */

static uint32_t track_of(tt_db_sink *s, const tt_db_track *t)
{
    uint32_t key = tt_strings_put(&s->track_keys, (const char *)t, sizeof *t);
    if (key < s->tracks.n) return s->tracks.at[key];
    tt_db_track_text text = {0};
    s->format->track(s->self, t, &text);
    uint32_t track = tt_build_track_of(&s->b, text.pid, strlen(text.pid), text.tid, strlen(text.tid));
    *tt_vec_push(&s->tracks) = track;
    return track;
}

/* Collective that the name of a communication library's kernel tells. */
static uint32_t coll_of(tt_db_sink *s, const char *name, size_t len)
{
    char text[256];
    if (len < 5 || memcmp(name, "nccl", 4) != 0) return 0;
    snprintf(text, sizeof text, "%.*s", (int)(len < 250 ? len : 250), name);
    tt_spool_coll given = tt_spool_coll_of(text);
    if (!*given.name) return 0;
    tt_collective_args c = {.name = tt_build_name(&s->b, given.name, strlen(given.name)),
                            .dtype = *given.dtype ? tt_build_name(&s->b, given.dtype, strlen(given.dtype)) : 0,
                            .in_nelems = TT_UNKNOWN,
                            .out_nelems = TT_UNKNOWN,
                            .group_size = TT_UNKNOWN,
                            .seq = TT_UNKNOWN};
    return tt_build_coll(&s->b, &c);
}

/* The builder's category. That of operators comes with the first of them: a trace without has no such category. */
static uint8_t category_of(tt_db_sink *s, const tt_db_event *e, const tt_db_category *cat)
{
    if (cat == &s->format->categories[e->cat]) return s->cats[e->cat];
    if (!s->operators) {
        uint32_t name = tt_build_name(&s->b, cat->name, strlen(cat->name));
        s->operators = 1u + tt_build_category(&s->b, name, cat->kind);
    }
    return (uint8_t)(s->operators - 1);
}

static tt_db_known know(tt_db_sink *s, const tt_db_event *e)
{
    tt_db_name n = tt_db_event_name(s->format, s->self, e, &s->room);
    tt_db_known k = {.name = 1 + tt_build_name(&s->b, n.text, n.len), .of = e->cat, .cat = category_of(s, e, n.cat)};
    if (e->is_kernel) k.coll = coll_of(s, n.text, n.len);
    if (n.args.shapes) {
        tt_op_args args = {.shapes = tt_build_text(&s->b, n.args.shapes, n.args.shapes_len)};
        k.args = tt_build_op_args(&s->b, &args);
    }
    if (n.whole > n.len) k.whole = tt_arena_strndup(&s->spelt, n.text, n.whole);
    return k;
}

/* What the builder has of the event's name. A number stands for one text, which is read once. */
static tt_db_known name_of(tt_db_sink *s, const tt_db_event *e)
{
    uint32_t id = e->name_id;
    if (id == TT_NONE || e->prefix) return know(s, e);
    while (s->names.n <= id) *tt_vec_push(&s->names) = (tt_db_known){0};
    if (!s->names.at[id].name || s->names.at[id].of != e->cat) s->names.at[id] = know(s, e);
    return s->names.at[id];
}

static uint32_t triple(tt_db_sink *s, const int64_t v[3])
{
    char t[80];
    if (v[0] == TT_UNKNOWN) return 0;
    int n = snprintf(t, sizeof t, "[%" PRId64 ", %" PRId64 ", %" PRId64 "]", v[0], v[1], v[2]);
    return tt_build_text(&s->b, t, (size_t)n);
}

static uint32_t launch_of(tt_db_sink *s, const tt_db_event *e)
{
    static const tt_db_launch unknown = {
        {TT_UNKNOWN, TT_UNKNOWN, TT_UNKNOWN}, {TT_UNKNOWN, TT_UNKNOWN, TT_UNKNOWN}, TT_UNKNOWN, TT_UNKNOWN};
    if (!e->is_kernel && !e->node) return 0;
    const tt_db_launch *l = e->is_kernel ? &e->launch : &unknown;
    struct {
        tt_db_launch launch;
        uint64_t node;
    } bytes = {*l, e->node};
    uint32_t key = tt_strings_put(&s->launch_keys, (const char *)&bytes, sizeof bytes);
    if (key < s->launches.n) return s->launches.at[key];
    tt_launch_shape shape = {.grid = triple(s, l->grid),
                             .block = triple(s, l->block),
                             .node = e->node,
                             .registers = l->registers,
                             .shared_bytes = l->shared_bytes,
                             .blocks_per_sm = NAN,
                             .warps_per_sm = NAN,
                             .occupancy_pct = NAN};
    *tt_vec_push(&s->launches) = tt_build_shape(&s->b, &shape);
    return s->launches.at[key];
}

/* ---- events ---- */

static void put_slice(tt_db_sink *s, const tt_db_event *e, uint64_t offset)
{
    tt_db_known known = name_of(s, e);
    uint32_t name = known.name - 1;
    tt_slice_in in = {.offset = offset, .ts = e->start, .name = name, .cat = known.cat, .args = known.args};
    const char *text = tt_str(&s->b.names, name);
    if (!tt_build_span(&s->b, offset, text, s->b.names.len.at[name], e->start, e->end, &in.dur)) return;
    in.track = track_of(s, &e->track);
    in.correlation = tt_build_id(&s->b, e->correlation);
    if (known.whole) *tt_vec_push(&s->spellings) = (tt_db_spelling){offset, known.whole};
    if (!tt_kind_is_device(s->format->categories[e->cat].kind)) {
        tt_build_slice(&s->b, &in);
        return;
    }
    bool sane = e->bytes >= 0 && e->bytes < TT_TIME_MAX; /* the limit keeps sums from overflowing */
    tt_device_in d = {.device = e->track.device,
                      .stream = e->track.id,
                      .bytes = sane ? e->bytes : TT_UNKNOWN,
                      .shape = launch_of(s, e),
                      .coll = known.coll,
                      .wait_record = tt_build_id(&s->b, e->wait_record)};
    if (e->wait_record && e->wait_stream >= 0 && e->wait_stream < TT_NONE) d.wait_stream = (uint32_t)e->wait_stream;
    tt_build_device(&s->b, &in, &d);
}

/* Whether the event's time is valid for the trace; reports others. */
static bool good_moment(tt_db_sink *s, const tt_db_event *e, uint64_t offset, uint32_t name)
{
    int64_t dur;
    return tt_build_span(&s->b, offset, tt_str(&s->b.names, name), s->b.names.len.at[name], e->start, e->start, &dur);
}

static void put_instant(tt_db_sink *s, const tt_db_event *e, uint64_t offset)
{
    uint32_t name = name_of(s, e).name - 1;
    if (!good_moment(s, e, offset, name)) return;
    tt_build_instant(&s->b, &(tt_instant){.ts = e->start,
                                          .text = offset,
                                          .track = track_of(s, &e->track),
                                          .name = name,
                                          .cat = s->cats[e->cat],
                                          .scope = 't'});
}

static void put_sample(tt_db_sink *s, const tt_db_event *e, uint64_t offset)
{
    uint32_t name = name_of(s, e).name - 1;
    if (!good_moment(s, e, offset, name)) return;
    if (!isfinite(e->value)) {
        tt_problem_add(&s->b.problems, TT_PROBLEM_BAD_NUMBER, (int64_t)offset, e->series, strlen(e->series));
        return;
    }
    uint32_t series = tt_build_series(&s->b, track_of(s, &e->track), name, "", 0, e->series, strlen(e->series), offset);
    tt_build_counter(&s->b, e->start);
    tt_build_sample(&s->b, series, e->start, e->value, offset);
}

static void put_memory(tt_db_sink *s, const tt_db_event *e, uint64_t offset)
{
    uint32_t name = name_of(s, e).name - 1;
    if (e->bytes == TT_UNKNOWN || !good_moment(s, e, offset, name)) return;
    tt_build_memory(&s->b, &(tt_memory_record){.ts = e->start,
                                               .addr = e->address,
                                               .bytes = e->bytes,
                                               .allocated = TT_UNKNOWN,
                                               .reserved = TT_UNKNOWN,
                                               .text = offset,
                                               .track = track_of(s, &e->track),
                                               .device_type = 1,
                                               .device_id = (int16_t)(e->track.device & 0x7FFF)});
}

static void put_node(tt_db_sink *s, const tt_db_event *e)
{
    if (!e->node || e->start < -TT_TIME_MAX || e->start > TT_TIME_MAX) return;
    tt_build_graph_node(
        &s->b,
        &(tt_graph_node){.start = e->start, .node = e->node, .original = e->original, .track = track_of(s, &e->track)});
}

/* Keep an open range until the end is known. Its name is copied, as the row goes. */
static void keep_open(tt_db_sink *s, const tt_db_event *e, uint64_t offset)
{
    tt_db_name n = tt_db_event_name(s->format, s->self, e, &s->room);
    tt_db_event *o = tt_vec_push(&s->open);
    *o = *e;
    o->name_id = TT_NONE;
    o->prefix = NULL;
    o->name = tt_arena_strndup(&s->spelt, n.text, n.whole);
    o->name_len = n.whole;
    *tt_vec_push(&s->open_at) = offset;
}

void tt_db_sink_put(tt_db_sink *s, const tt_db_event *e, uint64_t offset)
{
    switch (e->phase) {
    case TT_DB_NOTHING: break;
    case TT_DB_COUNTED: tt_build_count(&s->b); break;
    case TT_DB_SLICE: put_slice(s, e, offset); break;
    case TT_DB_OPEN: keep_open(s, e, offset); break;
    case TT_DB_INSTANT: put_instant(s, e, offset); break;
    case TT_DB_SAMPLE: put_sample(s, e, offset); break;
    case TT_DB_MEMORY: put_memory(s, e, offset); break;
    case TT_DB_NODE: put_node(s, e); break;
    }
}

void tt_db_sink_close(tt_db_sink *s, int64_t end)
{
    for (size_t i = 0; i < s->open.n; i++) {
        tt_db_event *e = &s->open.at[i];
        uint64_t offset = s->open_at.at[i];
        e->end = end > e->start ? end : e->start;
        tt_problem_add(&s->b.problems, TT_PROBLEM_UNMATCHED_BEGIN, (int64_t)offset, e->name, e->name_len);
        put_slice(s, e, offset);
    }
    s->open.n = 0;
}

static void label(tt_db_sink *s, uint32_t track, tt_label what, const char *text)
{
    if (*text) tt_build_label_text(&s->b, track, what, tt_build_name(&s->b, text, strlen(text)), 0);
}

void tt_db_sink_label(tt_db_sink *s)
{
    for (uint32_t key = 1; key < s->tracks.n; key++) {
        tt_db_track t;
        tt_db_track_text text = {0};
        memcpy(&t, tt_str(&s->track_keys, key), sizeof t);
        s->format->track(s->self, &t, &text);
        label(s, s->tracks.at[key], TT_LABEL_PROCESS_NAME, text.process);
        label(s, s->tracks.at[key], TT_LABEL_PROCESS_LABELS, text.labels);
        tt_build_label_number(&s->b, s->tracks.at[key], TT_LABEL_PROCESS_SORT, text.sort, 0);
        if (t.place != TT_DB_DEVICE) {
            label(s, s->tracks.at[key], TT_LABEL_THREAD_NAME, text.thread);
            tt_build_label_number(&s->b, s->tracks.at[key], TT_LABEL_THREAD_SORT, t.id, 0);
        }
    }
}
