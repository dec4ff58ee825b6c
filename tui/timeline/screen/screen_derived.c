/* tui/timeline/screen/screen_derived.c - jobs for rows without records: causes of waiting and curves when their rows
 * come into view, the critical path when a person asks for it. */
#include <stdlib.h>

#include "tui/timeline/model/row_source.h"
#include "tui/timeline/navigate/evidence.h"
#include "tui/timeline/navigate/ranges.h"
#include "tui/timeline/rows/path_overlay.h"
#include "tui/timeline/screen/screen.h"

/* ---- the row at the cursor ---- */

bool tt_timeline_screen_derived_detail(tt_screen *s)
{
    tt_timeline_screen *x = tt_timeline_screen_of(s);
    const tt_row_source *of = tt_row_source_here(x->t);
    if (!of->detail) return false;
    of->detail(&x->detail, x->t, tt_timeline_here(x->t), tt_timeline_screen_unit(s));
    x->detail.of.row = TT_NONE; /* the facts are of no slice */
    return true;
}

/* ---- the critical path ---- */

struct tt_timeline_screen_path {
    tt_screen *screen;
    const tt_session *session;
    tt_scope scope;
    uint32_t *traces; /* traces whose path is missing, and the paths */
    tt_path_overlay **overlays;
    uint32_t n;
    bool ran;
    bool stale; /* the scope has changed since the job began */
};

static void path_run(void *arg)
{
    struct tt_timeline_screen_path *j = arg;
    j->ran = true;
    for (uint32_t i = 0; i < j->n; i++) j->overlays[i] = tt_path_overlay_make(j->session, &j->scope, j->traces[i]);
}

static void say_path(tt_screen *s)
{
    tt_timeline *t = tt_timeline_screen_of(s)->t;
    size_t segments = 0;
    char n[TT_TEXT_CAP];
    for (uint32_t i = 0; i < t->session->n_traces; i++)
        if (t->path.overlays[i]) segments += tt_path_overlay_path(t->path.overlays[i])->at.n;
    if (segments == 0)
        tt_host_set_status(s->host, "no critical path: no activity in this scope");
    else
        tt_host_set_status(s->host, "critical path: %s   [ ] along it   V off",
                           tt_format_counted(n, (int64_t)segments, "segment"));
}

static void path_start(tt_screen *s);

static void path_done(void *arg, tt_host *a)
{
    struct tt_timeline_screen_path *j = arg;
    tt_screen *s = j->screen;
    tt_timeline_screen *x = tt_timeline_screen_of(s);
    bool use = j->ran && !j->stale && x->path.wanted;
    x->path.job = NULL;
    for (uint32_t i = 0; i < j->n; i++) {
        if (use)
            tt_path_overlay_set(x->t, j->traces[i], j->overlays[i]);
        else
            tt_path_overlay_free(j->overlays[i]);
    }
    if (use) {
        x->path.known = !x->path.lent; /* a lent path is of one trace only */
        tt_path_overlay_show(x->t, true);
        if (!x->path.lent) say_path(s);
    } else if (j->ran && x->path.wanted) {
        path_start(s);
    }
    free(j->traces);
    free(j->overlays);
    free(j);
    tt_host_dirty(a);
}

/* The critical path of a node's trace has to be shown but is not computed yet. It is shown for the trace of the
 * evidence, and for traces in scope with unfolded tracks. */
static bool path_missing(const tt_screen *s, const tt_timeline_node *n)
{
    const tt_timeline_screen *x = tt_timeline_screen_of(s);
    const tt_timeline *t = x->t;
    if (n->kind != TT_TIMELINE_PATH || t->path.overlays[n->trace]) return false;
    if (x->alone.evidence.what && n->trace == x->alone.evidence.trace) return true;
    if (x->path.lent) return false;
    return tt_scope_has_trace(t->session, tt_host_scope(s->host), n->trace) &&
           (n->parent == TT_NONE || !t->nodes.at[n->parent].collapsed);
}

static void path_start(tt_screen *s)
{
    tt_timeline_screen *x = tt_timeline_screen_of(s);
    size_t n = x->t->session->n_traces + (size_t)1;
    struct tt_timeline_screen_path *j = tt_calloc(1, sizeof *j);
    *j = (struct tt_timeline_screen_path){.screen = s, .session = x->t->session, .scope = *tt_host_scope(s->host)};
    j->traces = tt_calloc(n, sizeof *j->traces);
    j->overlays = tt_calloc(n, sizeof *j->overlays);
    for (size_t i = 0; i < x->t->nodes.n; i++)
        if (path_missing(s, &x->t->nodes.at[i])) j->traces[j->n++] = x->t->nodes.at[i].trace;
    x->path.job = j;
    if (!x->path.lent) tt_host_set_status(s->host, "computing the critical path ...");
    tt_host_job(s->host, path_run, path_done, j);
}

/* Compute paths of traces that a person has opened since. */
static void path_follow(tt_screen *s)
{
    tt_timeline_screen *x = tt_timeline_screen_of(s);
    if (!x->path.wanted || !(x->path.known || x->path.lent) || x->path.job) return;
    for (size_t i = 0; i < x->t->nodes.n; i++) {
        if (!path_missing(s, &x->t->nodes.at[i])) continue;
        path_start(s);
        return;
    }
}

static void forget_paths(tt_timeline *t)
{
    for (uint32_t i = 0; i < t->session->n_traces; i++) tt_path_overlay_set(t, i, NULL);
    tt_path_overlay_show(t, false);
}

bool tt_timeline_screen_path(tt_screen *s, int arg)
{
    tt_timeline_screen *x = tt_timeline_screen_of(s);
    (void)arg;
    x->path.wanted = !x->path.wanted;
    x->path.lent = false;
    if (!x->path.wanted) {
        tt_path_overlay_show(x->t, false);
        tt_host_set_status(s->host, "critical path off");
    } else if (x->path.known) {
        tt_path_overlay_show(x->t, true);
        say_path(s);
    } else if (!x->path.job) {
        path_start(s);
    }
    return true;
}

void tt_timeline_screen_path_lend(tt_screen *s, bool on)
{
    tt_timeline_screen *x = tt_timeline_screen_of(s);
    if (on && !x->path.wanted) x->path.wanted = x->path.lent = true;
    if (!on && x->path.lent) {
        x->path.wanted = x->path.lent = false;
        tt_path_overlay_show(x->t, false);
    }
    if (!on || x->path.job) return; /* a job runs: the next frame asks for the rest */
    if (x->t->path.overlays[x->alone.evidence.trace])
        tt_path_overlay_show(x->t, true);
    else
        path_start(s);
}

void tt_timeline_screen_path_scope(tt_screen *s)
{
    tt_timeline_screen *x = tt_timeline_screen_of(s);
    x->path.known = false;
    forget_paths(x->t);
    if (x->path.job)
        x->path.job->stale = true; /* path_done() starts again */
    else if (x->path.wanted)
        path_start(s);
}

void tt_timeline_screen_derive(tt_screen *s)
{
    path_follow(s);
    tt_timeline_work_derive(tt_timeline_screen_of(s)->work);
}

/* ---- ranges ---- */

static void say_range(tt_screen *s, bool wrapped)
{
    tt_timeline_screen *x = tt_timeline_screen_of(s);
    char place[TT_TEXT_CAP], n[TT_TEXT_CAP];
    tt_host_set_status(s->host, "%s %s of %s%s; n N next, previous", x->ranges_what,
                       tt_format_count(place, (int64_t)x->t->search.range_at + 1),
                       tt_format_count(n, (int64_t)x->t->search.ranges.n), wrapped ? ", round again" : "");
}

bool tt_timeline_screen_ranges(tt_screen *s, const tt_hit_ranges *r)
{
    tt_timeline_screen *x = tt_timeline_screen_of(s);
    snprintf(x->ranges_what, sizeof x->ranges_what, "%s", r->what);
    if (!tt_timeline_screen_gaps(s, r)) return false;
    say_range(s, false);
    return true;
}

bool tt_timeline_screen_step_range(tt_screen *s, int dir)
{
    tt_timeline *t = tt_timeline_screen_of(s)->t;
    bool wrapped;
    size_t i;
    if (!tt_ranges_next(t, dir, &i, &wrapped)) return false;
    tt_evidence_step(t, i);
    say_range(s, wrapped);
    return true;
}
