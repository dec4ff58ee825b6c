/* parser/nsys/export.h - names, processes, devices and ids of calls of an export, read before its events. Private to
 * parser/nsys. */
#ifndef TT_PARSER_NSYS_EXPORT_H
#define TT_PARSER_NSYS_EXPORT_H

#include "parser/sqlite/load.h"

/* globalTid = HH VV PPPPPP TTTTTT (hex): hardware, virtual machine, process, thread. The number of a process is the
 * globalTid without its thread. */
static inline int64_t tt_nsys_process(int64_t global) { return (int64_t)((uint64_t)global >> 24); }
static inline int64_t tt_nsys_pid(int64_t process) { return process & 0xFFFFFF; }
static inline int64_t tt_nsys_thread(int64_t global) { return global & 0xFFFFFF; }

typedef struct tt_nsys_key { /* a value by process and number */
    int64_t process, id;
    int64_t value; /* the map's comment says which */
} tt_nsys_key;
typedef struct tt_nsys_keys {
    TT_VEC(tt_nsys_key) at; /* sorted by process and id once sealed */
} tt_nsys_keys;

typedef struct tt_nsys_gpu { /* row of TARGET_INFO_GPU */
    int64_t id, cuda;
    tt_device_props props; /* name: in the export's strings */
} tt_nsys_gpu;

typedef struct tt_nsys_record { /* recording of a CUDA event on a stream */
    int64_t process, sync, correlation, stream;
} tt_nsys_record;

typedef struct tt_nsys {
    tt_strings strings;       /* StringIds, and names of other tables */
    tt_db_ids string_ids;     /* id of StringIds -> strings */
    tt_nsys_keys domains;     /* process, domainId -> strings */
    tt_nsys_keys threads;     /* globalTid, 0 -> strings */
    tt_nsys_keys names;       /* process, 0 -> strings: of PROCESSES */
    tt_nsys_keys ranks;       /* process, 0 -> MPI rank */
    tt_nsys_keys visible;     /* process, cudaId -> gpuId: TARGET_INFO_CUDA_DEVICE, by pid */
    tt_nsys_keys metrics;     /* typeId, metricId -> strings */
    tt_nsys_keys symbols;     /* 0, id of a call chain -> strings: its innermost function */
    TT_VEC(tt_nsys_key) seen; /* cudaId -> gpuId in any process, each pair once */
    TT_VEC(tt_nsys_gpu) gpus;
    TT_VEC(tt_nsys_record) records; /* sorted by process, sync */
    bool devices_differ;            /* processes number devices differently: use the GPU's own number */
    TT_VEC(int64_t) cuda;           /* processes that use CUDA, sorted, found in a sample of the rows */
    uint64_t stride;                /* offset of call ids between two processes; 0 = unchanged ids */
    int64_t epoch_ns;               /* wall clock at time 0; TT_UNKNOWN */
    tt_arena arena;
} tt_nsys;

/* Read the small tables into n; reports damage. */
void tt_nsys_learn(tt_nsys *n, tt_db_job *job, tt_problems *problems);
void tt_nsys_free(void *n);

/* The value of a key, or `none`. */
int64_t tt_nsys_keys_find(const tt_nsys_keys *k, int64_t process, int64_t id, int64_t none);

/* Index in strings of a string's id; TT_NONE = no such id. */
static inline uint32_t tt_nsys_string(const tt_nsys *n, int64_t id) { return tt_db_ids_find(&n->string_ids, id); }
/* A call's id made unique over all processes, in each of which ids repeat. 0 = none. */
uint64_t tt_nsys_correlation(const tt_nsys *n, int64_t process, int64_t id);
/* Number of a process's device in the trace. */
int64_t tt_nsys_device(const tt_nsys *n, int64_t process, int64_t device);
/* The recording of an event that a wait names; NULL = not known. */
const tt_nsys_record *tt_nsys_record_of(const tt_nsys *n, int64_t process, int64_t sync);
/* Put facts and devices into the header. */
void tt_nsys_header(tt_nsys *n, tt_db *d, tt_build_header *h);

/* tables.c: the tables with events and the meaning of their rows. */
extern const tt_db_spec tt_nsys_specs[];
extern const tt_db_format tt_nsys_format;

#endif
