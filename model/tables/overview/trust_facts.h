/* model/tables/overview/trust_facts.h - what the checks of trust.h count in one trace: for this folder only. */
#ifndef TT_MODEL_TABLES_OVERVIEW_TRUST_FACTS_H
#define TT_MODEL_TABLES_OVERVIEW_TRUST_FACTS_H

#include "model/tables/overview/trust.h"

enum { TT_TRUST_SHORT_NS = 10000 }; /* of a microsecond clock, the duration that is off by a tenth at worst */

typedef struct tt_trust_facts {
    uint64_t work;       /* kernels, copies and sets on devices ... */
    uint64_t orphans;    /* ... whose launch or operator is not in the trace ... */
    uint64_t early;      /* ... because it came before the recording began */
    uint64_t zero;       /* ... that took no time */
    uint64_t brief;      /* ... that took less than TT_TRUST_SHORT_NS */
    int64_t work_ns;     /* their durations ... */
    int64_t outside_ns;  /* ... and the part of them in no step */
    uint64_t calls;      /* calls that launch a kernel by their name ... */
    uint64_t lost_calls; /* ... of which there is none */
    bool host_calls;     /* the trace has calls of the runtime */
    tt_row first_before; /* that starts before its launch */
    tt_row first_orphan, first_zero, first_lost_call, longest_overhead; /* TT_NONE = there is none */

    int64_t occupancy_ns, occupancy_zero_ns; /* kernel time with an occupancy; with one of 0 */
    int64_t overhead_ns, overhead_of_ns;     /* of the profiler inside of the steps; how long those are */

    uint32_t steps;       /* with a number and a slice of their own, complete */
    uint32_t cut_steps;   /* likewise, at the end of the recording and not complete */
    uint32_t overlapping; /* that begin before an earlier one ends */
    uint32_t repeated;    /* whose number an earlier one has */
    uint64_t missing;     /* numbers that are skipped between the first and the last */
    int64_t first_missing;
    uint32_t overlapping_step;   /* index of the first, TT_NONE */
    int64_t first_ns, median_ns; /* the first step; the median of the others; 0 = only one step */
    tt_row first_step;
} tt_trust_facts;

tt_trust_facts tt_trust_count(const tt_trace *s);

#endif
