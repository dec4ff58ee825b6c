/* model/tables/analysis/device/device_work.h - the work of each device in the order of time: its class, its stream, its
 * launch.
 *
 * Device work is what occupies a device: kernels, copies, sets, whole collectives. Records of synchronisation, tasks
 * and annotations are none. Whatever asks why a device waits starts here: gaps, launches, queues, the critical path.
 * Times are trace times. */
#ifndef TT_MODEL_TABLES_ANALYSIS_DEVICE_WORK_H
#define TT_MODEL_TABLES_ANALYSIS_DEVICE_WORK_H

#include "model/base/interval_set.h"
#include "model/trace/session.h"

typedef enum tt_work_class {
    TT_WORK_COMPUTATION,   /* other kernels */
    TT_WORK_COMMUNICATION, /* kernels of that class (kernel_class.h), and whole collectives of Ascend's profilers */
    TT_WORK_COPY,          /* copies and sets */
    TT_WORK_CLASS_COUNT_,
} tt_work_class;
extern const char *const tt_work_class_name[TT_WORK_CLASS_COUNT_]; /* "computation", "communication", "copy" */

typedef struct tt_work {
    int64_t start, end;
    tt_row row;
    tt_row launch;         /* the runtime or driver call, TT_NONE = not known */
    uint32_t stream;       /* index into streams */
    uint32_t of_class : 8; /* tt_work_class */
    uint32_t first : 1;    /* of its launch the first to start (ties: file order): it has the call's numbers */
} tt_work;

typedef struct tt_work_stream {
    uint32_t device;   /* index into devices */
    const char *name;  /* args.stream as the file has it, else the tid of its track; the session's */
    uint32_t first, n; /* its work in at[]: by start, then by row: the order of events in the file does not matter */
} tt_work_stream;

typedef struct tt_work_device {
    int64_t id;        /* tt_activity.device */
    const char *name;  /* "GPU0": as in table devices; the session's */
    uint32_t first, n; /* its work in at[]: its streams lie together */
    uint32_t first_stream, n_streams;
    int64_t start, end;              /* first start, last end */
    tt_ivs busy;                     /* all of its work: gaps lie between the members */
    tt_ivs of[TT_WORK_CLASS_COUNT_]; /* work of a class; sets overlap */
} tt_work_device;

typedef struct tt_device_work {
    tt_work *at;
    uint32_t n;
    tt_work_stream *streams; /* by device, then by number, then by text */
    uint32_t n_streams;
    tt_work_device *devices; /* by id */
    uint32_t n_devices;
    uint32_t *of_activity; /* by index into trace->dev: index into at, TT_NONE for what is no work */
    tt_arena arena;
} tt_device_work;

/* Built once per trace and kept. O(work), and a sort of what is nearly sorted. */
const tt_device_work *tt_device_work_get(const tt_session *s, uint32_t trace);

#endif
