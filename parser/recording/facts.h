/* parser/recording/facts.h - the recorder's spool files (capture/format/spool.h): facts about a file that both its
 * reader and its texts need. Private to parser/.
 *
 * A spool has no text. Its trace's text source makes the JSON of an event, as an export has it, from the record at
 * the event's place; so showing arguments and exporting need to know nothing of spools. */
#ifndef TT_PARSER_RECORDING_FACTS_H
#define TT_PARSER_RECORDING_FACTS_H

#include "capture/format/spool.h"
#include "model/build/builder.h"

/* A range of a host thread on a stream: it has no record, and its place is TT_SPOOL_GPU_RANGE plus its index. */
typedef struct tt_spool_gpu_range {
    int64_t start, end;
    uint32_t name, device, stream; /* name: in facts.text */
    uint64_t external;
} tt_spool_gpu_range;

/* The range that a call was made in. */
typedef struct tt_spool_launcher {
    uint32_t correlation;
    uint64_t external;
} tt_spool_launcher;
#define TT_SPOOL_GPU_RANGE ((uint64_t)1 << 39) /* beyond any file: places have 40 bits */

/* The operator with a sequence number that ran forward, and the first one on another thread, its backward. An arrow
 * leads from one to the other: two events without a record, at the places TT_SPOOL_ARROW plus twice its index, and
 * one more. */
typedef struct tt_spool_forward {
    uint32_t seq, tid; /* seq: as in the record, + 1 */
    int64_t start;
    int64_t backward; /* its start, when to != 0 */
    uint32_t to;      /* its thread */
} tt_spool_forward;
#define TT_SPOOL_ARROW (TT_SPOOL_GPU_RANGE + ((uint64_t)1 << 38))

typedef struct tt_spool_facts {
    tt_strings text;            /* bytes of the strings */
    TT_VEC(uint32_t) by_id;     /* id in the file -> id in text, 0 = not there */
    TT_VEC(uint32_t) demangled; /* the same for kernels' names */
    unsigned demangle_tries;    /* see demangle.h */
    TT_VEC(tt_spool_device) devices;
    TT_VEC(tt_spool_event) events; /* in the order of tt_spool_event_order() once all is read */
    TT_VEC(tt_spool_gpu_range) shades;
    TT_VEC(tt_spool_launcher) launchers; /* in the order of corr; tools join calls and work with ranges by these ids */
    TT_VEC(tt_spool_forward) forwards;   /* one of each seq, in the order of seq once all is read */
    char pid[24];
    bool lost;    /* some of the file was: names that are not there are called so */
    int64_t base; /* times in texts count from here */
    int64_t end;  /* of the last event: where open ranges end */
} tt_spool_facts;
void tt_spool_facts_free(tt_spool_facts *f); /* what it holds */

#define TT_SPOOL_NO_PID "?" /* the block that says it was lost; all others are digits */
#define TT_SPOOL_LOST_NAME "(name lost)"

/* Smallest size of a record of a type, 0 = unknown type. */
size_t tt_spool_least(unsigned type);
const char *tt_spool_string(const tt_spool_facts *f, uint32_t id); /* "" when it is not there, or lost */

typedef struct tt_spool_launch { /* NaN: unknown */
    double blocks_per_sm, warps_per_sm, occupancy_pct;
} tt_spool_launch;
tt_spool_launch tt_spool_launch_of(const tt_spool_facts *f, const tt_spool_kernel *k);

/* What a communication library says in the name of its kernel, as Kineto spells it; "" where it says nothing. */
typedef struct tt_spool_coll {
    const char *name, *dtype;
} tt_spool_coll;
tt_spool_coll tt_spool_coll_of(const char *kernel);

/* Names and categories of what has no name of its own. */
const char *tt_spool_category(unsigned cat);
const char *tt_spool_copy_name(const tt_spool_copy *c, char *out, size_t cap);
const char *tt_spool_set_name(const tt_spool_copy *c, char *out, size_t cap);
const char *tt_spool_sync_name(uint32_t kind);
const char *tt_spool_overhead_name(uint32_t kind);
const char *tt_spool_graph_name(uint32_t graph, char *out, size_t cap);
const char *tt_spool_pool_name(uint32_t operation);
const char *tt_spool_unified_name(uint32_t what);
const char *tt_spool_unified_row(uint32_t what); /* of the row that it is on */
/* Where it happened: the device, -1: on the host. Its row there is one of its own: TT_SPOOL_UNIFIED_ROW + what. */
int64_t tt_spool_unified_device(const tt_spool_unified *u);
bool tt_spool_unified_is_moment(const tt_spool_unified *u);
#define TT_SPOOL_UNIFIED_ROW ((int64_t)1 << 30) /* above the numbers of streams and threads */
/* When the kernel was submitted, 0: not known. */
int64_t tt_spool_submitted(const tt_spool_kernel *k);
#define TT_SPOOL_EVENT_NAME "CUDA Event Record"
#define TT_SPOOL_ARROW_NAME "fwdbwd"
/* The name of a kernel, demangled if tt_spool_learn_kernel() could; valid until the next string is put. */
const char *tt_spool_kernel_name(const tt_spool_facts *f, uint32_t id);
void tt_spool_learn_kernel(tt_spool_facts *f, uint32_t id);
/* By event, then by correlation: for qsort. */
int tt_spool_event_order(const void *a, const void *b);
/* By seq, then by start: for qsort. */
int tt_spool_forward_order(const void *a, const void *b);
/* The thread that the operator with a sequence number began on; 0 = not known. */
uint32_t tt_spool_forward_thread(const tt_spool_facts *f, uint32_t seq);
/* The recording of the event that a wait waited for, NULL = not known. */
const tt_spool_event *tt_spool_waited_for(const tt_spool_facts *f, const tt_spool_sync *y);
/* The external id of a range that was recorded without one: from the place of its record, and never that of a
 * correlation. */
static inline uint64_t tt_spool_external(uint64_t offset) { return ((uint64_t)1 << 30) + offset / 8; }
int64_t tt_spool_stream(uint32_t stream); /* -1 for none */

/* The devices as the JSON traces list them; malloc, NULL = none. */
char *tt_spool_devices_json(const tt_spool_facts *f);
/* The texts of a spool whose bytes `raw` reads. Takes both over (the facts are moved). */
tt_text_source *tt_spool_text_new(tt_text_source *raw, tt_spool_facts *facts);

#endif
