/* model/trace/steps.c - the step that an instant of a trace belongs to. */
#include "model/base/bisect.h"
#include "model/trace/trace.h"

uint32_t tt_step_at(const tt_trace *s, int64_t t)
{
    uint32_t hint = TT_NONE;
    return tt_step_near(s, t, &hint);
}

uint32_t tt_step_near(const tt_trace *s, int64_t t, uint32_t *hint)
{
    uint32_t lo = 0, hi = s->n_step_spans; /* first stretch that ends after t */
    if (*hint < hi && s->step_spans[*hint].t0 <= t && t < s->step_spans[*hint].t1) return s->step_spans[*hint].step;
    TT_BISECT(lo, hi, i, s->step_spans[i].t1 <= t);
    *hint = lo;
    return lo < s->n_step_spans && s->step_spans[lo].t0 <= t ? s->step_spans[lo].step : TT_NONE;
}
