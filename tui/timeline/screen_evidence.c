/* tui/timeline/screen_evidence.c - the evidence of a finding on the Timeline screen: its rows alone, until a person
 * goes back. */
#include <stdlib.h>

#include "tui/timeline/evidence.h"
#include "tui/timeline/screen.h"

/* What is shown from now on; a filter would hide some of it. */
static void begin(tt_screen *s, const tt_drilldown *o)
{
    tt_timeline_screen *x = tt_timeline_screen_of(s);
    if (!x->evidence.what && x->filter) {
        free(x->filter_before);
        x->filter_before = tt_strdup(x->filter);
        tt_timeline_screen_filter_drop(s);
    }
    x->evidence = (tt_drilldown){.what = o->what, .trace = o->trace, .row = o->row, .t0 = o->t0, .t1 = o->t1};
    x->page = false;
}

bool tt_timeline_screen_evidence(tt_screen *s, const tt_drilldown *o)
{
    tt_timeline_screen *x = tt_timeline_screen_of(s);
    tt_drilldown at = *o;
    if (o->what == TT_ORIGIN_SLICES) { /* the first of them, with the others of its name as matches */
        tt_slice_ref r;
        if (tt_drilldown_slices(x->t->session, tt_app_scope(s->app), o, &r, 1) == 0) return false;
        at = (tt_drilldown){.what = TT_ORIGIN_ROW, .trace = r.trace, .row = r.row};
    }
    if (at.what == TT_ORIGIN_NONE) return false;
    begin(s, &at);
    if (!tt_evidence_begin(x->t, &at)) {
        tt_timeline_screen_evidence_end(s);
        return false;
    }
    tt_app_set_status(s->app, "evidence: rows of the cause only   n N next   X all rows   u back");
    return true;
}

bool tt_timeline_screen_gaps(tt_screen *s, const tt_hit_ranges *r)
{
    tt_timeline_screen *x = tt_timeline_screen_of(s);
    if (r->show >= r->n) return false;
    const tt_hit_range *at = &r->at[r->show];
    tt_drilldown o = {.what = TT_ORIGIN_RANGE, .trace = at->trace, .t0 = at->t0, .t1 = at->t1};
    begin(s, &o);
    if (tt_evidence_gaps(x->t, r->at, r->n, r->show)) return true;
    tt_timeline_screen_evidence_end(s);
    return false;
}

void tt_timeline_screen_evidence_end(tt_screen *s)
{
    tt_timeline_screen *x = tt_timeline_screen_of(s);
    if (!x->evidence.what) return;
    x->evidence.what = TT_ORIGIN_NONE;
    tt_evidence_end(x->t);
    if (!x->filter_before) return;
    tt_timeline_screen_filter_set(s, x->filter_before);
    free(x->filter_before);
    x->filter_before = NULL;
}

bool tt_timeline_screen_evidence_act(tt_screen *s, tt_action a)
{
    tt_timeline_screen *x = tt_timeline_screen_of(s);
    if (!x->evidence.what) return false;
    switch (a) {
    case TT_ACT_SHOW_HIDDEN:
        tt_evidence_all_rows(x->t);
        tt_app_set_status(s->app, "all rows   u back");
        return true;
    case TT_ACT_CANCEL:
        tt_timeline_screen_evidence_end(s);
        tt_app_set_status(s->app, "as it was before the evidence");
        return true;
    case TT_ACT_BACK_OR_QUIT: /* never the program */
        if (!tt_app_jump_back(s->app)) tt_timeline_screen_evidence_end(s);
        return true;
    default: return false;
    }
}
