/* model/trace/trace.h - the event store: everything that one trace file says, in columns.
 *
 * A trace is one input file = one (worker, span). model/build/builder.h builds it while parser/ reads. It is
 * immutable from tt_build_finish() on: any number of threads may read it without a lock. Slices (events with a
 * duration) are rows of the columns below. Rows of one track are contiguous and ordered by (start, -duration;
 * equal_times.c has the rest); track t owns rows [first, first + n). Flows, instants, counter samples and memory
 * records have tables of their own. Time is int64 nanoseconds since `origin_ns`. Bytes of a slice: 8 start + 8 dur +
 * 4 name + 1 cat + 4 correlation + 4 external_id + 4 parent + 4 detail + 2 depth + 5 text = 44. */
#ifndef TT_MODEL_TRACE_TRACE_H
#define TT_MODEL_TRACE_TRACE_H

#include <stdbool.h>

#include "model/base/err.h"
#include "model/base/page_pool.h"
#include "model/base/problems.h"
#include "model/text/engine_step.h"
#include "model/text/strings.h"
#include "model/trace/events.h"
#include "model/trace/rules/rules.h"
#include "model/trace/steps.h"

/* Reads the text of an event again; parser/ implements it. */
typedef struct tt_text_source tt_text_source;
struct tt_text_source {
    /* Copy up to cap bytes of the decompressed text from `offset` on. Returns the number of bytes; -1 on error
     * (errno). Thread-safe. */
    int64_t (*read)(tt_text_source *self, uint64_t offset, char *out, size_t cap);
    void (*close)(tt_text_source *self);
    /* The input has no text: reading at the offset of an event gives a text made for that event alone. */
    bool single;
    /* The whole text of the slice at an offset, where its name is only the beginning of it (range_text.h); else NULL.
     * The member is NULL where all names are whole. Thread-safe. */
    const char *(*whole_name)(const tt_text_source *self, uint64_t offset);
};

/* What model/ and tui/ know of a format: the beginning of its line in parser/formats/formats.c. */
typedef struct tt_format_info {
    const char *id;    /* one word, for programs: "pytorch" */
    const char *title; /* for a person: "PyTorch profile (JSON)" */
} tt_format_info;

/* A call that a capture of a graph turns into a node: a launch, copy or set between the call that begins the capture
 * and the call on its thread that ends it. Calls inside another such call are part of it. */
typedef struct tt_captured_call {
    tt_row row;
    tt_sid kernel;     /* name of the kernel that it launches, where the call says it (ROCm); 0 */
    tt_row begin, end; /* the calls that begin and end the capture */
} tt_captured_call;

/* The moment that a node of a graph was made, where the recording has it (Nsight Systems). */
typedef struct tt_graph_node {
    int64_t start;
    uint64_t node, original; /* original: the node that it is a copy of; 0 = none */
    uint32_t track;          /* thread that made it */
} tt_graph_node;

typedef struct tt_trace {
    /* identity */
    char *path;
    char *worker, *span;          /* as discovered, never NULL */
    const tt_format_info *format; /* format that was read; NULL for a trace made by hand */
    const tt_rules *rules;        /* how the framework that wrote it counts; never NULL */
    int64_t rank, world_size;     /* distributedInfo, else from the file name (rank only), else -1 */

    /* slices */
    uint32_t n;
    int64_t *start, *dur; /* start in ns since origin_ns, duration in ns */
    tt_sid *name;
    uint8_t *cat; /* index into cats */
    /* correlation id; 0 = none. Python rows: Python id; kinds with an Ev Idx (events.h): Ev Idx */
    uint32_t *correlation;
    uint32_t *external_id; /* External id; 0 = none. Python rows: Python id of the parent */
    /* row of the innermost slice around it on the same track and layer (Python frames | other slices) */
    tt_row *parent;
    uint32_t *detail;  /* device kinds: index into dev; RUNTIME, DRIVER: row of the operator (TT_NONE); MODULE: Python
                          module id; PYTHON: TT_NONE; other kinds: index into op_args, 0 = none */
    uint16_t *depth;   /* display row inside the track; crossing slices use further rows */
    uint32_t *text_lo; /* offset of the event in the text, bits 0..31 */
    uint8_t *text_hi;  /* offset of the event in the text, bits 32..39 */

    tt_category cats[256];
    uint32_t n_cats;
    uint8_t kind_of[256]; /* kind of each category: kind_of[cat[row]] */

    tt_track *tracks;
    uint32_t n_tracks;
    tt_process *processes;
    uint32_t n_processes;

    tt_activity *dev; /* device work, ordered by row */
    uint32_t n_dev;
    tt_op_args *op_args;
    uint32_t n_op_args;
    tt_collective_args *colls;
    uint32_t n_colls;
    tt_launch_shape *shapes;
    uint32_t n_shapes;
    tt_row *launch_row;          /* rows of launches that have device work, ascending, and ... */
    uint32_t *launched_activity; /* ... the index into dev of each piece of that work */
    uint32_t n_links;
    tt_external external;
    tt_captured_call *captured; /* calls in captures of graphs, by row */
    uint32_t n_captured;
    tt_graph_node *graph_nodes; /* by (node, start) */
    uint32_t n_graph_nodes;

    tt_flow *flows; /* flows, ordered by (track, ts), without those between launches and their work */
    uint32_t n_flows;
    tt_launch_flow *launch_flows; /* flows between launches and their work, in no order */
    uint32_t n_launch_flows;
    tt_instant *instants; /* ordered by ts */
    uint32_t n_instants;
    tt_series *series;
    uint32_t n_series;
    tt_sample *samples;
    uint32_t n_samples;
    tt_memory_record *memory; /* allocations and frees, ordered by (ts, place in the file) */
    uint32_t n_memory;
    tt_memory_peak *peaks; /* one per device, in no order; only where the trace has them */
    uint32_t n_peaks;

    tt_step *steps; /* at least one */
    uint32_t n_steps;
    tt_steps_source steps_source;
    tt_no_steps no_steps;    /* why steps_source is TT_STEPS_NONE */
    double steps_confidence; /* inferred steps: share of the segments that repeat, percent */
    tt_sid steps_anchor;     /* inferred steps: the kernel that returns in each; 0 = the work of a graph */
    tt_row *engine_steps;    /* outermost ranges of engine steps, by start; of one thread of each process */
    uint32_t n_engine_steps;
    tt_step_span *step_spans; /* ascending, disjoint; a step inside another step takes that step's time */
    uint32_t n_step_spans;
    uint32_t first_launch; /* lowest correlation id of a launch with device work. Ids ascend, so work with a lower id
                              was launched before the recording; 0 = not known */

    tt_meta *meta;
    uint32_t n_meta;
    tt_device_props *devices;
    uint32_t n_devices;

    tt_ends *pairs; /* pairs of begin and end events, in no order */
    uint32_t n_pairs;
    tt_other *others; /* events that no other table holds, in no order */
    uint32_t n_others;

    struct tt_imported **imported; /* tables that the trace brought (imported.h); owned */
    uint32_t n_imported;

    /* state of an allocator's memory (snapshot.h); owned; NULL: the trace is no snapshot */
    struct tt_snapshot *snapshot;
    struct tt_flight *flight; /* last calls of a rank (flight.h); owned; NULL: the trace is no dump of a recorder */
    struct tt_flight *calls;  /* the same of a recording of tracetty whose run does not hang; owned; NULL: none */

    /* The trace stands for a recording inside a summary file: its slices are steps and collectives alone, its tables
     * come from the file (model/summary/stub.h). Owned; NULL: the trace has its events. */
    struct tt_attached *summary;
    uint64_t slices_summarised; /* slices of the summarised recording */

    /* time */
    int64_t origin_ns;     /* absolute time of 0: baseTimeNanoseconds + earliest ts */
    bool absolute;         /* origin_ns is wall-clock time (epoch), which is comparable between files */
    int64_t end;           /* end of the last event, ns since origin */
    int64_t resolution_ns; /* 1000 when every time in the file is a whole microsecond, else 1 */

    uint64_t n_events;   /* event objects that were understood, whatever their phase */
    uint64_t text_bytes; /* bytes of the decompressed text; 0 for a second worker of the same file */
    tt_strings strings;
    tt_problems problems;
    tt_text_source *text;                   /* owned; NULL when the text cannot be read again */
    _Atomic uint32_t more_refs;             /* references beyond the first */
    _Atomic uint64_t steps_walked;          /* steps that long walks from slices to their parents took (ancestors.h) */
    struct tt_ancestors *_Atomic ancestors; /* index for those walks; owned; NULL until it pays */
    size_t column_bytes;                    /* bytes of the columns, for tt_trace_free() and the report */
} tt_trace;

/* Take a reference. Several sessions may hold a trace (a preview while other files are still read); a new trace has
 * one reference. */
tt_trace *tt_trace_ref(tt_trace *s);
void tt_trace_free(tt_trace *s); /* Give one reference back; NULL is fine. */

/* Id of the format; "none" for a trace made by hand. */
static inline const char *tt_trace_format(const tt_trace *s) { return s->format ? s->format->id : "none"; }
static inline tt_kind tt_row_kind(const tt_trace *s, tt_row r) { return (tt_kind)s->kind_of[s->cat[r]]; }
static inline const char *tt_row_name(const tt_trace *s, tt_row r) { return tt_str(&s->strings, s->name[r]); }
static inline int64_t tt_row_end(const tt_trace *s, tt_row r) { return s->start[r] + s->dur[r]; }
static inline uint64_t tt_row_text(const tt_trace *s, tt_row r)
{
    return (uint64_t)s->text_hi[r] << 32 | s->text_lo[r];
}
/* The whole text that the name begins; NULL = the name is all of it. */
static inline const char *tt_row_whole_name(const tt_trace *s, tt_row r)
{
    return s->text && s->text->whole_name ? s->text->whole_name(s->text, tt_row_text(s, r)) : NULL;
}
/* Device data of a slice; NULL when the slice is not on a device. */
static inline const tt_activity *tt_row_dev(const tt_trace *s, tt_row r)
{
    return tt_kind_is_device(tt_row_kind(s, r)) && s->detail[r] != TT_NONE ? &s->dev[s->detail[r]] : NULL;
}
/* Track of a slice. O(log tracks). */
uint32_t tt_row_track(const tt_trace *s, tt_row r);
/* First slice of the track that starts at or after t; first + n when there is none. O(log n). */
tt_row tt_track_lower_bound(const tt_trace *s, uint32_t track, int64_t t);
/* Innermost slice of the track around t whose kind bit (1u << kind) is in kinds; TT_NONE. */
tt_row tt_track_slice_at(const tt_trace *s, uint32_t track, int64_t t, uint32_t kinds);
/* Like tt_track_slice_at(), for callers who ask at many times of tracks where Python frames are rare. last_frame:
 * per row the last frame of its track up to the row, or TT_NONE; NULL = the function looks for it. */
tt_row tt_track_slice_at_with(const tt_trace *s, uint32_t track, int64_t t, uint32_t kinds, const tt_row *last_frame);
/* Make last_frame for tt_track_slice_at_with(); the caller frees it. O(slices). */
tt_row *tt_last_frames(const tt_trace *s);
/* Nearest slice around r (not r itself) whose kind bit is in kinds; TT_NONE. */
tt_row tt_row_ancestor(const tt_trace *s, tt_row r, uint32_t kinds);
/* Device work of a launch: *n indices into dev, contiguous. */
const uint32_t *tt_row_launched(const tt_trace *s, tt_row launch, uint32_t *n);
/* The operator around the launch of a piece of device work, else the annotation. When the launch was not recorded,
 * the operator that its External id names. TT_NONE = unattributed. */
tt_row tt_activity_operator(const tt_trace *s, const tt_activity *d);
/* Host time that decides which step device work belongs to: the time of its launch. When the launch was not
 * recorded, the start of the work; INT64_MIN, which is in no step, when it was launched before the recording began. */
int64_t tt_activity_asked_at(const tt_trace *s, const tt_activity *d);
int64_t tt_row_asked_at(const tt_trace *s,
                        tt_row r); /* That time for a slice of any kind; for a host slice its start. */
/* What the name of an engine's step says, and the names of the engine's ranges inside it. The row is of kind
 * ENGINE_STEP. O(slices inside). */
tt_engine_step_name tt_engine_step_of_row(const tt_trace *s, tt_row row);
static inline bool tt_steps_of_engine(const tt_trace *s)
{
    return s->steps_source == TT_STEPS_ENGINE || s->steps_source == TT_STEPS_DEVICE;
}
/* Device work belongs to the step that it begins in, not to that of its launch. */
static inline bool tt_steps_of_devices(const tt_trace *s)
{
    return s->rules->steps_are_of_devices || s->steps_source == TT_STEPS_DEVICE;
}
/* Index of the step that an event starting at t on the host belongs to; TT_NONE. O(log steps). */
uint32_t tt_step_at(const tt_trace *s, int64_t t);
/* Like tt_step_at(), for times that come mostly in order: *hint (0 at first) remembers where the last time was. */
uint32_t tt_step_near(const tt_trace *s, int64_t t, uint32_t *hint);
/* Value of a top-level key, the last one where the key repeats; NULL when absent. */
const char *tt_trace_meta(const tt_trace *s, const char *key);
/* For model/build: zeroed columns for s->n slices. */
void tt_trace_columns_alloc(tt_trace *s);
/* For model/build: put pages of the pool under rows [from, to), to which nothing has been written yet. */
void tt_trace_columns_take(tt_trace *s, tt_row from, tt_row to, tt_page_pool *stock);
/* Bytes of memory that the trace holds, all of it. */
size_t tt_trace_memory(const tt_trace *s);
bool tt_trace_is_dump(const tt_trace *s); /* a dump of a flight recorder, and no recording of tracetty beside it */

#endif
