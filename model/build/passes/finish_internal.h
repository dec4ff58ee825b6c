/* model/build/passes/finish_internal.h - what the steps of tt_build_finish() share. Private to model/.
 *
 * Order: ids -> pairs -> tracks (sort, nest, in parallel) and beside them the lists of other events -> device table
 * -> launches -> overruns -> operators of launches, beside them the steps. */
#ifndef TT_MODEL_BUILD_FINISH_INTERNAL_H
#define TT_MODEL_BUILD_FINISH_INTERNAL_H

#include <pthread.h>

#include "model/build/builder.h"

typedef struct tt_id_map { /* local ids of one builder -> ids of the trace */
    tt_sid *name, *text;
    uint8_t *cat;
    uint32_t *wide; /* wide id -> common wide id */
    uint32_t *shape, *op_args, *coll;
    uint32_t *track;
    uint32_t *series;
    uint32_t dev_base; /* device entries of earlier builders */
    bool identity;     /* the ids of this builder are the trace's already (slices made of pairs) */
} tt_id_map;

/* Rows of one track that later steps look for, ascending. */
struct tt_track_rows {
    TT_VEC(tt_row) launches;
    TT_VEC(tt_row) steps;
    uint32_t devices; /* slices with an entry in the device table */
};

typedef struct tt_finish {
    tt_trace *s;
    tt_builder **b; /* the builders read, and one more for slices made of pairs */
    uint32_t n_b;
    tt_id_map *map;
    uint32_t *local_track;      /* [track * n_b + builder] -> local track, TT_NONE */
    int64_t zero;               /* subtract from a time of the file */
    struct tt_track_rows *rows; /* by track */
    int64_t jitter;             /* of the header */
    int32_t device;             /* likewise */
    uint32_t track_room;        /* tracks that can be added without growing s->tracks */
    TT_VEC(tt_ends) pairs;      /* becomes the trace's */
    bool consume;
    unsigned threads;
    pthread_mutex_t stocking; /* guards the stock, and what track_parts.h says */
    tt_page_pool stock;       /* of the blocks of tracks that are done */
} tt_finish;

/* time_zero.c: where time begins and ends; moves what has no time. */
void tt_finish_axis(tt_finish *fin, const tt_build_header *h);
/* merge_ids.c: common ids for everything; fills s->strings, cats, shapes, op_args, colls, tracks (identity),
 * processes, map. */
void tt_finish_ids(tt_finish *fin, const tt_build_codec *codec);
/* A new track in the process of the track `beside`. */
uint32_t tt_finish_add_track(tt_finish *fin, uint32_t beside, tt_sid tid, tt_track_kind kind);
uint32_t tt_finish_wide(const tt_id_map *m, uint32_t id);

/* match_begin_end.c: match begin and end events of all builders into slices of the last builder, and report what has
 * no partner. */
void tt_finish_pairs(tt_finish *fin, tt_builder *out);

/* fill_columns.c: parents and display rows of a track, of the columns that are there. */
void tt_finish_nest(tt_finish *fin, tt_track *track);

/* equal_times.c: put n rows of a track that share their start and end with a neighbour, ascending, in the order in
 * which they nest. */
typedef struct tt_tied_row {
    tt_row row;
    bool pair; /* made of a begin and an end event */
} tt_tied_row;
void tt_finish_ties(tt_finish *fin, const tt_tied_row *rows, size_t n);

/* clip_overlong.c: cut device work that goes far beyond the next one; after the rows and the tables of what is no
 * slice. */
void tt_finish_overruns(tt_finish *fin);

/* flows_counters_memory.c: flows, instants, counters, memory records, and all other events, one part a call. */
enum { TT_JOIN_SIDES = 6 };
uint64_t tt_finish_side_cost(const tt_finish *fin, size_t part); /* in slices of a track that take as long, roughly */
void tt_finish_side(tt_finish *fin, size_t part);

/* correlate.c: entry `side` of the builders' device lists laid end to end, with common ids. */
tt_activity tt_finish_device(const tt_finish *fin, uint32_t detail);
/* correlate.c, one after the other: the device table in order of rows; launches and their work; the operators of
 * launches. */
void tt_finish_devices(tt_finish *fin);
void tt_finish_launches(tt_finish *fin);
void tt_finish_operators(tt_finish *fin);
/* flow_operators.c: the operators of device work that flows lead to; afterwards. */
void tt_finish_flow_operators(tt_trace *s);

/* steps.c: the steps of a trace whose links are made; rows: its slices of kind STEP, ascending. */
void tt_finish_steps(tt_finish *fin);
void tt_trace_find_steps(tt_trace *s, const tt_row *rows, size_t n);

#endif
