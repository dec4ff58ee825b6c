/* model/tables/analysis/visits.h - the order in which Paddle's summary meets what was recorded.
 *
 * Paddle lists things as it first meets them: thread by thread, a call before what it contains, the last of several
 * calls first. Users know their tables in that order. */
#ifndef TT_MODEL_TABLES_ANALYSIS_VISITS_H
#define TT_MODEL_TABLES_ANALYSIS_VISITS_H

#include "model/trace/session.h"

typedef struct tt_visits {
    tt_row *row; /* host slices that are no launches */
    uint32_t n;
} tt_visits;

/* Built once per store and kept. O(slices). */
const tt_visits *tt_visits_get(const tt_session *s, uint32_t trace);

#endif
