/* model/tables/operators/roofline_replays.h - captured calls of operators with a formula, and the work that replays of
 * the graph did in their place. */
#ifndef TT_MODEL_TABLES_OPERATORS_ROOFLINE_REPLAYS_H
#define TT_MODEL_TABLES_OPERATORS_ROOFLINE_REPLAYS_H

#include "model/tables/operators/roofline_work.h"
#include "model/tables/table.h"

typedef struct tt_roofline_replay {
    const char *name, *shapes; /* live as long as the session */
    tt_roofline_work work;     /* all replays of one captured call */
} tt_roofline_replay;
typedef TT_VEC(tt_roofline_replay) tt_roofline_replays;

/* The captured calls whose replays are in scope; free with tt_vec_free(). A replay's time of a call is the union of
 * the work under it. */
tt_roofline_replays tt_roofline_replays_make(const tt_query *q);

#endif
