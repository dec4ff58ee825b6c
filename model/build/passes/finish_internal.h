/* model/build/passes/finish_internal.h - shared by the steps of tt_build_finish(). Private to model/.
 *
 * Order: ids -> pairs -> tracks (sort, nest, in parallel) and in parallel the lists of other events -> device table
 * -> launches -> overruns -> operators of launches, in parallel the steps. */
#ifndef TT_MODEL_BUILD_PASSES_FINISH_INTERNAL_H
#define TT_MODEL_BUILD_PASSES_FINISH_INTERNAL_H

#include <pthread.h>

#include "model/build/builder.h"

typedef struct tt_id_map { /* local ids of one builder -> ids of the trace */
    tt_sid *name, *text;
    uint8_t *cat;
    uint32_t *wide; /* wide id -> common wide id */
    uint32_t *shape, *op_args, *coll;
    uint32_t *track;
    uint32_t *series;
    uint32_t dev_base; /* number of device entries of earlier builders */
    bool identity;     /* this builder's ids are the trace's (slices made of pairs) */
} tt_id_map;

/* Steps that are known by the names of ranges (step_names.c). */
typedef struct tt_step_names {
    uint8_t *role;       /* by name: index into cat */
    uint8_t cat[3][256]; /* category of a range of each category whose name has the role */
    bool any;            /* some name is that of a step */
} tt_step_names;

/* Rows of one track that later steps need, ascending. */
struct tt_track_rows {
    TT_VEC(tt_row) launches;
    TT_VEC(tt_row) steps; /* profiler steps and engine steps */
    uint32_t devices;     /* number of slices with an entry in the device table */
};

typedef struct tt_finish {
    tt_trace *s;
    tt_builder **b; /* the reading builders, and one more for slices made of pairs */
    uint32_t n_b;
    tt_id_map *map;
    tt_step_names steps;
    uint32_t *local_track;      /* [track * n_b + builder] -> local track, TT_NONE */
    int64_t zero;               /* zero of the trace: subtracted from times of the file */
    struct tt_track_rows *rows; /* by track */
    int64_t jitter;             /* jitter of the header */
    int32_t device;             /* device of the header */
    uint32_t track_room;        /* number of tracks that fit into s->tracks without growing */
    TT_VEC(tt_ends) pairs;      /* becomes the trace's */
    bool consume;
    unsigned threads;
    pthread_mutex_t stocking; /* guards the stock, and members named in track_parts.h */
    tt_page_pool stock;       /* pages of finished tracks' blocks */
} tt_finish;

/* time_zero.c: set begin and end of the time axis; move events without a time. */
void tt_finish_axis(tt_finish *fin, const tt_build_header *h);
/* merge_ids.c: make common ids; fills s->strings, cats, shapes, op_args, colls, tracks (identity), processes, map. */
void tt_finish_ids(tt_finish *fin, const tt_build_codec *codec);
/* step_names.c: add categories for steps beside those of ranges; when categories have their final order, say which
 * of them a range belongs to. */
void tt_finish_step_categories(tt_finish *fin);
void tt_finish_step_lookup(tt_finish *fin);
/* Add a track to the process of the track `beside`. */
uint32_t tt_finish_add_track(tt_finish *fin, uint32_t beside, tt_sid tid, tt_track_kind kind);
uint32_t tt_finish_wide(const tt_id_map *m, uint32_t id);

/* match_begin_end.c: match begin and end events of all builders into slices of the last builder, and report
 * unmatched ones. */
void tt_finish_pairs(tt_finish *fin, tt_builder *out);

/* fill_columns.c: nest a track: parents and display rows, from its filled columns. */
void tt_finish_nest(tt_finish *fin, tt_track *track);

/* equal_times.c: row of a group with equal start and end. The function sorts n such rows, ascending, into nesting
 * order. */
typedef struct tt_tied_row {
    tt_row row;
    bool pair; /* made of a begin and an end event */
} tt_tied_row;
void tt_finish_ties(tt_finish *fin, const tt_tied_row *rows, size_t n);

/* clip_overlong.c: cut device work far beyond the next one; call after the rows and the other tables. */
void tt_finish_overruns(tt_finish *fin);

/* flows_counters_memory.c: join flows, instants, counters, memory records, and all other events, one part per call. */
enum { TT_JOIN_SIDES = 6 };
uint64_t tt_finish_side_cost(const tt_finish *fin,
                             size_t part); /* cost, in slices of a track that take about as long */
void tt_finish_side(tt_finish *fin, size_t part);

/* correlate.c: entry `side` of the concatenated device lists of the builders, with common ids. */
tt_activity tt_finish_device(const tt_finish *fin, uint32_t detail);
/* correlate.c, in this order: device table by row; launches and their work; operators of launches. */
void tt_finish_devices(tt_finish *fin);
void tt_finish_launches(tt_finish *fin);
/* captured_calls.c: list the calls in captures of graphs, before the launches' operators take the place of the names of
 * their kernels. */
void tt_finish_captured_calls(tt_finish *fin);
void tt_finish_operators(tt_finish *fin);
/* flow_operators.c: set operators of device work that flows lead to; call afterwards. */
void tt_finish_flow_operators(tt_trace *s);

/* engine_steps.c: list the engine steps of a trace from its ascending slices of steps. */
void tt_trace_find_engine_steps(tt_trace *s, const tt_row *rows, size_t n);
/* infer_steps.c: make steps of a linked trace from the period of its device work, where it has one. Unless the user
 * asked for that, only where graphs are launched or an engine's Python frames are in sight. */
void tt_trace_infer_steps(tt_trace *s, bool asked);
/* steps.c: make the steps of a linked trace from its ascending slices of kinds STEP and ENGINE_STEP. */
void tt_finish_steps(tt_finish *fin);
void tt_trace_find_steps(tt_trace *s, const tt_row *rows, size_t n);
/* asked: make them of this source alone; NONE = of the first that has any. */
void tt_trace_make_steps(tt_trace *s, const tt_row *rows, size_t n, tt_steps_source asked);

#endif
