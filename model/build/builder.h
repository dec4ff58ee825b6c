/* model/build/builder.h - filling a trace while a file is read: the contract for who writes a reader.
 *
 * Every reading thread owns one tt_builder and appends to it without locks: ids (strings, tracks, categories) are
 * local to the builder. tt_build_finish() maps the ids of all builders to common ones, sorts, nests and links, and
 * gives the immutable trace. The result does not depend on which thread read what: ties are broken by the place in
 * the file.
 *
 * A reader gives one event by one call: tt_build_slice(), tt_build_device(), tt_build_end(), tt_build_flow(),
 * tt_build_launch_flow(), tt_build_instant(), tt_build_memory(), or tt_build_counter() with its values. The call
 * counts the event, takes its time into the bounds of the trace, and keeps what belongs to its kind; the order of
 * calls does not matter. What the reader has to see to:
 *  - times are the file's own, ns, within TT_TIME_MAX, and end no earlier than they start: tt_build_span() checks and
 *    reports;
 *  - offset: where the event can be read again, below TT_TEXT_MAX, unique among events: tt_text_source of the trace
 *    gets it;
 *  - track, name, category and ids come from the calls below, of the same builder. */
#ifndef TT_MODEL_BUILD_BUILDER_H
#define TT_MODEL_BUILD_BUILDER_H

#include "model/build/builder_records.h"

/* Times and durations are no larger than this, so that sums of two never overflow. */
#define TT_TIME_MAX ((int64_t)1 << 61)
#define TT_TEXT_MAX ((uint64_t)1 << 40) /* offsets in the text have 40 bits */

void tt_builder_init(tt_builder *b);
void tt_builder_free(tt_builder *b);

/* ---- ids ---- */

/* A string as spelt in the file: names of things. 0 = "". */
static inline uint32_t tt_build_name(tt_builder *b, const char *text, size_t len)
{
    return tt_strings_put(&b->names, text, len);
}
/* The JSON text of a value that is kept as it is: shapes, types, grids. */
static inline uint32_t tt_build_text(tt_builder *b, const char *json, size_t len)
{
    return tt_strings_put(&b->texts, json, len);
}
/* The track of a thread or stream by its two ids as the file spells them, "?" where it has none. */
uint32_t tt_build_track_of(tt_builder *b, const char *pid, size_t pid_len, const char *tid, size_t tid_len);
/* Local category of this spelling and kind. */
uint8_t tt_build_category(tt_builder *b, uint32_t name, tt_kind kind);
/* Correlation and external ids: small numbers stay, others get a number of their own above 2^31. 0 = none. */
#define TT_WIDE_ID UINT32_C(0x80000000)
uint32_t tt_build_wide_id_(tt_builder *b, uint64_t value);
static inline uint32_t tt_build_id(tt_builder *b, uint64_t value)
{
    return value < TT_WIDE_ID ? (uint32_t)value : tt_build_wide_id_(b, value);
}
uint64_t tt_build_id_value(const tt_builder *b, uint32_t id); /* back again */
/* The index of the distinct combination; members that are not known as events.h says (0, TT_UNKNOWN, NaN). 0 =
 * nothing known. */
uint32_t tt_build_shape(tt_builder *b, const tt_launch_shape *s);
uint32_t tt_build_op_args(tt_builder *b, const tt_op_args *a);
uint32_t tt_build_coll(tt_builder *b, const tt_collective_args *c); /* c->zero is not looked at */
/* A line of a counter: one member of the counter `name` of the process that the track is of. Lines are in the order of
 * the lowest `place` (of an event in the text) that came with each, and in that of the calls. */
uint32_t tt_build_series(tt_builder *b, uint32_t track, uint32_t name, const char *id, size_t id_len, const char *key,
                         size_t key_len, uint64_t place);

/* ---- times ---- */

/* Check the times of an event, of which name is shown. False: the start is impossible; reported, leave the event
 * out. An end before the start, or one that is impossible: reported, *dur is 0. */
bool tt_build_span(tt_builder *b, uint64_t offset, const char *name, size_t len, int64_t start, int64_t end,
                   int64_t *dur);
/* For formats that give an event without a usable time all the same: report it, and give it with time 0. */
void tt_build_no_time(tt_builder *b, uint64_t offset, const char *name, size_t len);

/* One event understood that no call below gave: metadata, a phase without a meaning here. */
static inline void tt_build_count(tt_builder *b) { b->n_events++; }

/* An event over [t0, t1]. Private to the calls below. */
static inline void tt_build_timed_(tt_builder *b, int64_t t0, int64_t t1)
{
    if (t0 < b->min_ts) {
        if (t0 > 0) {
            b->min_ts = t0;
        } else if (t0 == 0) {
            b->saw_zero = true;
        } else if (t0 < b->min_below) {
            b->min_below = t0;
        }
    }
    if (t1 > b->max_ts) b->max_ts = t1;
    b->n_events++;
}

/* ---- slices ---- */

typedef struct tt_slice_in { /* members that are left out are 0: no name, no ids, no arguments */
    uint64_t offset;
    int64_t ts, dur;
    uint32_t track, name;
    uint32_t correlation; /* tt_build_id(); of Python rows their Python id; of indexed kinds (events.h) the Ev Idx */
    uint32_t external_id; /* tt_build_id(); of Python rows the Python id of their parent */
    uint32_t args;        /* tt_build_op_args(); of a MODULE the number of the module, TT_NONE = none. Not looked at for
                             launches, Python functions and what is on a device */
    uint8_t cat;
} tt_slice_in;

typedef struct tt_device_in { /* what a slice on a device has more */
    int64_t device;           /* its number; anything that is none: not known */
    int64_t stream, bytes;    /* TT_UNKNOWN; bytes: of copies and sets */
    uint32_t shape, coll;     /* tt_build_shape(), tt_build_coll() */
    uint32_t wait_record;     /* of synchronisations: see tt_activity; 0 = none, then wait_stream is not looked at */
    uint32_t wait_stream;
} tt_device_in;
#define TT_NO_DEVICE ((tt_device_in){.device = -1, .stream = TT_UNKNOWN, .bytes = TT_UNKNOWN})

tt_rec *tt_build_grow_(tt_build_track *t); /* slow path of tt_build_room_() */
/* Room for one more slice of a track, to be filled by the caller: for what was counted before. Private to
 * model/build. */
static inline tt_rec *tt_build_room_(tt_builder *b, uint32_t track)
{
    tt_build_track *t = &b->tracks.at[track];
    t->n++;
    b->n_slices++;
    if (t->last && t->last->n < t->last->cap) return &t->last->at[t->last->n++];
    return tt_build_grow_(t);
}
uint32_t tt_build_activity_(tt_builder *b, const tt_device_in *d); /* its index among the builder's device work */

/* The slice; detail: see tt_trace. */
static inline void tt_build_put_(tt_builder *b, const tt_slice_in *s, uint32_t detail)
{
    tt_rec *r = tt_build_room_(b, s->track);
    r->ts = s->ts;
    r->dur = s->dur;
    r->text_cat = s->offset << 8 | s->cat;
    r->name = s->name;
    r->correlation = s->correlation;
    r->external_id = s->external_id;
    r->detail = detail;
    tt_build_timed_(b, s->ts, s->ts + s->dur);
}

/* Work of a device, or what else belongs to one: the kind of its category is one of a device. */
static inline void tt_build_device(tt_builder *b, const tt_slice_in *s, const tt_device_in *d)
{
    b->tracks.at[s->track].device_slices++;
    tt_build_put_(b, s, tt_build_activity_(b, d));
}

/* Something on the track belongs to a device: it will be a stream. For readers that name tracks after the last
 * event. */
static inline bool tt_build_is_stream(const tt_builder *b, uint32_t track)
{
    return b->tracks.at[track].device_slices > 0;
}

static inline uint32_t tt_build_host_detail_(tt_kind kind, uint32_t args)
{
    return tt_kind_is_launch(kind) || kind == TT_KIND_PYTHON ? TT_NONE : args;
}

/* A slice of any kind; of a device kind nothing more is known than this. */
static inline void tt_build_slice(tt_builder *b, const tt_slice_in *s)
{
    tt_kind kind = b->cats[s->cat].kind;
    if (__builtin_expect(tt_kind_is_device(kind), 0)) {
        tt_build_device(b, s, &TT_NO_DEVICE);
    } else {
        tt_build_put_(b, s, tt_build_host_detail_(kind, s->args));
    }
}

/* For readers that learn only afterwards what a track is of: slice r of it, so far of a host kind, gets the local
 * category cat; d: what is known of it where that is of a device, else NULL. */
void tt_build_recast(tt_builder *b, uint32_t track, tt_rec *r, uint8_t cat, const tt_device_in *d);

/* One end of a slice whose ends are separate events; dur is not looked at. d: NULL, or what is known of a device's.
 * phase: B E, b e, S F. id, scope (a name, 0): of the async ones, whose ends they match. */
void tt_build_end(tt_builder *b, const tt_slice_in *s, const tt_device_in *d, char phase, uint64_t id, uint32_t scope);

/* ---- what is no slice; records as events.h says, with local ids ---- */

void tt_build_flow(tt_builder *b, const tt_flow *f); /* id: tt_build_id(); not between a launch and its work: */
void tt_build_launch_flow(tt_builder *b, int64_t ts, uint64_t offset, uint32_t track);
void tt_build_instant(tt_builder *b, const tt_instant *i);
void tt_build_memory(tt_builder *b, const tt_memory_record *m);
/* What record m says of the largest totals until then; TT_UNKNOWN where it says nothing. */
void tt_build_peak(tt_builder *b, const tt_memory_record *m, int64_t allocated, int64_t reserved);
/* A counter event, and each of its values. */
static inline void tt_build_counter(tt_builder *b, int64_t ts) { tt_build_timed_(b, ts, ts); }
/* place: of the event in the text; samples of one moment are in its order. */
void tt_build_sample(tt_builder *b, uint32_t series, int64_t ts, double value, uint64_t place);
/* What a trace says about a process (that of the track) or a track; text: a name. Events of the file count by
 * tt_build_count(). */
void tt_build_label_text(tt_builder *b, uint32_t track, tt_label what, uint32_t text, uint64_t offset);
void tt_build_label_number(tt_builder *b, uint32_t track, tt_label what, int64_t number, uint64_t offset);
/* For exports: an event that no table holds, or not as a whole. ts, track: see tt_other. Not counted. */
void tt_build_other(tt_builder *b, int64_t ts, uint64_t offset, uint32_t track);

/* ---- the end ---- */

typedef struct tt_build_header {  /* what the reader learnt outside the events */
    char *path, *worker, *span;   /* taken over */
    const tt_format_info *format; /* NULL: made by hand */
    const tt_rules *rules;        /* how its framework counts: one of rules.h, never NULL */
    int64_t rank, world_size;
    int64_t base_ns;    /* baseTimeNanoseconds, 0 */
    int64_t jitter_ns;  /* starts may be off by this much against their neighbours (fix_rounded_starts.h); 0 = exact */
    tt_strings strings; /* of meta and devices; taken over: becomes the trace's string table */
    TT_VEC(tt_meta) meta;            /* taken over */
    TT_VEC(tt_device_props) devices; /* taken over */
    uint64_t text_bytes;
    int64_t device; /* of device work whose own number is not known; -1 */
    tt_problems problems;
} tt_build_header;

/* Paths are copied; nothing else is known yet: no ids of its own (rank is what the name of the file says, -1), no
 * meta. */
void tt_build_header_init(tt_build_header *h, const tt_rules *rules, const char *path, const char *worker,
                          const char *span, int64_t rank);
/* Only where no trace was made of it. */
void tt_build_header_free(tt_build_header *h);
/* A fact that the reader made itself; value: decoded text, or JSON. Of several with one key tables show all, and the
 * last one counts. */
void tt_build_meta(tt_build_header *h, const char *key, const char *value, size_t len);

typedef struct tt_build_codec { /* how the format spells things; called for distinct strings only */
    /* Decode a string as spelt in the file into out (capacity >= 2 * len + 2); the decoded length. *bad: an escape
     * was invalid. Only for strings with a backslash or a NUL in them. */
    size_t (*decode)(const char *in, size_t len, char *out, bool *bad);
    /* Normalise the white space of a JSON value into out (capacity >= 2 * len + 1). */
    size_t (*tidy)(const char *in, size_t len, char *out);
} tt_build_codec;
/* Strings and texts are as they are meant, but for a NUL, which no string can hold: it becomes C0 80. */
extern const tt_build_codec tt_build_plain;

#endif
