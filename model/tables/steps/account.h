/* model/tables/steps/account.h - the account of a worker: the time that every number about time is a part of.
 *
 * The first of these that applies: a time window, cut to the recording; the windows of the steps in scope; the union
 * of the windows of complete steps (rows of step_breakdown); the recording. All devices of the worker have the same
 * account, unless its clocks differ. Times are trace times. */
#ifndef TT_MODEL_TABLES_STEPS_ACCOUNT_H
#define TT_MODEL_TABLES_STEPS_ACCOUNT_H

#include "model/base/interval_set.h"
#include "model/tables/analysis/device/device_work.h"

/* From the first start to the last end of what host threads and devices did. Instants, counters, the profiler's own
 * slices, annotations on devices and records of synchronisation do not count. */
typedef struct tt_recording {
    int64_t t0, t1;           /* host and devices; t0 > t1: nothing was recorded */
    int64_t host_t0, host_t1; /* host threads alone; host_t0 > host_t1: no slices */
    /* [t0, t1) is over 1,000 times as long as the longest of host and devices alone: they have separate clocks that
     * nothing relates */
    bool clocks_differ;
} tt_recording;

/* Built once per trace and kept. O(slices). */
const tt_recording *tt_recording_get(const tt_session *s, uint32_t trace);

typedef enum tt_account_kind {
    TT_ACCOUNT_RECORDING, /* the whole recording */
    TT_ACCOUNT_STEPS,     /* the windows of complete steps */
    TT_ACCOUNT_RANGE,     /* the time window asked for */
} tt_account_kind;
extern const char *const tt_account_kind_name[]; /* names by kind: "recording", "steps", "range" */

typedef struct tt_account {
    tt_account_kind kind;
    tt_ivs time;    /* disjoint intervals; empty when nothing is in scope */
    int64_t ns;     /* its length */
    uint32_t steps; /* complete steps in scope, whatever the kind */
    /* track of the last step's annotation, which is charged with the time after a device's last work; TT_NONE = no
     * steps */
    uint32_t host;
    bool clocks_differ; /* `time` is the host's; a device has its own recording: tt_account_of_device() */
} tt_account;

/* Make the account of a trace in a scope. O(steps) after tt_recording_get(). The caller frees it. */
tt_account tt_account_make(const tt_session *s, const tt_scope *scope, uint32_t trace);
void tt_account_free(tt_account *a);

/* The account of one device: a->time; where the clocks differ, the time from the device's first start to its last
 * end. The caller frees it with tt_vec_free(). */
tt_ivs tt_account_of_device(const tt_account *a, const tt_work_device *device);

#endif
