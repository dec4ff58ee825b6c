/* tui/screens/time_shares.h - where the time of what is in scope goes, as parts that add up to 100.0%: of a trace with
 * device work the time of the devices, what they compute, communicate and copy, and what they wait for; else that of
 * the steps. */
#ifndef TT_TUI_SCREENS_TIME_SHARES_H
#define TT_TUI_SCREENS_TIME_SHARES_H

#include "model/tables/table.h"
#include "tui/widgets/stacked_bar.h"

enum { TT_TIME_SHARES = 10 };

typedef struct tt_time_share {
    const char *title;
    tt_hue hue;
    bool idle; /* of the devices */
    int64_t ns;
    int permille; /* add up to 1000 */
} tt_time_share;

typedef struct tt_time_shares {
    tt_time_share at[TT_TIME_SHARES];
    int n;
    int64_t ns;        /* all of them together */
    int64_t mean_step; /* ns; TT_UNKNOWN */
    bool device;       /* of the time of devices, else of steps on the CPU */
} tt_time_shares;

/* Of tables step_breakdown, gpu_time and idle_causes of one scope; any may be NULL. O(rows). */
tt_time_shares tt_time_shares_of(const tt_table *steps, const tt_table *gpu_time, const tt_table *idle_causes);

#endif
