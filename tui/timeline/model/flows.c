/* tui/timeline/model/flows.c - see flows.h. */
#include "tui/timeline/model/flows.h"

#include "model/base/bisect.h"

static size_t link_from(const tt_trace *s, tt_row row)
{
    size_t a = 0, b = s->n_links;
    TT_BISECT(a, b, i, s->launch_row[i] < row);
    return a;
}

void tt_timeline_launches(const tt_trace *s, tt_row r, uint32_t *from, uint32_t *to)
{
    tt_row end = tt_track_lower_bound(s, tt_row_track(s, r), tt_row_end(s, r));
    *from = (uint32_t)link_from(s, r);
    *to = (uint32_t)link_from(s, end > r ? end : r + 1);
}

static tt_row flow_slice(const tt_trace *s, const tt_flow *f)
{
    uint32_t host = 0;
    for (unsigned k = 0; k < TT_KIND_COUNT_; k++) {
        host |= tt_kind_is_python((tt_kind)k) ? 0 : 1u << k;
    }
    return tt_track_slice_at(s, f->track, f->ts, host);
}

/* The first flow that begins or ends at the slice, NULL. Launches and their work have links instead. */
static const tt_flow *flow_of(const tt_trace *s, tt_row r)
{
    enum { LOOK = 64 };
    uint32_t track = tt_row_track(s, r);
    size_t a = 0, b = s->n_flows;
    if (tt_kind_is_launch(tt_row_kind(s, r)) || tt_row_dev(s, r)) {
        return NULL;
    }
    const tt_flow *at = s->flows;
    TT_BISECT(a, b, i, at[i].track < track || (at[i].track == track && at[i].ts < s->start[r]));
    for (size_t i = a; i < s->n_flows && i < a + LOOK; i++) {
        const tt_flow *f = &s->flows[i];
        if (f->track != track || f->ts > tt_row_end(s, r)) {
            break;
        }
        if (flow_slice(s, f) == r) {
            return f;
        }
    }
    return NULL;
}

bool tt_timeline_has_flow(const tt_trace *s, tt_row r) { return flow_of(s, r) != NULL; }

tt_row tt_timeline_flow_partner(const tt_trace *s, tt_row r)
{
    const tt_flow *own = flow_of(s, r);
    tt_row found = TT_NONE;
    for (uint32_t i = 0; own && i < s->n_flows && found == TT_NONE; i++) {
        const tt_flow *f = &s->flows[i];
        if (f != own && f->id == own->id && f->cat == own->cat && f->phase != own->phase) {
            found = flow_slice(s, f);
        }
    }
    return found;
}
