/* model/trace/events.h - what the tables of an event store hold: kinds, tracks, device work, flows, instants, counters,
 * memory, steps.
 *
 * Plain rows; who owns them, how they are ordered and what refers to what is said in model/trace/trace.h. Text is a
 * tt_sid of the trace's strings; times are trace times (int64 ns). */
#ifndef TT_MODEL_TRACE_EVENTS_H
#define TT_MODEL_TRACE_EVENTS_H

#include <stdbool.h>

#include "model/text/strings.h"

typedef uint32_t tt_row; /* index of a slice */
#define TT_NONE UINT32_MAX
#define TT_UNKNOWN INT64_MIN /* an int64 value that the trace does not have */

typedef enum tt_kind {
#define X(id, name, title) TT_KIND_##id,
#include "model/trace/kinds.def"
#undef X
    TT_KIND_COUNT_
} tt_kind;
extern const char *const tt_kind_name[TT_KIND_COUNT_];
extern const char *const tt_kind_title[TT_KIND_COUNT_];

static inline bool tt_kind_is_device(tt_kind k) { return k >= TT_KIND_KERNEL && k <= TT_KIND_GPU_ANNOTATION; }
/* Whether the slice occupies the device: kernels, copies, sets, collectives. */
static inline bool tt_kind_is_work(tt_kind k) { return k >= TT_KIND_KERNEL && k <= TT_KIND_COLLECTIVE; }
static inline bool tt_kind_is_launch(tt_kind k) { return k == TT_KIND_RUNTIME || k == TT_KIND_DRIVER; }
static inline bool tt_kind_is_python(tt_kind k) { return k == TT_KIND_PYTHON || k == TT_KIND_MODULE; }

/* Whether PyTorch's profiler numbers slices of this kind (Ev Idx). */
static inline bool tt_kind_is_indexed(tt_kind k) { return k >= TT_KIND_CPU_OP && k <= TT_KIND_STEP; }

/* A category as the file spells it, and the kind that it stands for; a file has at most 255. */
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
    TT_TRACK_THREAD, /* host thread */
    TT_TRACK_STREAM, /* device stream */
    TT_TRACK_ASYNC,  /* begin/end pairs matched by id (b/e/n, S/T/F) */
    TT_TRACK_META,   /* rows of the profiler itself (Spans, Traces, overhead) */
} tt_track_kind;

typedef struct tt_track {
    tt_sid pid, tid; /* identity: unquoted text of the file; "?" when missing */
    tt_sid name;     /* thread_name, else made of the identity; never 0 */
    uint32_t process;
    tt_track_kind kind;
    int32_t device;    /* device of a stream; -1 = no stream */
    int64_t stream;    /* number of a stream; -1 = no stream */
    tt_row first;      /* first slice */
    uint32_t n;        /* number of slices */
    uint32_t depths;   /* display rows: 1 + greatest depth (0 without slices) */
    uint32_t lanes;    /* 1; more when slices cross */
    uint32_t crossing; /* slices that were put into an extra lane because they cross others */
    int64_t sort_index;
    bool has_layer[2];          /* [1]: has Python frames, [0]: has other slices (trace.h, parent) */
    bool has_sort_index, named; /* named: the trace gave the name */
} tt_track;

/* Each distinct combination of the three structs below is kept once, found by comparing bytes: they have no padding,
 * whose bytes no assignment fixes. */

/* Arguments of operators and annotations; a distinct combination is kept once. All are the JSON text of the file
 * ("[[32, 64], []]", strings unquoted and decoded); 0 = not given. */
typedef struct tt_op_args {
    tt_sid shapes;    /* Input Dims */
    tt_sid types;     /* Input type */
    tt_sid concrete;  /* Concrete Inputs */
    tt_sid strides;   /* Input Strides */
    tt_sid stack;     /* Call stack, frames joined by ';' */
    tt_sid hierarchy; /* Module Hierarchy */
    uint32_t coll;    /* index into trace->colls; 0 = none */
} tt_op_args;
_Static_assert(sizeof(tt_op_args) == 7 * sizeof(uint32_t), "no hidden padding: the bytes are a key");

/* Metadata of a collective (record_param_comms and communication kernels); distinct combinations, entry 0 = none. */
typedef struct tt_collective_args {
    tt_sid name; /* Collective name: "allreduce" */
    tt_sid dtype;
    tt_sid group;                              /* Process Group Name */
    tt_sid group_desc;                         /* Process Group Description */
    tt_sid ranks;                              /* Process Group Ranks */
    uint32_t zero;                             /* always 0: takes the place of padding */
    int64_t in_nelems, out_nelems, group_size; /* TT_UNKNOWN when absent */
    int64_t seq;                               /* Seq: number of the call in its group; TT_UNKNOWN when absent */
} tt_collective_args;
_Static_assert(sizeof(tt_collective_args) == 6 * sizeof(uint32_t) + 4 * sizeof(int64_t),
               "no hidden padding: the bytes are a key");

/* How device work was launched; distinct combinations, entry 0 = nothing known. */
typedef struct tt_launch_shape {
    tt_sid grid, block; /* "[4, 1, 1]"; 0 = not given */
    tt_sid core, type;  /* core that it ran on and type of operator: "AI_VECTOR_CORE", "Add"; 0 = not given */
    tt_sid op, program; /* operator and program around it: "fusion.5", "jit_step"; 0 = not given */
    tt_sid annotation;  /* what the program calls this node of a graph: "layers.0.attention.wq"; 0 = not given */
    uint32_t zero;      /* always 0: takes the place of padding */
    int64_t graph;      /* number of the graph that it is part of; 0 = none, or not given */
    uint64_t node;      /* its node in the graph, with the graph in the upper half where 64 bits are given; 0 */
    int64_t registers, shared_bytes;    /* registers per thread, shared memory; TT_UNKNOWN */
    int64_t flops, bytes;               /* operations and bytes of one execution; 0 = none, or not given */
    double blocks_per_sm;               /* NaN when absent or no number */
    double warps_per_sm, occupancy_pct; /* estimated or theoretical; NaN when absent */
} tt_launch_shape;
_Static_assert(sizeof(tt_launch_shape) == 8 * sizeof(uint32_t) + 6 * sizeof(int64_t) + 3 * sizeof(double),
               "no hidden padding: the bytes are a key");
/* What a slice on the device has beside the columns of the trace: detail[row] is its index in trace->dev. */
typedef struct tt_activity {
    tt_row row;           /* row of the slice */
    tt_row launch;        /* row of the runtime or driver call with the same correlation; TT_NONE = not in the trace */
    tt_row op;            /* row of its operator by a flow, else by its External id; TT_NONE: that of the launch */
    uint32_t wait_record; /* wait: correlation of the call that recorded the event; 0 = none */
    int64_t bytes;        /* bytes of a copy or set; TT_UNKNOWN */
    int64_t stream;       /* args.stream; TT_UNKNOWN */
    int32_t device;       /* args.device, else the pid when that is a number, else -1 */
    uint32_t shape;       /* index into trace->shapes */
    uint32_t coll;        /* index into trace->colls; 0 = none */
    uint32_t wait_stream; /* wait: track of the stream that recorded the event; TT_NONE */
} tt_activity;

typedef struct tt_flow {
    int64_t ts;
    uint64_t text : 40; /* offset of the event in the text */
    uint64_t cat : 8;
    uint64_t phase : 8;     /* 's' start, 't' step, 'f' end */
    uint64_t enclosing : 1; /* bp "e": binds to the slice around ts, else to the next one */
    uint64_t of_work : 1;   /* leads from an operator to device work that it caused */
    uint32_t id;            /* equal for both ends of a flow of one category */
    uint32_t track;
} tt_flow;

/* One end of a flow between a launch and its work. Correlation ids say the same, so only the place is kept. */
typedef struct tt_launch_flow {
    int64_t ts;
    uint64_t text : 40;  /* offset of the event in the text */
    uint64_t track : 24; /* track; TT_FLOW_NO_TRACK = does not fit into 24 bits */
} tt_launch_flow;
#define TT_FLOW_NO_TRACK ((1u << 24) - 1)

/* What the External ids of device work mean. Some writers put the correlation id there when they know no operator. */
typedef enum tt_external { TT_EXTERNAL_NONE, TT_EXTERNAL_OPERATORS, TT_EXTERNAL_DOUBTFUL } tt_external;

typedef struct tt_instant {
    int64_t ts;
    uint64_t text;
    uint32_t track;
    tt_sid name;
    uint8_t cat;
    char scope; /* 't', 'p', 'g' */
} tt_instant;

typedef struct tt_series {     /* one line of a counter */
    tt_sid pid, name, id, key; /* id: of the event, 0 = none; key: member of args */
    uint32_t process;
    uint32_t first, n; /* samples of this series, by time */
} tt_series;
typedef struct tt_sample {
    int64_t ts;
    double value;
} tt_sample;

/* An event that no other table holds, or not as a whole: metadata, counters, ends without a begin, unknown phases,
 * events without a usable time. Exports write these events unchanged. */
typedef struct tt_other {
    int64_t ts;         /* time, TT_ANY_TIME or TT_NO_TIME */
    uint64_t text : 40; /* offset of the event in the text */
    uint32_t track;     /* track; TT_NONE = the reader made no track for it */
} tt_other;
#define TT_ANY_TIME TT_UNKNOWN      /* metadata: holds for the whole trace */
#define TT_NO_TIME (TT_UNKNOWN + 1) /* the time is missing or no number */

/* The begin and end event that a slice was made of, as offsets in the text; the slice has the offset of the first. */
typedef struct tt_ends {
    uint64_t begin, end;
} tt_ends;

typedef struct tt_memory_record { /* allocation (bytes > 0), free (< 0), totals alone (bytes and addr 0) */
    int64_t ts;
    uint64_t addr; /* 0 when not given */
    int64_t bytes;
    int64_t allocated;  /* Total Allocated after it; TT_UNKNOWN */
    int64_t reserved;   /* Total Reserved after it; TT_UNKNOWN */
    uint64_t text : 40; /* offset of the event in the text */
    uint64_t pool : 1;  /* the allocator took the memory from the device or returned it; the program got nothing */
    /* name of the operator that allocated, where the event says it; 0 = the operator on its track */
    uint64_t maker : 23;
    uint32_t track;
    int16_t
        device_type;   /* c10 device type: 0 CPU, 1 CUDA, 6 HIP, 12 XPU, 20 PrivateUse1; -1 unknown; TT_DEVICE_PINNED */
    int16_t device_id; /* -1 for the CPU */
} tt_memory_record;

typedef struct tt_memory_peak {     /* largest totals of a device since its process began, as the trace gives them */
    int16_t device_type, device_id; /* as in tt_memory_record */
    int64_t allocated, reserved;    /* bytes; TT_UNKNOWN */
    int64_t allocated_at;           /* time of the first record that gives it */
} tt_memory_peak;

/* Raise *to to the larger values of both. False when they belong to different devices. */
static inline bool tt_memory_peak_merge(tt_memory_peak *to, const tt_memory_peak *p)
{
    if (to->device_type != p->device_type || to->device_id != p->device_id) return false;
    if (p->reserved > to->reserved) to->reserved = p->reserved; /* TT_UNKNOWN is below every size */
    if (p->allocated > to->allocated || (p->allocated == to->allocated && p->allocated_at < to->allocated_at)) {
        to->allocated = p->allocated;
        to->allocated_at = p->allocated_at;
    }
    return true;
}
enum { TT_DEVICE_PINNED = 100 }; /* device_type of host memory that devices can reach */

typedef struct tt_device_props { /* an entry of deviceProperties; numbers TT_UNKNOWN when absent */
    int64_t id;
    tt_sid name;
    int64_t memory_bytes, major, minor, sms, max_threads_per_sm, max_threads_per_block, warp_size, regs_per_sm,
        shared_per_sm;
} tt_device_props;

typedef struct tt_meta { /* a member of the top-level object beside the events */
    tt_sid key;
    tt_sid value;    /* its JSON text (a string: decoded), cut at 64 KiB */
    uint64_t offset; /* offset of the value in the text; 0 = the reader made it */
} tt_meta;

#endif
