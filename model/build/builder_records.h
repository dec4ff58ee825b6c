/* model/build/builder_records.h - the content of a builder: everything as read, with ids local to the builder.
 *
 * Private to model/build, which makes a trace from it, and to the inline calls of builder.h, which fill it. A reader
 * can read its own data (the slices of a track, the kind of a category), and writes only sub_us and problems here. */
#ifndef TT_MODEL_BUILD_BUILDER_RECORDS_H
#define TT_MODEL_BUILD_BUILDER_RECORDS_H

#include "model/base/number_set.h"
#include "model/base/page_pool.h"
#include "model/trace/trace.h"

typedef struct tt_rec { /* a slice as read */
    int64_t ts, dur;
    uint64_t text_cat;                 /* tt_rec_offset() << 8 | tt_rec_cat() */
    uint32_t name;                     /* local string */
    uint32_t correlation, external_id; /* see tt_build_id() */
    uint32_t detail; /* by kind: local index into dev or op_args, module id, local string of the kernel of a launch */
} tt_rec;
static inline uint64_t tt_rec_offset(const tt_rec *r) { return r->text_cat >> 8; }
static inline uint8_t tt_rec_cat(const tt_rec *r) { return (uint8_t)r->text_cat; }

typedef struct tt_rec_block {
    struct tt_rec_block *next;
    uint32_t n, cap;
    tt_rec at[];
} tt_rec_block;

void tt_rec_block_free(tt_rec_block *k, tt_page_pool *stock); /* large blocks go into the stock */

typedef struct tt_build_track { /* local track */
    uint32_t pid, tid;          /* local strings */
    tt_rec_block *first, *last;
    uint64_t n;
    uint32_t device_slices; /* number of slices of a device kind: decides stream or thread */
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

typedef struct tt_sample_rec {
    int64_t ts;
    double value;
    uint64_t place;
    uint32_t series;
} tt_sample_rec;

/* What a metadata event says about a process or a track. */
typedef enum tt_label {
    TT_LABEL_PROCESS_NAME,
    TT_LABEL_PROCESS_LABELS,
    TT_LABEL_PROCESS_SORT,
    TT_LABEL_THREAD_NAME,
    TT_LABEL_THREAD_SORT
} tt_label;
typedef struct tt_label_rec {
    tt_label what;
    uint32_t track; /* local; its pid is the process */
    uint32_t text;  /* local string */
    int64_t number;
    uint64_t offset; /* place in the file: the last label wins */
} tt_label_rec;

typedef struct tt_builder {
    tt_strings names;     /* strings as spelt in the file, escapes and all */
    tt_strings texts;     /* JSON values kept as text */
    tt_strings track_key; /* pid NUL tid -> local track */
    TT_VEC(tt_build_track) tracks;
    tt_category cats[256]; /* name: local string */
    uint32_t n_cats;
    TT_PAGE_VEC(tt_activity) dev;     /* row unused; shape, coll local */
    TT_VEC(tt_launch_shape) shapes;   /* annotation: local name; grid, block: local texts; entry 0 = nothing */
    TT_VEC(tt_op_args) op_args;       /* local ids; stack, hierarchy: names, the others: texts; entry 0 = none */
    TT_VEC(tt_collective_args) colls; /* local names and texts; entry 0 = none */
    tt_strings shape_key, op_args_key, coll_key; /* bytes of the entry -> index + 1 */
    tt_number_set wide_ids;                      /* ids that do not fit 31 bits */
    TT_VEC(tt_flow) flows;
    TT_PAGE_VEC(tt_launch_flow) launch_flows;
    TT_VEC(tt_instant) instants;
    TT_VEC(tt_pair_end) pairs;
    TT_VEC(tt_graph_node) graph_nodes; /* track local */
    TT_VEC(tt_other) others;           /* time and track local */
    tt_strings series_key;             /* pid NUL name NUL id NUL key */
    TT_VEC(tt_series) series;          /* pid, name, id, key local */
    TT_VEC(uint64_t) series_at;        /* by series: its lowest place in the text */
    TT_VEC(tt_sample_rec) samples;
    TT_PAGE_VEC(tt_memory_record) memory;
    TT_VEC(tt_memory_peak) peaks;
    TT_VEC(tt_label_rec) labels;
    uint64_t n_events, n_slices;
    int64_t min_ts, max_ts; /* bounds of all events but metadata; min_ts: only times above 0 */
    int64_t min_below;      /* earliest time below 0; 0 = none */
    bool saw_zero;          /* some event has time 0 */
    uint64_t no_time;       /* number of impossible times, replaced by 0 */
    bool sub_us;            /* some time has a fraction of a microsecond */
    tt_problems problems;
} tt_builder;

/* Value of tt_memory_record.maker for a name; names beyond its bits are dropped. */
static inline uint64_t tt_maker_bits(tt_sid name) { return name >> 23 ? 0 : name; }

#endif
