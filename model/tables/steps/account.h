/* model/tables/steps/account.h - the account of a worker: the time that every number about time is a part of.
 *
 * In this order: with a time window that window, cut to the recording; with steps in scope the windows of these steps;
 * with complete steps the union of their windows (rows of step_breakdown); else the recording. The same for all
 * devices of the worker, unless its clocks differ. Times are trace times. */
#ifndef TT_MODEL_TABLES_STEPS_ACCOUNT_H
#define TT_MODEL_TABLES_STEPS_ACCOUNT_H

#include "model/base/interval_set.h"
#include "model/tables/analysis/device/device_work.h"

/* From the first start to the last end of what host threads and devices did. Instants, counters, the profiler's own
 * slices, annotations on devices and records of synchronisation are no activity: they lengthen nothing. */
typedef struct tt_recording {
    int64_t t0, t1;           /* host and devices together; t0 > t1: nothing was recorded */
    int64_t host_t0, host_t1; /* slices of host threads alone; host_t0 > host_t1: there are none */
    bool clocks_differ;       /* together they are more than 1,000 times as long as the longest of them alone: host and
                                 devices       have clocks of their own, and nothing sets one against the other */
} tt_recording;

/* Built once per trace and kept. O(slices). */
const tt_recording *tt_recording_get(const tt_session *s, uint32_t trace);

typedef enum tt_account_kind {
    TT_ACCOUNT_RECORDING, /* all of the recording */
    TT_ACCOUNT_STEPS,     /* the windows of complete steps */
    TT_ACCOUNT_RANGE,     /* a time window asked for */
} tt_account_kind;
extern const char *const tt_account_kind_name[]; /* by kind: "recording", "steps", "range" */

typedef struct tt_account {
    tt_account_kind kind;
    tt_ivs time;        /* disjoint intervals; empty when nothing is in scope */
    int64_t ns;         /* its length */
    uint32_t steps;     /* complete steps in scope, of any kind of account */
    uint32_t host;      /* track of the last step's annotation, which is charged with the time after the last work of a
                           device; TT_NONE = without steps */
    bool clocks_differ; /* time is the host's; of a device its own recording counts: tt_account_of_device() */
} tt_account;

/* Of a trace in a scope. O(steps) after tt_recording_get(). Caller frees. */
tt_account tt_account_make(const tt_session *s, const tt_scope *scope, uint32_t trace);
void tt_account_free(tt_account *a);

/* The account of one device: a->time, but where the clocks differ the time from its first start to its last end. Caller
 * frees with tt_vec_free(). */
tt_ivs tt_account_of_device(const tt_account *a, const tt_work_device *device);

#endif
