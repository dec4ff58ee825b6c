/* capture/agent/cupti/cupti_records.h - translates CUPTI's records into records of the spool. The writer thread only.
 * Private to the library. */
#ifndef TT_CAPTURE_AGENT_CUPTI_CUPTI_RECORDS_H
#define TT_CAPTURE_AGENT_CUPTI_CUPTI_RECORDS_H

#include "capture/agent/core/recorder.h"
#include "capture/cuda/cupti_abi.h"

#define TT_CLOCK_MARGIN ((int64_t)3600 * 1000000000) /* ns; times of a wrong clock are off by years */
enum { TT_CONTEXTS = 64, TT_CBIDS = 1024, TT_EXTERNALS = 8192, TT_DEVICES = 64, TT_POOLS = 64 };

/* What is known of device work in the records that are translated. ENDED: without times, its times are lost.
 * MAY_BE_OPEN: without times it has not ended. OPEN: it has not ended. TOLD: as MAY_BE_OPEN, and a record with
 * TT_SPOOL_WORK_OPEN was written before. */
typedef enum tt_cupti_work { TT_WORK_ENDED, TT_WORK_MAY_BE_OPEN, TT_WORK_OPEN, TT_WORK_TOLD } tt_cupti_work;

typedef struct tt_cupti_records {
    uint32_t version;
    tt_cupti_work work;
    bool held;       /* CUPTI still fills the buffer: pointers in the records may be wrong */
    bool noisy;      /* keep frequent API calls such as cudaGetDevice */
    bool all_driver; /* keep driver calls that do not launch */
    bool latency;    /* record when kernels were queued and submitted */
    /* seen: number of records of our clock, except those of devices, contexts and our own calls; foreign: of records
     * with times of another clock */
    uint64_t seen, foreign;
    uint64_t called; /* start of the latest call that was recorded, and its thread */
    uint32_t caller;
    _Atomic uint64_t own_calls;      /* records of our own driver calls: see cupti_watch.h */
    _Atomic uint32_t own_threads[2]; /* ids of the threads that make these calls */
    uint64_t earliest, latest;       /* range of plausible times: the recording's, with a margin */
    int (*callback_name)(int domain, uint32_t cbid, const char **name);
    uint32_t self; /* the writer's thread id once it has called the runtime: its calls are not the program's */
    uint32_t api_name[2][TT_CBIDS]; /* id of the call's name + 1, 0 = not known yet; [0] runtime, [1] driver */
    uint32_t context[TT_CONTEXTS], device_of[TT_CONTEXTS], next_context;
    struct {
        uint32_t correlation;
        uint64_t id;
    } external[TT_EXTERNALS]; /* latest external ids: the record of the API call follows its id at once */
    int64_t allocated[TT_DEVICES + 1];
    struct {
        uint64_t address;
        int64_t size, used;
        uint32_t device;
    } pool[TT_POOLS]; /* pools by address; address 0: free place */
} tt_cupti_records;

typedef struct tt_cupti_work_facts {
    uint64_t start, end; /* 0: not known */
    uint32_t correlation;
} tt_cupti_work_facts;
/* Facts of device work; false: a record of another kind. */
bool tt_cupti_work_of(const void *record, tt_cupti_work_facts *out);
/* Translate and write one record. False when its kind is unknown. */
bool tt_cupti_record(tt_cupti_records *c, tt_recorder *r, void *record);
/* Driver calls that launch work or map memory and are not covered by runtime calls. */
const uint32_t *tt_cupti_driver_launches(size_t *n);
/* Frequent runtime calls with little information, left out by default. */
const uint32_t *tt_cupti_noisy(size_t *n);

#endif
