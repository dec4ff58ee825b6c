/* model/tables/steps/step_breakdown.h - the time of each step, divided among the roles. */
#ifndef TT_MODEL_TABLES_STEPS_STEP_BREAKDOWN_H
#define TT_MODEL_TABLES_STEPS_STEP_BREAKDOWN_H

#include "model/tables/analysis/names/time_class.h"
#include "model/tables/table_util.h"

enum { TT_PART_OTHER = TT_TIME_COUNT_, TT_PART_COUNT_ };

typedef struct tt_step_parts {
    const tt_step *step;
    int64_t total;
    int64_t part[TT_PART_COUNT_]; /* time of each tt_time_class, then the rest; they add up to total */
} tt_step_parts;
typedef TT_VEC(tt_step_parts) tt_breakdown;
extern const char *const tt_part_key[TT_PART_COUNT_]; /* "kernel" ... "other": as in the keys of step_breakdown */
/* Whether the trace can know a part; an unknowable part is unknown, not 0. */
bool tt_part_known(const tt_time_classes *roles, int part);
/* Divide n stretches of time of a trace (trace time, in any order, overlaps allowed) among the roles: total and
 * part[] of out. One pass for all of them. */
void tt_breakdown_of(const tt_session *s, uint32_t trace, const tt_iv *at, size_t n, tt_step_parts *out);

/* Whether a step is shown: it is complete, asked for, and starts in the time window. */
bool tt_step_shown(const tt_query *q, const tt_step *step);
/* The steps shown, in order. The caller frees them with tt_vec_free(). */
tt_breakdown tt_breakdown_make(const tt_query *q);

#endif
