/* model/tables/findings/findings.h - what the rules of table findings share, for model/summary/findings*.c only. */
#ifndef TT_MODEL_TABLES_FINDINGS_FINDINGS_H
#define TT_MODEL_TABLES_FINDINGS_FINDINGS_H

#include "model/tables/devices/gpu_usage.h"
#include "model/tables/steps/step_breakdown.h"

enum {
    TT_FINDING_ID,
    TT_FINDING_SEVERITY,
    TT_FINDING_TITLE,
    TT_FINDING_DETAIL,
    TT_FINDING_VALUE,
    TT_FINDING_SAVING,
    TT_FINDING_START,
    TT_FINDING_END
};

typedef struct tt_finding_context {
    const tt_query *q;
    const tt_trace *s;
    tt_table *t;
    tt_breakdown steps;
    tt_gpu_list gpus;
    int64_t t0, t1; /* the steps looked at */
} tt_finding_context;

/* Add a finding about all of the steps; the row. Texts stay the caller's, who may then set value, saving and
 * evidence. */
uint32_t tt_finding_add(tt_finding_context *c, const char *id, const char *severity, const char *title,
                        const char *detail);
/* Length of the steps looked at. */
int64_t tt_finding_steps(const tt_finding_context *c);
/* Share of a part (tt_time_class, TT_PART_OTHER) in the steps, in percent, and its time. */
double tt_finding_share(const tt_finding_context *c, int part, int64_t *ns);
/* findings_more.c: slow steps, waiting ranks, calls that block, short kernels, copies from pageable memory. */
void tt_findings_more(tt_finding_context *c);

#endif
