/* model/tables/analysis/time_class.h - what the time axis is covered with: one interval set per role, as TensorBoard's plugin has them. */
#ifndef TT_MODEL_TABLES_ANALYSIS_TIME_CLASS_H
#define TT_MODEL_TABLES_ANALYSIS_TIME_CLASS_H

#include "model/base/interval_set.h"
#include "model/trace/session.h"

typedef enum tt_role {                 /* in order of priority: an instant counts for the first role that covers it */
                       TT_ROLE_KERNEL, /* kernels that are no collectives */
                       TT_ROLE_MEMCPY,
                       TT_ROLE_MEMSET,
                       TT_ROLE_COMMUNICATION, /* collective kernels and the ranges their libraries mark on the host */
                       TT_ROLE_RUNTIME,       /* runtime and driver calls */
                       TT_ROLE_DATALOADER,
                       TT_ROLE_CPU, /* operators and annotations; no steps, no Python frames */
                       TT_ROLE_COUNT_,
} tt_role;

typedef struct tt_roles {
    tt_ivs of[TT_ROLE_COUNT_]; /* sets, whole store */
    bool has_device;           /* launches or device work were recorded */
    bool has_work;             /* device work was recorded */
    bool has_communication;
} tt_roles;

/* Built once per store and kept. */
const tt_roles *tt_roles_get(const tt_session *s, uint32_t store);

/* Role of a slice, TT_ROLE_COUNT_ when it has none. */
struct tt_names;
tt_role tt_role_of(const tt_store *s, const struct tt_names *names, tt_row r);

#endif
