/* model/tables/findings/findings.h - what the rules of table findings share: for this folder only.
 *
 * A rule looks at one trace and its steps, and adds a row for what it finds, with the value that says so and the
 * evidence. */
#ifndef TT_MODEL_TABLES_FINDINGS_FINDINGS_H
#define TT_MODEL_TABLES_FINDINGS_FINDINGS_H

#include "model/tables/analysis/time_class.h"
#include "model/tables/devices/gpu_usage.h"
#include "model/tables/steps/step_breakdown.h"
#include "model/tables/table_util.h"

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
    const char *id; /* of the rule that is asked */
    const tt_query *q;
    const tt_trace *s;
    tt_table *t;
    tt_breakdown steps;
    tt_gpu_list gpus;
    int64_t t0, t1; /* the steps looked at */
} tt_finding_context;

/* Each rule: adds nothing where it has nothing to say. */
#define X(id) void tt_find_##id(tt_finding_context *c);
#include "model/tables/findings/findings.def"
#undef X

/* Add a finding of the rule that is asked, about all of the steps; the row. Texts stay the caller's, who may then
 * set value, saving and evidence. */
uint32_t tt_finding_add(tt_finding_context *c, const char *severity, const char *title, const char *detail);
/* Length of the steps looked at. */
int64_t tt_finding_steps(const tt_finding_context *c);
/* Share of a part (tt_time_class, TT_PART_OTHER) in the steps, in percent, and its time. */
double tt_finding_share(const tt_finding_context *c, int part, int64_t *ns);
/* A table of what the finding's trace brought, in its scope; NULL when it brought none at all. Caller frees. */
tt_table *tt_finding_table(const tt_finding_context *c, const char *id);
/* A cell by its column; unknown (TT_UNKNOWN, NaN, NULL) where there is no such column. */
int64_t tt_finding_int(const tt_table *t, uint32_t row, const char *key);
double tt_finding_real(const tt_table *t, uint32_t row, const char *key);
const char *tt_finding_text(const tt_table *t, uint32_t row, const char *key);
/* The first trace in scope: it speaks for all of them where workers are compared. */
bool tt_finding_is_first(const tt_query *q);
/* The evidence is the longest slice of a class of time. */
void tt_finding_show_longest(const tt_finding_context *c, uint32_t row, tt_time_class of);

#endif
