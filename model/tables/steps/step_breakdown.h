/* model/tables/steps/step_breakdown.h - the time of each step, divided among the roles. */
#ifndef TT_MODEL_TABLES_STEPS_STEP_BREAKDOWN_H
#define TT_MODEL_TABLES_STEPS_STEP_BREAKDOWN_H

#include "model/tables/analysis/time_class.h"
#include "model/tables/table_util.h"

enum { TT_PART_OTHER = TT_TIME_COUNT_, TT_PART_COUNT_ };

typedef struct tt_step_parts {
    const tt_step *step;
    int64_t total;
    int64_t part[TT_PART_COUNT_]; /* by tt_time_class, then the rest; they add up to total */
} tt_step_parts;
typedef TT_VEC(tt_step_parts) tt_breakdown;

/* A step is shown when it is complete, asked for, and starts in the time window. */
bool tt_step_shown(const tt_query *q, const tt_step *step);
/* The steps shown, in order. Caller frees with tt_vec_free(). */
tt_breakdown tt_breakdown_make(const tt_query *q);

#endif
