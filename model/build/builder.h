/* model/build/builder.h - filling a trace while a file is read: the contract for authors of readers.
 *
 * Every reading thread owns one tt_builder and appends to it without locks: ids (strings, tracks, categories) are
 * local to the builder. tt_build_finish() maps the ids of all builders to common ones, sorts, nests and links, and
 * returns the immutable trace. The result does not depend on which thread read what: ties are broken by the place in
 * the file.
 *
 * A reader adds one event by one call: tt_build_slice(), tt_build_device(), tt_build_end(), tt_build_flow(),
 * tt_build_launch_flow(), tt_build_instant(), tt_build_memory(), or tt_build_counter() with its values. The call
 * counts the event, extends the bounds of the trace by its time, and stores the data of its kind; the order of calls
 * does not matter. The reader must ensure:
 *  - times are the file's own, ns, within TT_TIME_MAX, and end no earlier than they start: tt_build_span() checks
 * and reports;
 *  - offset: place where the event can be read again, below TT_TEXT_MAX, unique among events: passed to the trace's
 * tt_text_source;
 *  - track, name, category and ids come from the calls below, of the same builder. */
#ifndef TT_MODEL_BUILD_BUILDER_H
#define TT_MODEL_BUILD_BUILDER_H

#include "model/build/builder_records.h"

/* Limit of times and durations: sums of two never overflow. */
#define TT_TIME_MAX ((int64_t)1 << 61)
#define TT_TEXT_MAX ((uint64_t)1 << 40) /* offsets in the text have 40 bits */

void tt_builder_init(tt_builder *b);
void tt_builder_free(tt_builder *b);

/* ---- ids ---- */

/* Intern a name as spelt in the file. 0 = "". */
static inline uint32_t tt_build_name(tt_builder *b, const char *text, size_t len)
{
    return tt_strings_put(&b->names, text, len);
}
/* Intern the JSON text of a value that is kept verbatim: shapes, types, grids. */
static inline uint32_t tt_build_text(tt_builder *b, const char *json, size_t len)
{
    return tt_strings_put(&b->texts, json, len);
}
/* The track of a thread or stream by its two ids as spelt in the file, "?" for a missing one. */
uint32_t tt_build_track_of(tt_builder *b, const char *pid, size_t pid_len, const char *tid, size_t tid_len);
/* The local category with this spelling and kind. */
uint8_t tt_build_category(tt_builder *b, uint32_t name, tt_kind kind);
/* Map a correlation or external id: small numbers stay, others get a new number above 2^31. 0 = none. */
#define TT_WIDE_ID UINT32_C(0x80000000)
uint32_t tt_build_wide_id_(tt_builder *b, uint64_t value);
static inline uint32_t tt_build_id(tt_builder *b, uint64_t value)
{
    return value < TT_WIDE_ID ? (uint32_t)value : tt_build_wide_id_(b, value);
}
uint64_t tt_build_id_value(const tt_builder *b, uint32_t id); /* original value of the id */
/* Index of a distinct combination; unknown members as events.h says (0, TT_UNKNOWN, NaN). 0 = nothing known. */
uint32_t tt_build_shape(tt_builder *b, const tt_launch_shape *s);
uint32_t tt_build_op_args(tt_builder *b, const tt_op_args *a);
uint32_t tt_build_coll(tt_builder *b, const tt_collective_args *c); /* ignores c->zero */
/* A series of a counter: one member of the counter `name` of the track's process. Series are ordered by the lowest
 * `place` (of an event in the text) that came with each, then by call. */
uint32_t tt_build_series(tt_builder *b, uint32_t track, uint32_t name, const char *id, size_t id_len, const char *key,
                         size_t key_len, uint64_t place);

/* ---- times ---- */

/* Check the times of an event; name is for the report. False: the start is impossible; reported, skip the event. An
 * end that is impossible or before the start: reported, *dur is 0. */
bool tt_build_span(tt_builder *b, uint64_t offset, const char *name, size_t len, int64_t start, int64_t end,
                   int64_t *dur);
/* For formats that keep events without a usable time: report the event; add it with time 0. */
void tt_build_no_time(tt_builder *b, uint64_t offset, const char *name, size_t len);

/* Count an event that no call below adds: metadata, or a phase without a meaning here. */
static inline void tt_build_count(tt_builder *b) { b->n_events++; }

/* Count an event over [t0, t1]. Private to the calls below. */
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

typedef struct tt_slice_in { /* omitted members are 0: no name, no ids, no arguments */
    uint64_t offset;
    int64_t ts, dur;
    uint32_t track, name;
    uint32_t correlation; /* tt_build_id(); Python rows: their Python id; indexed kinds (events.h): Ev Idx */
    uint32_t external_id; /* tt_build_id(); Python rows: the Python id of their parent */
    uint32_t args;   /* tt_build_op_args(); MODULE: number of the module, TT_NONE = none. Ignored for launches, Python
                        functions and device slices */
    uint32_t kernel; /* launches: name of the kernel, where the call says it (tt_build_name()); else ignored */
    uint8_t cat;
} tt_slice_in;

typedef struct tt_device_in { /* additional data of a device slice */
    int64_t device;           /* device number; invalid numbers = unknown */
    int64_t stream, bytes;    /* stream; bytes of copies and sets; TT_UNKNOWN */
    uint32_t shape, coll;     /* tt_build_shape(), tt_build_coll() */
    uint32_t wait_record;     /* synchronisations only: see tt_activity; 0 = none, and wait_stream is ignored */
    uint32_t wait_stream;
} tt_device_in;
#define TT_NO_DEVICE ((tt_device_in){.device = -1, .stream = TT_UNKNOWN, .bytes = TT_UNKNOWN})

tt_rec *tt_build_grow_(tt_build_track *t); /* slow path of tt_build_room_() */
/* Room for one more, already counted, slice of a track; the caller fills it. Private to model/build. */
static inline tt_rec *tt_build_room_(tt_builder *b, uint32_t track)
{
    tt_build_track *t = &b->tracks.at[track];
    t->n++;
    b->n_slices++;
    if (t->last && t->last->n < t->last->cap) return &t->last->at[t->last->n++];
    return tt_build_grow_(t);
}
uint32_t tt_build_activity_(tt_builder *b,
                            const tt_device_in *d); /* returns its index among the builder's device work */

/* Append the slice; detail: see tt_trace. */
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

/* Add a slice of a device: its category is of a device kind. */
static inline void tt_build_device(tt_builder *b, const tt_slice_in *s, const tt_device_in *d)
{
    b->tracks.at[s->track].device_slices++;
    tt_build_put_(b, s, tt_build_activity_(b, d));
}

/* Whether the track has device slices, so that it becomes a stream. For readers that name tracks after the last
 * event. */
static inline bool tt_build_is_stream(const tt_builder *b, uint32_t track)
{
    return b->tracks.at[track].device_slices > 0;
}

static inline uint32_t tt_build_host_detail_(tt_kind kind, uint32_t args, uint32_t kernel)
{
    return tt_kind_is_launch(kind) ? kernel : kind == TT_KIND_PYTHON ? TT_NONE : args;
}

/* Add a slice of any kind; a device slice gets no further data. */
static inline void tt_build_slice(tt_builder *b, const tt_slice_in *s)
{
    tt_kind kind = b->cats[s->cat].kind;
    if (__builtin_expect(tt_kind_is_device(kind), 0)) {
        tt_build_device(b, s, &TT_NO_DEVICE);
    } else {
        tt_build_put_(b, s, tt_build_host_detail_(kind, s->args, s->kernel));
    }
}

/* Reclassify slice r of a track, so far of a host kind, as local category cat; for readers that learn the kind of a
 * track late. d: device data for a device kind, else NULL. */
void tt_build_recast(tt_builder *b, uint32_t track, tt_rec *r, uint8_t cat, const tt_device_in *d);

/* Add one end of a slice whose ends are separate events; dur is ignored. d: device data, or NULL. phase: B E, b e, S
 * F. id, scope (a name, 0): keys that match the ends of async slices. */
void tt_build_end(tt_builder *b, const tt_slice_in *s, const tt_device_in *d, char phase, uint64_t id, uint32_t scope);

/* ---- other events; records as in events.h, with local ids ---- */

void tt_build_flow(tt_builder *b,
                   const tt_flow *f); /* id: tt_build_id(); use for flows that do not connect a launch with its work: */
void tt_build_launch_flow(tt_builder *b, int64_t ts, uint64_t offset, uint32_t track);
void tt_build_instant(tt_builder *b, const tt_instant *i);
void tt_build_memory(tt_builder *b, const tt_memory_record *m);
/* Update the largest totals by record m; TT_UNKNOWN = not stated. */
void tt_build_peak(tt_builder *b, const tt_memory_record *m, int64_t allocated, int64_t reserved);
/* Add a counter event, and then each of its values. */
static inline void tt_build_counter(tt_builder *b, int64_t ts) { tt_build_timed_(b, ts, ts); }
/* Add a sample. place: place of the event in the text, which orders samples of one moment. */
void tt_build_sample(tt_builder *b, uint32_t series, int64_t ts, double value, uint64_t place);
/* Label the process of a track, or the track itself; text: a name. Count events of the file with tt_build_count(). */
void tt_build_label_text(tt_builder *b, uint32_t track, tt_label what, uint32_t text, uint64_t offset);
void tt_build_label_number(tt_builder *b, uint32_t track, tt_label what, int64_t number, uint64_t offset);
/* Add the making of a node of a graph. Not counted. */
static inline void tt_build_graph_node(tt_builder *b, const tt_graph_node *n) { *tt_vec_push(&b->graph_nodes) = *n; }
/* Keep an event for exports that no table holds, or holds only in part. ts, track: see tt_other. Not counted. */
void tt_build_other(tt_builder *b, int64_t ts, uint64_t offset, uint32_t track);

/* ---- the end ---- */

typedef struct tt_build_header {  /* data that the reader collected outside of the events */
    char *path, *worker, *span;   /* taken over */
    const tt_format_info *format; /* NULL: trace made by hand */
    const tt_rules *rules;        /* rules of its framework (rules.h), never NULL */
    int64_t rank, world_size;
    int64_t base_ns; /* baseTimeNanoseconds, 0 = none */
    int64_t
        jitter_ns; /* starts can be wrong by this relative to their neighbours, ns (fix_rounded_starts.h); 0 = exact */
    tt_strings strings;              /* strings of meta and devices; taken over as the trace's string table */
    TT_VEC(tt_meta) meta;            /* taken over */
    TT_VEC(tt_device_props) devices; /* taken over */
    uint64_t text_bytes;
    int64_t device; /* device of work without a known device number; -1 */
    tt_problems problems;
} tt_build_header;

/* Initialise a header; paths are copied; all else is unknown: no ids (rank is taken from the file name, -1), no
 * meta. */
void tt_build_header_init(tt_build_header *h, const tt_rules *rules, const char *path, const char *worker,
                          const char *span, int64_t rank);
/* Free a header that was not used for a trace. */
void tt_build_header_free(tt_build_header *h);
/* Add a fact made by the reader; value: decoded text, or JSON. With several facts of one key, tables show all, and
 * the last one counts. */
void tt_build_meta(tt_build_header *h, const char *key, const char *value, size_t len);

typedef struct tt_build_codec { /* string encoding of the format; called for distinct strings only */
    /* Decode a string as spelt in the file into out (capacity >= 2 * len + 2); returns the decoded length. *bad:
     * invalid escape. Only called for strings with a backslash or a NUL. */
    size_t (*decode)(const char *in, size_t len, char *out, bool *bad);
    /* Normalise the white space of a JSON value into out (capacity >= 2 * len + 1). */
    size_t (*tidy)(const char *in, size_t len, char *out);
} tt_build_codec;
/* Codec of formats with plain strings: only NUL, which no string can hold, becomes C0 80. */
extern const tt_build_codec tt_build_plain;

#endif
