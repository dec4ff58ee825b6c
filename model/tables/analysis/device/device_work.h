/* model/tables/analysis/device/device_work.h - the work of each device in the order of time: its class, stream and
 * launch.
 *
 * Device work occupies a device: kernels, copies, sets, whole collectives. Records of synchronisation, tasks and
 * annotations do not. Gaps, launches, queues and the critical path are computed from it. Times are trace times. */
#ifndef TT_MODEL_TABLES_ANALYSIS_DEVICE_DEVICE_WORK_H
#define TT_MODEL_TABLES_ANALYSIS_DEVICE_DEVICE_WORK_H

#include "model/base/interval_set.h"
#include "model/trace/session.h"

typedef enum tt_work_class {
    TT_WORK_COMPUTATION, /* other kernels */
    /* kernels of class communication (kernel_class.h), and whole collectives of Ascend's profilers */
    TT_WORK_COMMUNICATION,
    TT_WORK_COPY, /* copies and sets */
    TT_WORK_CLASS_COUNT_,
} tt_work_class;
extern const char *const tt_work_class_name[TT_WORK_CLASS_COUNT_]; /* "computation", "communication", "copy" */

typedef struct tt_work {
    int64_t start, end;
    tt_row row;
    tt_row launch;         /* row of the runtime or driver call; TT_NONE = not known */
    uint32_t stream;       /* index into streams */
    uint32_t of_class : 8; /* tt_work_class */
    /* first work of its launch to start (ties: file order): the numbers of the call are counted here */
    uint32_t first : 1;
} tt_work;

typedef struct tt_work_stream {
    uint32_t device;  /* index into devices */
    const char *name; /* args.stream as the file has it, else the tid of the track; owned by the session */
    /* work of the stream in at[], by start, then by row: independent of the order of events in the file */
    uint32_t first, n;
} tt_work_stream;

typedef struct tt_work_device {
    int64_t id;        /* tt_activity.device */
    const char *name;  /* "GPU0", as in table devices; owned by the session */
    uint32_t first, n; /* work of the device in at[]: stream by stream */
    uint32_t first_stream, n_streams;
    int64_t start, end;              /* start of the first work, end of the last */
    tt_ivs busy;                     /* union of its work: gaps lie between the members */
    tt_ivs of[TT_WORK_CLASS_COUNT_]; /* union of its work of each class; the sets may overlap */
} tt_work_device;

typedef struct tt_device_work {
    tt_work *at;
    uint32_t n;
    tt_work_stream *streams; /* streams by device, then by number, then by text */
    uint32_t n_streams;
    tt_work_device *devices; /* by id */
    uint32_t n_devices;
    uint32_t *of_activity; /* index into at of each trace->dev; TT_NONE = it is no work */
    tt_arena arena;
} tt_device_work;

/* Built once per trace and kept. O(work), plus a sort of nearly sorted work. */
const tt_device_work *tt_device_work_get(const tt_session *s, uint32_t trace);

#endif
