/* model/tables/path/path_unknown.h - where nobody knows what a device waited for, so that the critical path does not
 * call it a queue: what idle_causes calls unknown in the account. */
#ifndef TT_MODEL_TABLES_PATH_PATH_UNKNOWN_H
#define TT_MODEL_TABLES_PATH_PATH_UNKNOWN_H

#include "model/tables/path/path_inputs.h"
#include "model/tables/steps/account.h"

typedef struct tt_path_unknown { /* of a trace; its sets are made when first asked for */
    const tt_session *session;
    uint32_t trace;
    const tt_path_inputs *in;
    const tt_account *account; /* borrowed */
    int64_t *until;            /* by device: nothing is unknown from there on */
    int64_t until_all;         /* the latest of them */
    tt_ivs *of;                /* by device */
    bool *made;
} tt_path_unknown;

tt_path_unknown tt_path_unknown_begin(const tt_session *s, uint32_t trace, const tt_account *account);
void tt_path_unknown_free(tt_path_unknown *x);
/* When the idle time of a device is unknown; NULL: never from t on. The first that is not NULL takes a pass over the
 * gaps of the device. */
const tt_ivs *tt_path_unknown_from(tt_path_unknown *x, uint32_t device, int64_t t);

#endif
