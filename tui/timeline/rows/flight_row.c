/* tui/timeline/rows/flight_row.c - how the calls of a flight recorder's dump look beside other slices: the part before
 * the device started them is hatched, an open one ends in '>', that of a culprit has the colour of errors. */
#include "model/hang/hang.h"
#include "tui/timeline/rows/slice_row.h"

/* The entry of a slice; NULL: the trace is no dump. */
static const tt_flight_entry *entry_of(const tt_lane *l, tt_row r, uint32_t *at)
{
    const tt_flight *f = l->s->summary || !tt_trace_is_dump(l->s) ? NULL : l->s->flight;
    uint64_t i = f ? tt_row_text(l->s, r) / TT_FLIGHT_TEXT_BYTES : 0;
    *at = (uint32_t)i;
    return f && i < f->n_entries ? &f->entries[i] : NULL;
}

bool tt_flight_is_culprit(const tt_lane *l, tt_row r)
{
    uint32_t at;
    const tt_flight_entry *e = entry_of(l, r, &at);
    const tt_hang *h = e ? tt_hang_get(l->f->t->session) : NULL;
    for (uint32_t i = 0; h && i < h->n_faults; i++) {
        const tt_hang_fault *f = &h->faults[i];
        bool own = f->kind == TT_HANG_DEVICE || f->kind == TT_HANG_MISMATCH || f->kind == TT_HANG_DEADLOCK;
        if (own && f->entry.trace == l->node->trace && f->entry.entry == at) return true;
    }
    return false;
}

uint32_t tt_flight_fill(const tt_lane *l, tt_row r, int col)
{
    uint32_t at;
    const tt_flight_entry *e = entry_of(l, r, &at);
    if (!e) return 0;
    int64_t from = l->f->edge[col] - l->offset, to = l->f->edge[col + 1] - l->offset;
    if (e->open && tt_row_end(l->s, r) <= to) return '>';
    bool waits = e->open && e->started == TT_UNKNOWN;
    return waits || (e->started != TT_UNKNOWN && from < e->started - l->s->origin_ns) ? '/' : 0;
}
