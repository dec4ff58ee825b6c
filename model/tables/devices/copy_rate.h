/* model/tables/devices/copy_rate.h - rates of copies and sets, by device and kind, over time.
 *
 * A copy moves its bytes evenly: bytes / duration. Concurrent copies of a kind add up. Copies without bytes or
 * duration have no rate. GB = 10^9 bytes. */
#ifndef TT_MODEL_TABLES_DEVICES_COPY_RATE_H
#define TT_MODEL_TABLES_DEVICES_COPY_RATE_H

#include "model/index/curve.h"
#include "model/tables/analysis/device/device_work.h"

typedef struct tt_copy_rate {
    uint32_t device;  /* index into tt_device_work.devices */
    const char *kind; /* "Memcpy HtoD": name of the copies without parentheses; owned by the session */
    tt_curve gb_per_s;
} tt_copy_rate;

typedef struct tt_copy_rates {
    TT_VEC(tt_copy_rate) at; /* by device, then by kind */
    tt_arena arena;
} tt_copy_rates;

/* Rates of the whole trace. Built once per trace and kept. O(n log n) in the copies, and a pass over the work. */
const tt_copy_rates *tt_copy_rates_get(const tt_session *s, uint32_t trace);

/* Rates of the copies accepted by `takes`. The caller frees. */
tt_copy_rates *tt_copy_rates_make(const tt_session *s, uint32_t trace, bool (*takes)(const void *arg, const tt_work *w),
                                  const void *arg);
void tt_copy_rates_free(tt_copy_rates *r);

/* The rate of one copy, bytes a second; TT_UNKNOWN. */
int64_t tt_copy_bytes_per_s(int64_t bytes, int64_t duration_ns);

#endif
