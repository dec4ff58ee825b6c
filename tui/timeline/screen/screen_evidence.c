/* tui/timeline/screen/screen_evidence.c - the evidence of a finding on the Timeline screen: its rows alone, until a
 * person goes back. A job computes its pieces and why the devices wait. */
#include <stdlib.h>

#include "tui/timeline/navigate/evidence.h"
#include "tui/timeline/navigate/pieces.h"
#include "tui/timeline/rows/derived.h"
#include "tui/timeline/screen/screen.h"

/* Remember what is shown from now on, without a filter, which would hide some of it. */
static void begin_evidence(tt_screen *s, const tt_drilldown *o)
{
    tt_timeline_screen *x = tt_timeline_screen_of(s);
    if (!x->alone.evidence.what && x->filter) {
        free(x->alone.filter);
        x->alone.filter = tt_strdup(x->filter);
        tt_timeline_screen_filter_drop(s);
    }
    if (!x->alone.evidence.what) x->alone.pane_lines = x->pane_lines;
    x->alone.evidence = (tt_drilldown){
        .what = o->what, .finding = o->finding, .trace = o->trace, .row = o->row, .t0 = o->t0, .t1 = o->t1};
    x->alone.serial++;
    x->page.shown = false;
}

/* ---- the job ---- */

typedef struct evidence_job {
    tt_screen *screen;
    const tt_session *session;
    tt_scope scope;
    tt_drilldown of;
    unsigned serial;
    tt_screen_place *place; /* where a person stood before; owned, NULL = show the evidence itself */
    tt_pieces *pieces;
    bool ran;
} evidence_job;

static void evidence_run(void *arg)
{
    evidence_job *j = arg;
    j->ran = true;
    tt_derived_build(j->session, (tt_derived_want){j->of.trace, TT_DERIVED_IDLE});
    j->pieces = tt_pieces_make(j->session, &j->scope, &j->of);
}

static void say_piece(tt_screen *s, bool wrapped)
{
    size_t at;
    const tt_pieces *p = tt_evidence_all_pieces(tt_timeline_screen_of(s)->t, &at);
    char place[TT_TEXT_CAP], n[TT_TEXT_CAP], ns[TT_TEXT_CAP];
    if (!p) {
        tt_host_set_status(s->host, "evidence: rows of the cause only   n N next   X all rows   u back");
        return;
    }
    tt_host_set_status(s->host, "evidence: piece %s of %s%s, %s   [ ] next   X all rows   u back",
                       tt_format_count(place, (int64_t)at + 1), tt_format_count(n, (int64_t)p->at.n),
                       wrapped ? ", round again" : "",
                       tt_format_duration(ns, p->at.at[at].ns, tt_timeline_screen_unit(s)));
}

static void evidence_done(void *arg, tt_host *a)
{
    evidence_job *j = arg;
    tt_timeline_screen *x = tt_timeline_screen_of(j->screen);
    if (j->ran && j->serial == x->alone.serial) {
        tt_derived_done(x->t, (tt_derived_want){j->of.trace, TT_DERIVED_IDLE});
        tt_evidence_begin(x->t, &j->of, j->pieces);
        if (j->place) {
            tt_timeline_screen_stand(j->screen, j->place);
            tt_evidence_piece_here(x->t);
        }
        say_piece(j->screen, false);
        tt_host_dirty(a);
    } else {
        tt_pieces_free(j->pieces);
    }
    free(j->place);
    free(j);
}

/* place: where a person stood before; NULL = show the evidence itself. */
static bool show_evidence(tt_screen *s, const tt_drilldown *o, const tt_screen_place *place)
{
    tt_timeline_screen *x = tt_timeline_screen_of(s);
    tt_drilldown at = *o;
    if (o->what == TT_DRILL_SLICES) { /* the first slice, with the others of its name as matches */
        tt_slice_ref r;
        if (tt_drilldown_slices(x->t->session, tt_host_scope(s->host), o, &r, 1) == 0) return false;
        at = (tt_drilldown){.what = TT_DRILL_ROW, .trace = r.trace, .row = r.row};
    }
    if (at.what == TT_DRILL_NONE) return false;
    begin_evidence(s, &at);
    if (!tt_evidence_expect(x->t, &at)) {
        tt_timeline_screen_evidence_end(s);
        return false;
    }
    evidence_job *j = tt_calloc(1, sizeof *j);
    *j = (evidence_job){.screen = s,
                        .session = x->t->session,
                        .scope = *tt_host_scope(s->host),
                        .of = x->alone.evidence,
                        .serial = x->alone.serial};
    if (place) {
        j->place = tt_malloc(sizeof *j->place);
        *j->place = *place;
    }
    tt_host_set_status(s->host, "working out the evidence ...");
    tt_host_job(s->host, evidence_run, evidence_done, j);
    tt_timeline_screen_path_lend(s, true);
    return true;
}

bool tt_timeline_screen_evidence(tt_screen *s, const tt_drilldown *o) { return show_evidence(s, o, NULL); }

bool tt_timeline_screen_evidence_again(tt_screen *s, const tt_drilldown *o, const tt_screen_place *place)
{
    return show_evidence(s, o, place);
}

/* ---- keys ---- */

bool tt_timeline_screen_gaps(tt_screen *s, const tt_hit_ranges *r)
{
    tt_timeline_screen *x = tt_timeline_screen_of(s);
    if (r->show >= r->n) return false;
    const tt_hit_range *at = &r->at[r->show];
    tt_drilldown o = {.what = TT_DRILL_RANGE, .trace = at->trace, .t0 = at->t0, .t1 = at->t1};
    begin_evidence(s, &o);
    if (tt_evidence_gaps(x->t, r->at, r->n, r->show)) return true;
    tt_timeline_screen_evidence_end(s);
    return false;
}

void tt_timeline_screen_evidence_end(tt_screen *s)
{
    tt_timeline_screen *x = tt_timeline_screen_of(s);
    if (!x->alone.evidence.what) return;
    x->alone.evidence.what = TT_DRILL_NONE;
    x->pane_lines = x->alone.pane_lines;
    x->alone.serial++;
    tt_timeline_screen_path_lend(s, false);
    tt_evidence_end(x->t);
    if (!x->alone.filter) return;
    tt_timeline_screen_filter_set(s, x->alone.filter);
    free(x->alone.filter);
    x->alone.filter = NULL;
}

/* To the next piece (dir > 0) or the one before; false = there are no pieces. */
static bool step_piece(tt_screen *s, int dir)
{
    bool wrapped;
    if (!tt_evidence_next_piece(tt_timeline_screen_of(s)->t, dir, &wrapped)) return false;
    say_piece(s, wrapped);
    return true;
}

bool tt_timeline_screen_evidence_act(tt_screen *s, tt_action a)
{
    tt_timeline_screen *x = tt_timeline_screen_of(s);
    if (!x->alone.evidence.what) return false;
    switch (a) {
    case TT_ACT_LINK_FORWARD: return step_piece(s, 1);
    case TT_ACT_LINK_BACK: return step_piece(s, -1);
    case TT_ACT_FIND_NEXT:
        return !x->t->search.pattern && step_piece(s, 1); /* unless a person searched for something */
    case TT_ACT_FIND_PREV: return !x->t->search.pattern && step_piece(s, -1);
    case TT_ACT_SHOW_HIDDEN:
        tt_evidence_all_rows(x->t);
        tt_host_set_status(s->host, "all rows   u back");
        return true;
    case TT_ACT_CANCEL:
        tt_timeline_screen_evidence_end(s);
        tt_host_set_status(s->host, "as it was before the evidence");
        return true;
    case TT_ACT_BACK_OR_QUIT: /* never leaves the program */
        if (!tt_host_jump_back(s->host)) tt_timeline_screen_evidence_end(s);
        return true;
    default: return false;
    }
}
