/* model/tables/overview/trust_facts.h - counts of one trace for the checks of trust.h: for this folder only. */
#ifndef TT_MODEL_TABLES_OVERVIEW_TRUST_FACTS_H
#define TT_MODEL_TABLES_OVERVIEW_TRUST_FACTS_H

#include "model/tables/overview/trust.h"

enum { TT_TRUST_SHORT_NS = 10000 }; /* shortest duration that a microsecond clock measures to a tenth, ns */

typedef struct tt_trust_facts {
    uint64_t work;       /* number of kernels, copies and sets on devices ... */
    uint64_t orphans;    /* ... without their launch or operator in the trace ... */
    uint64_t early;      /* ... because it precedes the recording */
    uint64_t zero;       /* ... of length 0 */
    uint64_t brief;      /* ... shorter than TT_TRUST_SHORT_NS */
    int64_t work_ns;     /* their durations ... */
    int64_t outside_ns;  /* ... and the part outside of all steps */
    uint64_t calls;      /* calls whose name launches a kernel ... */
    uint64_t lost_calls; /* ... without any kernel */
    bool host_calls;     /* the trace has runtime calls */
    tt_row first_before; /* first work that starts before its launch */
    tt_row first_orphan, first_zero, first_lost_call, longest_overhead; /* first or longest row of each kind, TT_NONE */

    int64_t occupancy_ns, occupancy_zero_ns; /* kernel time with an occupancy, and with occupancy 0 */
    int64_t overhead_ns, overhead_of_ns;     /* profiler overhead inside of the steps, and the steps' length */

    uint32_t steps;       /* complete steps with a number and a slice */
    uint32_t cut_steps;   /* incomplete steps at the end of the recording, with number and slice */
    uint32_t overlapping; /* steps that begin before an earlier one ends */
    uint32_t repeated;    /* steps with the number of an earlier one */
    uint64_t missing;     /* skipped step numbers between the first and the last */
    int64_t first_missing;
    uint32_t overlapping_step;   /* index of the first overlapping step, TT_NONE */
    int64_t first_ns, median_ns; /* length of the first step; median of the others; 0 = only one step */
    tt_row first_step;
} tt_trust_facts;

tt_trust_facts tt_trust_count(const tt_trace *s);

#endif
