/* model/tables/findings/findings.h - what the rules of table findings share: for this folder only.
 *
 * A rule looks at one trace and its steps, and adds a row for what it finds, with the value that says so and the
 * evidence. It also says which time of the critical path the finding speaks of, so that no millisecond counts twice
 * (ranking.h). */
#ifndef TT_MODEL_TABLES_FINDINGS_FINDINGS_H
#define TT_MODEL_TABLES_FINDINGS_FINDINGS_H

#include "model/tables/analysis/time_class.h"
#include "model/tables/devices/gpu_usage.h"
#include "model/tables/findings/ranking.h"
#include "model/tables/steps/step_breakdown.h"
#include "model/tables/table_util.h"

enum {
    TT_FINDING_ID,
    TT_FINDING_SEVERITY,
    TT_FINDING_TITLE,
    TT_FINDING_DETAIL,
    TT_FINDING_CAUSE,
    TT_FINDING_VALUE,
    TT_FINDING_SAVING,
    TT_FINDING_START,
    TT_FINDING_END
};

/* Categories of the critical path, as bits: what the host does itself, what a device idles for, all of them. */
enum {
    TT_FINDING_ON_HOST = 1u << TT_WAIT_RUNTIME | 1u << TT_WAIT_OPERATOR | 1u << TT_WAIT_BETWEEN,
    TT_FINDING_ON_IDLE = (1u << TT_WAIT_COUNT_) - 1,
    TT_FINDING_ON_ALL = (1u << TT_PATH_COUNT_) - 1,
};

typedef struct tt_finding_context {
    const char *id;         /* of the rule that is asked */
    tt_finding_claim usual; /* of its findings */
    const tt_query *q;
    const tt_trace *s;
    tt_table *t;
    uint32_t first;           /* row of the first finding of this trace */
    tt_finding_claims claims; /* of each finding of this trace */
    tt_breakdown steps;
    tt_gpu_list gpus;
    int64_t t0, t1; /* the steps looked at */
    const tt_device_work *work;
    tt_path *path;                   /* in scope */
    int64_t on_path[TT_PATH_COUNT_]; /* its length by category */
    tt_table *gpu_time;              /* a row a device; NULL where no device worked */
} tt_finding_context;

/* Each rule: adds nothing where it has nothing to say. */
#define X(id, kind, of) void tt_find_##id(tt_finding_context *c);
#include "model/tables/findings/findings.def"
#undef X

/* Add a finding of the rule that is asked, about all of the steps; the row. Texts stay the caller's, who may then
 * set value, saving and evidence. */
uint32_t tt_finding_add(tt_finding_context *c, const char *severity, const char *title, const char *detail);
/* What time this finding speaks of, where it is not what findings.def says of its rule. Valid until the next is
 * added. */
tt_finding_claim *tt_finding_claim_of(tt_finding_context *c, uint32_t row);
/* The row of a finding of this trace, TT_NONE. */
uint32_t tt_finding_found(const tt_finding_context *c, const char *id);
/* Length of the steps looked at. */
int64_t tt_finding_steps(const tt_finding_context *c);
/* Share of a part (tt_time_class, TT_PART_OTHER) in the steps, in percent, and its time. */
double tt_finding_share(const tt_finding_context *c, int part, int64_t *ns);
/* Length of the path in categories (bits), and in the part [t0, t1) of it by category (added to of[]). */
int64_t tt_finding_on_path(const tt_finding_context *c, uint32_t of);
void tt_finding_path_in(const tt_finding_context *c, int64_t t0, int64_t t1, int64_t of[TT_PATH_COUNT_]);
/* What the step takes more than the others do, in the category of the path that grows most: a bit, TT_FINDING_ON_ALL
 * where nothing tells. */
uint32_t tt_finding_excess_of(const tt_finding_context *c, size_t step);
/* The longest part of the path in categories without others between; row: of its longest segment, which may be
 * TT_NONE. Empty when there is none. */
tt_path_segment tt_finding_stretch(const tt_finding_context *c, uint32_t of);
/* A table of the finding's trace in its scope. Caller frees. */
tt_table *tt_finding_own_table(const tt_finding_context *c, const char *id);
/* The same where the trace brought tables; NULL when it brought none at all. */
tt_table *tt_finding_table(const tt_finding_context *c, const char *id);
/* A cell by its column; unknown (TT_UNKNOWN, NaN, NULL) where there is no such column. */
int64_t tt_finding_int(const tt_table *t, uint32_t row, const char *key);
double tt_finding_real(const tt_table *t, uint32_t row, const char *key);
const char *tt_finding_text(const tt_table *t, uint32_t row, const char *key);
/* The row with the largest percentage in a column; TT_NONE without rows. */
uint32_t tt_finding_largest(const tt_table *t, const char *key);
/* Of the device of each row of gpu_time: the row of idle_causes with the most time; TT_NONE. For free(). */
uint32_t *tt_finding_largest_causes(const tt_table *causes, const tt_table *time);
/* The tt_wait that idle_causes calls so. */
int tt_finding_wait(const char *name);
/* The first trace in scope: it speaks for all of them where workers are compared. */
bool tt_finding_is_first(const tt_query *q);
/* The evidence is the longest slice of a class of time. */
void tt_finding_show_longest(const tt_finding_context *c, uint32_t row, tt_time_class of);

#endif
