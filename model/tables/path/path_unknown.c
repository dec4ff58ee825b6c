/* model/tables/path/path_unknown.c - see path_unknown.h. Most traces know all launches; then only gaps at the
 * beginning of the recording can be unknown, and a question about later work costs nothing. */
#include "model/tables/path/path_unknown.h"

#include <stdlib.h>

#include "model/tables/idle/idle_scope.h"

/* End of the last gap of the device that may be an edge, where time in the queue is unknown (tt_idle_edge). */
static int64_t end_of_edges(const tt_work_device *d)
{
    int64_t end = d->start, busy = 0;
    for (size_t i = 0; i + 1 < d->busy.n; i++) {
        int64_t t0 = d->busy.at[i].t1, t1 = d->busy.at[i + 1].t0;
        if ((busy += t0 - d->busy.at[i].t0) >= TT_EARLY_NS) break;
        if (t1 - t0 > TT_UNSEEN_NS) end = t1;
    }
    return end;
}

static void find_until_all(tt_path_unknown *x)
{
    x->until_all = INT64_MIN;
    for (uint32_t i = 0; i < x->in->work->n_devices; i++)
        if (x->until[i] > x->until_all) x->until_all = x->until[i];
}

tt_path_unknown tt_path_unknown_begin(const tt_session *s, uint32_t trace, const tt_account *account)
{
    const tt_path_inputs *in = tt_path_inputs_get(s, trace);
    uint32_t n = in->work->n_devices;
    tt_path_unknown x = {.session = s, .trace = trace, .in = in, .account = account};
    x.until = tt_malloc((n + (size_t)1) * sizeof *x.until);
    x.of = tt_calloc(n + (size_t)1, sizeof *x.of);
    x.made = tt_calloc(n + (size_t)1, sizeof *x.made);
    for (uint32_t i = 0; i < n; i++) x.until[i] = in->all_launched[i] ? end_of_edges(&in->work->devices[i]) : INT64_MAX;
    find_until_all(&x);
    return x;
}

void tt_path_unknown_free(tt_path_unknown *x)
{
    for (uint32_t i = 0; i < x->in->work->n_devices; i++) tt_vec_free(&x->of[i]);
    free(x->until);
    free(x->of);
    free(x->made);
}

static void add_gap(void *arg, const tt_idle_gap *g)
{
    tt_path_unknown *x = arg;
    if (g->part[TT_WAIT_UNKNOWN] > 0)
        tt_idle_stretches(x->session, x->trace, g, x->account->time.at[0].t0, 1u << TT_WAIT_UNKNOWN, &x->of[g->device]);
}

const tt_ivs *tt_path_unknown_from(tt_path_unknown *x, uint32_t device, int64_t t)
{
    if (t >= x->until[device]) return NULL;
    if (!x->made[device]) {
        x->made[device] = true;
        tt_idle_visit_device(x->session, x->trace, x->account, device, add_gap, x);
        tt_ivs_normalise(&x->of[device]);
        x->until[device] = x->of[device].n ? x->of[device].at[x->of[device].n - 1].t1 : INT64_MIN;
        find_until_all(x);
    }
    return t < x->until[device] ? &x->of[device] : NULL;
}
