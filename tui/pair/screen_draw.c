/* tui/pair/screen_draw.c - the picture: one ruler for both sides, then the base, then the new run, then the pane
 * about the cursor on both sides. A line above each side names its run and the length of its step. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/buf.h"
#include "tui/pair/screen.h"
#include "tui/timeline/model/axis.h"
#include "tui/timeline/model/lines.h"
#include "tui/timeline/rows/frame.h"
#include "tui/timeline/screen/work.h"

enum { LOOK_MS = 150, PANE = 6 };

static const char *const side_name[TT_SIDES] = {"base", "new"};

void tt_pair_screen_aligned_text(const tt_pair *p, char *out, size_t cap)
{
    const tt_step *base = tt_pair_aligned_step(p, TT_BASE), *now = tt_pair_aligned_step(p, TT_NEW);
    static const char *const without[] = {
        [TT_PAIR_BY_RANGE] = "aligned at the beginning of the chosen ranges",
        [TT_PAIR_BY_WORK] = "aligned at the first GPU work: there are no steps on both sides",
        [TT_PAIR_BY_START] = "aligned at the beginning: there are no steps on both sides",
    };
    if (base && now)
        snprintf(out, cap, "aligned at step %" PRId64 " / step %" PRId64, base->number, now->number);
    else
        snprintf(out, cap, "%s", without[p->by]);
}

/* Lines of the pane at the bottom of a screen of h lines, with its title; 0 = no pane. */
static int pair_screen_pane_height(int h) { return h >= 15 ? PANE : 0; }

static tt_timeline_plan plan_of(tt_timeline *t, int ruler_y, int y, int rows, int w)
{
    tt_timeline_plan p = {.overview_y = -1, .bracket_y = -1, .ruler_y = ruler_y, .rows_y = y};
    p.label_w = w < 50 ? 10 : w < 70 ? 13 : w < 110 ? 16 : w < 160 ? 22 : 28;
    p.rows = rows > 1 ? rows : 1;
    p.pane_y = y + p.rows;
    t->cols = w - p.label_w > 1 ? w - p.label_w : 1;
    t->rows = p.rows;
    tt_timeline_scroll(t);
    return p;
}

static void arrange(tt_pair_screen *x, int h, int w)
{
    int pane = pair_screen_pane_height(h), body = h - pane - 3;
    int upper = body > 1 ? body / 2 : 1, lower = body - upper > 1 ? body - upper : 1;
    tt_pair *p = x->p;
    x->plan[TT_BASE] = plan_of(p->half[TT_BASE].t, 0, 2, upper, w);
    x->plan[TT_NEW] = plan_of(p->half[TT_NEW].t, -1, 3 + upper, lower, w);
    tt_timeline *t = p->half[p->focus].t;
    tt_timeline_window(t, t->t0, t->t1);
    tt_pair_follow(p);
}

/* The name of a side's run, with its worker if the run has several. */
static void run_name(const tt_screen *s, int side, char *out, size_t cap)
{
    enum { NAME = 512 };
    const tt_pair *p = tt_pair_screen_of(s)->p;
    const tt_session *of = p->m.of[side];
    char name[TT_SIDES][NAME];
    tt_host_sides(s->host, name[TT_BASE], name[TT_NEW], NAME);
    /* otherwise the words of the side name the worker */
    bool worker = of->n_workers > 1 && p->m.scope[side].worker == TT_ALL;
    snprintf(out, cap, "%s%s%s", name[side], worker ? "  " : "", worker ? of->traces[p->half[side].trace]->worker : "");
}

/* The step of a side: "step 12  34.1 ms"; on the new side also the difference to the base. */
static void step_text(const tt_pair *p, int side, tt_unit unit, char *out, size_t cap)
{
    const tt_step *step = tt_pair_aligned_step(p, side);
    char ns[TT_TEXT_CAP], by[TT_TEXT_CAP];
    out[0] = '\0';
    if (!step) return;
    int64_t was = p->half[TT_BASE].length, more = p->half[side].length - was;
    tt_buf line = tt_buf_on(out, cap);
    tt_buf_add(&line, "step %" PRId64 "  %s", step->number, tt_format_duration(ns, p->half[side].length, unit));
    if (side == TT_BASE || was <= 0) return;
    tt_buf_add(&line, "  (%s%s, %+.1f%%)", more < 0 ? "-" : "+", tt_format_duration(by, more < 0 ? -more : more, unit),
               100 * (double)more / (double)was);
}

/* Draw the line above the rows of a side: the step as a bracket on the time axis, so that steps of different length
 * look different. */
static void draw_side(const tt_screen *s, tt_canvas *c, int y, int side)
{
    const tt_pair_screen *x = tt_pair_screen_of(s);
    const tt_pair *p = x->p;
    const tt_pair_half *h = &p->half[side];
    const tt_timeline *t = h->t;
    const bool on = p->focus == side;
    char name[640], step[160];
    int from = tt_timeline_col(t, h->zero), to = tt_timeline_col(t, h->zero + h->length - 1);
    int x0 = x->plan[side].label_w;
    tt_fill(c, y, 0, 1, c->w, TT_ROLE_TEXT, ' ');
    char label[16];
    snprintf(label, sizeof label, " %s ", side_name[side]);
    tt_put(c, y, 0, on ? TT_ROLE_TAB_ON : TT_ROLE_TAB, label, x0 - 1);
    if (!on) tt_put(c, y, 7, TT_ROLE_DIM, "Tab", x0 - 8);
    const bool seen = h->length > 0 && to >= 0 && from < t->cols;
    for (int i = from < 0 ? 0 : from; seen && i <= to && i < t->cols; i++)
        tt_put_char(c, y, x0 + i, TT_ROLE_FRAME, tt_glyph_of(c, TT_G_HLINE));
    step_text(p, side, (tt_unit)tt_host_unit(s->host), step, sizeof step);
    run_name(s, side, name, sizeof name);
    int at = x0 + (from > 0 && from < t->cols / 2 ? from : 0) + 2, end = c->w - 2;
    at += tt_put(c, y, at, TT_ROLE_TEXT, " ", 1);
    if (*step) at += tt_put_cut(c, y, at, on ? TT_ROLE_STRONG : TT_ROLE_TITLE, step, end - at, TT_CUT_END);
    at += tt_put(c, y, at, TT_ROLE_TEXT, *step ? "  " : "", 2);
    const bool room = x0 + to >= at;
    const int close =
        seen && to < t->cols && room ? x0 + to : 0; /* the name stands before the end of the step or behind it */
    if (close > 0 && end - close - 3 > close - at)
        at = close + 3;
    else if (close > 0)
        end = close - 1;
    at += tt_put_cut(c, y, at, TT_ROLE_DIM, name, end - at - 1, TT_CUT_START);
    if (at < end) tt_put(c, y, at, TT_ROLE_TEXT, " ", 1);
    if (close > 0) tt_put_char(c, y, close, TT_ROLE_STRONG, ']');
    if (seen && from >= 0) tt_put_char(c, y, x0 + from, TT_ROLE_STRONG, '[');
}

void tt_pair_screen_draw(tt_screen *s, tt_canvas *c)
{
    tt_pair_screen *x = tt_pair_screen_of(s);
    tt_pair *p = x->p;
    if (!p) {
        tt_put(c, 1, 2, TT_ROLE_DIM, "No comparison: :diff PATH opens another run", -1);
        return;
    }
    arrange(x, c->h, c->w);
    for (int side = 0; side < TT_SIDES; side++) {
        tt_timeline_frame *f = &x->frame[side];
        tt_timeline *t = p->half[side].t;
        tt_timeline_work_derive(x->work[side]);
        f->unit = (tt_unit)tt_host_unit(s->host);
        f->zero = p->half[side].zero;
        f->steps_of = p->half[side].trace;
        f->behind = side != p->focus;
        if (!tt_timeline_settled(t, f, c->cheap, x->acted_at, tt_host_now(s->host))) tt_host_wake(s->host, LOOK_MS);
        tt_timeline_draw(t, c, &x->plan[side], f);
        draw_side(s, c, x->plan[side].rows_y - 1, side);
    }
    int pane = pair_screen_pane_height(c->h);
    if (pane > 0) tt_pair_screen_pane(s, c, c->h - pane);
}
