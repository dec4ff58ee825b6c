/* model/tables/hang/hang_cells.c - see hang_cells.h. */
#include "model/tables/hang/hang_cells.h"

void tt_hang_set_drilldown(const tt_hang *h, tt_table *t, uint32_t row, tt_hang_entry e)
{
    const tt_flight_entry *x = tt_hang_entry_of(h, e);
    if (!x || x->created == TT_UNKNOWN) return;
    const tt_trace *s = h->session->traces[e.trace];
    if (s->summary) return; /* it has no slices of its calls */
    for (tt_row r = 0; r < s->n; r++) {
        if (tt_row_text(s, r) != TT_FLIGHT_TEXT(e.entry)) continue;
        *tt_set_drilldown(t, row) = (tt_drilldown){.what = TT_DRILL_ROW, .trace = e.trace, .row = r};
        return;
    }
}
