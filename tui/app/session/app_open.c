/* tui/app/session/app_open.c - see app_open.h. */
#include "tui/app/session/app_open.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/base/buf.h"
#include "model/summary/stub.h"
#include "tui/app/app_api.h"
#include "tui/app/session/app_compare.h"
#include "tui/app/session/follow.h"

enum { LOOK_MS = 100 };

static void settle(tt_app *a)
{
    tt_opening *o = &a->opening;
    tt_follow_begin(a, (const char *const *)o->next.at, (uint32_t)o->next.n, false, NULL);
    snprintf(a->source, sizeof a->source, "%s", o->source);
    tt_paths_set(&o->inputs, (const char *const *)o->next.at, (uint32_t)o->next.n);
}

/* ---- from a summary to its recordings ---- */

/* Path of a recording that a summary names: its old path, else the same place relative to the summary's folder. NULL
 * = not found. */
static char *find_recording(const char *path, const char *summary)
{
    if (!access(path, R_OK)) return tt_strdup(path);
    const char *slash = strrchr(summary, '/');
    int folder = slash ? (int)(slash - summary) : 1;
    tt_arena arena = {0};
    char *found = NULL;
    size_t levels = 0;
    for (const char *p = path + strlen(path); p > path && levels < 4 && !found; p--) {
        if (p[-1] != '/') continue;
        levels++;
        const char *there = tt_arena_printf(&arena, "%.*s/%s", folder, slash ? summary : ".", p);
        if (*p && !access(there, R_OK)) found = tt_strdup(there);
    }
    tt_arena_free(&arena);
    return found;
}

void tt_app_open_recordings(tt_app *a, const uint32_t *traces, uint32_t n)
{
    char *paths[2] = {NULL, NULL};
    uint32_t found = 0;
    for (uint32_t i = 0; i < n && i < 2; i++) {
        const tt_trace *s = a->host.session->traces[traces[i]];
        const tt_tts_source *source = tt_summary_source(tt_summary_of(s));
        char *path = find_recording(s->path, source->file->path);
        if (path) paths[found++] = path;
        if (!path && !i) break;
    }
    if (found)
        tt_app_open_run(a, paths[0], (const char *const *)paths, found);
    else
        tt_app_set_status(a, "%.400s is not there: copy it beside the summary",
                          a->host.session->traces[traces[0]]->path);
    for (uint32_t i = 0; i < found; i++) free(paths[i]);
}

/* ---- what has changed ---- */

static int64_t steps_of(const tt_session *s)
{
    int64_t most = 0;
    for (uint32_t i = 0; i < s->n_traces; i++) {
        int64_t n = 0;
        for (uint32_t k = 0; k < s->traces[i]->n_steps; k++) n += s->traces[i]->steps[k].row != TT_NONE;
        if (n > most) most = n;
    }
    return most;
}

static void add_change(tt_buf *out, int64_t now, int64_t was, const char *what)
{
    char text[TT_TEXT_CAP];
    int64_t by = now > was ? now - was : was - now;
    if (!by) return;
    tt_format_counted(text, by, what);
    size_t digits = strspn(text, "0123456789,");
    tt_buf_list(out, ", ", "%.*s %s%s", (int)digits, text, now > was ? "more" : "fewer", text + digits);
}

static void say_change(tt_app *a, const tt_session *was, const tt_session *now)
{
    char text[200];
    tt_buf list = tt_buf_of(text);
    add_change(&list, steps_of(now), steps_of(was), "step");
    add_change(&list, now->n_workers, was->n_workers, "worker");
    add_change(&list, (int64_t)tt_session_events(now), (int64_t)tt_session_events(was), "event");
    tt_app_set_status(a, "reloaded: %s", *text ? text : "nothing has changed");
}

/* ---- reading ---- */

/* Take what the loader has: it has finished the run, or could not read it. */
static void take(tt_app *a)
{
    tt_opening *o = &a->opening;
    tt_err err;
    char *warnings = NULL;
    tt_session *s = tt_load_finish(o->load, &warnings, &err);
    o->load = NULL;
    a->dirty = true;
    if (o->again) tt_follow_was_read(a, s);
    if (!s && o->grown) {
        *o->base = 0; /* the screens stay until the run is read again */
    } else if (!s) {
        tt_app_set_status(a, "%.480s", err.message);
        *o->base = 0;
    } else if (o->again) {
        a->partial = false;
        if (!o->grown) say_change(a, a->host.session, s);
        tt_app_offer_session(a, s, true);
    } else {
        a->pending.other = true;
        if (warnings && *warnings)
            tt_app_set_status(a, "%.*s", (int)strcspn(warnings, "\n"), warnings);
        else if (o->widened)
            tt_app_set_status(a, "all of this run is shown: --worker and --span were for the run before");
        tt_app_offer_session(a, s, true);
    }
    free(warnings);
    if (!a->pending.other && a->host.session) tt_paths_set(&o->next, NULL, 0);
}

static void start(tt_app *a, bool again)
{
    tt_opening *o = &a->opening;
    tt_load_options how = o->options;
    o->again = again;
    if (!again) o->grown = false;
    o->progress = (tt_progress){0};
    if (!a->host.session) { /* there is nothing to look at meanwhile but the preview */
        how.preview = true;
        how.preview_after = 1;
        a->loading = true;
        settle(a);
    }
    how.past = again || !a->host.session ? tt_follow_past(a) : NULL;
    o->load = tt_load_start((const char *const *)o->next.at, (uint32_t)o->next.n, &how);
    a->dirty = true;
    if (!a->interactive) take(a);
}

void tt_app_close_runs(tt_app *a)
{
    a->runs.open = false;
    a->dirty = true;
    tt_run_scan_stop(a->runs.scan);
    a->runs.scan = NULL;
}

void tt_app_open_run(tt_app *a, const char *source, const char *const *paths, uint32_t n)
{
    tt_opening *o = &a->opening;
    if (a->loading) {
        tt_app_set_status(a, "loading: Esc stops it");
        return;
    }
    if (a->pending.other) { /* the run was read and has not been shown yet */
        tt_app_drop_pending(a);
        a->pending.other = false;
    }
    tt_app_opening_cancel(a);
    o->widened = a->host.session && (o->options.worker || o->options.span);
    o->options.run = NULL; /* the run belonged to the folder named before */
    if (a->host.session)
        o->options.worker = o->options.span = NULL; /* worker and span belonged to the run named before */
    snprintf(o->source, sizeof o->source, "%s", source);
    tt_paths_set(&o->next, paths, n);
    if (a->runs.open) tt_app_close_runs(a);
    start(a, false);
}

bool tt_app_may_reload(const tt_app *a)
{
    const tt_paths *l = &a->opening.inputs;
    for (size_t i = 0; i < l->n; i++)
        if (!strcmp(l->at[i], "-")) return false;
    return l->n > 0;
}

void tt_app_reload(tt_app *a)
{
    tt_opening *o = &a->opening;
    if (a->loading || o->load || a->pending.session) {
        tt_app_set_status(a, "loading");
    } else if (!tt_app_may_reload(a)) {
        tt_app_set_status(a, "standard input cannot be read again");
    } else {
        tt_paths_set(&o->next, (const char *const *)o->inputs.at, (uint32_t)o->inputs.n);
        snprintf(o->source, sizeof o->source, "%s", a->source);
        start(a, true);
    }
}

void tt_app_read_again(tt_app *a)
{
    a->opening.grown = true;
    tt_app_reload(a);
}

void tt_app_opening_poll(tt_app *a)
{
    tt_opening *o = &a->opening;
    if (!o->load) return;
    tt_load_progress(o->load, &o->progress);
    tt_app_wake(a, LOOK_MS);
    if (!o->progress.done) return;
    take(a);
}

bool tt_app_opening_text(const tt_app *a, char *out, size_t cap)
{
    const tt_opening *o = &a->opening;
    const tt_progress *p = &o->progress;
    if (!o->load || o->grown) return false;
    tt_buf line = tt_buf_on(out, cap);
    tt_buf_add(&line, "reading %.300s%s", o->source, o->again ? " again" : "");
    if (p->bytes_total) tt_buf_add(&line, "  %.0f%%   Esc stops", 100 * (double)p->bytes_done / (double)p->bytes_total);
    return true;
}

bool tt_app_opening_cancel(tt_app *a)
{
    tt_opening *o = &a->opening;
    bool any = o->load != NULL && !o->grown;
    if (o->load) {
        tt_load_cancel(o->load);
        tt_session_free(tt_load_finish(o->load, NULL, NULL));
        o->load = NULL;
    }
    if (!a->pending.other) tt_paths_set(&o->next, NULL, 0);
    *o->base = 0;
    return any;
}

void tt_app_opening_free(tt_app *a)
{
    tt_opening *o = &a->opening;
    a->pending.other = false;
    tt_app_opening_cancel(a);
    tt_paths_set(&o->inputs, NULL, 0);
    tt_vec_free(&o->inputs);
    tt_vec_free(&o->next);
}

/* ---- taking its place ---- */

void tt_app_opened(tt_app *a)
{
    char base[TT_SOURCE_CAP];
    snprintf(base, sizeof base, "%s", a->opening.base);
    *a->opening.base = 0;
    tt_paths_set(&a->opening.next, NULL, 0);
    if (*base) tt_app_open_base(a, base);
}

void tt_app_take_other(tt_app *a)
{
    tt_session *old = a->host.session;
    a->pending.other = false;
    settle(a);
    tt_app_close_places(a);
    a->host.session = a->pending.session;
    a->pending.session = NULL;
    a->partial = false;
    a->host.scope = tt_scope_all;
    tt_app_first_scope(a);
    tt_app_renew_screens(a, old);
    tt_app_free_session(a, old);
    tt_app_opened(a);
}

void tt_app_compare_runs(tt_app *a, const char *base, const char *now)
{
    if (!a->host.session) {
        tt_app_open_run(a, now, &now, 1);
        snprintf(a->opening.base, sizeof a->opening.base, "%s", base);
    } else if (strcmp(now, a->source) != 0) {
        a->other.swap_after = true;
        snprintf(a->other.then, sizeof a->other.then, "%s", strcmp(base, a->source) != 0 ? base : "");
        tt_app_open_base(a, now);
    } else {
        tt_app_open_base(a, base);
    }
}
