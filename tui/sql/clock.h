/* tui/sql/clock.h - ending a query when its time is over or a person stops it. Private to tui/sql.
 *
 * SQLite looks at the clock every few instructions. Functions, tables and sorts of this folder that may run long within
 * one instruction look at it themselves, and give up with SQLITE_INTERRUPT. */
#ifndef TT_TUI_SQL_CLOCK_H
#define TT_TUI_SQL_CLOCK_H

#include <stdatomic.h>
#include <stdbool.h>

#include "model/base/clock.h"

typedef struct tt_sql_clock { /* zeroed: the query never ends early */
    const _Atomic bool *stop; /* set by another thread to stop the query; NULL */
    int64_t ends_at;          /* tt_clock_ns(); 0 = never */
    uint32_t steps;           /* short steps so far */
    enum { TT_SQL_GOES_ON, TT_SQL_OUT_OF_TIME, TT_SQL_STOPPED } why;
} tt_sql_clock;

enum { TT_SQL_LOOK_EVERY = 1 << 16 }; /* short steps between two looks */

/* Whether the query has to end; once true, it stays true. */
static inline bool tt_sql_ends(tt_sql_clock *c)
{
    if (c->why != TT_SQL_GOES_ON) return true;
    if (c->stop && atomic_load_explicit(c->stop, memory_order_relaxed))
        c->why = TT_SQL_STOPPED;
    else if (c->ends_at && tt_clock_ns() > c->ends_at)
        c->why = TT_SQL_OUT_OF_TIME;
    return c->why != TT_SQL_GOES_ON;
}

/* Count a short step; whether the query has to end. */
static inline bool tt_sql_step_ends(tt_sql_clock *c) { return ++c->steps % TT_SQL_LOOK_EVERY == 0 && tt_sql_ends(c); }

#endif
