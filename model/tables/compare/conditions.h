/* model/tables/compare/conditions.h - did NEW become worse than BASE by more than a limit?
 *
 * What a build may fail on: a metric of diff_summary, a cause of diff_causes, the time of rows whose name contains a
 * text, or findings. Per step a condition holds when the difference exceeds the limit and is more than noise; with
 * fewer than TT_CONDITION_STEPS steps a side, and of totals, nobody can tell noise, and the difference alone decides.
 */
#ifndef TT_MODEL_TABLES_COMPARE_CONDITIONS_H
#define TT_MODEL_TABLES_COMPARE_CONDITIONS_H

#include "model/tables/compare/change.h"
#include "model/tables/compare/matching.h"

enum { TT_CONDITION_STEPS = 4 };

typedef enum tt_condition_about {
    TT_CONDITION_METRIC,   /* name: of a row of diff_summary, else of diff_causes; also communication, copy, memory */
    TT_CONDITION_KERNEL,   /* name: contained, in any case, in names of rows of `kernels`, which are added up */
    TT_CONDITION_OPERATOR, /* likewise of `operators`, by their time on the host */
    TT_CONDITION_FINDINGS, /* rules that find more in NEW than in BASE, of severity high or medium: how many more */
} tt_condition_about;

typedef struct tt_condition {
    const char *text; /* as it was given */
    tt_condition_about about;
    const char *name; /* NULL for findings */
    bool percent;     /* the limit is `pct` of BASE, else `limit` of this type: DURATION, BYTES or COUNT */
    double pct;
    int64_t limit;
    tt_type limit_type;
    /* what tt_condition_judge() finds: */
    tt_type type;             /* of the values */
    int64_t base, now, delta; /* medians and the shift per step, else totals and their difference; TT_UNKNOWN */
    double delta_pct;         /* of base; NaN where base is 0 or unknown */
    const char *verdict;      /* "slower", "more", ...; NULL = noise is not known. As long as the session */
    bool noise_known;         /* the verdict counts */
    bool held;
} tt_condition;

typedef enum tt_condition_answer {
    TT_CONDITION_JUDGED,
    TT_CONDITION_NO_METRIC, /* neither run has it */
    TT_CONDITION_WRONG_UNIT /* a limit in bytes on a time, or the other way round */
} tt_condition_answer;

/* c: what is asked is set, what is found is set here. m: of the new run and the comparison. Not
 * held where a side has no value. */
tt_condition_answer tt_condition_judge(tt_session *new_run, const tt_comparison *compare, const tt_matching *m,
                                       tt_condition *c);

#endif
