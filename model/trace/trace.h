/* model/trace/trace.h - the event store: everything that one trace file said, in columns.
 *
 * A trace is one input file = one (worker, span). It is built by model/build/builder.h while parser/ reads, and
 * immutable from tt_build_finish() on: any number of threads may read it without a lock.
 *
 * Slices (events with a duration) are rows of the columns below. Rows of one track lie together, ordered by
 * (start, -duration, as equal_times.c says); track t owns rows [first, first + n). Everything that is no slice
 * (flows, instants, counter samples, memory records) has a table of its own. Time is int64 nanoseconds since
 * `origin_ns`. Cost per slice: 8 start + 8 dur + 4 name + 1 cat + 4 correlation + 4 external_id + 4 parent + 4
 * detail + 2 depth + 5 text = 44 bytes. */
#ifndef TT_MODEL_TRACE_TRACE_H
#define TT_MODEL_TRACE_TRACE_H

#include <stdbool.h>

#include "model/base/err.h"
#include "model/base/page_pool.h"
#include "model/base/problems.h"
#include "model/text/strings.h"
#include "model/trace/events.h"
#include "model/trace/rules.h"

/* Gives the text of an event again (parser/ implements it). */
typedef struct tt_text_source tt_text_source;
struct tt_text_source {
    /* Copy up to cap bytes of the decompressed text from offset on; the number of bytes, -1 on error
     * (errno). Thread-safe. */
    int64_t (*read)(tt_text_source *self, uint64_t offset, char *out, size_t cap);
    void (*close)(tt_text_source *self);
    /* The file is no text: a read at the place of an event gives that event alone, made from what the file has. */
    bool single;
};

/* What model/ and tui/ know of a format: the beginning of its line in the table of parser/formats.c. */
typedef struct tt_format_info {
    const char *id;    /* one word, for programs: "pytorch" */
    const char *title; /* for a person: "PyTorch profile (JSON)" */
} tt_format_info;

typedef struct tt_trace {
    /* identity */
    char *path;
    char *worker, *span;          /* as discovered, never NULL */
    const tt_format_info *format; /* what it was read from; NULL for one made by hand */
    const tt_rules *rules;        /* how the framework that wrote it counts; never NULL */
    int64_t rank, world_size;     /* distributedInfo, else from the file name (rank only), else -1 */

    /* slices */
    uint32_t n;
    int64_t *start, *dur; /* ns since origin_ns; ns */
    tt_sid *name;
    uint8_t *cat;          /* index into cats */
    uint32_t *correlation; /* correlation id, 0 = none. Python rows: Python id; indexed ones (events.h): Ev Idx */
    uint32_t *external_id; /* External id, 0 = none. Python rows: Python parent id */
    tt_row *parent;        /* innermost slice of the same track and layer (Python frames | everything else) around it */
    uint32_t *detail;      /* by kind: device kinds -> index into dev; RUNTIME, DRIVER -> the operator's row (TT_NONE);
                              MODULE -> Python module id; PYTHON -> TT_NONE; others -> index into op_args, 0 = none */
    uint16_t *depth;       /* display row inside the track; crossing slices lie on further rows */
    uint32_t *text_lo;     /* place of the event in the text, bits 0..31 */
    uint8_t *text_hi;      /* bits 32..39 */

    tt_category cats[256];
    uint32_t n_cats;
    uint8_t kind_of[256]; /* kind of a category: kind_of[cat[row]] */

    tt_track *tracks;
    uint32_t n_tracks;
    tt_process *processes;
    uint32_t n_processes;

    tt_activity *dev; /* ordered by row */
    uint32_t n_dev;
    tt_op_args *op_args;
    uint32_t n_op_args;
    tt_collective_args *colls;
    uint32_t n_colls;
    tt_launch_shape *shapes;
    uint32_t n_shapes;
    tt_row *launch_row;          /* launches with device work, ascending, and ... */
    uint32_t *launched_activity; /* ... the index into dev of each piece of work */
    uint32_t n_links;
    tt_external external;

    tt_flow *flows; /* ordered by (track, ts); none between launches and their work */
    uint32_t n_flows;
    tt_launch_flow *launch_flows; /* in no order */
    uint32_t n_launch_flows;
    tt_instant *instants; /* ordered by ts */
    uint32_t n_instants;
    tt_series *series;
    uint32_t n_series;
    tt_sample *samples;
    uint32_t n_samples;
    tt_memory_record *memory; /* ordered by (ts, place in the file) */
    uint32_t n_memory;
    tt_memory_peak *peaks; /* one a device, in no order; only where the trace has them */
    uint32_t n_peaks;

    tt_step *steps; /* at least one */
    uint32_t n_steps;
    tt_step_span *step_spans; /* ascending, disjoint; a step inside another one divides that one's time */
    uint32_t n_step_spans;
    uint32_t first_launch; /* lowest correlation id of a launch with device work: ids ascend, so what has a lower one
                              was launched before the recording; 0 = not known */

    tt_meta *meta;
    uint32_t n_meta;
    tt_device_props *devices;
    uint32_t n_devices;

    tt_ends *pairs; /* in no order */
    uint32_t n_pairs;
    tt_other *others; /* in no order */
    uint32_t n_others;

    struct tt_imported **imported; /* tables that came with it (imported.h); owned */
    uint32_t n_imported;

    struct tt_snapshot *snapshot; /* of an allocator's memory (snapshot.h); owned; NULL: the trace is of none */

    /* It stands for a recording that a summary file has: slices are its steps and collectives alone, tables come from
     * the file (model/summary/stub.h). Owned; NULL: the events themselves are here. */
    struct tt_attached *summary;
    uint64_t slices_summarised; /* slices of that recording that are not here */

    /* time */
    int64_t origin_ns;     /* absolute time of 0: baseTimeNanoseconds + earliest ts */
    bool absolute;         /* origin_ns is a wall clock (epoch), comparable between files */
    int64_t end;           /* end of the last event, ns since origin */
    int64_t resolution_ns; /* 1000 when every time in the file is a whole microsecond, else 1 */

    uint64_t n_events;   /* event objects understood, whatever the phase */
    uint64_t text_bytes; /* size of the decompressed text; 0 of a further worker of the same file */
    tt_strings strings;
    tt_problems problems;
    tt_text_source *text;                   /* owned; NULL when the text cannot be read again */
    _Atomic uint32_t more_refs;             /* references beyond the first */
    _Atomic uint64_t steps_walked;          /* from slices to their parents, by long walks (ancestors.h) */
    struct tt_ancestors *_Atomic ancestors; /* owned; NULL until walks are worth it */
    size_t column_bytes;                    /* memory of the columns (for tt_trace_free and the report) */
} tt_trace;

/* Several sessions may hold a trace (a preview while other files are still read): each owns one reference, a new
 * trace has one. */
tt_trace *tt_trace_ref(tt_trace *s);
void tt_trace_free(tt_trace *s); /* give one reference back; NULL is fine */

/* The format's id, "none" for a trace made by hand. */
static inline const char *tt_trace_format(const tt_trace *s) { return s->format ? s->format->id : "none"; }
static inline tt_kind tt_row_kind(const tt_trace *s, tt_row r) { return (tt_kind)s->kind_of[s->cat[r]]; }
static inline const char *tt_row_name(const tt_trace *s, tt_row r) { return tt_str(&s->strings, s->name[r]); }
static inline int64_t tt_row_end(const tt_trace *s, tt_row r) { return s->start[r] + s->dur[r]; }
static inline uint64_t tt_row_text(const tt_trace *s, tt_row r)
{
    return (uint64_t)s->text_hi[r] << 32 | s->text_lo[r];
}
/* Device data of a slice, NULL when it is not on a device. */
static inline const tt_activity *tt_row_dev(const tt_trace *s, tt_row r)
{
    return tt_kind_is_device(tt_row_kind(s, r)) && s->detail[r] != TT_NONE ? &s->dev[s->detail[r]] : NULL;
}
/* The track of a slice; O(log tracks). */
uint32_t tt_row_track(const tt_trace *s, tt_row r);
/* First slice of the track that starts at or after t (first + n when none). O(log n). */
tt_row tt_track_lower_bound(const tt_trace *s, uint32_t track, int64_t t);
/* Innermost slice of the track around t whose kind bit is in kinds (1u << kind), TT_NONE. */
tt_row tt_track_slice_at(const tt_trace *s, uint32_t track, int64_t t, uint32_t kinds);
/* Likewise for those who ask at many moments of tracks where Python frames are rare: by row the last frame of its track
 * up to there, TT_NONE; NULL = it is looked for. */
tt_row tt_track_slice_at_with(const tt_trace *s, uint32_t track, int64_t t, uint32_t kinds, const tt_row *last_frame);
/* Made for it, for free(). O(slices). */
tt_row *tt_last_frames(const tt_trace *s);
/* Nearest slice above r (not r itself) whose kind bit is in kinds; TT_NONE. */
tt_row tt_row_ancestor(const tt_trace *s, tt_row r, uint32_t kinds);
/* Device work of a launch: *n indices into dev, contiguous. */
const uint32_t *tt_row_launched(const tt_trace *s, tt_row launch, uint32_t *n);
/* The operator, or failing that the annotation, around the launch of a piece of device work; the one that its own
 * External id names when the launch was not recorded; TT_NONE = unattributed. */
tt_row tt_activity_operator(const tt_trace *s, const tt_activity *d);
/* The time on the host that says which step device work belongs to: when it was launched; where that was not recorded
 * its own start, but INT64_MIN, which is in no step, for what was launched before the recording began. */
int64_t tt_activity_asked_at(const tt_trace *s, const tt_activity *d);
int64_t tt_row_asked_at(const tt_trace *s, tt_row r); /* the same of a slice of any kind: on the host its start */
/* The step that what starts at t on the host belongs to, index into steps; TT_NONE. O(log steps). */
uint32_t tt_step_at(const tt_trace *s, int64_t t);
/* The same for times that come mostly in order: *hint, 0 at first, says where the last one was. */
uint32_t tt_step_near(const tt_trace *s, int64_t t, uint32_t *hint);
/* The value of a top-level key, of several the last; NULL when absent. */
const char *tt_trace_meta(const tt_trace *s, const char *key);
/* For model/build: zeroed columns for s->n slices. */
void tt_trace_columns_alloc(tt_trace *s);
/* For model/build: back rows [from, to), of which nothing is written yet, by pages of the stock. */
void tt_trace_columns_take(tt_trace *s, tt_row from, tt_row to, tt_page_pool *stock);
/* Memory held by the trace, bytes, everything counted. */
size_t tt_trace_memory(const tt_trace *s);

#endif
