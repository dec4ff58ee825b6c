/* model/store.h - the event store: everything that one trace file said, in columns.
 *
 * One store is one input file = one (worker, span). It is built by model/build.h while parser/ reads, and immutable
 * from tt_build_finish() on: any number of threads may read it without a lock.
 *
 * Slices (events with a duration) are rows of the columns below. Rows of one track lie together, ordered by
 * (start, -duration, place in the file); track t owns rows [first, first + n). Everything that is no slice (flows, instants,
 * counter samples, memory records) has a table of its own. Time is int64 nanoseconds since `origin_ns`.
 * Cost per slice: 8 start + 8 dur + 4 name + 1 cat + 4 corr + 4 ext + 4 parent + 4 side + 2 depth + 5 text = 44 bytes.    */
#ifndef TT_MODEL_STORE_H
#define TT_MODEL_STORE_H

#include <stdbool.h>

#include "model/err.h"
#include "model/problems.h"
#include "model/strings.h"

typedef uint32_t tt_row; /* index of a slice */
#define TT_NONE UINT32_MAX
#define TT_UNKNOWN INT64_MIN /* an int64 value that the trace does not give */

typedef enum tt_kind {
#define X(id, name, title) TT_KIND_##id,
#include "model/kinds.def"
#undef X
    TT_KIND_COUNT_
} tt_kind;
extern const char *const tt_kind_name[TT_KIND_COUNT_];
extern const char *const tt_kind_title[TT_KIND_COUNT_];

static inline bool tt_kind_is_device(tt_kind k) { return k >= TT_KIND_KERNEL && k <= TT_KIND_GPU_ANNOTATION; }
/* Work that occupies the device: kernels, copies, sets. */
static inline bool tt_kind_is_work(tt_kind k) { return k >= TT_KIND_KERNEL && k <= TT_KIND_MEMSET; }
static inline bool tt_kind_is_launch(tt_kind k) { return k == TT_KIND_RUNTIME || k == TT_KIND_DRIVER; }
static inline bool tt_kind_is_python(tt_kind k) { return k == TT_KIND_PYTHON || k == TT_KIND_MODULE; }

/* A category as the file spells it, with the kind it stands for; a file has at most 255. */
typedef struct tt_category {
    tt_sid name;
    tt_kind kind;
} tt_category;

typedef struct tt_process {
    tt_sid pid;    /* as text: "1102", "Spans", "" */
    tt_sid name;   /* process_name, 0 = none given */
    tt_sid labels; /* process_labels, 0 = none given */
    int64_t sort_index;
    bool has_sort_index;
    int32_t device; /* >= 0: a GPU/NPU with this index; -1: host */
} tt_process;

typedef enum tt_track_kind {
    TT_TRACK_THREAD, /* a host thread */
    TT_TRACK_STREAM, /* a device stream */
    TT_TRACK_ASYNC,  /* begin/end pairs matched by id (b/e/n, S/T/F) */
    TT_TRACK_META,   /* the profiler's own rows (Spans, Traces, overhead) */
} tt_track_kind;

typedef struct tt_track {
    tt_sid pid, tid; /* identity: unquoted text of the file; a missing one is "?" */
    tt_sid name;     /* thread_name, else made from the identity; never 0 */
    uint32_t process;
    tt_track_kind kind;
    int32_t device;    /* of a stream, else -1 */
    int64_t stream;    /* of a stream, else -1 */
    tt_row first;      /* first slice */
    uint32_t n;        /* slices */
    uint32_t depths;   /* display rows: 1 + greatest depth (0 without slices) */
    uint32_t lanes;    /* 1, or more when slices cross */
    uint32_t crossing; /* slices that had to go to an extra lane */
    int64_t sort_index;
    bool has_sort_index;
} tt_track;

/* Arguments of operators and annotations; a distinct combination is kept once. All are the JSON text of the file
 * ("[[32, 64], []]", strings unquoted and decoded); 0 = not given. */
typedef struct tt_op_args {
    tt_sid shapes;    /* Input Dims */
    tt_sid types;     /* Input type */
    tt_sid concrete;  /* Concrete Inputs */
    tt_sid strides;   /* Input Strides */
    tt_sid stack;     /* Call stack, frames joined by ';' */
    tt_sid hierarchy; /* Module Hierarchy */
    uint32_t coll;    /* index into store->colls, 0 = none */
} tt_op_args;

/* Metadata of a collective (record_param_comms and communication kernels); distinct combinations, entry 0 = none. */
typedef struct tt_coll {
    tt_sid name; /* Collective name: "allreduce" */
    tt_sid dtype;
    tt_sid group;                              /* Process Group Name */
    tt_sid group_desc;                         /* Process Group Description */
    tt_sid ranks;                              /* Process Group Ranks */
    int64_t in_nelems, out_nelems, group_size; /* TT_UNKNOWN when absent */
} tt_coll;

/* How a kernel was launched; distinct combinations, entry 0 = nothing known. */
typedef struct tt_launch_shape {
    tt_sid grid, block;   /* "[4, 1, 1]"; 0 = not given */
    int64_t registers;    /* per thread; TT_UNKNOWN */
    int64_t shared_bytes; /* TT_UNKNOWN */
    double blocks_per_sm; /* NaN when absent or no number */
    double warps_per_sm;  /* NaN */
    double occupancy_pct; /* est./theoretical achieved occupancy; NaN */
} tt_launch_shape;

/* What a slice on the device has beyond the columns: side[row] is its index in store->dev. */
typedef struct tt_dev {
    tt_row row;     /* the slice */
    tt_row launch;  /* runtime or driver call with the same correlation, TT_NONE = not in the trace */
    int64_t bytes;  /* copies and sets; TT_UNKNOWN */
    int64_t stream; /* args.stream; TT_UNKNOWN */
    int32_t device; /* args.device, else the pid when that is a number, else -1 */
    uint32_t shape; /* index into store->shapes */
    uint32_t coll;  /* index into store->colls, 0 = none */
} tt_dev;

typedef struct tt_flow {
    int64_t ts;
    uint64_t text : 40; /* place of the event in the text */
    uint64_t cat : 8;
    uint64_t phase : 8;     /* 's' start, 't' step, 'f' end */
    uint64_t enclosing : 1; /* bp "e": binds to the slice around ts, else to the next one */
    uint32_t id;            /* equal for the ends of one flow of one category */
    uint32_t track;
} tt_flow;

typedef struct tt_instant {
    int64_t ts;
    uint64_t text;
    uint32_t track;
    tt_sid name;
    uint8_t cat;
    char scope; /* 't', 'p', 'g' */
} tt_instant;

typedef struct tt_series { /* one line of a counter */
    tt_sid pid, name, key; /* key: the member of args */
    uint32_t process;
    uint32_t first, n; /* samples, by time */
} tt_series;
typedef struct tt_sample {
    int64_t ts;
    double value;
} tt_sample;

typedef struct tt_memory_record { /* an allocation (bytes > 0) or a free (bytes < 0) */
    int64_t ts;
    uint64_t addr; /* 0 when not given */
    int64_t bytes;
    int64_t allocated; /* Total Allocated after it; TT_UNKNOWN */
    int64_t reserved;  /* Total Reserved after it; TT_UNKNOWN */
    uint64_t text;
    uint32_t track;
    int16_t device_type;    /* c10::DeviceType: 0 CPU, 1 CUDA, 6 HIP, 12 XPU, 20 PrivateUse1; -1 unknown; TT_DEVICE_PINNED */
    int16_t device_id;      /* -1 for the CPU */
    bool pool;              /* the allocator took it from the device or gave it back; no memory of the program's */
    int64_t peak_allocated; /* largest totals until then, as the trace says; TT_UNKNOWN */
    int64_t peak_reserved;
} tt_memory_record;
enum { TT_DEVICE_PINNED = 100 }; /* device_type of host memory that devices reach */

typedef struct tt_device_props { /* deviceProperties; numbers TT_UNKNOWN when absent */
    int64_t id;
    tt_sid name;
    int64_t memory_bytes, major, minor, sms, max_threads_per_sm, max_threads_per_block, warp_size, regs_per_sm,
        shared_per_sm;
} tt_device_props;

typedef struct tt_meta { /* a member of the top-level object other than the events */
    tt_sid key;
    tt_sid value; /* its JSON text (a string: decoded), cut at 64 KiB */
} tt_meta;

typedef struct tt_step {
    int64_t number; /* N of ProfilerStep#N; 0 when the trace has no steps */
    tt_row row;     /* the host slice, TT_NONE when the trace has no steps */
    int64_t start,
        end; /* extended by the device work launched inside, not overlapping the previous step (pytorch.md 4) */
    int64_t host_start, host_end;
    uint32_t device_work; /* device slices launched inside the host step */
    bool kept;            /* false: incomplete tail step, left out of step tables as the TensorBoard plugin does */
} tt_step;

/* Gives the text of an event again (parser/ implements it). */
typedef struct tt_text_source tt_text_source;
struct tt_text_source {
    /* Copy up to cap bytes of the decompressed text from offset on; the number of bytes, -1 on error. Thread-safe. */
    int64_t (*read)(tt_text_source *self, uint64_t offset, char *out, size_t cap);
    void (*close)(tt_text_source *self);
};

typedef enum tt_format { TT_FORMAT_CHROME, TT_FORMAT_KINETO, TT_FORMAT_PADDLE } tt_format;

typedef struct tt_store {
    /* identity */
    char *path;
    char *worker, *span; /* as discovered, never NULL */
    tt_format format;
    int64_t rank, world_size; /* distributedInfo, else from the file name (rank only), else -1 */

    /* slices */
    uint32_t n;
    int64_t *start, *dur; /* ns since origin_ns; ns */
    tt_sid *name;
    uint8_t *cat;      /* index into cats */
    uint32_t *corr;    /* correlation id, 0 = none. Python rows: Python id */
    uint32_t *ext;     /* External id, 0 = none. Python rows: Python parent id */
    tt_row *parent;    /* innermost slice of the same track and layer (Python frames | everything else) around it */
    uint32_t *side;    /* by kind: device kinds -> index into dev; RUNTIME, DRIVER -> the operator's row (TT_NONE);
                              MODULE -> Python module id; PYTHON -> TT_NONE; others -> index into op_args, 0 = none */
    uint16_t *depth;   /* display row inside the track; crossing slices lie on further rows */
    uint32_t *text_lo; /* place of the event in the text, bits 0..31 */
    uint8_t *text_hi;  /* bits 32..39 */

    tt_category cats[256];
    uint32_t n_cats;
    uint8_t kind_of[256]; /* kind of a category: kind_of[cat[row]] */

    tt_track *tracks;
    uint32_t n_tracks;
    tt_process *processes;
    uint32_t n_processes;

    tt_dev *dev; /* ordered by row */
    uint32_t n_dev;
    tt_op_args *op_args;
    uint32_t n_op_args;
    tt_coll *colls;
    uint32_t n_colls;
    tt_launch_shape *shapes;
    uint32_t n_shapes;
    tt_row *link_launch; /* launches with device work, ascending, and ... */
    uint32_t *link_dev;  /* ... the index into dev of each piece of work */
    uint32_t n_links;

    tt_flow *flows; /* ordered by (track, ts) */
    uint32_t n_flows;
    tt_instant *instants; /* ordered by ts */
    uint32_t n_instants;
    tt_series *series;
    uint32_t n_series;
    tt_sample *samples;
    uint32_t n_samples;
    tt_memory_record *memory; /* ordered by (ts, place in the file) */
    uint32_t n_memory;

    tt_step *steps; /* at least one */
    uint32_t n_steps;

    tt_meta *meta;
    uint32_t n_meta;
    tt_device_props *devices;
    uint32_t n_devices;

    tt_row *end_rows;    /* slices made of a B and an E with arguments, ascending, and ... */
    uint64_t *end_texts; /* ... the place of the E */
    uint32_t n_ends;

    /* time */
    int64_t origin_ns;     /* absolute time of 0: baseTimeNanoseconds + earliest ts */
    bool absolute;         /* origin_ns is a wall clock (epoch), comparable between files */
    int64_t end;           /* end of the last event, ns since origin */
    int64_t resolution_ns; /* 1000 when every time in the file is a whole microsecond, else 1 */

    uint64_t n_events;   /* event objects understood, whatever the phase */
    uint64_t text_bytes; /* size of the decompressed text */
    tt_strings strings;
    tt_problems problems;
    tt_text_source *text;       /* owned; NULL when the text cannot be read again */
    _Atomic uint32_t more_refs; /* references beyond the first */
    size_t column_bytes;        /* memory of the columns (for tt_store_free and the report) */
} tt_store;

/* Several sessions may hold a store (a preview while other files are still read): each owns one reference, a new store has one. */
tt_store *tt_store_ref(tt_store *s);
void tt_store_free(tt_store *s); /* give one reference back; NULL is fine */

static inline tt_kind tt_row_kind(const tt_store *s, tt_row r) { return (tt_kind)s->kind_of[s->cat[r]]; }
static inline const char *tt_row_name(const tt_store *s, tt_row r) { return tt_str(&s->strings, s->name[r]); }
static inline int64_t tt_row_end(const tt_store *s, tt_row r) { return s->start[r] + s->dur[r]; }
static inline uint64_t tt_row_text(const tt_store *s, tt_row r)
{
    return (uint64_t)s->text_hi[r] << 32 | s->text_lo[r];
}
/* Device data of a slice, NULL when it is not on a device. */
static inline const tt_dev *tt_row_dev(const tt_store *s, tt_row r)
{
    return tt_kind_is_device(tt_row_kind(s, r)) && s->side[r] != TT_NONE ? &s->dev[s->side[r]] : NULL;
}
/* The track of a slice; O(log tracks). */
uint32_t tt_row_track(const tt_store *s, tt_row r);
/* First slice of the track that starts at or after t (first + n when none). O(log n). */
tt_row tt_track_lower_bound(const tt_store *s, uint32_t track, int64_t t);
/* Innermost slice of the track around t whose kind bit is in kinds (1u << kind), TT_NONE. */
tt_row tt_track_slice_at(const tt_store *s, uint32_t track, int64_t t, uint32_t kinds);
/* Nearest slice above r (not r itself) whose kind bit is in kinds; TT_NONE. */
tt_row tt_row_ancestor(const tt_store *s, tt_row r, uint32_t kinds);
/* Device work of a launch: *n indices into dev, contiguous. */
const uint32_t *tt_row_launched(const tt_store *s, tt_row launch, uint32_t *n);
/* The operator, or failing that the annotation, around the launch of a piece of device work; TT_NONE = unattributed. */
tt_row tt_dev_operator(const tt_store *s, const tt_dev *d);
/* The value of a top-level key, NULL when absent. */
const char *tt_store_meta(const tt_store *s, const char *key);
/* Self time of every slice: duration minus direct children of the same layer, never below 0. n values, caller frees. */
int64_t *tt_store_self_ns(const tt_store *s);
/* Memory held by the store, bytes, everything counted. */
size_t tt_store_memory(const tt_store *s);

#endif
