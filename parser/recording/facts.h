/* parser/recording/facts.h - facts of a spool file (capture/format/spool.h) that its reader and its texts need. Private
 * to parser/.
 *
 * A spool has no text. Its trace's text source makes an event's JSON, in the form of an export, from the record at the
 * event's place; so displaying arguments and exporting need to know nothing of spools. */
#ifndef TT_PARSER_RECORDING_FACTS_H
#define TT_PARSER_RECORDING_FACTS_H

#include "capture/format/spool.h"
#include "model/build/builder.h"

/* A host thread's range projected on a stream. It has no record; its place is TT_SPOOL_GPU_RANGE plus its index. */
typedef struct tt_spool_gpu_range {
    int64_t start, end;
    uint32_t name, device, stream; /* name: string of facts.text */
    uint64_t external;
} tt_spool_gpu_range;

/* Links a call to the range around it. */
typedef struct tt_spool_launcher {
    uint32_t correlation;
    uint64_t external;
} tt_spool_launcher;
#define TT_SPOOL_GPU_RANGE ((uint64_t)1 << 39) /* larger than any file, as places have 40 bits */

/* A forward operator with a sequence number, and the first operator on another thread with that number, its backward.
 * The arrow between them is two events without a record, at the places TT_SPOOL_ARROW plus twice its index, and one
 * more. */
typedef struct tt_spool_forward {
    uint32_t seq, tid; /* seq: as in the record, number + 1; tid: the forward thread */
    int64_t start;
    int64_t backward; /* start of the backward, when to != 0 */
    uint32_t to;      /* thread of the backward, 0 = none */
} tt_spool_forward;
#define TT_SPOOL_ARROW (TT_SPOOL_GPU_RANGE + ((uint64_t)1 << 38))

typedef struct tt_spool_unfinished { /* slice of work that never ended: its record has no times */
    uint64_t offset;
    int64_t start, end;
} tt_spool_unfinished;
/* A call of NCCL as a slice: its last record, which later ones have replaced, and the times of the slice, which may
 * be cut to nest. It is at the place TT_SPOOL_CALL plus its index, on a row of the process of its own. */
typedef struct tt_spool_call_slice {
    tt_spool_call call;
    int64_t start, end, row;
    uint32_t order; /* place of its record among the others */
} tt_spool_call_slice;
#define TT_SPOOL_CALL (TT_SPOOL_ARROW + ((uint64_t)1 << 37))
#define TT_SPOOL_CALL_ROW                                                                                              \
    ((int64_t)1 << 32) /* plus twice the communicator's number; one more for sends and receives                        \
                        */
#define TT_SPOOL_CALL_CATEGORY "nccl_profiler"

typedef struct tt_spool_facts {
    tt_strings text;            /* all strings of the file */
    TT_VEC(uint32_t) by_id;     /* string in text by the file's id; 0 = none */
    TT_VEC(uint32_t) demangled; /* demangled string by the file's id of a kernel's name; 0 = none */
    unsigned demangle_tries;    /* count of attempts: see demangle.h */
    TT_VEC(tt_spool_device) devices;
    TT_VEC(tt_spool_event) events; /* at the end sorted by event, then by correlation (h.a) */
    TT_VEC(tt_spool_gpu_range) shades;
    TT_VEC(tt_spool_launcher) launchers; /* sorted by corr; other tools join calls and work with ranges by these ids */
    TT_VEC(tt_spool_forward) forwards;   /* one per seq, sorted by seq at the end */
    TT_VEC(tt_spool_unfinished) unfinished; /* at the end sorted by offset */
    TT_VEC(tt_spool_comm) comms;            /* communicators, each as its last record has it */
    TT_VEC(tt_spool_call_slice) calls;      /* at the end one of each call, by (row, start) */
    char pid[24];
    bool lost;    /* parts of the file were lost: unknown names are called so */
    int64_t base; /* time 0 of texts */
    int64_t
        from; /* begin of a ring whose earlier segments were deleted, else INT64_MIN: ranges begin here at the least */
    int64_t end; /* end of the last event: open ranges end there */
} tt_spool_facts;
void tt_spool_facts_free(tt_spool_facts *f); /* frees the members */

#define TT_SPOOL_NO_PID "?" /* pid when the block with it was lost; other pids are digits */
#define TT_SPOOL_LOST_NAME "(name lost)"

/* The communicator with this number; NULL. */
const tt_spool_comm *tt_spool_comm_of(const tt_spool_facts *f, uint32_t number);

/* Least size of a record by type, 0 = unknown type. */
size_t tt_spool_least(unsigned type);
enum { TT_SPOOL_ID_MOST = 1 << 22 }; /* ids of a ring's strings are less: a larger one is damage */
/* Whether a block can begin with this header. */
bool tt_spool_block_fits(const tt_spool_block *b);
/* Whether the record has a size of its type, within the `rest` bytes from its start. */
bool tt_spool_record_fits(const tt_spool_rec *r, size_t rest);
const char *tt_spool_string(const tt_spool_facts *f, uint32_t id); /* "" or TT_SPOOL_LOST_NAME if unknown */

typedef struct tt_spool_launch { /* launch details; NaN: unknown */
    double blocks_per_sm, warps_per_sm, occupancy_pct;
} tt_spool_launch;
tt_spool_launch tt_spool_launch_of(const tt_spool_facts *f, const tt_spool_kernel *k);

/* Collective by the name of a communication library's kernel, in Kineto's spelling; "" = unknown. */
typedef struct tt_spool_coll {
    const char *name, *dtype;
} tt_spool_coll;
tt_spool_coll tt_spool_coll_of(const char *kernel);

/* Names and categories of events without a name of their own. */
const char *tt_spool_category(unsigned cat);
const char *tt_spool_copy_name(const tt_spool_copy *c, char *out, size_t cap);
const char *tt_spool_set_name(const tt_spool_copy *c, char *out, size_t cap);
const char *tt_spool_sync_name(uint32_t kind);
const char *tt_spool_overhead_name(uint32_t kind);
const char *tt_spool_graph_name(uint32_t graph, char *out, size_t cap);
const char *tt_spool_pool_name(uint32_t operation);
const char *tt_spool_unified_name(uint32_t what);
const char *tt_spool_unified_row(uint32_t what); /* name of the row */
/* Device of an event of unified memory, -1: the host. The event has a row of its own there: TT_SPOOL_UNIFIED_ROW +
 * what. */
int64_t tt_spool_unified_device(const tt_spool_unified *u);
bool tt_spool_unified_is_moment(const tt_spool_unified *u);
#define TT_SPOOL_UNIFIED_ROW ((int64_t)1 << 30) /* larger than numbers of streams and threads */
/* Work that never ended is on the row TT_SPOOL_UNFINISHED_ROW + stream of its device. */
#define TT_SPOOL_UNFINISHED_ROW ((int64_t)1 << 40)
#define TT_SPOOL_UNFINISHED "gpu_unfinished"            /* its category */
unsigned tt_spool_graph_flags(const tt_spool_graph *g); /* TT_SPOOL_WORK_ */
/* Time at which the kernel was submitted, 0: unknown. */
int64_t tt_spool_submitted(const tt_spool_kernel *k);
#define TT_SPOOL_EVENT_NAME "CUDA Event Record"
#define TT_SPOOL_ARROW_NAME "fwdbwd"
/* Name of a kernel, demangled if tt_spool_learn_kernel() could; valid until the next string is added. */
const char *tt_spool_kernel_name(const tt_spool_facts *f, uint32_t id);
void tt_spool_learn_kernel(tt_spool_facts *f, uint32_t id);
/* Thread of the forward operator with a sequence number; 0 = unknown. */
uint32_t tt_spool_forward_thread(const tt_spool_facts *f, uint32_t seq);
/* The recording of the event that a wait waited for, NULL = unknown. */
const tt_spool_event *tt_spool_waited_for(const tt_spool_facts *f, const tt_spool_sync *y);
/* Begin of a range as it is shown: one that began before the ring begins with it. */
static inline int64_t tt_spool_range_start(const tt_spool_facts *f, const tt_spool_range *r)
{
    bool inside = r->start >= f->from || (r->h.type == TT_SPOOL_RANGE && r->end < f->from);
    return inside ? r->start : f->from;
}
/* External id of a range recorded without one, derived from the place of its record; never equal to a correlation
 * id. */
static inline uint64_t tt_spool_external(uint64_t offset) { return ((uint64_t)1 << 30) + offset / 8; }
int64_t tt_spool_stream(uint32_t stream); /* -1 = none */

/* Name and category of a call stack's event, and its frames as traces have them: joined by ";", the innermost first;
 * malloc. n: bytes of the record that were read. */
#define TT_SPOOL_STACK_CATEGORY "call_stack"
const char *tt_spool_stack_name(uint32_t kind);
char *tt_spool_stack_text(const tt_spool_stack *k, size_t n);

/* The devices as a list in the JSON traces' form; malloc, NULL = none. */
char *tt_spool_devices_json(const tt_spool_facts *f);
/* Text source of a spool whose bytes `raw` reads. Takes both over (moves the facts). */
tt_text_source *tt_spool_text_new(tt_text_source *raw, tt_spool_facts *facts);

#endif
