/* model/tables/analysis/device/device_time.c - children have higher rows than their parents, so one pass from the
 * end sums all subtrees. */
#include "model/tables/analysis/device/device_time.h"

#include <stdlib.h>

#include "model/trace/analysis_cache.h"

static void *build(const tt_session *session, uint32_t trace)
{
    const tt_trace *s = session->traces[trace];
    tt_device_time *l = tt_calloc(1, sizeof *l);
    l->n = s->n;
    l->ns = tt_pages_alloc((size_t)s->n * sizeof *l->ns);
    for (uint32_t i = 0; i < s->n_dev; i++) {
        const tt_activity *d = &s->dev[i];
        if (!tt_kind_is_work(tt_row_kind(s, d->row))) continue;
        l->has_device = true;
        tt_row by = d->op != TT_NONE ? d->op : d->launch;
        if (by != TT_NONE) l->ns[by] += s->dur[d->row];
    }
    for (tt_row r = s->n; l->has_device && r-- > 0;)
        if (l->ns[r] && s->parent[r] != TT_NONE) l->ns[s->parent[r]] += l->ns[r];
    return l;
}

static void release(void *value)
{
    tt_device_time *l = value;
    tt_pages_free(l->ns, (size_t)l->n * sizeof *l->ns);
    free(l);
}

const tt_device_time *tt_device_time_get(const tt_session *s, uint32_t trace)
{
    static const tt_analysis_kind kind = {"launched", build, release};
    return tt_analysis_get(s, trace, &kind);
}
