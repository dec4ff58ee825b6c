/* model/tables/path/path_unknown.h - times in which nothing tells for what a device waited (unknown in table
 * idle_causes), so that the critical path does not call them a queue. */
#ifndef TT_MODEL_TABLES_PATH_PATH_UNKNOWN_H
#define TT_MODEL_TABLES_PATH_PATH_UNKNOWN_H

#include "model/tables/path/path_inputs.h"
#include "model/tables/steps/account.h"

typedef struct tt_path_unknown { /* for one trace; the sets are made when first asked for */
    const tt_session *session;
    uint32_t trace;
    const tt_path_inputs *in;
    const tt_account *account; /* borrowed */
    int64_t *until;            /* per device the time from which on nothing is unknown */
    int64_t until_all;         /* the latest of those times */
    tt_ivs *of;                /* unknown times of each device */
    bool *made;
} tt_path_unknown;

tt_path_unknown tt_path_unknown_begin(const tt_session *s, uint32_t trace, const tt_account *account);
void tt_path_unknown_free(tt_path_unknown *x);
/* Unknown idle time of a device; NULL: there is none from t on. The first answer other than NULL takes a pass over
 * the gaps of the device. */
const tt_ivs *tt_path_unknown_from(tt_path_unknown *x, uint32_t device, int64_t t);

#endif
