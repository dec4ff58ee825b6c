/* tui/app/prompt/pickers.c - the box with a list to choose from, and the lists of steps, workers and spans. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/trace/rules/advice.h"
#include "tui/app/app_api.h"
#include "tui/app/prompt/pickers.h"
#include "tui/app/session/app_compare.h"

void tt_picker_close(tt_picker *p)
{
    for (int i = 0; i < p->n; i++) free(p->items[i]);
    free(p->items);
    for (int i = 0; p->names && i < p->n; i++) free(p->names[i]);
    free(p->names);
    free(p->runs);
    *p = (tt_picker){0};
}

void tt_picker_open(tt_app *a, const char *title, int n, void (*pick)(tt_app *, int))
{
    tt_picker_close(&a->picker);
    a->picker = (tt_picker){.title = title, .items = tt_calloc((size_t)n, sizeof(char *)), .n = n, .pick = pick};
}

void tt_app_pick(tt_app *a, const char *title, char **items, int n, void (*picked)(tt_screen *, int))
{
    tt_picker_close(&a->picker);
    a->picker = (tt_picker){.title = title, .items = items, .n = n, .picked = picked, .by = tt_app_current(a)};
}

/* Mark the item, or (unless it is to be compared) take its mark away; no third one beside two. */
static void mark(tt_picker *p, bool keep)
{
    for (int i = 0; i < p->n_marks; i++) {
        if (p->mark[i] != p->at) continue;
        if (keep) return;
        p->mark[i] = p->mark[p->n_marks - 1];
        p->n_marks--;
        return;
    }
    if (p->n_marks < 2) p->mark[p->n_marks++] = p->at;
}

bool tt_picker_key(tt_app *a, tt_key k)
{
    tt_picker *p = &a->picker;
    tt_action act = tt_action_of(TT_CTX_MOTION, k);
    if (p->compare && k == ' ') {
        mark(p, false);
        return true;
    }
    if (p->key && p->n && p->key(a, act)) return true;
    int64_t to = tt_action_moved(act, p->at, p->n, 10, 10);
    if (to >= 0) {
        p->at = (int)to;
        return true;
    }
    switch (act) {
    case TT_ACT_ENTER: {
        const tt_picker was = *p;
        if (!p->key) tt_picker_close(p);
        if (was.picked)
            was.picked(was.by, was.at);
        else if (was.at < p->n || !p->key)
            was.pick(a, was.at);
        return true;
    }
    case TT_ACT_COMPARE:
        if (!p->compare) return true;
        mark(p, true);
        if (p->n_marks == 2) {
            void (*compare)(tt_app *, int, int) = p->compare;
            int first = p->mark[0], second = p->mark[1];
            if (!p->key) tt_picker_close(p);
            compare(a, first, second);
        } else if (p->n_marks) {
            tt_app_set_status(a, "base set: = on another one compares");
        }
        return true;
    case TT_ACT_QUIT:
    case TT_ACT_REDRAW:
    case TT_ACT_SUSPEND: return false;
    default: tt_picker_close(p); return true;
    }
}

void tt_picker_draw(tt_picker *p, tt_canvas *c)
{
    int h = p->n + 2 < c->h ? p->n + 2 : c->h, most = p->wide ? 110 : 56, w = c->w - 4 < most ? c->w - 4 : most;
    tt_canvas in = tt_box(c, (c->h - h) / 2, (c->w - w) / 2, h, w, p->title);
    p->place.y = (c->h - h) / 2 + 1 + 2; /* the picture is the screen without its first two lines */
    p->place.x = (c->w - w) / 2 + 1;
    p->place.h = in.h;
    p->place.w = in.w;
    if (p->top > p->at) p->top = p->at;
    if (p->top + in.h <= p->at) p->top = p->at - in.h + 1;
    for (int i = 0; i < in.h && p->top + i < p->n; i++) {
        bool on = p->top + i == p->at;
        tt_put_char(&in, i, 0, TT_ROLE_STRONG, on ? '>' : ' ');
        for (int k = 0; k < p->n_marks; k++)
            if (p->mark[k] == p->top + i) tt_put_char(&in, i, 0, TT_ROLE_MARKED, k ? 'B' : 'A');
        tt_put_cut(&in, i, 1, TT_ROLE_POPUP, p->items[p->top + i], in.w - 2, TT_CUT_END);
        if (on) tt_restyle(&in, i, 0, 1, in.w, TT_ROLE_CURSOR);
    }
}

void tt_picker_mouse(tt_app *a, const tt_mouse *m)
{
    tt_picker *p = &a->picker;
    int i = p->top + m->y - p->place.y;
    if (m->what != TT_MOUSE_PRESS && m->what != TT_MOUSE_DOUBLE) return;
    if (m->y < p->place.y || m->y >= p->place.y + p->place.h || m->x < p->place.x || m->x >= p->place.x + p->place.w)
        return;
    if (i >= p->n) return;
    p->at = i;
    if (m->what == TT_MOUSE_DOUBLE) tt_picker_key(a, TT_KEY_ENTER);
}

/* The trace whose steps the user chooses from: the first in scope. */
static const tt_trace *steps_trace(const tt_app *a)
{
    for (uint32_t i = 0; i < a->host.session->n_traces; i++) {
        if (tt_scope_has_trace(a->host.session, &a->host.scope, i)) return a->host.session->traces[i];
    }
    return a->host.session->traces[0];
}

static bool has_steps(const tt_trace *s) { return s->n_steps && s->steps[0].row != TT_NONE; }

static void pick_step(tt_app *a, int i)
{
    tt_scope s = a->host.scope;
    const tt_trace *st = steps_trace(a);
    s.has_steps = i > 0;
    if (i > 0) s.step_first = s.step_last = st->steps[i - 1].number;
    tt_app_set_scope(a, &s);
}

static void compare_steps(tt_app *a, int base, int now)
{
    const tt_trace *st = steps_trace(a);
    tt_scope of[2] = {a->host.scope, a->host.scope};
    for (int k = 0; k < 2; k++) {
        int i = k ? now : base;
        of[k].has_steps = i > 0;
        if (i > 0) of[k].step_first = of[k].step_last = st->steps[i - 1].number;
    }
    tt_app_compare_parts(a, &of[0], &of[1]);
}

void tt_app_pick_steps(tt_app *a)
{
    const tt_trace *st = steps_trace(a);
    if (!has_steps(st)) {
        tt_app_set_status(a, "no steps: %s", tt_advice_of(st->rules)->mark_steps);
        return;
    }
    tt_picker_open(a, "Steps", (int)st->n_steps + 1, pick_step);
    a->picker.compare = compare_steps;
    a->picker.items[0] = tt_strdup("all steps");
    for (uint32_t i = 0; i < st->n_steps; i++) {
        char dur[TT_TEXT_CAP], line[96];
        const tt_step *step = &st->steps[i];
        tt_format_duration(dur, step->end - step->start, TT_UNIT_AUTO);
        snprintf(line, sizeof line, "step %-8lld %12s%s", (long long)step->number, dur,
                 step->kept ? "" : "  incomplete");
        a->picker.items[i + 1] = tt_strdup(line);
        if (a->host.scope.has_steps && a->host.scope.step_first == step->number) a->picker.at = (int)i + 1;
    }
}

/* The entries of the list: all; then each worker with all of its spans where there are several of both, and each of its
 * spans. Entry `index` as worker and span; the number of entries. */
static int trace_choice(const tt_session *s, int index, int32_t *worker, int32_t *span)
{
    int n = 0;
    *worker = *span = TT_ALL;
    for (int32_t w = 0; w < (int32_t)s->n_workers; w++) {
        for (int32_t p = s->n_workers > 1 ? TT_ALL : 0; p < (int32_t)s->n_spans; p++) {
            tt_scope one = tt_scope_all;
            bool have = false;
            one.worker = s->n_workers > 1 ? w : TT_ALL;
            one.span = p;
            if (s->n_spans < 2 && p != TT_ALL) continue;
            for (uint32_t i = 0; i < s->n_traces; i++) have = have || tt_scope_has_trace(s, &one, i);
            if (have && ++n == index) *worker = one.worker, *span = p;
        }
    }
    return n + 1;
}

static void pick_trace(tt_app *a, int i)
{
    tt_scope s = a->host.scope;
    trace_choice(a->host.session, i, &s.worker, &s.span);
    tt_app_set_scope(a, &s);
}

static void compare_stores(tt_app *a, int base, int now)
{
    tt_scope of[2] = {a->host.scope, a->host.scope};
    trace_choice(a->host.session, base, &of[0].worker, &of[0].span);
    trace_choice(a->host.session, now, &of[1].worker, &of[1].span);
    tt_app_compare_parts(a, &of[0], &of[1]);
}

void tt_app_pick_trace(tt_app *a)
{
    const tt_session *s = a->host.session;
    int32_t worker, span;
    int n = trace_choice(s, 0, &worker, &span);
    if (s->n_traces < 2) {
        tt_app_set_status(a, "only one rank and span is loaded");
        return;
    }
    bool workers = s->n_workers > 1, spans = s->n_spans > 1;
    tt_picker_open(a, workers && spans ? "Workers and spans" : workers ? "Workers" : "Spans", n, pick_trace);
    a->picker.compare = compare_stores;
    a->picker.items[0] = tt_strdup(workers && spans ? "all workers, all spans" : workers ? "all workers" : "all spans");
    for (int i = 1; i < n; i++) {
        char line[256];
        trace_choice(s, i, &worker, &span);
        snprintf(line, sizeof line, "%.160s%s%s%.60s", worker == TT_ALL ? "" : s->workers[worker],
                 worker != TT_ALL && spans ? "  " : "",
                 span != TT_ALL ? "span "
                 : spans        ? "all spans"
                                : "",
                 span == TT_ALL ? "" : s->spans[span]);
        a->picker.items[i] = tt_strdup(line);
        if (worker == a->host.scope.worker && span == a->host.scope.span) a->picker.at = i;
    }
}
