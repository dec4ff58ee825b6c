/* tui/flame/screen.c - the flame view: its subject, computing the flame on the worker, its keys. The view has no
 * tab; a key opens it for the selection and leads back. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/buf.h"
#include "tui/flame/screen.h"
#include "tui/output/export/folded.h"
#include "tui/timeline/draw/detail_draw.h"
#include "tui/timeline/model/filter.h"
#include "tui/timeline/model/lines.h"
#include "tui/timeline/model/search.h"
#include "tui/timeline/navigate/select.h"
#include "tui/timeline/rows/slice_row.h"
#include "tui/widgets/short_names.h"

enum { LONGEST_OF = 65536 }; /* number of calls among which the longest is searched */

/* ---- computing it ---- */

typedef struct tt_flame_job {
    tt_screen *screen;
    const tt_session *session;
    tt_flame_spec spec; /* its windows are the job's */
    tt_timeline_filter *filter;
    atomic_bool stop;
    tt_flame *f;
} tt_flame_job;

static void job_run(void *arg)
{
    tt_flame_job *j = arg;
    if (j->filter) j->spec.filter = tt_timeline_filter_of(j->filter, j->spec.trace, &j->stop);
    j->f = tt_flame_new(j->session, &j->spec, &j->stop);
}

/* Note whether a filter leaves nothing, or only device work. */
static void look_at(tt_flame_screen *x)
{
    const tt_flame *f = x->view.f;
    int64_t sum[TT_FLAME_WEIGHTS] = {0};
    x->nothing = x->filter != NULL;
    for (size_t i = 1; i < f->nodes.n && x->filter; i++) {
        const tt_flame_node *n = &f->nodes.at[i];
        if (n->kind == TT_KIND_COUNT_) continue;
        x->nothing = false;
        for (int w = 0; w < TT_FLAME_WEIGHTS; w++) sum[w] += n->total[w];
    }
    bool device = !sum[TT_FLAME_TIME] && sum[TT_FLAME_DEVICE] > 0;
    if (device == x->by_device || (device && x->view.weight == TT_FLAME_DEVICE)) return;
    x->by_device = device;
    tt_flame_view_weigh(&x->view, device ? TT_FLAME_DEVICE : TT_FLAME_TIME);
}

static void job_done(void *arg, tt_host *a)
{
    tt_flame_job *j = arg;
    tt_flame_screen *x = tt_flame_of(j->screen);
    if (x->running == j) {
        x->running = NULL;
        if (j->f) {
            tt_flame_view_set(&x->view, j->f);
            look_at(x);
        }
        tt_host_dirty(a);
    } else {
        tt_flame_free(j->f);
    }
    tt_timeline_filter_free(j->filter);
    tt_windows_free(&j->spec.windows);
    free(j);
}

static const tt_trace *trace_of(const tt_screen *s)
{
    return tt_host_session(s->host)->traces[tt_flame_of(s)->of.slice.trace];
}

static tt_windows window(int64_t t0, int64_t t1)
{
    tt_windows w = {.at = tt_malloc(sizeof *w.at), .n = 1};
    *w.at = (struct tt_window){t0, t1 > t0 ? t1 : t0 + 1};
    return w;
}

static void ask(tt_screen *s)
{
    tt_flame_screen *x = tt_flame_of(s);
    const tt_session *session = tt_host_session(s->host);
    const tt_trace *st = trace_of(s);
    tt_row row = x->of.slice.row;
    uint32_t trace = x->of.slice.trace;
    tt_flame_job *j = tt_calloc(1, sizeof *j);
    const char *why; /* the filter was checked when the user typed it */
    j->filter = x->filter ? tt_timeline_filter_new(session, x->filter, &why) : NULL;
    j->screen = s;
    j->session = session;
    j->spec = (tt_flame_spec){
        .trace = trace, .track = TT_ALL, .root = TT_NONE, .no_python = x->no_python, .fold = !x->unfolded};
    if (x->about == TT_FLAME_SLICE) j->spec.root = row;
    if (x->about == TT_FLAME_RANGE_TRACK || x->about == TT_FLAME_TRACK) j->spec.track = tt_row_track(st, row);
    if (x->about == TT_FLAME_CALLS || x->about == TT_FLAME_CALLERS) {
        j->spec.callers = x->about == TT_FLAME_CALLERS;
        j->spec.of = st->name[row];
        j->spec.of_kinds = 1u << tt_row_kind(st, row);
    }
    if (x->about == TT_FLAME_SLICE || x->about == TT_FLAME_DURING) {
        j->spec.windows = window(st->start[row], tt_row_end(st, row));
    } else if (x->about == TT_FLAME_RANGE_TRACK || x->about == TT_FLAME_RANGE) {
        j->spec.windows = window(x->of.t0 - session->offset_ns[trace], x->of.t1 - session->offset_ns[trace]);
    } else {
        tt_scope scope = *tt_host_scope(s->host);
        scope.worker = scope.span = TT_ALL; /* a subject of another worker has its own steps */
        j->spec.windows = tt_scope_windows(session, &scope, trace);
    }
    if (x->running) atomic_store(&x->running->stop, true);
    tt_flame_time_close(x);
    x->running = j;
    tt_host_job(s->host, job_run, job_done, j);
}

/* ---- what it is about ---- */

static bool available(const tt_screen *s, tt_flame_about about)
{
    const tt_flame_screen *x = tt_flame_of(s);
    bool slice = x->of.slice.row != TT_NONE;
    bool device = slice && tt_kind_is_device(tt_row_kind(trace_of(s), x->of.slice.row));
    switch (about) {
    case TT_FLAME_SLICE: return slice && !(device && tt_kind_is_work(tt_row_kind(trace_of(s), x->of.slice.row)));
    case TT_FLAME_CALLS: return slice && !device;
    case TT_FLAME_CALLERS: return slice && (!device || tt_kind_is_work(tt_row_kind(trace_of(s), x->of.slice.row)));
    case TT_FLAME_RANGE_TRACK: return slice && x->of.has_range;
    case TT_FLAME_RANGE: return x->of.has_range;
    case TT_FLAME_DURING:
    case TT_FLAME_TRACK: return slice;
    default: return true;
    }
}

static void set_about(tt_screen *s, tt_flame_about about)
{
    tt_flame_screen *x = tt_flame_of(s);
    while (!available(s, about)) about = (tt_flame_about)((about + 1) % TT_FLAME_ABOUTS);
    x->about = about;
    ask(s);
}

/* The first trace in scope. */
static uint32_t first_trace(const tt_screen *s)
{
    const tt_session *session = tt_host_session(s->host);
    for (uint32_t i = 0; i < session->n_traces; i++)
        if (tt_scope_has_trace(session, tt_host_scope(s->host), i)) return i;
    return 0;
}

static tt_slice_ref longest_of(const tt_screen *s, const tt_drilldown *o)
{
    const tt_session *session = tt_host_session(s->host);
    tt_slice_ref *at = tt_calloc(LONGEST_OF, sizeof *at), best = {0, TT_NONE};
    uint32_t n = tt_drilldown_slices(session, tt_host_scope(s->host), o, at, LONGEST_OF);
    for (uint32_t i = 0; i < n && i < LONGEST_OF; i++) {
        if (best.row == TT_NONE ||
            session->traces[at[i].trace]->dur[at[i].row] > session->traces[best.trace]->dur[best.row])
            best = at[i];
    }
    free(at);
    return best;
}

/* Choose the subject: a slice or an interval. slice: the slice that is selected beside an interval, row TT_NONE =
 * none. */
static void choose(tt_screen *s, const tt_drilldown *o, tt_slice_ref slice)
{
    tt_flame_screen *x = tt_flame_of(s);
    tt_flame_about about = TT_FLAME_ALL;
    x->of = (tt_flame_subject){.slice = slice};
    if (slice.row == TT_NONE) x->of.slice.trace = first_trace(s);
    if (o->what == TT_DRILL_ROW) {
        x->of.slice = (tt_slice_ref){o->trace, o->row};
        about = TT_FLAME_SLICE;
    } else if (o->what == TT_DRILL_SLICES) {
        tt_slice_ref r = longest_of(s, o);
        if (r.row != TT_NONE) x->of.slice = r;
        about = r.row != TT_NONE ? TT_FLAME_CALLS : TT_FLAME_ALL;
        if (r.row != TT_NONE && tt_kind_is_launch(tt_row_kind(trace_of(s), r.row)))
            about = TT_FLAME_CALLERS; /* a launch encloses no other calls */
    } else if (o->what == TT_DRILL_RANGE) {
        x->of.has_range = true;
        x->of.t0 = o->t0;
        x->of.t1 = o->t1;
        if (slice.row == TT_NONE && o->trace < tt_host_session(s->host)->n_traces) x->of.slice.trace = o->trace;
        about = slice.row != TT_NONE ? TT_FLAME_RANGE_TRACK : TT_FLAME_RANGE;
    }
    if (about <= TT_FLAME_CALLS && tt_kind_is_work(tt_row_kind(trace_of(s), x->of.slice.row))) about = TT_FLAME_CALLERS;
    tt_flame_view_free(&x->view);
    set_about(s, about);
}

static void open_flame(tt_screen *s) { choose(s, &(tt_drilldown){.what = TT_DRILL_NONE}, (tt_slice_ref){0, TT_NONE}); }

static bool takes_flame(const tt_host *host, const tt_show_target *to)
{
    (void)host;
    return to->kind == TT_SHOW_FLAME;
}

static bool show_flame(tt_screen *s, const tt_show_target *to)
{
    choose(s, to->what, to->slice);
    return true;
}

static void close_flame(tt_screen *s)
{
    tt_flame_screen *x = tt_flame_of(s);
    tt_flame_time_close(x);
    tt_flame_view_free(&x->view);
    free(x->filter);
}

static void scope_flame(tt_screen *s)
{
    tt_flame_screen *x = tt_flame_of(s);
    bool whole = x->about == TT_FLAME_ALL;
    if (whole && !tt_scope_has_trace(tt_host_session(s->host), tt_host_scope(s->host), x->of.slice.trace))
        x->of = (tt_flame_subject){.slice = {first_trace(s), TT_NONE}}; /* the first trace of the chosen worker */
    if (whole || x->about == TT_FLAME_CALLS || x->about == TT_FLAME_CALLERS || x->about == TT_FLAME_TRACK) ask(s);
}

/* ---- drawing ---- */

static void name_subject(const tt_screen *s)
{
    tt_flame_screen *x = tt_flame_of(s);
    const tt_trace *st = trace_of(s);
    tt_row row = x->of.slice.row;
    char slice[96] = "", track[96] = "";
    if (row != TT_NONE) {
        tt_slice_short_name(slice, sizeof slice, tt_row_kind(st, row), tt_row_name(st, row), 60, false);
        snprintf(track, sizeof track, "%.90s", tt_str(&st->strings, st->tracks[tt_row_track(st, row)].name));
    }
    switch (x->about) {
    case TT_FLAME_CALLS: snprintf(x->name, sizeof x->name, "all calls of %s", slice); break;
    case TT_FLAME_CALLERS: snprintf(x->name, sizeof x->name, "callers of %s", slice); break;
    case TT_FLAME_DURING: snprintf(x->name, sizeof x->name, "all threads while %s runs", slice); break;
    case TT_FLAME_RANGE_TRACK: snprintf(x->name, sizeof x->name, "A-B on %s", track); break;
    case TT_FLAME_RANGE:
        snprintf(x->name, sizeof x->name, "all threads, %s from %s",
                 tt_format_duration(slice, x->of.t1 - x->of.t0, (tt_unit)tt_host_unit(s->host)),
                 tt_format_time(track, x->of.t0, (tt_unit)tt_host_unit(s->host)));
        break;
    case TT_FLAME_TRACK: snprintf(x->name, sizeof x->name, "all of %s", track); break;
    case TT_FLAME_ALL: snprintf(x->name, sizeof x->name, "all threads"); break;
    default: snprintf(x->name, sizeof x->name, "%s", slice);
    }
}

static void draw_title(tt_screen *s, tt_canvas *c)
{
    tt_flame_screen *x = tt_flame_of(s);
    char right[96] = "", ns[TT_TEXT_CAP], n[TT_TEXT_CAP];
    int64_t t0, t1;
    name_subject(s);
    snprintf(x->title, sizeof x->title, "%s  %s%s%.60s", x->ordered ? "Flame chart (by time)" : "Flame graph (merged)",
             x->name, x->filter ? "  filter: " : "", x->filter ? x->filter : "");
    tt_flame_window(s, &t0, &t1);
    if (x->ordered) {
        snprintf(right, sizeof right, "%s", tt_format_duration(ns, t1 - t0, (tt_unit)tt_host_unit(s->host)));
    } else if (x->view.f && !x->running) {
        const tt_session *session = tt_host_session(s->host);
        snprintf(right, sizeof right, "%.40s%s%s %s, %s", session->n_traces > 1 ? trace_of(s)->worker : "",
                 session->n_traces > 1 ? "  " : "", x->view.weight == TT_FLAME_DEVICE ? "GPU time" : "CPU time",
                 tt_format_duration(ns, x->view.f->nodes.at[0].total[x->view.weight], (tt_unit)tt_host_unit(s->host)),
                 tt_format_counted(n, (int64_t)x->view.f->nodes.n, "path"));
    }
    tt_rule(c, 0, x->title, right);
}

static void draw_flame(tt_screen *s, tt_canvas *c)
{
    tt_flame_screen *x = tt_flame_of(s);
    tt_unit unit = (tt_unit)tt_host_unit(s->host);
    int detail = c->h >= 24 ? 5 : c->h >= 14 ? 4 : c->h >= 9 ? 3 : 0, y = 1;
    draw_title(s, c);
    if (!x->ordered && x->view.f && x->view.zoom) {
        char path[1024];
        tt_flame_view_path(&x->view, x->view.f->nodes.at[x->view.zoom].up, path, sizeof path);
        tt_put_cut(c, y++, 1, TT_ROLE_DIM, path, c->w - 2, TT_CUT_START);
    }
    tt_canvas in = tt_canvas_window(c, y, 0, c->h - y - detail, c->w);
    tt_canvas below = tt_canvas_window(c, c->h - detail + 1, 0, detail - 1, c->w);
    if (detail) tt_rule(c, c->h - detail, x->ordered ? "Slice" : "Path", NULL);
    if (x->ordered) {
        tt_flame_time_draw(s, &in);
        if (detail && x->t && tt_timeline_has_sel(x->t)) {
            tt_detail_make(&x->detail, x->t, x->t->sel, unit, false);
            tt_detail_draw_pane(&x->detail, &below);
        }
        return;
    }
    if (!x->view.f) {
        tt_put(c, 2, 2, TT_ROLE_DIM, "computing ...", -1);
        return;
    }
    if (x->nothing) {
        tt_put(c, 2, 2, TT_ROLE_DIM, "nothing here passes the filter (\\ clears it)", -1);
        return;
    }
    tt_flame_view_draw(&x->view, &in, y);
    if (detail) tt_flame_view_detail(&x->view, &below, unit);
}

static void status_flame(void *o, char *out, size_t cap)
{
    const tt_screen *s = o;
    const tt_flame_screen *x = tt_flame_of(s);
    char n[TT_TEXT_CAP], ns[TT_TEXT_CAP];
    out[0] = 0;
    if (x->ordered || !x->view.f) return;
    if (x->view.found[0]) {
        int64_t all = x->view.f->nodes.at[0].total[x->view.weight];
        snprintf(out, cap, "%s found, %s (%.1f%%): %.60s", tt_format_counted(n, (int64_t)x->view.n_found, "path"),
                 tt_format_duration(ns, x->view.found_ns, (tt_unit)tt_host_unit(s->host)),
                 all > 0 ? 100 * (double)x->view.found_ns / (double)all : 0, x->view.found);
        return;
    }
    const tt_flame_node *node = &x->view.f->nodes.at[x->view.cursor];
    const tt_flame *f = x->view.f;
    tt_buf b = tt_buf_on(out, cap);
    tt_buf_add(&b, "depth %u/%u   %u child%s   G hot path", node->depth, f->depths - 1, node->n,
               node->n == 1 ? "" : "ren");
    if (f->unlaunched)
        tt_buf_add(&b, "   no launch recorded for %s of %s", tt_format_count(n, f->unlaunched),
                   tt_format_counted(ns, f->unlaunched + f->launched, "GPU event"));
}

/* ---- keys ---- */

static bool order(tt_screen *s)
{
    tt_flame_screen *x = tt_flame_of(s);
    x->ordered = !x->ordered;
    return true;
}

static bool weigh(tt_screen *s)
{
    tt_flame_screen *x = tt_flame_of(s);
    tt_flame_weight w = x->view.weight == TT_FLAME_TIME ? TT_FLAME_DEVICE : TT_FLAME_TIME;
    if (x->ordered || !x->view.f) return false;
    if (!x->view.f->nodes.at[0].total[w]) {
        tt_host_set_status(s->host, w == TT_FLAME_DEVICE ? "no GPU work launched here" : "only GPU work here");
        return true;
    }
    x->by_device = false;
    tt_flame_view_weigh(&x->view, w);
    tt_host_set_status(s->host, w == TT_FLAME_DEVICE ? "width = GPU time" : "width = CPU time");
    return true;
}

static bool cancel(tt_flame_screen *x)
{
    if (x->ordered) return false;
    if (x->view.found[0]) {
        x->view.found[0] = 0;
        return true;
    }
    return x->view.f && tt_flame_view_act(&x->view, TT_ACT_ZOOM_OUT);
}

static bool act_flame(tt_screen *s, tt_action a)
{
    tt_flame_screen *x = tt_flame_of(s);
    switch (a) {
    case TT_ACT_FLAME_ORDER: return order(s);
    case TT_ACT_FLAME_WEIGHT: return weigh(s);
    case TT_ACT_FLAME_ABOUT:
        set_about(s, (tt_flame_about)((x->about + 1) % TT_FLAME_ABOUTS));
        name_subject(s);
        tt_host_set_status(s->host, "%s", x->name);
        return true;
    case TT_ACT_FLAME_PYTHON:
        if (x->ordered) return false;
        x->no_python = !x->no_python;
        ask(s);
        tt_host_set_status(s->host, x->no_python ? "without Python functions" : "with Python functions");
        return true;
    case TT_ACT_FLAME_FOLD:
        if (x->ordered) return false;
        x->unfolded = !x->unfolded;
        ask(s);
        tt_host_set_status(s->host,
                           x->unfolded ? "every module and frame" : "modules merged by class, wrappers hidden");
        return true;
    case TT_ACT_CANCEL: return cancel(x);
    case TT_ACT_WHOLE:
        if (!x->ordered) break;
        tt_flame_time_whole(s);
        return true;
    default: break;
    }
    if (x->ordered) return tt_flame_time_act(x, a);
    if (tt_flame_view_act(&x->view, a)) return true;
    bool out = a == TT_ACT_ZOOM_OUT || a == TT_ACT_ZOOM_OUT_FAST;
    if (out && x->view.f) tt_host_set_status(s->host, "whole trace: b chooses another subject");
    return out;
}

static bool find_flame(void *s, const char *text, int dir)
{
    tt_flame_screen *x = tt_flame_of(s);
    bool wrapped;
    if (!x->ordered) return tt_flame_view_find(&x->view, text, dir);
    if (!x->t) return false;
    tt_timeline_match(x->t, text, false);
    tt_slice_ref r = tt_timeline_next_match(x->t, dir, &wrapped);
    if (r.row != TT_NONE && tt_timeline_line_of(x->t, r) != TT_NONE) tt_timeline_select(x->t, r, false);
    return r.row != TT_NONE;
}

static bool filter_flame(void *o, const char *text)
{
    tt_screen *s = o;
    tt_flame_screen *x = tt_flame_of(s);
    const char *why;
    if (strcmp(x->filter ? x->filter : "", text) == 0) return true;
    tt_timeline_filter *f = tt_timeline_filter_new(tt_host_session(s->host), text, &why);
    if (!f) {
        tt_host_set_status(s->host, "%s", why);
        return false;
    }
    tt_timeline_filter_free(f);
    free(x->filter);
    x->filter = *text ? tt_strdup(text) : NULL;
    ask(s);
    return true;
}

static bool selection_flame(void *s, tt_drilldown *out)
{
    const tt_flame_screen *x = tt_flame_of(s);
    tt_slice_ref r = {x->of.slice.trace, TT_NONE};
    if (x->ordered) {
        if (x->t) r = x->t->sel;
    } else if (x->view.f) {
        r.row = x->view.f->nodes.at[x->view.cursor].longest;
    }
    *out = (tt_drilldown){.what = TT_DRILL_ROW, .trace = r.trace, .row = r.row};
    if (r.row == TT_NONE) { /* no slice: a track, or all tracks */
        out->what = TT_DRILL_RANGE;
        tt_flame_window(s, &out->t0, &out->t1);
    }
    return true;
}

static bool put_text(void *arg, const char *p, size_t n) { return fwrite(p, 1, n, arg) == n; }

static char *copy_flame(void *s, bool all)
{
    const tt_flame_screen *x = tt_flame_of(s);
    char *text = NULL, buf[128];
    size_t n = 0;
    if (!x->view.f) return NULL;
    if (!all) return tt_strdup(tt_flame_name(x->view.f, x->view.cursor, buf, sizeof buf));
    FILE *f = open_memstream(&text, &n);
    if (!f) return NULL;
    tt_folded_write(x->view.f, x->view.weight, put_text, f);
    return fclose(f) == 0 ? text : NULL;
}

static bool command_flame(void *o, const char *verb, const char *arg)
{
    const tt_screen *s = o;
    const tt_flame_screen *x = tt_flame_of(s);
    uint64_t lines;
    unsigned how;
    tt_err err;
    char n[TT_TEXT_CAP];
    static const char *const endings[] = {".folded", ".folded.gz", ".txt", NULL};
    if (strcmp(verb, "export") != 0 || !*arg || !x->view.f) return false;
    if (tt_host_ending(s->host, arg, endings) < 0 || !tt_host_may_write(s->host, verb, arg, &how)) return true;
    const tt_file_ids *inputs = &tt_host_session(s->host)->inputs;
    if (tt_folded_file(x->view.f, x->view.weight, arg, how, inputs, &lines, &err) != TT_OK) {
        tt_host_set_status(s->host, "%s", err.message);
    } else {
        tt_host_set_status(s->host, "%s written to %s", tt_format_counted(n, (int64_t)lines, "folded stack"), arg);
    }
    return true;
}

static tt_focus focus_flame(const tt_screen *s)
{
    static const tt_focus_ops calls = {
        .status = status_flame,
        .find = find_flame,
        .filter = filter_flame,
        .selection = selection_flame,
        .copy = copy_flame,
        .command = command_flame,
        .export_name = "stacks.folded",
    };
    return tt_focus_on(s, &calls);
}

static bool mouse_flame(tt_screen *s, const tt_mouse *m)
{
    tt_flame_screen *x = tt_flame_of(s);
    if (m->what == TT_MOUSE_WHEEL) return act_flame(s, m->wheel < 0 ? TT_ACT_UP : TT_ACT_DOWN);
    if (x->ordered || (m->what != TT_MOUSE_PRESS && m->what != TT_MOUSE_DOUBLE)) return false;
    uint32_t node = tt_flame_view_at(&x->view, m->y, m->x);
    if (node == TT_NONE) return false;
    x->view.cursor = node;
    return m->what != TT_MOUSE_DOUBLE || tt_flame_view_act(&x->view, TT_ACT_ENTER);
}

/* ---- places, also in the session that takes the place of this one ---- */

/* The slice of the new session that a slice of the old session has become. */
static tt_slice_ref carried(const tt_screen *s, const tt_session *old, int64_t shift, tt_slice_ref r)
{
    const tt_session *now = tt_host_session(s->host);
    uint32_t trace = tt_host_trace_now(s->host, r.trace);
    tt_slice_ref to = {trace == TT_NONE ? 0 : trace, TT_NONE};
    if (trace == TT_NONE || r.row == TT_NONE || r.trace >= old->n_traces || r.row >= old->traces[r.trace]->n) return to;
    int64_t at = old->traces[r.trace]->start[r.row] + old->offset_ns[r.trace] + shift;
    to.row = tt_timeline_slice_named(now->traces[trace], at - now->offset_ns[trace],
                                     tt_row_name(old->traces[r.trace], r.row));
    return to;
}

static void save_flame(const tt_screen *s, tt_screen_place *p)
{
    const tt_flame_screen *x = tt_flame_of(s);
    p->flame.slice = x->of.slice;
    p->flame.has_range = x->of.has_range;
    p->flame.t0 = x->of.t0;
    p->flame.t1 = x->of.t1;
    p->flame.about = x->about;
    p->flame.ordered = x->ordered;
    p->flame.weight = x->view.weight;
    p->flame.zoom = x->view.zoom;
    p->flame.cursor = x->view.cursor;
}

static void restore_flame(tt_screen *s, const tt_screen_place *p)
{
    tt_flame_screen *x = tt_flame_of(s);
    const tt_session *session = tt_host_session(s->host);
    tt_slice_ref r = p->flame.slice;
    if (r.trace >= session->n_traces || (r.row != TT_NONE && r.row >= session->traces[r.trace]->n)) return;
    x->ordered = p->flame.ordered;
    if (x->of.slice.trace != r.trace || x->of.slice.row != r.row || x->of.t0 != p->flame.t0 ||
        x->of.t1 != p->flame.t1 || (int)x->about != p->flame.about) {
        x->of = (tt_flame_subject){.slice = r, .has_range = p->flame.has_range, .t0 = p->flame.t0, .t1 = p->flame.t1};
        set_about(s, (tt_flame_about)p->flame.about);
        return;
    }
    tt_flame_view_weigh(&x->view, (tt_flame_weight)p->flame.weight);
    tt_flame_view_go(&x->view, p->flame.cursor, p->flame.zoom);
}

static void carry_flame(const tt_screen *s, const tt_session *old, int64_t shift, tt_screen_place *p)
{
    p->flame.slice = carried(s, old, shift, p->flame.slice);
    p->flame.t0 += shift;
    p->flame.t1 += shift;
    p->flame.zoom = p->flame.cursor = 0; /* nodes have other numbers in the new session */
}

static void renew_flame(tt_screen *s, int64_t shift)
{
    tt_flame_screen *x = tt_flame_of(s);
    x->of.slice = carried(s, tt_host_replaced(s->host), shift, x->of.slice);
    x->of.t0 += shift;
    x->of.t1 += shift;
    tt_flame_view_free(&x->view);
    set_about(s, x->about);
}

const tt_screen_ops tt_screen_flame = {
    .tab = {.name = "flame", .title = "Flame", .brief = "Flame"},
    .context = TT_CTX_FLAME,
    .state_size = sizeof(tt_flame_screen),
    .open = open_flame,
    .close = close_flame,
    .renew = renew_flame,
    .scope = scope_flame,
    .draw = draw_flame,
    .act = act_flame,
    .focus = focus_flame,
    .takes = takes_flame,
    .show = show_flame,
    .mouse = mouse_flame,
    .place = {.save = save_flame, .restore = restore_flame, .carry = carry_flame},
};
