/* model/build/builder.h - filling a trace while a file is read.
 *
 * Every reading thread owns one tt_builder and appends to it without locks: ids (strings, tracks, categories) are local
 * to the builder. tt_build_finish() maps the ids of all builders to common ones, sorts, nests and links, and gives the
 * immutable trace. The result does not depend on which thread read what: ties are broken by the offset in the file.
 * Times are the file's own (ns); the trace counts from the earliest one. */
#ifndef TT_MODEL_BUILD_BUILDER_H
#define TT_MODEL_BUILD_BUILDER_H

#include "model/base/page_pool.h"
#include "model/trace/trace.h"

/* Times and durations are clamped to this by the reader, so that sums of two never overflow. */
#define TT_TIME_MAX ((int64_t)1 << 61)
#define TT_TEXT_MAX ((uint64_t)1 << 40) /* offsets in the text have 40 bits */

typedef struct tt_rec { /* a slice as read */
    int64_t ts, dur;
    uint64_t text_cat;                 /* offset << 8 | local category */
    uint32_t name;                     /* local string */
    uint32_t correlation, external_id; /* see tt_build_id() */
    uint32_t detail;                   /* by kind, local index: dev, op_args, module id */
} tt_rec;

typedef struct tt_rec_block {
    struct tt_rec_block *next;
    uint32_t n, cap;
    tt_rec at[];
} tt_rec_block;

typedef struct tt_build_track { /* local track */
    uint32_t pid, tid;          /* local strings */
    tt_rec_block *first, *last;
    uint64_t n;
    uint32_t device_slices; /* slices of a device kind: decides stream or thread */
} tt_build_track;

typedef struct tt_pair_end { /* one end of a slice whose ends are separate events: B E, b e n, S T F p */
    int64_t ts;
    uint64_t text, id;                         /* id: of async pairs */
    uint32_t track;                            /* local */
    uint32_t name;                             /* local string, 0 = none (an E may be nameless) */
    uint32_t correlation, external_id, detail; /* as in tt_rec */
    uint32_t scope;                            /* local string of an async scope, 0 */
    uint8_t cat;
    char phase;
} tt_pair_end;

typedef struct tt_build_sample {
    int64_t ts;
    double value;
    uint32_t series;
} tt_build_sample;

typedef struct tt_build_label { /* metadata event about a process or a track */
    enum {
        TT_LABEL_PROCESS_NAME,
        TT_LABEL_PROCESS_LABELS,
        TT_LABEL_PROCESS_SORT,
        TT_LABEL_THREAD_NAME,
        TT_LABEL_THREAD_SORT
    } what;
    uint32_t track; /* local; its pid is the process */
    uint32_t text;  /* local string */
    int64_t number;
    uint64_t offset; /* the last one in the file wins */
} tt_build_label;

typedef struct tt_builder {
    tt_strings names;     /* strings as spelt in the file, escapes and all */
    tt_strings texts;     /* JSON values kept as text */
    tt_strings track_key; /* pid NUL tid -> local track */
    TT_VEC(tt_build_track) tracks;
    tt_category cats[256]; /* name: local string */
    uint32_t n_cats;
    TT_VEC(tt_activity) dev;          /* row unused; shape, coll local */
    TT_VEC(tt_launch_shape) shapes;   /* grid, block: local texts; entry 0 = nothing */
    TT_VEC(tt_op_args) op_args;       /* local ids; stack, hierarchy: names, the others: texts; entry 0 = none */
    TT_VEC(tt_collective_args) colls; /* local names and texts; entry 0 = none */
    tt_strings shape_key, op_args_key, coll_key; /* bytes of the entry -> index + 1 */
    tt_strings wide_ids;                         /* ids that do not fit 31 bits, as text */
    TT_VEC(tt_flow) flows;
    TT_VEC(tt_launch_flow) launch_flows; /* in pages (mem.h), for the trace takes them over */
    TT_VEC(tt_instant) instants;
    TT_VEC(tt_pair_end) pairs;
    TT_VEC(tt_other) others;  /* time and track local */
    tt_strings series_key;    /* pid NUL name NUL id NUL key */
    TT_VEC(tt_series) series; /* pid, name, id, key local */
    TT_VEC(tt_build_sample) samples;
    TT_VEC(tt_memory_record) memory;
    TT_VEC(tt_memory_peak) peaks;
    TT_VEC(tt_build_label) labels;
    uint64_t n_events, n_slices;
    int64_t min_ts, max_ts; /* of everything but metadata events; min_ts: of those with a time above 0 */
    int64_t min_below;      /* the earliest time below 0; 0 = there is none */
    bool saw_zero;          /* there are events with time 0 */
    uint64_t no_time;       /* times that were impossible, and were counted as such: now 0 */
    bool sub_us;            /* some time has a fraction of a microsecond */
    tt_problems problems;
} tt_builder;

void tt_rec_block_free(tt_rec_block *k, tt_page_pool *stock); /* large ones go into the stock */
void tt_builder_init(tt_builder *b);
void tt_builder_free(tt_builder *b);

uint32_t tt_build_track_of(tt_builder *b, const char *pid, size_t pid_len, const char *tid, size_t tid_len);
/* Local category of this spelling and kind. */
uint8_t tt_build_category(tt_builder *b, uint32_t name, tt_kind kind);
/* Correlation and external ids: small numbers stay, others get a number of their own above 2^31. */
#define TT_WIDE_ID UINT32_C(0x80000000)
uint32_t tt_build_wide_id_(tt_builder *b, uint64_t value);
static inline uint32_t tt_build_id(tt_builder *b, uint64_t value)
{
    return value < TT_WIDE_ID ? (uint32_t)value : tt_build_wide_id_(b, value);
}
/* The index of the distinct combination. */
uint32_t tt_build_shape(tt_builder *b, const tt_launch_shape *s);
uint32_t tt_build_op_args(tt_builder *b, const tt_op_args *a);
uint32_t tt_build_coll(tt_builder *b, const tt_collective_args *c); /* c->zero is not looked at */
uint32_t tt_build_series(tt_builder *b, uint32_t track, uint32_t name, const char *id, size_t id_len, const char *key,
                         size_t key_len);
/* What record m says of the largest totals until then; TT_UNKNOWN where it says nothing. */
void tt_build_peak(tt_builder *b, const tt_memory_record *m, int64_t allocated, int64_t reserved);
tt_rec *tt_build_grow(tt_build_track *t); /* slow path of tt_build_slice() */

tt_launch_flow *tt_build_launch_flow(tt_builder *b); /* room for one more: fill in all members */

static inline void tt_build_time(tt_builder *b, int64_t t0, int64_t t1)
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
}

/* Room for one more slice of a local track: fill in all members. */
static inline tt_rec *tt_build_slice(tt_builder *b, uint32_t track)
{
    tt_build_track *t = &b->tracks.at[track];
    t->n++;
    b->n_slices++;
    if (t->last && t->last->n < t->last->cap) return &t->last->at[t->last->n++];
    return tt_build_grow(t);
}

typedef struct tt_build_header { /* what the reader learnt outside the events */
    char *path, *worker, *span;  /* taken over */
    tt_format format;
    int64_t rank, world_size;
    int64_t base_ns;    /* baseTimeNanoseconds, 0 */
    int64_t jitter_ns;  /* starts may be off by this much against their neighbours (fix_rounded_starts.h); 0 = exact */
    tt_strings strings; /* of meta and devices; taken over: becomes the trace's string table */
    TT_VEC(tt_meta) meta;            /* taken over */
    TT_VEC(tt_device_props) devices; /* taken over */
    uint64_t text_bytes;
    tt_problems problems;
} tt_build_header;

typedef struct tt_build_codec { /* how the format spells things; called for distinct strings only */
    /* Decode a string as spelt in the file into out (capacity >= len + 1); the decoded length. *bad: an escape was
     * invalid. */
    size_t (*decode)(const char *in, size_t len, char *out, bool *bad);
    /* Normalise the white space of a JSON value into out (capacity >= 2 * len + 1). */
    size_t (*tidy)(const char *in, size_t len, char *out);
} tt_build_codec;

/* Make the trace out of n builders. consume: free the builders' memory on the way (peak memory stays near the
 * trace's own size); otherwise they stay as they are and may go on (a preview while loading). threads: helpers to
 * use, at least 1. */
tt_trace *tt_build_finish(tt_builder *const *builders, uint32_t n, tt_build_header *header, const tt_build_codec *codec,
                          bool consume, unsigned threads);

#endif
