/* model/tables/hang/hang_cells.h - what the tables of hangs have in common. Private to model/tables/hang. */
#ifndef TT_MODEL_TABLES_HANG_HANG_CELLS_H
#define TT_MODEL_TABLES_HANG_HANG_CELLS_H

#include "model/hang/hang.h"
#include "model/tables/hang/columns.h"
#include "model/tables/table_util.h"

/* Note of an empty table: the session has no dumps. */
#define TT_HANG_NOTE "no dumps of a flight recorder; the page about hangs (assets/doc/hang.md) says how to record them"

/* A number that identifies. */
#define COL_ID(k, t, p, h)                                                                                             \
    {                                                                                                                  \
        .key = (k), .title = (t), .type = TT_T_COUNT, .prio = (p), .help = (h), .is_id = true                          \
    }

/* Set a time, ns since 1970. */
static inline void tt_hang_set_time(const tt_hang *h, tt_table *t, uint32_t row, uint32_t col, int64_t ns)
{
    if (ns != TT_UNKNOWN && h->first != TT_UNKNOWN) tt_set_i(t, row, col, ns - h->first);
}

/* Set a text of an entry's dump; an empty one is unknown. */
static inline void tt_hang_set_text(const tt_hang *h, tt_table *t, uint32_t row, uint32_t col, tt_hang_entry e,
                                    tt_sid s)
{
    if (s) tt_set_ref(t, row, col, tt_str(&h->session->traces[e.trace]->strings, s));
}

/* Set the name of a group and its description in two columns. */
static inline void tt_hang_set_group(const tt_hang *h, tt_table *t, uint32_t row, uint32_t col, uint32_t group)
{
    if (group == TT_NONE) return;
    tt_set_ref(t, row, col, h->groups[group].name);
    if (*h->groups[group].desc) tt_set_ref(t, row, col + 1, h->groups[group].desc);
}

/* Show the slice of an entry. */
void tt_hang_set_drilldown(const tt_hang *h, tt_table *t, uint32_t row, tt_hang_entry e);

#endif
