/* model/tables/verdict/parts.h - the parts of an account: work and waits of devices, or activity of a host without
 * devices. Bar, strips, legends and findings use these words. */
#ifndef TT_MODEL_TABLES_VERDICT_PARTS_H
#define TT_MODEL_TABLES_VERDICT_PARTS_H

#include "model/tables/analysis/device/device_work.h"
#include "model/tables/analysis/device/wait_cause.h"

typedef enum tt_account_part {
#define X(symbol, name) TT_ACCOUNT_##symbol,
#include "model/tables/verdict/parts.def"
#undef X
    TT_ACCOUNT_PARTS,
    TT_ACCOUNT_FIRST_IDLE = TT_ACCOUNT_IDLE_INPUT,
    TT_ACCOUNT_FIRST_HOST = TT_ACCOUNT_HOST_RUNTIME,
} tt_account_part;
extern const char *const tt_account_part_name[TT_ACCOUNT_PARTS];

/* The part with this name, TT_ACCOUNT_PARTS when there is none. */
tt_account_part tt_account_part_of(const char *name);
/* The part of a wait cause: the CPU's three causes form one part. */
tt_account_part tt_account_part_of_wait(tt_wait_cause cause);

/* Shares of n values in permille, which add up to 1000 by largest remainder: shares are rounded down, then the
 * largest remainders get one more, on ties the first. All 0 if the sum is 0. */
void tt_account_permille(const int64_t *ns, int n, int *permille);

#endif
