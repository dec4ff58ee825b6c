/* model/tables/idle/host_causes.c - the slices of a track by cause; each cause loses the time that an earlier cause
 * covers. */
#include "model/tables/idle/host_causes.h"

#include <stdlib.h>

tt_host_causes tt_host_causes_make(const tt_trace *s, const tt_name_classes *names, uint32_t track)
{
    tt_host_causes c = {0};
    tt_wait_memo memo = {0};
    const tt_track *t = &s->tracks[track];
    for (tt_row r = t->first; r < t->first + t->n; r++) { /* rows ascend by start: a set is made in one pass */
        if (s->dur[r] <= 0) continue;
        tt_wait_cause cause = tt_wait_cause_memo(&memo, s, names, r);
        if (cause < TT_WAIT_BETWEEN) tt_ivs_extend(&c.of[cause], s->start[r], tt_row_end(s, r));
    }
    tt_ivs taken = {0};
    for (int k = 0; k < TT_WAIT_BETWEEN; k++) {
        tt_ivs left = tt_ivs_subtract(&c.of[k], &taken), all = tt_ivs_union(&taken, &c.of[k]);
        tt_vec_free(&c.of[k]);
        tt_vec_free(&taken);
        c.of[k] = left;
        taken = all;
    }
    tt_vec_free(&taken);
    return c;
}

void tt_host_causes_free(tt_host_causes *c)
{
    for (int k = 0; k < TT_WAIT_BETWEEN; k++) tt_vec_free(&c->of[k]);
}

void tt_host_causes_in(const tt_host_causes *c, int64_t t0, int64_t t1, int64_t part[TT_WAIT_COUNT_])
{
    if (t1 <= t0) return;
    int64_t left = t1 - t0;
    for (int k = 0; k < TT_WAIT_BETWEEN; k++) {
        int64_t ns = tt_ivs_length_in(&c->of[k], t0, t1);
        part[k] += ns;
        left -= ns;
    }
    part[TT_WAIT_BETWEEN] += left;
}
