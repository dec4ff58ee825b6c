/* model/tables/compare/conditions.h - did NEW become worse than BASE by more than a limit?
 *
 * A build can fail on a metric of diff_summary, a cause of diff_causes, the time of rows whose name contains a text,
 * or findings. Per step, a condition holds when the difference exceeds the limit and is more than noise; with fewer
 * than TT_CONDITION_STEPS steps on a side, and for totals, noise is unknown and the difference alone decides. */
#ifndef TT_MODEL_TABLES_COMPARE_CONDITIONS_H
#define TT_MODEL_TABLES_COMPARE_CONDITIONS_H

#include "model/tables/compare/change.h"
#include "model/tables/compare/matching.h"

enum { TT_CONDITION_STEPS = 4 };

typedef enum tt_condition_about {
    TT_CONDITION_METRIC,   /* name: a row of diff_summary, else of diff_causes; also communication, copy, memory */
    TT_CONDITION_KERNEL,   /* name: text contained, in any case, in names of rows of `kernels`, which are summed */
    TT_CONDITION_OPERATOR, /* name: text contained in names of rows of `operators`, whose host times are summed */
    TT_CONDITION_FINDINGS, /* number of rules with more findings in NEW than in BASE, of severity high or medium */
} tt_condition_about;

typedef struct tt_condition {
    const char *text; /* the condition as given */
    tt_condition_about about;
    const char *name; /* NULL for findings */
    bool percent;     /* the limit is `pct` of BASE, else `limit` of the type: DURATION, BYTES or COUNT */
    double pct;
    int64_t limit;
    tt_type limit_type;
    /* results of tt_condition_judge(): */
    tt_type type;             /* type of the values */
    int64_t base, now, delta; /* medians and the shift per step, else totals and their difference; TT_UNKNOWN */
    double delta_pct;         /* delta in percent of base; NaN where base is 0 or unknown */
    const char *verdict;      /* "slower", "more", ...; NULL = noise is unknown. Lives as long as the session */
    bool noise_known;         /* the verdict counts */
    bool held;
} tt_condition;

typedef enum tt_condition_answer {
    TT_CONDITION_JUDGED,
    TT_CONDITION_NO_METRIC, /* neither run has the metric */
    TT_CONDITION_WRONG_UNIT /* a limit in bytes for a time, or vice versa */
} tt_condition_answer;

/* Judge a condition: reads what c asks, sets what is found. m: matching of the new run and the comparison. Not held
 * where a side has no value. */
tt_condition_answer tt_condition_judge(tt_session *new_run, const tt_comparison *compare, const tt_matching *m,
                                       tt_condition *c);

#endif
