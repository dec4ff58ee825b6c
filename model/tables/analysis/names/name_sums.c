/* model/tables/analysis/names/name_sums.c - see name_sums.h. */
#include "model/tables/analysis/names/name_sums.h"

#include <stdlib.h>

#include "model/trace/analysis_cache.h"

static void *build(const tt_session *session, uint32_t trace)
{
    const tt_trace *s = session->traces[trace];
    tt_name_sums *sums = tt_calloc(1, sizeof *sums);
    sums->device = tt_calloc(s->strings.text.n + 1, sizeof *sums->device);
    sums->host = tt_calloc(s->strings.text.n + 1, sizeof *sums->host);
    for (tt_row r = 0; r < s->n; r++) {
        tt_kind kind = tt_row_kind(s, r);
        bool work = tt_kind_is_work(kind);
        if (tt_kind_is_device(kind) && !work) continue;
        tt_name_sum *x = &(work ? sums->device : sums->host)[s->name[r]];
        x->count++;
        x->ns += s->dur[r];
        sums->work_ns += work ? s->dur[r] : 0;
    }
    return sums;
}

static void release(void *value)
{
    tt_name_sums *sums = value;
    free(sums->device);
    free(sums->host);
    free(sums);
}

const tt_name_sums *tt_name_sums_get(const tt_session *s, uint32_t trace)
{
    static const tt_analysis_kind kind = {"name sums", build, release};
    return tt_analysis_get(s, trace, &kind);
}
