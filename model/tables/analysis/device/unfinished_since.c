/* model/tables/analysis/device/unfinished_since.c - see unfinished_since.h. */
#include "model/tables/analysis/device/unfinished_since.h"

int64_t tt_unfinished_since(const tt_trace *s, const tt_activity *d)
{
    int64_t since = s->start[d->row];
    for (uint32_t i = 0; i < s->n_dev; i++) {
        const tt_activity *e = &s->dev[i];
        if (e->stream != d->stream || e->device != d->device || !tt_kind_is_work(tt_row_kind(s, e->row))) continue;
        if (tt_row_end(s, e->row) > since) since = tt_row_end(s, e->row);
    }
    return since;
}
