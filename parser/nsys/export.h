/* parser/nsys/export.h - what is known of an export before its events are read: names, processes, devices, and which
 * call an id means. Private to parser/nsys. */
#ifndef TT_PARSER_NSYS_EXPORT_H
#define TT_PARSER_NSYS_EXPORT_H

#include "parser/sqlite/load.h"

/* globalTid = HH VV PPPPPP TTTTTT (hex): hardware, virtual machine, process, thread. A process is what is above the
 * thread. */
static inline int64_t tt_nsys_process(int64_t global) { return (int64_t)((uint64_t)global >> 24); }
static inline int64_t tt_nsys_pid(int64_t process) { return process & 0xFFFFFF; }
static inline int64_t tt_nsys_thread(int64_t global) { return global & 0xFFFFFF; }

typedef struct tt_nsys_key { /* of what is known by a process and a number */
    int64_t process, id;
    int64_t value; /* by what it is of */
} tt_nsys_key;
typedef struct tt_nsys_keys {
    TT_VEC(tt_nsys_key) at; /* in order, after sealing */
} tt_nsys_keys;

typedef struct tt_nsys_gpu { /* of TARGET_INFO_GPU */
    int64_t id, cuda;
    tt_device_props props; /* name: of the export's strings */
} tt_nsys_gpu;

typedef struct tt_nsys_record { /* of a CUDA event on a stream */
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
    TT_VEC(tt_nsys_key) seen; /* cudaId -> gpuId of any process, each pair once */
    TT_VEC(tt_nsys_gpu) gpus;
    TT_VEC(tt_nsys_record) records; /* by process, sync */
    bool devices_differ;  /* a number of a device means different ones in different processes: GPUs have their own */
    TT_VEC(int64_t) cuda; /* processes that use CUDA, in order: those of a sample of the rows */
    uint64_t stride;      /* ids of calls of the i-th of them are moved by i * stride; 0 = not */
    int64_t epoch_ns;     /* wall clock of time 0; TT_UNKNOWN */
    tt_arena arena;
} tt_nsys;

/* Reads what is said above; damage goes to the problems. */
void tt_nsys_learn(tt_nsys *n, tt_db_job *job, tt_problems *problems);
void tt_nsys_free(void *n);

/* The value, or `none`. */
int64_t tt_nsys_keys_find(const tt_nsys_keys *k, int64_t process, int64_t id, int64_t none);

/* The number of the string in strings, TT_NONE. */
static inline uint32_t tt_nsys_string(const tt_nsys *n, int64_t id) { return tt_db_ids_find(&n->string_ids, id); }
/* Ids of calls repeat in every process: one that does not. 0 = none. */
uint64_t tt_nsys_correlation(const tt_nsys *n, int64_t process, int64_t id);
/* The number that the device of a process has in the trace. */
int64_t tt_nsys_device(const tt_nsys *n, int64_t process, int64_t device);
/* The recording of an event that a wait names; NULL. */
const tt_nsys_record *tt_nsys_record_of(const tt_nsys *n, int64_t process, int64_t sync);
/* Facts and devices into the header. */
void tt_nsys_header(tt_nsys *n, tt_db *d, tt_build_header *h);

/* tables.c: the tables with events and what their rows mean. */
extern const tt_db_spec tt_nsys_specs[];
extern const tt_db_format tt_nsys_format;

#endif
